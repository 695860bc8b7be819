"""Graphs of a program: their nodes, what is made of them to be launched, and captures, which make nodes of calls."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from graphlib import TopologicalSorter
from heapq import heappop, heappush

from ...core.host_findings import NOWHERE, Place
from ..launches.kernels import KernelText
from ..timeline import Clock, Operation, Timeline
from ..wire import Call, Reply


class NodeType(IntEnum):
    """The values of cudaGraphNodeType."""

    KERNEL = 0
    MEMCPY = 1
    MEMSET = 2
    HOST = 3
    GRAPH = 4
    EMPTY = 5
    MEM_ALLOC = 10
    MEM_FREE = 11
    CONDITIONAL = 13


class ConditionalType(IntEnum):
    """The values of cudaGraphConditionalNodeType."""

    IF = 0
    WHILE = 1
    SWITCH = 2


#: The modes of a capture: who may not make calls that could disturb it.
GLOBAL, THREAD_LOCAL, RELAXED = range(3)
#: Graphs hold memory in pieces of this many bytes (as on an H100).
_PIECE = 32 << 20


@dataclass(frozen=True)
class Work:
    """What a node does: a call as a stream takes it, which `function` answers, and which of its numbers is the stream.
    `left` is what the program itself does after that (`runtime/graphs.cpp`): a copy, say; () if nothing. A launch is
    one of `kernel`, by its address in the program."""

    function: Callable[..., Reply]
    call: Call
    stream_at: int
    left: tuple[int, ...] = ()
    kernel: KernelText | None = None
    address: int = 0

    def in_stream(self, stream: int) -> Call:
        """Return the call in this stream."""
        numbers = list(self.call.numbers)
        numbers[self.stream_at] = stream
        return self.call._replace(numbers=tuple(numbers))


@dataclass(frozen=True)
class Conditional:
    """What a conditional node does: the address of its `condition`, the value by which each launch begins (None: any),
    and the graphs of which the condition chooses one."""

    type: ConditionalType
    condition: int
    default: int | None
    bodies: tuple[Graph, ...]


@dataclass
class Node:
    """A node by the line `place`, which begins once those of `after` are over: by their handles. A child graph, and a
    conditional node, has graphs instead of `work`, and an empty node has neither."""

    type: NodeType
    place: Place
    after: list[int]
    work: Work | None = None
    child: Graph | None = None
    conditional: Conditional | None = None


@dataclass(eq=False)
class Graph:
    """The nodes of a graph by their handles, in the order in which they were added, and the default values of its
    conditions by their addresses. A body of a conditional node belongs to its `parent`."""

    nodes: dict[int, Node] = field(default_factory=dict)
    conditions: dict[int, int | None] = field(default_factory=dict)
    parent: Graph | None = None

    def has(self, *types: NodeType) -> bool:
        return any(node.type in types for node in self.nodes.values())

    @property
    def is_single(self) -> bool:
        """Whether there can be only one of it, since it has memory, conditions, or a parent of its own."""
        return bool(self.parent) or self.has(NodeType.MEM_ALLOC, NodeType.MEM_FREE, NodeType.CONDITIONAL)

    def edges(self) -> list[tuple[int, int]]:
        """From which node to which each edge goes."""
        return [(before, handle) for handle, node in self.nodes.items() for before in node.after]

    def last(self) -> list[int]:
        """Return the nodes that no other waits for."""
        awaited = {before for before, _ in self.edges()}
        return [handle for handle in self.nodes if handle not in awaited]

    def copy(self, new_handle: Callable[[], int]) -> Graph:
        """Return a separate graph, with other handles."""
        handles = {handle: new_handle() for handle in self.nodes}
        out = Graph()
        for handle, node in self.nodes.items():
            child = node.child.copy(new_handle) if node.child else None
            out.nodes[handles[handle]] = replace(node, after=[handles[before] for before in node.after], child=child)
        return out

    def holds(self, handles: Sequence[int]) -> bool:
        return all(handle in self.nodes for handle in handles)

    def ancestors(self, handles: Iterable[int]) -> set[int]:
        """These nodes, and all that are over before them."""
        found: set[int] = set()
        waiting = list(handles)
        while waiting:
            if (handle := waiting.pop()) not in found:
                found.add(handle)
                waiting += self.nodes[handle].after
        return found


@dataclass
class Step:
    """A node of an executable graph, which begins once the steps of `after` are over: by their numbers. Steps of one
    `branch` follow each other; only `after` orders those of others. A conditional node has steps in its `bodies`."""

    node: int
    type: NodeType
    place: Place
    work: Work | None
    after: tuple[int, ...]
    conditional: Conditional | None = None
    bodies: list[list[Step]] = field(default_factory=list)
    branch: int = 0


@dataclass(eq=False)
class Executable:
    """What is made of a graph to be launched: its steps, each after those that it waits for. A launch that
    `frees_itself` begins by freeing what the one before has left. `end` is what is over after the latest launch, and
    `running`, while one goes on, what is left of that, with the `rounds` of loops so far."""

    graph: Graph
    steps: list[Step]
    frees_itself: bool
    end: Clock = field(default_factory=dict)
    running: Generator[Reply] | None = None
    rounds: int = 0


def addresses(nodes: Iterable[Node | Step], type_: NodeType) -> set[int]:
    """Return the addresses of what the memory nodes of this type allocate, or free."""
    return {node.work.call.numbers[0] for node in nodes if node.type is type_ and node.work}


def all_steps(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield the steps with those of their bodies."""
    for step in steps:
        yield step
        for body in step.bodies:
            yield from all_steps(body)


