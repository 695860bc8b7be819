"""Where `autograder run` fails, neither its exit code nor its last line can be taken for "nothing was found"."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import inputs
import pytest

pytestmark = inputs.commands

ADD = Path(__file__).parents[1] / "programs" / "right" / "vector_add.cu"
KERNEL = """\
__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }
"""
NO_NUMPY = "import sys; sys.modules['numpy'] = None; from autograder.cli import main; sys.exit(main())"
NO_COMPILER = """\
import importlib.util, sys
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "ziglang" else found(name, *more)
from autograder.cli import main
sys.exit(main())
"""
A_MISTAKE = """\
import sys
from autograder.cuda.backends import emulator
emulator.run = lambda *_, **__: 1 / 0
from autograder.cli import main
sys.exit(main())
"""
#: The system kills the runner, as where memory is short.
KILLED = """\
import sys
from autograder.cuda.backends import emulator_process
run = emulator_process._run
emulator_process._run = lambda command, *more: run(["/bin/sh", "-c", "kill -KILL $$"], *more)
from autograder.cli import main
sys.exit(main())
"""
RUN = f"{shlex.quote(sys.executable)} -m autograder run"
PROGRAM, LAUNCH = shlex.quote(str(ADD)), "fill.cu --grid 1 --block 32 --arg poison:32"


def changed(code: str) -> str:
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)} run"


@pytest.mark.parametrize(
    ("command", "code", "last"),
    [
        (f"{RUN} {LAUNCH} --frobnicate", 2, "takes no --frobnicate"),
        (f"{RUN} absent.cu", 2, "absent.cu cannot be read: No such file or directory."),
        (f"{RUN} .", 2, ". cannot be read: Is a directory."),
        (f"{RUN} absent.cu --grid 1 --block 32", 2, "absent.cu cannot be read: No such file or directory."),
        (f"{RUN} {LAUNCH} > /dev/full", 3, "this machine is at fault"),
        (f"{RUN} {PROGRAM} --format json > /dev/full", 3, "this machine is at fault"),
        (f"{RUN} {PROGRAM} 2> /dev/full", 3, ""),
        (f"{RUN} {LAUNCH} >&-", 2, "Open standard output and standard error"),
        (f"{RUN} {PROGRAM} 2>&-", 2, ""),
        (f"{changed(NO_NUMPY)} {LAUNCH}", 3, "the package numpy is missing"),
        (f"{changed(NO_COMPILER)} {LAUNCH}", 3, "The emulator's compiler is missing"),
        (f"{changed(NO_COMPILER)} {PROGRAM}", 3, "The emulator's compiler is missing"),
        (f"{changed(A_MISTAKE)} {LAUNCH}", 3, "the grader itself failed"),
        (f"{changed(A_MISTAKE)} {PROGRAM}", 3, "the grader itself failed"),
        (f"{changed(KILLED)} {LAUNCH}", 3, "The system killed the emulator"),
        (f"ulimit -v 600000; {RUN} {LAUNCH}", 3, "no address space"),
        (f"XDG_CACHE_HOME=/proc/absent {RUN} {LAUNCH}", 3, "this machine is at fault"),
    ],
)
def test_a_failure_is_no_verdict(command: str, code: int, last: str, tmp_path: Path) -> None:
    (tmp_path / "fill.cu").write_text(KERNEL)
    package = {"PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, env=os.environ | package, timeout=300
    )
    assert done.returncode == code, done.stderr
    assert last in ([*done.stderr.splitlines(), ""][-2 if done.stderr else 0]), done.stderr
    assert "nothing was found" not in done.stdout + done.stderr
