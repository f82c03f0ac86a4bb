# SPDX-License-Identifier: GPL-2.0-or-later
# The functions with inlined copies of each function, as `readelf --debug-dump=info` on standard
# input has them: "NAME: FUNCTION (N copies), FUNCTION", sorted, as `kcatch list -v` prints them.
import collections
import re
import sys

entries, copies, above = {}, [], []
for line in sys.stdin:
    head = re.match(r' <(\w+)><(\w+)>: Abbrev Number: \d+ \((\w+)\)', line)
    value = re.match(r' +<\w+> +(DW_AT_\w+) *: (.*)', line)
    if head:
        entry = {'tag': head[3]}
        entries[head[2]] = entry
        above[int(head[1], 16):] = [entry]
        if head[3] == 'DW_TAG_inlined_subroutine':
            copies.append((entry, next(a for a in above if a['tag'] == 'DW_TAG_subprogram')))
    elif value:
        entry[value[1]] = value[2].strip()


def name(entry):
    while 'DW_AT_name' not in entry:
        entry = entries[entry['DW_AT_abstract_origin'].strip('<>')[2:]]
    return entry['DW_AT_name'].split('): ')[-1]


found = collections.defaultdict(collections.Counter)
for copy, function in copies:
    found[name(copy)][name(function)] += 1
for function, inside in sorted(found.items()):
    print(function + ': ' + ', '.join(
        f + (' (%d copies)' % n if n > 1 else '') for f, n in sorted(inside.items())))
