"""The calls that allocate and free memory, and what work on it has in common."""

from __future__ import annotations

import re

import numpy as np

from ...core.host_findings import LAUNCHES, HostKind, Place
from ..state import Registered, State, fail, nothing
from ..timeline import Operation
from ..wire import Call, Guard, Reply
from .access_spans import NO_USES, Uses, uses
from .guards import CLOSED, OPEN, PAGE
from .heap import Allocation, Sort, pages

_NAMED = r"\s*+\(\s*+(?:\([^()]*+\)\s*+)?(?:reinterpret_cast<[^<>]*+>\s*+\(\s*+)?+&?+\s*+(\w[\w.\->\[\]]*+)"
#: Memory with a pitch begins each row at a multiple of this.
_PITCH = 512
#: Bytes of what describes a texture or surface object (runtime/arrays.cpp).
_DESCRIPTION = 64
#: The device of memory that CUDA does not know.
_NO_DEVICE = (1 << 64) - 2
#: Element types that are numbers, as numpy spells them, and the bytes of the largest element: a double4's.
_NUMBERS, _LARGEST = "i1 i2 i4 i8 u1 u2 u4 u8 f4 f8".split(), 32
#: What makes these.
CREATE_OBJECTS = ("cudaCreateTextureObject", "cudaCreateSurfaceObject")


# ---- to allocate and to free


def allocate(state: State, call: Call, place: Place) -> Reply:
    return _allocate(state, call, call.numbers[0], _SORTS[call.name], place)


def allocate_in_stream(state: State, call: Call, place: Place) -> Reply:
    """Memory that is there for what comes after it in this stream."""
    size, stream = call.numbers
    state.require(stream)
    reply = _allocate(state, call, size, "device", place)
    if not reply.error and size:
        (address,) = reply.numbers
        add_operation(state, stream, "allocates", place, uses(writes=[(address, address + size)]))
    return reply


