"""What a program that nobody trusts makes us keep has an end."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.cuda.programs import served
from autograder.cuda.programs.wire import read_call
from autograder.exercises.answers.program_answer import ProgramAnswer
from autograder.exercises.answers.program_runs import ProgramRuns, ProgramTrial, run_in_sandbox
from autograder.exercises.declarations.program import ProgramCase, declare_program

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")
#: A kernel that the host's compiler does not see.
UNCOMPILED = """
__global__ void bad(int* p) { int large[1 << 22]; large[*p] = 1; *p = large[0]; }
int main() { int* big; cudaMalloc(&big, 1 << 20); bad<<<1, 1>>>(big); }
"""
ROWS = """
#include <cstdio>
int main(int, char** argv)
{
    char* big;
    cudaMalloc(&big, 200 << 20);
    cudaMemset2D(big, *argv[1] - '0', 0, 1, 100 << 20);
    cudaFree(big);
    puts("1");
}
"""


def runs_of(text: str, *arguments: object) -> ProgramRuns:
    exercise = declare_program("p", lambda i: ProgramCase([*arguments, i], [1]), [{"i": i} for i in range(3)])
    return ProgramRuns(exercise, ProgramAnswer("p", text), run_in_sandbox)


def run(text: str, *arguments: object) -> ProgramTrial:
    return runs_of(text, *arguments).trial({"i": 0})


def test_the_gpus_memory_ends_with_the_run() -> None:
    def held() -> int:
        return Path("/proc/self/maps").read_text().count("/memfd:gpu")

    before = held()
    runs = runs_of(UNCOMPILED)
    trials = [runs.trial({"i": i}) for i in range(3)]
    assert all(trial.run and trial.run.uncompiled for trial in trials)
    assert held() == before


def test_rows_that_lie_apart_are_counted() -> None:
    assert not run(ROWS, 1).wrong
    assert run(ROWS, 2).wrong == "The emulator copies and fills at most 1,048,576 rows at once, and not 104,857,600."


def test_what_answering_takes_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = iter([1 << 20, 1 << 20, 3 << 30])
    monkeypatch.setattr(served, "_peak", lambda: next(peaks))
    trial = run(ROWS, 1)
    assert trial.run and [finding.facts["why"] for finding in trial.run.findings] == ["memory"]


def test_a_call_has_few_numbers() -> None:
    with pytest.raises(ValueError, match="too long"):
        read_call(bytearray((1).to_bytes(8, "little") + (1 << 20).to_bytes(8, "little") + bytes(32)), 1 << 28)
