"""Does the one description of the runtime's requests and answers say all that another program needs?"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.backends import emulator, emulator_process, emulator_reply
from autograder.cuda.backends.emulation import TRACE_EVENTS
from autograder.cuda.compiler import protocol_header, protocol_records
from autograder.cuda.compiler.clang import clang
from autograder.cuda.compiler.emulator_runtime import EMULATOR
from autograder.cuda.core import enumerations, findings, protocol, records
from autograder.cuda.core.answer import AnswerError, read_answer
from autograder.cuda.core.records import Answer
from autograder.cuda.errors import GraderFault

SOURCE = (
    "__global__ void scale(const float* in, float* out, float factor) { out[threadIdx.x] = factor * in[threadIdx.x]; }"
)
PLAIN = json.loads((EMULATOR / "protocol.json").read_text(encoding="utf-8"))


class Plain:
    """Reads and writes structs from the description alone, as a program on a page would."""

    def __init__(self, data: bytes = b"") -> None:
        self.data, self.at = data, 0

    def read(self, text: str) -> Any:
        name, _, length = text.rstrip("]").partition("[")
        if length:
            return [self.read(name) for _ in range(int(length))]
        if name in PLAIN["structs"]:
            return {field: self.read(type_) for field, type_, _ in PLAIN["structs"][name]["fields"]}
        name = PLAIN["enumerations"].get(name, {"type": name})["type"]
        self.at += int(name[1:]) // 8
        return int.from_bytes(self.data[self.at - int(name[1:]) // 8 : self.at], "little", signed=name[0] == "i")

    def write(self, text: str, value: Any) -> None:
        name, _, length = text.rstrip("]").partition("[")
        if length:
            assert len(value) == int(length)
            for item in value:
                self.write(name, item)
        elif name in PLAIN["structs"]:
            for field, type_, _ in PLAIN["structs"][name]["fields"]:
                self.write(type_, value[field])
        else:
            name = PLAIN["enumerations"].get(name, {"type": name})["type"]
            self.data += value.to_bytes(int(name[1:]) // 8, "little", signed=name[0] == "i")


@pytest.fixture
def requested(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The requests that the emulator makes."""
    requests: list[bytes] = []
    exchange = emulator_process.exchange

    def watched(
        program: Sequence[str],
        module: Path,
        request: bytes,
        arena: emulator_process.File,
        events: emulator_process.File,
        patience: float,
    ) -> Answer | None:
        requests.append(request)
        return exchange(program, module, request, arena, events, patience)

    monkeypatch.setattr(emulator_process, "exchange", watched)
    return requests


def test_a_request_is_what_the_description_alone_says(requested: list[bytes]) -> None:
    arrays = [np.ones(64, np.float32), np.zeros(64, np.float32)]
    schedule = "random:7; hold 0:3:1 until 0:40:0"
    launch = Kernel(SOURCE, "scale").prepare(1, 64, [*arrays, np.float32(3)])
    emulator.run(launch.with_experiment(ignored=frozenset({1})), schedule=schedule, trace=True, blocks=(0,))
    (request,) = requested
    plain, written = Plain(request), Plain()
    counts: dict[str | int, int] = {}
    parts: list[Any] = []
    for name, count in PLAIN["request"]:
        values = [plain.read(name) for _ in range(counts.get(count, count))]
        counts |= values[0] if name == "Request" else {}
        for value in values:
            written.write(name, value)
        parts.append(values)
    assert plain.at == len(request) and written.data == request
    (head,), variables, ignored, chosen, child_uses, arguments, values = parts
    assert (chosen, child_uses) == ([0], [])
    assert head["grid"] == [1, 1, 1] and head["block"] == [64, 1, 1]
    assert head["schedule"] == PLAIN["enumerations"]["Schedule"]["members"]["random"] and head["seed"] == 7
    assert head["delayed"] == {"block": 0, "thread": 3, "access": 1} and head["awaited"]["thread"] == 40
    assert head["trace_block"] == -1 and head["trace_capacity"] == TRACE_EVENTS
    assert [(v["bytes"], v["read_only"]) for v in variables[:2]] == [(256, 1), (256, 0)]
    assert ignored and all(0 < code["first"] < code["end"] for code in ignored)
    assert [a["variable"] for a in arguments] == [0, 1, -1]
    factor = arguments[2]["offset"]
    assert np.frombuffer(bytes(values[factor : factor + 4]), np.float32) == 3


def test_a_trace_is_what_the_description_alone_says() -> None:
    event = dict.fromkeys(protocol.fields("TraceEvent"), 0) | {"step": 1 << 40, "array": -1, "value": range(16)}
    written = Plain()
    written.write("TraceEvent", event)
    (read,) = np.frombuffer(written.data, protocol.dtype("TraceEvent"))
    assert written.data == protocol.pack("TraceEvent", event)
    assert read["step"] == 1 << 40 and read["array"] == -1 and read["value"].tolist() == list(range(16))


def test_javascript_can_hold_every_number() -> None:
    numbers = [value for _, value, _ in PLAIN["constants"]]
    numbers += [n for enumeration in PLAIN["enumerations"].values() for n in enumeration["members"].values()]
    assert max(numbers) < 1 << 53


