"""What runs on a worker of a Dask cluster. It needs this package, but neither gradebook nor solutions."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...cuda.backends import gpu
from ...cuda.errors import GraderFault, MachineFault, UsageError
from .task import Task, TaskResult, backend, checker_version

Execute = Callable[[Task], TaskResult]

#: The backend where there is no GPU.
EMULATOR = "emulator"


@dataclass(frozen=True)
class Identity:
    """What a result depends on besides the task: the checker (see `checker_version`), and the backend."""

    checker: str
    backend: str


class WorkerFault(Exception):
    """The worker at the address `worker` can no longer run anything, since `kind` of fault happened there; `why` is its
    message."""

    def __init__(self, worker: str, why: str, kind: type[GraderFault]) -> None:
        super().__init__(worker, why, kind)
        self.worker, self.why, self.kind = worker, why, kind


def identity() -> Identity:
    """What results of this process depend on."""
    return Identity(checker_version(), backend())


def run_task(task: Task, expected: Identity, topic: str, execute: Execute) -> TaskResult:
    """Run `task` here; announce its start under Dask's `topic`.

    Raises:
        UsageError: this worker differs from `expected`, so its result could differ, too.
        WorkerFault: this worker cannot run notebooks, or has lost its GPU.
    """
    from distributed import get_worker

    worker = get_worker()
    if problem := difference(expected, identity(), f"{socket.gethostname()} ({worker.address})"):
        raise UsageError(problem)
    worker.log_event(topic, task.name)
    try:
        result = execute(task)
    except GraderFault as fault:
        raise WorkerFault(worker.address, str(fault), type(fault)) from None
    if not result.sound and expected.backend != EMULATOR and (lost := gpu.Gpu().problem()):
        raise WorkerFault(worker.address, f"The GPU of {socket.gethostname()} is gone: {lost}", MachineFault)
    return result


def difference(expected: Identity, found: Identity, where: str) -> str:
    """How `found`, on the worker `where`, differs from `expected`, and what to do; "" if it does not."""
    if found.checker != expected.checker:
        package = Path(__file__).parents[2]
        return (
            f"The worker on {where} has another version of the grader, of a library or of Python than this machine: "
            f"install there what is here ({package}), with the same requirements.txt, and start it again."
        )
    if found.backend != expected.backend:
        return (
            f"The worker on {where} runs kernels on another backend ({found.backend}) than the first one "
            f"({expected.backend}): ask for one kind of machine, so that everybody is graded alike."
        )
    return ""
