# SPDX-License-Identifier: GPL-2.0-or-later
"""kcatch's JSON as Python has it: addresses and numbers beyond 2^53, which are texts, are numbers."""
import json
import re


def whole(value):
    if isinstance(value, dict):
        return {name: whole(member) for name, member in value.items()}
    if isinstance(value, list):
        return [whole(member) for member in value]
    if isinstance(value, str) and re.fullmatch(r"0x(0|[1-9a-f][0-9a-f]*)|-?[1-9]\d{15,19}", value) \
            and (value[:2] == "0x" or abs(int(value)) > 1 << 53):
        return int(value, 0)
    return value


def loads(line):
    return whole(json.loads(line))
