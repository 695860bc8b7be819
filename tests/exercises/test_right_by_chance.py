"""Kernels that are wrong, but not where they are launched once and memory is as it happens to be."""

from __future__ import annotations

from pathlib import Path

import inputs
import nbformat
import pytest

from autograder.exercises.notebook.run_notebook import run
from autograder.exercises.result import Outcome

pytestmark = inputs.grading

SAXPY = Path(__file__).parents[2] / "solutions/threads/saxpy.ipynb"
HEAD = "__global__ void saxpy(float a, const float* x, float* y, int n)\n{\n"
INDEX = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"


def body(text: str, before: str = "") -> str:
    return f"{before}{HEAD}{INDEX}{text}\n}}\n"


ATTEMPTS = {
    "shared memory that nobody wrote": body("    __shared__ int s;\n    if (i < n && s == -1) y[i] = a * x[i] + y[i];"),
    "an array of its own": body("    int s[2];\n    if (i < n && s[n % 2] < 0) y[i] = a * x[i] + y[i];"),
    "an exchange with what nobody wrote": body(
        "    __shared__ int s[1024];\n    if (i < n && atomicExch(&s[threadIdx.x], 0) == -1) y[i] = a * x[i] + y[i];"
    ),
    "a count of launches": body(
        "    if (i < n) y[i] = a * x[i] + (launches < 2 ? y[i] : 0.0f);\n"
        "    if (i < n && atomicAdd(&ended, 1) == n - 1) {\n        ended = 0;\n        launches++;\n    }",
        "__device__ int ended, launches;\n",
    ),
}


def outcomes(text: str) -> dict[str, Outcome]:
    results = run(nbformat.read(SAXPY, as_version=4), {"%%cuda saxpy": text})
    return {result.check: result.outcome for result in results}


def test_what_is_right_each_time_matches_numpy() -> None:
    right = body("    if (i < n) y[i] = a * x[i] + y[i];")
    assert outcomes(right)["matches_numpy"] is Outcome.PASSED


@pytest.mark.parametrize("name", ATTEMPTS)
def test_what_is_right_by_chance_does_not(name: str) -> None:
    assert outcomes(ATTEMPTS[name])["matches_numpy"] is Outcome.FAILED
