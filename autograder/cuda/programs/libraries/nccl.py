"""NCCL between the emulated GPUs of one process. A call outside of a group, and the end of a group, last until the
other ranks have made the calls that belong to these: NCCL's may, too. Until then, their status is `_WAITS`."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..served import StoppedError
from ..state import State
from ..timeline import OTHER_STREAMS, default_stream
from .calls import Function, LibraryCall, Read, RefusedError, StatusSteps, Steps, Write
from .nccl_steps import BETWEEN_TWO, TYPES, Clique, Comm, Step, meet

_SUCCESS, _CUDA_ERROR, _INVALID_ARGUMENT, _INVALID_USAGE = 0, 1, 4, 5
EXECUTION_FAILED = _CUDA_ERROR
_WAITS = -1
_VERSION = 22703
#: Seconds for which threads may wait for others that do nothing.
_PATIENCE = 10.0
#: Where a program's `Threads` are among its libraries' objects.
_THREADS = 0


@dataclass
class Threads:
    """The host's threads, by their numbers: the steps of their groups, how deep these are, and the status of a call in
    one that was refused; the cliques that they have joined; and those that wait, for whom nothing was done `since`."""

    groups: dict[int, list[Step]] = field(default_factory=dict)
    depth: dict[int, int] = field(default_factory=dict)
    refused: dict[int, int] = field(default_factory=dict)
    begun: dict[int, list[Clique]] = field(default_factory=dict)
    waiting: set[int] = field(default_factory=set)
    since: float = 0.0


def _threads(state: State) -> Threads:
    found = state.libraries.setdefault(_THREADS, Threads())
    assert isinstance(found, Threads)
    return found


def _comm(call: LibraryCall, handle: int) -> Comm:
    return call.found(Comm, _INVALID_ARGUMENT, "comm", handle)


# ---- communicators


def version(call: LibraryCall, thread: int, out: int) -> Steps:
    yield Write(call.host(_INVALID_ARGUMENT, "version", out), _VERSION.to_bytes(4, "little"))


def unique_id(call: LibraryCall, thread: int, out: int) -> Steps:
    yield Write(call.host(_INVALID_ARGUMENT, "uniqueId", out), call.state.new_handle().to_bytes(128, "little"))


def _join(call: LibraryCall, clique: Clique, rank: int, device: int) -> int:
    """Return the handle of a new communicator."""
    if device >= len(call.state.devices) or device < 0:
        raise RefusedError(_INVALID_ARGUMENT, "devlist", "value", number=device)
    if device in [known.device for known in clique.comms.values()]:
        raise RefusedError(_INVALID_USAGE, "rank", "gpu twice", number=device)
    if not 0 <= rank < clique.ranks or rank in clique.comms:
        raise RefusedError(_INVALID_ARGUMENT, "rank", "value", number=rank)
    handle = call.state.new_handle()
    call.state.libraries[handle] = clique.comms[rank] = Comm(clique, rank, device)
    return handle


def init_all(call: LibraryCall, thread: int, out: int, count: int, devices: int) -> Steps:
    if count < 1:
        raise RefusedError(_INVALID_ARGUMENT, "ndev", "value", number=count)
    numbers = [*range(count)]
    if devices:
        content = yield Read(call.host(_INVALID_ARGUMENT, "devlist", devices), 4 * count)
        numbers = np.frombuffer(content, np.int32).tolist()
    clique = Clique(count)
    handles = [_join(call, clique, rank, device) for rank, device in enumerate(numbers)]
    yield Write(call.host(_INVALID_ARGUMENT, "comms", out), b"".join(h.to_bytes(8, "little") for h in handles))


def init_rank(call: LibraryCall, thread: int, out: int, ranks: int, unique: int, rank: int) -> StatusSteps:
    threads = _threads(call.state)
    if ranks < 1:
        raise RefusedError(_INVALID_ARGUMENT, "nranks", "value", number=ranks)
    if not 0 < unique < call.state.next_handle + 1:
        raise RefusedError(_INVALID_ARGUMENT, "commId", "handle")
    clique = call.state.libraries.setdefault(unique, Clique(ranks))
    if not isinstance(clique, Clique) or clique.ranks != ranks:
        raise RefusedError(_INVALID_ARGUMENT, "nranks", "value", number=ranks)
    handle = _join(call, clique, rank, call.state.device)
    yield Write(call.host(_INVALID_ARGUMENT, "comm", out), handle.to_bytes(8, "little"))
    threads.begun.setdefault(thread, []).append(clique)
    threads.since = time.monotonic()
    return _SUCCESS if threads.depth.get(thread) else _go_on(call, thread)


def destroy(call: LibraryCall, thread: int, handle: int) -> None:
    _comm(call, handle)
    del call.state.libraries[handle]


def finalize(call: LibraryCall, thread: int, handle: int) -> None:
    _comm(call, handle)


def query(call: LibraryCall, thread: int, handle: int, out: int) -> Steps:
    comm = _comm(call, handle)
    known = {"ncclCommCount": comm.clique.ranks, "ncclCommCuDevice": comm.device, "ncclCommUserRank": comm.rank}
    yield Write(call.host(_INVALID_ARGUMENT, "result", out), known.get(call.name, 0).to_bytes(4, "little"))


# ---- calls, alone and in groups


def start_group(call: LibraryCall, thread: int) -> None:
    threads = _threads(call.state)
    threads.depth[thread] = threads.depth.get(thread, 0) + 1


def end_group(call: LibraryCall, thread: int) -> int:
    threads = _threads(call.state)
    if not threads.depth.get(thread):
        raise RefusedError(_INVALID_USAGE, "group", "no group")
    threads.depth[thread] -= 1
    if threads.depth[thread]:
        return _SUCCESS
    if status := threads.refused.pop(thread, _SUCCESS):  # nothing of such a group is done
        threads.groups.pop(thread, None)
        return status
    return _begin(call, thread)


def communicate(call: LibraryCall, thread: int, *numbers: int) -> int:
    threads = _threads(call.state)
    try:
        step = _step(call, thread, *numbers)
    except RefusedError as refused:
        if threads.depth.get(thread):
            threads.refused[thread] = refused.status
        raise
    threads.groups.setdefault(thread, []).append(step)
    threads.since = time.monotonic()
    return _SUCCESS if threads.depth.get(thread) else _begin(call, thread)


def _step(
    call: LibraryCall, thread: int, source: int, to: int, count: int, type_: int, op: int, other: int, handle: int,
    stream: int,
) -> Step:  # fmt: skip
    """Return what a call asks for. Raises RefusedError."""
    comm = _comm(call, handle)
    for name, value, values in (("datatype", type_, TYPES), ("op", op, range(5)), ("count", count, range(1 << 60))):
        if value not in values:
            raise RefusedError(_INVALID_ARGUMENT, name, "value", number=value)
    if not 0 <= other < comm.clique.ranks:
        name = "peer" if call.name in BETWEEN_TWO else "root"
        raise RefusedError(_INVALID_ARGUMENT, name, "value", number=other)
    if stream < OTHER_STREAMS:  # a default stream: of the communicator's GPU
        stream += default_stream(comm.device) - default_stream(call.state.device)
    call.state.require(stream)
    call.require_uncaptured(stream)
    if (owner := call.state.timeline.device(stream)) != comm.device:
        raise RefusedError(_INVALID_ARGUMENT, "stream", "gpu", number=owner, least=comm.device)
    return Step(call, comm, thread, source, to, count, type_, op, other, stream)


def _begin(call: LibraryCall, thread: int) -> int:
    """Return a thread's group is complete: from now on, other ranks may meet its steps."""
    steps = _threads(call.state).groups.pop(thread, [])
    for comm in dict.fromkeys(step.comm for step in steps):
        comm.groups.append([step for step in steps if step.comm is comm])
    for clique in dict.fromkeys(step.comm.clique for step in steps):
        while meet(clique):
            pass
    return _go_on(call, thread)


