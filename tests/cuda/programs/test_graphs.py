"""What is made of a program's graphs before they run, and what of graphs the emulated runtime refuses."""

from __future__ import annotations

import re
from graphlib import CycleError
from pathlib import Path

import pytest

from autograder import cli
from autograder.cuda.core.host_findings import NOWHERE
from autograder.cuda.programs.graphs import graph_conditions
from autograder.cuda.programs.graphs.graph import Footprint, Graph, Node, NodeType, branches, steps_of
from autograder.cuda.programs.memory.access_spans import uses
from autograder.cuda.programs.timeline import Clock, Operation, Timeline

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")


def graph(waits: dict[int, list[int]]) -> Graph:
    """A graph of empty nodes: by each handle, those that it waits for."""
    return Graph({handle: Node(NodeType.EMPTY, NOWHERE, after) for handle, after in waits.items()})


def test_a_branch_goes_on_where_no_other_does() -> None:
    #      1        of 1's followers one goes on with its branch, and so does 5 with one of those before it
    #    / | \\
    #   2  3  4  6
    #    \\ |  |
    #      5  7
    steps = steps_of(graph({1: [], 2: [1], 3: [1], 4: [1], 6: [], 5: [2, 3], 7: [4]}))
    of = {step.node: branch for step, branch in zip(steps, branches(steps), strict=True)}
    assert of[1] == of[2] == of[5] and of[4] == of[7]
    assert len({of[1], of[3], of[4], of[6]}) == 4


def test_what_waits_for_a_child_graph_waits_for_its_last_nodes() -> None:
    outer = graph({1: [], 2: [1], 3: [2]})
    outer.nodes[2].child = graph({10: [], 11: [10], 12: [10]})
    steps = steps_of(outer)
    nodes = [step.node for step in steps]
    after = {step.node: {nodes[before] for before in step.after} for step in steps}
    assert after == {1: set(), 10: {1}, 11: {10}, 12: {10}, 3: {11, 12}}
    outer.nodes[2].child = Graph()  # nothing in between
    assert [step.after for step in steps_of(outer)] == [(), (0,)]


def test_nodes_run_as_they_were_added_where_edges_let_them() -> None:
    assert [step.node for step in steps_of(graph({1: [], 2: [1], 3: [], 4: [6], 5: [2], 6: []}))] == [1, 2, 3, 5, 6, 4]


def test_a_circle_is_no_graph() -> None:
    with pytest.raises(CycleError):
        steps_of(graph({1: [2], 2: [1]}))


def test_a_copy_has_nodes_of_its_own() -> None:
    first = graph({1: [], 2: [1]})
    handles = iter(range(10, 20))
    copy = first.copy(lambda: next(handles))
    assert copy.edges() == [(10, 11)] and first.edges() == [(1, 2)]
    copy.nodes[11].after.clear()
    assert first.edges() == [(1, 2)]


def test_a_finding_in_a_node_names_the_launch_of_the_graph(capfd: pytest.CaptureFixture[str]) -> None:
    for name, line, message in (
        ("graph_with_freed_memory", 15, "cudaMemcpyAsync uses x, which has been freed"),
        ("graph_copies_too_much_to_the_host", 14, "cudaGraphAddMemcpyNode1D writes 128 bytes of the host's memory"),
        ("branches_of_a_graph_race", 25, "Two nodes of a graph use x, and no edge orders them"),
        ("graph_that_another_stream_does_not_await", 17, "Two operations use x, and nothing orders them"),
        ("graph_never_awaited", 13, "ends without waiting for this kernel"),
        ("graph_memory_without_an_edge", 23, "Two nodes of a graph use memory on the GPU, and no edge orders them"),
        ("graph_that_frees_runs_twice", 21, "cudaGraphAddMemFreeNode frees x, which has been freed already"),
        ("graph_uses_memory_behind_its_free_node", 15, "cudaMemcpyAsync uses x, which has been freed"),
    ):
        assert cli.main(["run", str(Path(__file__).parent / "wrong" / f"{name}.cu")]) == 1
        report = capfd.readouterr().err
        assert message in " ".join(report.split())
        assert re.search(rf"launches the graph +line +{line} ", report)


def test_memory_of_a_graph_that_no_launch_has_allocated_is_not_called_freed(capfd: pytest.CaptureFixture[str]) -> None:
    for name, message in (
        ("graph_memory_used_before_a_launch", "cudaMemset uses x, which no launch of its graph has allocated"),
        ("graph_memory_freed_before_a_launch", "cudaFree frees x, which no launch of its graph has allocated"),
    ):
        assert cli.main(["run", str(Path(__file__).parent / "wrong" / f"{name}.cu")]) == 1
        assert message in " ".join(capfd.readouterr().err.split())


