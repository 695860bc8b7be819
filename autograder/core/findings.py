"""What a run can find, as typed data: one frozen class for each shape of a finding. Words for people live in `report`.

What checks find in counts, results and times is in `check_findings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Literal, NamedTuple

from .refusal import Refusal

Dim3 = tuple[int, int, int]
Action = Literal["read", "write", "atomic"]
Space = Literal["shared", "global", "device", "constant", "local"]
#: Who races with whom: threads of one warp, of one block, or of several blocks of the grid.
Scope = Literal["warp", "block", "grid"]
Hazard = Literal["read-after-write", "write-after-read", "write-after-write"]


class Kind(StrEnum):
    """Every kind of finding; the value is the name that people see."""

    # from a run
    COMPILE_ERROR = "CompileError"
    FORBIDDEN_CODE = "ForbiddenCode"
    RACE = "Race"
    OUT_OF_BOUNDS = "OutOfBounds"
    UNINITIALIZED_READ = "UninitializedRead"
    MISALIGNED_ACCESS = "MisalignedAccess"
    BARRIER_DIVERGENCE = "BarrierDivergence"
    INVALID_WARP_MASK = "InvalidWarpMask"
    STEP_LIMIT = "StepLimit"
    CRASH = "Crash"
    # from a check
    MISMATCH = "Mismatch"
    UNCOALESCED = "Uncoalesced"
    BANK_CONFLICTS = "BankConflicts"
    EXCESS_TRAFFIC = "ExcessTraffic"
    TOO_SLOW = "TooSlow"


@dataclass(frozen=True)
class Access:
    """One thread at one source line, touching one element.

    `line` counts from 1 in the text that was given to `Kernel`; `text` is that line, stripped.
    `index` has one number for each dimension of `array`; both are empty where no array is
    involved (a thread that waits at a barrier). An array argument has one dimension for the kernel;
    where it has more of them in numpy, `place` is the element's index there.
    """

    block: Dim3
    thread: Dim3
    line: int
    text: str
    action: Action | None = None
    array: str = ""
    index: tuple[int, ...] = ()
    space: Space | None = None
    place: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One piece of evidence. Each subclass belongs to one `kind`, and has fields for what else that needs.

    `accesses` names the threads involved, the one that completed the finding last. `count` is how many elements (or
    threads, for a barrier) show the same finding at the same lines. `stops` says whether the launch could not go on
    after it.
    """

    kind: ClassVar[Kind]
    stops: ClassVar[bool] = False
    accesses: tuple[Access, ...] = ()
    count: int = 1


class Diagnostic(NamedTuple):
    """What a compiler says of a place in a text: line and column from 1 (0: of no place), and its words."""

    line: int
    column: int
    text: str


@dataclass(frozen=True, kw_only=True)
class CompileError(Finding):
    """A text does not compile. `log` is all that the compiler wrote."""

    kind = Kind.COMPILE_ERROR
    stops = True
    messages: tuple[Diagnostic, ...]
    log: str = ""


@dataclass(frozen=True, kw_only=True)
class ForbiddenCode(Finding):
    """A text holds what must not reach a compiler, or did something that no kernel may do.

    `construct` are the words refused, `line` (0: no one line) and `text` where they stand.
    """

    kind = Kind.FORBIDDEN_CODE
    stops = True
    construct: str
    line: int
    text: str
    reason: Refusal


@dataclass(frozen=True, kw_only=True)
class Race(Finding):
    """Two accesses (earlier, later) to one element, one of them a write, with nothing to order them.

    `same_value`: both wrote the same. `atomic`: one is atomic, or both. `changes`: several threads read and write the
    element in one statement. `unawaited`: what would have waited for an asynchronous copy that was still on its way,
    started in `copy_line`; empty and 0 where there is none.
    """

    kind = Kind.RACE
    hazard: Hazard
    scope: Scope
    same_value: bool = False
    atomic: bool = False
    changes: bool = False
    unawaited: Literal["", "prior", "group", "barrier", "pipeline"] = ""
    copy_line: int = 0


