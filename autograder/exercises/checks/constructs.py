"""Counts the constructs that a launch uses to get its results: shared memory, atomics, shuffles, ..."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...cuda.core.run import Counts, Run


def times_used(construct: str, run: Run, counts: Counts) -> int:
    """How often a launch uses `construct`, one of `CONSTRUCTS`; for static shared memory, its size in bytes.

    Args:
        run, counts: what the launch did.
    """
    return CONSTRUCTS[construct](run, counts)


def _shared_memory(run: Run, counts: Counts) -> int:
    return counts.shared_loads + counts.shared_stores + counts.atomics - counts.global_atomics


#: How to detect each one from what the launch did.
CONSTRUCTS: Mapping[str, Callable[[Run, Counts], int]] = {
    "shared_memory": _shared_memory,
    "handed_over": _shared_memory,
    "between_warps": _shared_memory,
    "distributed_shared_memory": lambda run, counts: counts.remote_loads + counts.remote_stores + counts.remote_atomics,
    "static_shared_memory": lambda run, counts: run.static_shared,
    "shared_stores": lambda run, counts: counts.shared_stores,
    "constant_memory": lambda run, counts: counts.constant_loads,
    "barriers": lambda run, counts: counts.barriers,
    "atomics": lambda run, counts: counts.atomics,
    "compare_and_swap": lambda run, counts: counts.compare_and_swaps,
    "shuffles": lambda run, counts: counts.shuffles,
    "matrix_products": lambda run, counts: counts.matrix_products,
    "lane_exchanges": lambda run, counts: counts.shuffles + counts.votes + counts.matrix_products,
    "combinations": lambda run, counts: counts.combinations + counts.matrix_products,
}
