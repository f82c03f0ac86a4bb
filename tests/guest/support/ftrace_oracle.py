# SPDX-License-Identifier: GPL-2.0-or-later
"""What ftrace's kprobe events and kcatch recorded of the same calls.

usage: ftrace_oracle.py pick SEED NUMBER DIRECTORY   picks functions out of those that the work
                                    calls in a new DIRECTORY; prints their names for kcatch, and
                                    writes picked, and events, lines for dynamic_events
       ftrace_oracle.py work DIRECTORY     calls many functions, in a new directory
       ftrace_oracle.py compare TRACE PROFILE OUT TID...   TAP lines without numbers: TRACE is of
                                    these events, PROFILE kprobe_profile, OUT what kcatch printed;
                                    calls by the threads TID are not looked at

Both tracers are told to record nothing but raw words in one case, and values by type in the
other: compared is each argument and each return value, a call a time. What a thread calls comes
in an order, but for an interrupt between the two tracers' work; who calls in an interrupt is the
thread that it interrupted.

Which calls are compared: `work` makes two calls of MARK on each CPU, works, and makes two more
there. What a tracer saw on that CPU between the second and the third must be seen by the other
one between the first and the last. An interrupt may come between their work in one mark, but not
in both.

A kprobe misses a call in an interrupt of its own work, and counts it. As many calls may kcatch
have more. An event that is larger than a page, for there is a text of 4,000 bytes in it, is
dropped by ftrace, which counts none of these: a buffer before it is read into may hold as much.
"""
import collections
import ctypes
import json
import mmap
import os
import random
import re
import signal
import socket
import sys
import threading

import btf
import json_numbers
import oracle

TRACEFS = "/sys/kernel/tracing/"
REGISTERS = ("di", "si", "dx", "cx", "r8", "r9")
MARK, MARKS = "futex_wake", 0x6b740000      # the bits to wake
MOST = 500      # calls of one function that are worth the time

# The first that fits a function is its class. What takes arguments on the stack is one as well.
CLASSES = (
    ("ext4", r"(ext4|jbd2)_"),
    ("tcp", r"_*(tcp|inet|ip|sk|skb|sock|netif|dev|loopback)_"),
    ("sched", r"_*(sched|try_to_wake|ttwu|task|enqueue|dequeue|pick_|update_|set_next|put_prev|"
              r"wake|select_task|reweight|finish_|check_preempt|place_|activate|deactivate|"
              r"default_wake|autoremove|prepare_to|schedule|hrtimer|pull|switched)"),
    ("mm", r"_*(folio|page|vma|vm_|mm_|mas_|mt_|mmap|munmap|do_mmap|do_munmap|unmap|handle_mm|"
           r"filemap|shmem|swap|lru|zap|alloc_pages|get_page|mprotect|madvise|anon_vma|rmap|"
           r"mem_cgroup|vmalloc|vmap|kmem|kmalloc|k?vfree|slab|free_|do_anon|do_fault|wp_|pte)"),
    ("vfs", r"_*(vfs|do_sys|do_f|path|lookup|d_|dput|dget|dentry|inode|i[gp]et|i[gp]ut|file|fput|"
            r"fget|get_unused|name|link_|may_|generic|simple|pipe|splice|iomap|seq_|notify|mnt|"
            r"fsnotify|poll|ep_|select|touch|new_inode|evict|terminate|complete_walk|step_)"),
    ("others", r""),
)
# Their thread is another one at the return; calls of system calls are shown as their users make
# them; and the compiler has changed the arguments of those with a dot.
LEFT_OUT = re.compile(r"__switch_to|_*(x64|ia32|ia32_compat|se|do)_(compat_)?sys_[a-z0-9_]+$|.*\.")


# ---- which functions ------------------------------------------------------------------------

def is_network(types, number):
    """Is it in network byte order, by one of its names?"""
    while number:
        name, kind, _, other = types.head(number)
        if kind not in btf.NAMES_ONLY:
            return False
        if kind == btf.TYPEDEF and re.fullmatch(r"__be(16|32|64)", name):
            return True
        number = other
    return False


