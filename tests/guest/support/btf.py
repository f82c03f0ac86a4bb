# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernel's own types, as far as arguments need them."""
import struct

BTF = "/sys/kernel/btf/"
INT, PTR, STRUCT, UNION, ENUM, TYPEDEF, FUNC, FUNC_PROTO, ENUM64 = 1, 2, 4, 5, 6, 8, 12, 13, 19
NAMES_ONLY = (TYPEDEF, 9, 10, 11, 18)   # typedef, volatile, const, restrict, a tag
EXTRA = {1: 1, 3: 3, 14: 1, 17: 1}      # words behind a type's head, by its kind,
EACH = {4: 3, 5: 3, 6: 2, 13: 2, 15: 3, 19: 3}      # and for each member


class Types:
    """Types of the kernel, or of a module of it, which go on where BASE ends."""

    def __init__(self, module="vmlinux", base=None):
        with open(BTF + module, "rb") as file:
            data = file.read()
        length, types_at, types_size, strings_at, size = struct.unpack_from("<4xIIIII", data)
        types_at += length
        self.words = words = memoryview(data)[types_at:types_at + types_size].cast("I")
        self.strings = data[length + strings_at:length + strings_at + size]
        self.base = base
        self.strings_end = size + (base.strings_end if base else 0)
        self.first = base.first + len(base.places) if base else 0
        self.places = places = [] if base else [0]
        self.functions = functions = []     # [(place of the name, prototype)]
        self.many = set()       # prototypes of more than six arguments
        extra = [EXTRA.get(kind, 0) + 3 for kind in range(32)]
        each = [EACH.get(kind, 0) for kind in range(32)]
        at, end = 0, len(words)
        while at < end:
            info = words[at + 1]
            kind = info >> 24 & 31
            places.append(at)
            if kind == FUNC:
                functions.append((words[at], words[at + 2]))
            elif kind == FUNC_PROTO and info & 0xffff > 6:
                self.many.add(self.first + len(places) - 1)
            at += extra[kind] + each[kind] * (info & 0xffff)

    def prototypes(self):
        """{name: the type of a function's arguments and of what it returns}"""
        return {self.text(name): prototype for name, prototype in self.functions}

    def text(self, offset):
        if self.base:
            if offset < self.base.strings_end:
                return self.base.text(offset)
            offset -= self.base.strings_end
        return self.strings[offset:self.strings.index(b"\0", offset)].decode()

    def place(self, number):
        """Where a type is: words, and the first of its own among them."""
        if number < self.first:
            return self.base.place(number)
        return self.words, self.places[number - self.first]

    def head(self, number):
        """Its name, kind, number of members, and size or the type it refers to."""
        words, at = self.place(number)
        return self.text(words[at]), words[at + 1] >> 24 & 31, words[at + 1] & 0xffff, words[at + 2]

    def resolved(self, number):
        """The type behind names and qualifiers."""
        while number:
            _, kind, _, other = self.head(number)
            if kind not in NAMES_ONLY:
                break
            number = other
        return number

    def pointed(self, number):
        """What a pointer points to, behind names and qualifiers."""
        return self.resolved(self.head(number)[3])

    def integer(self, number):
        """The size of an integer, and whether it is signed, and a bool."""
        words, at = self.place(number)
        return words[at + 2], bool(words[at + 3] >> 24 & 1), bool(words[at + 3] >> 24 & 4)

    def enumerators(self, number):
        """{name: value as far as 32 bits say it}"""
        words, at = self.place(number)
        step, count = EACH[words[at + 1] >> 24 & 31], words[at + 1] & 0xffff
        return {self.text(words[i]): words[i + 1]
                for i in range(at + 3, at + 3 + step * count, step)}

    def struct_size(self, number):
        """The size of a struct or union; 0: it is none."""
        _, kind, _, other = self.head(self.resolved(number))
        return other if kind in (STRUCT, UNION) else 0

    def parameters(self, prototype):
        """[(name, type)] of a function's arguments, and the type that it returns."""
        words, at = self.place(prototype)
        count, returned = words[at + 1] & 0xffff, words[at + 2]
        return [(self.text(words[i]), words[i + 1])
                for i in range(at + 3, at + 3 + 2 * count, 2)], returned

    def sources(self, prototype):
        """[(name, type, register 0 to 5 or None, word of the stack or None)]: where the calling
        convention of x86-64 has each argument: struct by value of more than 16 bytes, or for
        which too few registers are left, is on the stack whole."""
        result, register, word = [], 0, 0
        for name, number in self.parameters(prototype)[0]:
            words = (self.struct_size(number) + 7) // 8 or 1
            if words <= 2 and register + words <= 6:
                result.append((name, number, register, None))
                register += words
            else:
                result.append((name, number, None, word))
                word += words
        return result
