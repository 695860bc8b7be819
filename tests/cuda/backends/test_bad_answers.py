"""Whatever comes from a kernel's process, or how it ends: the launch crashed, and the grader is not to blame."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import inputs
import numpy as np
import pytest
from narrowing import only

from autograder import Kernel
from autograder.cuda.backends import emulator
from autograder.cuda.compiler.emulator_runtime import build_runtime
from autograder.cuda.core import protocol
from autograder.cuda.core.findings import Crash
from autograder.cuda.core.run import Counts, Run
from autograder.cuda.errors import GraderFault

pytestmark = inputs.emulation

#: A launch with an access out of bounds, which the true runner says in its answer.
SOURCE = "__global__ void k(int* out)\n{ int own[4]; own[threadIdx.x % 4] = 1; out[threadIdx.x] = own[0]; }\n"
#: As a runner: it writes bytes as its answer, and as its trace, and ends in some way.
RUNNER = """#!{python} -IS
import os, sys
answer, events, end = {answer!r}, {events!r}, {end!r}
os.write(int(sys.argv[4]), events)
while answer:
    answer = answer[os.write(int(sys.argv[5]), answer):]
if end < 0:
    os.kill(os.getpid(), -end)
os._exit(end)
"""
AT: dict[str, Any] = {"block": 0, "thread": 31, "site": 1}
RACE: dict[str, Any] = {
    "first": {"action": 1, "bytes": 0, "at": AT},
    "second": {"action": 1, "bytes": 0, "at": AT},
    **{
        "variable": 0,
        "offset": 0,
        "count": 1,
        "same_value": False,
        "tied": False,
        "unawaited": 0,
        "wait": 0,
        "owner": 0,
    },
}
RIGHT: dict[str, Any] = {
    "stop": None,
    "races": [],
    "stale_reads": [],
    "ended_blocks": [],
    "uninitialized": [],
    "local_reads": [],
    "saw_uninitialized": False,
    "writes_held": False,
    "lets_begin": False,
    "launches": [],
    "copies": [],
    "child_races": [],
    "no_values": [],
    "observations": [],
    "counts": dict.fromkeys(protocol.fields("Counts"), 0),
    "maximum_work": None,
    "traffic": [],
    "touched_shared": [],
    "traced": 0,
    "ended": 0,
    "enough": False,
    "printed": "",
}

Emulate = Callable[..., Run]


@pytest.fixture
def emulate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Emulate:
    """Emulates SOURCE by a runner that answers so."""
    runtime = replace(build_runtime(), runner=tmp_path / "runner")
    monkeypatch.setattr(emulator, "build_runtime", lambda: runtime)

    def run(answer: bytes, end: int = 0, events: bytes = b"", *, trace: bool = False) -> Run:
        runtime.runner.write_text(RUNNER.format(python=sys.executable, answer=answer, events=events, end=end))
        runtime.runner.chmod(0o755)
        return Kernel(SOURCE, "k").emulate(1, 32, [np.zeros(32, np.int32)], trace=trace)

    return run


def is_broken(run: Run) -> bool:
    return only(Crash, run.findings).reason == "no answer" and not run.completed and run.counts == Counts()


def changed(**values: Any) -> bytes:
    return json.dumps(RIGHT | values).encode()


def test_the_right_answer_has_every_part() -> None:
    unequal = RIGHT.keys() ^ protocol.fields("Answer").keys()
    assert not unequal, f"RIGHT above and `Answer` in protocol.json differ in {sorted(unequal)}: add or remove these"


def test_a_right_answer_is_taken(emulate: Emulate) -> None:
    run = emulate(changed(races=[RACE]))
    assert run.completed and [f.kind for f in run.findings] == ["Race"]
    # Nobody has said that a part is enough: what is not checked would be computed outside of the window.
    assert emulate(changed(enough=True)).blocks == 1


GARBAGE = {
    "nothing": b"",
    "no JSON": b"\x7fELF",
    "no text": b'{"printed": "\xff"}',
    "half of it": changed()[:-5],
    "more after it": changed() + b"{}",
    "brackets": b"[" * 1_000_000,
    "a number of a million digits": b"1" * 1_000_000,
    "too long": changed(printed=" " * protocol.CONSTANTS["MAX_ANSWER"]),
    "another record": b'{"stop": null}',
    "a negative count": changed(counts=RIGHT["counts"] | {"barriers": -1}),
    "no number": changed(counts=RIGHT["counts"] | {"barriers": float("nan")}),
    "a fraction": changed(counts=RIGHT["counts"] | {"barriers": 1.5}),
    "a number beyond 64 bits": changed(counts=RIGHT["counts"] | {"barriers": 1 << 64}),
    "no reason to stop": changed(stop={"kind": "Boredom"}),
    "a list as a reason": changed(stop={"kind": ["Trap"]}),
    "a record as a reason": changed(stop={"kind": {}}),
    "no action": changed(races=[RACE | {"first": {"action": 3, "bytes": 0, "at": AT}}]),
    "no byte": changed(printed="\u1234"),
    "half a character": changed(printed="\ud800"),
    "a thread that there is not": changed(
        races=[RACE | {"second": {"action": 1, "bytes": 0, "at": AT | {"thread": 32}}}]
    ),
    "a block that there is not": changed(stop={"kind": "Trap", "assertion": "", "at": AT | {"block": 1}}),
    "code that there is not": changed(stop={"kind": "Trap", "assertion": "", "at": AT | {"site": 1 << 31}}),
    "an array that there is not": changed(races=[RACE | {"variable": 77}]),
    "a local array that there is not": changed(local_reads=[{"local": "own:0:0", "offset": 0, "count": 1, "at": AT}]),
    "work nowhere": changed(
        maximum_work={
            "uses": 1,
            "block": 0,
            "thread": 0,
            "together": 1,
            "blocks": 1,
            "global_loads": 1,
            "loading": 1,
            "storing": 0,
            "sites": [],
        }
    ),
    "events without a trace": changed(traced=1),
}


@pytest.mark.parametrize("answer", GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_a_crash_of_the_kernel(answer: bytes, emulate: Emulate) -> None:
    assert is_broken(emulate(answer))


ENDS = [*range(1, 8), 77, *(-s for s in (signal.SIGSEGV, signal.SIGSYS, signal.SIGXCPU))]


@pytest.mark.parametrize("end", ENDS)
def test_so_is_any_end_of_its_process(end: int, emulate: Emulate) -> None:
    assert is_broken(emulate(changed(), end))


def test_what_the_system_kills_is_not_the_kernels_crash(emulate: Emulate) -> None:
    with pytest.raises(GraderFault, match="The system killed the emulator"):
        emulate(changed(), -signal.SIGKILL)


EVENT: dict[str, Any] = {**AT, "step": 0, "owner": 0, "action": 1, "array": 0, "offset": 0, "size": 4}


def event(**values: int) -> bytes:
    return protocol.pack("TraceEvent", EVENT | {"value": bytes(16)} | values)


def test_a_trace_is_taken(emulate: Emulate) -> None:
    run = emulate(changed(traced=1), events=event(), trace=True)
    assert run.trace and len(run.trace.events) == 1


@pytest.mark.parametrize("field", ["block", "thread", "action", "array"])
def test_an_event_of_what_there_is_not_is_a_crash_of_the_kernel(field: str, emulate: Emulate) -> None:
    assert is_broken(emulate(changed(traced=2), events=event() + event(**{field: 77}), trace=True))


def test_more_events_than_asked_for_are_too(emulate: Emulate) -> None:
    assert is_broken(emulate(changed(traced=1 << 40), events=event(), trace=True))


def test_what_a_runner_says_before_its_sandbox_is_closed_is_our_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = replace(build_runtime(), runner=tmp_path / "runner")
    monkeypatch.setattr(emulator, "build_runtime", lambda: runtime)
    runtime.runner.write_text("#!/bin/sh\nhead -c 1000000 /dev/zero | tr '\\0' x >&2\nexit 2\n")
    runtime.runner.chmod(0o755)
    with pytest.raises(GraderFault, match=r"^The emulator ended with status 2: x{500}$"):
        Kernel(SOURCE, "k").emulate(1, 32, [np.zeros(32, np.int32)])