def shape(types, number):
    """What a value is: ["int", size, signed], ["network", size], ["bool"], ["enum", size, names],
    ["pointer"], ["function"], ["text"], ["void"]; None: not one to compare."""
    named, number = number, types.resolved(number)
    if not number:
        return ["void"]
    _, kind, _, size = types.head(number)
    if kind == btf.INT:
        size, signed, boolean = types.integer(number)
        if size > 8:
            return None
        if is_network(types, named):
            return ["network", size]
        return ["bool"] if boolean else ["int", size, signed]
    if kind in (btf.ENUM, btf.ENUM64):
        return ["enum", size, types.enumerators(number)]
    if kind != btf.PTR:
        return None
    pointed = types.pointed(number)
    _, kind, _, _ = types.head(pointed) if pointed else ("", 0, 0, 0)
    if kind == btf.FUNC_PROTO:
        return ["function"]
    if kind == btf.INT:
        size, signed, _ = types.integer(pointed)
        if size == 1 and signed:
            return ["text"]
    return ["pointer"]


def plan(types, prototype):
    """A function's arguments and what it returns, or None where they cannot all be told."""
    arguments, names = [], set()
    for text, number, register, word in types.sources(prototype):
        if types.struct_size(number):
            continue    # the others have their places all the same
        kind = shape(types, number)
        if not text or text in names or kind in (None, ["void"]):
            return None
        names.add(text)
        where = "%" + REGISTERS[register] if word is None else f"$stack{word + 1}"
        arguments.append([text, kind, where])
    returned = shape(types, types.parameters(prototype)[1])
    if returned is None or not arguments:
        return None
    return {"arguments": arguments, "returns": returned}


class Symbols:
    """The kernel's names for its code."""

    def __init__(self):
        with open("/proc/kallsyms", encoding="ascii") as file:
            self.text = file.read()

    def addresses(self, name):
        found, at = set(), self.text.find(f" {name}")
        while at >= 0:
            if self.text[at + 1 + len(name)] in "\t\n":
                found.add(self.text[at - 18:at - 2])
            at = self.text.find(f" {name}", at + 1)
        return found

    def unique(self, name):
        """Is it one function's, which has no other?"""
        found = self.addresses(name)
        return len(found) == 1 and self.text.count("\n" + found.pop()) == 1


def class_of(name):
    return next(title for title, pattern in CLASSES if re.match(pattern, name))


class Kernel:
    """The functions that ftrace reaches, and their types."""

    def __init__(self):
        with open(TRACEFS + "available_filter_functions", encoding="ascii") as file:
            lines = re.findall(r"^(\S+)(?: \[(\w+)\])?", file.read(), re.M)
        self.functions = {name: (number, module) for number, (name, module) in enumerate(lines, 1)}
        self.types = {"": btf.Types()}
        for module in {module for _, module in lines}:
            if module and os.path.exists(btf.BTF + module):
                self.types[module] = btf.Types(module, self.types[""])
        self.prototypes = {module: types.prototypes() for module, types in self.types.items()}

    def row(self, name):
        """The line in the list of functions, the module, its types, and the prototype."""
        line, module = self.functions[name]
        return line, module, self.types.get(module), self.prototypes.get(module, {}).get(name)

    def candidates(self, rng, number):
        """Names: of each class four times as many as are wanted of all, as not all are called,
        and all with arguments on the stack."""
        names, few, result = list(self.functions), collections.Counter(), [MARK]
        rng.shuffle(names)
        for name in names:
            _, _, types, prototype = self.row(name)
            if prototype is None or LEFT_OUT.match(name):
                continue
            if prototype not in types.many:
                title = class_of(name)
                few[title] += 1
                if few[title] > number * 4:
                    continue
            result.append(name)
        return result


