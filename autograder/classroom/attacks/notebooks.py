"""What Python could try that got into a notebook's process: cells that reach for what lies around it.

In their texts, `FILE` stands for the path of a file of the course; `STREAM` and `DATAGRAM` for sockets of the same
user, and `OTHER` for the number of a process.
"""

from __future__ import annotations

from dataclasses import replace

from . import Attack, attacks

_REFUSED = "PermissionError"

#: Attempts on a file of the course.
FILE = attacks(
    {
        "read a file": "open(FILE).read()",
        "append to a file": "open(FILE, 'a')",
        "truncate a file": "import os\nos.truncate(FILE, 0)",
        "remove a file": "import os\nos.remove(FILE)",
        "rename a file": "import os\nos.rename(FILE, 'taken')",
        "link to a file": "import os\nos.link(FILE, 'taken')\nopen('taken').read()",
        "symlink to a file": "import os\nos.symlink(FILE, 'taken')\nopen('taken').read()",
        "read a file by a command": (
            "import subprocess\nsubprocess.run(['/bin/sh', '-c', 'exec cat ' + FILE], check=True, stderr=-3)"
        ),
        "list a folder": "import os\nos.listdir(os.path.dirname(FILE))",
        "make a file beside another": "import os\nopen(os.path.join(os.path.dirname(FILE), 'new'), 'w')",
        "open a database": "import sqlite3\nsqlite3.connect(FILE).execute('SELECT 1 FROM grade')",
        "change a mode": "import os\nos.chmod(FILE, 0o777)",
        "change a date": "import os\nos.utime(FILE, (0, 0))",
        "set an attribute": "import os\nos.setxattr(FILE, 'user.left', b'x')",
        "go to a folder": "import os\nos.chdir(os.path.dirname(FILE))\nopen('gradebook.db').read()",
        "walk back out of the own folder": "import os\nopen('../' * 30 + FILE.lstrip('/')).read()",
        "read a file through an open folder": (
            "import os\nplace = os.open(os.path.dirname(FILE), os.O_RDONLY)\nos.open('gradebook.db', 0, dir_fd=place)"
        ),
        "run a file": "import os\nos.execv(FILE, ['x'])",
        "map a file": "import mmap, os\nmmap.mmap(os.open(FILE, os.O_RDWR), 0)",
        "move the own folder's file over a file": "import os\nopen('x', 'w').close()\nos.replace('x', FILE)",
        "make a pipe beside a file": "import os\nos.mkfifo(FILE + '.pipe')",
        "make a folder beside a file": "import os\nos.mkdir(FILE + '.folder')",
    },
    *(_REFUSED, "CalledProcessError", "OSError", "OperationalError"),
)

_PLACES = ("/tmp", "/", "~", "/usr/lib", "/dev/shm", "/var/tmp", "/etc", "/run")
#: Places where nothing may be written. (A file without a name, so that nothing is left where there is no sandbox.)
WRITE = attacks(
    {
        f"write to {place}": f"import os\nos.open(os.path.expanduser({place!r}), os.O_WRONLY | os.O_TMPFILE)"
        for place in _PLACES
    },
    *(_REFUSED, "FileNotFoundError", "OSError"),
)

