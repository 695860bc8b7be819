"""Conditional nodes: graphs within a graph, of which kernels say which one runs, and how often.

A condition is a word of the GPU's memory that is there while a graph with it runs; its handle is its address."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import numpy as np

from ...core.host_findings import Place
from ..memory.access_spans import uses
from ..memory.heap import in_heap
from ..memory.memory import add_operation
from ..served import StoppedError
from ..state import FailedError, State, fail
from ..wire import Call, Reply
from .graph import Conditional, ConditionalType, Executable, Graph, NodeType, Step, all_steps

_BYTES = 4
#: Of the flags of a condition: each launch begins with its default value.
_ASSIGN_DEFAULT = 1
#: What a body may hold.
_IN_BODIES = (NodeType.KERNEL, NodeType.MEMCPY, NodeType.MEMSET, NodeType.EMPTY, NodeType.CONDITIONAL)
#: Most rounds of a launch's loops.
_MOST_ROUNDS = 10_000


# ---- to make them


def create(state: State, call: Call, place: Place) -> Reply:
    handle, default, flags = call.numbers
    graph = state.graph(handle)
    if flags & ~_ASSIGN_DEFAULT:
        return fail("cudaErrorInvalidValue")
    word = state.heap.reserve(_BYTES, "device", place, call.name, "the condition")
    if word is None:
        return fail("cudaErrorMemoryAllocation")
    word.of_graph = word.is_variable = True
    word.dtype = np.dtype(np.uint32)
    graph.conditions[word.address] = default if flags else None
    return Reply(numbers=(word.address,))


def conditional_of(graph: Graph, condition: int, type_: int, size: int) -> Conditional:
    """Return what a new node of the graph decides, with bodies that are empty."""
    sizes = {ConditionalType.IF: (1, 2), ConditionalType.WHILE: (1,), ConditionalType.SWITCH: (size or 1,)}
    owner: Graph | None = graph
    while owner and condition not in owner.conditions:
        owner = owner.parent
    if owner is None or type_ not in sizes or size not in sizes[ConditionalType(type_)]:
        raise FailedError("cudaErrorInvalidValue")
    if any(condition == made.condition for made in _conditionals(owner)):
        raise FailedError("cudaErrorInvalidValue")
    bodies = tuple(Graph(parent=graph) for _ in range(size))
    return Conditional(ConditionalType(type_), condition, owner.conditions[condition], bodies)


def _conditionals(graph: Graph) -> Iterator[Conditional]:
    for node in graph.nodes.values():
        if node.conditional:
            yield node.conditional
            for body in node.conditional.bodies:
                yield from _conditionals(body)


def are_right(graph: Graph, steps: Sequence[Step]) -> bool:
    """Return whether each condition has a node, and each body holds what it may: nothing that needs the host."""
    made = list(_conditionals(graph))
    graphs = [graph, *(body for node in made for body in node.bodies)]
    if {condition for node in graphs for condition in node.conditions} != {node.condition for node in made}:
        return False
    return all(_may_be_in_body(step) for outer in steps for body in outer.bodies for step in all_steps(body))


def _may_be_in_body(step: Step) -> bool:
    sides = step.work.call.numbers[0:3:2] if step.work and step.type is NodeType.MEMCPY else ()
    return step.type in _IN_BODIES and all(in_heap(side) for side in sides)


# ---- while a graph runs


def begin_launch(state: State, made: Executable, stream: int, place: Place) -> Reply:
    """From now on, its conditions are there."""
    for node in _decided(made):
        word = state.heap.find(node.condition)
        assert word
        if not state.heap.begin(word):
            return fail("cudaErrorMemoryAllocation")
        word.written = True
        if node.default is not None:
            state.heap.view(word)[:] = np.frombuffer(struct.pack("<I", node.default), np.uint8)
    return Reply()


def end_launch(state: State, made: Executable, place: Place) -> None:
    for node in _decided(made):
        word = state.heap.find(node.condition)
        assert word
        state.heap.free(word, place)


def _decided(made: Executable) -> Iterator[Conditional]:
    return (step.conditional for step in all_steps(made.steps) if step.conditional)


def rounds(state: State, made: Executable, step: Step) -> Iterator[list[Step]]:
    """Yield the bodies of a conditional node that run, one after the other; of other nodes, none."""
    while step.conditional and (body := _chosen(state, step, step.conditional)) is not None:
        yield body
        if step.conditional.type is not ConditionalType.WHILE:
            return
        made.rounds += 1
        if made.rounds > _MOST_ROUNDS:
            raise StoppedError("rounds")


def _chosen(state: State, step: Step, conditional: Conditional) -> list[Step] | None:
    address = conditional.condition
    word = state.heap.find(address)
    assert word
    add_operation(state, step.branch, "reads", step.place, uses(reads=[(address, word.end)]))
    value = int(state.heap.view(word).view(np.uint32)[0])
    number = value if conditional.type is ConditionalType.SWITCH else 0 if value else 1
    return step.bodies[number] if number < len(step.bodies) else None


CALLS = {"cudaGraphConditionalHandleCreate": create}
