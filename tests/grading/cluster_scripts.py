"""What workers of a test's cluster run in the place of notebooks."""

from __future__ import annotations

import os
import signal
import time

from autograder.grading.execution import fork_server
from autograder.grading.execution.task import Task, TaskResult

#: Notebooks until the GPU falls off.
LEFT = [0]


def passing(task: Task) -> TaskResult:
    return TaskResult((), "", 0.1)


def deadly(task: Task) -> TaskResult:
    """Ends the worker's process where the task says so; the others take a moment, so that they are beside it."""
    if task.name == "deadly":
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.3)
    return passing(task)


def problem(gpu: object) -> str | None:
    """What `Gpu.problem` says."""
    return None if LEFT[0] > 0 else "It fell off."


def on_gpu(task: Task) -> TaskResult:
    """Runs the notebook, as long as there is a GPU."""
    if LEFT[0] <= 0:
        return TaskResult((), "the GPU's worker process ended", 0.1)
    LEFT[0] -= 1
    return fork_server.execute(task)