#: By its number on x86-64, with its arguments: what would reach another process, last beyond the notebook, or escape.
_CALLS: dict[str, tuple[int | str, ...]] = {
    **{"socket": (41, 1, 2, 0), "socketpair": (53, 1, 2, 0, "pair"), "bind": (49, 0, 0, 0), "sendto": (44, 0, 0, 0)},
    **{"io_uring": (425, 8, "pair"), "x32 socket": (0x40000000 | 41, 1, 2, 0), "userfaultfd": (323, 1)},
    **{"user namespace": (272, 0x10000000), "clone into one": (56, 0x10000011, 0, 0, 0, 0), "setns": (308, 0, 0)},
    **{"keyctl": (250, 0, -3, 0), "add_key": (248, "user", "a", "b", 1, -3), "request_key": (249, "user", "a", "b", 0)},
    **{"shared memory": (29, 4711, 4096, 0o1600), "messages": (68, 4711, 0o1600), "semaphores": (64, 4711, 1, 0o1600)},
    **{"POSIX messages": (240, "left", 0o102, 0o600, 0), "ptrace": (101, 16, 1, 0, 0), "pidfd": (434, 1, 0)},
    **{"others' memory": (310, 1, 0, 0, 0, 0, 0), "kcmp": (312, 1, 1, 0, 0, 0), "bpf": (321, 0, 0, 0)},
    **{"perf": (298, 0, 0, -1, -1, 0), "mount": (165, 0, "/tmp", "tmpfs", 0, 0), "chroot": (161, "/")},
    **{"session": (112,), "process group": (109, 0, 0), "priority": (141, 0, 0, 19), "scheduling": (144, 0, 0, "pair")},
    **{"affinity": (203, 0, 8, "pair"), "limits of others": (302, "parent", 7, 0, "pair"), "personality": (135, 0)},
    **{"file handles": (304, 0, "pair", 0), "chmod": (90, "own", 0o777), "fchmod": (91, 0, 0o777)},
    **{"chown": (92, "own", 0, 0), "attributes": (188, "own", "user.left", "b", 1, 0), "dates": (280, -100, "own", 0)},
    **{"links": (86, "own", "b"), "inotify": (254, "own", 2), "fanotify": (300, 0, 0), "quota": (179, 0, 0, 0, 0)},
    **{"modules": (175, 0, 0, ""), "signals about files": (72, 0, 8, 1), "typing for others": (16, 0, 0x5412, "b")},
    **{"landlock": (445, 0, 0, 0, 0), "seccomp": (317, 1, 8, 0), "swap": (167, "own", 0), "time": (227, 0, "pair")},
    **{"reboot": (169, 0, 0, 0, 0), "clock of another": (228, -7, "pair"), "resolution of it": (229, -7, "pair")},
    **{"cores of another": (204, "parent", 128, "pair"), "sleep by its clock": (230, -7, 0, "pair", 0)},
    **{"handle of a file": (303, -100, "own", "pair", "pair", 0), "name of the machine": (170, "b", 1)},
    **{
        "log of the kernel": (103, 3, "pair", 256),
        "ports": (172, 3),
        "accounting": (163, 0),
        "core of memory": (279, 0),
    },
    **{
        "pages of another": (256, "parent", 8, "pair", "pair"),
        "robust list of another": (274, "parent", "pair", "pair"),
    },
    **{"splice": (275, 0, 0, 1, 0, 1, 0), "tee": (276, 0, 1, 1, 0), "pages into a pipe": (278, 1, "pair", 1, 0)},
    **{"node": (133, "own", 0o10600, 0), "root": (155, "/", "/"), "real user": (117, 0, 0, 0), "groups": (116, 0, "b")},
}
_REQUEST = """
import ctypes, errno, os
open("own", "w").close()
parent = os.getppid() or 2  # 0, where the parent is in another namespace, would be this process itself
given = {{"pair": ctypes.create_string_buffer(256), "parent": parent, "own": b"own"}}
arguments = [given.get(a, a.encode() if isinstance(a, str) else a) for a in {arguments}]
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
print(errno.errorcode[ctypes.get_errno()])
"""
#: System calls that nobody needs, on x86-64.
CALLS = attacks(
    {f"system call: {name}": _REQUEST.format(arguments=arguments) for name, arguments in _CALLS.items()}, "EACCES"
)
#: Those that are too new to be on any list, so that libraries take what they took before.
NEW_CALLS = attacks(
    {f"system call {number}": _REQUEST.format(arguments=(number, 0, 0)) for number in (435, 462, 470)}, "ENOSYS"
)

