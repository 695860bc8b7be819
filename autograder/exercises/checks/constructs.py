"""Counts the constructs that a launch uses to get its results: shared memory, atomics, shuffles, ..."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...cuda.compiler.branching import count_branches
from ...cuda.compiler.local_memory import count_local_arrays
from ..answers.tools import Tools
from ..answers.trial import Trial


def times_used(construct: str, trial: Trial, tools: Tools) -> int:
    """Return how often the threads of a launch use `construct`, one of `CONSTRUCTS`; of static shared memory, its size
    in bytes."""
    return CONSTRUCTS[construct](trial, tools)


def _shared_memory(trial: Trial, tools: Tools) -> int:
    counts = trial.counts
    return counts.shared_loads + counts.shared_stores + counts.atomics - counts.global_atomics


def _distributed_shared_memory(trial: Trial, tools: Tools) -> int:
    return trial.counts.remote_loads + trial.counts.remote_stores + trial.counts.remote_atomics


def _lane_exchanges(trial: Trial, tools: Tools) -> int:
    return trial.counts.shuffles + trial.counts.votes + trial.counts.matrix_products


def _load_times(trial: Trial, tools: Tools) -> tuple[int, int, int]:
    """Return how many loads begin early, how many late, and how many there are: only a trace shows them."""
    return (tools.find_early(trial.launch, trial.run) if tools.find_early else None) or (0, 0, 0)


def _early_loads(trial: Trial, tools: Tools) -> int:
    """0 unless at least half of the loads are early."""
    early, _, loads = _load_times(trial, tools)
    return early if 2 * early >= loads else 0


def _loads_ahead(trial: Trial, tools: Tools) -> int:
    return tools.find_ahead(trial.launch, trial.run) if tools.find_ahead else 0


#: How to count each.
CONSTRUCTS: Mapping[str, Callable[[Trial, Tools], int]] = {
    "shared_memory": _shared_memory,
    "handed_over": _shared_memory,
    "between_warps": _shared_memory,
    "distributed_shared_memory": _distributed_shared_memory,
    "static_shared_memory": lambda trial, tools: trial.run.static_shared,
    "shared_stores": lambda trial, tools: trial.counts.shared_stores,
    "constant_memory": lambda trial, tools: trial.counts.constant_loads,
    "barriers": lambda trial, tools: trial.counts.barriers,
    "atomics": lambda trial, tools: trial.counts.atomics,
    "compare_and_swap": lambda trial, tools: trial.counts.compare_and_swaps,
    "shuffles": lambda trial, tools: trial.counts.shuffles,
    "matrix_products": lambda trial, tools: trial.counts.matrix_products,
    "lane_exchanges": _lane_exchanges,
    "combinations": lambda trial, tools: trial.counts.combinations + trial.counts.matrix_products,
    "early_loads": _early_loads,
    "late_loads": lambda trial, tools: _load_times(trial, tools)[1],
    "loads_ahead": _loads_ahead,
    "if_in_a_loop": lambda trial, tools: count_branches(trial.launch.source, trial.launch.name),
    "local_arrays": lambda trial, tools: count_local_arrays(trial.launch.source, trial.launch.name),
}
