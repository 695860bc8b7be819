"""Does a process inside the sandbox get its worker for the GPU from outside, and nothing else?"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import inputs
import numpy as np
import psutil
import pytest

from autograder.classroom.execution import sandbox
from autograder.cuda.backends import gpu_worker

TESTS = Path(__file__).parents[1]
SCRIPT = (sys.executable, "-P", str(TESTS / "cuda/backends/scripted_worker.py"))

pytestmark = [inputs.grading, pytest.mark.skipif(bool(sandbox.missing()), reason="no sandbox here")]

BEGIN = f"""
import os, socket, sys, time
from pathlib import Path
import numpy as np
from autograder.cuda.backends import gpu, worker_process
from autograder.cuda.compiler.cache import keep_apart
from autograder.cuda.errors import GraderFault
from autograder.classroom.execution import sandbox
from autograder.cuda.kernel import Kernel

def launch(order):
    text = f"// {{order}}\\n__global__ void f(unsigned char* a) {{{{}}}}\\n"
    return device.run(Kernel(text, "f").prepare(1, 1, [np.arange(5, dtype=np.uint8)]))

worker_process.start_outside({SCRIPT!r}, {SCRIPT!r})
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
Path("own").mkdir()
os.environ["TMPDIR"] = os.path.abspath("own")
sandbox.close_in(Path("own"))
keep_apart(Path("own").resolve())
device = gpu.Gpu({SCRIPT!r}, time_limit=0.5, look=lambda: None)
"""


def after(folder: Path, code: str) -> list[str]:
    """The lines that `code` prints inside the sandbox."""
    program = BEGIN + textwrap.dedent(code)
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_launch(tmp_path: Path) -> None:
    """The worker's own program cannot be read from inside the sandbox."""
    code = f"""
    try:
        open({SCRIPT[-1]!r})
    except PermissionError:
        print("closed")
    print(device.problem(), launch("add 1").outputs[0].tolist(), launch("print words").printed)
    """
    assert after(tmp_path, code) == ["closed", "None [1, 2, 3, 4, 5] words"]


def test_a_worker_that_ended_stood_still_or_was_killed_is_followed_by_another(tmp_path: Path) -> None:
    code = """
    for order in ("exit 3 last words", "kill"):
        try:
            launch(order)
        except GraderFault as fault:
            print(fault)
    print(launch("add 1").completed)
    first = device.worker_pid
    print(launch("stop while running").findings[0].kind, device.worker_pid)
    print(launch("add 1").completed, device.worker_pid != first)
    device.close()
    """
    assert after(tmp_path, code) == [
        "The GPU's worker process is gone (it ended with exit code 3: last words); the next launch starts a new one.",
        "The GPU's worker process is gone (it was ended by SIGKILL, perhaps for lack of memory); "
        "the next launch starts a new one.",
        "True",
        "StepLimit None",
        "True True",
    ]


def test_a_starter_that_is_gone_is_a_fault_of_ours(tmp_path: Path) -> None:
    # From outside: inside the sandbox, the starter is not seen, and no signal reaches it.
    program = BEGIN + textwrap.dedent("""
    launch("add 1")
    print(device.worker_pid, flush=True)
    sys.stdin.readline()
    for _ in range(2):
        try:
            launch("exit 3")
        except GraderFault as fault:
            print(fault)
    """)
    command = [sys.executable, "-c", program]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        (starter,) = psutil.Process(process.pid).children()
        assert starter.pid != worker
        starter.kill()
        words, complaints = process.communicate("\n", timeout=60)
    assert words.splitlines() == [
        "The GPU's worker process is gone (it was ended by SIGKILL, perhaps for lack of memory); "
        "the next launch starts a new one.",
        "The GPU's worker process does not start (the process that starts it is gone).",
    ], complaints


def test_nothing_is_left_when_the_process_is_killed(tmp_path: Path) -> None:
    code = BEGIN + "launch('add 1')\nprint('running', flush=True)\ntime.sleep(60)"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "running\n"
        started = psutil.Process(process.pid).children(recursive=True)
        assert len(started) == 2  # the starter, and the worker
        process.kill()
    assert psutil.wait_procs(started, timeout=60)[1] == []


def test_the_starter_starts_nothing_else_and_survives_nonsense(tmp_path: Path) -> None:
    code = """
    starter = worker_process._outside[1]
    for message in (["wait", 1, 0], ["kill", os.getppid()], ["start", "/bin/sh"], ["kill"], {}, "start", 7):
        try:
            print(starter.request(message))
        except OSError as error:
            print(type(error).__name__)
    try:
        gpu.Gpu(("/bin/sh",), look=lambda: None).problem()
    except AssertionError as error:
        print(error)
    print(launch("add 1").completed)
    """
    assert after(tmp_path, code) == ["OSError"] * 7 + ["the starter starts nothing else", "True"]


def test_a_worker_that_cannot_be_started_is_told(tmp_path: Path) -> None:
    program = BEGIN.replace(
        f"worker_process.start_outside({SCRIPT!r}, {SCRIPT!r})", "worker_process.start_outside(('/none',), ('/none',))"
    )
    program = program.replace(f"gpu.Gpu({SCRIPT!r}, ", "gpu.Gpu(('/none',), ") + "print(device.problem())"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout == (
        "The GPU's worker process does not start ([Errno 2] No such file or directory: '/none'): "
        "run `nvidia-smi` to see if the GPU works.\n"
    ), done.stderr


def test_the_worker_reads_the_text_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its client, inside the sandbox, may be compromised."""
    monkeypatch.setattr(gpu_worker.Device, "_look", lambda self: {"arch": "sm_80"})
    text = '#include "/etc/passwd"\n__global__ void f() {}\n'
    reply, _ = gpu_worker.Device().run({"source": text, "name": "f"}, [np.zeros(1)], lambda phase: None)
    assert reply == {"outcome": "fault", "text": "a forbidden text was sent to it"}
