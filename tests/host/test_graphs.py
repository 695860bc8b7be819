"""What is made of a program's graphs before they run, and what of graphs the emulated runtime refuses."""

from __future__ import annotations

from graphlib import CycleError
from pathlib import Path

import pytest

from autograder import cli
from autograder.core.host_findings import NOWHERE
from autograder.host.graph import Graph, Node, NodeType, branches, steps_of

pytestmark = pytest.mark.kept("autograder/**/*", "tests/host/**/*")


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


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("cudaMallocAsync(&x, 4, stream)", "cudaMallocAsync"),
        ("cudaMemcpyToSymbolAsync(number, &host, 4, 0, cudaMemcpyHostToDevice, stream)", "cudaMemcpyToSymbolAsync"),
    ],
)
def test_what_a_capture_cannot_take_is_named(
    call: str, name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "p.cu"
    program.write_text(
        "__device__ int number;\nint main() {\n    cudaStream_t stream;\n    cudaStreamCreate(&stream);\n"
        "    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);\n    int *x, host = 0;\n"
        f"    return {call} + (x == &host);\n}}\n"
    )
    assert cli.main(["run", str(program)]) == 2
    said = f"autograder: p.cu line 7 captures {name}, of which the emulated runtime makes no node of a graph."
    assert capfd.readouterr().err.startswith(said)
