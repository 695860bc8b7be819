"""What a kernel needs of a text: it stays, and the rest goes."""

from __future__ import annotations

import pytest

from autograder.compiler.forbidden import find_forbidden
from autograder.source.device_code import device_part

KERNEL = "__global__ void k(int* a) { *a = use(1); }"


def left(text: str, kernel: str = "k") -> str:
    part = device_part(text, kernel).text
    assert len(part) == len(text)
    return " ".join(part.split())


@pytest.mark.parametrize(
    "needed",
    [
        "__device__ int use(int x);",
        "template <class T> __device__ T use(T x) { return x; }",
        "__device__ int one() { return 1; } __device__ int use(int x) { return one(); }",
        "struct __align__(8) P { int x; }; __device__ int use(int x) { P p = {x}; return p.x; }",
        "typedef struct { int x; } P; __device__ int use(int x) { P p = {x}; return p.x; }",
        "enum { ONE, TWO }; __device__ int use(int x) { return TWO; }",
        "struct P { int x; }; __device__ void operator+=(P& p, int n) { p.x += n; } "
        "__device__ int use(int x) { P p = {x}; p += 1; return p.x; }",
        "__constant__ int table[2] = {1, 2}; __device__ int use(int x) { return table[x]; }",
        "namespace { __device__ int use(int x) { return x; } }",
        "template <class T> struct P { template <class R> __device__ R get(); }; "
        "template <> template <> __device__ int P<int>::get<int>() { return 1; } "
        "__device__ int use(int x) { return P<int>().get<int>(); }",
    ],
)
def test_what_the_kernel_needs_stays(needed: str) -> None:
    assert left(f"{needed} {KERNEL}") == f"{needed} {KERNEL}"


def test_macros_stay_by_the_names_in_them() -> None:
    text = f"#define TWICE(x) (2 * one(x))\n#define one(x) x\n#define use(x) TWICE(x)\n#define other(x) x\n{KERNEL}"
    assert left(text) == f"#define TWICE(x) (2 * one(x)) #define one(x) x #define use(x) TWICE(x) {KERNEL}"


@pytest.mark.parametrize(
    "other",
    [
        '__global__ void texture(cudaTextureObject_t t) { asm("trap;"); }',
        "#define CHECK(call) if (call) cudaGetErrorString(call)\n",
        "#pragma warning(disable : 4819)\n",
        "#pragma pack(push)\n#pragma pack(pop)\n",
        "#warning old\n",
        "template __global__ void k<int>(int*);",
        "typedef int (Domain::*Member)(int);",
        "extern const int LATER;",
        "using namespace thrust;",
        "struct Other { virtual void f(); };",
        "#if defined(__gl_h_) || LATE\n#error too late\n#elif 1\n#define __gl_h_\n#include <stdio.h>\n#else\n#endif\n",
    ],
)
def test_what_it_does_not_need_stops_it_no_longer(other: str) -> None:
    text = f"{other}\n__device__ int use(int x) {{ return x; }}\n{KERNEL}"
    assert left(text) == f"__device__ int use(int x) {{ return x; }} {KERNEL}"
    assert find_forbidden(device_part(text, "k").text) is None


def test_an_include_guard_keeps_its_question_alone() -> None:
    text = f"#ifndef __K_CUH__\n#define __K_CUH__\n{KERNEL}\n#endif"
    assert left(text) == f"#ifndef __K_CUH__ {KERNEL} #endif"


def test_heads_in_branches_share_a_body() -> None:
    heads = "#ifdef LIST\nint sum(std::list<int> a,\n#else\nint sum(int* a,\n#endif\n int n) { cudaFree(0); }"
    assert left(f"{heads}\n{KERNEL}") == KERNEL
    heads = "#if HALF\n__device__ int use(int x) {\n#else\n__device__ int use(float x) {\n#endif\n return x; }"
    assert left(f"{heads}\nint main() {{ }}\n{KERNEL}") == f"{' '.join(heads.split())} {KERNEL}"


def test_a_declaration_behind_a_macros_call_is_known_by_its_name() -> None:
    text = f"#define LIST(x) struct x##_list;\nLIST(a)\nLIST(b)\nnamespace n = other;\n{KERNEL}".replace(
        "use", "n::use"
    )
    assert left(text) == " ".join(text.split())


def test_what_a_macro_can_put_together_is_needed() -> None:
    text = (
        "#define CAT(a, b, c) a##b##c\n#define sum_of_2 3\n__device__ int sum_of_x(int x) { return x; }\n"
        f"__device__ int use(int x) {{ return CAT(sum, _of_, x)(x); }}\n{KERNEL}"
    )
    assert left(f"#define sum_of_y\n{text}") == " ".join(text.split())


def test_calls_of_macros_need_no_semicolon_to_go() -> None:
    text = f"#define EXPORT(n) template void other<n>();\nnamespace n {{ {KERNEL} EXPORT(1)\nEXPORT(2) }}\nEXPORT(3)"
    assert left(text) == f"namespace n {{ {KERNEL} }}"


@pytest.mark.parametrize(
    "kept",
    [
        "#define FAST\n#ifdef FAST\n__device__ int use(int x);\n#endif",
        "#define FAST 1\n#if FAST\n#define use(x) x\n#endif",
        "#define FAST 1\n#if FAST\n#include <cuda_fp16.h>\n#endif",
        "#define FAST 1\n#define SLOW FAST\n#if 1\n#if SLOW\n#undef use\n#endif\n#endif",
        "#define FAST 1\n__device__ int use(int x) {\n#if FAST\nx++;\n#endif\nreturn x; }",
    ],
)
def test_a_condition_stays_where_it_may_make_a_difference(kept: str) -> None:
    assert left(f"{kept}\n{KERNEL}") == f"{' '.join(kept.split())} {KERNEL}"


def test_packing_that_changes_a_struct_is_still_refused() -> None:
    text = f"#pragma pack(push, 1)\nstruct use {{ char c; int i; }};\n#pragma pack(pop)\n{KERNEL}"
    refused = find_forbidden(device_part(text, "k").text)
    assert refused is not None and refused.line == 1


def test_a_type_stays_where_only_a_branch_of_it_is_the_hosts() -> None:
    text = f"struct P {{ int x;\n#ifndef GPU\nstd::atomic_int* list;\n#endif\n}};\n{KERNEL}".replace("use(1)", "P{1}.x")
    assert left(text) == " ".join(text.split())


def test_linkage_and_sizes_that_mean_nothing_here_go() -> None:
    text = 'extern "C" { __global__ void k(int* a) { extern __shared__ int s[64]; *a = s[0]; } }'
    assert left(text) == "__global__ void k(int* a) { extern __shared__ int s[ ]; *a = s[0]; }"


def test_an_instance_needs_its_types() -> None:
    text = "struct P { int x; }; struct Q { int x; }; template <class T> __global__ void k(T* a) { a->x = 1; }"
    assert left(text, "k<P>") == "struct P { int x; }; template <class T> __global__ void k(T* a) { a->x = 1; }"
    assert device_part(text, "k<P>").unused == ("Q",)