@pytest.mark.parametrize("type_", ["Default", "Programmatic"])
def test_edges_may_have_the_data_of_cuda_13_that_means_nothing(
    type_: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "p.cu"
    program.write_text(
        "int main() {\n    cudaGraph_t graph;\n    cudaGraphNode_t nodes[2], from, to;\n"
        f"    cudaGraphEdgeData data = {{0, 0, cudaGraphDependencyType{type_}}}, told;\n"
        "    cudaGraphCreate(&graph, 0);\n    for (auto& node : nodes) cudaGraphAddEmptyNode(&node, graph, 0, 0);\n"
        "    cudaGraphAddDependencies(graph, &nodes[0], &nodes[1], &data, 1);\n    size_t count = 1;\n"
        "    if (cudaGraphGetEdges_v2(graph, &from, &to, &told, &count) || told.type || count != 1) return 1;\n"
        "    return from != nodes[0] || to != nodes[1];\n}\n"
    )
    assert cli.main(["run", str(program)]) == (0 if type_ == "Default" else 2)
    assert ("p.cu line 7 gives an edge data" in capfd.readouterr().err) == (type_ == "Programmatic")


def test_a_loop_of_a_graph_that_does_not_end_is_stopped(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_conditions, "_MOST_ROUNDS", 30)
    program = tmp_path / "p.cu"
    program.write_text(
        "__global__ void go_on(cudaGraphConditionalHandle c) { cudaGraphSetConditional(c, 1); }\nint main() {\n"
        "    cudaGraph_t graph;\n    cudaGraphExec_t exec;\n    cudaGraphNode_t node;\n"
        "    cudaGraphConditionalHandle handle;\n    cudaGraphCreate(&graph, 0);\n"
        "    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);\n"
        "    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};\n"
        "    params.conditional = {handle, cudaGraphCondTypeWhile, 1, nullptr};\n"
        "    cudaGraphAddNode(&node, graph, nullptr, 0, &params);\n    void* arguments[] = {&handle};\n"
        "    cudaKernelNodeParams kernel = {(void*)go_on, 1, 1, 0, arguments, nullptr};\n"
        "    cudaGraphAddKernelNode(&node, params.conditional.phGraph_out[0], nullptr, 0, &kernel);\n"
        "    cudaGraphInstantiate(&exec, graph, 0);\n    cudaGraphLaunch(exec, 0);\n    for (;;) {}\n}\n"
    )
    assert cli.main(["run", str(program)]) == 1
    report = " ".join(capfd.readouterr().err.split())
    assert "with 31 launches" in report and "Stopped The program was stopped: the WHILE nodes of a graph" in report
    assert "line 16 cudaGraphLaunch(exec, 0);" in report


def operation(stream: int, index: int, clock: Clock) -> Operation:
    return Operation(stream, index, "", NOWHERE, uses(), clock, False, 0)


def test_a_graph_gets_the_memory_that_was_freed_before_it() -> None:
    piece, held, timeline = 32 << 20, Footprint(), Timeline()
    held.take(1, 2 * piece, operation(1, 1, {1: 1}))
    held.give(1, operation(1, 2, {1: 2}))
    held.take(2, piece, operation(1, 3, {1: 3}))
    assert held.now == 2 * piece
    held.take(3, piece, operation(2, 1, {2: 1, 1: 1}))  # at the same time, perhaps
    assert held.now == held.peak == 3 * piece
    held.trim(timeline)
    assert held.now == 3 * piece
    timeline.synchronize({1: 2})
    held.trim(timeline)
    assert held.now == 2 * piece
    held.take(4, 64, operation(3, 1, {3: 1}))
    held.take(5, 64, operation(3, 2, {3: 2}))
    assert held.now == 3 * piece  # of which two small ones share one


#: What a program does after the beginning of a capture, and what of it becomes no node.
NO_NODES = {
    "cudaMemcpyToSymbolAsync(number, &x, 4, 0, cudaMemcpyHostToDevice, stream);": "captures cudaMemcpyToSymbolAsync",
    "cudaGraphLaunch(0, stream);": "captures cudaGraphLaunch",
    "slices.extent = {4, 1, 2}; cudaGraphAddMemcpyNode(&node, graph, 0, 0, &slices);": "copies slices that do not",
    "extra.func = (void*)k; extra.extra = &x; cudaGraphAddKernelNode(&node, graph, 0, 0, &extra);": (
        "gives the arguments of a kernel by extra"
    ),
}


@pytest.mark.parametrize("statements", NO_NODES)
def test_what_becomes_no_node_is_named(statements: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.cu"
    program.write_text(
        "__device__ int number;\n__global__ void k(int* x) {}\nint main() {\n    void* x = nullptr;\n"
        "    cudaGraphNode_t node;\n    cudaMemcpy3DParms slices = {};\n    cudaKernelNodeParams extra = {};\n"
        "    slices.srcPtr = slices.dstPtr = make_cudaPitchedPtr(&x, 8, 4, 4);\n"
        "    cudaGraph_t graph;\n    cudaGraphCreate(&graph, 0);\n"
        "    cudaStream_t stream;\n    cudaStreamCreate(&stream);\n"
        f"    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);\n    {statements}\n}}\n"
    )
    assert cli.main(["run", str(program)]) == 2
    message = capfd.readouterr().err
    assert message.startswith(f"autograder: p.cu line 14 {NO_NODES[statements]}")
    assert message.endswith(", of which the emulated runtime makes no node of a graph.\n")
