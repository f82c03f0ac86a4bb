# SPDX-License-Identifier: GPL-2.0-or-later
# Description: --errors shows calls that failed and no others; a failure and those above it in
# the same thread are one chain, from the function that failed first to the outermost; -n
# counts chains. A function whose result cannot tell is refused.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
# Newer kernels have another name for the function between the two.
middle=$(either do_filp_open do_file_open)
functions=(do_sys_openat2 "$middle" path_openat)

# One file that is there, and one that is not, opened by this name.
opens() {
	(printf kt_opens >/proc/self/comm; : </dev/null; : </no/such) 2>/dev/null
}

catch_begin --errors --json -n 2 -t 300 -c kt_opens "${functions[@]}"
opens
opens
catch_end
check_equal 'two failures are two chains' "$status $(jq -r 'select(.summary).summary.caught' out)" '0 2'
check_equal 'each goes through all three' \
	"$(jq -r 'select(.function) | "\(.level) \(.function) \(.ret_text)"' out | sort | uniq -c |
		tr -s ' ')" \
	" 2 0 do_sys_openat2 -ENOENT
 2 1 $middle -ENOENT
 2 2 path_openat -ENOENT"
check_equal 'nothing that succeeded is shown' \
	"$(jq -r 'select(.function == "do_sys_openat2").args.filename' out | sort -u)" /no/such
check_equal 'each is under the one that passed it on' \
	"$(jq -rs '(map(select(.function)) | map({key: (.call | tostring), value: .function}) |
	from_entries) as $name | map(select(.parent > 0)) |
	map("\(.function) < \($name[.parent | tostring])") | unique | join(", ")' out)" \
	"$middle < do_sys_openat2, path_openat < $middle"

catch_begin --errors -n 1 -t 300 -c kt_opens "${functions[@]}"
opens
catch_end
check_match 'as text: the deepest is the event' "$out" '^path_openat  kt_opens .*returned -ENOENT'
check_match 'as text: then the callers it passed through, innermost first' "$out" \
	"innermost first:.*passed on by $middle\(.*= -ENOENT.*passed on by do_sys_openat2\(.*"'filename="/no/such".*= -ENOENT'

kcatch --errors -t 1 capable >out 2>err
check_equal 'a function whose result cannot tell: refused' $? 1
check_match 'and it says why' "$(cat err)" 'capable: the function.s return type cannot report a failure'
