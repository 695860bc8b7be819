"""What workers of a test's cluster run in the place of notebooks."""

from __future__ import annotations

import os
import signal
import time

from autograder.grading.execution import fork_server as warm
from autograder.grading.execution.task import Task, TaskResult

#: Notebooks until the GPU falls off.
LEFT = [0]


def passing(work: Task) -> TaskResult:
    return TaskResult((), "", 0.1)


def deadly(work: Task) -> TaskResult:
    """Ends the worker's process where the work says so; the others take a moment, so that they are beside it."""
    if work.name == "deadly":
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.3)
    return passing(work)


def problem(gpu: object) -> str | None:
    """What `Gpu.problem` says."""
    return None if LEFT[0] > 0 else "It fell off."


def on_gpu(work: Task) -> TaskResult:
    """Runs the notebook, as long as there is a GPU."""
    if LEFT[0] <= 0:
        return TaskResult((), "the GPU's worker process ended", 0.1)
    LEFT[0] -= 1
    return warm.execute(work)
