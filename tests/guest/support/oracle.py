# SPDX-License-Identifier: GPL-2.0-or-later
"""What bpftrace and kcatch say of the same calls.

usage: oracle.py script          a bpftrace script for the functions of this kernel; writes rows
       oracle.py functions       their names, for kcatch
       oracle.py probes          how many hooks bpftrace needs for them
       oracle.py calls           make the calls, as the command kt_oracle
       oracle.py compare PEER MINE   TAP lines: one a function

A function's row: what to compare, each with where it is in kcatch's JSON and how bpftrace
writes it: 'd' signed, 'u' unsigned, 's' a string. Both look at the same calls at the same
time. bpftrace reads one CPU's buffer after the other's, so that the order in which it prints
calls says nothing when their process has moved: compared is what was seen, and how often.
"""
import ctypes
import json
import os
import re
import select
import signal
import socket
import sys

import btf
import json_numbers

COMM = "kt_oracle"
TRACEFS = "/sys/kernel/tracing/"

# function: (kind, kcatch's path, bpftrace's expression) ... What a kernel has not is left out.
FUNCTIONS = {
    # vfs: sizes, members of a struct file, a pointer to a number
    "vfs_read": [("u", "count", "args->count"), ("u", "file.f_flags", "args->file->f_flags"),
                 ("u", "file.f_mode", "args->file->f_mode"), ("u", "file.@", "args->file")],
    "vfs_write": [("u", "count", "args->count"), ("u", "file.f_flags", "args->file->f_flags"),
                  ("u", "file.f_inode", "args->file->f_inode")],
    "vfs_open": [("u", "path.mnt", "args->path->mnt"),
                 ("u", "path.dentry.@", "args->path->dentry")],
    "do_sys_openat2": [("d", "dfd", "args->dfd"), ("s", "filename", "str(uptr(args->filename))"),
                       ("u", "how.flags", "args->how->flags"),
                       ("u", "how.mode", "args->how->mode")],
    "do_filp_open": [("d", "dfd", "args->dfd"), ("s", "pathname.text", "str(args->pathname->name)"),
                     ("d", "op.open_flag", "args->op->open_flag"),
                     ("u", "op.mode", "args->op->mode"),
                     ("d", "op.acc_mode", "args->op->acc_mode")],
    # its name since 7.0
    "do_file_open": [("d", "dfd", "args->dfd"), ("s", "pathname.text", "str(args->pathname->name)"),
                     ("d", "op.open_flag", "args->op->open_flag"),
                     ("d", "op.acc_mode", "args->op->acc_mode")],
    "vfs_statx": [("d", "dfd", "args->dfd"), ("s", "filename.text", "str(args->filename->name)"),
                  ("d", "flags", "args->flags"), ("u", "request_mask", "args->request_mask")],
    "vfs_fsync_range": [("d", "start", "args->start"), ("d", "end", "args->end"),
                        ("d", "datasync", "args->datasync")],
    "vfs_fallocate": [("d", "mode", "args->mode"), ("d", "offset", "args->offset"),
                      ("d", "len", "args->len")],
    "notify_change": [("u", "attr.ia_valid", "args->attr->ia_valid"),
                      ("u", "attr.ia_mode", "args->attr->ia_mode")],
    "vfs_mkdir": [("u", "mode", "args->mode"), ("u", "dir.i_mode", "args->dir->i_mode"),
                  ("u", "dir.i_opflags", "args->dir->i_opflags")],
    "do_sendfile": [("d", "out_fd", "args->out_fd"), ("d", "in_fd", "args->in_fd"),
                    ("u", "count", "args->count"), ("d", "max", "args->max")],
    "shmem_file_setup": [("s", "name", "str(args->name)"), ("d", "size", "args->size"),
                         ("u", "flags", "args->flags")],
    "anon_inode_getfd": [("s", "name", "str(args->name)"), ("u", "fops.@", "args->fops"),
                         ("d", "flags", "args->flags")],
    # sockets: tcp, udp, unix; a struct by value; a state from a softirq
    "__sock_create": [("d", "family", "args->family"), ("d", "type", "args->type"),
                      ("d", "protocol", "args->protocol"), ("d", "kern", "args->kern")],
    "tcp_v4_connect": [("d", "addr_len", "args->addr_len"),
                       ("u", "uaddr.sa_family", "args->uaddr->sa_family")],
    "tcp_sendmsg": [("u", "size", "args->size"),
                    ("d", "msg.msg_namelen", "args->msg->msg_namelen")],
    "tcp_set_state": [("d", "state", "args->state")],
    "tcp_setsockopt": [("d", "level", "args->level"), ("d", "optname", "args->optname"),
                       ("u", "optlen", "args->optlen")],
    "unix_stream_connect": [("d", "addr_len", "args->addr_len"), ("d", "flags", "args->flags"),
                            ("d", "sock.type", "args->sock->type")],
    # pipe, futex, epoll: booleans, bits, seven arguments
    "pipe_write": [("u", "from.count", "args->from->count"),
                   ("u", "from.data_source", "args->from->data_source")],
    "do_futex": [("d", "op", "args->op"), ("u", "val", "args->val"), ("u", "val2", "args->val2"),
                 ("u", "val3", "args->val3")],
    "do_epoll_ctl": [("d", "epfd", "args->epfd"), ("d", "op", "args->op"), ("d", "fd", "args->fd"),
                     ("u", "epds.events", "args->epds->events"),
                     ("u", "nonblock", "args->nonblock")],
    "do_epoll_wait": [("d", "epfd", "args->epfd"), ("d", "maxevents", "args->maxevents")],
    # signals, processes, scheduling: enumerators, a task as text, arrays of bits
    "do_send_sig_info": [("d", "sig", "args->sig"), ("e", "type", "args->type"),
                         ("s", "p.text", "args->p->comm"), ("d", "info.si_signo", "args->info->si_signo")],
    "kernel_clone": [("u", "args.flags", "args->args->flags"),
                     ("d", "args.exit_signal", "args->args->exit_signal")],
    "wake_up_new_task": [("u", "p.__state", "args->p->__state"),
                         ("u", "p.ptrace", "args->p->ptrace")],
    "__sched_setscheduler": [("u", "attr.sched_policy", "args->attr->sched_policy"),
                             ("u", "user", "args->user"), ("u", "pi", "args->pi")],
    "sched_setaffinity": [("d", "pid", "args->pid"), ("u", "in_mask.bits.0", "args->in_mask->bits[0]")],
    # memory and time: eight arguments, a function pointer, an enumerator
    "do_mmap": [("u", "addr", "args->addr"), ("u", "len", "args->len"), ("u", "prot", "args->prot"),
                ("u", "flags", "args->flags"), ("u", "pgoff", "args->pgoff"), ("u", "populate", "args->populate")],
    "do_mprotect_pkey": [("u", "start", "args->start"), ("u", "len", "args->len"),
                         ("u", "prot", "args->prot"), ("d", "pkey", "args->pkey")],
    "hrtimer_start_range_ns": [("d", "tim", "args->tim"), ("u", "delta_ns", "args->delta_ns"),
                               ("e", "mode", "args->mode"),
                               ("s", "timer.function", "ksym(args->timer->function)")],
    "do_timerfd_settime": [("d", "ufd", "args->ufd"), ("d", "flags", "args->flags"),
                           ("d", "new.it_value.tv_sec", "args->new->it_value.tv_sec"),
                           ("d", "new.it_value.tv_nsec", "args->new->it_value.tv_nsec")],
}

