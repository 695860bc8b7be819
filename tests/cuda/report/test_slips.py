"""Is a slip of the pen named, where the compiler describes only what it makes of it?"""

from __future__ import annotations

import inputs
import pytest

from autograder.cuda.compiler import toolchain
from autograder.cuda.core.findings import CompileError
from autograder.cuda.report.compile_errors import in_words

pytestmark = inputs.emulation

SOURCE = "__global__ void f(const float* x, float* out, int n)\n{{\n    float sums[2] = {{}};\n    {}\n}}\n"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("out = sums[0];", "out is an array: a value goes into one of its elements, out[...]"),
        ("int* at = 0; at = n;", "at is an array: a value goes into one of its elements, at[...]"),
        ("int* p = out;", "an address of another type needs a cast, (int *)..."),
        ("float s = out;", "out is an array: a value is in one of its elements, out[...]"),
        ("if (x[0] = 0) out[0] = 1;", "== compares two values"),
        ("x[0] = 1;", "x is const: the kernel can only read it"),
        ("__shared__ int all[4]; atomicAdd(&all, 1);", "the address of one element is &all[...]"),
        ("extern __shared__ int all[]; atomicAdd(&all, 1);", "the address of one element is &all[...]"),
        ("atomicAdd(&out, 1.0f);", "the address of one element is &out[...]"),
        ("atomicMax(&out[0], x[0]);", "it works on integers, not on float"),
        ("atomicAdd(out[0], 1.0f);", "take the address of the argument with &"),
        ("out[0][1] = 1;", "row * (length of a row) + column"),
        ("int k = out.length;", "an array does not know its length"),
        ("sums = x;", "an array cannot be assigned as a whole"),
        ("for i in range(n): out[i] = 0;", "a C++ loop is written for (int i = 0; i < n; ++i)"),
        ("if (n) out[0] = 1; elif (n > 3) out[0] = 2;", "C++ has no elif: write else if"),
        ("f(x, out, n);", "f is a kernel, which the host launches, f<<<blocks, threads>>>(...)"),
        ("i = threadIdx.x; out[i] = 1;", "a variable is declared with its type, int i = ..."),
    ],
)
def test_in_an_error(line: str, says: str) -> None:
    (found,) = toolchain.find_compile_errors(SOURCE.format(line))
    assert isinstance(found, CompileError)
    assert says in in_words(found.messages)[0].text and found.messages[0].line == 4


def test_a_token_that_is_not_moved() -> None:
    text = """#include <cuda/barrier>
__global__ void f(int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto token = bar.arrive();
    bar.wait(token);
}
"""
    (found,) = toolchain.find_compile_errors(text)
    assert isinstance(found, CompileError)
    assert [(item.line, "std::move" in item.text) for item in in_words(found.messages)] == [(6, True)]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("while (n = 3) out[0] = 1;", "== compares two values"),
        ("out[0] == 1;", "== only compares"),
        ("if (0 < n < 5) out[0] = 1;", "write a < b && b < c"),
        ("out[0, 1] = 1;", "row * (length of a row) + column"),
        ("if (n > 3); out[0] = 1;", "the if ends at this ;"),
        ("for (int i = 0; i < n; ++i); out[0] = 1;", "the for ends at this ;"),
        ("__syncthreads; out[0] = 1;", "without parentheses this calls nothing"),
        ("x[0] + 1;", "expression result unused"),
    ],
)
def test_in_a_warning(line: str, says: str) -> None:
    assert says in in_words(toolchain.find_warnings(SOURCE.format(line)))[0].text