def steps_of(graph: Graph) -> list[Step]:
    """Return the steps of all nodes, with those of child graphs in place of their nodes. Raises graphlib.CycleError."""
    steps: list[Step] = []
    _add_steps(graph, (), steps)
    return steps


def _add_steps(graph: Graph, begin: tuple[int, ...], steps: list[Step]) -> tuple[int, ...]:
    """Add the steps of a graph that begins once those of `begin` are over; the steps that are its end."""
    ends: dict[int, tuple[int, ...]] = {}
    for handle in _in_order(graph):
        node = graph.nodes[handle]
        after = tuple(dict.fromkeys(step for before in node.after for step in ends[before])) or begin
        if node.child:
            ends[handle] = _add_steps(node.child, after, steps)
        else:
            bodies = [steps_of(body) for body in node.conditional.bodies] if node.conditional else []
            steps.append(Step(handle, node.type, node.place, node.work, after, node.conditional, bodies))
            ends[handle] = (len(steps) - 1,)
    return tuple(step for handle in graph.last() for step in ends[handle]) or begin


def _in_order(graph: Graph) -> Iterator[int]:
    """Yield the nodes, each after those that it waits for, and otherwise in the order in which they were added: so
    memory is allocated before it is used, edges or not."""
    sorter = TopologicalSorter({handle: node.after for handle, node in graph.nodes.items()})
    sorter.prepare()
    ready: list[int] = []
    while sorter.is_active():
        for handle in sorter.get_ready():
            heappush(ready, handle)
        handle = heappop(ready)
        sorter.done(handle)
        yield handle


def branches(steps: Sequence[Step]) -> Iterator[int]:
    """For each step, the number of its branch: that of a step before it which no other goes on with, or a new one."""
    last: dict[int, int] = {}  # by steps that are the last ones of their branches, the branch
    count = 0
    for number, step in enumerate(steps):
        goes_on = next((before for before in step.after if before in last), None)
        if goes_on is None:
            last[number], count = count, count + 1
        else:
            last[number] = last.pop(goes_on)
        yield last[number]


@dataclass(eq=False)
class Capture:
    """A capture that the host's `thread` began in the stream `origin`, for a graph that `is_new` or was there before;
    for each stream that takes part, the nodes that what comes next there waits for."""

    handle: int
    graph: Graph
    origin: int
    mode: int
    thread: int
    streams: dict[int, frozenset[int]]
    is_new: bool = True
    is_invalid: bool = False
    has_ended: bool = False


@dataclass
class Footprint:
    """How much of a GPU's memory its graphs hold, and what is reserved of that for later launches. `used`: the bytes by
    address. `reserved`: the bytes that were freed, each with the operation that freed them: what follows it gets them
    first. (None: the host has waited for it.) `peak`: the most there were."""

    used: dict[int, int] = field(default_factory=dict)
    reserved: list[tuple[int, Operation | None]] = field(default_factory=list)
    peak: int = 0

    @property
    def now(self) -> int:
        held = sum(self.used.values()) + sum(size for size, _ in self.reserved)
        return -(-held // _PIECE) * _PIECE

    def take(self, address: int, size: int, by: Operation) -> None:
        self.used[address] = size
        reserved, self.reserved = self.reserved, []
        for left, freed in reserved:
            taken = min(size, left) if freed is None or freed.before(by.clock) else 0
            size -= taken
            if left > taken:
                self.reserved.append((left - taken, freed))
        self.peak = max(self.peak, self.now)

    def give(self, address: int, by: Operation | None) -> None:
        """Nothing, where no graph has allocated this."""
        if size := self.used.pop(address, 0):
            self.reserved.append((size, by))

    def trim(self, timeline: Timeline) -> None:
        """Give back what is reserved, unless the work before that may still go on."""
        self.reserved = [(size, by) for size, by in self.reserved if by and not timeline.is_over(by.stream, by.index)]


@dataclass
class Graphs:
    """The graphs of a program and what is made of them, by their handles; by each stream that is being captured, the
    capture; and the modes of threads of the host that have changed theirs."""

    graphs: dict[int, Graph] = field(default_factory=dict)
    executables: dict[int, Executable] = field(default_factory=dict)
    captures: dict[int, Capture] = field(default_factory=dict)
    modes: dict[int, int] = field(default_factory=dict)
    #: Streams of branches that no executable graph has any more.
    idle: list[int] = field(default_factory=list)
    footprint: Footprint = field(default_factory=Footprint)
    launched: Place = NOWHERE  # where the graph was launched of which a node runs

    def remove(self, graph: Graph) -> None:
        """With all bodies of its nodes."""
        self.graphs = {handle: other for handle, other in self.graphs.items() if other is not graph}
        for node in graph.nodes.values():
            for body in node.conditional.bodies if node.conditional else ():
                self.remove(body)

    def node(self, handle: int) -> Node | None:
        return next((graph.nodes[handle] for graph in self.graphs.values() if handle in graph.nodes), None)
