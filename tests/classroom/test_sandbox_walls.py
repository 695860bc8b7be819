"""What Python that broke into a notebook's process could try against others, each once seen to work: nothing of it
does."""

from __future__ import annotations

import os
import resource
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from test_limits import look_at_child
from test_sandbox import ended

from autograder.classroom.attacks import kernel
from autograder.classroom.execution import namespaces, sandbox
from autograder.classroom.execution.fork_server import ForkServer
from autograder.classroom.execution.task import Task
from autograder.cuda.backends import emulator
from autograder.cuda.compiler import zig
from autograder.cuda.errors import GraderFault

pytestmark = pytest.mark.skipif(bool(sandbox.missing()), reason="no Landlock or no seccomp")

SECRET = "correct-horse-battery"


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADEBOOK_PASSWORD", SECRET)
        with closing(ForkServer()) as server:
            yield server


def test_the_owners_environment_stays_outside(server: ForkServer) -> None:
    assert ended(server, f"import os\nprint({SECRET!r} in str(os.environ), 'PATH' in os.environ)") == "False True"
    assert ended(server, "open('/proc/self/environ').read()") == "PermissionError"


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
    assert psutil.wait_procs(left(mark), timeout=60)[1] == []


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
    assert psutil.wait_procs(started, timeout=60)[1] == []


@pytest.mark.skipif(not namespaces.flags(), reason="this user can make no namespaces here")
def test_a_notebook_has_namespaces_of_its_own(server: ForkServer) -> None:
    def of(process: int) -> dict[str, str]:
        kinds = ("net", "ipc", "pid") if "processes" in namespaces.summary() else ("net", "ipc")
        return {kind: os.readlink(f"/proc/{process}/ns/{kind}") for kind in kinds}

    waits = threading.Thread(target=server.run, args=(Task("waits", ("import time\ntime.sleep(60)",), 90),))
    waits.start()
    try:
        while not (forks := psutil.Process(server._process.pid).children()):
            time.sleep(0.01)
        while set(of(forks[0].pid).values()) & set(of(os.getpid()).values()):
            assert waits.is_alive()
            time.sleep(0.01)
    finally:
        server_forks = psutil.Process(server._process.pid).children()
        for fork in server_forks:
            fork.kill()
        waits.join()


@pytest.mark.skipif("processes" not in namespaces.summary(), reason="this user can make no namespace of processes here")
def test_a_notebook_sees_no_process_but_its_own(server: ForkServer) -> None:
    assert ended(server, "import os\nprint(os.getpid(), os.getppid())") == "1 0"
    assert ended(server, f"import os\nos.kill({os.getpid()}, 0)") == "ProcessLookupError"


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
    cell = "import os\nfor _ in range(1500):\n    os.mkdir('d')\n    os.chdir('d')"
    server.run(Task("test", (cell,), 20))  # on a busy machine, it is ended for this many folders
    top = Path(server._folder.name)
    deadline = time.monotonic() + 60
    while left_over := [path.name for path in top.iterdir() if path.name.startswith("tmp")]:
        assert time.monotonic() < deadline, left_over
        time.sleep(0.05)


@pytest.mark.skipif(zig.problem() is not None, reason="no emulator")
def test_a_launch_has_its_limits_in_a_notebook_too(server: ForkServer) -> None:
    """Where /proc does not say how much address space is in use."""
    body = "for (int i = 0; i < 9000000; i++) out[threadIdx.x]++;"
    cell = "import numpy as np\nfrom autograder import Kernel\n"
    cell += f"Kernel({kernel(body)!r}, 'k').emulate(1, 1, [np.zeros(64, np.float32)])"
    running = threading.Thread(target=lambda: server.run(Task("test", (cell,), 60)))
    running.start()
    limits, _ = look_at_child()
    running.join()
    assert emulator.MEMORY < limits[resource.RLIMIT_AS][1] < 24 << 30


def test_without_the_walls_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_landlock_version", lambda: -1)
    with pytest.raises(GraderFault, match=r"open are files: use Linux 5\.13 .* or set AUTOGRADER_TRUST_KERNELS=1 if"):
        ForkServer()
    monkeypatch.setenv("AUTOGRADER_TRUST_KERNELS", "1")
    with closing(ForkServer()) as trusting:
        assert ended(trusting, f"print({os.getpid()} > 0)") == "True"