def function_tracer(names, run):
    """How often each of these functions is called by run(), as the function tracer tells."""
    def write(file, text):
        with open(TRACEFS + file, "w", encoding="ascii") as opened:
            opened.write(text)

    write("set_ftrace_filter", " ".join(names) + "\n")
    write("current_tracer", "function")
    try:
        run()
        write("tracing_on", "0")
        with open(TRACEFS + "trace", encoding="utf8", errors="replace") as file:
            return collections.Counter(re.findall(r": (\w+) <-", file.read()))
    finally:
        write("current_tracer", "nop")
        write("tracing_on", "1")
        write("set_ftrace_filter", "")


def pick(seed, number, directory):
    rng, left, kernel = random.Random(int(seed)), int(number), Kernel()
    lines = [str(kernel.row(name)[0]) for name in kernel.candidates(rng, left)]
    calls = function_tracer(lines, lambda: in_child(directory))
    kallsyms, groups, rows = Symbols(), {}, {}
    for name in sorted(calls):
        _, module, types, prototype = kernel.row(name)
        row = plan(types, prototype) if calls[name] <= MOST and kallsyms.unique(name) else None
        if row:
            stacked = any(where[0] == "$" for _, _, where in row["arguments"])
            row["module"], row["group"] = module, "stack" if stacked else class_of(name)
            rows[name] = row
            if name != MARK:
                groups.setdefault(row["group"], []).append(name)
    # A sixth of each class; what one has not, the others share.
    order, picked = sorted(groups, key=lambda title: len(groups[title])), [MARK]
    for i, title in enumerate(order):
        share = min(len(groups[title]), left // (len(order) - i))
        left -= share
        picked += rng.sample(groups[title], share)
    with open("events", "w", encoding="ascii") as file:
        for number, name in enumerate(picked):
            row = rows[name]
            row["event"] = number
            place = f"{row['module']}:{name}" if row["module"] else name
            fetch = [f"+0({where}):string" if kind == ["text"] else f"{where}:x64"
                     for _, kind, where in row["arguments"]]
            fetch = " ".join(f"a{i}={text}" for i, text in enumerate(fetch))
            print(f"p:kt_oracle/e{number} {place} sp=$stack:x64 {fetch}", file=file)
            returned = " ret=$retval:x64" if row["returns"] != ["void"] else ""
            print(f"r256:kt_oracle/r{number} {place} sp=$stack:x64{returned}", file=file)
            print(name)
    with open("picked", "w", encoding="ascii") as file:
        json.dump({name: rows[name] for name in picked}, file)
    counts = " ".join(f"{title}:{len(groups[title])}" for title in groups)
    print(f"# called, of {len(lines)}: {len(calls)} ({counts})", file=sys.stderr)


# ---- the work -------------------------------------------------------------------------------

def mark(libc, step):
    """Says on each CPU how far the work is."""
    word = ctypes.c_int(0)
    for cpu in range(os.cpu_count()):
        os.sched_setaffinity(0, {cpu})
        for each in (step, step + 1):
            # FUTEX_WAKE_BITSET
            libc.syscall(202, ctypes.byref(word), 10, 1, None, None, ctypes.c_uint(MARKS + each))
    os.sched_setaffinity(0, range(os.cpu_count()))


def more_files():
    """Names, directories and attributes, pages of files, room on the disk."""
    os.makedirs("more/a/b")
    for i in range(4):
        with open(f"more/{i}", "wb") as file:
            file.write(bytes([i]) * 9000 * (i + 1))
    os.link("more/1", "more/a/link")
    os.symlink("../../1", "more/a/b/symlink")
    os.readlink("more/a/b/symlink")
    os.stat("more/a/b/symlink")
    os.setxattr("more/1", "user.kt", b"v" * 60)
    os.getxattr("more/1", "user.kt")
    os.listxattr("more/1")
    os.removexattr("more/1", "user.kt")
    os.listdir("more")
    os.utime("more/2", (1000, 2000))
    os.chown("more/2", 12, 34)
    os.truncate("more/3", 5000)
    fd = os.open("more/0", os.O_RDWR)
    os.pwrite(fd, b"far", 300000)
    os.lseek(fd, 0, os.SEEK_DATA)
    os.lseek(fd, 0, os.SEEK_HOLE)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.copy_file_range(fd, os.open("more/copy", os.O_RDWR | os.O_CREAT), 6000)
    os.statvfs("more")
    with mmap.mmap(fd, 8192) as view:
        view[100:110] = b"0123456789"
        view.flush()
    os.fsync(fd)
    os.close(fd)
    os.rename("more/a/link", "more/b")
    os.mkfifo("more/fifo")
    os.unlink("more/2")
    os.unlink("more/a/b/symlink")
    os.rmdir("more/a/b")
    os.sync()


def more_sockets():
    """A connection with more than a window, both ways, by threads; UDP, netlink."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        peer = server.accept()[0]
        got = 0
        while got < 200000:
            got += len(peer.recv(30000))
        peer.sendall(b"r" * 5000)
        peer.shutdown(socket.SHUT_WR)
        peer.close()

    thread = threading.Thread(target=serve)
    thread.start()
    one = socket.create_connection(server.getsockname())
    one.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 77)
    one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 100)
    one.sendall(b"s" * 200000)
    while one.recv(3000):
        pass
    one.close()
    thread.join()
    server.close()
    try:
        socket.create_connection(server_closed(), 5)
    except OSError:
        pass
    left, right = socket.socketpair()
    socket.send_fds(left, [b"m"], [0])
    socket.recv_fds(right, 9, 1)
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    udp.sendto(b"d" * 70, udp.getsockname())
    udp.recv(100)
    netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    # RTM_GETADDR, a dump
    netlink.send(b"\x14\0\0\0\x16\0\x01\x03\x01\0\0\0\0\0\0\0\0\0\0\0")
    netlink.recv(60000)


def server_closed():
    """An address at which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()


def more_memory(libc):
    view = mmap.mmap(-1, 1 << 20)
    for at in range(0, 1 << 20, 65536):
        view[at] = 7
    view.resize(1 << 19)
    view.madvise(mmap.MADV_DONTNEED, 0, 65536)
    view.close()
    libc.mlock(ctypes.c_char_p(b"l" * 9000), 9000)
    libc.munlockall()
    shared = os.memfd_create("kt shared", 0)
    os.ftruncate(shared, 1 << 18)
    with mmap.mmap(shared, 1 << 18) as view:
        for at in range(0, 1 << 18, 16384):
            view[at] = 9
    os.close(shared)
    segment = libc.shmget(0, 8192, 0o1600)
    libc.shmctl(segment, 0, None)


def more_processes():
    """Programs, threads that wait for each other, pipes, signals, timers."""
    end, start = os.pipe()
    child = os.posix_spawn("/bin/sh", ["sh", "-c", "echo one; (exit 3); /bin/true"], os.environ,
                           file_actions=[(os.POSIX_SPAWN_DUP2, start, 1)])
    os.waitpid(child, 0)
    os.read(end, 10)
    os.set_blocking(start, False)
    try:
        while os.write(start, b"f" * 8192):
            pass
    except BlockingIOError:
        pass
    out = os.open("/dev/null", os.O_WRONLY)
    os.splice(end, out, 20000)
    turn = [threading.Semaphore(0), threading.Semaphore(0)]

    def other():
        for _ in range(5):
            turn[0].acquire()
            turn[1].release()

    thread = threading.Thread(target=other)
    thread.start()
    for _ in range(5):
        turn[0].release()
        turn[1].acquire()
    thread.join()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    signal.sigwait([signal.SIGALRM])
    os.sched_yield()
    os.nice(1)
    os.setpriority(os.PRIO_PROCESS, 0, 7)
    os.sched_rr_get_interval(0)
    for path in ("/proc/self/maps", "/proc/self/status", "/proc/stat", "/proc/meminfo"):
        with open(path, "rb") as file:
            file.read()


def in_child(directory):
    """The work, by a process that does nothing else."""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        failed = 1
        try:
            work(directory)
            failed = 0
        finally:
            os._exit(failed)
    if os.waitpid(child, 0)[1]:
        raise RuntimeError("the work was not done")


def work(directory):
    os.mkdir(directory)
    os.chdir(directory)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    mark(libc, 1)
    oracle.files()
    more_files()
    oracle.sockets()
    more_sockets()
    oracle.waiting(libc)
    oracle.processes(libc)
    more_memory(libc)
    more_processes()
    mark(libc, 3)


# ---- the comparison -------------------------------------------------------------------------

class Call:
    """One call as one of the two saw it. `zone`: 2 between the inner marks, 1 between the outer."""
    __slots__ = ("cpu", "tid", "values", "ret", "zone", "back")

    def __init__(self, cpu, tid, values):
        self.cpu, self.tid, self.values = cpu, tid, values
        self.ret, self.zone, self.back = None, 0, False


def of_shape(kind, word):
    """A raw word as a value of that type."""
    word &= (1 << 64) - 1
    if kind[0] == "network":
        return int.from_bytes((word & (1 << 8 * kind[1]) - 1).to_bytes(kind[1], "little"), "big")
    if kind[0] == "bool":
        return word & 255
    if kind[0] in ("int", "enum"):
        bits = 8 * kind[1]
        word &= (1 << bits) - 1
        if kind[0] == "int" and kind[2] and word >> (bits - 1):
            word -= 1 << bits
    return word


def text_of(value):
    """A text as far as both tracers can be expected to say the same of it."""
    value = value[:100]
    return value if value.isascii() and value.isprintable() else None


def mine(kind, value, places):
    """kcatch's value as a number; a function as a set of numbers; a text that equals nothing where
    it is neither; None: there is nothing to compare."""
    if kind[0] == "text" and value != "lacks":
        return text_of(value) if isinstance(value, str) else None
    if isinstance(value, dict):
        value = value.get("@address", value.get("address"))
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and kind[0] == "enum" and value in kind[2]:
        value = kind[2][value]
        return of_shape(kind, value)
    if value is None:
        return "null"
    if isinstance(value, str) and value != "lacks":
        if kind[0] == "pointer":
            return None     # bytes that are shown as a text
        if kind[0] != "function":
            return value
        name = re.sub(r"^\w+:|[+ ].*", "", value)
        return places[name] or value
    return value


class Places(dict):
    """{name: the addresses of such functions}, looked up when one is asked for"""
    kallsyms = None

    def __missing__(self, name):
        self.kallsyms = self.kallsyms or Symbols()
        self[name] = frozenset(int(text, 16) for text in self.kallsyms.addresses(name))
        return self[name]


def marks(calls, rows):
    """{call: how far the work was}"""
    place = [name for name, _, _ in rows[MARK]["arguments"]].index("bitset")
    steps = {call: call.values[place] - MARKS for call in calls[MARK]}
    return {call: step for call, step in steps.items() if 1 <= step <= 4}


def zones(calls, steps):
    """Sets the zone of each call, in the order in which a CPU began them."""
    reached = collections.Counter()
    for call in calls:
        reached[call.cpu] = steps.get(call, reached[call.cpu])
        call.zone = {2: 2, 1: 1, 3: 1}.get(reached[call.cpu], 0)


HEAD = re.compile(r"^ *.{1,16}-(\d+) +\[(\d+)\] \S+ +[\d.]+: ([er])(\d+): \(.*?\) sp=0x(\w+) ?(.*)$",
                  re.S)
FIELD = re.compile(r'a(\d+)=(?:0x([0-9a-f]+)|"(.*?)"|\((?:fault|null)\))(?= a\d+=|$)', re.S)


def entries_of(path):
    """The entries of a trace; a text in one may have more than a line."""
    entry = ""
    with open(path, encoding="utf8", errors="replace", newline="\n") as file:
        for line in file:
            if line.startswith("#"):
                continue
            if re.match(r" *.{1,16}-\d+ +\[\d+\] \S+ +[\d.]+: ", line):
                if entry:
                    yield entry
                entry = ""
            entry += line
    yield entry


def read_ftrace(path, rows):
    """{function: [calls]}"""
    numbered = {row["event"]: (name, row) for name, row in rows.items()}
    calls, order, under_way = {name: [] for name in rows}, [], {}
    for entry in entries_of(path):
        found = HEAD.match(entry.rstrip("\n"))
        if not found:
            raise ValueError(f"not understood: {entry!r}")
        tid, cpu, sp = int(found[1]), int(found[2]), int(found[5], 16)
        name, row = numbered[int(found[4])]
        if found[3] == "e":
            values = [None] * len(row["arguments"])
            for number, word, text in FIELD.findall(found[6]):
                kind = row["arguments"][int(number)][1]
                values[int(number)] = of_shape(kind, int(word, 16)) if word else \
                    text_of(text) if kind == ["text"] else None
            call = Call(cpu, tid, values)
            calls[name].append(call)
            order.append(call)
            under_way[name, tid, sp] = call
            continue
        # The word at the entry's stack pointer was the return address.
        call = under_way.pop((name, tid, sp - 8), None)
        if not call:
            continue    # it began before
        call.back = True
        if row["returns"] != ["void"]:
            call.ret = of_shape(row["returns"], int(re.match(r"ret=0x(\w+)$", found[6])[1], 16))
    zones(order, marks(calls, rows))
    return calls


def read_kcatch(path, rows, places):
    """{function: [calls]}, and the summary"""
    calls, order, summary = {name: [] for name in rows}, [], None
    with open(path, encoding="utf8") as file:
        for line in file:
            record = json_numbers.loads(line)
            if "summary" in record:
                summary = record["summary"]
                continue
            name = record["function"]
            row = rows[name]
            values = [mine(kind, record["args"].get(text, "lacks"), places)
                      for text, kind, _ in row["arguments"]]
            call = Call(record["cpu"], record["tid"], values)
            call.back = "returned" not in record
            if call.back and row["returns"] != ["void"]:
                call.ret = mine(row["returns"] if row["returns"] != ["text"] else ["pointer"],
                                record.get("ret"), places)
                if isinstance(call.ret, int):
                    call.ret = call.ret if row["returns"][0] == "network" else \
                        of_shape(row["returns"], call.ret)
            calls[name].append(call)
            order.append((record["time_ns"], call))
    order.sort(key=lambda pair: pair[0])
    zones([call for _, call in order], marks(calls, rows))
    return calls, summary


def same(own, peer):
    if own is None or peer is None:
        return True
    return peer in own if isinstance(own, frozenset) else own == peer


def same_call(own, peer, ends_known):
    if ends_known and own.back != peer.back:
        return False
    return all(map(same, own.values, peer.values)) and \
        (not own.back or not peer.back or same(own.ret, peer.ret))


def pairs(own, peers):
    """Pairs calls of one thread. Returns the pairs, and what only one of the two saw."""
    result = []
    for ends_known in (True, False):
        alone = []
        for one in own:
            for number, other in enumerate(peers):
                if same_call(one, other, ends_known):
                    result.append((one, other))
                    del peers[number]
                    break
            else:
                alone.append(one)
        own = alone
    return result, [call for call in own if call.zone == 2], \
        [call for call in peers if call.zone == 2]


def shown(call, row):
    words = [f"{name}={hex(value) if isinstance(value, int) else value!r}"
             for (name, _, _), value in zip(row["arguments"], call.values)]
    ret = f" -> {hex(call.ret) if isinstance(call.ret, int) else call.ret!r}" if call.back else ""
    return f"tid {call.tid} cpu {call.cpu}: {' '.join(words)}{ret}"


def by_thread(calls, left_out):
    result = collections.defaultdict(list)
    for call in calls:
        if call.zone and call.tid not in left_out:
            # The idle threads have one number.
            result[call.tid, call.tid or call.cpu].append(call)
    return result


def may_be_too_large(call, row):
    """May a text among the arguments be so long that ftrace has dropped the event?"""
    return any(kind == ["text"] and value is None
               for (_, kind, _), value in zip(row["arguments"], call.values))


class Group:
    """What is compared of a class of functions."""

    def __init__(self):
        self.asked = self.functions = self.calls = self.returns = 0
        self.values = collections.Counter()     # by where an argument is: a register or the stack
        self.wrong = []

    def add(self, matched, row):
        self.functions += bool(matched)
        self.calls += len(matched)
        for own, peer in matched:
            self.returns += own.ret is not None and peer.ret is not None
            for (_, _, where), one, two in zip(row["arguments"], own.values, peer.values):
                self.values[where[0]] += one is not None and two is not None

    def show(self, title):
        few = self.functions < self.asked * 0.5
        good = not self.wrong and not few
        words = f"of which {self.values['$']} on the stack, " if self.values["$"] else ""
        print(f"{'ok' if good else 'not ok'} - {title}: {self.functions} functions of {self.asked}, "
              f"{self.calls} calls, {sum(self.values.values())} arguments, {words}"
              f"{self.returns} return values")
        if few:
            print("# of fewer than half of the functions both saw a call")
        for text in self.wrong[:40]:
            print("#", text[:400])


def differences(row, own, peers, own_missed, missed, missed_returns):
    """Compares the calls of a function. Returns the pairs, and what is wrong as texts."""
    matched, more, less, without, wrong = [], [], [], [], []
    for thread in own.keys() | peers.keys():
        last = peers[thread][-1:]
        found, one, two = pairs(own.get(thread, []), peers.get(thread, []))
        matched += found
        more += [call for call in one if not may_be_too_large(call, row)]
        less += two
        # Recording ends in ftrace first: what was under way then has returned to kcatch alone.
        without += [pair for pair in found
                    if pair[0].back and not pair[1].back and pair[1] not in last]
        wrong += [f"no return to kcatch: {shown(pair[0], row)}" for pair in found
                  if pair[1].back and not pair[0].back]
    if len(less) > own_missed:
        wrong += [f"ftrace alone: {shown(call, row)}" for call in less]
    if len(more) > missed:
        wrong += [f"kcatch alone: {shown(call, row)}" for call in more]
    if len(without) > missed_returns:
        wrong += [f"no return to ftrace: {shown(pair[0], row)}" for pair in without]
    return matched, wrong


def compare(trace, profile, out, *tids):
    with open("picked", encoding="ascii") as file:
        rows = json.load(file)
    left_out = set(map(int, tids))
    missed = collections.Counter()
    numbered = {row["event"]: name for name, row in rows.items()}
    with open(profile, encoding="ascii") as file:
        for event, count in re.findall(r"^ *([er]\d+) +\d+ +(\d+)$", file.read(), re.M):
            missed[event[0], numbered[int(event[1:])]] += int(count)
    peers = read_ftrace(trace, rows)
    calls, summary = read_kcatch(out, rows, Places())
    own_missed = {probe["function"]: probe["missed"] for probe in summary["per_probe"]}
    groups = collections.defaultdict(Group)
    for name, row in rows.items():
        if name == MARK:
            continue
        group = groups[row["group"]]
        group.asked += 1
        terms = own_missed[name], missed["e", name], missed["r", name]
        matched, wrong = differences(row, by_thread(calls[name], left_out),
                                     by_thread(peers[name], left_out), *terms)
        group.add(matched, row)
        if wrong:
            group.wrong += [f"{name} (missed by kcatch {terms[0]}, a kprobe {terms[1]}, "
                            f"a kretprobe {terms[2]}):"] + wrong[:8]
    for title in sorted(groups):
        groups[title].show(title)


if __name__ == "__main__":
    COMMANDS = {"pick": pick, "work": work, "compare": compare}
    COMMANDS[sys.argv[1]](*sys.argv[2:])
