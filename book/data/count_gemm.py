"""What does the emulator count for each rung of the ladder, at the size at which Nsight Compute counted?

Run it anywhere: `python book/data/count_gemm.py`. It takes twenty seconds, needs no GPU, and writes
gemm_counts_emulator.csv beside itself: the columns of gemm_counts_<gpu>.csv that the emulator has, too. The file is
kept, since pages quote single numbers from it; tests/book/test_ladder_counts.py counts again.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from gemm_rungs import RUNGS, Rung
from places import DATA

from autograder import Kernel
from autograder.cuda.core.run import Counts
from autograder.cuda.performance import measurements

COUNTED = 256
#: Nsight Compute's word for a count, and ours.
COLUMNS = {
    "load_requests": "global_load_requests",
    "load_sectors": "global_load_sectors",
    "store_requests": "global_store_requests",
    "store_sectors": "global_store_sectors",
    "shared_load_instructions": "shared_load_requests",
    "shared_load_wavefronts": "shared_load_wavefronts",
    "shared_load_conflicts": "shared_load_conflicts",
    "shared_store_conflicts": "shared_store_conflicts",
}


def counts(rung: Rung, m: int) -> Counts:
    """The counts of a product of COUNTED x COUNTED matrices, which is checked against numpy."""
    n = COUNTED
    a, b = np.random.default_rng(1).integers(0, 10, (2, n, n)).astype(np.float32)
    rung = rung.fitted(n, n, n)
    run = Kernel(rung.source, rung.name).emulate(args=rung.arguments(a, b), **rung.launch(n, n, m))
    assert run.findings == () and np.array_equal(run.outputs[2], a @ b), rung.name
    assert run.counts is not None
    return run.counts


def rows() -> Iterator[dict[str, Any]]:
    for rung in RUNGS:
        for m in rung.sides:
            found = counts(rung, m)
            about = {"rung": rung.number, "kernel": rung.name, "m": m or "", "n": COUNTED}
            yield {**about, **{theirs: getattr(found, ours) for theirs, ours in COLUMNS.items()}}


if __name__ == "__main__":
    measurements.write(DATA / "gemm_counts_emulator.csv", rows(), measurements.origin("book/data/count_gemm.py"))