def wait(call: LibraryCall, thread: int) -> int:
    return _go_on(call, thread)


def _go_on(call: LibraryCall, thread: int) -> int:
    """Return whether a thread goes on, since the other ranks have made their calls.

    Raises:
        StoppedError: they never will.
    """
    threads = _threads(call.state)
    threads.begun[thread] = [c for c in threads.begun.get(thread, ()) if len(c.comms) < c.ranks]
    comms = [known for known in call.state.libraries.values() if isinstance(known, Comm)]
    if not threads.begun[thread] and not any(s.thread == thread for c in comms for group in c.groups for s in group):
        threads.waiting.discard(thread)
        threads.since = time.monotonic()
        return _SUCCESS
    threads.waiting.add(thread)
    tasks = {int(task.name): task for task in Path(f"/proc/{call.state.process}/task").iterdir()}
    others = tasks.keys() - threads.waiting
    if any(_computes(tasks[number]) for number in others):
        threads.since = time.monotonic()
    if not others or time.monotonic() - threads.since > _PATIENCE:
        raise StoppedError("ranks")
    return _WAITS


def _computes(task: Path) -> bool:
    with suppress(OSError):  # it has ended
        return (task / "stat").read_text().rpartition(")")[2].split()[0] == "R"
    return False


CALLS: dict[str, Function] = {
    "ncclGetVersion": version,
    "ncclGetUniqueId": unique_id,
    "ncclCommInitAll": init_all,
    "ncclCommInitRank": init_rank,
    "ncclCommFinalize": finalize,
    **dict.fromkeys(("ncclCommDestroy", "ncclCommAbort"), destroy),
    **dict.fromkeys(("ncclCommCount", "ncclCommCuDevice", "ncclCommUserRank", "ncclCommGetAsyncError"), query),
    "ncclGroupStart": start_group,
    "ncclGroupEnd": end_group,
    **dict.fromkeys(("ncclAllReduce", "ncclReduce", "ncclBroadcast", "ncclBcast"), communicate),
    **dict.fromkeys(("ncclReduceScatter", "ncclAllGather", "ncclSend", "ncclRecv"), communicate),
    "wait": wait,
}
