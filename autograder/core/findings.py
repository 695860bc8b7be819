"""What a run can find, as typed data: one frozen class for each shape of finding. Its wording is up to `report`.

`check_findings` has what checks find in counts, results, and times.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Literal, NamedTuple, get_args

from .refusal import Refusal

Dim3 = tuple[int, int, int]
Action = Literal["read", "write", "atomic"]
Space = Literal["shared", "global", "device", "constant", "local"]
#: Which threads race: those of one warp, of one block, or of several blocks of a cluster or of the grid.
Scope = Literal["warp", "block", "cluster", "grid"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
Hazard = Literal["read-after-write", "write-after-read", "write-after-write"]
#: What would have waited for an asynchronous copy; empty if there is none.
Unawaited = Literal["", "prior", "group", "barrier", "pipeline"]


class Kind(StrEnum):
    """Every kind of finding; the value is the name that people see."""

    # from a run
    COMPILE_ERROR = "CompileError"
    FORBIDDEN_CODE = "ForbiddenCode"
    RACE = "Race"
    BARRIER_DIVERGENCE = "BarrierDivergence"
    INVALID_WARP_MASK = "InvalidWarpMask"
    OUT_OF_BOUNDS = "OutOfBounds"
    MISALIGNED_ACCESS = "MisalignedAccess"
    UNINITIALIZED_READ = "UninitializedRead"
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
    """One thread accessing one element at one source line.

    `line` counts from 1 in the text that was given to `Kernel`; `text` is that line, stripped.
    `index` has one number for each dimension of `array`; both are empty if no array is involved
    (a thread that waits at a barrier). To the kernel, an array argument has one dimension; if it
    has more in numpy, `place` is the element's index there. `owner` is the block whose shared memory it is, where that
    is another block of the cluster.
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
    owner: Dim3 | None = None


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One piece of evidence. Each subclass has one `kind` and adds the fields that it needs.

    `accesses` names the threads involved; the last one completed the finding. `count` is how many elements (or
    threads, for a barrier) show the same finding at the same lines. `stops` says whether the finding ended the
    launch.
    """

    kind: ClassVar[Kind]
    stops: ClassVar[bool] = False
    accesses: tuple[Access, ...] = ()
    count: int = 1


class Diagnostic(NamedTuple):
    """A compiler message: line and column in the text from 1 (0: no location), and the message's text."""

    line: int
    column: int
    text: str


@dataclass(frozen=True, kw_only=True)
class CompileError(Finding):
    """The text doesn't compile. `log` is the compiler's entire output."""

    kind = Kind.COMPILE_ERROR
    stops = True
    messages: tuple[Diagnostic, ...]
    log: str = ""


@dataclass(frozen=True, kw_only=True)
class ForbiddenCode(Finding):
    """The text contains something that must not reach a compiler, or did something no kernel may do.

    `construct` is the rejected code; `line` (0: no single line) and `text` are its location.
    """

    kind = Kind.FORBIDDEN_CODE
    stops = True
    construct: str
    line: int
    text: str
    reason: Refusal


@dataclass(frozen=True, kw_only=True)
class Race(Finding):
    """Two unordered accesses (earlier, later) to one element, at least one of them a write.

    `same_value`: both wrote the same value. `atomic`: at least one is atomic. `atomic_bytes`: if both are and change
    different numbers of bytes at once, those numbers; else zeros. `changes`: several threads read the element and write
    it, in one statement or in two, as an increment does. `unawaited`: what would have waited for an asynchronous copy,
    started in `copy_line`, that was still in flight; empty and 0 if there is none. `cached`: the second access reads
    through the read-only cache, so the two race whatever orders them, and may be of one thread. `phases`: the kernel
    has barriers that lie in memory, such as a `cuda::barrier`.
    """

    kind = Kind.RACE
    hazard: Hazard
    scope: Scope
    same_value: bool = False
    atomic: bool = False
    atomic_bytes: tuple[int, int] = (0, 0)
    changes: bool = False
    unawaited: Unawaited = ""
    copy_line: int = 0
    cached: bool = False
    phases: bool = False


@dataclass(frozen=True, kw_only=True)
class OutOfBounds(Finding):
    """An access outside its array, of extents `shape`, by `bytes_outside` bytes."""

    kind = Kind.OUT_OF_BOUNDS
    stops = True
    shape: tuple[int, ...]
    bytes_outside: int


@dataclass(frozen=True, kw_only=True)
class IndexOutOfBounds(Finding):
    """An index exceeds `dimension` (from 0), of `extent` elements, of an array of extents `shape`; `accesses[0].index`
    is that index alone."""

    kind = Kind.OUT_OF_BOUNDS
    stops = True
    shape: tuple[int, ...]
    extent: int
    dimension: int


@dataclass(frozen=True, kw_only=True)
class WildAccess(Finding):
    """An access to an address in no array, or through a null pointer."""

    kind = Kind.OUT_OF_BOUNDS
    stops = True
    address: int

    @property
    def null(self) -> bool:
        """Whether the pointer is null; an element or a member lies a little beyond it."""
        return self.address < 4096


