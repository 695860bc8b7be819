"""What Python that broke into a notebook's process could try against others, each once seen to work: nothing of it
does."""

from __future__ import annotations

import os
import platform
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from test_sandbox import ended

from autograder.errors import GraderFault
from autograder.grading.execution import sandbox
from autograder.grading.execution.fork_server import ForkServer
from autograder.grading.execution.task import Task

pytestmark = pytest.mark.skipif(bool(sandbox.missing()), reason="no Landlock or no seccomp")

SECRET = "correct-horse-battery"


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADEBOOK_PASSWORD", SECRET)
        with closing(ForkServer()) as server:
            yield server


#: By its number on x86-64, with its arguments: what would reach another process, last beyond the notebook, or escape.
CALLS = {
    **{"socket": (41, 1, 2, 0), "socketpair": (53, 1, 2, 0, "pair"), "bind": (49, 0, 0, 0), "sendto": (44, 0, 0, 0)},
    **{"io_uring": (425, 8, "pair"), "x32 socket": (0x40000000 | 41, 1, 2, 0), "userfaultfd": (323, 1)},
    **{"user namespace": (272, 0x10000000), "clone into one": (56, 0x10000011, 0, 0, 0, 0), "setns": (308, 0, 0)},
    **{"keyctl": (250, 0, -3, 0), "add_key": (248, "user", "a", "b", 1, -3), "request_key": (249, "user", "a", "b", 0)},
    **{"shared memory": (29, 4711, 4096, 0o1600), "messages": (68, 4711, 0o1600), "semaphores": (64, 4711, 1, 0o1600)},
    **{"POSIX messages": (240, "left", 0o102, 0o600, 0), "ptrace": (101, 16, 1, 0, 0), "pidfd": (434, 1, 0)},
    **{"others' memory": (310, 1, 0, 0, 0, 0, 0), "kcmp": (312, 1, 1, 0, 0, 0), "bpf": (321, 0, 0, 0)},
    **{"perf": (298, 0, 0, -1, -1, 0), "mount": (165, 0, "/tmp", "tmpfs", 0, 0), "chroot": (161, "/")},
    **{"session": (112,), "process group": (109, 0, 0), "priority": (141, 0, 0, 5), "scheduling": (144, 0, 0, "pair")},
    **{"affinity": (203, 0, 8, "pair"), "limits of others": (302, "parent", 7, 0, "pair"), "personality": (135, 0)},
    **{
        "file handles": (304, 0, "pair", 0),
        "chmod": (90, "own", 0o777),
        "fchmod": (91, 0, 0o777),
        "chown": (92, "own", 0, 0),
    },
    **{
        "attributes": (188, "own", "user.left", "b", 1, 0),
        "dates": (280, -100, "own", 0, 0),
        "links": (86, "own", "b"),
    },
    **{"inotify": (254, "own", 2), "fanotify": (300, 0, 0), "quota": (179, 0, 0, 0, 0), "modules": (175, 0, 0, "")},
    **{"signals about files": (72, 0, 8, 1), "typing for others": (16, 0, 0x5412, "b"), "landlock": (445, 0, 0, 0, 0)},
    **{"seccomp": (317, 1, 8, 0), "swap": (167, "own", 0), "time": (227, 0, "pair"), "reboot": (169, 0, 0, 0, 0)},
}
ASK = """
import ctypes, errno, os
open("own", "w").close()
given = {{"pair": ctypes.create_string_buffer(256), "parent": os.getppid(), "own": b"own"}}
arguments = [given.get(a, a.encode() if isinstance(a, str) else a) for a in {arguments}]
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
print(errno.errorcode[ctypes.get_errno()])
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of x86-64")
@pytest.mark.parametrize("name", CALLS)
def test_what_nobody_needs_is_refused(server: ForkServer, name: str) -> None:
    assert ended(server, ASK.format(arguments=CALLS[name])) == "EACCES"


def test_what_is_too_new_is_unknown(server: ForkServer) -> None:
    """So that libraries take what they took before."""
    for number in (435, 470):
        assert ended(server, ASK.format(arguments=(number, 0, 0))) == "ENOSYS"


def test_no_datagram_leaves(server: ForkServer, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as service:
        service.bind(str(tmp_path / "service"))
        service.setblocking(False)
        for make in ("socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)", "socket.socketpair(socket.AF_UNIX, 2)[0]"):
            cell = f"import socket\n{make}.sendto(b'x', {str(tmp_path / 'service')!r})"
            assert ended(server, cell) == "PermissionError"
        with pytest.raises(BlockingIOError):
            service.recv(1)


def test_the_owners_environment_stays_outside(server: ForkServer) -> None:
    assert ended(server, f"import os\nprint({SECRET!r} in str(os.environ), 'PATH' in os.environ)") == "False True"
    assert ended(server, "open('/proc/self/environ').read()") == "PermissionError"


@pytest.mark.parametrize("name", ["cmdline", "environ", "status", "maps", "fd"])
def test_other_processes_are_not_seen(server: ForkServer, name: str) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time\ntime.sleep(60)", f"--db={SECRET}"]) as other:
        try:
            cell = f"import os\npath = '/proc/{other.pid}/{name}'\n(os.listdir if os.path.isdir(path) else open)(path)"
            assert ended(server, cell) == "PermissionError"
            assert ended(server, "import os\nos.listdir('/proc')") == "PermissionError"
            assert ended(server, f"import os\nos.kill({other.pid}, 9)") == "PermissionError"
            assert other.poll() is None
        finally:
            other.kill()


def test_nobody_elses_limits_are_set(server: ForkServer) -> None:
    before = resource.prlimit(server._process.pid, resource.RLIMIT_NOFILE)
    cell = "import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (10, 10))"
    assert ended(server, cell) == "PermissionError"
    assert resource.prlimit(server._process.pid, resource.RLIMIT_NOFILE) == before


def test_files_that_are_only_read_keep_mode_and_date(server: ForkServer, tmp_path: Path) -> None:
    path = tmp_path / "gradebook.db"
    path.touch(0o600)
    before = path.stat()
    for attempt in ("os.chmod({!r}, 0o777)", "os.utime({!r}, (0, 0))", "os.setxattr({!r}, 'user.left', b'x')"):
        assert ended(server, f"import os\n{attempt.format(str(path))}") == "PermissionError"
    assert (path.stat().st_mode, path.stat().st_mtime) == (before.st_mode, before.st_mtime)


OPEN_FILES = """
import os
found = []
for number in range(256):
    try:
        found.append((number, os.fstat(number).st_rdev == os.stat("/dev/null").st_rdev))
    except OSError:
        pass
