"""Which checks of a test cell do students not see, and is what failed one of them?"""

from __future__ import annotations

from typing import Any

import nbformat
import pytest

from autograder.exercise.result import MIME, CheckResult, Outcome
from autograder.grading.results.hidden import fails_hidden, hidden_lines

BEGIN, END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("check(1)", []),
        (f"check(1)\n{BEGIN}\ncheck(2)\n{END}", [2, 3, 4]),
        (f"{BEGIN}\ncheck(1)\n{END}\ncheck(2)", [1, 2, 3]),
        (f"check(1)\n{BEGIN}\ncheck(2)\n{END}\ncheck(3)\n{BEGIN}\ncheck(4)\n{END}", [2, 3, 4, 6, 7, 8]),
        (f"\n  \n{BEGIN}\ncheck(1)\n{END}\n", [1, 2, 3]),
    ],
    ids=["none", "behind", "before", "two regions", "IPython drops empty lines above"],
)
def test_the_lines_between_the_marks_are_hidden(source: str, lines: list[int]) -> None:
    assert sorted(hidden_lines(source)) == lines


def cell(source: str, *results: tuple[int, Outcome], printed: str = "", error: str = "CheckFailed") -> Any:
    """A cell that was run: each result by the line that called it."""
    new = nbformat.v4
    outputs = [new.new_output("stream", name="stdout", text=printed)] if printed else []
    for line, outcome in results:
        data = CheckResult("sum", "has_no_races", "sum has no races", outcome, line).to_data()
        outputs.append(new.new_output("display_data", {"text/plain": "said", MIME: data}))
    if error:
        outputs.append(new.new_output("error", ename=error, evalue="", traceback=[]))
    return new.new_code_cell(source, outputs=outputs)


SOURCE = f"check(1)\ncheck(2)\n{BEGIN}\ncheck(3)\n{END}"
PASSED, FAILED, BLOCKED = Outcome.PASSED, Outcome.FAILED, Outcome.BLOCKED


@pytest.mark.parametrize(
    ("results", "hidden"),
    [
        ([(1, FAILED)], False),
        ([(1, PASSED), (2, BLOCKED)], False),
        ([(1, PASSED), (2, PASSED), (4, FAILED)], True),
        ([(1, PASSED), (1, PASSED), (1, PASSED), (2, FAILED)], False),  # a loop: more results than lines
        ([(4, BLOCKED)], True),
        ([], True),  # nobody knows what failed
    ],
)
def test_what_failed_is_hidden_by_its_line(results: list[tuple[int, Outcome]], hidden: bool) -> None:
    assert fails_hidden(cell(SOURCE, *results)) is hidden
    assert fails_hidden(cell(SOURCE, *results, printed="a line\n" * 5)) is hidden
    assert not fails_hidden(cell("check(1)\ncheck(2)\n\ncheck(3)", *results))


def test_what_passed_fails_nothing_hidden() -> None:
    assert not fails_hidden(cell(SOURCE, (1, PASSED), (2, PASSED), (4, PASSED), error=""))
