"""No text of a program makes our own passes work without end."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import pytest

from autograder.cuda.backends import processor_time
from autograder.cuda.core.host_findings import NOWHERE, Place
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.programs.building import build
from autograder.cuda.programs.building.program_lines import ProgramLines
from autograder.cuda.programs.building.untrusted import refuse, refuse_text
from autograder.cuda.programs.memory.guards import Guards
from autograder.cuda.programs.memory.heap import LEAST, Heap
from autograder.cuda.programs.memory.memory import allocate
from autograder.cuda.programs.state import State
from autograder.cuda.programs.timeline import DEFAULT, Timeline
from autograder.cuda.programs.wire import Call
from autograder.cuda.source.text import MAX_LENGTH
from autograder.exercises.answers.program_answer import ProgramAnswer
from autograder.exercises.answers.program_runs import ProgramRuns, run_in_sandbox
from autograder.exercises.declarations.program import ProgramCase, ProgramExercise, declare_program

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")


#: How many times as long as another text a text is, and how many times as much time it may take: with work for each
#: pair of its characters, it would take 64 times as much.
LONGER, MOST = 8, 24


def as_written(text: str, folder: Path) -> None:
    (folder / "p.cu").write_text(text)
    refuse_text(folder / "p.cu")


def as_expanded(text: str, _: Path) -> None:
    refuse(f'# 1 "/p.cu"\n{text}', Path("/p.cu"))


def named(text: str, _: Path) -> None:
    state = State.__new__(State)
    state.limited, state.heap, state.lines = True, Heap(LEAST), ProgramLines([], {})
    allocate(state, Call("cudaMalloc", 0, (1 << 60,), b""), Place("p.cu", 1, text))


def guarded(text: str, _: Path) -> None:
    """Memory of the host's that many operations in flight may use."""
    heap, timeline = Heap(LEAST), Timeline()
    for _number in range(900):
        heap.allocate(4096, "pinned", NOWHERE, "cudaMallocHost", "")
    guards = Guards(heap)
    for _number in range(len(text) // 10):
        timeline.add(DEFAULT, "records an event", NOWHERE)
        guards.update(timeline.in_flight)


#: What reads a text, and how texts begin and go on, again and again, on which it once worked for minutes, or could.
TEXTS: list[tuple[Callable[[str, Path], None], str, str]] = [
    (as_written, "#", "/**/"),
    (as_written, "", "#/*\n"),
    (as_written, "", "*/ "),
    (as_written, "", "\\ \n"),
    (as_expanded, "", "[[ "),
    (as_expanded, "", "[[nodiscard,"),
    (as_expanded, "[[", "nodiscard "),
    (as_expanded, "[", " "),
    (as_expanded, "", "\n# pragma "),
    (named, "cudaMalloc(", " "),
    (named, "", "cudaMalloc  (  ("),
    (guarded, "", " "),
]


@pytest.mark.parametrize(("reads", "before", "part"), TEXTS, ids=[f"{r.__name__}-{b + p!r}" for r, b, p in TEXTS])
def test_no_program_takes_our_time(
    reads: Callable[[str, Path], None], before: str, part: str, tmp_path: Path, without_collections: None
) -> None:
    """As long a text as an answer may be takes not much more for each character than a shorter one."""

    def least(length: int) -> float:
        text, took = (before + part * (length // len(part)))[:length], []
        for _ in range(3):  # what else this process did does not count
            begun = time.process_time()
            with suppress(UsageError):
                reads(text, tmp_path)
            took.append(time.process_time() - begun)
        return min(took)

    assert least(MAX_LENGTH) < MOST * max(least(MAX_LENGTH // LONGER), 0.001)


@pytest.fixture
def without_collections() -> Iterator[None]:
    """No garbage is collected, which could be another test's."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Limits the processor time of this process, until the test ends."""
    monkeypatch.setattr(processor_time, "_until", None)
    return processor_time.limit_launches


def interrupt(*_: object, **__: object) -> NoReturn:
    raise KeyboardInterrupt


def exercise_of(runs: list[ProgramCase]) -> ProgramExercise:
    return declare_program("p", lambda i: runs[i], [{"i": i} for i in range(len(runs))])


@pytest.mark.parametrize("seconds", [-1, 100])
def test_what_was_interrupted_is_not_built_or_run_again(
    limited: Callable[[float], None], seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = ProgramAnswer("p", "\nint main() {}\n")
    runs = ProgramRuns(exercise_of([ProgramCase([], [1])]), ProgramAnswer("p", answer.source), interrupt)
    limited(seconds)
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(build, "build_program", interrupt)
        _ = answer.built
    with pytest.raises(KeyboardInterrupt):
        runs.trial({"i": 0})
    if seconds < 0:
        assert str(answer.built).startswith("p.cu takes too long to compile: look for")
        assert runs.trial({"i": 0}).wrong.startswith("It takes too long: look for")
    else:
        with pytest.raises(GraderFault, match="too busy"):
            _ = answer.built
        with pytest.raises(GraderFault, match="too busy"):
            runs.trial({"i": 0})


def test_what_a_person_interrupts_may_begin_again(
    limited: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = ProgramAnswer("p", "\nint main() {}\n")
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(build, "build_program", interrupt)
        _ = answer.built
    assert not isinstance(answer.built, str)


@pytest.mark.sampled()
@pytest.mark.parametrize("before", ["", "for (int file = 0; file < 64; ++file) close(file);"])
def test_sleeping_counts_as_running(before: str, limited: Callable[[float], None]) -> None:
    main = f'puts("1"); fflush(stdout); {before} sleep(3); _exit(0);'
    text = f"\n#include <unistd.h>\n#include <cstdio>\nint main() {{ {main} }}\n"
    runs = ProgramRuns(exercise_of([ProgramCase([i], [1]) for i in range(9)]), ProgramAnswer("p", text), run_in_sandbox)
    assert not runs.trial({"i": 0}).wrong
    limited(6)
    begun = time.monotonic()
    trials = [runs.trial({"i": i}) for i in range(9)]
    assert trials[8].run and [finding.facts["why"] for finding in trials[8].run.findings] == ["silent"]
    assert time.monotonic() - begun < 20
