"""CUDA exercises that check themselves. This module is the package's whole public API.

    from autograder import Kernel

    kernel = Kernel(source, name="reverse")
    run = kernel.emulate(grid=1, block=64, args=[array, 64])
    run.outputs, run.findings, run.counts

In a notebook: `%load_ext autograder`, then `exercise`, `%%cuda name` and `check`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cuda.core.findings import Access, Finding, Kind
    from .cuda.core.run import Counterexample, Counts, Run
    from .cuda.errors import GraderFault, UsageError
    from .cuda.kernel import Kernel, KernelError
    from .cuda.performance.roofline import Machine
    from .cuda.performance.timing import Timing, time_kernel
    from .exercises.declarations.baseline import Baseline, Speed
    from .exercises.declarations.declaration import Case, InOut, Output
    from .exercises.declarations.domain import one_of, power_of_two, whole
    from .exercises.declarations.program import ProgramCase
    from .exercises.declarations.values import ceil_div
    from .exercises.notebook.session import default as _session

    exercise = _session.exercise
    check = _session.check
    hidden_cases = _session.hidden_cases
    prediction = _session.prediction
    program = _session.program

#: The public names by module. A module is imported when one of its names is first used, so a command starts without
#: those that it does not need.
_NAMES = {
    "cuda.core.findings": ("Access", "Finding", "Kind"),
    "cuda.core.run": ("Counterexample", "Counts", "Run"),
    "cuda.errors": ("GraderFault", "UsageError"),
    "exercises.declarations.baseline": ("Baseline", "Speed"),
    "exercises.declarations.declaration": ("Case", "InOut", "Output"),
    "exercises.declarations.domain": ("one_of", "power_of_two", "whole"),
    "exercises.declarations.program": ("ProgramCase",),
    "exercises.declarations.values": ("ceil_div",),
    "cuda.kernel": ("Kernel", "KernelError"),
    "cuda.performance.roofline": ("Machine",),
    "cuda.performance.timing": ("Timing", "time_kernel"),
}
_OF_SESSION = ("exercise", "check", "hidden_cases", "prediction", "program")


def __getattr__(name: str) -> Any:
    if name in _OF_SESSION:
        return getattr(import_module(".exercises.notebook.session", __name__).default, name)
    for module, names in _NAMES.items():
        if name in names:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]


def load_ipython_extension(shell: Any) -> None:
    """Set up the notebook's magics and checks; IPython calls this for `%load_ext autograder`."""
    from .exercises.notebook.magic import load

    load(shell)


__all__ = [
    "Access",
    "Baseline",
    "Case",
    "Counterexample",
    "Counts",
    "Finding",
    "GraderFault",
    "InOut",
    "Kernel",
    "KernelError",
    "Kind",
    "Machine",
    "Output",
    "ProgramCase",
    "Run",
    "Speed",
    "Timing",
    "UsageError",
    "ceil_div",
    "check",
    "exercise",
    "hidden_cases",
    "load_ipython_extension",
    "one_of",
    "power_of_two",
    "prediction",
    "program",
    "time_kernel",
    "whole",
]
