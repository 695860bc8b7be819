"""How fast is the emulator? `make bench` prints a table, as ratios where a ratio says more.

Not a test: times depend on the machine and on what else it does. Each pair is measured in turns in one
run. Numba's CUDA simulator runs the same algorithm, and checks nothing.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
import numpy as np
from numba import cuda, float32

from autograder import Kernel

SOURCE = (Path(__file__).parents[1] / "book" / "kernels" / "gemm_square_tiles.cu").read_text(encoding="utf-8")
NEW_TEXT = """__global__ void scale(const float* in, float* out, int n) {{
    __shared__ float tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (i < n) out[i] = {factor}.0f * tile[threadIdx.x];
}}
"""


def numba_gemm(a: np.ndarray, b: np.ndarray, c: np.ndarray, n: int) -> None:
    a_tile = cuda.shared.array((16, 16), float32)
    b_tile = cuda.shared.array((16, 16), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for t in range(n // 16):
        a_tile[y, x] = a[row, t * 16 + x]
        b_tile[y, x] = b[t * 16 + y, column]
        cuda.syncthreads()
        for k in range(16):
            total += a_tile[y, k] * b_tile[k, x]
        cuda.syncthreads()
    c[row, column] = total


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def matrices(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    a, b = (rng.random((n, n), dtype=np.float32) for _ in range(2))
    return a, b, np.zeros((n, n), np.float32)


def emulated(kernel: Kernel, n: int, checks: bool = True) -> None:
    a, b, c = matrices(n)
    run = kernel.emulate((n // 16, n // 16), (16, 16), [a, b, c, n], checks=checks)
    assert run.completed and not run.findings
    np.testing.assert_allclose(run.outputs[2], a @ b, rtol=1e-4)


def against_numba(kernel: Kernel, n: int, rounds: int) -> None:
    a, b, c = matrices(n)
    numba = cuda.jit(numba_gemm)[(n // 16, n // 16), (16, 16)]
    pairs = [(seconds(lambda: emulated(kernel, n)), seconds(lambda: numba(a, b, c, n))) for _ in range(rounds)]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"16x16 tiled GEMM, N={n}: {ours:.3f} s, Numba's simulator {theirs:.2f} s: {theirs / ours:.0f} times faster")


def main() -> None:
    print(f"{len(os.sched_getaffinity(0))} cores, every check on")
    kernel = Kernel(SOURCE, "gemm_square_tiles")
    emulated(kernel, 32)
    against_numba(kernel, 64, rounds=3)
    for n in (128, 256, 512, 1024):
        rounds = 5 if n < 512 else 1
        pairs = [[seconds(partial(emulated, kernel, n, on)) for on in (True, False)] for _ in range(rounds)]
        checked, counted = (statistics.median(column) for column in zip(*pairs, strict=True))
        print(f"16x16 tiled GEMM, N={n}: {checked:.3f} s, without checks {counted:.3f} s")
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest process of the emulator, N=1024: {largest:.0f} MB")

    def verdict(factor: int) -> None:
        for n in (1, 64, 100):
            values = np.arange(n, dtype=np.float32)
            text = NEW_TEXT.format(factor=factor)
            run = Kernel(text, "scale").emulate(-(-n // 128), 128, [values, np.zeros_like(values), n])
            assert not run.findings and (run.outputs[1] == factor * values).all()

    unseen = time.time_ns() % 10**9
    new = [seconds(partial(verdict, unseen + i)) for i in range(5)]
    again = [seconds(lambda: verdict(3)) for _ in range(6)][1:]
    print(f"edit to verdict, 3 cases: {statistics.median(new):.3f} s")
    print(f"the same, of a text seen before: {statistics.median(again):.3f} s")
    with tempfile.TemporaryDirectory() as cache:
        code = (
            "import numpy as np; from autograder import Kernel\n"
            "Kernel('__global__ void k(int* a) { a[0] = 1; }', 'k').emulate(1, 1, [np.zeros(1, np.int32)])"
        )
        fresh = {**os.environ, "XDG_CACHE_HOME": cache}
        first = seconds(lambda: subprocess.run([sys.executable, "-c", code], env=fresh, check=True))
    print(f"first emulation after an install: {first:.1f} s")


if __name__ == "__main__":
    main()
