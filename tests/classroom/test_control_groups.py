"""A notebook's control group: found where one may be made, and its limits hold without anybody looking."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import inputs
import pytest
from test_sandbox import ended

from autograder.classroom.execution import control_groups, fork_server
from autograder.classroom.execution.fork_server import ForkServer
from autograder.classroom.execution.task import Task
from autograder.classroom.execution.usage import Limits

pytestmark = inputs.grading
needs_one = pytest.mark.skipif(control_groups.parent() is None, reason="no control group may be made here")


def groups() -> list[Path]:
    around = control_groups.parent()
    assert around is not None
    return list(around.glob("autograder-*"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ForkServer]:
    """One whose client looks at nothing."""
    monkeypatch.setattr(fork_server, "exceeded", lambda *_: "")
    with closing(ForkServer(Limits(memory=1 << 30, processes=50))) as server:
        yield server
        deadline = time.monotonic() + 20
        while groups() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert groups() == []
        server.run(Task("test", ("",), 20))
    assert groups() == []


@needs_one
def test_memory_is_bounded(server: ForkServer) -> None:
    taken = server.run(Task("test", ("kept = bytearray(100 << 20)\nprint('taken')", "more = bytearray(3 << 30)"), 60))
    assert taken.cells[0] and taken.cells[0][0]["text"] == "taken\n"
    assert (len(taken.cells), taken.broken) == (1, "its process ended, perhaps for lack of memory")
    assert ended(server, "print('on')") == "on"


@needs_one
def test_memory_of_all_its_processes_counts(server: ForkServer) -> None:
    cell = """
import os, time
for _ in range(20):
    if os.fork() == 0:
        kept = bytearray(200 << 20)
        time.sleep(60)
time.sleep(60)
"""
    assert server.run(Task("test", (cell,), 60)).broken == "its process ended, perhaps for lack of memory"


@needs_one
def test_files_in_memory_count(server: ForkServer) -> None:
    cell = "import os\nfile = os.memfd_create('x')\nfor _ in range(3000):\n    os.write(file, bytes(1 << 20))"
    assert server.run(Task("test", (cell,), 60)).broken == "its process ended, perhaps for lack of memory"


@needs_one
def test_processes_are_bounded(server: ForkServer) -> None:
    cell = """
import os, time
for number in range(2000):
    if os.fork() == 0:
        time.sleep(60)
"""
    assert ended(server, cell) == "BlockingIOError"


@needs_one
def test_a_notebook_cannot_leave_it(server: ForkServer) -> None:
    assert ended(server, "open('/sys/fs/cgroup/cgroup.procs', 'w').write('0')") == "PermissionError"


def tree(folder: Path, *, mine: str, counted: dict[str, str]) -> Path:
    for name, controllers in counted.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "cgroup.subtree_control").write_text(controllers)
    (folder / "cgroup.controllers").touch()
    return folder / mine


@pytest.mark.parametrize(
    ("counted", "found"),
    [
        ({"": "cpu memory pids", "user": "memory pids", "user/shell": ""}, "user"),
        ({"": "cpu memory pids", "user": "memory", "user/shell": ""}, ""),
        ({"": "cpu", "user": "pids", "user/shell": ""}, None),
    ],
)
def test_the_nearest_that_counts_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: dict[str, str], found: str | None
) -> None:
    tree(tmp_path, mine="user/shell", counted=counted)
    monkeypatch.setattr(control_groups, "_TREE", tmp_path)
    read = Path.read_text
    monkeypatch.setattr(
        Path, "read_text", lambda path: "0::/user/shell\n" if str(path) == "/proc/self/cgroup" else read(path)
    )
    monkeypatch.setattr(control_groups, "end", lambda group: None)  # files keep a folder from being removed
    left = tmp_path / "user" / "autograder-999999999-1"
    alive = tmp_path / "user" / f"autograder-{os.getppid()}-1"
    left.mkdir()
    alive.mkdir()
    around = control_groups.parent.__wrapped__()
    assert around == (None if found is None else tmp_path / found)
    assert (left.exists(), alive.exists()) == (found != "user", True)
    if around:
        (made,) = around.glob(f"autograder-{os.getpid()}-*")
        assert (made / "memory.max").read_text() == str(10 << 30)