# Of these the return value as well.
RETURNS = {"vfs_read", "do_sys_openat2", "tcp_sendmsg", "do_epoll_ctl"}

# Called while the command's name is set or changed back, too.
AT_ANY_TIME = {"hrtimer_start_range_ns"}

# bpftrace says numbers.
ENUMS = {
    "type": {0: "PIDTYPE_PID", 1: "PIDTYPE_TGID", 2: "PIDTYPE_PGID", 3: "PIDTYPE_SID"},
    "mode": {0: "HRTIMER_MODE_ABS", 1: "HRTIMER_MODE_REL", 2: "HRTIMER_MODE_PINNED",
             3: "HRTIMER_MODE_REL_PINNED", 4: "HRTIMER_MODE_SOFT", 8: "HRTIMER_MODE_HARD",
             10: "HRTIMER_MODE_ABS_PINNED_HARD", 9: "HRTIMER_MODE_REL_HARD"},
}


def cast(types, number):
    """How bpftrace is to see an argument: (struct file *), (int32) ..."""
    number = types.resolved(number)
    _, kind, _, size = types.head(number)
    if kind == btf.PTR:
        pointed, kind, _, _ = types.head(types.pointed(number))
        return f"(struct {pointed} *)" if kind == btf.STRUCT else ""
    if kind == btf.INT:
        return f"({'int' if types.integer(number)[1] else 'uint'}{size * 8})"
    return "(uint32)" if kind == btf.ENUM else ""


def arguments(types, prototype):
    """name: the argument as bpftrace writes it. A struct by value is no number."""
    return {name: f"({cast(types, number)}{f'sarg{word}' if register is None else f'arg{register}'})"
            for name, number, register, word in types.sources(prototype)
            if not types.struct_size(number)}