@dataclass(frozen=True, kw_only=True)
class ReadOnlyWrite(Finding):
    """A write to memory that a kernel may only read."""

    kind = Kind.OUT_OF_BOUNDS
    stops = True


@dataclass(frozen=True, kw_only=True)
class EscapedPointer(Finding):
    """An access through an escaped shared pointer: it points to block `owner`, and another block uses it."""

    kind = Kind.OUT_OF_BOUNDS
    stops = True
    owner: Dim3


@dataclass(frozen=True, kw_only=True)
class AbsentBlock(Finding):
    """An access of the shared memory of another block of the cluster that may not have begun."""

    kind = Kind.OUT_OF_BOUNDS
    stops = True


@dataclass(frozen=True, kw_only=True)
class EndedBlock(Finding):
    """An access of the shared memory of another block of the cluster that may have ended."""

    kind = Kind.OUT_OF_BOUNDS


class PartlyWritten(NamedTuple):
    """Memory of `size` bytes to which only one call of the host's has written, in `line`: `bytes` bytes, which are the
    first ones if `is_start`."""

    function: str
    line: int
    bytes: int
    size: int
    is_start: bool


@dataclass(frozen=True, kw_only=True)
class UninitializedRead(Finding):
    """A read of memory that nobody has written. `partly` says what has been written of it, if a single call has."""

    kind = Kind.UNINITIALIZED_READ
    partly: PartlyWritten | None = None


@dataclass(frozen=True, kw_only=True)
class MisalignedAccess(Finding):
    """An access of `width` bytes at an address that is `address_mod` bytes past a multiple of `width`."""

    kind = Kind.MISALIGNED_ACCESS
    stops = True
    width: int
    address_mod: int


class Waiting(NamedTuple):
    """`threads` threads wait in `line`, whose stripped text is `text`: at a barrier, or in the warp function
    `function`. If others wait at the same one, but came there by other calls, `line` is that of the call, and `inside`
    that of the barrier."""

    line: int
    text: str
    threads: int
    function: str = ""
    inside: int = 0


@dataclass(frozen=True, kw_only=True)
class BarrierDivergence(Finding):
    """Only some of `threads` threads reached a point where all must meet; `accesses` has one for each `waiting` group.

    `exited` of them have left the kernel. `scope` says whether they form a warp, a block, a cluster, or the grid.
    """

    kind = Kind.BARRIER_DIVERGENCE
    stops = True
    waiting: tuple[Waiting, ...]
    exited: int
    threads: int
    scope: Scope

    @property
    def in_warp_function(self) -> bool:
        """Whether some threads wait in a function of their warp rather than at a barrier."""
        return any(group.function for group in self.waiting)

    @property
    def of_matrices(self) -> bool:
        """Whether some threads wait to load, store or multiply matrices as a warp."""
        return any("matrix" in group.function or "mma" in group.function for group in self.waiting)


@dataclass(frozen=True, kw_only=True)
class InvalidWarpMask(Finding):
    """A warp function's `mask` leaves out the participating `lane`, or names it though it doesn't participate."""

    kind = Kind.INVALID_WARP_MASK
    stops = True
    mask: int
    lane: int


@dataclass(frozen=True, kw_only=True)
class AbsentLane(Finding):
    """A shuffle under `mask` asks for the value of `lane`, which doesn't participate; the launch goes on.

    `source` says why: the mask doesn't name it, it has left the kernel, or the block is too small for it.
    """

    kind = Kind.INVALID_WARP_MASK
    mask: int
    lane: int
    source: Literal["unnamed", "left", "absent"]


@dataclass(frozen=True, kw_only=True)
class StepLimit(Finding):
    """A launch exceeded its limit on steps, time, output, or memory, or waits for something that can't
    happen ("spin"), or only if a block has begun that need not have ("other block"). `expected` is how many
    arrivals the phase of a `cuda::barrier` expects for whose end it waits, `missing` how many of these it lacks; both
    are 0 if it waits for something else."""

    kind = Kind.STEP_LIMIT
    stops = True
    reason: Literal["steps", "time", "output", "memory", "spin", "other block"]
    expected: int = 0
    missing: int = 0


@dataclass(frozen=True, kw_only=True)
class Crash(Finding):
    """A launch ended with an error; `reason` names it."""

    kind = Kind.CRASH
    stops = True
    reason: str


@dataclass(frozen=True, kw_only=True)
class GpuCrash(Finding):
    """A GPU ended a launch: the CUDA runtime's error number and message."""

    kind = Kind.CRASH
    stops = True
    status: int
    text: str


@dataclass(frozen=True, kw_only=True)
class DamagedGuard(Finding):
    """On a GPU, a kernel wrote `array[index]`, beyond the array's `size` elements."""

    kind = Kind.CRASH
    stops = True
    array: str
    index: int
    size: int
