"""Memory nodes: memory that a graph allocates at each launch, always at the same address, and frees there or leaves."""

from __future__ import annotations

from ...core.host_findings import HostKind, Place
from ..memory.access_spans import uses
from ..memory.memory import add_operation, allocated_for, free
from ..state import FailedError, State, fail
from ..wire import Call, Reply
from .graph import Executable, Graph, Node, NodeType, Work, addresses, all_steps

#: What a node may ask for, of cudaMemAllocationType and cudaMemLocationType: the GPU's own memory.
_PINNED, _ON_DEVICE = 1, 1
#: Of cudaGraphMemAttributeType, the most that there was, of what is used and of what is reserved.
_PEAKS = (1, 3)


# ---- what nodes do


def allocate_work(state: State, call: Call, place: Place, numbers: tuple[int, ...], arguments: bytes) -> Work:
    *properties, accesses, size = numbers
    if properties != [_PINNED, _ON_DEVICE, 0] or accesses > 1:
        raise FailedError("cudaErrorInvalidValue")
    return _reserved(state, call, place, size, "")


def captured_work(state: State, call: Call, place: Place, numbers: tuple[int, ...], arguments: bytes) -> Work:
    """As `allocate_work`, of cudaMallocAsync."""
    return _reserved(state, call, place, numbers[0], allocated_for(state, call, place))


def _reserved(state: State, call: Call, place: Place, size: int, name: str) -> Work:
    if not size:
        raise FailedError("cudaErrorInvalidValue")
    made = state.heap.reserve(size, "device", place, call.name, name)
    if made is None:
        raise FailedError("cudaErrorMemoryAllocation")
    made.of_graph = True
    return Work(_allocate, call._replace(numbers=(made.address, 0)), 1)


def free_work(state: State, call: Call, place: Place, numbers: tuple[int, ...], arguments: bytes) -> Work:
    return Work(free, call._replace(numbers=(*numbers, 0)), 1)


def _allocate(state: State, call: Call, place: Place) -> Reply:
    address, stream = call.numbers
    known = state.heap.find(address)
    assert known
    if not state.heap.begin(known):
        return fail("cudaErrorMemoryAllocation")
    operation = add_operation(state, stream, "allocates", place, uses(writes=[(address, known.end)]))
    state.graphs.footprint.take(address, known.size, operation)
    return Reply()


# ---- what may be


def check_free(state: State, graph: Graph, node: Node) -> None:
    """Let a node fail that frees what it may not, as a member of this graph. Memory is freed by one node of the graph
    that allocates it, or outside of that graph."""
    assert node.work
    address, function = node.work.call.numbers[0], node.work.call.name
    known = state.heap.find(address)
    if known is None or known.address != address or not known.of_graph:
        raise FailedError("cudaErrorInvalidValue")
    within = address in addresses(graph.nodes.values(), NodeType.MEM_ALLOC)
    within_other = known.freed_within not in (None, within)
    if within_other or address in addresses(graph.nodes.values(), NodeType.MEM_FREE):
        others, why = [("allocates", known.place)], "elsewhere" if within_other else "node"
        state.find(HostKind.INVALID_FREE, node.place, others, function=function, name=known.name, why=why)
        raise FailedError("cudaErrorInvalidValue")
    known.freed_within = within


def begin_launch(state: State, made: Executable, stream: int, place: Place) -> Reply:
    """Free what the latest launch has left, if the graph was made so, and fail where a node cannot allocate or free."""
    mine = addresses(made.steps, NodeType.MEM_ALLOC)
    left = [known for address in mine if (known := state.heap.find(address)) and known.is_live]
    if left and not made.frees_itself:
        return fail("cudaErrorInvalidValue")
    for known in left:
        free(state, Call("cudaGraphLaunch", 0, (known.address, stream), b""), place)
    for step in made.steps:
        if step.type is NodeType.MEM_FREE and step.work and step.work.call.numbers[0] not in mine:
            known = state.heap.find(step.work.call.numbers[0])
            if known is None or not known.is_live:
                return free(state, step.work.in_stream(stream), step.place)
    return Reply()


def release(state: State) -> None:
    """Keep no address for graphs that are no more."""
    nodes = [node for graph in state.graphs.graphs.values() for node in graph.nodes.values()]
    steps = [step for made in state.graphs.executables.values() for step in all_steps(made.steps)]
    conditions = {address for graph in state.graphs.graphs.values() for address in graph.conditions}
    conditions |= {step.conditional.condition for step in steps if step.conditional}
    state.heap.keep_addresses(addresses([*nodes, *steps], NodeType.MEM_ALLOC) | conditions)


# ---- questions


def allocate_parameters(state: State, call: Call, place: Place) -> Reply:
    """The size and the address."""
    known = state.heap.find(_address_of(state, call, NodeType.MEM_ALLOC))
    assert known
    return Reply(numbers=(known.size, known.address))


def free_parameters(state: State, call: Call, place: Place) -> Reply:
    return Reply(numbers=(_address_of(state, call, NodeType.MEM_FREE),))


def _address_of(state: State, call: Call, type_: NodeType) -> int:
    node = state.graphs.node(call.numbers[0])
    if node is None or node.type is not type_ or not node.work:
        raise FailedError("cudaErrorInvalidValue")
    return node.work.call.numbers[0]


def trim(state: State, call: Call, place: Place) -> Reply:
    if call.numbers[0]:
        return fail("cudaErrorInvalidDevice")
    state.graphs.footprint.trim(state.timeline)
    return Reply()


def attribute(state: State, call: Call, place: Place) -> Reply:
    device, which = call.numbers
    if device:
        return fail("cudaErrorInvalidDevice")
    footprint = state.graphs.footprint
    return Reply(numbers=(footprint.peak if which in _PEAKS else footprint.now,))


def set_attribute(state: State, call: Call, place: Place) -> Reply:
    """Forget a peak."""
    device, which, value = call.numbers
    if device:
        return fail("cudaErrorInvalidDevice")
    if which not in _PEAKS or value:
        return fail("cudaErrorInvalidValue")
    state.graphs.footprint.peak = state.graphs.footprint.now
    return Reply()


CALLS = {
    "cudaGraphMemAllocNodeGetParams": allocate_parameters,
    "cudaGraphMemFreeNodeGetParams": free_parameters,
    "cudaDeviceGraphMemTrim": trim,
    "cudaDeviceGetGraphMemAttribute": attribute,
    "cudaDeviceSetGraphMemAttribute": set_attribute,
}
