# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a kernel module of functions with random signatures, whose calls C itself tells of.

usage: generate.py SEED DIRECTORY [FUNCTIONS]

DIRECTORY receives kcatch_generated_SEED.c, a Makefile, and spec.json: what compare.py needs to know
beside what the module says. Each function writes what C makes of its arguments to a log, which
/proc/kcatch_generated_SEED holds after an order has called all of them. A line of it is

    FUNCTION WHEN PATH KIND VALUE

WHEN is e (at the entry), r (at the return), or d and a number: the entry, for those who follow
pointers in structs so far. KIND is i (an integer), b (a bool), p (an address), t (a text), y
(bytes), h (a hardware address), u (memory that cannot be read), v (a value that is returned).
"""
import json
import os
import random
import sys

SEED = int(sys.argv[1])
OUT = sys.argv[2]
FUNCTIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 200
R = random.Random(SEED)

INTS = [('char', 8, None), ('signed char', 8, True), ('unsigned char', 8, False),
        ('short', 16, True), ('unsigned short', 16, False), ('int', 32, True),
        ('unsigned int', 32, False), ('long', 64, True), ('unsigned long', 64, False),
        ('long long', 64, True), ('u8', 8, False), ('s8', 8, True), ('u16', 16, False),
        ('s16', 16, True), ('u32', 32, False), ('s32', 32, True), ('u64', 64, False),
        ('s64', 64, True)]


def some_bits(bits):
    """A number of so many bits: small, negative, above 65535, all bits, any."""
    mask = (1 << bits) - 1
    return R.choice([0, 1, 7, mask, mask - 1, 1 << (bits - 1), mask >> 1, 65535 & mask,
                     65536 & mask, 0x1234567 & mask, -4095 & mask, R.getrandbits(bits),
                     R.getrandbits(bits), R.getrandbits(bits)])


def literal(bits, value):
    return f'0x{value & ((1 << bits) - 1):x}ULL'


def c_bytes(data):
    return '{ ' + ', '.join(f'0x{byte:02x}' for byte in data) + ' }'


def printable(length):
    return bytes(R.choice(b'abcdefghijklmnopqrstuvwxyz/-_ .') for _ in range(length))


class Module:
    def __init__(self):
        self.types, self.structs, self.enums, self.objects, self.names = [], [], [], [], {}
        self.counter = 0

    def new(self, what):
        self.counter += 1
        return f'{what}{self.counter}'

    def object(self):
        """A variable that something points to: with a symbol, by which kcatch shows an address
        as text, or, as on the heap, without; tests/generated/build takes those of hidden* out."""
        return self.new(R.choice(['o', 'hidden']))


M = Module()


class Int:
    def __init__(self, ctype=None):
        self.ctype, self.bits, self.signed = ctype or R.choice(INTS)

    def declare(self, name):
        return f'{self.ctype} {name}'

    def value(self):
        return f'({self.ctype}){literal(self.bits, some_bits(self.bits))}'

    def say(self, when, path, c):
        return [f'SAY("{when}", "{path}", {c});']

    def change(self, c):
        return f'{c} = ({self.ctype})({c} ^ {literal(self.bits, R.getrandbits(self.bits) | 1)});'


class Int128(Int):
    def __init__(self):
        self.ctype, self.bits = R.choice(['__int128', 'unsigned __int128']), 128

    def value(self):
        return (f'(({self.ctype}){literal(64, some_bits(64))} << 64 | '
                f'{literal(64, some_bits(64))})')

    def say(self, when, path, c):     # the lower half is what kcatch shows
        return [f'SAY("{when}", "{path}", ({"s64" if self.ctype[0] == "_" else "u64"})({c}));']


class Bool(Int):
    def __init__(self):
        self.ctype, self.bits = 'bool', 1

    def value(self):
        return R.choice(['true', 'false'])

    def say(self, when, path, c):
        return [f'SAY_BOOL("{when}", "{path}", {c});']

    def change(self, c):
        return f'{c} = !{c};'


class Enum(Int):
    def __init__(self):
        name = M.new('ge')
        self.ctype = f'enum {name}'
        wide = R.random() < 0.3
        kind = R.choice(['signed', 'unsigned'])
        self.bits = 64 if wide else 32
        values = [0, 1, R.randrange(2, 40)]
        if wide:
            values.append(R.getrandbits(62) | 1 << 40)
            values.append(-R.getrandbits(50) if kind == 'signed' else R.getrandbits(63) | 1 << 62)
        else:
            values.append(R.getrandbits(31))
            values.append(-R.randrange(1, 5000) if kind == 'signed' else 0x80000000 |
                          R.getrandbits(31))
        self.members = []
        for i, value in enumerate(dict.fromkeys(values)):
            member = f'G{SEED}_{name.upper()}_{i}'
            self.members.append((member, value))
            M.names[member] = value
        M.types.append(f'enum {name} {{ ' + ', '.join(
            f'{member} = {value}{"LL" if value < 0 or value < 1 << 31 else "ULL"}'
            if wide else f'{member} = {value}{"U" if value >= 1 << 31 else ""}'
            for member, value in self.members) + ' };')

    def value(self):
        return R.choice(self.members)[0]

    def change(self, c):
        first, second = self.members[0][0], self.members[1][0]
        return f'{c} = {c} == {first} ? {second} : {first};'


def scalar():
    return R.choice([Int, Int, Int, Int, Bool, Enum])()


class Text:
    """char[]: a text up to its null byte, or to the end of the array."""
    def __init__(self):
        self.size = R.choice([3, 4, 5, 8, 15, 16])
        self.ctype = 'char'

    def declare(self, name):
        return f'char {name}[{self.size}]'

    def value(self):
        data = printable(R.randrange(0, self.size + 1))
        if R.random() < 0.15 and len(data) > 2:
            data = data[:1] + bytes([R.randrange(0x80, 0x100)]) + data[2:]
        self.data = data.ljust(self.size, b'\0')
        return c_bytes(self.data)

    def say(self, when, path, c):
        return [f'say_text("{when}", "{path}", {c}, sizeof({c}));']


class Octets:
    """unsigned char[], u8[], s8[]: bytes, a hardware address, or a text with nothing else."""
    def __init__(self):
        self.ctype = R.choice(['unsigned char', 'unsigned char', 'u8', 's8'])
        self.size = R.choice([4, 6, 6, 7, 8, 12, 16])

    def declare(self, name):
        return f'{self.ctype} {name}[{self.size}]'

    def value(self):
        first = R.choice([b'', b'RT\0', b'a', printable(3)])
        data = first + bytes(R.choice([0, 0, R.randrange(256)]) for _ in range(self.size))
        if R.random() < 0.3:
            data = printable(R.randrange(0, self.size))
        self.data = data[:self.size].ljust(self.size, b'\0')
        return c_bytes(self.data)

    def say(self, when, path, c):
        kind = 'y'
        used = self.data.rstrip(b'\0')
        if self.size == 6 and self.ctype != 's8':
            kind = 'h'
        elif self.ctype == 'unsigned char' and used and len(used) < self.size and \
                all(32 <= byte < 127 or byte in b'\t\n' for byte in used):
            return [f'say_text("{when}", "{path}", (char *){c}, sizeof({c}));']
        return [f'say_bytes("{when}", "{path}", "{kind}", {c}, sizeof({c}));']


class Numbers:
    """An array of integers."""
    def __init__(self):
        self.of = Int(R.choice([of for of in INTS if of[1] > 8]))
        self.size = R.randrange(1, 5)

    def declare(self, name):
        return f'{self.of.declare(name)}[{self.size}]'

    def value(self):
        return '{ ' + ', '.join(self.of.value() for _ in range(self.size)) + ' }'

    def say(self, when, path, c):
        return [line for i in range(self.size)
                for line in self.of.say(when, f'{path}[{i}]', f'{c}[{i}]')]


class Address:
    """void *: an address."""
    def declare(self, name):
        return f'void *{name}'

    def value(self):
        value = R.choice([0, 0x10, R.getrandbits(47), 0xffff888000001000 + R.getrandbits(20)])
        return f'(void *){value}UL'

    def say(self, when, path, c):
        return [f'say_address("{when}", "{path}", {c});']


class Bits:
    """A bit-field."""
    def __init__(self):
        self.base = R.choice([('unsigned int', 32), ('int', 32), ('u8', 8), ('u16', 16),
                              ('u64', 64), ('s64', 64), ('bool', 1)])
        self.width = 1 if self.base[1] == 1 else R.randrange(1, self.base[1] + 1)

    def declare(self, name):
        return f'{self.base[0]} {name} : {self.width}'

    def value(self):
        number = some_bits(self.width)
        if self.base[0] in ('int', 's64') and number >> (self.width - 1):
            return f'-{literal(64, (1 << self.width) - number)[:-3]}LL'
        return literal(64, number)

    def say(self, when, path, c):
        if self.base[0] == 'bool':
            return [f'SAY_BOOL("{when}", "{path}", {c});']
        cast = 's64' if self.base[0] in ('int', 's64') else 'u64'
        return [f'SAY("{when}", "{path}", ({cast}){c});']


class Struct:
    def __init__(self, most=6, depth=2, name=True, packed=None, links=False, word='struct'):
        self.word = word
        self.packed = R.random() < 0.25 if packed is None else packed
        self.name = M.new('gs') if name else ''
        self.ctype = f'{word} {self.name}'
        self.members = []
        for _ in range(R.randrange(1, most + 1)):
            kind = R.choice([scalar, scalar, scalar, Text, Octets, Numbers, Address, Bits, Bits,
                             'inner', 'nameless', 'union'])
            if kind in ('inner', 'nameless', 'union') and not depth:
                kind = scalar
            if kind == 'union':
                of = Struct(3, 0, False, False, word='union')
            elif kind in ('inner', 'nameless'):
                of = Struct(3, depth - 1, kind == 'inner', None if kind == 'inner' else False)
            else:
                of = kind()
            self.members.append((M.new('m') if kind not in ('nameless', 'union') else '', of))
        self.flexible = links and R.random() < 0.2
        self.link = None
        if links and not self.flexible and R.random() < 0.4:
            self.link = Struct(4, 1)
            self.members.append((M.new('link'), Pointed(self.link)))
        if self.name:
            M.structs.append(self.text() + ';')

    def text(self):
        lines = [f'\t{of.text() if not name else of.declare(name)};' for name, of in self.members]
        if self.flexible:
            lines.append('\tu32 flexible[];')
        return (f'{self.word} {self.name} {{\n' + '\n'.join(lines) + '\n}' +
                (' __packed' if self.packed else ''))

    def declare(self, name):
        return f'{self.ctype} {name}'

    def value(self):
        if self.word == 'union':      # the first member says what is in it
            name, of = self.members[0]
            first = f'.{name} = {of.value()}' if name else of.value()
            for _, other in self.members[1:]:
                other.data = None
            return '{ ' + first + ' }'
        return '{ ' + ', '.join(f'.{name} = {of.value()}' if name else of.value()
                                for name, of in self.members) + ' }'

    def say(self, when, path, c):
        lines = []
        for i, (name, of) in enumerate(self.members):
            plain = isinstance(of, (Int, Numbers, Address, Bits)) and not isinstance(of, Bool) and \
                getattr(of, 'base', ('',))[0] != 'bool'
            # What a bool is whose bits are another member's, C does not say.
            if self.word == 'union' and i and not plain:
                continue
            if name:
                lines += of.say(when, f'{path}.{name}', f'{c}.{name}')
            else:
                lines += of.say(when, path, c)
        return lines

    def numbers(self, path=''):
        """Members that can be compared and changed."""
        for name, of in self.members:
            if isinstance(of, Int) and not isinstance(of, Int128) and self.word != 'union':
                yield f'{path}.{name}' if path else name, of
            elif isinstance(of, Struct) and self.word != 'union':
                yield from of.numbers((f'{path}.{name}' if path else name) if name else path)

    def texts(self, path=''):
        for name, of in self.members:
            if isinstance(of, Text) and self.word != 'union':
                yield f'{path}.{name}' if path else name, of
            elif isinstance(of, Struct) and self.word != 'union':
                yield from of.texts((f'{path}.{name}' if path else name) if name else path)


class Pointed:
    """A pointer to a struct, in a struct: followed with --deep."""
    def __init__(self, to):
        self.to = to

    def declare(self, name):
        return f'{self.to.ctype} *{name}'

    def value(self):
        name = M.object()
        M.objects.append(f'static {self.to.ctype} {name} = {self.to.value()};')
        return f'&{name}'

    def say(self, when, path, c):
        return [f'say_address("{when}", "{path}", {c});',
                f'say_address("d1", "{path}.@", {c});'] + \
            self.to.say('d1', path, f'(*{c})') if when == 'e' else []


class Argument:
    """@before: what the caller does first; @c: what it passes; @entry, @change, @after: what the
    function says and does."""
    name = None
    keys = ()       # expressions: (text, how the module is asked for its value)
    texts = ()

    def __init__(self, index):
        self.name = f'a{index}'
        self.before, self.entry, self.change, self.after = [], [], [], []

    def declare(self):
        return self.type.declare(self.name)


class Scalar(Argument):
    def __init__(self, index):
        super().__init__(index)
        self.type = R.choice([scalar, scalar, scalar, scalar, Int128])()
        if not isinstance(self.type, Int128):
            self.name = f'n{index}'     # of any function, one number: a key of all that have it
        self.c = self.type.value()
        self.entry = self.type.say('e', self.name, self.name)
        if not isinstance(self.type, Int128):
            self.keys = [(self.name, self.type)]


class ByValue(Argument):
    def __init__(self, index):
        super().__init__(index)
        self.type = Struct(R.choice([1, 2, 3, 5]), 1)
        variable = M.new('v')
        self.before = [f'{self.type.ctype} {variable} = {self.type.value()};']
        self.c = variable
        self.entry = self.type.say('e', self.name, self.name)


class ToStruct(Argument):
    def __init__(self, index):
        super().__init__(index)
        self.const = R.random() < 0.4
        self.type = Struct(R.choice([2, 4, 8]), 2, links=True)
        variable = M.object()
        value = self.type.value()
        if self.type.flexible:
            value = value[:-1] + ', .flexible = { 1, 2, 3 } }'
            self.const = True
        M.objects.append(f'static {self.type.ctype} {variable} = {value};')
        if not self.const:
            backup = M.object()
            M.objects.append(f'static const {self.type.ctype} {backup} = {value};')
            self.before = [f'memcpy(&{variable}, &{backup}, sizeof({variable}));']
        self.c = f'&{variable}'
        self.entry = [f'say_address("e", "{self.name}.@", {self.name});'] + \
            self.type.say('e', self.name, f'(*{self.name})')
        numbers = list(self.type.numbers())
        if numbers and not self.const:
            path, of = R.choice(numbers)
            self.change = [of.change(f'{self.name}->{path}')]
            self.after = self.type.say('r', self.name, f'(*{self.name})')
        self.keys = [(f'{self.name}->{path}', of) for path, of in numbers]
        self.texts = [(f'{self.name}->{path}', of) for path, of in self.type.texts()]

    def declare(self):
        return f'{"const " if self.const else ""}{self.type.ctype} *{self.name}'


class ToNumber(Argument):
    def __init__(self, index):
        super().__init__(index)
        self.type = Int(R.choice([of for of in INTS if of[0] not in
                                  ('char', 'signed char', 'unsigned char')]))
        variable = M.object()
        M.objects.append(f'static {self.type.ctype} {variable};')
        self.before = [f'{variable} = {self.type.value()};']
        self.c = f'&{variable}'
        self.entry = [f'say_address("e", "{self.name}.@", {self.name});'] + \
            self.type.say('e', f'{self.name}.value', f'*{self.name}')
        if R.random() < 0.5:
            self.change = [self.type.change(f'*{self.name}')]
            self.after = self.type.say('r', self.name, f'*{self.name}')
        self.keys = [(f'*{self.name}', self.type)]

    def declare(self):
        return f'{self.type.ctype} *{self.name}'


class ToText(Argument):
    def __init__(self, index):
        super().__init__(index)
        self.name = f't{index}'
        data = printable(R.choice([0, 1, 7, 8, 20, 127, 128, 129, 200]))
        if R.random() < 0.15:
            data += bytes([R.randrange(0x80, 0x100)])
        variable = M.object()
        M.objects.append(f'static char {variable}[] = {c_bytes(data + bytes(1))};')
        self.const = R.choice(['const ', ''])
        self.c = R.choice([variable, variable, variable, 'NULL'])
        self.entry = [f'say_text("e", "{self.name}", {self.name}, ~0UL);']
        if self.c == variable and len(data) < 60 and max(data, default=0) < 0x80:
            self.text = data.decode()

    def declare(self):
        return f'{self.const}char *{self.name}'


class Hardware(Argument):
    def __init__(self, index):
        super().__init__(index)
        self.name = f'a{index}_hw'
        variable = M.object()
        data = R.choice([b'RT\0\xab\xcd\xef', bytes(6), R.randbytes(6)])
        M.objects.append(f'static unsigned char {variable}[] = {c_bytes(data)};')
        self.c = variable
        self.entry = [f'say_bytes("e", "{self.name}", "h", {self.name}, 6);']

    def declare(self):
        return f'const unsigned char *{self.name}'


class Behind(Argument):
    """A pointer behind a pointer, void *: addresses."""
    def __init__(self, index):
        super().__init__(index)
        variable = M.object()
        self.ctype = R.choice(['int **', 'void *', 'char **', 'void **'])
        M.objects.append(f'static void *{variable}[2];')
        self.c = f'(void *){R.choice([variable, variable, "NULL"])}'
        self.entry = [f'say_address("e", "{self.name}", {self.name});']

    def declare(self):
        return f'{self.ctype}{self.name}'


class User(Argument):
    """A pointer to a process's memory: resident, not resident, bad, odd."""
    def __init__(self, index):
        super().__init__(index)
        self.ctype = R.choice(['const char __user *', 'u32 __user *', 'char __user *'])
        self.c = R.choice(['user_there', 'user_there + 9', 'user_missing', '(void *)0x10',
                           '(void *)0x00800000deadbeef', '(void *)0x7ffffffffffe'])
        self.c = f'({self.ctype})({self.c})'
        there = 'user_there' in self.c
        if there and 'char' in self.ctype:
            self.entry = [f'say_user_text("e", "{self.name}", {self.name});']
        elif there:
            self.entry = [f'say_user_number("e", "{self.name}.value", {self.name});']
        else:
            self.entry = [f'say_unreadable("e", "{self.name}");']

    def declare(self):
        return f'{self.ctype}{self.name}'


