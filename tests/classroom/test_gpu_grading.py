"""Notebooks graded on a GPU: several at a time, with timed launches undisturbed.

    pytest -s tests/classroom/test_gpu_grading.py

Besides CuPy, this needs IPython and psutil, but no compiler. With -s it also prints how long things take.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from autograder.cuda.backends import gpu, gpu_sharing
from autograder.cuda.kernel import Kernel
from autograder.cuda.performance.timing import time_kernel

if TYPE_CHECKING:
    from autograder.classroom.execution.fork_server import ForkServer

pytestmark = pytest.mark.skipif(gpu.problem() is not None, reason=str(gpu.problem()))
fork_server = pytest.importorskip("autograder.classroom.execution.fork_server", reason="no IPython or psutil")
task = pytest.importorskip("autograder.classroom.execution.task")

COPY = """
__global__ void copy(const float* a, float* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
}
"""
USE = f"""
import numpy as np
from autograder.cuda.kernel import Kernel
run = Kernel({COPY!r}, "copy").run_on_gpu(4, 256, [np.arange(1024, dtype=np.float32), np.zeros(1024, np.float32), 1024])
print(run.completed, run.outputs[1].sum() == 1023 * 512, run.backend)
"""
#: Disturbs launches until the process is ended.
LAUNCHES = f"""
import numpy as np
from autograder.cuda.kernel import Kernel
n = 1 << 24
loop = "for (int k = 0; k < 100; ++k) ((volatile float*)b)[i] = a[i] + k"
kernel = Kernel({COPY!r}.replace("b[i] = a[i]", loop), "copy")
arrays = [np.ones(n, np.float32), np.zeros(n, np.float32), n]
print("ready", flush=True)
while True:
    kernel.run_on_gpu(n // 256, 256, arrays)
"""
STARTS = """
from autograder.cuda.backends import gpu
print("ready", flush=True)
while True:
    device = gpu.Gpu()
    device.problem()
    device.close()
"""
BUSY = "print('ready', flush=True)\nwhile True: pass"


@pytest.fixture(scope="module")
def started() -> Iterator[ForkServer]:
    started = fork_server.ForkServer()
    yield started
    started.close()


def use(started: ForkServer) -> tuple[str, float]:
    result = started.run(task.Task("test", (USE,), 120))
    assert not result.broken, result.broken
    return "".join(str(out.get("text") or out) for out in result.cells[0] or ()), result.seconds


def test_several_notebooks_share_a_gpu(started: ForkServer) -> None:
    alone = min(use(started)[1] for _ in range(3))
    begun = time.perf_counter()
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: use(started), range(24)))
    taken = time.perf_counter() - begun
    assert {message for message, _ in results} == {f"True True {gpu.device_name()}\n"}
    print(f"\na notebook with one launch: {alone:.2f} s alone, {taken / 24:.2f} s each where 8 run at a time")


@contextmanager
def beside(program: str, count: int) -> Iterator[None]:
    root = str(Path(__file__).parents[2])
    with ExitStack() as stack:
        for _ in range(count):
            process = stack.enter_context(
                subprocess.Popen([sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r})\n{program}"],
                                 stdout=subprocess.PIPE, text=True)
            )  # fmt: skip
            stack.callback(process.kill)
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(2)
        yield


def measured() -> float:
    n = 1 << 24
    arrays = [np.ones(n, np.float32), np.zeros(n, np.float32), n]
    return float(np.median([time_kernel(Kernel(COPY, "copy"), n // 256, 256, arrays).median for _ in range(3)]))


def test_what_is_timed_is_not_disturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = measured()
    with beside(LAUNCHES, 4):
        locked = measured()
        with monkeypatch.context() as patch:
            patch.setattr(gpu_sharing, "use", lambda *_, **__: nullcontext())
            unlocked = measured()
    with beside(BUSY, 2 * (len(os.sched_getaffinity(0)))):
        loaded = measured()
    with beside(STARTS, 2):
        starting = measured()
    print(f"\na copy of 64 MB takes {alone:.4f} ms alone;")
    print(f"beside the launches of 4 processes {locked:.4f} ms with the lock and {unlocked:.4f} ms without;")
    print(f"beside two busy processes a core {loaded:.4f} ms; beside two that start on the GPU {starting:.4f} ms")
    assert locked < 1.1 * alone
    assert loaded < 1.1 * alone and starting < 1.1 * alone
