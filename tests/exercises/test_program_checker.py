"""Exercises whose answer is a whole program: their declarations, and what each check says of a run."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from autograder.cuda.core.findings import Access, StepLimit
from autograder.cuda.core.host_findings import HostFinding, HostKind, Place
from autograder.cuda.core.suppressed_writes import SuppressedWrites
from autograder.cuda.errors import CellError, GraderFault, UsageError
from autograder.cuda.programs.building.build import Program
from autograder.cuda.programs.process import ProgramRun
from autograder.cuda.programs.state import FailedCall
from autograder.cuda.report import Report
from autograder.exercises.answers.program_answer import ProgramAnswer
from autograder.exercises.answers.program_runs import ProgramRuns
from autograder.exercises.checks.program_checker import ProgramChecker
from autograder.exercises.declarations.domain import whole
from autograder.exercises.declarations.program import ProgramCase, ProgramExercise, declare_program
from autograder.exercises.notebook.magic import take_kernel
from autograder.exercises.notebook.session import Session
from autograder.exercises.result import CheckFailed, CheckResult, Outcome

DONE = ProgramRun(Path("count.cu"), (), "H200", 0, (), (), None, "", "", 0, 0, 0, (), None, ((), ()))
#: Where the program computes: prints what it must, or nothing where its kernels' results are suppressed.
Run = Callable[[int, SuppressedWrites], ProgramRun]


def right(n: int, suppressed: int) -> ProgramRun:
    return DONE if suppressed else prints(range(n))


def prints(numbers: Sequence[int], delivered: Sequence[int] | None = None) -> ProgramRun:
    """A run that prints these numbers; `delivered`, which its kernels have left in memory, unless all of them."""
    memory = np.array(numbers if delivered is None else delivered, np.int32).view(np.uint8)
    return replace(DONE, printed="".join(f"{number}\n" for number in numbers), delivered=((memory,), ()))


def case(n: int) -> ProgramCase:
    return ProgramCase([n], range(n)) if n < 100 else ProgramCase([n], fails=True)


EXERCISE = declare_program("count", case, [{"n": 7}], {"n": whole(1, 20)}, {"notices_errors": {"n": whole(100, 120)}})


class Reported:
    """What a check tells."""

    def __init__(self) -> None:
        self.results: list[tuple[Outcome, bool]] = []
        self.message: list[str] = []

    def __call__(self, result: CheckResult, message: str | Report) -> None:
        self.results.append((result.outcome, result.hidden))
        self.message.append(str(message))


def judged(
    run: Run,
    check: str,
    *arguments: Any,
    refused: Callable[[int], ProgramRun] = lambda number: DONE,
    hidden: bool = False,
    exercise: ProgramExercise = EXERCISE,
    **named: Any,
) -> tuple[Outcome, str]:
    """How a check of a program that runs like this ends, and what it says; `refused`: its run where a call fails."""
    answer = ProgramAnswer("count", "\nint main() {}\n")
    vars(answer)["built"] = Program(Path("count"))  # nothing is compiled here

    def run_case(
        program: Program, answer: ProgramAnswer, given: tuple[str, ...], suppressed: SuppressedWrites, refuse: int
    ) -> ProgramRun:
        return refused(refuse) if refuse else run(int(given[0]), suppressed)

    reported = Reported()
    exercise = exercise.hide(5) if hidden else exercise
    checker = ProgramChecker(exercise, answer, ProgramRuns(exercise, answer, run_case), reported)
    with suppress(CheckFailed):
        getattr(checker, check)(*arguments, **named)
    return reported.results[-1][0], " ".join(reported.message[-1].split())


def finds(kind: HostKind, facts: dict[str, str | int], n: int = 7) -> Run:
    """A right program in which this is found in case `n`."""
    place = Place("count.cu", 3, "cudaMalloc(&x, 4);")

    def run(size: int, suppressed: int) -> ProgramRun:
        found = HostFinding(kind=kind, place=place, facts=facts)
        return replace(right(size, suppressed), findings=(found,) if size == n else ())

    return run


CHECKS = (
    *("matches_numpy", "computes_on_the_gpu", "stays_in_bounds", "has_no_races", "uses_pointers_where_they_belong"),
    *("frees_its_memory", "waits_for_the_gpu", "orders_its_streams"),
)


@pytest.mark.parametrize("check", CHECKS)
def test_a_right_program_passes(check: str) -> None:
    assert judged(right, check)[0] is Outcome.PASSED
    assert judged(right, check, hidden=True)[0] is Outcome.PASSED


@pytest.mark.parametrize("check", CHECKS)
def test_a_program_that_prints_nothing_right_earns_nothing(check: str) -> None:
    outcome, message = judged(lambda n, suppressed: replace(DONE, printed="-1"), check)
    assert outcome is (Outcome.FAILED if check == "matches_numpy" else Outcome.BLOCKED), message


@pytest.mark.parametrize("check", CHECKS)
def test_a_program_that_computes_on_the_host_earns_the_numbers_alone(check: str) -> None:
    outcome, message = judged(lambda n, suppressed: right(n, False), check)
    wanted = {"matches_numpy": Outcome.PASSED, "computes_on_the_gpu": Outcome.FAILED}
    assert outcome is wanted.get(check, Outcome.BLOCKED), message


#: What a program of 40 numbers prints without some of what its kernels write, and whether it computes on the GPU.
HALVES: dict[str, tuple[Callable[[SuppressedWrites], Sequence[int]], bool]] = {
    "each number by itself": (
        lambda part: [
            i if part is not SuppressedWrites.ALL and i % 2 == (part is SuppressedWrites.ONE_HALF) else -1
            for i in range(40)
        ],
        True,
    ),
    "five that were there before": (lambda part: [*range(1, 6), *[-1] * 35], True),
    "six from the host": (lambda part: [-1, *range(1, 7), *[-1] * 33], False),
    "all numbers from all": (lambda part: [-1] * 40, True),
    "a flag in one half": (lambda part: range(40) if part is SuppressedWrites.OTHER_HALF else [-1] * 40, False),
    "what was there before": (lambda part: range(40) if part is SuppressedWrites.ALL else [-1] * 40, False),
    "nothing": (lambda part: range(40), False),
}


@pytest.mark.parametrize("name", HALVES)
def test_what_kernels_write_must_matter_and_each_half_of_it(name: str) -> None:
    printed, passes = HALVES[name]

    def run(n: int, suppressed: SuppressedWrites) -> ProgramRun:
        return DONE if suppressed and n < 40 else prints(printed(suppressed) if suppressed and n == 40 else range(n))

    for sizes in ([{"n": 40}], [{"n": 90}, {"n": 40}], [{"n": 7}, {"n": 40}]):
        exercise = declare_program("count", case, sizes)
        outcome, message = judged(run, "computes_on_the_gpu", exercise=exercise)
        wanted = passes and {"n": 90} not in sizes  # in that case it computes on the host
        assert outcome is (Outcome.PASSED if wanted else Outcome.FAILED), message
        assert wanted or f"run as count {sizes[0]['n'] if sizes[0]['n'] == 90 else 40}, " in message


@pytest.mark.parametrize("status", [0, 1])
def test_what_is_printed_must_be_what_kernels_have_left_in_memory(status: int) -> None:
    def run(n: int, suppressed: SuppressedWrites, *, left: bool) -> ProgramRun:
        mine = prints(range(n), None if left else range(100, 132))
        return replace(prints([-1] * n, range(32)), status=status) if suppressed else mine

    exercise = declare_program("count", case, [{"n": 40}])
    outcome, message = judged(lambda n, part: run(n, part, left=False), "computes_on_the_gpu", exercise=exercise)
    assert outcome is Outcome.FAILED and "not those that its kernels have written" in message
    # A program that compares its results with the host's may end where they are wrong.
    wanted = Outcome.PASSED if status else Outcome.FAILED
    assert judged(lambda n, part: run(n, part, left=True), "computes_on_the_gpu", exercise=exercise)[0] is wanted


def test_a_program_that_counts_its_runs_does_not_know_which_must_be_right() -> None:
    """It computes on the host, rightly as long as nothing is suppressed, as far as it can tell."""
    ran = []

    def run(n: int, suppressed: SuppressedWrites) -> ProgramRun:
        ran.append(suppressed)
        return right(n, suppressed=len(ran) > 1)

    exercise = declare_program("count", case, [{"n": 40}])
    assert judged(run, "computes_on_the_gpu", exercise=exercise)[0] is Outcome.FAILED
    assert sorted(ran) == sorted([SuppressedWrites.NOTHING, *SuppressedWrites])


def test_the_order_of_these_runs_is_of_chance() -> None:
    orders = set()
    for _ in range(400):
        ran = list[SuppressedWrites]()

        def run(n: int, suppressed: SuppressedWrites, ran: list[SuppressedWrites] = ran) -> ProgramRun:
            ran.append(suppressed)
            return right(n, suppressed)

        assert (
            judged(run, "computes_on_the_gpu", exercise=declare_program("count", case, [{"n": 40}]))[0]
            is Outcome.PASSED
        )
        orders.add(tuple(ran))
    assert len(orders) == 24 and all(order[0] is SuppressedWrites.NOTHING for order in orders)


def test_a_case_without_work_for_the_gpu_tells_nothing() -> None:
    def run(n: int, suppressed: SuppressedWrites) -> ProgramRun:
        return right(n, suppressed if n > 50 else 0)

    def two(n: int, *, gpu: bool) -> ProgramCase:
        return ProgramCase([n], range(n), on_the_gpu=gpu)

    for gpu, wanted in ((False, Outcome.PASSED), (True, Outcome.FAILED)):
        exercise = declare_program("count", lambda n, gpu=gpu: two(n, gpu=gpu or n > 50), [{"n": 40}, {"n": 60}])
        assert judged(run, "computes_on_the_gpu", exercise=exercise)[0] is wanted


#: What a program prints for n = 2, and what is said of it.
PRINTS = {
    "0\n2\n": "Number 2 of 2 that it prints is 2, and numpy computes 1.",
    "0\nnan\n": "Number 2 of 2 that it prints is nan, and numpy computes 1.",
    "0\n": "It prints 1 number, and 2 are asked for.",
    "0 1 2": "It prints 3 numbers, and 2 are asked for.",
    "y: 0 1": "It prints 'y:', which is not a number.",
    "": "It prints 0 numbers, and 2 are asked for.",
}


@pytest.mark.parametrize("printed", PRINTS)
def test_wrong_numbers_are_named_in_the_smallest_case(printed: str) -> None:
    def run(n: int, suppressed: int) -> ProgramRun:
        return right(n, suppressed) if n < 2 else replace(DONE, printed=printed)

    outcome, message = judged(run, "matches_numpy")
    assert outcome is Outcome.FAILED
    assert "run as count 2, on the emulator" in message and PRINTS[printed] in message


def test_numbers_may_be_printed_in_any_way() -> None:
    def run(n: int, suppressed: int) -> ProgramRun:
        return replace(DONE, printed=" ".join(f"{i:.1e}" for i in range(n)))

    assert judged(run, "matches_numpy")[0] is Outcome.PASSED


def test_another_exit_code_is_no_right_result_and_standard_error_is_shown() -> None:
    outcome, message = judged(
        lambda n, suppressed: replace(right(n, suppressed), status=3, errors="line 7: no"), "matches_numpy"
    )
    assert outcome is Outcome.FAILED
    assert "ends with exit code 3" in message and "To standard error, it writes: line 7: no" in message


def test_a_program_that_had_to_be_stopped_is_not_run_again() -> None:
    ran = []

    def run(n: int, suppressed: int) -> ProgramRun:
        ran.append(n)
        stopped = HostFinding(kind=HostKind.STOPPED, place=Place("", 0, ""), facts={"why": "silent"})
        return replace(DONE, status=-9, findings=(stopped,))

    outcome, message = judged(run, "matches_numpy")
    assert (outcome, ran) == (Outcome.FAILED, [7])
    assert "run as count 7" in message and "for many seconds, it has neither called CUDA nor ended." in message


def test_a_program_with_a_kernel_that_had_to_be_stopped_is_not_run_again() -> None:
    ran = []
    finding = StepLimit(accesses=(Access((0, 0, 0), (0, 0, 0), 1, "for (;;) ;"),), reason="steps")

    def run(n: int, suppressed: int) -> ProgramRun:
        ran.append(n)
        stopped = SimpleNamespace(completed=False, findings=(finding,))
        launch = SimpleNamespace(grid=(1, 1, 1), block=(32, 1, 1), shared_mem=0, source="__global__ void k() {}")
        kernel = SimpleNamespace(name="k")
        launched = SimpleNamespace(
            run=stopped, launch=launch, kernel=kernel, place=Place("count.cu", 3, "k<<<1, 32>>>();")
        )
        return replace(DONE, status=0, launches=cast(Any, (launched,)))

    outcome, message = judged(run, "matches_numpy")
    assert (outcome, ran) == (Outcome.FAILED, [7]) and "did not end" in message


@pytest.mark.parametrize(
    ("why", "hint"),
    [
        ("seconds", "Look for a loop that does not end, or that launches far too often."),
        ("silent", "Look for a loop on the host that does not end, and for calls that wait or sleep."),
        ("printed", "Print the requested numbers and nothing else"),
        ("calls", "Look for a loop around a call that does not end"),
        ("broken", "Print with printf and std::cout, or to standard error with fprintf(stderr, ...)"),
    ],
)
def test_who_was_stopped_is_told_what_to_do(why: str, hint: str) -> None:
    place = Place("count.cu", 3, "cudaMalloc(&x, 4);")
    stopped = HostFinding(kind=HostKind.STOPPED, place=place, facts={"why": why})
    message = judged(lambda n, suppressed: replace(DONE, status=-9, findings=(stopped,)), "matches_numpy")[1]
    assert "on the emulator The program was stopped: " in message and "which may be the reason" not in message
    assert f"calls last line 3 cudaMalloc(&x, 4); Hint {hint}" in message


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        ("fork: Operation not permitted", "An answer may compute and print."),
        (f"{'terminating ' * 10}std::bad_alloc", "The host has no memory for that"),
    ],
)
def test_who_was_refused_something_is_told_what_there_is(message: str, hint: str) -> None:
    crash = HostFinding(kind=HostKind.HOST_CRASH, place=Place("", 0, ""), facts={"signal": "SIGABRT", "verb": ""})
    ended = replace(DONE, status=-6, errors=message, findings=(crash,))
    reported = judged(lambda n, suppressed: ended, "matches_numpy")[1]
    assert "on the emulator The program ended with SIGABRT" in reported and "may be the reason" not in reported
    assert f"it writes: {message} Hint {hint}" in reported


FACTS: dict[str, str | int] = dict.fromkeys(("function", "name", "verb", "side", "direction", "error"), "x")
FACTS |= {"bytes": 4, "size": 4, "offset": 0, "number": 1, "signal": "SIGSEGV", "null": 0, "state": "freed"}
WHY = {
    HostKind.COPY_OUT_OF_BOUNDS: "known",
    HostKind.WRONG_DIRECTION: "host",
    HostKind.USE_AFTER_FREE: "call",
    HostKind.INVALID_FREE: "twice",
    HostKind.FAILED_LAUNCH: "threads",
}


#: By check, what it tells.
OWNED = {
    "stays_in_bounds": [HostKind.COPY_OUT_OF_BOUNDS],
    "uses_pointers_where_they_belong": [HostKind.WRONG_DIRECTION, HostKind.HOST_POINTER, HostKind.DEVICE_POINTER],
    "frees_its_memory": [HostKind.LEAK, HostKind.USE_AFTER_FREE, HostKind.INVALID_FREE],
    "notices_errors": [HostKind.UNCHECKED_ERROR, HostKind.FAILED_LAUNCH],
    "waits_for_the_gpu": [HostKind.UNSYNCHRONIZED, HostKind.UNTIMED],
    "orders_its_streams": [HostKind.STREAM_RACE],
}


@pytest.mark.parametrize("kind", [kind for kind in HostKind if kind is not HostKind.STOPPED])
def test_each_finding_is_told_by_its_check_and_by_no_other(kind: HostKind) -> None:
    facts = {**FACTS, "why": WHY.get(kind, "")}
    run = finds(kind, facts)
    for check in CHECKS:
        outcome, message = judged(run, check)
        owns = check in OWNED and kind in OWNED[check]
        assert outcome is (Outcome.FAILED if owns else Outcome.PASSED), message
        assert not owns or "run as count 7" in message
    if kind in OWNED["notices_errors"]:
        assert judged(finds(kind, facts, 110), "notices_errors")[0] is Outcome.FAILED


def test_an_error_is_noticed_by_another_exit_code() -> None:
    def noticing(n: int, suppressed: int) -> ProgramRun:
        return right(n, suppressed) if n < 100 else replace(DONE, status=1)

    assert judged(noticing, "notices_errors")[0] is Outcome.PASSED
    outcome, message = judged(right, "notices_errors")
    assert outcome is Outcome.FAILED and "a CUDA call fails, and yet the program ends with exit code 0" in message


def test_an_error_is_not_noticed_by_a_crash_nor_by_a_program_that_cannot_run() -> None:
    def crashing(n: int, suppressed: int) -> ProgramRun:
        return right(n, suppressed) if n < 100 else replace(DONE, status=-11)

    outcome, message = judged(crashing, "notices_errors")
    assert outcome is Outcome.FAILED and "was ended by a signal" in message

    def ending(n: int, suppressed: int, by: signal.Signals) -> ProgramRun:
        return right(n, suppressed) if n < 100 else replace(DONE, status=-by)

    for by in (signal.SIGABRT, signal.SIGILL):  # an assertion, a trap
        assert judged(partial(ending, by=by), "notices_errors")[0] is Outcome.PASSED

    def unknown(n: int, suppressed: int) -> ProgramRun:
        if n >= 100:
            raise UsageError("Line 3 needs what the emulator does not have.")
        return right(n, suppressed)

    outcome, message = judged(unknown, "notices_errors")
    assert outcome is Outcome.FAILED and "what the emulator does not have" in message


def test_each_call_that_fails_in_an_ordinary_case_must_be_noticed() -> None:
    calls = [("cudaMalloc", 11), *[("cudaMemcpy", 12)] * 50, ("cudaLaunchKernel", 13), ("cudaMemcpy", 14)]

    def run(n: int, suppressed: int) -> ProgramRun:
        return replace(DONE, status=1) if n >= 100 else replace(right(n, suppressed), refusable=tuple(calls))

    def refused(number: int, unnoticed: int) -> ProgramRun:
        tried.append(number)
        name, line = calls[number - 1]
        failed = FailedCall(name, "cudaErrorInvalidValue", Place("count.cu", line, ""))
        return replace(DONE, refused=failed, status=0 if number == unnoticed else 1)

    tried: list[int] = []
    assert judged(run, "notices_errors", refused=lambda number: refused(number, 0))[0] is Outcome.PASSED
    assert sorted({*tried}) == [1, 2, 51, 52, 53]
    outcome, message = judged(run, "notices_errors", refused=lambda number: refused(number, 52))
    assert outcome is Outcome.FAILED
    assert "lets the launch in line 13 fail, and the program ends with exit code 0" in message


def test_a_kernel_that_stops_is_no_right_result() -> None:
    def run(n: int, suppressed: int) -> ProgramRun:
        stopped = SimpleNamespace(completed=False, findings=())
        launched = cast(Any, SimpleNamespace(kernel=SimpleNamespace(name="fill"), run=stopped))
        return replace(right(n, suppressed), launches=(launched,))

    outcome, message = judged(run, "matches_numpy")
    assert outcome is Outcome.FAILED and "The kernel fill does not run to its end." in message


def test_what_is_given_is_kept() -> None:
    def stored(given: str, run: Run = right) -> tuple[Outcome, str]:
        return judged(run, "keeps_what_is_given", given, adds=["{}"])

    assert stored("\nint main()\n")[0] is Outcome.PASSED
    outcome, message = stored("\n// A comment.\nint main(int argc)\n")
    assert outcome is Outcome.FAILED
    assert "given line 3 int main(int argc) your cell line 2 int main() {}" in message
    outcome, message = stored("\nint main()\nint x;\n")
    assert outcome is Outcome.FAILED and "given line 3 int x;" in message and "your cell" not in message
    outcome, message = stored("\nint main()\n", lambda n, suppressed: replace(DONE, printed="-1"))
    assert outcome is Outcome.BLOCKED and "no run of the program prints what is asked for" in message
    assert stored("\nint main()\n", lambda n, suppressed: right(n, False))[0] is Outcome.BLOCKED


def test_waiting_too_often_and_too_rarely() -> None:
    def waiting(times: int, *findings: HostFinding) -> Run:
        return lambda n, suppressed: replace(right(n, suppressed), waits=times, findings=findings)

    assert judged(waiting(2), "waits_at_most", lambda n: 2)[0] is Outcome.PASSED
    outcome, message = judged(waiting(3), "waits_at_most", lambda n: 2)
    assert outcome is Outcome.FAILED and "waits 3 times for the GPU, and at most 2 are needed" in message
    early = HostFinding(kind=HostKind.UNSYNCHRONIZED, place=Place("count.cu", 3, ""), facts={"verb": "reads"})
    race = HostFinding(kind=HostKind.STREAM_RACE, place=Place("count.cu", 3, ""), facts={"what": "copies"})
    for finding, check in ((early, "waits_for_the_gpu"), (race, "orders_its_streams")):
        outcome, message = judged(waiting(0, finding), "waits_at_most", lambda n: 2)
        assert outcome is Outcome.BLOCKED and check in message


def test_copies_that_travel_alone() -> None:
    def copying(copied: int, overlapped: int) -> Run:
        return lambda n, suppressed: replace(right(n, suppressed), copied=copied, overlapped=overlapped)

    def checked(copied: int, overlapped: int, alone: int, in_all: int = 1000) -> tuple[Outcome, str]:
        run = copying(copied, overlapped)
        return judged(run, "overlaps_its_copies", alone=lambda n: alone, in_all=lambda n: in_all)

    assert checked(100, 90, 10, 100)[0] is Outcome.PASSED
    outcome, message = checked(100, 89, 10)
    assert outcome is Outcome.FAILED and "Of 100 bytes that are copied, 11 travel while no kernel may" in message
    outcome, message = checked(100, 0, 1000)
    assert outcome is Outcome.FAILED and "Only 100 bytes are copied" in message
    outcome, message = checked(100, 0, 10)
    assert outcome is Outcome.FAILED and "None of the 100 bytes" in message
    assert checked(0, 0, 1000)[0] is Outcome.FAILED
    outcome, message = checked(100, 95, 10, 99)
    assert (
        outcome is Outcome.FAILED and "100 bytes are copied between the host and the GPU, and at most 99 may" in message
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"arguments": [1]}, "says what the program prints, or that it fails"),
        ({"arguments": [1], "prints": [1], "fails": True}, "says what the program prints, or that it fails"),
    ],
)
def test_a_case_says_one_thing(given: dict[str, Any], message: str) -> None:
    with pytest.raises(GraderFault, match=message):
        ProgramCase(**given)


def test_a_wrong_declaration_is_the_graders_fault() -> None:
    session = Session()
    with pytest.raises(GraderFault, match="narrow: there is no check uses"):
        session.program("count", case, [{"n": 1}], narrow={"uses": {"n": whole(1, 2)}})
    with pytest.raises(GraderFault, match="must return a ProgramCase, not 3"):
        declare_program("count", cast(Any, lambda n: 3), [{"n": 1}]).build({"n": 1})
    with pytest.raises(GraderFault, match=r"The case of count failed for \{'n': 1\}: ZeroDivisionError"):
        declare_program("count", cast(Any, lambda n: n // 0), [{"n": 1}]).build({"n": 1})
    with pytest.raises(GraderFault, match="has no domain"):
        declare_program("count", case, [{"n": 1}]).hide(1)


def test_hidden_cases_are_others_of_the_same_domain() -> None:
    hidden = EXERCISE.hide(5).hidden
    assert hidden.others and not [size for size in hidden.others if size in EXERCISE.sizes]
    assert all(100 <= size["n"] <= 120 for size in hidden.for_check("notices_errors"))


def test_a_session_takes_the_cell_of_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[Report] = []
    session = Session(show=shown.append)
    session.program("count", case, [{"n": 2}])
    with pytest.raises(CellError, match="Run the cell that begins %%cuda count first"):
        session.check("count")
    take_kernel(session, "count", "int main() {\n    // YOUR CODE HERE\n}\n")
    assert "not written yet. Line 3 of its %%cuda cell" in capsys.readouterr().out
    take_kernel(session, "count", "int main() {\n    return x;\n}\n")
    assert "count.cu line 3 does not compile: use of undeclared identifier 'x'" in str(shown[0])
    assert "line 3   return x;" in str(shown[0])
    with pytest.raises(CheckFailed, match="The program does not compile yet"):
        cast(ProgramChecker, session.check("count")).matches_numpy()
    take_kernel(session, "count", '#include <cstdio>\nint main() {\n    puts("0 1");\n}\n')
    checker = cast(ProgramChecker, session.check("count"))
    checker.matches_numpy()
    with pytest.raises(CheckFailed, match="not those that its kernels have written"):
        checker.computes_on_the_gpu()
