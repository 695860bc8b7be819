"""What checks find in the results, counts and times of a run, as typed data; see `findings`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .findings import Finding, Kind
from .run import LineTraffic

#: What a launch can do too often; the first four are accesses of all its threads together.
ExcessAction = Literal["load", "store", "atomic", "shared load", "barrier"]


@dataclass(frozen=True, kw_only=True)
class Mismatch(Finding):
    """An output is not what numpy says.

    `output` is its name. `index`, `flat` (the index in one dimension), `got` and `expected` tell of the first wrong
    element, numbers as text; `got` is "" where it still holds what it held before the launch. `wrong` of `size`
    elements are wrong, from index `low` to `high`; `unwritten` of them hold what they held. `tolerance` is how far an
    element may lie from numpy's. `read_first` is the line that reads the output before anything was written to it
    (0: none).
    """

    kind = Kind.MISMATCH
    output: str
    index: tuple[int, ...]
    flat: int
    got: str
    expected: str
    wrong: int
    size: int
    low: tuple[int, ...]
    high: tuple[int, ...]
    unwritten: int
    tolerance: float
    read_first: int = 0


@dataclass(frozen=True, kw_only=True)
class WrongNumber(Finding):
    """A cell says of `word` ("operations", "bytes", "intensity") what is not what was `counted`; `said` may be several
    numbers."""

    kind = Kind.MISMATCH
    word: str
    said: Any
    counted: float


@dataclass(frozen=True)
class MeasuredLaunch:
    """A launch of size `large` that `took` some milliseconds on `machine`, and those that each part alone would."""

    machine: str
    large: Mapping[str, Any]
    took: float
    parts: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class WrongLimit(Finding):
    """A cell names another part as the limit than the one that takes longest. `said` is its number, `part` the part of
    that number; empty if there is none."""

    kind = Kind.MISMATCH
    said: Any
    part: str
    measured: MeasuredLaunch


@dataclass(frozen=True, kw_only=True)
class Uncoalesced(Finding):
    """Global loads, or stores, take more than `limit` sectors a request on average: `sectors` in `requests`.

    `worst` is the line that takes most sectors beyond the limit; None where it is not known.
    """

    kind = Kind.UNCOALESCED
    action: Literal["load", "store"]
    sectors: int
    requests: int
    limit: float
    worst: LineTraffic | None = None

    @property
    def measured(self) -> float:
        """Sectors a request."""
        return self.sectors / self.requests


@dataclass(frozen=True, kw_only=True)
class BankConflicts(Finding):
    """Shared loads or stores need more than one pass over the banks. `worst` is the line with most conflicts; None
    where it is not known."""

    kind = Kind.BANK_CONFLICTS
    load_conflicts: int
    load_requests: int
    store_conflicts: int
    store_requests: int
    worst: LineTraffic | None = None


@dataclass(frozen=True, kw_only=True)
class ExcessTraffic(Finding):
    """All threads together do `action` `measured` times, where `limit` are enough."""

    kind = Kind.EXCESS_TRAFFIC
    action: ExcessAction
    measured: int
    limit: int


@dataclass(frozen=True, kw_only=True)
class UnsharedWork(Finding):
    """One thread uses memory `measured` times, where `limit` are enough: most often, `at_line` times, in the line of
    `accesses[0]`. The launch's `threads` use it `total` times together."""

    kind = Kind.EXCESS_TRAFFIC
    measured: int
    at_line: int
    limit: int
    total: int
    threads: int


@dataclass(frozen=True, kw_only=True)
class TooSlow(Finding):
    """A kernel is `measured` times as fast as `baseline`, and `needed` are asked for; `naive` and `good` are what the
    exercise begins with and what a good solution reaches. `own` and `other` are median times in milliseconds."""

    kind = Kind.TOO_SLOW
    measured: float
    needed: float
    own: float
    other: float
    naive: float
    good: float
    baseline: str
