"""What a run or a check can find, as plain data. Sentences for people live in `report`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal

Dim3 = tuple[int, int, int]
Action = Literal["read", "write", "atomic"]
#: What the compiler says of a text that compiles: line and column (from 1), and its words.
Remark = tuple[int, int, str]
Space = Literal["shared", "global", "device", "constant", "local"]


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
    # ours
    GRADER_FAULT = "GraderFault"


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


@dataclass(frozen=True)
class Finding:
    """One piece of evidence.

    `accesses` names the threads involved, the one that completed the finding last: for a race,
    (earlier, later). `count` is how many elements (or threads, for a barrier) show the same
    finding at the same lines. `detail` holds what else the kind needs; its keys are listed in
    `docs` of each producer.
    """

    kind: Kind
    accesses: tuple[Access, ...] = ()
    count: int = 1
    detail: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def stops(self) -> bool:
        """Whether the launch could not go on after this finding. (After a shuffle from a lane that takes no part
        in it, which has a `source` in its detail, it did.)"""
        return self.kind in _STOPPING and "source" not in self.detail


_STOPPING = frozenset(
    {
        Kind.COMPILE_ERROR,
        Kind.FORBIDDEN_CODE,
        Kind.OUT_OF_BOUNDS,
        Kind.MISALIGNED_ACCESS,
        Kind.BARRIER_DIVERGENCE,
        Kind.INVALID_WARP_MASK,
        Kind.STEP_LIMIT,
        Kind.CRASH,
    }
)
