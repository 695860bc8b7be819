"""Where notebooks run: on a Dask cluster, by default one in this process, or that of any Dask scheduler."""

from __future__ import annotations

import asyncio
import logging
import os
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ...cuda.backends import gpu_sharing
from ...cuda.errors import UsageError
from ...cuda.report.vocabulary import count
from . import local, sandbox
from .cluster_worker import Identity, difference, identity
from .task import checker_version

if TYPE_CHECKING:
    from distributed import Client

#: Seconds within which a scheduler must answer.
CONNECT_SECONDS = 10
#: Seconds without any worker after which waiting ends.
NO_WORKER_SECONDS = 30
#: Dask always opens a port for pages about itself: one that only this machine reaches, until `close_pages`.
NO_PAGES = "127.0.0.1:0"
_LOOK_SECONDS = 0.25
#: Longer than Dask waits for further messages before it sends some (at most 10 ms).
_SETTLE_SECONDS = 0.05
#: Notebooks that share a GPU. Each has a context of its own, some 0.5 GB of the 16 GB of a small GPU.
PER_GPU = 8

_SETTINGS = {
    "distributed.scheduler.allowed-failures": 1,  # see `dispatch.run_all`
    "distributed.scheduler.worker-saturation": 1.0,  # tasks wait at the scheduler, where no worker's death harms them
    "distributed.deploy.lost-worker-timeout": "1s",
    "distributed.worker.profile.enabled": False,
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}

NoWorker = Callable[[float], str | None]
Report = Callable[[str], None]


@dataclass(frozen=True)
class Cluster:
    """An open cluster.

    Args:
        identity: what every worker must match.
        client: Dask's client; connected when first used.
        no_worker: given the seconds without a worker, why none will come; None while one still may.
    """

    identity: Identity
    client: Callable[[], Client]
    no_worker: NoWorker


#: Opens a cluster; its argument reports the progress, a sentence at a time.
OpenCluster = Callable[[Report], AbstractContextManager[Cluster]]


def this_machine(jobs: int | None = None) -> OpenCluster:
    """A cluster of one worker in this process that runs `jobs` notebooks at a time: by default one for each core, but
    at most `PER_GPU` on each GPU.

    Opening it raises:
        UsageError: this machine cannot keep in what runs in a notebook.
    """

    @contextmanager
    def open_cluster(report: Report) -> Iterator[Cluster]:
        if why := sandbox.refusal():
            raise UsageError(why)
        with ExitStack() as stack:

            @cache  # nothing starts where every result is known already
            def client() -> Client:
                return stack.enter_context(_client_here(jobs or _jobs()))

            yield Cluster(identity(), client, lambda seconds: "this machine was the only one")

    return open_cluster


def _jobs() -> int:
    cores = len(os.sched_getaffinity(0))
    return min(cores, PER_GPU * len(gpu_sharing.visible()) or cores)


@contextmanager
def _client_here(jobs: int) -> Iterator[Client]:
    distributed = import_distributed()
    options = {"n_workers": 1, "threads_per_worker": jobs, "processes": False, "memory_limit": 0}
    pages = {"dashboard_address": NO_PAGES, "worker_dashboard_address": NO_PAGES}
    with (
        event_loop() as loop,
        distributed.LocalCluster(**options, **pages, loop=loop) as cluster,
        distributed.Client(cluster) as client,
    ):
        close_pages(cluster, cluster.scheduler, *cluster.workers.values())
        try:
            yield client
        except BaseException:
            local.stop()  # nobody wants what still runs
            raise


@contextmanager
def event_loop() -> Iterator[Any]:
    """The event loop for a cluster and its client, in a thread. It ends after the timers that they leave in it: asyncio
    would print the TimeoutError of one that expires as the loop ends, which nobody can catch any more."""
    utils = import_distributed().utils
    runner = utils.LoopRunner()
    runner.start()
    try:
        yield runner.loop
    finally:
        utils.sync(runner.loop, asyncio.sleep, _SETTLE_SECONDS)
        runner.stop()


def close_pages(cluster: Any, *servers: Any) -> None:
    """Close the ports on which `servers`, a scheduler and workers of `cluster` in this process, show pages."""

    async def close() -> None:  # in Dask's own thread
        for server in servers:
            server.http_server.stop()

    cluster.sync(close)


def scheduler_at(address: str) -> OpenCluster:
    """The workers of the Dask scheduler at `address`, such as tcp://host:8786.

    Opening it raises:
        UsageError: no scheduler answers there, it has no worker, or its workers do not match this machine.
    """

    @contextmanager
    def open_cluster(report: Report) -> Iterator[Cluster]:

        def no_worker(seconds: float) -> str | None:
            start = f"start `dask worker {address}` where notebooks are to run"
            return f"the scheduler at {address} has none: {start}" if seconds > NO_WORKER_SECONDS else None

        with event_loop() as loop, _connected(address, loop) as client:
            yield Cluster(first_identity(client, no_worker, report), lambda: client, no_worker)

    return open_cluster


def _connected(address: str, loop: Any) -> Client:
    try:
        return import_distributed().Client(address, timeout=CONNECT_SECONDS, loop=loop)
    except (OSError, ValueError, TypeError) as error:
        why = str(error).split("\n")[0]
        raise UsageError(
            f"No Dask scheduler answers at {address} ({why}): start `dask scheduler` there, or fix the address."
        ) from None


def import_distributed() -> Any:
    """Dask's package `distributed`, set up for this use. The import takes most of a second."""
    import dask
    import distributed

    dask.config.set(_SETTINGS)
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # we say what people must know
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        distributed.utils.get_ip()  # warns, the first time, on a machine without a network
    return distributed


def first_identity(client: Client, no_worker: NoWorker, report: Report) -> Identity:
    """The identity of the workers of `client`, as soon as there are any.

    Raises:
        UsageError: none comes, or one differs from this machine or from the others.
    """
    start = time.monotonic()
    while not client.nthreads():
        if why := no_worker(time.monotonic() - start):
            raise UsageError(f"There is no worker: {why}.")
        time.sleep(_LOOK_SECONDS)
    try:
        client.run_on_scheduler(checker_version)  # the scheduler reads tasks, too
        found: dict[str, Identity] = client.run(identity)
    except Exception as error:
        raise UsageError(
            f"The scheduler or a worker cannot load this package ({error}): install there what is here, by the same "
            "requirements.txt, and start it again."
        ) from None
    expected = Identity(identity().checker, next(iter(found.values())).backend)
    for worker, worker_identity in found.items():
        if problem := difference(expected, worker_identity, worker):
            raise UsageError(problem)
    at_a_time = sum(client.nthreads().values())
    report(f"{count(at_a_time, 'notebook')} at a time on {count(len(found), 'worker')}, {expected.backend}")
    return expected
