"""A notebook in a fork of the fork server: its outputs, its limits, and that no process outlives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest

from autograder.classroom.execution.fork_server import ForkServer
from autograder.classroom.execution.task import Task, TaskResult
from autograder.classroom.execution.usage import Limits
from autograder.cuda.errors import GraderFault, MachineFault


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.classroom.execution.fork_server.GRACE_SECONDS", 1)
        patch.setattr("autograder.classroom.execution.fork_server.MAX_OUTPUT", 16 << 20)
        server = ForkServer(Limits(memory=1 << 30, files=64 << 20, names=500))
        yield server
        server.close()


def run(server: ForkServer, *cells: str, seconds: int = 20) -> TaskResult:
    return server.run(Task("test", cells, seconds))


def test_outputs_are_those_of_a_kernel(server: ForkServer) -> None:
    result = run(
        server,
        "print('a'); print('b')",
        "1 + 1",
        "",
        "import sys\nprint('x', file=sys.stderr); print('y')",
        "from IPython.display import display, HTML\ndisplay(HTML('<b>z</b>')); 3;",
        "1 / 0",
        "_",
    )
    printed, value, empty, streams, shown, error, last = result.cells
    assert printed == [{"output_type": "stream", "name": "stdout", "text": "a\nb\n"}]
    two = {"output_type": "execute_result", "data": {"text/plain": "2"}, "metadata": {}, "execution_count": 2}
    assert value == [two] and empty is None
    assert streams is not None and [(out["name"], out["text"]) for out in streams] == [
        ("stderr", "x\n"),
        ("stdout", "y\n"),
    ]
    assert shown is not None and [(out["output_type"], out["data"]["text/html"]) for out in shown] == [
        ("display_data", "<b>z</b>")
    ]
    assert error is not None and (error[0]["ename"], error[0]["evalue"]) == ("ZeroDivisionError", "division by zero")
    assert last == [{**two, "execution_count": 6}]
    assert result.broken == "" and not result.sound and run(server, "1").sound


def test_one_notebook_knows_nothing_of_another(server: ForkServer) -> None:
    first = run(
        server, "import autograder, os\nautograder.mine = 1\nos.environ['MINE'] = '1'\nopen('mine', 'w').close()"
    )
    assert first.sound
    second = run(
        server, "import autograder, os\nprint(hasattr(autograder, 'mine'), 'MINE' in os.environ, os.listdir())"
    )
    assert second.cells[0] is not None and second.cells[0][0]["text"] == "False False []\n"


def test_a_cell_that_runs_too_long_is_interrupted_and_the_next_one_runs(server: ForkServer) -> None:
    result = run(server, "while True: pass", "print('on')", seconds=1)
    first, second = result.cells
    assert first is not None and [out["ename"] for out in first] == ["KeyboardInterrupt", "CellTimeoutError"]
    assert second is not None and second[0]["text"] == "on\n" and result.broken == ""


#: A kernel that is right.
ZEROS = (
    "%load_ext autograder",
    """import numpy as np
from autograder import Case, Output, check, exercise
def case(draw, n):
    return Case(1, 32, [Output(32, np.float32)], [np.zeros(32, np.float32)])
exercise("zeros", case, sizes=[dict(n=1)])""",
    "%%cuda zeros\n__global__ void zeros(float* out) { out[threadIdx.x] = 0; }",
)


def test_processor_time_is_bounded_for_an_answer_and_not_for_each_cell(server: ForkServer) -> None:
    """Half of the seconds of a cell, which the second one here takes."""
    works = "import time\nwhile time.process_time() < 2.5: pass"
    for begins, says in ((), "passed in 1 case"), ((works,), "took all the processor time"):
        result = run(server, *begins, *ZEROS, 'check("zeros").matches_numpy()', seconds=4)
        assert result.broken == ""
        assert says in " ".join(str(result.cells[-1]).replace("\\n", " ").split())


FILL = """
import os
def fill(file, megabytes):
    for _ in range(megabytes):
        os.write(file, bytes(1 << 20))
    while True:
        pass
"""
#: What Python could say in the place of the outputs.
REPORT = """
import os, stat, time
pipe = next(n for n in range(3, 64) if os.path.exists(f"/proc/self/fd/{n}") and stat.S_ISFIFO(os.fstat(n).st_mode))
def tell(text):
    os.write(pipe, text)
