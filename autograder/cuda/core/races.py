"""Races: do any two threads access one element, at least one writing, with nothing to order them?"""

from __future__ import annotations

from .findings import Finding, Race
from .run import Run


def find_races(run: Run) -> list[Race]:
    """The data races that `run` recorded, in order of how much they explain.

    Reading data that an asynchronous copy has not yet delivered comes before the copy's own races.
    Races between warps of a block come before those within a warp: a missing __syncthreads()
    usually shows as both, and the first kind leads to the right rule. If several threads change
    an element in one statement, the pair of writes comes first, for the same reason.
    """
    return sorted((f for f in run.findings if isinstance(f, Race)), key=obscurity)


def clearest_first(run: Run) -> tuple[Finding, ...]:
    """Return all findings of `run`: the races in the order of `find_races`, then the others."""
    return (*find_races(run), *(finding for finding in run.findings if not isinstance(finding, Race)))


def obscurity(race: Race) -> tuple[bool, ...]:
    """Return a key that sorts races as `find_races` does."""
    first, second = race.accesses
    one_line = first.line == second.line
    return (
        not race.unawaited,
        race.scope == "warp",
        race.same_value,
        one_line and race.hazard != "write-after-write",
    )
