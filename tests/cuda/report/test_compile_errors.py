"""Compiler messages, which the compiler returns as data, in words."""

from __future__ import annotations

import pytest

from autograder.cuda.core.diagnostics import Diagnostic, Problem
from autograder.cuda.report.compile_errors import in_words

#: Names and numbers that fit every problem.
NAMES, NUMBERS = ("shared", "__global__", "blur"), (65536, 49152)


@pytest.mark.parametrize("problem", Problem)
def test_a_problem_has_words(problem: Problem) -> None:
    ((line, column, text),) = in_words([Diagnostic(3, 5, "expected ';'", problem, NAMES, NUMBERS)])
    assert (line, column) == (3, 5) and len(text.split()) >= 2
    assert (text == "expected ';'") == (problem in (Problem.MESSAGE, Problem.CLANG, Problem.CLANG_IN_PROGRAM))


def test_a_template_is_named_with_the_line_that_uses_it() -> None:
    note = Diagnostic(9, 1, "in instantiation of function template specialization 'twice<float>' requested here")
    message = Diagnostic(3, 5, "expected expression", Problem.CLANG, code="    *;", notes=(note,))
    assert in_words([message]) == ((3, 5, "expected expression (in twice<float>, which line 9 uses)"),)


def test_a_message_of_another_compiler_stays_as_it_is() -> None:
    text = "using the result of an assignment as a condition without parentheses"
    assert in_words([Diagnostic(3, 5, text)])[0].text == text
    assert in_words([Diagnostic(3, 5, text, Problem.CLANG)])[0].text != text
