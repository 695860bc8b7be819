"""What does a round of waiting cost: at `__syncthreads()`, at a `cuda::barrier`, and in handing over?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_producers.py`. It takes a few seconds and
writes producers_<gpu>.csv beside itself: one row for each way and each size of a block. `cycles` is the median, over
`runs` launches of one block, of the cycles that a round takes in thread 0 (`clock64`), and `spread` their interquartile
range.

The ways: `syncthreads` and `arrive_and_wait`, at which all threads meet once a round; and three in which one half of
the warps hands over to the other, which hands back: `parity`, where each thread arrives and waits at two
`cuda::barrier`s, `one_a_warp`, where one lane arrives for its warp, and `named`, by two of the block's own barriers.
"""

from collections.abc import Iterator

import cupy as cp
import numpy as np
from measuring import Loaded, Row, machine, write

RUNS, ROUNDS = 21, 10_000
BLOCKS = (64, 128, 256, 512, 1024)
WAYS = {"syncthreads": 0, "arrive_and_wait": 1, "parity": 2, "one_a_warp": 3}


def rows() -> Iterator[Row]:
    loaded = {way: Loaded("producers/costs.cu", name=f"costs<{number}>") for way, number in WAYS.items()}
    loaded["named"] = Loaded("producers/costs_named.cu")
    found = cp.zeros(1, cp.int64)
    for way, kernel in loaded.items():
        for block in BLOCKS:
            cycles = []
            for _ in range(RUNS + 1):  # the first one warms up
                kernel((1,), (block,), (found, np.int32(ROUNDS)))
                cycles.append(int(found[0]) / ROUNDS)
            low, middle, high = np.percentile(cycles[1:], [25, 50, 75])
            spread = f"{high - low:.2f}"
            yield {"way": way, "block": block, "runs": RUNS, "cycles": f"{middle:.1f}", "spread": spread}


if __name__ == "__main__":
    write("producers", rows(), machine())