def test_values_of_other_names_are_refused() -> None:
    with pytest.raises(AssertionError, match=r"lacks.+access"):
        protocol.pack("ThreadAccess", {"block": 0, "thread": 0})
    with pytest.raises(AssertionError, match=r"has no.+warp"):
        protocol.pack("ThreadAccess", {"block": 0, "thread": 0, "access": 0, "warp": 0})


def test_the_words_of_findings_are_the_descriptions() -> None:
    assert set(get_args(findings.Action)) == set(enumerations.Action.__members__)
    assert set(get_args(findings.Space)) == set(enumerations.Space.__members__)


def test_every_action_is_an_event_of_the_same_number() -> None:
    assert enumerations.Action.__members__.items() <= enumerations.Event.__members__.items()


def compiles(folder: Path) -> None:
    protocol_header.write_headers(folder)
    (folder / "all.cpp").write_text('#include "protocol.h"\n#include "prelude_protocol.h"\n')
    log = clang(["-std=c++20", "-fsyntax-only", "-I", str(EMULATOR), "all.cpp"], folder)
    if log is not None:
        raise GraderFault(log)


def test_the_header_compiles_by_itself(tmp_path: Path) -> None:
    compiles(tmp_path)


def test_a_struct_that_would_be_padded_does_not_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    padded = {"about": "", "fields": [["small", "u32", ""], ["large", "u64", ""]]}
    monkeypatch.setitem(protocol.DESCRIPTION["structs"], "Padded", padded)
    with pytest.raises(GraderFault, match=r"__builtin_offsetof\(Padded, large\) == 4"):
        compiles(tmp_path)


# ---- the answer -----------------------------------------------------------------------------------------------------

#: An answer with something of each form in it, in C++ and as it is read.
FILLED = """
#include "platform/linux/files.h"
#include "platform/linux/memory.h"
#include "protocol_json.h"
int main() {
    const Waiting waiting[] = {{3, "__shfl_sync", {1, 2, 3}}, {~0ull >> 12, "", {4, 5, ~0u}}};
    const Stop stop = BarrierDivergence{Scope::Cluster, 32, 1, {waiting, 2}};
    const Race race = {{Action::Read, 0, {0, 1, 2}}, {Action::Atomic, 4, {3, 4, 5}}, 6, 7, 8, true, false,
                       Unawaited::Second, Wait::Pipeline, 9};
    const SiteUses uses = {1, 2};
    const ThreadWork work = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, {&uses, 1}};
    static Answer answer;
    answer.stop = &stop;
    answer.races = {&race, 1};
    answer.counts.compare_and_swaps = 9;
    answer.maximum_work = &work;
    answer.printed = {"a\\0\\"\\\\\\n\\xff", 6};
    put(answer);
    if (write(1, json, json_length) < 0) return 1;
    json_length = 0;
    put(IndexOutOfBounds{1, 2, i64(1ull << 63), "int[4]", {}});
    put_bytes("\\n", 1);
    put(Spin{nullptr, 64, 17, {}});
    return write(2, json, json_length) < 0;
}
"""


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
def test_what_the_runtime_writes_is_what_python_reads(tmp_path: Path) -> None:
    protocol_header.write_headers(tmp_path)
    (tmp_path / "filled.cpp").write_text(FILLED)
    build = ["g++", "-std=c++20", "-w", "-I", ".", "-I", str(EMULATOR), "filled.cpp", "-o", "filled"]
    subprocess.run(build, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "filled"], capture_output=True, check=True)
    answer = read_answer(done.stdout)
    assert isinstance(answer.stop, records.BarrierDivergence) and answer.stop.threads == 32
    assert answer.stop.scope.name == "cluster"
    first, second = answer.stop.sites
    assert (first.count, first.function, vars(first.at)) == (
        3, "__shfl_sync", {"block": 1, "thread": 2, "site": 3}
    )  # fmt: skip
    assert (second.count, second.function, second.at.site) == ((1 << 52) - 1, "", (1 << 32) - 1)
    (race,) = answer.races
    assert (race.first.action.name, race.second.action.name, race.second.at.site) == ("read", "atomic", 5)
    assert (race.first.bytes, race.second.bytes) == (0, 4)
    assert (race.same_value, race.tied, race.unawaited.name, race.wait.name) == (True, False, "second", "pipeline")
    assert race.owner == 9
    assert answer.maximum_work
    assert answer.counts.compare_and_swaps == 9 and answer.maximum_work.sites[0].uses == 2
    assert answer.printed == 'a\0"\\\n\xff'
    index, spin = done.stderr.splitlines()
    assert json.loads(index)["index"] == -(1 << 63)
    at = {"block": 0, "thread": 0, "site": 0}
    waits = {"expected": 64, "missing": 17, "bytes": 0, "unready": False}
    assert json.loads(spin) == {"kind": "Spin", "element": None, **waits, "at": at}


def nothing(type_: protocol.Type) -> Any:
    """A value of this type with nothing in it."""
    if type_.form != "one":
        return [] if type_.form == "list" else None
    if type_.name in PLAIN["records"]:
        return {name: nothing(field) for name, field in protocol.fields(type_.name).items()}
    return {"bool": False, "text": ""}.get(type_.name, 0)