class Function:
    def __init__(self, number):
        self.name = f'gf{SEED}_{number:03}'
        nr = R.choice([0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 9, 10, 11, 12])
        plain = R.random() < 0.3    # words alone take the quick way
        kinds = [Scalar] if plain else [Scalar] * 6 + [ByValue] * 2 + [ToStruct] * 3 + \
            [ToNumber] * 2 + [ToText] * 2 + [Hardware, Behind, User]
        self.args = [R.choice(kinds)(i) for i in range(nr)]
        self.make_return()

    def make_return(self):
        kind = R.choice(['void', 'number', 'number', 'number', 'struct', 'text', 'pointer'])
        self.say_return = []
        if kind == 'void':
            self.ret, self.result = 'void', ''
        elif kind == 'number':
            of = R.choice([scalar, scalar, scalar, Int128])()
            self.ret, self.result = of.ctype, f'return {of.value()};'
            value = M.new('x')
            self.result = f'{{ {of.ctype} {value} = {of.value()};\n\t' + \
                '\n\t'.join(of.say('v', 'ret', value)) + f'\n\treturn {value}; }}'
        elif kind == 'struct':
            of = Struct(R.choice([1, 2, 4]), 1)
            value = M.new('x')
            self.ret = of.ctype
            self.result = f'{{ {of.ctype} {value} = {of.value()};\n\t' + \
                '\n\t'.join(of.say('v', 'ret', value)) + f'\n\treturn {value}; }}'
        elif kind == 'text':
            data = printable(R.randrange(0, 40))
            value = M.object()
            M.objects.append(f'static char {value}[] = {c_bytes(data + bytes(1))};')
            self.ret = 'const char *'
            self.result = f'say_text("v", "ret", {value}, ~0UL); return {value};'
        else:
            of = Struct(4, 1)
            value = M.object()
            M.objects.append(f'static {of.ctype} {value} = {of.value()};')
            self.ret = f'{of.ctype} *'
            self.result = '\n\t'.join(of.say('v', 'ret', value)) + f'\n\treturn &{value};'

    def prototype(self):
        return f'{self.ret} {self.name}({", ".join(a.declare() for a in self.args) or "void"})'

    def text(self):
        lines = [f'{self.prototype()};', f'FUNCTION {self.prototype()}', '{',
                 f'\tsay_begin("{self.name}");']
        for arg in self.args:
            lines += [f'\t{line}' for line in arg.entry]
        for arg in self.args:
            lines += [f'\t{line}' for line in arg.change]
        for arg in self.args:
            lines += [f'\t{line}' for line in arg.after]
        lines += [f'\t{self.result}'] if self.result else []
        lines += ['}', f'static noinline void call_{self.name}(void)', '{']
        declared = [line for arg in self.args if isinstance(arg, ByValue) for line in arg.before]
        done = [line for arg in self.args if not isinstance(arg, ByValue) for line in arg.before]
        lines += [f'\t{line}' for line in declared + done]
        lines += [f'\t{self.name}({", ".join(arg.c for arg in self.args)});', '}', '']
        return '\n'.join(lines)


