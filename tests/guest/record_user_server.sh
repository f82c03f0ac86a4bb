# SPDX-License-Identifier: GPL-2.0-or-later
# Description: where DEBUGINFOD_URLS names a server, report finds programs and debug information by
# their build IDs there, and takes no other file for them; without the variable it asks nobody.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
ldconfig -p | grep -q libdebuginfod.so.1 || skip_all 'there is no libdebuginfod'
files=/dev/shm/kt_server
mkdir $files
server=
cleanup() { kill $server; rm -rf $files; }
cat >program.c <<'C'
#include <unistd.h>
#define PART __attribute__((noipa))
PART int kt_inner(const char *file) { return unlink(file) + 1; }
PART int kt_outer(const char *file) { return kt_inner(file) + 1; }
int main(int argc, char **argv) { return kt_outer(argv[argc - 1]) == 5; }
C
gcc -g -O2 -o kt_full program.c || exit 1
id=$(readelf -n kt_full | sed -n 's/ *Build ID: //p')
mkdir -p www/buildid/$id home
objcopy --only-keep-debug kt_full debuginfo
objcopy --strip-all kt_full kt_asked
cp kt_asked executable
touch $files/a
kcatch record --user -o rec -c kt_asked vfs_unlink -- ./kt_asked $files/a >out 2>&1
rm kt_asked
cat >serve.py <<'PY'
import functools, http.server
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory='www')
server = http.server.HTTPServer(('127.0.0.1', 0), handler)
print(server.server_port, flush=True)
server.serve_forever()
PY
ip link set lo up
python3 serve.py >port 2>asked &
server=$!
wait_for test -s port
names() {
	HOME=$PWD/home kcatch report rec --format json | jq -r 'select(.user_stack).user_stack
		| map(.symbol // "??") | join(" ")' | sed 's/@@[^ ]*//g; s/ __libc_start.*//'
}
without=$(names)
check_match 'the program is gone: no names' "$without" '^[^ ]*unlink \?\?'
check_equal 'and nobody was asked' "$(cat asked)" ''
DEBUGINFOD_URLS=http://127.0.0.1:$(cat port)/
export DEBUGINFOD_URLS
cp kt_full www/buildid/$id/other
cp /bin/true www/buildid/$id/executable
check_equal 'another file under that build ID: no names' "$(names)" "$without"
check_match 'the server was asked for it' "$(cat asked)" "GET /+buildid/$id/executable "
rm -rf home/.cache home/.debuginfod_client_cache
mv executable debuginfo www/buildid/$id/
check_match 'program and debug information from the server: names' "$(names)" \
	'^[^ ]*unlink kt_inner kt_outer main$'
check_match 'and lines' "$(HOME=$PWD/home kcatch report rec)" 'kt_inner\+0x[^ ]* .*program\.c:3'
kill $server
wait $server 2>/dev/null
check_match 'what came is kept' "$(names)" '^[^ ]*unlink kt_inner kt_outer main$'
unset DEBUGINFOD_URLS
check_equal 'without the variable: as before' "$(names)" "$without"
