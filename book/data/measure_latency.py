"""How many cycles does one load take until its value can be used?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_latency.py`. It takes a few seconds and
writes latency_<gpu>.csv beside itself. One thread follows a chain through an array, in an order that no cache can
foresee, so that each load waits for the one before it; the GPU's own clock counts. Which memory answers depends on
from the size of the array, which has just been read: it fits into the L1 cache, or only into the L2 cache, or
into neither. `cycles` is for one load, with the addition that makes an index an address.
"""

from collections.abc import Iterator

import cupy as cp
import numpy as np
from measuring import Loaded, Row, machine, write

RUNS, LOADS = 15, 1 << 15
#: What answers, the kernel, and the bytes of the array.
CASES = (
    ("shared memory", "chase_shared", 1 << 14),
    ("L1 cache", "chase", 1 << 11),
    ("L2 cache", "chase", 1 << 24),
    ("global memory: 256 MB", "chase", 1 << 28),
    ("global memory: 4 GB", "chase", 1 << 32),
)


def chain(links: int) -> cp.ndarray:
    """One ring through all `links` (a power of 2, from 4) elements: a linear congruential generator of full period."""
    step = cp.arange(links, dtype=cp.uint64)
    return ((step * np.uint64(1_664_525) + np.uint64(1_013_904_223)) % np.uint64(links)).astype(cp.int32)


def follow(links: cp.ndarray) -> int:
    at = 0
    for _ in range(LOADS):
        at = int(links[at])
    return at


def rows() -> Iterator[Row]:
    for what, name, size in CASES:
        kernel, links = Loaded(f"measuring/{name}.cu"), chain(size // 4)
        end, cycles = cp.empty(1, cp.int32), cp.empty(1, cp.int64)
        taken = []
        for _ in range(RUNS + 1):
            links.max()  # reads all of it: what fits into the L2 cache is there
            kernel((1,), (1,), (links, np.int32(LOADS), end, cycles))
            taken.append(int(cycles[0]) / LOADS)
        assert int(end[0]) == follow(links.get()), what
        low, middle, high = np.percentile(taken[1:], [25, 50, 75])
        yield {
            "memory": what,
            "kernel": name,
            "bytes": size,
            "runs": RUNS,
            "cycles": f"{middle:.0f}",
            "spread": f"{high - low:.1f}",
        }


if __name__ == "__main__":
    write("latency", rows(), machine())
