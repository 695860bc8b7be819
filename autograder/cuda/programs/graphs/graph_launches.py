"""The calls that make executable graphs and launch them. A launch runs its nodes one after the other by what runs the
same calls in a stream. Each branch of the graph is a stream of its own there, and edges order what they do."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace
from graphlib import CycleError

from ...core.host_findings import NOWHERE, Place
from ..state import FailedError, State, answered, fail
from ..timeline import Clock
from ..wire import Call, Reply
from . import graph_conditions, graph_memory
from .graph import Executable, Graph, NodeType, Step, all_steps, branches, steps_of

#: Flags of cudaGraphInstantiate: each launch frees what the one before has left; launches from the GPU.
_FREES_ITSELF, _FROM_THE_GPU = 1, 4
#: Of cudaGraphExecUpdateResult.
_FAILED, _TOPOLOGY_CHANGED, _TYPE_CHANGED = 1, 2, 3


def instantiate(state: State, call: Call, place: Place) -> Reply:
    handle, flags = call.numbers
    graph = state.graph(handle)
    steps = _steps(graph)
    if handle in {capture.handle for capture in state.graphs.captures.values()}:
        return fail("cudaErrorInvalidValue")
    is_there = graph.is_single and any(made.graph is graph for made in state.graphs.executables.values())
    if flags & _FROM_THE_GPU or is_there or graph.parent:
        return fail("cudaErrorNotSupported")
    if not graph_conditions.are_right(graph, steps):
        return fail("cudaErrorInvalidValue")
    _give_branches(state, steps)
    made = state.new_handle()
    state.graphs.executables[made] = Executable(graph, steps, bool(flags & _FREES_ITSELF))
    return Reply(numbers=(made,))


def _give_branches(state: State, steps: list[Step]) -> None:
    streams: list[int] = []
    for step, branch in zip(steps, branches(steps), strict=True):
        if branch == len(streams):
            streams.append(_stream(state))
        step.branch = streams[branch]
        for body in step.bodies:
            _give_branches(state, body)


def _steps(graph: Graph) -> list[Step]:
    try:
        return steps_of(graph)
    except CycleError:
        raise FailedError("cudaErrorInvalidValue") from None


def _stream(state: State) -> int:
    if state.graphs.idle:
        return state.graphs.idle.pop()
    stream = state.new_handle()
    state.timeline.create(stream, blocking=False, device=state.device, of_gpu=True)
    return stream


def destroy(state: State, call: Call, place: Place) -> Reply:
    made = state.executable(call.numbers[0])
    del state.graphs.executables[call.numbers[0]]
    if state.timeline.knows_over(made.end):
        state.graphs.idle += {step.branch for step in all_steps(made.steps)}
    graph_memory.release(state)
    return Reply()


def update(state: State, call: Call, place: Place) -> Reply:
    """Let an executable graph do what the nodes of another graph of the same edges do."""
    made, steps = state.executable(call.numbers[0]), _steps(state.graph(call.numbers[1]))
    if made.graph.has(NodeType.MEM_ALLOC, NodeType.MEM_FREE):  # whose addresses would be others
        return replace(fail("cudaErrorGraphExecUpdateFailure"), numbers=(_FAILED,))
    if _topology(steps) != _topology(made.steps):
        return replace(fail("cudaErrorGraphExecUpdateFailure"), numbers=(_TOPOLOGY_CHANGED,))
    if [step.type for step in all_steps(steps)] != [step.type for step in all_steps(made.steps)]:
        return replace(fail("cudaErrorGraphExecUpdateFailure"), numbers=(_TYPE_CHANGED,))
    for step, new in zip(all_steps(made.steps), all_steps(steps), strict=True):
        step.work, step.place, step.conditional = new.work, new.place, new.conditional
    return Reply(numbers=(0,))


def _topology(steps: list[Step]) -> list[tuple[object, ...]]:
    """Return what each step waits for, and how many steps its bodies have."""
    return [(step.after, *map(len, step.bodies)) for step in all_steps(steps)]


def upload(state: State, call: Call, place: Place) -> Reply:
    known = call.numbers[0] in state.graphs.executables and state.timeline.knows(call.numbers[1])
    return Reply() if known else fail("cudaErrorInvalidValue")


def launch(state: State, call: Call, place: Place) -> Reply:
    """Begin a launch. The reply says what the program itself has to do, before it asks for the next node; a reply
    without numbers is the end."""
    made = state.executable(call.numbers[0])
    state.require(call.numbers[1])
    if made.running:
        return fail("cudaErrorNotPermitted")  # by one of its own functions on the host
    made.running = _run(state, made, call.numbers[1], place)
    state.graphs.launched = place
    return _go_on(state, made)


def next_node(state: State, call: Call, place: Place) -> Reply:
    """The program has done its part of a node, unless that has failed."""
    handle, error = call.numbers
    made = state.graphs.executables[handle]
    state.timeline.call_back(None)
    if made.running is None:
        raise ValueError("no graph is running")
    if error:
        made.running.close()
        _end(state, made)
        return Reply()
    return _go_on(state, made)


def _go_on(state: State, made: Executable) -> Reply:
    assert made.running
    reply = next(made.running, Reply())
    if reply.error or not reply.numbers:
        _end(state, made)
    return reply


def _end(state: State, made: Executable) -> None:
    made.running, state.graphs.launched = None, NOWHERE


def _run(state: State, made: Executable, stream: int, place: Place) -> Generator[Reply]:
    """Run all nodes; the replies where the program has to do something, or by which it fails."""
    timeline = state.timeline
    timeline.wait(stream, made.end)  # the same graph does not run twice at once
    try:
        made.rounds = 0
        for begin in (graph_memory.begin_launch, graph_conditions.begin_launch):
            if (failed := begin(state, made, stream, place)).error:
                yield failed
        yield from _run_steps(state, made, made.steps, timeline.of_stream(stream))
    finally:
        _wait_for(state, stream, all_steps(made.steps))
        graph_conditions.end_launch(state, made, place)
        made.end = timeline.of_stream(stream)


def _run_steps(state: State, made: Executable, steps: list[Step], begin: Clock) -> Generator[Reply]:
    """Run the steps once all is over that `begin` knows. Who gets a reply with an error goes on no more."""
    timeline = state.timeline
    ends: list[Clock] = []
    for step in steps:
        for clock in (begin, *(ends[before] for before in step.after)):
            timeline.wait(step.branch, clock)
        if work := step.work:
            state.let_current(work.call.device)
            if work.kernel:
                state.launching, state.launching_address = work.kernel, work.address
            reply = answered(work.function, state, work.in_stream(step.branch), step.place)
            if reply.error or work.left:
                yield replace(reply, numbers=(work.call.site, *work.left), content=work.call.name.encode())
        for body in graph_conditions.rounds(state, made, step):
            yield from _run_steps(state, made, body, timeline.of_stream(step.branch))
            _wait_for(state, step.branch, body)
        ends.append(timeline.of_stream(step.branch))


def _wait_for(state: State, stream: int, steps: Iterable[Step]) -> None:
    for branch in {step.branch for step in steps}:
        state.timeline.wait(stream, state.timeline.of_stream(branch))


CALLS = {
    "cudaGraphInstantiate": instantiate,
    "cudaGraphExecDestroy": destroy,
    "cudaGraphExecUpdate": update,
    "cudaGraphUpload": upload,
    "cudaGraphLaunch": launch,
    "next node": next_node,
}
