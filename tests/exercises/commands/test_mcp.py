"""What an AI assistant sees of `autograder mcp`: the protocol's own client, with the server in a subprocess."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import anyio
import inputs
import numpy as np
import pytest
from mcp import Client, StdioServerParameters

pytestmark = inputs.commands

ROOT = Path(__file__).parents[3]
EXERCISE = ROOT / "exercises" / "barriers" / "missing_barrier.ipynb"
TRY = ROOT / "tests" / "exercises" / "beginners" / "missing_barrier" / "in_the_branch.cu"
REVERSE = """\
__global__ void reverse(int* x)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = tile[63 - threadIdx.x];
}
"""
#: Reads standard input, which must not be the protocol's.
PROGRAM = """\
#include <cstdio>
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
int main(int count, char** words)
{
    int* x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i) x[i] = i;
    twice<<<1, 32>>>(x);
    if (count < 2) cudaDeviceSynchronize();
    printf("%d %d\\n", x[31], getchar());
    cudaFree(x);
}
"""


def answers(folder: Path, *calls: tuple[str, dict[str, Any]]) -> list[tuple[bool, str]]:
    """Whether each call of a tool failed, and its answer."""

    async def session() -> list[tuple[bool, str]]:
        path = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], "HOME": os.environ["HOME"]}
        server = StdioServerParameters(command=sys.executable, args=["-m", "autograder", "mcp"], env=path, cwd=folder)
        found = []
        async with Client(server) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert {name for name, _ in calls} <= listed.keys()
            assert all(tool.description for tool in listed.values())
            for name, arguments in calls:
                result = await client.call_tool(name, arguments)
                (content,) = result.content
                found.append((bool(result.is_error), content.text))  # type: ignore[union-attr]
        return found

    return anyio.run(session)


def test_an_assistant_compiles_and_runs(tmp_path: Path) -> None:
    (tmp_path / "reverse.cu").write_text(REVERSE)
    (tmp_path / "twice.cu").write_text(PROGRAM)
    np.save(tmp_path / "want.npy", np.arange(64, dtype=np.int32)[::-1])
    launch = {"file": "reverse.cu", "grid": 1, "block": [64], "args": ["x=arange:64"], "expect": ["x=want.npy"]}
    compiled, raced, right, early = answers(
        tmp_path,
        ("compile", {"file": "reverse.cu"}),
        ("run_kernel", launch),
        ("run_program", {"file": "twice.cu"}),
        ("run_program", {"file": "twice.cu", "arguments": ["early"]}),
    )
    assert compiled == (False, "reverse.cu compiles.")
    failed, text = raced
    race, *_ = json.loads(text)["findings"]
    assert not failed and race["kind"] == "Race" and race["array"] == "tile" and "tile[" in race["report"]
    document = json.loads(right[1])
    assert not right[0] and document["findings"] == [] and document["printed"] == "62 -1\n"
    assert [finding["kind"] for finding in json.loads(early[1])["findings"]] == ["Unsynchronized"]


def test_an_assistant_checks_an_answer_and_asks_what_a_finding_means(tmp_path: Path) -> None:
    answer = TRY.read_text().partition("\n")[2]
    requested = {"notebook": str(EXERCISE), "exercise": "missing_barrier"}
    checked, broken, explained, of_host, of_check = answers(
        tmp_path,
        ("check", {**requested, "answer": answer}),
        ("check", {**requested, "answer": "__global__ void missing_barrier() { nothing; }"}),
        ("explain", {"kind": "BarrierDivergence"}),
        ("explain", {"kind": "Leak"}),
        ("explain", {"kind": "BankConflicts"}),
    )
    document = json.loads(checked[1])
    outcomes = {item["check"]: item["outcome"] for item in document["checks"]}
    assert document["cells"] == ["missing_barrier compiles."] and outcomes["reaches_every_barrier"] == "failed"
    (cell,) = json.loads(broken[1])["cells"]
    assert "use of undeclared identifier 'nothing'" in cell
    reported = json.loads(explained[1])
    assert reported["section"] == "book/appendix-findings#finding-barrier-divergence"
    assert any(
        rule["read"] == 'Chapter 5, "Barriers"' and "__syncthreads()" in rule["rule"] for rule in reported["rules"]
    )
    assert json.loads(of_host[1])["term"] == "memory that nothing frees"
    assert json.loads(of_check[1])["term"] == "bank conflicts"


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("compile", {"file": "broken.cu"}, "broken.cu line 1 does not compile: use of undeclared identifier 'y'"),
    ("run_program", {"file": "absent.cu"}, "absent.cu cannot be read: No such file or directory."),
    ("run_program", {"file": "reverse.cu"}, "reverse.cu has no main function"),
    ("run_kernel", {"file": "reverse.cu", "grid": "x", "block": 1, "args": []}, "x is not one to three integers"),
    ("run_kernel", {"file": "reverse.cu", "grid": 1, "block": 64, "args": []}, "has no --arg for int* x"),
    ("run_kernel", {"file": "reverse.cu", "grid": 1, "block": 64, "args": [5]}, "int* x"),
    ("check", {"notebook": "reverse.cu", "exercise": "a", "answer": ""}, "reverse.cu cannot be read: it is not a"),
    ("check", {"notebook": str(EXERCISE), "exercise": "a", "answer": ""}, "has no cell that begins with %%cuda a,"),
    ("explain", {"kind": "Bug"}, "There is no kind Bug: use CompileError, "),
]


@pytest.mark.rare
def test_bad_input_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "reverse.cu").write_text(REVERSE)
    (tmp_path / "broken.cu").write_text("__global__ void broken(int* x) { *x = y; }\n")
    reported = answers(tmp_path, *((tool, arguments) for tool, arguments, _ in BAD))
    for (failed, message), (tool, _, sentence) in zip(reported, BAD, strict=True):
        assert failed and sentence in message and "\n" not in message, (tool, message)
