"""Counts the constructs that a launch uses to get its results: shared memory, atomics, shuffles, ..."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ..core.run import Counts, Run
from ..source.text import blank


def times_used(construct: str, run: Run, counts: Counts, source: str) -> int:
    """How often a launch uses `construct`, one of `CONSTRUCTS`; for static shared memory, its size in bytes.

    Args:
        run, counts: what the launch did.
        source: the kernel's text.
    """
    return CONSTRUCTS[construct](run, counts, source)


def _shared_memory(run: Run, counts: Counts, source: str) -> int:
    return counts.shared_loads + counts.shared_stores + counts.atomics - counts.global_atomics


def _ifs_in_loops(source: str) -> int:
    code = blank(source)
    bodies = [*_bodies(code)]
    ifs = (found.start() for found in re.finditer(r"\bif\b", code))
    return sum(any(start <= at < end for start, end in bodies) for at in ifs)


def _bodies(code: str) -> Iterator[tuple[int, int]]:
    """Where the body of each loop begins and ends in `code`, which has no comments."""
    for loop in re.finditer(r"\b(?:for|while)\s*(?=\()|\bdo\b", code):
        start = loop.end() if loop[0] == "do" else _closing(code, loop.end())
        inside = code[start:].lstrip()
        start = len(code) - len(inside)
        yield start, _closing(code, start) if inside.startswith("{") else _end_of_statement(code, start)


def _closing(code: str, start: int) -> int:
    """The offset after the bracket that closes the one at `start`; the end of `code` if none does."""
    depth = 0
    for at in range(start, len(code)):
        depth += (code[at] in "({") - (code[at] in ")}")
        if depth == 0:
            return at + 1
    return len(code)


def _end_of_statement(code: str, start: int) -> int:
    """The offset after the semicolon or block that ends the statement at `start`."""
    at = start
    while at < len(code) and code[at] not in ";{":
        at = _closing(code, at) if code[at] == "(" else at + 1
    return _closing(code, at) if code[at : at + 1] == "{" else at + 1


#: How to detect each one: from what the launch did or, if that leaves no trace in memory, from the kernel's text.
CONSTRUCTS: Mapping[str, Callable[[Run, Counts, str], int]] = {
    "shared_memory": _shared_memory,
    "static_shared_memory": lambda run, counts, source: run.static_shared,
    "constant_memory": lambda run, counts, source: counts.constant_loads,
    "barriers": lambda run, counts, source: counts.barriers,
    "atomics": lambda run, counts, source: counts.atomics,
    "compare_and_swap": lambda run, counts, source: counts.compare_and_swaps,
    "shuffles": lambda run, counts, source: counts.shuffles,
    "lane_exchanges": lambda run, counts, source: counts.shuffles + counts.votes,
    "if_in_a_loop": lambda run, counts, source: _ifs_in_loops(source),
}
