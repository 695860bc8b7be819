"""The host's own memory that a program registers for the GPU: its pages become those of pinned memory, and keep their
address. Kernels find them at that of the pinned memory."""

from __future__ import annotations

from ..core.host_findings import Place
from .guards import OPEN, PAGE
from .heap import pages
from .state import Registered, State, fail
from .wire import Call, Guard, Reply


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


CALLS = {"cudaHostRegister": register, "cudaHostUnregister": unregister, "cudaHostGetDevicePointer": device_pointer}