"""
STUBBORN = "import signal, subprocess\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\n"


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("import os\nos._exit(0)", "its process ended"),
        (f"{STUBBORN}subprocess.run(['sleep', '61.25'])", "could not be interrupted within 2 seconds"),
        ("held = b'1' * (1200 << 20)\nwhile True: pass", "more than 1024 MB of memory"),
        (f"{FILL}n = os.memfd_create('x')\nfill(n, 1200)", "more than 1024 MB of memory"),
        (
            f"{FILL}n = os.open('x', os.O_RDWR | os.O_CREAT)\nos.remove('x')\nfill(n, 1200)",
            "more than 1024 MB of memory",
        ),
        (f"{FILL}fill(os.open('x', os.O_RDWR | os.O_CREAT), 100)", "more than 64 MB of files"),
        (f"{FILL}[open(str(n), 'w').close() for n in range(600)]\nwhile True: pass", "more than 500 files"),
        (f"{FILL}[(os.mkdir('d'), os.chdir('d')) for n in range(99)]\nwhile True: pass", "more than 500 files"),
        (f"{REPORT}tell(b'not a result\\n')", "what it said is not the result of a notebook"),
        (f"{REPORT}tell(b'[' * 100_000 + b'\\n')", "what it said is not the result of a notebook"),
        (f"{REPORT}tell(b'[]\\n' * 9)", "what it said is not the result of a notebook"),
        (f"{REPORT}while True: tell(b' ' * 60_000)", "what it said is not the result of a notebook"),
    ],
)
def test_what_ends_a_notebook_leaves_the_cells_before(server: ForkServer, cell: str, why: str) -> None:
    result = run(server, "print('before')", cell, "print('after')", seconds=1 if "sleep" in cell else 20)
    assert (
        len(result.cells) == (not result.broken.startswith("what it said"))
        and why in result.broken
        and not result.sound
    )
    left = [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "61.25"]]
    assert psutil.wait_procs(left, timeout=60)[1] == []
    assert run(server, "1").sound


def test_the_launches_of_a_cell_get_half_of_its_time(server: ForkServer) -> None:
    """A cell that is interrupted is our fault, and a kernel that takes long is not."""
    cell = "from autograder.cuda.backends.processor_time import seconds_left\nprint(round(seconds_left()))"
    for outputs in run(server, cell, cell, seconds=50).cells:
        assert outputs is not None and outputs[0]["text"] == "25\n"


def test_a_program_is_started_without_closing_a_million_files(server: ForkServer) -> None:
    """Where Python cannot see which are open, it closes all that there may be, at each launch."""
    limit = "import resource\nprint(max(resource.getrlimit(resource.RLIMIT_NOFILE)))"
    unseen = "import os\ntry:\n    os.listdir('/proc/self/fd')\nexcept PermissionError:\n    print('closed')"
    (most,), (seen,) = (cell or [] for cell in run(server, limit, unseen).cells)
    assert int(most["text"]) <= 1024 and seen["text"] == "closed\n"


def test_it_ends_with_its_owner() -> None:
    program = """
from autograder.classroom.execution.fork_server import ForkServer
from autograder.classroom.execution.task import Task
ForkServer().run(Task("test", ("import time\\ntime.sleep(60)",), 90))
"""
    with subprocess.Popen([sys.executable, "-c", program]) as owner:
        while len(started := psutil.Process(owner.pid).children(recursive=True)) < 2:
            assert owner.poll() is None
            time.sleep(0.05)
        owner.kill()
    assert psutil.wait_procs(started, timeout=60)[1] == []


def test_one_that_is_stuck_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waited for it goes on, and the next notebook runs."""
    monkeypatch.setattr("autograder.classroom.execution.fork_server.BEGIN_SECONDS", 0)
    server = ForkServer()
    try:
        os.kill(server._process.pid, signal.SIGSTOP)
        assert run(server, "print(1)").broken == "its process did not begin within 0 seconds"
        assert server.is_gone()
    finally:
        server.close()


def test_one_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    with pytest.raises(GraderFault, match="does not start: "):
        ForkServer()


def test_a_machine_on_which_it_cannot_start_is_at_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    with pytest.raises(MachineFault, match=r"^Compiled kernels cannot be cached in /dev/null"):
        ForkServer()


def test_each_notebook_has_one_gpu_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,5")
    server = ForkServer()
    try:
        cell = "import os\nprint(os.environ['CUDA_VISIBLE_DEVICES'])"
        given = [outputs[0]["text"].strip() for _ in range(3) if (outputs := run(server, cell).cells[0])]
        assert given == ["3", "5", "3"]
    finally:
        server.close()


def test_text_moved_between_two_answers_is_another_task() -> None:
    """Or somebody else's result would count, whose answers are cut elsewhere."""
    fixed = "check()"
    honest = Task("one", ("a", fixed, f"b\0{fixed}\0c"), 1)
    moved = Task("one", (f"a\0{fixed}\0b", fixed, "c"), 1)
    assert honest.key("", "") != moved.key("", "")
