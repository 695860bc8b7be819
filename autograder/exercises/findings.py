"""What checks find in counts and times, as typed data; `cuda.core.findings` has what launches show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..cuda.core.findings import Finding, Kind
from ..cuda.core.run import LineTraffic
from ..cuda.core.setting import Size

#: What a cell predicts where one number is required: it may be several.
Predicted = float | tuple[float, ...]
#: The kind of several findings about too many accesses.
_EXCESS_TRAFFIC = "ExcessTraffic"


class WrongNumber(Finding, kind=Kind.MISMATCH):
    """A cell's answer for `word` ("operations", "bytes", "intensity") differs from what was `counted`; `answered` may
    be several numbers."""

    word: str
    answered: Predicted
    counted: float


@dataclass(frozen=True)
class MeasuredLaunch:
    """A launch of size `large` that `took` some milliseconds on `machine`, and how long each part alone would take."""

    machine: str
    large: Size
    took: float
    parts: Mapping[str, float]


class WrongLimit(Finding, kind=Kind.MISMATCH):
    """A cell names the wrong part of the GPU as the limit. `answered` is its number, `part` that number's name; empty
    if it has none."""

    answered: Predicted
    part: str
    measured: MeasuredLaunch


class Uncoalesced(Finding, kind="Uncoalesced"):
    """Global loads, stores or atomics move `sectors`, in `requests`, where `limit` sectors are enough.

    `worst` is the line that moves most in vain; None if unknown.
    """

    action: Literal["load", "store", "atomic"]
    sectors: int
    requests: int
    limit: int
    worst: LineTraffic | None = None


class BankConflicts(Finding, kind="BankConflicts"):
    """Accesses of shared memory make `passes` over the banks, where `at_best` would do; `conflicts` of them are more
    than one for a request. `worst` is the line with most passes too many; None if unknown. `action` is "load" or
    "store" if only these are meant."""

    passes: int
    at_best: int
    conflicts: int
    worst: LineTraffic | None = None
    action: str = ""


class ExcessTraffic(Finding, kind=_EXCESS_TRAFFIC):
    """The launch's threads together, or one of them alone (`by_one`), do `measured` times what the field `counted` of
    `Counts` counts, where `limit` would be enough. `atomics` of these are atomic operations, which load and store."""

    counted: str
    measured: int
    limit: int
    atomics: int = 0
    by_one: bool = False


class LoadImbalance(Finding, kind=_EXCESS_TRAFFIC):
    """The load is unbalanced: one thread accesses memory `measured` times, where `limit` would be enough. It does so
    most often, `at_line` times, in the line of `accesses[0]`. All `threads` of the launch access it `total` times."""

    measured: int
    at_line: int
    limit: int
    total: int
    threads: int


class UnsharedLoads(Finding, kind=_EXCESS_TRAFFIC):
    """The busiest thread loads from global memory `measured` times, where `limit` is each thread's part."""

    measured: int
    limit: int


class IdleThreads(Finding, kind=_EXCESS_TRAFFIC):
    """`measured` threads of the launch load from global memory or store there (`action`: "load" or "store"), where the
    task gives `wanted` of them a part."""

    action: Literal["load", "store"]
    measured: int
    wanted: int


class TooSlow(Finding, kind="TooSlow"):
    """A kernel is `measured` times as fast as `baseline`, but must be `needed` times as fast. `naive` and `good` are
    the speeds of the exercise's starting point and of a good solution. `median` and `other` are median times in ms."""

    measured: float
    needed: float
    median: float
    other: float
    naive: float
    good: float
    baseline: str