def there():
    """Rows whose function and arguments this kernel has, for bpftrace's kprobes."""
    with open(TRACEFS + "available_filter_functions", encoding="ascii") as file:
        hookable = {line.split()[0] for line in file}
    types, rows = btf.Types(), {}
    prototypes = types.prototypes()
    for name, fields in FUNCTIONS.items():
        if name not in hookable or name not in prototypes:
            continue
        texts = arguments(types, prototypes[name])
        kept = []
        for kind, path, text in fields:
            used = re.search(r"args->(\w+)", text)
            if used and used[1] in texts:
                kept.append((kind, path, text.replace(used[0], texts[used[1]], 1)))
        if kept:
            rows[name] = kept
    return rows


def script():
    rows = there()
    print('BEGIN { printf("B\\n"); }')
    with open("rows", "w", encoding="ascii") as file:
        json.dump(rows, file)
    for name, fields in rows.items():
        form = " ".join({"d": "%ld", "u": "%lu", "e": "%d", "s": "{{%s}}"}[f[0]] for f in fields)
        casts = {"d": "(int64)", "u": "(uint64)"}
        print(f'kprobe:{name} /comm == "{COMM}"/ {{ printf("E {name} {form}\\n", '
              + ", ".join(casts.get(f[0], "") + f[2] for f in fields) + "); }")
        if name in RETURNS:
            print(f'kretprobe:{name} /comm == "{COMM}"/ {{ printf("R {name} %ld\\n", retval); }}')


def probes():
    """How many places bpftrace is to hook."""
    print(sum(1 + (name in RETURNS) for name in known()))


def known():
    with open("rows", encoding="ascii") as file:
        return json.load(file)


# ---- the calls ----------------------------------------------------------------------------

def named(name):
    with open("/proc/self/comm", "w", encoding="ascii") as file:
        file.write(name)


def files():
    os.mkdir("dir", 0o750)
    fd = os.open("dir/one", os.O_RDWR | os.O_CREAT, 0o640)
    os.write(fd, b"x" * 1234)
    os.lseek(fd, 100, os.SEEK_SET)
    os.read(fd, 77)
    os.fsync(fd)
    os.fdatasync(fd)
    os.posix_fallocate(fd, 4096, 8192)
    os.ftruncate(fd, 55)
    os.fchmod(fd, 0o600)
    os.rename("dir/one", "dir/two")
    os.stat("dir/two")
    for missing in ("dir/none", "/no/such"):
        try:
            os.open(missing, os.O_RDONLY)
        except OSError:
            pass
    os.access("dir/two", os.W_OK)
    out = os.open("dir/three", os.O_WRONLY | os.O_CREAT, 0o666)
    os.sendfile(out, fd, 0, 50)
    os.memfd_create("kt name", 0)


def sockets():
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", 0))
    server.listen()
    one = socket.create_connection(server.getsockname())
    two = server.accept()[0]
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    one.sendall(b"y" * 333)
    two.recv(200)
    two.recv(200, socket.MSG_DONTWAIT)
    one.close()
    two.close()
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.sendto(b"z" * 99, ("127.0.0.1", 9))
    listen = socket.socket(socket.AF_UNIX)
    listen.bind("dir/socket")
    listen.listen()
    client = socket.socket(socket.AF_UNIX)
    client.connect("dir/socket")
    client.sendall(b"u" * 44)


def waiting(libc):
    end, start = os.pipe()
    os.write(start, b"p" * 21)
    word = ctypes.c_int(5)
    # FUTEX_WAKE_BITSET with an address, and seven arguments in all; FUTEX_WAIT: EAGAIN
    libc.syscall(202, ctypes.byref(word), 10, 3, None, ctypes.byref(word), ctypes.c_uint(0x1234567))
    libc.syscall(202, ctypes.byref(word), 0, 4, None, None, ctypes.c_uint(0x7654321))
    poll = select.epoll()
    poll.register(end, select.EPOLLIN | select.EPOLLET)
    poll.poll(0, 7)
    poll.modify(end, select.EPOLLPRI)
    poll.unregister(end)
    libc.eventfd(9, os.O_NONBLOCK)
    timer = libc.timerfd_create(1, 0)
    value = (ctypes.c_long * 4)(0, 0, 1000, 123456)
    libc.timerfd_settime(timer, 0, value, None)
    select.select([], [], [], 0.001)


def processes(libc):
    signal.signal(signal.SIGUSR1, lambda *_: None)
    os.kill(os.getpid(), signal.SIGUSR1)
    child = os.fork()
    if not child:
        os._exit(3)
    os.waitpid(child, 0)
    os.setpriority(os.PRIO_PROCESS, 0, 5)
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    os.sched_setaffinity(0, {0})
    values = (ctypes.c_ulong * 2)(1000, 2000)
    libc.setrlimit(7, values)
    page = libc.mmap(None, ctypes.c_size_t(3 * 4096), 3, 0x22, -1, ctypes.c_long(0))
    libc.mprotect(ctypes.c_void_p(page), ctypes.c_size_t(4096), 1)
    libc.madvise(ctypes.c_void_p(page), ctypes.c_size_t(8192), 4)


