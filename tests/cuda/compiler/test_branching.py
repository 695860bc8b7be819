"""Which kernels are told to have a branch in a loop, however it is spelled, and which right ones are not?"""

from __future__ import annotations

import inputs
import pytest
from cpu_limit import cpu_limit

from autograder.cuda.compiler.branching import count_branches

pytestmark = inputs.emulation

LOOP = "for (int i = first; i < n; i += stride) { float v = a[i]; %s }"
#: Spellings of `if (v < limit) sum += v;`: what stands before the kernel, and in it.
BRANCHES = {
    "if": ("", LOOP % "if (v < limit) sum += v;"),
    "else": ("", LOOP % "if (v < limit) ; else sum += v;"),
    "switch": ("", LOOP % "switch (v < limit) { case 1: sum += v; }"),
    "break": ("", LOOP % "if (v < limit) break; sum += v;"),
    "continue": ("", LOOP % "if (v < limit) continue; sum += v;"),
    "goto": ("", LOOP % "if (v < limit) goto next; sum += v; next:;"),
    "a loop by goto": (
        "",
        "int i = first; next: if (i < n) { float v = a[i]; if (v < limit) sum += v; i += stride; goto next; }",
    ),
    "a macro": ("#define TEST if\n", LOOP % "TEST (v < limit) sum += v;"),
    "while": ("", LOOP % "while (v < limit) { sum += v; v = limit; }"),
    "do": ("", LOOP % "do { sum += v; v *= 2; } while (v < limit);"),
    "a loop that runs once": ("", LOOP % "for (int k = 0; k < (v < limit); k++) sum += v;"),
    "a number of rounds": ("", LOOP % "int rounds = v < limit ? 1 : 0; for (int k = 0; k < rounds; k++) sum += v;"),
    "rounds in shared memory": ("", "__shared__ int on;" + LOOP % "on = v < limit; while (on) { sum += v; on = 0; }"),
    "rounds in a struct": ("struct T { float v; };", LOOP % "T t{v}; while (t.v < limit) { sum += v; t.v = limit; }"),
    "rounds set by address": (
        "__device__ void set(int* p, int v) { *p = v; }",
        LOOP % "int on; set(&on, v < limit); while (on) { sum += v; on = 0; }",
    ),
    "a choice with something to do": ("", LOOP % "v < limit ? sum += v : 0;"),
    "an and with something to do": ("", LOOP % "v < limit && (sum += v);"),
    "a choice of calls": (
        "__device__ int add(float& s, float v) { s += v; return 1; }",
        LOOP % "v < limit ? add(sum, v) : 0;",
    ),
    "a function": ("__device__ float f(float v) { if (v > 1) return v; return 0; }", LOOP % "sum += f(v);"),
    "a function of another": (
        "__device__ float f(float v) { if (v > 1) return v; return 0; } __device__ float g(float v) { return f(v); }",
        LOOP % "sum += g(v);",
    ),
    "a template": (
        "template <int N> __device__ float f(float v) { if (v > N) return v; return 0; }",
        LOOP % "sum += f<3>(v);",
    ),
    "a functor": (
        "struct T { __device__ float operator()(float v) { if (v > 1) return v; return 0; } };",
        "T t;" + LOOP % "sum += t(v);",
    ),
    "an operator": (
        "struct T { float x = 0; __device__ void operator+(float v) { while (v > 1) { x += v; v = 0; } } };",
        "T t;" + LOOP % "t + v;" + "sum = t.x;",
    ),
    "a lambda by another name": ("", "auto f = [&](float v) { if (v > 1) sum += v; }; auto& g = f;" + LOOP % "g(v);"),
    "a pointer to a function": (
        "__device__ float f(float v) { if (v > 1) return v; return 0; } __device__ float g(float v) { return v; }",
        "auto h = n ? f : g;" + LOOP % "sum += h(v);",
    ),
    "a function that calls itself": (
        "__device__ float f(const float* a, int i, int n) { if (i >= n) return 0; return a[i] + f(a, i + 1, n); }",
        "sum = f(a, first, n);",
    ),
}
NONE = {
    "a choice of values": ("", LOOP % "sum += v < limit ? v : 0.0f; count += v < limit;"),
    "the least and the greatest": ("", LOOP % "sum += fminf(fmaxf(v, 0.0f), limit); count += min(int(v), 3);"),
    "a table": ("", LOOP % "float pick[2] = {0.0f, v}; sum += pick[v < limit];"),
    "a function": ("__device__ float f(float v, float l) { return v < l ? v : 0; }", LOOP % "sum += f(v, limit);"),
    "a lambda": ("", "auto f = [&](float v) { sum += v < limit ? v : 0; };" + LOOP % "f(v);"),
    "an if around the loop": ("", "if (first < n) {" + LOOP % "sum += v;" + "} if (n > 3) count = 0;"),
    "four at a time": (
        "",
        "for (int i = first; i < n; i += 4 * stride) for (int k = 0; k < 4; k++) { int j = i + k * stride;"
        "float v = a[j < n ? j : 0]; sum += j < n && v < limit ? v : 0; }",
    ),
    "a number of rounds": (
        "__device__ int ceil_div(int a, int b) { return (a + b - 1) / b; }",
        "for (int b = 0; b < 1; b++) for (int k = 0; k < ceil_div(n, stride); k++) sum += a[first];",
    ),
    "do": ("", "int i = first; do { float v = a[i < n ? i : 0]; sum += v; i += stride; } while (i < n);"),
    "a condition within": ("", "int i = first; while (true) { if (i >= n) break; sum += a[i]; i += stride; }"),
    "a pointer": ("", "for (const float* p = a + first; p < a + n; p += stride) { sum += *p; }"),
    "known at compile time": ("", LOOP % "if constexpr (sizeof(int) == 4) sum += v;"),
}


def kernel(before: str, body: str) -> str:
    return f"""{before}
__global__ void k(const float* a, float* out, int n, float limit)
{{
    int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x, count = 0;
    float sum = 0;
    {body}
    out[first] = sum + count;
}}
"""


@pytest.mark.parametrize("name", BRANCHES)
def test_a_branch_is_found_however_it_is_spelled(name: str) -> None:
    assert count_branches(kernel(*BRANCHES[name]), "k") > 0


@pytest.mark.parametrize("name", NONE)
def test_a_value_that_is_chosen_is_no_branch(name: str) -> None:
    assert count_branches(kernel(*NONE[name]), "k") == 0


@pytest.mark.parametrize("statement", ["if (v < 1) continue; ", "if (v < 1) { v = 2; } "])
def test_the_time_to_look_for_branches_grows_with_the_text(statement: str) -> None:
    with cpu_limit():
        assert count_branches(kernel("", LOOP % (statement * 900 + "sum += v;")), "k") == 900