@dataclass(frozen=True, kw_only=True)
class OutOfBounds(Finding):
    """An access leaves its array, of extents `shape`, by `bytes_outside` bytes."""

    kind = Kind.OUT_OF_BOUNDS
    stops = True
    shape: tuple[int, ...]
    bytes_outside: int


@dataclass(frozen=True, kw_only=True)
class IndexOutOfBounds(Finding):
    """An index leaves `dimension` (from 0), of `extent` elements, of an array of extents `shape`; `accesses[0].index`
    is that one index."""

    kind = Kind.OUT_OF_BOUNDS
    stops = True
    shape: tuple[int, ...]
    extent: int
    dimension: int


@dataclass(frozen=True, kw_only=True)
class WildAccess(Finding):
    """An access at an address in no array, or (`null`) through a null pointer."""

    kind = Kind.OUT_OF_BOUNDS
    stops = True
    null: bool


@dataclass(frozen=True, kw_only=True)
class ReadOnlyWrite(Finding):
    """A write to what a kernel may only read."""

    kind = Kind.OUT_OF_BOUNDS
    stops = True


@dataclass(frozen=True, kw_only=True)
class EscapedPointer(Finding):
    """An access through a pointer to the shared memory of block `owner`, from another block."""

    kind = Kind.OUT_OF_BOUNDS
    stops = True
    owner: Dim3


@dataclass(frozen=True, kw_only=True)
class UninitializedRead(Finding):
    """A read of what no thread has written."""

    kind = Kind.UNINITIALIZED_READ


@dataclass(frozen=True, kw_only=True)
class MisalignedAccess(Finding):
    """An access of `width` bytes at an address that lies `address_mod` bytes after a multiple of that."""

    kind = Kind.MISALIGNED_ACCESS
    stops = True
    width: int
    address_mod: int


class Waiting(NamedTuple):
    """`threads` threads wait in `line`, whose stripped text is `text`: at a barrier, or in the warp function
    `function`."""

    line: int
    text: str
    threads: int
    function: str = ""


@dataclass(frozen=True, kw_only=True)
class BarrierDivergence(Finding):
    """Only some of `threads` threads came where all wait for each other; `accesses` has one of each `waiting` group.

    `exited` have left the kernel. `scope` says whether they are those of a warp, a block or the grid.
    """

    kind = Kind.BARRIER_DIVERGENCE
    stops = True
    waiting: tuple[Waiting, ...]
    exited: int
    threads: int
    scope: Scope

    @property
    def in_warp_function(self) -> bool:
        """Whether some threads wait in a shuffle or vote, and not at a barrier."""
        return any(group.function for group in self.waiting)


@dataclass(frozen=True, kw_only=True)
class InvalidWarpMask(Finding):
    """A warp function is called with a `mask` that leaves out `lane`, or names it though it takes no part."""

    kind = Kind.INVALID_WARP_MASK
    stops = True
    mask: int
    lane: int


@dataclass(frozen=True, kw_only=True)
class AbsentLane(Finding):
    """A shuffle under `mask` asks for the value of `lane`, which takes no part in it; the launch goes on.

    `source` says why: the mask does not name it, it has left the kernel, or the block ends before it.
    """

    kind = Kind.INVALID_WARP_MASK
    mask: int
    lane: int
    source: Literal["unnamed", "left", "absent"]


@dataclass(frozen=True, kw_only=True)
class StepLimit(Finding):
    """A launch did not end within its steps, time or output, or ("spin") waits for what can come no more."""

    kind = Kind.STEP_LIMIT
    stops = True
    reason: Literal["steps", "time", "output", "spin"]


@dataclass(frozen=True, kw_only=True)
class Crash(Finding):
    """A launch ended with an error; `reason` names it."""

    kind = Kind.CRASH
    stops = True
    reason: str


@dataclass(frozen=True, kw_only=True)
class GpuCrash(Finding):
    """A GPU ended a launch: the CUDA runtime's error number, and what it says of it."""

    kind = Kind.CRASH
    stops = True
    status: int
    text: str


@dataclass(frozen=True, kw_only=True)
class DamagedGuard(Finding):
    """On a GPU, a kernel wrote `array[index]`, where the array has `size` elements."""

    kind = Kind.CRASH
    stops = True
    array: str
    index: int
    size: int
