"""What is found in a lambda is told in the line that it is written in, with that line's text."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.core.findings import Access, BarrierDivergence, CompileError, Diagnostic, Finding, Race, Waiting
from autograder.host.lambda_lines import LambdaLines
from autograder.source.gather import Gathered

#: The second line has a lambda, which stands behind the text once more; so has a header.
UNIT = Gathered(
    "a\n  run([=] { f(); });\nb\nin a header\nlambda\nlambda",
    (("p.cu", 1), ("p.cu", 2), ("p.cu", 3), ("p.h", 1), ("p.cu", 2), ("p.h", 1)),
    (Path("p.cu"), Path("p.h")),
)
LINES = LambdaLines("a\n\nb\n\nlambda\nlambda", UNIT.lines, UNIT)


def access(line: int, text: str) -> Access:
    return Access((0, 0, 0), (0, 0, 0), line, text)


def test_the_text_of_reports_has_the_lines_of_lambdas() -> None:
    assert LINES.source == "a\n  run([=] { f(); });\nb\n\nlambda\nlambda"


@pytest.mark.parametrize("line, text, told, shown", [(5, "lambda", 2, "run([=] { f(); });"), (3, "b", 3, "b")])
def test_a_finding_has_the_own_line(line: int, text: str, told: int, shown: str) -> None:
    race = Race(accesses=(access(line, text),), hazard="write-after-write", scope="block", copy_line=line)
    assert LINES.tell(race) == Race(
        accesses=(access(told, shown),), hazard="write-after-write", scope="block", copy_line=told
    )
    waiting = (Waiting(line, text, 3, inside=line),)
    (group,) = LINES.tell(BarrierDivergence(waiting=waiting, exited=0, threads=4, scope="block")).waiting
    assert group == Waiting(told, shown, 3, inside=told)


def test_a_message_keeps_its_text_and_has_no_column() -> None:
    found: Finding = CompileError(messages=(Diagnostic(5, 3, "no f"), Diagnostic(3, 1, "no b")))
    assert LINES.tell(found) == CompileError(messages=(Diagnostic(2, 0, "no f"), Diagnostic(3, 1, "no b")))


def test_a_header_keeps_its_own() -> None:
    assert LINES.tell(access(6, "lambda")) == access(6, "lambda")