# libffi, through which ctypes calls C, may hold its own file open, from which it maps code: 3.5 on Debian does.
_OPEN_FILES = """
import ctypes, os, stat
found = []
for number in range(256):
    try:
        found.append((number, os.fstat(number)))
    except OSError:
        pass
libraries = []
@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
def each(library, size, given):
    libraries.append(os.fsdecode(ctypes.c_char_p.from_address(library + 8).value))
    return 0
ctypes.CDLL(None).dl_iterate_phdr(each, None)
ffi = [os.stat(path) for path in libraries if os.path.basename(path).startswith("libffi")]
found = [(number, status) for number, status in found if not any(os.path.samestat(status, its) for its in ffi)]
sockets = sum(stat.S_ISSOCK(status.st_mode) for _, status in found)
starters = bool(os.environ.get("CUDA_VISIBLE_DEVICES"))  # by which it asks for a GPU's worker
null = os.stat("/dev/null").st_rdev
print([(number, status.st_rdev == null) for number, status in found][:3], len(found) - sockets, sockets - starters)
"""
_CHILD = """
import os, sys
child = os.fork()
if child == 0:
    try:
        {attempt}
        os._exit(0)
    except (PermissionError, ProcessLookupError):
        os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
#: Attempts on other processes and services, on the network, and on what one run could leave for the next.
OTHERS = (
    *attacks(
        {
            "a socket of the Internet": "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_STREAM)",
            "a socket of the newer Internet": "import socket\nsocket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
            "a socket of the kernel": "import socket\nsocket.socket(socket.AF_NETLINK, 3)",
            "a socket between machines": "import socket\nsocket.socket(40, socket.SOCK_STREAM)",
            "a service in the file system": "import socket\nsocket.socket(socket.AF_UNIX).connect(STREAM)",
            "a datagram to a service": (
                "import socket\nsocket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', DATAGRAM)"
            ),
            "a datagram by a pair of sockets": (
                "import socket\nsocket.socketpair(socket.AF_UNIX, 2)[0].sendto(b'x', DATAGRAM)"
            ),
            "the environment that the owner has": "open('/proc/self/environ').read()",
            "the numbers of processes": "import os\nos.listdir('/proc')",
            "a command line": "open('/proc/OTHER/cmdline').read()",
            "an environment": "open('/proc/OTHER/environ').read()",
            "a state": "open('/proc/OTHER/status').read()",
            "a memory": "open('/proc/OTHER/mem', 'rb')",
            "the folder of a process": "import os\nos.listdir('/proc/OTHER/cwd')",
            "the files of a process": "import os\nos.listdir('/proc/OTHER/fd')",
            "a signal to a process": "import os\nos.kill(OTHER, 9)",
            "a signal to everybody": "import os\nos.kill(-1, 0)\nos.kill(OTHER, 0)",
            "limits of a process": "import resource\nresource.prlimit(OTHER, resource.RLIMIT_NOFILE, (10, 10))",
            "a terminal": "open('/dev/tty')",
            "a new terminal": "import os\nos.openpty()",
            "a disk": "import glob\nopen((glob.glob('/dev/[vsx]d[a-z]') + ['/dev/loop-control'])[0], 'rb')",
            "the settings of the kernel": "open('/proc/sys/kernel/core_pattern', 'w')",
            "its own memory by a file": "open('/proc/self/mem', 'r+b')",
            "the processes' groups": "open('/sys/fs/cgroup/cgroup.procs', 'w')",
            "the name of a user": "open('/etc/passwd')",
            "the passwords": "open('/etc/shadow')",
            "a shell's history": "import os\nopen(os.path.expanduser('~/.bash_history'))",
            "a key": "import os\nopen(os.path.expanduser('~/.ssh/id_ed25519'))",
            "another user": "import os\nos.setuid(12345)",
            "a root of its own": "import os\nos.chroot('.')",
            "a lower priority for good": "import os\nos.nice(5)",
            "a device": "import os, stat\nos.mknod('device', stat.S_IFCHR | 0o600, os.makedev(1, 1))",
        },
        *(_REFUSED, "FileNotFoundError", "ProcessLookupError", "OSError"),
    ),
    *attacks({"a file without end": "open('x', 'wb').truncate(5 << 30)"}, "OSError"),
    *attacks({"names in the environment": "import os\nprint('AUTOGRADER_ATTACKED' in os.environ)"}, "False"),
    *attacks(
        {
            "a child that reads a file": _CHILD.format(attempt="open(FILE)"),
            "a child that kills": _CHILD.format(attempt="os.kill(OTHER, 9)"),
            "a child with a socket": _CHILD.format(attempt="import socket; socket.socket()"),
            "a child with a session": _CHILD.format(attempt="os.setsid()"),
        },
        "7",
    ),
)

#: First, before others have opened any.
OPEN_FILES = attacks({"files that others have open": _OPEN_FILES}, "[(0, True), (1, True), (2, True)] 5 0")
NOTEBOOKS: tuple[Attack, ...] = (*OPEN_FILES, *FILE, *WRITE, *CALLS, *NEW_CALLS, *OTHERS)

#: What CUDA needs of these, and so may be done in the sandbox of a GPU's worker: sockets of this machine, to which
#: nobody can connect, and what /proc tells a process of itself.
_OF_CUDA = (
    *("system call: socket", "system call: bind", "the environment that the owner has", "its own memory by a file"),
    *(attack.name for attack in OPEN_FILES),
)
GPU_WORKER = tuple(
    replace(attack, name=f"from a GPU's worker: {attack.name}") for attack in NOTEBOOKS if attack.name not in _OF_CUDA
)
