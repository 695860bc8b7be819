"""Coalescing: do the lanes of a warp access neighboring elements of global memory, and do so together?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from ....cuda.core.run import Counts, LineTraffic
from ...answers.trial import Trial
from ...findings import Uncoalesced
from ..judge import KernelCheck, kernel_check
from ..limit import if_completed, in_case

#: A warp that loads 32 neighboring 4-byte elements needs 128 bytes: four sectors of 32 bytes, and one more if the
#: first element doesn't start a sector. In `Counts`, that is the best; other widths are in proportion.
FULL_WARP_OF_WORDS = 5
#: For each 16 sectors, one more may be moved: if only some lanes of a warp have one more round of an unrolled loop,
#: their loads and those of the others are separate requests, which share a sector.
_PARTED = 16


@kernel_check
def is_coalesced(
    at_most: float | Callable[..., float] = FULL_WARP_OF_WORDS, atomics: Callable[..., int] | None = None
) -> KernelCheck:
    """Global loads, global stores, and global atomics, each together move no more sectors than the threads need for
    what they access: at most `at_most` for each 32 elements of 4 bytes (32 neighbors take 4, and one more if they
    begin within a sector), and a sixteenth more. A function gets the size's words and returns the limit. If the
    data decide what atomics access, `atomics` returns how many sectors these may move."""

    def find(trial: Trial) -> Sequence[Uncoalesced]:
        scattered = None if atomics is None else in_case(atomics, trial)
        return find_uncoalesced(trial.counts, in_case(at_most, trial), trial.run.traffic, scattered)

    return KernelCheck(find=if_completed(find), needs_several_threads=True)


def find_uncoalesced(
    counts: Counts,
    at_most: float = FULL_WARP_OF_WORDS,
    traffic: Sequence[LineTraffic] = (),
    atomics: int | None = None,
) -> list[Uncoalesced]:
    """Find global loads, stores or atomics that move more sectors, in the whole launch, than its warps need for what
    their threads access.

    Each kind is checked by itself, so coalesced accesses of one kind can't hide scattered ones of another.
    Because it is a total, it misses a rare scattered access among many coalesced ones. The finding names the worst
    line if `traffic` has lines of that kind.

    Args:
        counts: what the launch did.
        at_most: how many sectors 32 lanes may move for 4 bytes each; in proportion for other widths. By default, what
            they need, and a sixteenth more.
        traffic: what each line did.
        atomics: how many sectors atomics may move, each request counted as a store; by default, as `at_most` says.
    """
    found = []
    c = counts

    def limit_of(best: int) -> tuple[int, int]:
        """Return the limit that a report names, and the largest number that passes."""
        limit = int(best * at_most / FULL_WARP_OF_WORDS)
        return limit, limit + limit // _PARTED if at_most == FULL_WARP_OF_WORDS else limit

    of_atomics = limit_of(c.global_atomic_sectors_at_best) if atomics is None else (atomics, atomics)
    sides: tuple[tuple[Literal["load", "store", "atomic"], int, int, tuple[int, int]], ...] = (
        ("load", c.global_load_requests, c.global_load_sectors, limit_of(c.global_load_sectors_at_best)),
        ("store", c.global_store_requests, c.global_store_sectors, limit_of(c.global_store_sectors_at_best)),
        ("atomic", c.global_atomic_requests, c.global_atomic_sectors_as_stores, of_atomics),
    )
    for action, requests, sectors, (limit, most) in sides:
        if sectors > most:
            lines = [line for line in traffic if (line.space, line.action) == ("global", action)]
            worst = max(lines, key=lambda line: line.units - line.units_at_best, default=None)
            found.append(Uncoalesced(action=action, sectors=sectors, requests=requests, limit=limit, worst=worst))
    return found
