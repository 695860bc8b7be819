"""The launches that measure_measuring.py times, the clocks it uses, and the rows it writes."""

import time
from collections.abc import Callable

import cupy as cp
import numpy as np
from gemm_on_gpu import Compiled
from gemm_rungs import RUNGS
from measuring import Loaded, Row, by_events, random, summary

RUNS = 20
#: A thread that counts the cycles of its multiprocessor, and the nanoseconds meanwhile.
SPIN = r"""
__device__ long long now()
{
    long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

extern "C" __global__ void spin(long long cycles, long long* ns)
{
    long long begin = clock64(), first = now();
    while (clock64() - begin < cycles) { }
    *ns = now() - first;
}
"""
CYCLES = 400_000

Times = list[float]


def short(value: float) -> str:
    """Three significant digits."""
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


class Table:
    """Makes rows with the same columns and with ratios."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str, int], float] = {}

    def row(
        self,
        experiment: str,
        case: str,
        kernel: str,
        n: int,
        times: Times,
        operations: float = 0,
        moved: float = 0,
        **more: str,
    ) -> Row:
        """A row about launches that took `times` (ms), with `operations` and `moved` bytes each."""
        middle = float(np.median(times))
        first = self._first.setdefault((experiment, kernel, n), middle)
        return {
            "experiment": experiment,
            "case": case,
            "kernel": kernel,
            "n": n,
            **summary(times),
            "median_us": f"{1000 * middle:.2f}",
            "min_ms": f"{min(times):.4f}",
            "max_ms": f"{max(times):.4f}",
            "ratio": short(middle / first),
            "far_off": sum(abs(one - middle) > 0.05 * middle for one in times),
            "tflops": short(operations / middle / 1e9) if operations else "",
            "gbps": short(moved / middle / 1e6) if moved else "",
            **{"mhz": "", "warps": "", "occupancy": "", "operations_per_byte": "", **more},
        }


def product(n: int) -> tuple[Callable[[], None], int]:
    """A launch of gemm_tiled with 16 x 16 tiles on n x n matrices, and its operations."""
    a, b, c = random(n, n), random(n, n), cp.empty((n, n), cp.float32)
    return Compiled(RUNGS[1]).call(a, b, c, 16), 2 * n**3


def copier(n: int) -> tuple[Callable[[], None], int]:
    """A launch that copies n floats, and its bytes."""
    kernel, x = Loaded("measuring/copy_four_at_once.cu"), random(n)
    out = cp.empty_like(x)
    grid = (min(-(-n // 256), 8 * cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]),)

    def launch() -> None:
        kernel(grid, (256,), (x, out, np.int32(n)))

    launch()
    assert cp.array_equal(x, out)
    return launch, 2 * x.nbytes


def by_host(launch: Callable[[], object], wait: bool) -> float:
    """The time of a launch in ms by the host's clock."""
    cp.cuda.Device().synchronize()
    begin = time.perf_counter()
    launch()
    if wait:
        cp.cuda.Device().synchronize()
    return 1000 * (time.perf_counter() - begin)


def many(time_it: Callable[[], float], runs: int = RUNS) -> Times:
    """The times of `runs` launches, after five to warm up."""
    return [time_it() for _ in range(runs + 5)][5:]


class Spin:
    """Keeps one multiprocessor busy for CYCLES cycles: 0.2 ms or more, without using memory."""

    def __init__(self) -> None:
        self._kernel, self._ns = cp.RawKernel(SPIN, "spin"), cp.zeros(1, cp.int64)
        self()  # the first launch compiles it

    def __call__(self) -> None:
        self._kernel((1,), (1,), (np.int64(CYCLES), self._ns))

    def mhz(self) -> float:
        """The clock of a multiprocessor now."""
        self()
        return 1000 * CYCLES / float(self._ns[0])

    def before(self, launch: Callable[[], object]) -> float:
        """The time of a launch in ms that waits in the queue until this has ended, events and all."""
        self()
        return by_events(launch)
