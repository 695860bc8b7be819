"""The records of an answer (`emulator/protocol.json`); `cuda/compiler/protocol_records.py` makes this."""

from __future__ import annotations

from dataclasses import dataclass

from .counts import Counts
from .enumerations import Action, Limit, Missing, Scope, Space, Unawaited, Wait


@dataclass(frozen=True, kw_only=True)
class Location:
    block: int = 0
    thread: int = 0
    site: int = 0


@dataclass(frozen=True, kw_only=True)
class OutOfBounds:
    variable: int
    offset: int
    size: int
    action: Action
    at: Location
    owner: int


@dataclass(frozen=True, kw_only=True)
class EscapedPointer:
    owner: int
    variable: int
    offset: int
    size: int
    action: Action
    at: Location


@dataclass(frozen=True, kw_only=True)
class AbsentBlock:
    owner: int
    variable: int
    offset: int
    action: Action
    at: Location


@dataclass(frozen=True, kw_only=True)
class EndedBlock:
    owner: int
    variable: int
    offset: int
    action: Action
    at: Location


@dataclass(frozen=True, kw_only=True)
class WildAccess:
    address: int
    action: Action
    at: Location


@dataclass(frozen=True, kw_only=True)
class IndexOutOfBounds:
    line: int
    column: int
    index: int
    type: str
    at: Location


@dataclass(frozen=True, kw_only=True)
class LocalOutOfBounds:
    local: str
    offset: int
    size: int
    action: Action
    at: Location


@dataclass(frozen=True, kw_only=True)
class MisalignedAccess:
    variable: int
    offset: int
    size: int
    modulo: int
    action: Action
    at: Location
    owner: int


@dataclass(frozen=True, kw_only=True)
class ReadOnlyWrite:
    variable: int
    offset: int
    action: Action
    at: Location


@dataclass(frozen=True, kw_only=True)
class InvalidWarpMask:
    mask: int
    lane: int
    at: Location


@dataclass(frozen=True, kw_only=True)
class Waiting:
    count: int
    function: str
    at: Location
    call: Location | None


@dataclass(frozen=True, kw_only=True)
class BarrierDivergence:
    scope: Scope
    threads: int
    exited: int
    sites: list[Waiting]


@dataclass(frozen=True, kw_only=True)
class Element:
    variable: int = 0
    offset: int = 0


@dataclass(frozen=True, kw_only=True)
class Spin:
    element: Element | None
    expected: int
    missing: int
    bytes: int
    unready: bool
    at: Location


@dataclass(frozen=True, kw_only=True)
class StepLimit:
    limit: Limit
    at: Location | None


@dataclass(frozen=True, kw_only=True)
class ForbiddenCall:
    at: Location | None


@dataclass(frozen=True, kw_only=True)
class Trap:
    assertion: str
    at: Location | None


@dataclass(frozen=True, kw_only=True)
class Crash:
    reason: str
    at: Location | None


@dataclass(frozen=True, kw_only=True)
class ChildLaunch:
    number: int
    kernel: int
    grid_x: int
    grid_y: int
    grid_z: int
    block_x: int
    block_y: int
    block_z: int
    shared: int
    arguments: str
    stream: int
    error: int
    escaped: int
    space: Space
    at: Location


@dataclass(frozen=True, kw_only=True)
class ChildCopy:
    number: int
    to: int
    source: int
    bytes: int
    fills: bool
    stream: int
    error: int
    at: Location


@dataclass(frozen=True, kw_only=True)
class ChildRace:
    launch: int
    address: int
    action: Action
    writes: bool
    at: Location


@dataclass(frozen=True, kw_only=True)
class RacingAccess:
    action: Action
    bytes: int
    at: Location


@dataclass(frozen=True, kw_only=True)
class Race:
    first: RacingAccess
    second: RacingAccess
    variable: int
    offset: int
    count: int
    same_value: bool
    tied: bool
    unawaited: Unawaited
    wait: Wait
    owner: int


@dataclass(frozen=True, kw_only=True)
class StaleRead:
    write: RacingAccess
    at: Location
    variable: int
    offset: int
    count: int


@dataclass(frozen=True, kw_only=True)
class UninitializedRead:
    variable: int
    offset: int
    count: int
    at: Location
    owner: int


@dataclass(frozen=True, kw_only=True)
class LocalRead:
    local: str
    offset: int
    count: int
    at: Location


@dataclass(frozen=True, kw_only=True)
class AbsentLane:
    mask: int
    lane: int
    source: Missing
    at: Location


@dataclass(frozen=True, kw_only=True)
class Observation:
    observer: str
    what: str
    count: int
    at: Location


@dataclass(frozen=True, kw_only=True)
class SiteUses:
    site: int = 0
    uses: int = 0


@dataclass(frozen=True, kw_only=True)
class ThreadWork:
    uses: int
    block: int
    thread: int
    together: int
    shared_out: int
    blocks: int
    global_loads: int
    global_atomics: int
    loading: int
    storing: int
    sites: list[SiteUses]


@dataclass(frozen=True, kw_only=True)
class SiteTraffic:
    site: int
    space: Space
    action: Action
    requests: int
    units: int
    conflicts: int
    units_at_best: int


@dataclass(frozen=True, kw_only=True)
class TouchedArray:
    variable: int = 0
    bytes: int = 0


@dataclass(frozen=True, kw_only=True)
class Answer:
    stop: Stop | None
    races: list[Race]
    stale_reads: list[StaleRead]
    ended_blocks: list[EndedBlock]
    uninitialized: list[UninitializedRead]
    local_reads: list[LocalRead]
    saw_uninitialized: bool
    writes_held: bool
    lets_begin: bool
    launches: list[ChildLaunch]
    copies: list[ChildCopy]
    child_races: list[ChildRace]
    no_values: list[AbsentLane]
    observations: list[Observation]
    counts: Counts
    maximum_work: ThreadWork | None
    traffic: list[SiteTraffic]
    touched_shared: list[TouchedArray]
    traced: int
    ended: int
    enough: bool
    printed: str


Stop = (
    OutOfBounds
    | EscapedPointer
    | AbsentBlock
    | WildAccess
    | IndexOutOfBounds
    | LocalOutOfBounds
    | MisalignedAccess
    | ReadOnlyWrite
    | InvalidWarpMask
    | BarrierDivergence
    | Spin
    | StepLimit
    | ForbiddenCall
    | Trap
    | Crash
)
