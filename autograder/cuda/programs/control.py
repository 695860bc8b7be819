"""The calls about devices, streams, events and errors, and the program's faults."""

from __future__ import annotations

import signal
import time

from ..core.host_findings import HostKind, Place
from ..core.launch import MAX_BLOCK, MAX_GRID, MAX_STACK, MAX_THREADS, STACK_LIMIT
from .memory.access_spans import uses
from .memory.guards import OPEN, PAGE
from .memory.heap import in_heap
from .memory.memory import find_use
from .state import Answer, Event, State, fail, nothing
from .timeline import CALLS_BACK, Clock, is_default
from .wire import Call, Guard, Reply

#: What the tables of `nvrtc.occupancy` do not have, as an H200 (SXM) reports it.
_CLOCK_KHZ, _MEMORY_KHZ, _BUS_BITS = 1_980_000, 3_201_000, 6016
_L2, _PERSISTING_L2, _ACCESS_WINDOW = 62_914_560, 39_321_600, 128 << 20

#: cudaLimitStackSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimePendingLaunchCount; and the most of the last one:
#: the answer of a launch has them all.
_STACK_LIMIT, _HEAP_LIMIT, _LAUNCH_LIMIT = 0, 2, 4
_MOST_LAUNCHES = 1 << 14
#: cudaDevP2PAttrPerformanceRank.
_RANK = 1
#: How many times cudaStreamQuery and cudaEventQuery return cudaErrorNotReady before unsynchronized work is over.
_NOT_READY = 20
#: Accesses of the host's to closed memory that are handled one at a time: each takes a call.
_MAX_STEPS = 10_000


# ---- errors


def last_error(state: State, call: Call, place: Place) -> Reply:
    error = state.sticky or state.last_errors.get(call.thread, 0)
    state.last_errors.pop(call.thread, None)
    state.failed.clear()
    return Reply(error)


def peek_error(state: State, call: Call, place: Place) -> Reply:
    state.failed.clear()
    return Reply(state.sticky or state.last_errors.get(call.thread, 0))


# ---- devices


def attribute_values(state: State, device: int) -> dict[int, int]:
    """Return the values of cudaDeviceAttr of a GPU."""
    gpu = state.gpu
    major, minor = divmod(int(gpu.arch.removeprefix("sm_")), 10)
    limits = {1: MAX_THREADS, **dict(enumerate(MAX_BLOCK, 2)), **dict(enumerate(MAX_GRID, 5))}
    return limits | {
        8: 48 << 10, 9: 64 << 10, 10: 32, 11: (1 << 31) - 1, 12: gpu.registers, 13: _CLOCK_KHZ, 14: 512,
        15: 1, 16: gpu.multiprocessors, 19: 1, 31: 1, 33: 1 + device, 36: _MEMORY_KHZ, 37: _BUS_BITS, 38: _L2,
        39: gpu.warps * 32, 40: 3, 41: 1, 75: major, 76: minor, 78: 1, 79: 1, 80: 1, 81: gpu.shared_bytes,
        82: gpu.registers, 83: 1, 89: 1, 90: 1, 95: 1, 97: gpu.shared_bytes - gpu.reserved_bytes, 106: gpu.blocks,
        108: _PERSISTING_L2, 109: _ACCESS_WINDOW, 111: gpu.reserved_bytes, 115: 1,
    }  # fmt: skip


def attribute(state: State, call: Call, place: Place) -> Reply:
    which, device = call.numbers
    state.require_device(device)
    return Reply(numbers=(attribute_values(state, device).get(which, 0),))


def properties(state: State, call: Call, place: Place) -> Reply:
    state.require_device(call.numbers[0])
    values = attribute_values(state, call.numbers[0])
    name = f"{state.gpu.name} (emulated)".encode()
    return Reply(numbers=(state.heap.limit, *(values.get(i, 0) for i in range(120))), content=name)


def set_device(state: State, call: Call, place: Place) -> Reply:
    state.require_device(call.numbers[0])
    return Reply()


def can_access(state: State, call: Call, place: Place) -> Reply:
    """Whether kernels of a GPU can be allowed to use the memory of another: here, always."""
    for number in call.numbers:
        state.require_device(number)
    device, peer = call.numbers
    return Reply(numbers=(int(device != peer),))


def peer_attribute(state: State, call: Call, place: Place) -> Reply:
    """All of them are 1, but the rank, which is 0: all links are alike."""
    which, device, peer = call.numbers
    state.require_device(device)
    state.require_device(peer)
    return fail("cudaErrorInvalidDevice") if device == peer else Reply(numbers=(int(which != _RANK),))


def enable_peer(state: State, call: Call, place: Place) -> Reply:
    """Let the kernels of the current GPU use the memory of another."""
    peer, flags = call.numbers
    state.require_device(peer)
    if flags:
        return fail("cudaErrorInvalidValue")
    if peer == state.device:
        return fail("cudaErrorInvalidDevice")
    if peer in state.here.peers:
        return fail("cudaErrorPeerAccessAlreadyEnabled")
    state.here.peers.add(peer)
    return Reply()


