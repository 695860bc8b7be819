"""What a launch can show, as typed data: one frozen class for each shape of finding. Its wording is up to `report`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Literal, NamedTuple, dataclass_transform, get_args

from .diagnostics import Diagnostic
from .refusal import Refusal

Dim3 = tuple[int, int, int]
Action = Literal["read", "write", "atomic"]
Space = Literal["shared", "global", "device", "constant", "local"]
#: Which threads race: those of one warp, of one block, or of several blocks of a cluster or of the grid.
Scope = Literal["warp", "block", "cluster", "grid"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
Hazard = Literal["read-after-write", "write-after-read", "write-after-write"]
#: What would have waited for an asynchronous copy or a warpgroup's product, or shown it what it reads; empty if there
#: is neither.
Unawaited = Literal[
    "",
    "prior",
    "group",
    "barrier",
    "pipeline",
    "mbarrier",
    "bulk_group",
    "proxy",
    "product",
    "product_proxy",
    "map_proxy",
]


class Kind(StrEnum):
    """The kinds of findings of launches; the value is the name that people see."""

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
    # from its results
    MISMATCH = "Mismatch"


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


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True, kw_only=True)
class Finding:
    """One piece of evidence. Each subclass has one `kind` and adds the fields that it needs.

    `accesses` names the threads involved; the last one completed the finding. `count` is how many elements (or
    threads, for a barrier) show the same finding at the same lines. `stops` says whether the finding ended the
    launch. A class that names an `observer` of the emulator is that of its observations.
    """

    kind: ClassVar[str]
    stops: ClassVar[bool]
    of_observers: ClassVar[dict[str, type[Finding]]] = {}
    accesses: tuple[Access, ...] = ()
    count: int = 1

    def __init_subclass__(cls, kind: str, *, stops: bool = False, observer: str = "") -> None:
        cls.kind, cls.stops = kind, stops
        dataclass(frozen=True, kw_only=True)(cls)
        if observer:
            cls.of_observers[observer] = cls


class CompileError(Finding, kind=Kind.COMPILE_ERROR, stops=True):
    """The text doesn't compile. `log` is the compiler's entire output."""

    messages: tuple[Diagnostic, ...]
    log: str = ""


class ForbiddenCode(Finding, kind=Kind.FORBIDDEN_CODE, stops=True):
    """The text contains something that must not reach a compiler, or did something no kernel may do.

    `construct` is the rejected code; `line` (0: no single line) and `text` are its location.
    """

    construct: str
    line: int
    text: str
    reason: Refusal


class Race(Finding, kind=Kind.RACE):
    """Two unordered accesses (earlier, later) to one element, at least one of them a write.

    `same_value`: both wrote the same value. `atomic`: at least one is atomic. `atomic_bytes`: if both are and change
    different numbers of bytes at once, those numbers; else zeros. `changes`: several threads read the element and write
    it, in one statement or in two, as an increment does. `unawaited`: what would have waited for an asynchronous copy,
    started in `copy_line`, that was still in flight; empty and 0 if there is none. `cached`: the second access reads
    through the read-only cache, so the two race whatever orders them, and may be of one thread. `phases`: the kernel
    arrives or waits at barriers in memory, such as a `cuda::barrier`.
    """

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


class OutOfBounds(Finding, kind=Kind.OUT_OF_BOUNDS, stops=True):
    """An access outside its array, of extents `shape`, by `bytes_outside` bytes."""

    shape: tuple[int, ...]
    bytes_outside: int


class IndexOutOfBounds(Finding, kind=Kind.OUT_OF_BOUNDS, stops=True):
    """An index exceeds `dimension` (from 0), of `extent` elements, of an array of extents `shape`; `accesses[0].index`
    is that index alone."""

    shape: tuple[int, ...]
    extent: int
    dimension: int


class WildAccess(Finding, kind=Kind.OUT_OF_BOUNDS, stops=True):
    """An access to an address in no array, or through a null pointer."""

    address: int

    @property
    def null(self) -> bool:
        """Whether the pointer is null; an element or a member lies a little beyond it."""
        return self.address < 4096


class ReadOnlyWrite(Finding, kind=Kind.OUT_OF_BOUNDS, stops=True):
    """A write to memory that a kernel may only read."""


class EscapedPointer(Finding, kind=Kind.OUT_OF_BOUNDS, stops=True):
    """An access through an escaped shared pointer: it points to block `owner`, and another block uses it."""

    owner: Dim3


class AbsentBlock(Finding, kind=Kind.OUT_OF_BOUNDS, stops=True):
    """An access of the shared memory of another block of the cluster that may not have begun."""


class EndedBlock(Finding, kind=Kind.OUT_OF_BOUNDS):
    """An access of the shared memory of another block of the cluster that may have ended; or of the thread's own block
    (`is_copy`), by a bulk copy that nothing waits for."""

    is_copy: bool = False


class PartlyWritten(NamedTuple):
    """Memory of `size` bytes to which only one call of the host's has written, in `line`: `bytes` bytes, which are the
    first ones if `is_start`."""

    function: str
    line: int
    bytes: int
    size: int
    is_start: bool


class UninitializedRead(Finding, kind=Kind.UNINITIALIZED_READ):
    """A read of memory that nobody has written. `partly` says what has been written of it, if a single call has."""

    partly: PartlyWritten | None = None


class MisalignedAccess(Finding, kind=Kind.MISALIGNED_ACCESS, stops=True):
    """An access of `width` bytes at an address that is `address_mod` bytes past a multiple of `width`."""

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


class BarrierDivergence(Finding, kind=Kind.BARRIER_DIVERGENCE, stops=True):
    """Only some of `threads` threads reached a point where all must meet; `accesses` has one for each `waiting` group.

    `exited` of them have left the kernel. `scope` says whether they form a warp, a block, a cluster, or the grid.
    """

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

    @property
    def of_warpgroup(self) -> bool:
        """Whether some threads wait in an instruction of their warpgroup."""
        return any(group.function.startswith("wgmma.") for group in self.waiting)

    @property
    def of_numbered_barrier(self) -> bool:
        """Whether some threads wait at a barrier that has a number."""
        return any(group.function.startswith("bar.") for group in self.waiting)


class InvalidWarpMask(Finding, kind=Kind.INVALID_WARP_MASK, stops=True):
    """A warp function's `mask` leaves out the participating `lane`, or names it though it doesn't participate."""

    mask: int
    lane: int


class AbsentLane(Finding, kind=Kind.INVALID_WARP_MASK):
    """A shuffle under `mask` asks for the value of `lane`, which doesn't participate; the launch goes on.

    `source` says why: the mask doesn't name it, it has left the kernel, or the block is too small for it.
    """

    mask: int
    lane: int
    source: Literal["unnamed", "left", "absent"]


class StepLimit(Finding, kind=Kind.STEP_LIMIT, stops=True):
    """A launch exceeded its limit on steps, time, output, or memory, or waits for something that can't
    happen ("spin"), or at a barrier in memory that nobody has initialized ("unready"), or only if a block has begun
    that need not have ("other block"). `expected` is how many arrivals the phase of a barrier in memory expects for
    whose end it waits, `missing` how many of these it lacks, and `missing_bytes` how many bytes of bulk copies (below
    0: how many came that it does not expect); all are 0 if it waits for something else. `has_children` says that its
    threads have launched grids."""

    reason: Literal["steps", "time", "output", "memory", "spin", "unready", "other block"]
    expected: int = 0
    missing: int = 0
    missing_bytes: int = 0
    has_children: bool = False


class Crash(Finding, kind=Kind.CRASH, stops=True):
    """A launch ended with an error; `reason` names it."""

    reason: str


class GpuCrash(Finding, kind=Kind.CRASH, stops=True):
    """A GPU ended a launch: the CUDA runtime's error number and message."""

    status: int
    text: str


class DamagedGuard(Finding, kind=Kind.CRASH, stops=True):
    """On a GPU, a kernel wrote `array[index]`, beyond the array's `size` elements."""

    array: str
    index: int
    size: int


class Mismatch(Finding, kind=Kind.MISMATCH):
    """An output differs from numpy's result.

    `output` is its name. `index`, `flat` (the index in one dimension), `got`, and `expected` describe the first
    wrong element, with numbers as text; `got` is "" if the kernel never wrote it and it had no value before the launch.
    `as_before` says that the element, which had one, still has it. `accesses` is what wrote it last, if known.
    `wrong` of `size` elements are wrong, from index `low` to `high`; `unwritten` of them were never changed.
    `tolerance` is how far an element may differ from numpy's. `read_first` is the line that reads the output before
    anything was written to it (0: none). `right_under` says where all is right: in the
    ordinary "order" of the threads; in the first of several launches in a row, where this is another ("again"); or
    where memory that nobody has written holds other bytes ("fill").
    """

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
    as_before: bool = False
    right_under: Literal["", "order", "again", "fill"] = ""