def spec_of(functions):
    spec = {'enums': M.names, 'functions': {}}
    for function in functions:
        keys = [{'text': text, 'path': text.replace('->', '.') if '*' not in text
                 else text[1:] + '.value', 'char': of.ctype == 'char'}
                for arg in function.args for text, of in arg.keys]
        texts = [{'text': text, 'path': text.replace('->', '.'), 'size': of.size}
                 for arg in function.args for text, of in arg.texts]
        spec['functions'][function.name] = {'keys': keys, 'texts': texts, 'ret': function.ret,
                                            'args': [arg.name for arg in function.args]}
    return spec


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    functions = [Function(i) for i in range(FUNCTIONS)]
    os.makedirs(OUT, exist_ok=True)
    with open(f'{here}/module_head.c.in', encoding='utf8') as file:
        head = file.read()
    with open(f'{OUT}/kcatch_generated_{SEED}.c', 'w', encoding='utf8') as file:
        file.write(head.replace('@SEED@', str(SEED)))
        file.write('\n'.join(M.types + M.structs + M.objects) + '\n\n')
        file.write('\n'.join(function.text() for function in functions))
        file.write('static void call_all(void)\n{\n' + ''.join(
            f'\tcall_{function.name}();\n' for function in functions) + '}\n')
    with open(f'{OUT}/Makefile', 'w', encoding='utf8') as file:
        file.write(f'obj-m := kcatch_generated_{SEED}.o\n')
    with open(f'{OUT}/spec.json', 'w', encoding='utf8') as file:
        json.dump(spec_of(functions), file)


main()
