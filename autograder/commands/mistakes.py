"""Groups findings that one mistake causes, so that a report describes each mistake once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from ..checks.races import obscurity
from ..core.findings import Finding, Race
from ..report.races import cause_of_race

T = TypeVar("T")


def by_mistake(found: Iterable[T], finding_of: Callable[[T], Finding], site: Callable[[T], Hashable]) -> list[list[T]]:
    """Group what was `found` by mistake, in order of first appearance and with the clearest of each group first: races
    at the same `site` that share a cause are one mistake, and any other finding is a mistake by itself."""
    groups: dict[Hashable, list[T]] = {}
    for at, one in enumerate(found):
        finding = finding_of(one)
        groups.setdefault((site(one), cause_of_race(finding)) if isinstance(finding, Race) else at, []).append(one)
    return [sorted(group, key=lambda one: _clearness(finding_of(one))) for group in groups.values()]


def _clearness(finding: Finding) -> tuple[object, ...]:
    """Return a key that sorts the findings of one mistake: by how much they explain, then by how near the lines are to
    each other, then by line."""
    if not isinstance(finding, Race):
        return ()
    first, second = finding.accesses
    return (*obscurity(finding), abs(first.line - second.line), min(first.line, second.line))
