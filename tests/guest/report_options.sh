# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch report refuses an option of other formats than the one it writes, says which
# formats have it, and takes it with each of them.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

# Options are looked at before the recording, so none is needed.
# usage: formats_with OPTION... - the formats that do not refuse it
formats_with() {
	local format
	for format in text json rows tree folded flame html perfetto pprof stats why; do
		kcatch report none --format $format "$@" >out 2>err
		[ $? = 1 ] && ! grep -qE "^kcatch: (unknown option|$1 is for --format )" err &&
			echo $format
	done
}

while IFS='|' read -r option formats; do
	# shellcheck disable=SC2086 # an option and its value
	check_equal "$option: the formats that take it" "$(formats_with $option | xargs)" "$formats"
done <<'END'
--time wall|text
--time boot|text
--fields time,ret|text
--no-stack|text
--verbose|text json
--callees|tree
--callers|tree
--min 0.1|tree
--by-time|tree folded flame
--no-comm|folded flame html
--rows 5000|html
--count 5|why
--chain|why
--json|why
--failing|text json rows tree folded flame html perfetto pprof stats why
--slower 1ms|text json rows tree folded flame html perfetto pprof stats why
--output none/file|text json rows tree folded flame html perfetto pprof stats why
END

# usage: refused MESSAGE OPTION... - with status 1
refused() {
	kcatch report none "${@:2}" >out 2>err
	check_equal "${*:2}" "$? $(cat err)" "1 kcatch: $1"
}
refused '--callees is for --format tree' --callees
refused '--verbose is for --format text or json' -v --format html
refused '--by-time is for --format tree, folded or flame' --by-time
refused '--rows is for --format html' --rows 5 --format rows
refused '--verbose changes nothing with --fields: the fields say what is shown' --fields time -v
refused '--no-stack changes nothing with --fields: the fields say what is shown' \
	--fields time,stack --no-stack
for value in 0ms 0ns 0.3ns; do
	kcatch report none --slower $value >out 2>err
	check_match "--slower $value is no time" "$? $(cat err)" "^1 kcatch: .*--slower"
done
