"""`autograder debug --dap`, as an editor uses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import inputs
import pytest
from dap_client import DEBUGGER, ROOT, Client

pytestmark = inputs.commands

KERNEL = """\
#include <cstdio>
struct Pair { int a; float b[2]; };
__device__ int table[4] = {10, 20, 30, 40};
__device__ int twice(int v)
{
    int r = v;
    r += v;
    return r;
}
__global__ void work(int* x, float scale, int n)
{
    __shared__ int tile[64];
    int i = threadIdx.x, later;
    if (i >= n) return;
    Pair p = {i, {scale, 2 * scale}};
    tile[i] = x[i] + table[i % 4];
    __syncthreads();
    for (int j = 0; j < 3; j++) {
        int k = twice(j);
        p.a += k;
    }
    later = tile[63 - i];
    x[i] = later + p.a;
    if (i == 0) printf("done\\n");
}
"""
LAUNCH: dict[str, Any] = {"grid": 1, "block": 64, "args": ["x=arange:64", "scale=1.5", "n=64"]}
RACE = KERNEL.replace("    __syncthreads();\n", "    ;\n")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "work.cu"
    path.write_text(KERNEL)
    return path


def test_a_session(file: Path) -> None:
    with Client() as client:
        made = client.start([{"line": 19}, {"line": 21}, {"line": 99}], program=str(file), **LAUNCH)
        assert [item["verified"] for item in made] == [True, True, False]
        assert made[1]["line"] == 21, "the end of the loop is code"
        assert client.event("output", lambda body: body["category"] == "stdout")["output"] == "done\n"
        assert client.stopped() == ("breakpoint", 1) and client.line(1) == 19
        assert client.values(1)["j"] == "0" and client.values(1)["k"] == "not set yet"

        client.request("setBreakpoints", source={"path": str(file)}, breakpoints=[])
        client.request("stepIn", threadId=1)
        assert client.stopped() == ("step", 1) and client.line(1) == 6
        frames = client.request("stackTrace", threadId=1)["stackFrames"]
        assert [(item["name"], item["line"]) for item in frames] == [("twice", 6), ("work", 19)]
        assert client.values(1) == {"v": "0", "r": "not set yet"}
        assert client.values(1, 1)["p"] == "{a = 0, b = {1.5, 3}}"
        client.request("stepOut", threadId=1)
        assert client.stopped() == ("step", 1) and client.line(1) == 20
        client.request("next", threadId=1)
        assert client.stopped() == ("step", 1) and client.line(1) == 21
        client.request("stepBack", threadId=1)
        assert client.stopped() == ("step", 1) and client.line(1) == 20 and client.values(1)["k"] == "0"
        client.request("stepBack", threadId=1)
        assert client.stopped() == ("step", 1) and client.line(1) == 19
        assert client.values(1)["k"] == "not set yet" and client.values(1)["j"] == "0", "back before it was set"
        client.request("reverseContinue", threadId=1)
        assert client.stopped()[0] == "entry"
        client.request("continue", threadId=1)
        client.event("terminated")
        client.request("disconnect")


def test_a_condition_stops_the_thread_for_which_it_is_true(file: Path) -> None:
    with Client() as client:
        condition = "j == 2 && threadIdx.x == 37"
        client.start([{"line": 20, "condition": condition}], program=str(file), **LAUNCH)
        assert client.stopped() == ("breakpoint", 38) and client.line(38) == 20
        assert client.values(38)["k"] == "4" and client.values(38)["i"] == "37"
        names = [item["name"] for item in client.request("threads")["threads"]]
        assert len(names) == 33 and "block 0, warp 0, threads 0 to 31" in names
        assert "block 0, thread (37, 0, 0)" in names
        assert client.line(64) == 17, "the last thread waits for the barrier, or is about to leave it"
        client.request("continue", threadId=38)
        client.event("terminated")


def test_the_variables_of_each_scope(file: Path) -> None:
    with Client() as client:
        client.start([{"line": 22}], program=str(file), **LAUNCH)
        client.stopped()
        scopes = client.scopes(1)
        assert set(scopes["Shared"]) == {"tile"}, "no dynamic memory, which has no bytes"
        assert set(scopes) == {"Locals", "Launch", "Shared", "Global", "Device and constant"}
        assert scopes["Locals"]["scale"]["type"] == "float" and scopes["Locals"]["scale"]["value"] == "1.5"
        assert scopes["Launch"]["threadIdx"]["value"] == "{x = 0, y = 0, z = 0}"
        assert scopes["Device and constant"]["table"]["value"] == "{10, 20, 30, 40}"
        tile = scopes["Shared"]["tile"]
        assert tile["type"] == "int[64]" and tile["indexedVariables"] == 64
        some = client.request("variables", variablesReference=tile["variablesReference"], start=60, count=2)
        assert [(item["name"], item["value"]) for item in some["variables"]] == [("[60]", "70"), ("[61]", "81")]
        pointer = scopes["Locals"]["x"]
        assert pointer["value"].endswith("(&x[0])")
        (target,) = client.request("variables", variablesReference=pointer["variablesReference"])["variables"]
        assert target["name"] == "*x" and target["value"] == "0"


def test_expressions(file: Path) -> None:
    with Client() as client:
        client.start([{"line": 22}], program=str(file), **LAUNCH)
        client.stopped()
        frame = client.request("stackTrace", threadId=1)["stackFrames"][0]["id"]

        def value(text: str) -> str:
            return client.request("evaluate", expression=text, frameId=frame)["result"]  # type: ignore[no-any-return]

        assert value("p.b[1]") == "3" and value("tile[threadIdx.x + 3]") == "43" and value("x[5]") == "5"
        assert value("-7 / 2") == "-3" and value("-7 % 2") == "-1" and value("p.a == 6 || !n") == "true"
        refused = client.request("evaluate", expression="q", frameId=frame, fails=True)
        assert refused == "There is no q here."
        assert "not set yet" in client.request("evaluate", expression="later + 1", frameId=frame, fails=True)
        client.request("evaluate", expression="thread 40", context="repl")
        assert client.stopped() == ("goto", 41)
        assert client.request("evaluate", expression="i")["result"] == "40"


def test_it_stops_at_what_the_checks_find(file: Path) -> None:
    file.write_text(RACE)
    with Client() as client:
        client.start([], program=str(file), **LAUNCH)
        body = client.event("stopped")
        assert body["reason"] == "exception" and body["text"] == "Race"
        thread = body["threadId"]
        shown = client.request("exceptionInfo", threadId=thread)
        assert shown["exceptionId"] == "Race" and "use tile[" in shown["details"]["message"]
        assert client.line(thread) in (16, 22)
        client.request("continue", threadId=thread)
        client.event("exited", lambda body: body["exitCode"] == 1)
        client.event("terminated")


def test_it_only_runs_without_debugging(file: Path) -> None:
    file.write_text(RACE)
    with Client() as client:
        client.request("initialize", adapterID="autograder")
        client.request("launch", program=str(file), noDebug=True, stopOnEntry=True, **LAUNCH)
        client.request("configurationDone")
        assert "use tile[" in client.event("output", lambda body: body["category"] == "important")["output"]
        assert client.event("exited") == {"exitCode": 1}
        client.event("terminated")


def test_a_launch_that_stops_early_ends_where_it_stopped(file: Path) -> None:
    file.write_text(KERNEL.replace("later = tile[63 - i]", "later = x[i + 100]"))
    with Client() as client:
        client.start([], program=str(file), **LAUNCH)
        body = client.event("stopped")
        assert body["reason"] == "exception" and body["text"] == "OutOfBounds"
        assert client.line(body["threadId"]) == 22
        assert client.values(body["threadId"])["later"] == "not set yet"


def test_another_block_is_recorded_when_it_is_asked_for(file: Path) -> None:
    with Client() as client:
        client.start([{"line": 22}], program=str(file), **{**LAUNCH, "grid": 2}, focus=[1, 5])
        assert client.stopped()[0] in ("breakpoint", "exception")
        client.request("evaluate", expression="thread 1 6", context="repl")
        assert client.stopped() == ("goto", 7)
        assert client.request("evaluate", expression="blockIdx.x")["result"] == "1"
        client.request("evaluate", expression="thread 0 3", context="repl")
        assert client.stopped() == ("goto", 4)
        assert client.request("evaluate", expression="blockIdx.x")["result"] == "0"


def test_a_launch_of_a_program(file: Path) -> None:
    main = "int main(int count, char**) {{ int* x; cudaMalloc(&x, 256); cudaMemset(x, 0, 256); {} }}\n"
    file.write_text(KERNEL + main.format("work<<<1, 64>>>(x, 1, 64); work<<<1, 64>>>(x, count, 64);"))
    with Client() as client:
        given = {"program": str(file), "args": ["a", "b"], "launch": 2, "focus": [0, 2]}
        client.start([{"line": 22}], **given)
        assert client.stopped() == ("breakpoint", 3)
        assert client.values(3)["scale"] == "3" and client.values(3)["n"] == "64"
        assert ", 28, 19, 50, " in client.scopes(3)["Global"]["x"]["value"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"program": 5}, 'The launch configuration names no file: add "program", such as "${file}".'),
        ({"program": "no.cu"}, "no.cu cannot be read: No such file or directory."),
        ({"grid": "4"}, '"grid" must be an integer or a list of them, such as [4, 2].'),
        ({"args": ["x=arange:64"]}, "has no --arg for float scale: add one"),
        ({"focus": [0, 64]}, "The launch has no thread 64 of a block 0."),
    ],
)
def test_a_bad_configuration_gets_one_sentence(file: Path, change: dict[str, Any], sentence: str) -> None:
    with Client() as client:
        client.request("initialize", adapterID="autograder")
        words = client.request("launch", fails=True, **{"program": str(file), **LAUNCH, **change})
        assert sentence in words


def test_each_attribute_that_an_editor_offers_is_read(file: Path) -> None:
    offered = DEBUGGER["configurationAttributes"]["launch"]["properties"]
    with Client() as client:
        client.request("initialize", adapterID="autograder")
        for name in offered:
            words = client.request("launch", fails=True, **{"program": str(file), **LAUNCH, name: {"a": 1}})
            assert f'"{name}"' in words, words


@pytest.mark.parametrize("number", [0, 1])
def test_the_configurations_in_the_documentation(file: Path, number: int) -> None:
    configuration = json.loads((ROOT / "docs/editors/launch.json").read_text())["configurations"][number]
    assert configuration["type"] == DEBUGGER["type"]
    file.write_text(KERNEL + "int main() { int* x; cudaMallocManaged(&x, 256); work<<<1, 64>>>(x, 1, 0); }\n")
    with Client() as client:
        client.start([], **{**configuration, "program": str(file)})
        assert client.stopped() == ("entry", 1) and client.line(1) == 13


def test_what_cannot_be_done_is_refused(file: Path) -> None:
    with Client() as client:
        assert client.request("threads", fails=True) == "Nothing is debugged yet: launch first."
        client.start([{"line": 22}], program=str(file), **LAUNCH)
        client.stopped()
        assert "there is nothing to pause" in client.request("pause", threadId=1, fails=True)
        assert client.request("restart", fails=True) == "The debugger has no restart."
        client.request("variables", variablesReference=12345, fails=True)
        client.request("next", threadId=2000, fails=True)
