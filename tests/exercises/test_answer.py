"""Answers: does a stub count as not written, and nothing else?"""

import time

import pytest

from autograder.cuda.errors import UsageError
from autograder.exercises.answers.answer import KernelAnswer, ValuesAnswer

KERNEL = "\n__global__ void f(int* x)\n{\n    x[0] = 1;\n}\n"


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (KERNEL, None),
        (KERNEL.replace("x[0] = 1;", "// YOUR CODE HERE"), 4),
        (KERNEL.replace("x[0] = 1;", "x[0] = 1; /* YOUR CODE HERE */"), 4),
        (KERNEL.replace("x[0] = 1;", ""), 0),
        (KERNEL.replace("x[0] = 1;", "// nothing"), 0),
        (KERNEL.replace("x[0] = 1;", "") + "__global__ void g() { f(); }", None),
        ("__device__ int twice(int a) { return 2 * a; } __global__ void f() {}", 0),
        ("", 0),
        ("\n  // only a comment\n", 0),
        ("int x;", None),
        ("void f() {}", None),
        (KERNEL.replace("x[0] = 1;", "YOUR CODE HERE"), None),  # not in a comment: it will not compile
    ],
)
def test_where_a_kernels_stub_stands(source: str, line: int | None) -> None:
    assert KernelAnswer(source).stub_line == line


@pytest.mark.parametrize(
    ("text", "line"),
    [("\ngrid = 1", None), ("\ngrid = 1\n// YOUR CODE HERE", 3), ("\n# YOUR CODE HERE\n", 2), ("\n \n", 0)],
)
def test_where_a_values_stub_stands(text: str, line: int | None) -> None:
    assert ValuesAnswer(text).stub_line == line


def test_values_see_the_variables_of_the_size() -> None:
    answer = ValuesAnswer("\ngrid = ceil_div(n, m), 2\nblock = m\n")
    assert answer.evaluate(("grid", "block"), {"n": 33, "m": 16}) == {"grid": (3, 2), "block": 16}


def test_a_wrong_line_is_counted_as_the_student_sees_it() -> None:
    with pytest.raises(UsageError, match="Line 3"):
        ValuesAnswer("\ngrid = 1\nblock = k\n").evaluate(("grid", "block"), {"n": 1})


def test_a_text_of_many_kernels_is_looked_at_once() -> None:
    begun = time.process_time()
    assert KernelAnswer("__global__ " * 20_000).stub_line is None
    assert time.process_time() - begun < 3
