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
    from .core.findings import Access, Finding, Kind
    from .core.run import Counterexample, Counts, Run
    from .errors import GraderFault, UsageError
    from .exercise.baseline import Baseline, Speed
    from .exercise.declaration import Case, InOut, Output
    from .exercise.domain import one_of, power_of_two, whole
    from .exercise.program import ProgramCase
    from .exercise.values import ceil_div
    from .kernel import Kernel, KernelError
    from .notebook.session import default as _session
    from .performance.roofline import Machine
    from .performance.timing import Timing, time_kernel

    exercise = _session.exercise
    check = _session.check
    hidden_cases = _session.hidden_cases
    prediction = _session.prediction
    program = _session.program

#: The public names by module. A module is imported when one of its names is first used, so a command starts without
#: those that it does not need.
_NAMES = {
    "core.findings": ("Access", "Finding", "Kind"),
    "core.run": ("Counterexample", "Counts", "Run"),
    "errors": ("GraderFault", "UsageError"),
    "exercise.baseline": ("Baseline", "Speed"),
    "exercise.declaration": ("Case", "InOut", "Output"),
    "exercise.domain": ("one_of", "power_of_two", "whole"),
    "exercise.program": ("ProgramCase",),
    "exercise.values": ("ceil_div",),
    "kernel": ("Kernel", "KernelError"),
    "performance.roofline": ("Machine",),
    "performance.timing": ("Timing", "time_kernel"),
}
_OF_SESSION = ("exercise", "check", "hidden_cases", "prediction", "program")

# Importing a room makes it an attribute of this module, once. `exercise` is to be the function.
import_module(".exercise", __name__)
del globals()["exercise"]


def __getattr__(name: str) -> Any:
    if name in _OF_SESSION:
        return getattr(import_module(".notebook.session", __name__).default, name)
    for module, names in _NAMES.items():
        if name in names:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]


def load_ipython_extension(shell: Any) -> None:
    """Set up the notebook's magics and checks; IPython calls this for `%load_ext autograder`."""
    from .notebook.magic import load

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
