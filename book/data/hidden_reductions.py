"""How often a GPU hides the mistake in a reduction: the experiments "hidden" and "branch" of measure_reductions.py."""

from collections.abc import Callable, Iterator
from typing import Any

import cupy as cp
import numpy as np
from measuring import Cell, Loaded, Row
from places import KERNELS

from autograder import Kernel, Kind

RUNS = 30
COLUMNS = (
    "experiment kernel barrier_removed n block launches passed runs median_ms spread_ms gbps ratio "
    "relative_error different_results result"
).split()


def row(**values: Cell) -> Row:
    """A row of the CSV, with every column; unused ones are empty."""
    assert set(values) <= set(COLUMNS), values
    return {name: values.get(name, "") for name in COLUMNS}


def prefix(blocks: np.ndarray) -> np.ndarray:
    return np.cumsum(blocks, axis=1)


def before(blocks: np.ndarray) -> Any:
    return np.cumsum(blocks, axis=1) - blocks


def most(blocks: np.ndarray) -> Any:
    return blocks.max(axis=1)


def total(blocks: np.ndarray) -> Any:
    return blocks.sum(axis=1)


def nothing(n: int) -> tuple[Any, ...]:
    return ()


def with_n(n: int) -> tuple[Any, ...]:
    return (np.int32(n),)


def with_counters(n: int) -> tuple[Any, ...]:
    return (cp.zeros(2, cp.int32),)


#: kernel, barriers to take away, numpy's answer for rows of one block each, elements a thread, block,
#: bytes of shared memory for an element, what follows in and out among its arguments for n elements
HIDDEN: list[tuple[str, int, Callable[[np.ndarray], np.ndarray], int, int, int, Callable[[int], tuple[Any, ...]]]] = [
    ("largest", 2, most, 1, 256, 4, with_n),
    ("largest_neighbors", 2, most, 1, 256, 4, with_n),
    ("running_sum", 2, prefix, 1, 256, 8, nothing),
    ("running_sum_in_place", 0, prefix, 1, 256, 4, nothing),
    ("before_me", 2, before, 2, 128, 4, nothing),
    ("warp_tail", 0, total, 2, 32, 0, nothing),
    ("warp_tail_volatile", 0, total, 2, 32, 0, nothing),
    ("warp_tail_plain", 0, total, 2, 32, 0, nothing),
    ("warp_tail_apart", 0, total, 2, 32, 0, with_counters),
]
#: These are right, and must be so each time.
RIGHT = {"largest", "largest_neighbors", "running_sum", "before_me", "warp_tail"}


def hidden() -> Iterator[Row]:
    rng = np.random.default_rng()
    for name, barriers, answer, each, block, shared, rest in HIDDEN:
        for removed in range(barriers + 1):
            kernel = Loaded(f"reductions/{name}.cu", removed)
            for grid in (1, 64, 2048):
                wide = each * block
                passes = 0
                for _ in range(RUNS):
                    # Whole numbers: float32 adds them exactly in any order, so that every difference is an error.
                    given = rng.integers(0, 1000, (grid, wide)).astype(np.float32)
                    expected = answer(given)
                    out = cp.full(expected.shape, -1, cp.float32)
                    kernel((grid,), (block,), (cp.asarray(given), out, *rest(given.size)), shared * wide)
                    passes += bool(np.array_equal(out.get(), expected))
                assert passes == RUNS or removed or name not in RIGHT, name
                about: Row = {"kernel": name, "barrier_removed": removed, "n": grid * wide, "block": block}
                yield row(experiment="hidden", **about, launches=RUNS, passed=f"{passes} of {RUNS}")


def shuffle_in_a_branch() -> Iterator[Row]:
    """The shuffle that not all lanes reach: in a separate process, since it may never end."""
    text = (KERNELS / "reductions" / "scan_chunks_branch.cu").read_text()
    kernel, rng = Kernel(text, "scan_chunks"), np.random.default_rng()
    passes = ended = launches = 0
    while ended == launches < RUNS:  # none after a launch that did not end, which takes seconds to detect
        launches += 1
        given = rng.integers(0, 10, 1024).astype(np.float32)
        out, totals = np.full(1024, -1, np.float32), np.full(4, -1, np.float32)
        run = kernel.run_on_gpu(4, 256, [given, out, totals, 1024])
        assert run.completed or run.findings[0].kind is Kind.STEP_LIMIT, run.findings
        ended += run.completed
        passes += run.completed and bool(np.array_equal(run.outputs[1], prefix(given.reshape(4, 256)).ravel()))
    result = f"{ended} of {launches} ended"
    about: Row = {"kernel": "scan_chunks_branch", "n": 1024, "block": 256, "launches": launches, "result": result}
    yield row(experiment="branch", **about, passed=f"{passes} of {launches}")