def allocate_rows(state: State, call: Call, place: Place) -> Reply:
    width, height = call.numbers
    pitch = -(-width // _PITCH) * _PITCH
    reply = _allocate(state, call, pitch * height, "device", place)
    return reply if reply.error else Reply(numbers=(*reply.numbers, pitch))


_SORTS: dict[str, Sort] = {
    "cudaMalloc": "device",
    "cudaMallocHost": "pinned",
    "cudaHostAlloc": "pinned",
    "cudaMallocManaged": "managed",
    "cudaMallocArray": "device",
    "cudaMalloc3DArray": "device",
}


def elements(state: State, call: Call, place: Place) -> Reply:
    """New memory is for elements of the type that its pointer has, until a kernel takes it for others."""
    address, kind, size = call.numbers
    known = state.heap.find(address)
    if known and 0 < size <= _LARGEST:
        name = f"{chr(kind)}{size}"
        known.dtype = np.dtype(name if name in _NUMBERS else f"V{size}")
    return Reply()


def _allocate(state: State, call: Call, size: int, sort: Sort, place: Place) -> Reply:
    if size == 0:
        return Reply(numbers=(0,)) if sort == "device" else fail("cudaErrorInvalidValue")
    made = state.heap.allocate(size, sort, place, call.name, allocated_for(state, call, place))
    if made is None:
        if not state.limited:
            state.find(HostKind.OUT_OF_MEMORY, place, function=call.name, bytes=size, most=state.heap.limit)
        return fail("cudaErrorMemoryAllocation")
    made.written = sort != "device"  # the host writes there, unseen
    guards = [Guard(made.address, pages(size), OPEN)] if sort != "device" else []
    return Reply(numbers=(made.address,), guards=guards)


def allocated_for(state: State, call: Call, place: Place) -> str:
    """Return what the line calls the memory that this call allocates there; empty if it does not say."""
    named = re.findall(call.name + _NAMED, place.text)
    before = state.lines.calls_before(call.site, call.name)
    return named[min(before, len(named) - 1)] if named else ""


def free(state: State, call: Call, place: Place) -> Reply:
    address, *stream = call.numbers
    if address == 0:
        return Reply()
    known, operation = state.heap.find(address), None
    if stream:
        freed = [(known.address, known.end)] if known else []
        operation = add_operation(state, stream[0], "frees", place, uses(writes=freed))
    else:
        on_one = known and known.sort == "device"
        state.timeline.synchronize(state.timeline.of_device(known.device) if known and on_one else None)
    wanted = ("pinned",) if call.name == "cudaFreeHost" else ("device", "managed")
    others = [("allocates", known.place)] if known else []
    facts = {"function": call.name, "name": known.name if known else ""}
    if known is None or known.address != address:
        why = "inside" if known else "unknown"
        state.find(HostKind.INVALID_FREE, place, others, why=why, **facts)
        return fail("cudaErrorInvalidValue")
    if known.freed:
        state.find(HostKind.INVALID_FREE, place, [*others, ("frees", known.freed)], why="twice", **facts)
        return fail("cudaErrorInvalidValue")
    if not known.begun:
        state.find(HostKind.INVALID_FREE, place, others, why="unlaunched", **facts)
        return fail("cudaErrorInvalidValue")
    if known.sort not in wanted or known.is_variable:
        why = "variable" if known.is_variable else known.sort
        state.find(HostKind.INVALID_FREE, place, others, why=why, **facts)
        return fail("cudaErrorInvalidValue")
    state.heap.free(known, place)
    state.graphs.footprint.give(address, operation)
    return Reply(guards=[Guard(known.address, pages(known.size), CLOSED)])


def describe(state: State, call: Call, place: Place) -> Reply:
    """Memory for what a texture or surface object says; that is the program's, which need not destroy it."""
    if call.numbers[0] != _DESCRIPTION:
        return fail("cudaErrorInvalidValue")
    made = state.heap.allocate(_DESCRIPTION, "device", place, call.name, "")
    if made is None:
        return fail("cudaErrorMemoryAllocation")
    made.written = made.is_variable = True
    return Reply(numbers=(made.address,))


def forget(state: State, call: Call, place: Place) -> Reply:
    """Free such memory; no other is an object."""
    known = state.heap.find(call.numbers[0])
    made_by = call.name.replace("Destroy", "Create")
    if known is None or known.address != call.numbers[0] or known.freed or known.function != made_by:
        return fail("cudaErrorInvalidValue")
    state.heap.free(known, place)
    return Reply()


# ---- the host's own memory that is registered: its pages become those of pinned memory, and keep their address.
# Kernels find them at that of the pinned memory.


def register(state: State, call: Call, place: Place) -> Reply:
    address, size, _ = call.numbers
    if not address or not size:
        return fail("cudaErrorInvalidValue")
    if any(address < known + other.size and known < address + size for known, other in state.registered.items()):
        return fail("cudaErrorHostMemoryAlreadyRegistered")
    first = address & -PAGE
    memory = state.heap.allocate(pages(address + size - first), "pinned", place, call.name, "")
    if memory is None:
        return fail("cudaErrorMemoryAllocation")
    memory.written = memory.is_variable = True
    state.registered[address] = Registered(size, memory.address - first)
    return Reply(numbers=(memory.address, memory.size), guards=[Guard(memory.address, memory.size, OPEN)])


def unregister(state: State, call: Call, place: Place) -> Reply:
    """The pages go back to the host."""
    known = state.registered.pop(call.numbers[0], None)
    if known is None:
        return fail("cudaErrorHostMemoryNotRegistered")
    state.timeline.synchronize()
    memory = state.heap.find((call.numbers[0] & -PAGE) + known.shift)
    assert memory
    state.heap.free(memory, place)
    return Reply(numbers=(memory.address, memory.size))


def device_pointer(state: State, call: Call, place: Place) -> Reply:
    address = state.on_gpu(call.numbers[0])
    known = state.heap.find(address)
    return Reply(numbers=(address,)) if known and known.sort == "pinned" else fail("cudaErrorInvalidValue")


# ---- to use it


def find_use(state: State, place: Place, known: Allocation, **facts: str) -> None:
    """Find a use of memory that is not there any more, or not yet."""
    others = [("allocates", known.place), *([("frees", known.freed)] if known.freed else [])]
    state.find(HostKind.USE_AFTER_FREE, place, others, **facts, state="freed" if known.begun else "unlaunched")


def find_peer(state: State, place: Place, known: Allocation, device: int, **facts: str) -> None:
    """Find a use by a GPU of another's memory, which it has no access to."""
    others = [("allocates", known.place)]
    pool = "cudaMemPoolSetAccess" if known.function == "cudaMallocAsync" else "cudaDeviceEnablePeerAccess"
    state.find(HostKind.PEER_POINTER, place, others, owner=known.device, current=device, allows=pool, **facts)


def add_operation(
    state: State,
    stream: int,
    what: str,
    place: Place,
    used: Uses,
    *,
    kernel: bool = False,
    copies: int = 0,
    waits: bool = False,
    early: Uses = NO_USES,
    lets_begin: bool = False,
) -> Operation:
    """Put an operation into a stream, and find what it races with. Where the host `waits` for it at once, it is the
    host that uses the memory while other work on it may go on. The rest is as in `Operation`."""
    launched = state.graphs.launched
    operation = state.timeline.add(
        stream,
        what,
        place,
        used,
        kernel=kernel,
        copies=copies,
        launched=launched,
        early=early,
        lets_begin=lets_begin,
        launchers=launchers_of(state),
    )
    for other, conflict in state.timeline.conflicts(operation):
        known = state.heap.find(conflict.address)
        others = other.lines(other.use(conflict.writes))
        name = known.name if known else ""
        if waits:
            verb = "writes" if conflict.other_writes else "reads"
            state.find(HostKind.UNSYNCHRONIZED, place, others, name=name, verb=verb)
        else:
            what, why = operation.use(conflict.other_writes), "streams"
            if operation.launchers and operation.launchers[-1:] == other.launchers[-1:]:  # of one launch by the host
                why = "children"
            elif launched.line and other.launched == launched:
                why = "nodes"
            elif other.before(operation.clock):
                why = "early"
            others += [row for row in operation.launchers if row not in others]
            state.find(HostKind.STREAM_RACE, place, others, what=what, name=name, why=why)
    return operation


def launchers_of(state: State) -> list[tuple[str, Place]]:
    """Return the lines that have launched the kernel which launches now, and so on: what each does, and where."""
    rows = [(f"{LAUNCHES}{by.launched.kernel.name}", by.launched.place) for by in reversed(state.launchers)]
    return list(dict.fromkeys(rows))


# ---- what is there


def memory_info(state: State, call: Call, place: Place) -> Reply:
    used = sum(allocation.size for allocation in state.heap.live())
    return Reply(numbers=(state.heap.limit - used, state.heap.limit))


def pointer_attributes(state: State, call: Call, place: Place) -> Reply:
    address = call.numbers[0]
    known = state.heap.find(address)
    if known is None or not known.is_live:
        return Reply(numbers=(0, _NO_DEVICE, 0, address))
    sort = {"pinned": 1, "device": 2, "managed": 3}[known.sort]
    return Reply(numbers=(sort, known.device, address, 0 if known.sort == "device" else address))


CALLS = {
    "elements": elements,
    **dict.fromkeys(_SORTS, allocate),
    "cudaMallocAsync": allocate_in_stream,
    **dict.fromkeys(("cudaMallocPitch", "cudaMalloc3D"), allocate_rows),
    **dict.fromkeys(("cudaFree", "cudaFreeAsync", "cudaFreeHost", "cudaFreeArray"), free),
    **dict.fromkeys(CREATE_OBJECTS, describe),
    **dict.fromkeys(("cudaDestroyTextureObject", "cudaDestroySurfaceObject"), forget),
    "cudaHostRegister": register,
    "cudaHostUnregister": unregister,
    "cudaHostGetDevicePointer": device_pointer,
    "cudaMemGetInfo": memory_info,
    "cudaPointerGetAttributes": pointer_attributes,
    **dict.fromkeys(("cudaMemPrefetchAsync", "cudaMemAdvise", "cudaStreamAttachMemAsync"), nothing),
}