STOP = {"kind": "InvalidWarpMask", "mask": 1, "lane": 2, "at": {"block": 0, "thread": 2, "site": 9}}
ANSWER = nothing(protocol.Type("Answer")) | {"stop": STOP, "races": [nothing(protocol.Type("Race"))]}


def changed(path: str, value: Any) -> bytes:
    """ANSWER with `value` at `path`, or with nothing there if it is ..."""
    answer = json.loads(json.dumps(ANSWER))
    *way, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    place = answer
    for step in way:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return json.dumps(answer).encode()


def test_a_right_answer_is_read() -> None:
    answer = read_answer(changed("traced", 3))
    assert isinstance(answer.stop, records.InvalidWarpMask)
    assert answer.traced == 3 and answer.stop.lane == 2 and answer.maximum_work is None


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("races", ..., "answer has no, or lacks, races"),
        ("extra", 1, "answer has no, or lacks, extra"),
        ("races.0.offset", ..., "answer.races[0] has no, or lacks, offset"),
        ("races.0.second.at.thread", -1, "answer.races[0].second.at.thread is -1, no u32"),
        ("races.0.second.at.thread", 1 << 32, "answer.races[0].second.at.thread is 4294967296, no u32"),
        ("races.0.count", True, "answer.races[0].count is True, no u64"),
        ("races.0.tied", 1, "answer.races[0].tied is 1, no bool"),
        ("races.0.wait", 99, "answer.races[0].wait is 99, no Wait"),
        ("races.0.first", [], "answer.races[0].first is [], no RacingAccess"),
        ("traffic", {}, "answer.traffic is {}, no list"),
        ("printed", None, "answer.printed is None, no text"),
        ("stop.kind", "Boredom", "answer.stop.kind is 'Boredom', no Stop"),
        ("stop.kind", ..., "answer.stop.kind is None, no Stop"),
        ("stop.mask", "1", "answer.stop.mask is '1', no u32"),
    ],
)
def test_of_a_wrong_answer_it_is_said_where(path: str, value: Any, message: str) -> None:
    with pytest.raises(AnswerError) as error:
        read_answer(changed(path, value))
    assert str(error.value) == message


@pytest.mark.parametrize("text", [b"", b'{"stop":', b'{"printed":"\xff"}'])
def test_nor_is_one_that_is_no_json_read(text: bytes) -> None:
    with pytest.raises(AnswerError, match="it is no JSON: "):
        read_answer(text)


def plain_answer(text: str, value: Any) -> None:
    """Check `value` against a type of the description, as a program on a page would."""
    if text.endswith("?"):
        if value is not None:
            plain_answer(text[:-1], value)
    elif text.endswith("[]"):
        for item in value:
            plain_answer(text[:-2], item)
    elif text in PLAIN["unions"]:
        assert value["kind"] in PLAIN["unions"][text]
        plain_answer(value["kind"], {field: value[field] for field in value if field != "kind"})
    elif text in PLAIN["records"]:
        assert list(value) == [field for field, _, _ in PLAIN["records"][text]["fields"]]
        for field, type_, _ in PLAIN["records"][text]["fields"]:
            plain_answer(type_, value[field])
    elif text in PLAIN["enumerations"]:
        assert value in PLAIN["enumerations"][text]["members"].values()
    else:
        assert type(value) is {"bool": bool, "text": str}.get(text, int)


@pytest.mark.parametrize(
    ("body", "stop"),
    [
        ("out[0] = in[threadIdx.x];", None),
        ("out[threadIdx.x + 1] = 0;", "OutOfBounds"),
        ("if (threadIdx.x) __syncthreads();", "BarrierDivergence"),
        ("float own[4]; own[threadIdx.x] = 0; out[threadIdx.x] = own[threadIdx.x % 4];", "IndexOutOfBounds"),
        ('assert(in[0] == 7 || "a \\"b\\""[0] == 0);', "Trap"),
    ],
)
def test_an_answer_is_what_the_description_alone_says(
    body: str, stop: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[bytes] = []

    def read(text: bytes) -> Answer:
        answers.append(text)
        return read_answer(text)

    monkeypatch.setattr(emulator_reply, "read_answer", read)
    source = f"__global__ void try_it(const float* in, float* out) {{ {body} }}"
    Kernel(source, "try_it").emulate(1, 64, [np.ones(64, np.float32), np.zeros(64, np.float32)])
    answer = json.loads(answers[-1])
    plain_answer("Answer", answer)
    assert (answer["stop"] or {"kind": None})["kind"] == stop


def test_the_classes_are_those_of_the_description() -> None:
    for name, text in protocol_records.python_files().items():
        made = (protocol_records.FOLDER / name).read_text(encoding="utf-8")
        format_ = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(protocol_records.FOLDER / name)]
        formatted = subprocess.run(format_, input=text, capture_output=True, text=True, check=True).stdout
        assert made == formatted, f"{name} is out of date: run `make format` after {protocol_records.__name__}"
