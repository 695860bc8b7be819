"""The calls that make graphs and their nodes, and that ask about them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from ...core.host_findings import Place
from ...errors import UsageError
from ..control import host_function
from ..launches.launches import check_launch, launch
from ..memory.copies import copy_rows, fill_rows
from ..state import Answer, FailedError, State, fail
from ..wire import Call, Reply
from . import graph_conditions, graph_memory
from .graph import Graph, Node, NodeType, Step, Work, addresses, all_steps

#: What the program itself does of a node's work (runtime/graphs.cpp).
COPY, FILL, CALL_HOST = 1, 2, 3
#: Of a call, the numbers that are parameters of a node, and the kernel's arguments: the work.
WorkOf = Callable[[State, Call, Place, tuple[int, ...], bytes], Work]


# ---- what nodes do


def kernel_work(state: State, call: Call, place: Place, numbers: tuple[int, ...], arguments: bytes) -> Work:
    """Return a launch of the kernel of the latest "begin launch"."""
    if not numbers:
        raise missing("gives the arguments of a kernel by extra", place)
    made = call._replace(numbers=(*numbers, 0), content=arguments)
    check_launch(state, made, place)
    return Work(launch, made, 7, kernel=state.launching, address=state.launching_address)


def copy_work(state: State, call: Call, place: Place, numbers: tuple[int, ...], arguments: bytes) -> Work:
    if not numbers:
        raise missing("copies slices that do not follow each other", place)
    return Work(copy_rows, call._replace(numbers=(*numbers, 0)), 7, (COPY, *numbers[:6]))


def fill_work(state: State, call: Call, place: Place, numbers: tuple[int, ...], arguments: bytes) -> Work:
    address, pitch, value, item, width, height = numbers
    if item not in (1, 2, 4):
        raise FailedError("cudaErrorInvalidValue")
    pitch = pitch if height > 1 else width * item
    made = call._replace(numbers=(address, pitch, value, width * item, height, 0))
    return Work(fill_rows, made, 5, (FILL, address, pitch, value, item, width, height))


def host_work(state: State, call: Call, place: Place, numbers: tuple[int, ...], arguments: bytes) -> Work:
    return Work(host_function, call._replace(numbers=(0, *numbers)), 0, (CALL_HOST, *numbers))


def missing(what: str, place: Place) -> UsageError:
    """Return what a node cannot be of here."""
    where = f"{place.file} line {place.line}"
    return UsageError(f"{where} {what}, of which the emulated runtime makes no node of a graph.")


# ---- graphs


def create(state: State, call: Call, place: Place) -> Reply:
    return _stored(state, Graph())


def _stored(state: State, graph: Graph) -> Reply:
    handle = state.new_handle()
    state.graphs.graphs[handle] = graph
    return Reply(numbers=(handle,))


def clone(state: State, call: Call, place: Place) -> Reply:
    graph = state.graph(call.numbers[0])
    return fail("cudaErrorNotSupported") if graph.is_single else _stored(state, graph.copy(state.new_handle))


def destroy(state: State, call: Call, place: Place) -> Reply:
    graph = state.graph(call.numbers[0])
    if graph.parent:
        return fail("cudaErrorInvalidValue")
    state.graphs.remove(graph)
    graph_memory.release(state)
    return Reply()


# ---- nodes


def _adds(type_: NodeType, work: WorkOf | None) -> Answer:
    """Adds a node. A call has the graph, the number of nodes that it waits for, whose handles are the beginning of its
    content, and the node's own parameters."""

    def add(state: State, call: Call, place: Place) -> Reply:
        handle, waits, *numbers = call.numbers
        graph = state.graph(handle)
        if waits * 8 > len(call.content):
            return fail("cudaErrorInvalidValue")
        after = list(struct.unpack_from(f"<{waits}Q", call.content))
        if not graph.holds(after) or len({*after}) < len(after):
            return fail("cudaErrorInvalidValue")
        done = work(state, call, place, tuple(numbers), call.content[8 * waits :]) if work else None
        return add_node(state, graph, Node(type_, place, after, done))

    return add


def add_node(state: State, graph: Graph, node: Node) -> Reply:
    """The reply has the node's handle, and then, of one that allocates, the address."""
    if node.type is NodeType.MEM_FREE:
        graph_memory.check_free(state, graph, node)
    handle = state.new_handle()
    graph.nodes[handle] = node
    return Reply(numbers=(handle, *addresses([node], NodeType.MEM_ALLOC)))


def add_child(state: State, call: Call, place: Place) -> Reply:
    """A node with a copy of another graph."""
    child = state.graph(call.numbers[2])
    if child.is_single:
        return fail("cudaErrorNotSupported")
    reply = _adds(NodeType.GRAPH, None)(state, call._replace(numbers=call.numbers[:2]), place)
    state.graph(call.numbers[0]).nodes[reply.numbers[0]].child = child.copy(state.new_handle)
    return reply


def add_conditional(state: State, call: Call, place: Place) -> Reply:
    """The reply has the node's handle, and those of its bodies."""
    *of_node, condition, type_, size = call.numbers
    graph = state.graph(of_node[0])
    made = graph_conditions.conditional_of(graph, condition, type_, size)
    reply = _adds(NodeType.CONDITIONAL, None)(state, call._replace(numbers=tuple(of_node)), place)
    graph.nodes[reply.numbers[0]].conditional = made
    bodies = [_stored(state, body).numbers[0] for body in made.bodies]
    return Reply(numbers=(*reply.numbers, *bodies))


