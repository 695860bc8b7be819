"""CUDA exercises that check themselves: the whole public face.

    from autograder import Kernel

    kernel = Kernel(source, name="reverse")
    run = kernel.emulate(grid=1, block=64, args=[array, 64])
    run.outputs, run.findings, run.counts

In a notebook: `%load_ext autograder`, then `exercise`, `%%cuda name` and `check`.
"""

from __future__ import annotations

from typing import Any

from .errors import GraderFault, UsageError
from .exercise import Case, InOut, Output
from .findings import Access, Finding, Kind
from .kernel import Kernel, KernelError
from .rival import Rival, Speed
from .run import Counterexample, Counts, Run
from .session import default as _session
from .timing import Timing, time_kernel
from .values import ceil_div
from .work import Machine

exercise = _session.exercise
check = _session.check
prediction = _session.prediction


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext autograder` calls."""
    from .magic import load

    load(shell)


__all__ = [
    "Access",
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
    "Rival",
    "Run",
    "Speed",
    "Timing",
    "UsageError",
    "ceil_div",
    "check",
    "exercise",
    "load_ipython_extension",
    "prediction",
    "time_kernel",
]
