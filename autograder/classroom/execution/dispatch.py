"""Run tasks on a Dask cluster, and yield the results as they come.

A worker that dies or breaks costs only its capacity: another one runs again what ran there.
"""

from __future__ import annotations

import time
import uuid
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from ...cuda.errors import UsageError
from .cluster import Cluster
from .cluster_worker import Execute, WorkerFault, run_task
from .sharing import Sharing
from .task import Task, TaskResult

if TYPE_CHECKING:  # its import takes most of a second
    from distributed import Future

#: After this many broken workers, the fault is taken to lie elsewhere, and grading ends.
MAX_BROKEN = 10
_LOOK_SECONDS = 1.0
#: Tasks at the scheduler, for each that runs at a time: enough that no worker waits, and the rest for other runs.
_AHEAD = 2
_RESUMABLE = "What was graded so far is kept: run the same command again to go on."


class Watch:
    """Follows the progress; this one reports nothing. `started` is called from another thread."""

    def report(self, text: str) -> None:
        """Something about the cluster, without a full stop."""

    def begin(self, total: int, known: int) -> None:
        """`total` different notebooks are wanted; the results of `known` of them are there already."""

    def started(self, name: str) -> None:
        """The notebook `name` is being run; perhaps again, where a worker died."""

    def finished(self, name: str, failed: bool) -> None:
        """Its result is stored, or the grader `failed`."""

    def stopped(self, stored: int) -> None:
        """A person stopped the run; `stored` of the wanted results are stored."""


@dataclass(frozen=True)
class Done:
    """The result of a task; `ran` is False if another run made it."""

    key: str
    result: TaskResult
    ran: bool = True


def run_all(
    cluster: Cluster, tasks: Mapping[str, Task], execute: Execute, watch: Watch, sharing: Sharing | None = None
) -> Iterator[Done]:
    """Run `tasks` with `execute`, except those that another run makes, and yield the result of each. The caller keeps
    it before asking for the next: then other runs look for it.

    Args:
        sharing: with other runs; None if this one makes all results itself.

    Dask gives up on a task that was running while several workers died, one after the other. Nobody knows which task
    killed them, so each that was running is run again alone, and fails only if it kills a worker then.

    Raises:
        UsageError: the scheduler is gone, no worker is left, or one came that differs from the others.
        GraderFault: no worker can run notebooks.
    """
    if not tasks:
        return
    dispatch = _Dispatch(cluster, execute, watch, sharing)
    suspects = yield from dispatch.run(tasks)
    for key in suspects:
        if (yield from dispatch.run({key: tasks[key]})):
            yield Done(key, TaskResult((), "each worker process that ran it died", 0.0))
            dispatch.drop(key)


class _Dispatch:
    def __init__(self, cluster: Cluster, execute: Execute, watch: Watch, sharing: Sharing | None) -> None:
        from distributed import KilledWorker

        self._killed = KilledWorker
        self._cluster, self._execute, self._watch, self._sharing = cluster, execute, watch, sharing
        self._client = cluster.client()
        self._done: SimpleQueue[tuple[str, Future]] = SimpleQueue()
        self._running: dict[str, Future] = {}
        self._left_out: set[str] = set()
        self._broken = 0
        self._counted, self._at_a_time = -_LOOK_SECONDS, 0
        self._worker_seen = time.monotonic()
        self._topic = f"autograder-{uuid.uuid4()}"
        self._client.subscribe_topic(self._topic, lambda event: watch.started(event[1]))

    def run(self, tasks: Mapping[str, Task]) -> Generator[Done, None, list[str]]:
        """Run `tasks`; returns the keys of those whose workers died, which no other run takes."""
        suspects = []
        waiting = deque(tasks)
        while waiting or self._running:
            yield from self._begin(waiting, tasks)
            if not waiting and not self._running:
                break
            try:
                key, future = self._done.get(timeout=_LOOK_SECONDS)
            except Empty:
                self._look()
                continue
            self._running.pop(key)
            if future.status == "lost":  # its worker died with the result before that was fetched
                self._submit(key, tasks[key])
                continue
            error = self._error(future)
            if isinstance(error, self._killed):
                suspects.append(key)
            elif isinstance(error, WorkerFault):
                self._leave_out(error)
                self._submit(key, tasks[key])
            else:
                yield Done(key, TaskResult((), f"{type(error).__name__}: {error}", 0.0) if error else future.result())
                self.drop(key)
        return suspects

    def drop(self, key: str) -> None:
        """Let other runs have the task `key`."""
        if self._sharing:
            self._sharing.drop(key)

    def _begin(self, waiting: deque[str], tasks: Mapping[str, Task]) -> Iterator[Done]:
        """Submit as many of `waiting` as keep the workers busy, and yield the results that other runs made. What
        another one works on stays."""
        for _ in range(len(waiting)):
            if len(self._running) >= self._most():
                return
            key = waiting.popleft()
            if self._sharing and not self._sharing.take(key):
                waiting.append(key)
            elif self._sharing and (found := self._sharing.found(key)):
                self._sharing.drop(key)
                yield Done(key, found, ran=False)
            else:
                self._submit(key, tasks[key])

    def _most(self) -> int:
        """How many tasks are at the scheduler at a time; workers come and go."""
        if time.monotonic() - self._counted > _LOOK_SECONDS:
            self._counted = time.monotonic()
            with suppress(OSError):  # the scheduler is gone, which `_look` and the tasks say
                self._at_a_time = sum(self._workers().values())
        return max(_AHEAD * self._at_a_time, 1)

    def _workers(self) -> dict[str, int]:
        """How many tasks each worker runs at a time. One that was left out may stay connected, and take no more: Dask
        lets it go only when another one has the results that nobody has fetched from it."""
        return {worker: tasks for worker, tasks in self._client.nthreads().items() if worker not in self._left_out}

    def _submit(self, key: str, task: Task) -> None:
        future = self._client.submit(run_task, task, self._cluster.identity, self._topic, self._execute, pure=False)
        self._running[key] = future
        future.add_done_callback(lambda done: self._done.put((key, done)))

    def _error(self, future: Future) -> Exception | None:
        """What went wrong; raised, not returned, if the other tasks cannot go on either."""
        if future.status not in ("finished", "error"):  # Dask forgets its tasks when it loses the scheduler
            raise UsageError(f"The Dask scheduler is gone. {_RESUMABLE}")
        error: Exception | None = future.exception()
        if isinstance(error, UsageError):
            raise UsageError(f"{error} {_RESUMABLE}")
        return error

    def _look(self) -> None:
        """Stop waiting if no result can come."""
        if self._client.status != "running":
            raise UsageError(f"The Dask scheduler is gone. {_RESUMABLE}")
        if self._workers():
            self._worker_seen = time.monotonic()
        elif why := self._cluster.no_worker(time.monotonic() - self._worker_seen):
            raise UsageError(f"No worker is left: {why}. {_RESUMABLE}")

    def _leave_out(self, fault: WorkerFault) -> None:
        """Give nothing more to a worker that broke."""
        self._broken += 1
        self._left_out.add(fault.worker)
        self._client.retire_workers([fault.worker], close_workers=True)
        if self._broken >= MAX_BROKEN or (not self._workers() and self._cluster.no_worker(0)):
            raise fault.kind(f"{fault.why} {_RESUMABLE}")
        self._watch.report(f"left out the worker {fault.worker}: {fault.why}")
