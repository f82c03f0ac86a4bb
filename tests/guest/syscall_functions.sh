# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the function of a system call shows the system call's arguments and not a
# pt_regs, also by the system call's own name; conditions use their names.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

mkdir dir
echo hello >dir/file
kcatch record -o calls -f openat -- cat dir/file >out 2>err
check_equal 'by the name of the system call: status 0' $? 0
check_same_in_babeltrace calls
last=$(jq -sc 'map(select(.function)) | last' report.json)
check_match 'it is the function' "$last" '"function":"'"$kt_sys"'openat"'
check_match 'its arguments by name and type' "$last" \
	'"args":\{"dfd":-100,"filename":"dir/file","flags":0,"mode":0\}'
check_match 'the names of its numbers beside them' "$last" \
	'"args_text":\{"dfd":"AT_FDCWD","flags":"O_RDONLY","mode":"00"\}'
check_match 'what came back' "$last" '"ret":[3-9]'
check_no_match 'no registers' "$(kcatch report calls)" 'regs'

catch_begin -n 1 -t 300 ${kt_sys}openat 'filename ~ "dir/n*" && flags & O_CREAT && ret >= 0'
cat dir/file dir/none >/dev/null 2>&1
echo new >dir/new
catch_end
check_equal 'a condition on a text, a flag and the return: status 0' $status 0
check_match 'what it holds for' "$out" 'returned [0-9].*with dfd=AT_FDCWD filename="dir/new" flags=O_WRONLY[|]O_CREAT[|]O_TRUNC mode=0666'
catch_begin --json -n 1 -t 300 --no-args openat 'mode == 0600 && dfd == -100'
(umask 0; python3 -c 'import os; os.open("dir/600", os.O_CREAT, 0o600)')
catch_end
check_equal 'names without arguments' "$status $(jq -sc 'map(select(.function))[0].args' out)" '0 {}'
catch_begin -n 1 -t 300 --errors openat 'filename == "dir/none"'
cat dir/none >/dev/null 2>&1
catch_end
check_match 'one that fails' "$out" '-ENOENT.*filename="dir/none"'
catch_begin -n 1 -t 300 openat '(int)regs->di == -100'
cat dir/file >/dev/null
catch_end
check_equal 'the registers can still be asked for' $status 0

catch_begin -n 1 -t 300 read 'count == 4321'
dd if=dir/file of=/dev/null bs=4321 status=none
catch_end
check_match 'what was read' "$out" 'returned 6 .*with fd=0 buf=0x[0-9a-f]+ count=4321.*changed buf: "hello\\n"'
catch_begin -n 1 -t 300 -c stat stat newfstatat
stat dir/file >/dev/null
catch_end
check_equal 'a system call whose function has another name, beside others' $status 0
catch_begin -n 1 -t 300 getppid
python3 -c 'import os; os.getppid()'
catch_end
check_match 'one without arguments' "$out" 'called by do_syscall_64 without arguments'

kcatch record -o all -f ''"$kt_sys"'*' -- cat dir/file >out 2>err
check_equal 'all of them: status 0' $? 0
kcatch report all >text
check_equal 'no registers in any' "$(grep -c 'regs=' text)" 0
check_match 'each with its own names' "$(cat text)" \
	'openat\(dfd=AT_FDCWD, filename="dir/file", flags=O_RDONLY, mode=00\) = 3.*'"$kt_sys"'close\(fd=3\)'
kcatch record -o many -f openat -f read -f fadvise64 -f close -f fstat -f brk -- \
	cat dir/file >out 2>err
check_equal 'many names at once: status 0' $? 0
check_match 'each is found' "$(kcatch report many --fields event | sort -u | tr '\n' ' ')" \
	'^'"$kt_sys"'brk '"$kt_sys"'close '"$kt_sys"'fadvise64 '"$kt_sys"'openat '"$kt_sys"'read '

kcatch -t 1 openat 'name == 1' >out 2>err
check_match 'an argument that it does not have' "$? $(cat err)" \
	'^1 .*(the arguments are dfd, filename, flags, mode|did you mean)'
kcatch -t 1 opnat >out 2>err
check_match 'neither a function nor a system call' "$? $(cat err)" "^1 .*'opnat': no such function"
