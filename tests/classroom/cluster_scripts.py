"""What workers of a test's cluster run in place of notebooks."""

from __future__ import annotations

import os
import signal
import time

from autograder.classroom.execution import local
from autograder.classroom.execution.task import Task, TaskResult
from autograder.cuda.errors import GraderFault

#: Notebooks until the GPU fails.
LEFT = [0]


def passing(task: Task) -> TaskResult:
    return TaskResult((), "", 0.1)


def deadly(task: Task) -> TaskResult:
    """End the worker's process if the task says so; other tasks take a moment, so that they run at the same time."""
    if task.name == "deadly":
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.3)
    return passing(task)


def broken(task: Task) -> TaskResult:
    raise GraderFault("Nothing runs here.")


def problem(gpu: object) -> str | None:
    """In place of `Gpu.problem`."""
    return None if LEFT[0] > 0 else "It fell off."


def on_gpu(task: Task) -> TaskResult:
    """Run the notebook, as long as there is a GPU."""
    if LEFT[0] <= 0:
        return TaskResult((), "the GPU's worker process ended", 0.1)
    LEFT[0] -= 1
    return local.execute(task)
