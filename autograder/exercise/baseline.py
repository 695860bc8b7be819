"""What a kernel's speed is measured against, and how much of it an exercise asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..core.launch import Launch, prepare
from ..errors import GraderFault, UsageError
from .declaration import Case


@dataclass(frozen=True)
class Baseline:
    """Another kernel for the same arguments; cuBLAS' product of matrices where `source` is left out.

    Args:
        name: what a report calls it. Where there is a `source`, also the kernel's name in it; may be a
            template instance.
        source: CUDA C++ text.
        launch: `launch(**size)` returns a dict with `grid`, `block` and, where it is needed, `shared_mem`;
            left out, the baseline is launched as the exercise's case says.
    """

    name: str = "cuBLAS"
    source: str = ""
    launch: Callable[..., Mapping[str, Any]] | None = None

    def prepare(self, case: Case, size: Mapping[str, Any], own: Launch) -> Launch:
        """The launch of this baseline with the arguments of `case`; for cuBLAS `own`, of which it takes the
        arguments.

        Raises:
            GraderFault: it does not fit the case.
        """
        if not self.source:
            return own
        given: dict[str, Any] = {"grid": case.grid, "block": case.block, "shared_mem": case.shared_mem}
        try:
            if self.launch is not None:
                given |= self.launch(**size)
            return prepare(self.source, self.name, args=case.launch_args(), **given)
        except (UsageError, TypeError) as error:
            raise GraderFault(f"The baseline {self.name} cannot be launched: {error}") from error


@dataclass(frozen=True)
class Speed:
    """How fast an answer must be: all factors are "times as fast as the baseline", measured in one run.

    Args:
        size: the size at which it is measured; large enough that a launch takes a tenth of a millisecond.
        needed: what passes.
        good: what a good solution reaches.
        naive: what the exercise begins with.
        baseline: the kernel to compare with.
        rounds: how many launches of each are timed, each with fresh inputs.
    """

    size: Mapping[str, Any]
    needed: float
    good: float
    naive: float
    baseline: Baseline = Baseline()
    rounds: int = 7

    def __post_init__(self) -> None:
        if not 0 < self.naive <= self.needed <= self.good:
            raise GraderFault(
                f"Speed: naive={self.naive}, needed={self.needed} and good={self.good} must be positive and in "
                "this order."
            )
        if self.rounds < 3:
            raise GraderFault(f"Speed: rounds={self.rounds} must be at least 3, or else a median says nothing.")
