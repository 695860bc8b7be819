"""The one description of what the runtime is asked and answers: does it say all that another program needs?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from autograder import Kernel
from autograder.backends import emulator
from autograder.compiler import protocol_header
from autograder.compiler.emulator_runtime import EMULATOR
from autograder.compiler.zig import clang
from autograder.core import findings, protocol
from autograder.errors import GraderFault

SOURCE = (
    "__global__ void scale(const float* in, float* out, float factor) { out[threadIdx.x] = factor * in[threadIdx.x]; }"
)
PLAIN = json.loads((EMULATOR / "protocol.json").read_text(encoding="utf-8"))


class Plain:
    """Reads and writes structs from the description alone, as a page's program would."""

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
            for one in value:
                self.write(name, one)
        elif name in PLAIN["structs"]:
            for field, type_, _ in PLAIN["structs"][name]["fields"]:
                self.write(type_, value[field])
        else:
            name = PLAIN["enumerations"].get(name, {"type": name})["type"]
            self.data += value.to_bytes(int(name[1:]) // 8, "little", signed=name[0] == "i")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The requests that the emulator makes."""
    requests: list[bytes] = []
    ask = emulator.ask
    monkeypatch.setattr(emulator, "ask", lambda *args: (requests.append(args[2]), ask(*args))[1])
    return requests


def test_a_request_is_what_the_description_alone_says(asked: list[bytes]) -> None:
    arrays = [np.ones(64, np.float32), np.zeros(64, np.float32)]
    schedule = "random:7; hold 0:3:1 until 0:40:0"
    Kernel(SOURCE, "scale").emulate(1, 64, [*arrays, np.float32(3)], schedule=schedule, trace=True)
    (request,) = asked
    plain, written, counts = Plain(request), Plain(), {}
    parts: list[Any] = []
    for name, count in PLAIN["request"]:
        values = [plain.read(name) for _ in range(counts.get(count, count))]
        counts |= values[0] if name == "Request" else {}
        for value in values:
            written.write(name, value)
        parts.append(values)
    assert plain.at == len(request) and written.data == request
    (head,), variables, arguments, values = parts
    assert head["grid"] == [1, 1, 1] and head["block"] == [64, 1, 1]
    assert head["schedule"] == PLAIN["enumerations"]["Schedule"]["members"]["random"] and head["seed"] == 7
    assert head["hold"] == {"block": 0, "thread": 3, "access": 1} and head["until"]["thread"] == 40
    assert head["trace_block"] == -1 and head["trace_capacity"] == emulator.TRACE_EVENTS
    assert [(v["bytes"], v["read_only"]) for v in variables[:2]] == [(256, 1), (256, 0)]
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
        protocol.pack("Place", {"block": 0, "thread": 0})
    with pytest.raises(AssertionError, match=r"has no.+warp"):
        protocol.pack("Place", {"block": 0, "thread": 0, "access": 0, "warp": 0})


def test_the_words_of_findings_are_the_descriptions() -> None:
    assert set(get_args(findings.Action)) == set(protocol.Action.__members__)
    assert set(get_args(findings.Space)) == set(protocol.Space.__members__)


def test_every_action_is_an_event_of_the_same_number() -> None:
    assert protocol.Action.__members__.items() <= protocol.Event.__members__.items()


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