def calls():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    named(COMM)
    files()
    sockets()
    waiting(libc)
    processes(libc)
    # On each CPU something to be recognized: who has printed it has printed all before it.
    for cpu in range(os.cpu_count()):
        os.sched_setaffinity(0, {cpu})
        try:
            os.open(f"end_of_{cpu}", os.O_RDONLY)
        except OSError:
            pass
    named("python3")


# ---- the comparison -----------------------------------------------------------------------

def lookup(args, path):
    """The value at kcatch's path. '@': the pointer itself; '#': its symbol."""
    value = args
    for word in path.split("."):
        if word == "@":
            return value["address"] if isinstance(value, dict) else value
        if word == "#":
            continue
        if isinstance(value, dict) and word not in value and set(value) & {"value"}:
            value = value["value"]
        if value == 0:
            return None     # a null pointer has no members
        value = value[int(word)] if isinstance(value, list) else value[word]
    if isinstance(value, dict) and "address" in value:
        return value["address"]
    return value


def mine(record, field):
    kind, path, _ = field
    value = lookup(record["args"], path)
    if path == "p.text":
        return value.rsplit("(", 1)[0]
    if kind in "du" and value is not None:
        value = int(value)
        return value & (1 << 64) - 1 if kind == "u" else value
    return value


def peers(words, fields):
    values = re.findall(r"{{(.*?)}}|(\S+)", words)
    result = []
    for (text, number), field in zip(values, fields):
        if field[0] == "s":
            result.append(re.sub(r"\+0$", "", text))
        elif field[0] == "e":
            result.append(ENUMS[field[1]].get(int(number), int(number)))
        else:
            result.append(int(number))
    return result


def read_peer(path):
    entries, returns = {}, {}
    for line in open(path, encoding="utf8", errors="replace"):
        words = line.rstrip("\n").split(" ", 2)
        if words[0] == "E":
            entries.setdefault(words[1], []).append(words[2])
        elif words[0] == "R":
            returns.setdefault(words[1], []).append(int(words[2]))
    return entries, returns


def same_return(got, peer):
    if got is None:
        return True     # void
    if isinstance(got, bool):
        return bool(peer & 255) == got
    # bpftrace widens what is narrower than a register as it finds it
    return got == peer or (got - peer) % (1 << 32) == 0


def same_arguments(got, peer):
    # Of a null pointer kcatch shows no members; bpftrace prints 0, and no symbol.
    return all(one == other or (not one and not other) for one, other in zip(got, peer))


def unmatched(got, expected, same):
    """What is in one of the two only, as lists; each thing matches one other."""
    left, alone = list(expected), []
    for one in got:
        for number, other in enumerate(left):
            if same(one, other):
                del left[number]
                break
        else:
            alone.append(one)
    return alone, left


def compare_function(name, fields, records, entries, returns):
    """What kcatch and bpftrace saw differently, as texts."""
    wrong = []
    got = [[mine(record, field) for field in fields] for record in records]
    parts = [("calls", got, [peers(entry, fields) for entry in entries], same_arguments)]
    if name in RETURNS:
        parts.append(("returned", [record.get("ret") for record in records], returns, same_return))
    for what, one, other, same in parts:
        own, theirs = unmatched(one, other, same)
        if name in AT_ANY_TIME and (not own or not theirs) and len(one) > len(own):
            continue    # one of them saw more: interrupts called it as the name was being set
        wrong += [f"{what}: kcatch alone: {values!r}" for values in own]
        wrong += [f"{what}: bpftrace alone: {values!r}" for values in theirs]
    if wrong:
        wrong.insert(0, "of each: " + ", ".join(field[1] for field in fields))
    return wrong


def compare(peer, own):
    entries, returns = read_peer(peer)
    records, count, compared = {}, 0, 0
    for line in open(own, encoding="utf8"):
        record = json_numbers.loads(line)
        if "function" in record:
            records.setdefault(record["function"], []).append(record)
    for name, fields in known().items():
        if not entries.get(name) and not records.get(name):
            print(f"# {name}: neither saw a call of it")
            continue
        count += 1
        wrong = compare_function(name, fields, records.get(name, []), entries.get(name, []),
                                 returns.get(name, []))
        print(f"{'not ok' if wrong else 'ok'} {count} - {name}: calls as bpftrace saw them"
              f" ({len(entries.get(name, []))})")
        for text in wrong[:9]:
            print("#", text)
        compared += 1
    count += 1
    print(f"{'ok' if compared >= 30 else 'not ok'} {count} - 30 functions were compared at least ({compared})")
    print(f"1..{count}")


if __name__ == "__main__":
    COMMANDS = {"script": script, "probes": probes, "calls": calls, "compare": compare,
                "functions": lambda: print(*known(), sep="\n")}
    COMMANDS[sys.argv[1]](*sys.argv[2:])