print(found[:3], len(found))
"""


def test_no_file_that_others_have_open_too_is_inherited(server: ForkServer) -> None:
    assert ended(server, OPEN_FILES) == "[(0, True), (1, True), (2, True)] 5"  # its task, and its outputs


def left(mark: str) -> list[psutil.Process]:
    return [p for p in psutil.process_iter(["cmdline"]) if mark in (p.info["cmdline"] or [])]


DAEMON = """
import os, subprocess
for leave in (lambda: os.setsid(), lambda: os.setpgid(0, 0), lambda: None):
    if os.fork() == 0:
        try:
            leave()
        except OSError:
            pass
        if os.fork() == 0:
            for number in range(256):
                try:
                    os.close(number)
                except OSError:
                    pass
            os.execv("/bin/sleep", ["sleep", "{seconds}"])
        os._exit(0)
print("started")
"""


def test_no_process_outlives_a_notebook(server: ForkServer) -> None:
    mark = "87.125"
    assert ended(server, DAEMON.format(seconds=mark)) == "started"
    assert psutil.wait_procs(left(mark), timeout=5)[1] == []


def test_no_process_outlives_the_server() -> None:
    mark = "86.125"
    cell = DAEMON.format(seconds=mark) + "\nimport time\ntime.sleep(60)"
    with closing(ForkServer()) as other:
        running = threading.Thread(target=lambda: other.run(Task("test", (cell,), 80)))
        running.start()
        while len(started := left(mark)) < 3:
            assert running.is_alive()
            time.sleep(0.05)
        other._process.kill()
        running.join()
    assert psutil.wait_procs(started, timeout=5)[1] == []


def test_processes_are_counted(server: ForkServer) -> None:
    cell = """
import os, time
for _ in range(400):
    if os.fork() == 0:
        time.sleep(60)
time.sleep(60)
"""
    result = server.run(Task("test", (cell,), 50))
    assert result.broken == "it took more than 200 processes"
    assert ended(server, "print('on')") == "on"


def test_what_a_notebook_leaves_behind_is_removed_however_deep(server: ForkServer) -> None:
    cell = "import os\nfor _ in range(1500):\n    os.mkdir('d')\n    os.chdir('d')\nprint('deep')"
    assert ended(server, cell) == "deep"
    top = Path(server._folder.name)
    deadline = time.monotonic() + 60
    while left_over := [path.name for path in top.iterdir() if path.name.startswith("tmp")]:
        assert time.monotonic() < deadline, left_over
        time.sleep(0.05)


def test_no_file_is_endless(server: ForkServer) -> None:
    assert ended(server, "open('x', 'wb').truncate(5 << 30)") == "OSError"


def test_without_the_walls_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_landlock_version", lambda: -1)
    with pytest.raises(GraderFault, match=r"open are files: use Linux 5\.13 .* or set AUTOGRADER_TRUST_KERNELS=1 if"):
        ForkServer()
    monkeypatch.setenv("AUTOGRADER_TRUST_KERNELS", "1")
    with closing(ForkServer()) as trusting:
        assert ended(trusting, f"print({os.getpid()} > 0)") == "True"