def disable_peer(state: State, call: Call, place: Place) -> Reply:
    state.require_device(call.numbers[0])
    if call.numbers[0] not in state.here.peers:
        return fail("cudaErrorPeerAccessNotEnabled")
    state.here.peers.discard(call.numbers[0])
    return Reply()


def pool(state: State, call: Call, place: Place) -> Reply:
    """The pool of a GPU, whose number is one more than the GPU's."""
    state.require_device(call.numbers[0])
    return Reply(numbers=(call.numbers[0] + 1,))


def open_pool(state: State, call: Call, place: Place) -> Reply:
    """Let the kernels of a GPU use what comes from the pool of another, or no longer."""
    pool, device, access = call.numbers
    state.require_device(device)
    state.require_device(pool - 1)
    pools = state.devices[device].pools
    (pools.add if access else pools.discard)(pool - 1)
    return Reply()


def limit(state: State, call: Call, place: Place) -> Reply:
    here = state.here
    known = {_STACK_LIMIT: here.stack_limit, _HEAP_LIMIT: here.heap_limit, _LAUNCH_LIMIT: here.launch_limit}
    return Reply(numbers=(known.get(call.numbers[0], 0),))


def set_limit(state: State, call: Call, place: Place) -> Reply:
    which, value = call.numbers
    if which == _HEAP_LIMIT:
        if state.here.heap:  # its size is fixed
            return fail("cudaErrorInvalidValue")
        state.here.heap_limit = value
    elif which == _STACK_LIMIT:
        if value > MAX_STACK:
            return fail("cudaErrorInvalidValue")
        state.here.stack_limit = value
    elif which == _LAUNCH_LIMIT:
        state.here.launch_limit = min(value, _MOST_LAUNCHES)
    return Reply()


def synchronize(state: State, call: Call, place: Place) -> Reply:
    state.timeline.waits += 1
    state.timeline.synchronize(state.timeline.of_device(state.device))
    return Reply()


def reset(state: State, call: Call, place: Place) -> Reply:
    """Take away all memory of the current GPU. What nothing has freed before is a leak, as it is for
    compute-sanitizer, which looks when a context is destroyed."""
    state.timeline.synchronize(state.timeline.of_device(state.device))
    state.reset += [memory for memory in state.unfreed() if memory.device == state.device]
    state.not_freed.clear()
    state.sticky = 0
    state.last_errors.clear()
    for allocation in state.heap.live():
        if allocation.device == state.device and (not allocation.is_variable or allocation.is_heap):
            state.heap.free(allocation, place)
    state.here.heap, state.here.stack_limit = None, STACK_LIMIT
    state.here.peers.clear()
    return Reply()


# ---- streams and events


def create_stream(state: State, call: Call, place: Place) -> Reply:
    handle = state.new_handle()
    state.timeline.create(handle, blocking=not call.numbers[0] & 1, device=state.device)
    return Reply(numbers=(handle,))


def destroy_stream(state: State, call: Call, place: Place) -> Reply:
    state.require(call.numbers[0])
    if is_default(call.numbers[0]):
        return fail("cudaErrorInvalidResourceHandle")
    state.timeline.destroy(call.numbers[0])
    return Reply()


def wait_for_stream(state: State, call: Call, place: Place) -> Reply:
    stream = call.numbers[0]
    state.require(stream)
    state.timeline.waits += 1
    state.timeline.synchronize(state.timeline.of_stream(stream))
    return Reply()


def query_stream(state: State, call: Call, place: Place) -> Reply:
    stream = call.numbers[0]
    state.require(stream)
    return _query(state, state.timeline.of_stream(stream))


def _query(state: State, clock: Clock) -> Reply:
    """Whether all that `clock` knows is over. A GPU needs some time for it: a program that queries until the
    answer is yes has waited, and one that queries once and goes on has not."""
    if state.timeline.knows_over(clock):
        return Reply()
    work = frozenset(clock.items())
    state.queries[work] += 1
    if state.queries[work] <= _NOT_READY:
        return fail("cudaErrorNotReady")
    state.timeline.waits += 1
    state.timeline.synchronize(clock)
    return Reply()


def stream_waits(state: State, call: Call, place: Place) -> Reply:
    stream, event = call.numbers
    state.require(stream)
    state.timeline.wait(stream, state.event(event).clock or {})
    return Reply()


def host_function(state: State, call: Call, place: Place) -> Reply:
    stream = call.numbers[0]
    state.require(stream)
    state.timeline.call_back(state.timeline.add(stream, CALLS_BACK, place))
    return Reply()


def end_host_function(state: State, call: Call, place: Place) -> Reply:
    """`call.numbers` are the ranges of memory that it has changed."""
    changed = zip(call.numbers[::2], call.numbers[1::2], strict=True)
    state.timeline.end_call_back(uses(writes=((start, end) for start, end in changed if not in_heap(start))))
    return Reply()


def create_event(state: State, call: Call, place: Place) -> Reply:
    handle = state.new_handle()
    state.events[handle] = Event(state.device, times=not call.numbers[0] & 2)
    return Reply(numbers=(handle,))