def _sets(type_: NodeType, work: WorkOf) -> Answer:
    """Changes what a node does, for what is made of its graph from now on."""
    return _changes(type_, work, 1, lambda state, node: state.graphs.node(node))


def _sets_executable(type_: NodeType, work: WorkOf) -> Answer:
    """Changes what a node does, in an executable graph."""

    def find(state: State, graph: int, node: int) -> Step | None:
        return next((step for step in all_steps(state.executable(graph).steps) if step.node == node), None)

    return _changes(type_, work, 2, find)


def _changes(type_: NodeType, work: WorkOf, handles: int, find: Callable[..., Node | Step | None]) -> Answer:
    """Return the handler that replaces the work of the node found by `find(state, *numbers[:handles])`."""

    def change(state: State, call: Call, place: Place) -> Reply:
        node = find(state, *call.numbers[:handles])
        if node is None or node.type is not type_:
            return fail("cudaErrorInvalidValue")
        node.work, node.place = work(state, call, place, call.numbers[handles:], call.content), place
        return Reply()

    return change


def kernel_parameters(state: State, call: Call, place: Place) -> Reply:
    node = state.graphs.node(call.numbers[0])
    if node is None or node.work is None or node.work.kernel is None:
        return fail("cudaErrorInvalidValue")
    work, kernel = node.work, node.work.kernel
    return Reply(numbers=(work.address, *work.call.numbers[:7], *kernel.sizes), content=work.call.content)


# ---- edges


def add_edges(state: State, call: Call, place: Place) -> Reply:
    graph = state.graph(call.numbers[0])
    handles = handles_of(call.content)
    half = len(handles) // 2
    wanted = list(zip(handles[:half], handles[half:], strict=True))
    if not graph.holds(handles) or any(before == node for before, node in wanted):
        return fail("cudaErrorInvalidValue")
    if len({*graph.edges(), *wanted}) < len(graph.edges()) + len(wanted):
        return fail("cudaErrorInvalidValue")  # one is there already
    for before, node in wanted:
        graph.nodes[node].after.append(before)
    return Reply()


def handles_of(content: bytes) -> list[int]:
    """Return the handles that a call names by its content."""
    return list(struct.unpack(f"<{len(content) // 8}Q", content))


def edge_data(state: State, call: Call, place: Place) -> Reply:
    """An edge is to order less than usual."""
    raise UsageError(f"{place.file} line {place.line} gives an edge data, which the emulated runtime does not have.")


def _returns(handles: Callable[[Graph], Sequence[int]]) -> Answer:
    """Return the handler of a query for some nodes of a graph."""

    return lambda state, call, place: Reply(numbers=handles(state.graph(call.numbers[0])))


def _edges(graph: Graph) -> list[int]:
    """First where each edge begins, then where each ends."""
    return [edge[end] for end in (0, 1) for edge in graph.edges()]


def node_type(state: State, call: Call, place: Place) -> Reply:
    node = state.graphs.node(call.numbers[0])
    return Reply(numbers=(node.type,)) if node else fail("cudaErrorInvalidValue")


_WORK: dict[str, tuple[NodeType, WorkOf]] = {
    "KernelNode": (NodeType.KERNEL, kernel_work),
    "MemcpyNode": (NodeType.MEMCPY, copy_work),
    "MemsetNode": (NodeType.MEMSET, fill_work),
    "HostNode": (NodeType.HOST, host_work),
}
CALLS: dict[str, Answer] = {
    "cudaGraphCreate": create,
    "cudaGraphClone": clone,
    "cudaGraphDestroy": destroy,
    **{f"cudaGraphAdd{name}": _adds(*how) for name, how in _WORK.items()},
    **{f"cudaGraph{name}SetParams": _sets(*how) for name, how in _WORK.items()},
    **{f"cudaGraphExec{name}SetParams": _sets_executable(*how) for name, how in _WORK.items()},
    "cudaGraphAddMemcpyNode1D": _adds(*_WORK["MemcpyNode"]),
    "cudaGraphMemcpyNodeSetParams1D": _sets(*_WORK["MemcpyNode"]),
    "cudaGraphExecMemcpyNodeSetParams1D": _sets_executable(*_WORK["MemcpyNode"]),
    "cudaGraphAddEmptyNode": _adds(NodeType.EMPTY, None),
    "cudaGraphAddMemAllocNode": _adds(NodeType.MEM_ALLOC, graph_memory.allocate_work),
    "cudaGraphAddMemFreeNode": _adds(NodeType.MEM_FREE, graph_memory.free_work),
    "cudaGraphAddChildGraphNode": add_child,
    "cudaGraphAddConditionalNode": add_conditional,
    "cudaGraphAddDependencies": add_edges,
    "edge data": edge_data,
    "cudaGraphKernelNodeGetParams": kernel_parameters,
    "cudaGraphGetNodes": _returns(lambda graph: [*graph.nodes]),
    "cudaGraphGetRootNodes": _returns(lambda graph: [handle for handle, node in graph.nodes.items() if not node.after]),
    "cudaGraphGetEdges": _returns(_edges),
    "cudaGraphNodeGetType": node_type,
}
