"""The baseline of a kernel's speed, and how many times that speed an exercise asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...cuda.core.launch import Launch
from ...cuda.core.setting import Size
from ...cuda.errors import GraderFault, UsageError
from ...cuda.kernel import Kernel
from .declaration import Case


@dataclass(frozen=True)
class Baseline:
    """Another kernel for the same arguments; cuBLAS's matrix product if `source` is left out.

    Args:
        name: its name in reports. If there is a `source`, also the kernel's name in it; may be a
            template instance.
        source: CUDA C++ text.
        launch: `launch(**size)` returns a dict with `grid`, `block` and, if needed, `shared_mem`; by
            default the baseline is launched as the exercise's case says.
    """

    name: str = "cuBLAS"
    source: str = ""
    launch: Callable[..., Mapping[str, Any]] | None = None

    def prepare(self, case: Case, size: Size, launch: Launch) -> Launch:
        """Return the launch of this baseline with the arguments of `case`; for cuBLAS it is `launch`, whose arguments
        it takes.

        Raises:
            GraderFault: it does not fit the case, or does not compile.
        """
        if not self.source:
            return launch
        given: dict[str, Any] = {"grid": case.grid, "block": case.block, "shared_mem": case.shared_mem}
        try:
            if self.launch is not None:
                given |= self.launch(**size)
            baseline = Kernel(self.source, self.name).prepare(args=case.launch_args(), **given)
        except (UsageError, TypeError) as error:
            raise GraderFault(f"The baseline {self.name} cannot be launched: {error}") from error
        if baseline.refusal:
            raise GraderFault(f"The baseline {self.name} does not compile: {baseline.refusal}")
        return baseline


@dataclass(frozen=True)
class Speed:
    """How fast an answer must be: all factors are "times as fast as the baseline", measured in one run.

    Args:
        size: the size at which it is measured; large enough that a launch takes a tenth of a millisecond.
        needed: the factor that passes.
        good: the factor that a good solution reaches.
        naive: the factor of the kernel that the exercise begins with.
        baseline: the kernel to compare with.
        rounds: how many launches of each are timed, each with fresh inputs.
    """

    size: Size
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