def destroy_event(state: State, call: Call, place: Place) -> Reply:
    return Reply() if state.events.pop(call.numbers[0], None) else fail("cudaErrorInvalidResourceHandle")


def record(state: State, call: Call, place: Place) -> Reply:
    event, stream = call.numbers
    state.require(stream)
    known = state.event(event)
    if known.device != state.timeline.device(stream):
        return fail("cudaErrorInvalidResourceHandle")
    operation = state.timeline.add(stream, "records an event", place)
    now, of = time.perf_counter_ns(), (stream, operation.index)
    state.events[event] = Event(known.device, known.times, operation.clock, now, of)
    return Reply()


def wait_for_event(state: State, call: Call, place: Place) -> Reply:
    event = state.event(call.numbers[0])
    state.timeline.waits += 1
    if event.clock is not None:
        state.timeline.synchronize(event.clock)
    return Reply()


def query_event(state: State, call: Call, place: Place) -> Reply:
    return _query(state, state.event(call.numbers[0]).clock or {})


def elapsed(state: State, call: Call, place: Place) -> Reply:
    start, end = map(state.event, call.numbers)
    if not start.times or not end.times or start.operation is None or end.operation is None:
        return fail("cudaErrorInvalidResourceHandle")
    if start.device != end.device:
        return fail("cudaErrorInvalidResourceHandle")
    if not state.timeline.is_over(*end.operation):
        state.find(HostKind.UNTIMED, place)
        return fail("cudaErrorNotReady")
    return Reply(numbers=(end.time - start.time,))


# ---- faults


def signal_name(number: int) -> str:
    """Return a signal's name; most of those for real time have none."""
    known = signal.Signals.__members__.values()
    return next((name.name for name in known if name == number), f"signal {number}")


def fault(state: State, call: Call, place: Place) -> Reply:
    """An address that the program may not touch. It goes on where the reply is no error; a page in the reply is open
    for one instruction."""
    address, writes, number, *sites = call.numbers
    place = state.lines.first(sites)
    known = state.heap.find(address) if in_heap(address) else None
    verb = "writes" if writes else "reads"
    if number != signal.SIGSEGV or not in_heap(address):
        verb = "divides" if number == signal.SIGFPE else verb
        state.find(HostKind.HOST_CRASH, place, signal=signal_name(number), verb=verb, null=int(address < 4096))
        return fail("cudaErrorUnknown")
    others = [("allocates", known.place)] if known else []
    name = known.name if known else ""
    if known and not known.is_live:
        find_use(state, place, known, name=name, function="", why="host")
    elif known and known.sort != "device" and address < known.end:
        for operation in state.timeline.unknown:
            if conflict := operation.uses.conflict_at(address, writes=bool(writes)):
                others = operation.lines(operation.use(conflict.writes))
                state.find(HostKind.UNSYNCHRONIZED, place, others, name=name, verb=verb)
        page = address & -PAGE
        opened = Guard(page, PAGE, OPEN)
        state.steps += 1
        if state.steps > _MAX_STEPS:
            state.guards.open(page)
            return Reply(guards=[opened])
        return Reply(numbers=(page, state.guards.access(page)), guards=[opened])
    else:
        state.find(HostKind.DEVICE_POINTER, place, others, name=name, verb=verb)
    return fail("cudaErrorUnknown")


CALLS: dict[str, Answer] = {
    "cudaGetLastError": last_error,
    "cudaPeekAtLastError": peek_error,
    "cudaDeviceGetAttribute": attribute,
    "cudaGetDeviceProperties": properties,
    "cudaGetDeviceCount": lambda state, call, place: Reply(numbers=(len(state.devices),)),
    "cudaGetDevice": lambda state, call, place: Reply(numbers=(state.device,)),
    "cudaSetDevice": set_device,
    "cudaSetDeviceFlags": nothing,
    "cudaDeviceCanAccessPeer": can_access,
    "cudaDeviceGetP2PAttribute": peer_attribute,
    "cudaDeviceEnablePeerAccess": enable_peer,
    "cudaDeviceDisablePeerAccess": disable_peer,
    "cudaDeviceGetDefaultMemPool": pool,
    "cudaMemPoolSetAccess": open_pool,
    "cudaDeviceSynchronize": synchronize,
    "cudaDeviceReset": reset,
    "cudaDeviceGetLimit": limit,
    "cudaDeviceSetLimit": set_limit,
    "cudaStreamCreate": create_stream,
    "cudaStreamDestroy": destroy_stream,
    "cudaStreamSynchronize": wait_for_stream,
    "cudaStreamQuery": query_stream,
    "cudaStreamWaitEvent": stream_waits,
    **dict.fromkeys(("cudaLaunchHostFunc", "cudaStreamAddCallback"), host_function),
    "end host function": end_host_function,
    "cudaEventCreate": create_event,
    "cudaEventDestroy": destroy_event,
    "cudaEventRecord": record,
    "cudaEventSynchronize": wait_for_event,
    "cudaEventQuery": query_event,
    "cudaEventElapsedTime": elapsed,
    "fault": fault,
}
