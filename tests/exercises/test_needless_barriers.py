"""What checks say of barriers, `__syncwarp`s and fences that no case needs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from unittest.mock import Mock

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import Run
from autograder.exercises.answers.answer import KernelAnswer
from autograder.exercises.answers.tools import Tools
from autograder.exercises.checks import judge
from autograder.exercises.checks.checker import Checker
from autograder.exercises.checks.history import History
from autograder.exercises.checks.needless_barriers import find_needless
from autograder.exercises.declarations.declaration import Case, Output, declare
from autograder.exercises.declarations.domain import whole
from autograder.exercises.declarations.draw import Draw
from autograder.exercises.result import CheckFailed

pytestmark = inputs.checking

HEAD = "__global__ void k(const int* x, int* out) { int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n;"
DOMAIN = {"block": whole(32, 96, by=32)}
#: Bodies whose first line is the text's line 2.
NEEDED = """__shared__ int tile[96];
    tile[t] = x[i + t];
    __syncthreads();
    out[i + t] = tile[n - 1 - t];"""
AT_THE_END = f"{NEEDED}\n    __syncthreads();"
AT_BOTH_ENDS = "__syncthreads();\nout[i + t] = x[i + n - 1 - t];\n__syncthreads();"
DOUBLED = NEEDED.replace("__syncthreads();", "__syncthreads();\n    __syncthreads(); // once more")
FENCES = "out[i + t] = x[i + n - 1 - t];\n__threadfence();\n__threadfence_block();"
NO_BARRIER = NEEDED.replace("__syncthreads();", "")


def reorder(launch: Launch, schedule: str) -> Run:
    return emulator.run(launch, schedule=schedule)


def case(draw: Draw, block: int) -> Case:
    x = draw.whole(-9, 9, 2 * block)
    return Case(2, block, [x, Output(2 * block, np.int32)], [x.reshape(2, block)[:, ::-1].ravel()])


def check(
    body: str, printed: list[str] | None = None, spare: Mapping[str, str] = MappingProxyType({}), *, graded: bool = True
) -> Checker:
    exercise = declare("k", case, [{"block": block} for block in (64, 32, 96)], domain=DOMAIN, spare=spare)
    reported = [] if printed is None else printed
    tools = Tools(emulator.run, reorder=reorder, on_result=lambda result, message: reported.append(str(message)))
    answer = KernelAnswer(kernel(body))
    return Checker(exercise.hide(5) if graded else exercise, answer, tools, history=History())


def remark(body: str, spare: Mapping[str, str] = MappingProxyType({}), *, graded: bool = True) -> str:
    """What the check for races prints below its own line."""
    printed: list[str] = []
    check(body, printed, spare, graded=graded).has_no_races()
    assert len(printed) == 1 + graded
    assert all(message.startswith("k has no races: passed in ") for message in printed)
    assert not any("\n" in message for message in printed[1:])
    return printed[0].partition("\n")[2]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (NEEDED, ""),
        (AT_THE_END, "the barrier in line 6 can go. Without it, no case has a race"),
        (AT_BOTH_ENDS, "the barriers in lines 2 and 4 can go. Without them, no case has a race"),
        (
            DOUBLED,
            "the barrier in line 4 can go. Without it, no case has a race, and all results stay right. Line 5",
        ),
        (FENCES, "the fences in lines 3 and 4 can go."),
        (f"__syncthreads();\n__threadfence();\n{FENCES[:30]}", "the barrier and fence in lines 2 and"),
        # Another check fails.
        (f"{AT_THE_END}\nif (t == 0) out[i] = 99;", ""),
    ],
)
def test_the_check_for_races_remarks_on_them(body: str, message: str) -> None:
    given = remark(body)
    assert given.startswith(f"Remark, which costs no points here: {message}") if message else given == ""


def test_there_is_no_remark_on_what_the_exercise_gives() -> None:
    assert remark(AT_THE_END, spare={"__syncthreads": "for show"}) == ""


def test_there_is_no_remark_while_a_student_changes_the_kernel() -> None:
    assert remark(AT_THE_END, graded=False) == ""


def kernel(body: str) -> str:
    return f"{HEAD}\n{body}\n}}"


def report(body: str, spare: Mapping[str, str] = MappingProxyType({}), *, blocked: bool = False) -> str:
    """What the check for needless barriers says, in one line."""
    with pytest.raises(CheckFailed) as caught:
        check(body, spare=spare).has_no_needless_barriers()
    assert caught.value.blocked is blocked
    return " ".join(str(caught.value).split())


@pytest.mark.parametrize("graded", [True, False])
@pytest.mark.parametrize("body", [NEEDED, "out[i + t] = x[i + n - 1 - t];"])
def test_an_answer_passes_whose_barriers_are_all_needed(body: str, graded: bool) -> None:
    printed: list[str] = []
    check(body, printed, graded=graded).has_no_needless_barriers()
    assert all(message.startswith("k has no needless barriers: passed in ") for message in printed)


def test_a_fence_whose_need_is_not_known_does_no_harm() -> None:
    body = """__shared__ int sum[1];
        if (t == 0) *sum = 0;
        __syncthreads();
        __threadfence();
        atomicAdd(sum, 1);
        out[i + t] = x[i + n - 1 - t];"""
    check(body).has_no_needless_barriers()


def test_lines_that_the_exercise_gives_stay() -> None:
    spare = {"once more": "for show"}
    body = DOUBLED.replace("    __syncthreads();\n", "")
    check(body, spare=spare).has_no_needless_barriers()
    assert "line 4 __syncthreads();" in report(DOUBLED, spare)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (AT_THE_END, "Without the barrier in this line, no case has a race, and all results stay right: line 6"),
        (AT_BOTH_ENDS, "line 2 __syncthreads(); At the same time, 1 other line can go."),
        (DOUBLED, "In its place, but not together with it, this line could go: line 5 __syncthreads(); // once more"),
        (FENCES, "Without the fence in this line, no case has a race, and all results stay right: line 3 __threadf"),
    ],
)
def test_the_first_line_that_can_go_is_shown(body: str, says: str) -> None:
    message = report(body)
    assert says in message
    assert ("Hint A fence" in message) == (body == FENCES)
    assert ("can go." in message) == (body in (AT_BOTH_ENDS, FENCES))
    assert ("In its place" in message) == (body == DOUBLED)


def test_of_many_lines_only_the_first_are_tried() -> None:
    body = NEEDED.replace("__syncthreads();", "__syncthreads();\n" * 600)
    checks = check(body)
    checks.has_no_races()
    found = checks._history.needless
    assert found and len(found.together) + len(found.instead) <= 30


def test_barriers_of_one_line_only_go_together() -> None:
    message = report(NEEDED.replace("__syncthreads();", "__syncthreads(); tile[t] += 0; __syncthreads();"))
    assert "This line has several barriers: line 4 __syncthreads(); tile[t] += 0; __syncthreads();" in message


@pytest.mark.parametrize(
    ("given", "adds", "passes"),
    [
        (NEEDED, [], True),
        (NO_BARRIER, ["__syncthreads();"], True),
        (NO_BARRIER, [], False),
        (NEEDED.replace("n - 1 - t", "t"), [], False),
    ],
)
def test_only_of_what_was_given_it_is_asked(given: str, adds: list[str], passes: bool) -> None:
    checks = check(NEEDED)
    if passes:
        checks.has_no_needless_barriers(given=kernel(given), adds=adds)
    else:
        with pytest.raises(CheckFailed, match="Then they differ"):
            checks.has_no_needless_barriers(given=kernel(given), adds=adds)


@pytest.mark.parametrize(
    ("body", "first"),
    [
        (f"{NO_BARRIER}\n__syncthreads();", "has_no_races"),
        (f"{AT_THE_END}\nif (t == 0) out[i] = 99;", "matches_numpy"),
        # Only in a larger block, which the first case is not.
        (f"{AT_THE_END}\nif (n > 64 && t == 0) out[i] = 99;", "matches_numpy"),
        (f"{AT_THE_END}\nif (t == 5) return;\n__syncthreads();", "reaches_every_barrier"),
        # Only in some orders, the others see too early what thread 0 writes. All accesses are atomic.
        (
            "__shared__ int last;\nif (t == 0) atomicExch(&last, n - 1);\n"
            "out[i + t] = x[i + max(atomicAdd(&last, 0) - t, 0)];\n__syncthreads();",
            "matches_numpy",
        ),
    ],
)
def test_another_mistake_comes_first(body: str, first: str) -> None:
    assert f'Fix first what check("k").{first}() reports.' in report(body, blocked=True)


def test_it_is_found_out_once_for_all_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    requested = Mock(wraps=find_needless)
    monkeypatch.setattr(judge, "find_needless", requested)
    checks = check(NEEDED)
    checks.has_no_races()
    checks.has_no_needless_barriers()
    requested.assert_called_once()
