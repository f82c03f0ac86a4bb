# SPDX-License-Identifier: GPL-2.0-or-later
# Description: what was cut of an argument is said: args_cut names it in JSON, "..." is where it was
# in text; where nothing was cut there is neither. Bytes that JSON cannot have are in args_bytes.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
long=/$(printf 'n%.0s' {1..200})

# usage: opened NAME OPTION... - one open of it is caught
opened() {
	local name=$1
	shift
	catch_begin --no-stack -n 1 -t 300 -c kt_cut "$@" do_sys_openat2
	(printf kt_cut >/proc/self/comm; : <"$name") 2>/dev/null
	catch_end
}
opened "$long" --json
check_equal 'a long name: cut' "$(jq -c 'select(.function).args_cut' out)" '["filename"]'
opened "$long" --format rows
check_equal 'as a row: cut' "$(jq -c 'select(.row == "event").args_cut' out)" '["filename"]'
opened "$long"
check_match 'as text: it goes on' "$out" "filename=\"${long:0:128}\"\\.\\.\\."
opened /proc/version --json
check_equal 'a short one: nothing was cut' \
	"$(jq -c 'select(.function) | has("args_cut")' out)" false
opened /proc/version
check_match 'as text: it ends' "$out" 'filename="/proc/version" '

# Bytes that are not UTF-8
opened $'/n\xe9e' --json
check_equal 'bytes that are not UTF-8: they are named, in hexadecimal' \
	"$(jq -c 'select(.function) | [.args_bytes, .args.filename]' out)" \
	'[["filename=2f6ee965"],"/n�e"]'
opened $'/n\xe9e' --format rows
check_equal 'as a row: the same' \
	"$(jq -c 'select(.row == "event").args_bytes' out)" '["filename=2f6ee965"]'

# Of a path the beginning is cut, by whole names.
part=$(printf 'p%.0s' {1..50})
mkdir -p "one/$part/$part/$part"
: >"one/$part/$part/$part/file"
catch_begin --no-stack -n 1 -t 300 -c kt_path --json vfs_open
(printf kt_path >/proc/self/comm; : <"one/$part/$part/$part/file")
catch_end
check_equal 'a long path: its end, and dots in front' \
	"$(jq -r 'select(.function).args.path.text' out)" ".../$part/$part/file"
check_match 'it is named' "$(jq -c 'select(.function).args_cut' out)" '"path"'
catch_begin --no-stack -n 1 -t 300 -c kt_path vfs_open
(printf kt_path >/proc/self/comm; : <"one/$part/$part/$part/file")
catch_end
check_match 'as text' "$out" "path=\\.\\.\\./$part/$part/file[[:space:]]"

# A text that is returned.
returned() {
	catch_begin --no-stack -n 1 -t 300 -c readlink "$@" d_path
	readlink /proc/self/cwd >/dev/null
	catch_end
}
mkdir -p "one/$part/$part/$part"
here=$PWD
cd "one/$part/$part/$part" || exit
returned --json
check_equal 'a long text that is returned: cut, and named' \
	"$(jq -c 'select(.function) | [(.args_cut | index("ret") != null), (.ret_text | length)]' out)" \
	'[true,128]'
returned --format rows
check_equal 'as a row' "$(jq -c 'select(.row == "event").args_cut | index("ret") != null' out)" true
cd /
returned --json
check_equal 'a short one is not' \
	"$(jq -c 'select(.function) | [.ret_text, (.args_cut // [] | index("ret"))]' out)" '["/",null]'
cd "$here" || exit
