"""Which parts of a `.cu` file stay, and which are left out."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from autograder.source.device_code import device_part

TESTS = Path(__file__).parents[1]
KERNEL = "__global__ void k(int* a) { *a = 1; }"


def names(text: str) -> list[str]:
    part = device_part(text)
    assert len(part.text) == len(text)
    assert [len(line) for line in part.text.split("\n")] == [len(line) for line in text.split("\n")]
    return [gap.what for gap in part.left_out]


@pytest.mark.parametrize(
    "text",
    [
        KERNEL,
        'extern "C" __global__ void k(int* a) { }',
        "template <typename T, int N = 3> __global__ void __launch_bounds__(N * (2 + 1)) k(T* a) { a[0] = {}; }",
        "template __global__ void k<int>(int*);",
        "template struct Add<int>;",
        "typedef struct __align__(8) { float x, y; } Point;",
        "__device__ float f(float x) { return x; }",
        "static __device__ __forceinline__ float f(float x);",
        "__host__ __device__ int f() { return 1; }",
        "__constant__ float c[4]; __device__ int counter = 0; __device__ float table[] = {1, 2};",
        "const int N = 4; constexpr float SCALE = 2.f; static const float W[] = {1, 2};",
        "constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }",
        "struct __align__(16) P { float x, y; }; union U { int i; float f; }; enum class E { A, B };",
        "struct Twice { float operator()(float x) const { return 2 * x; } };",
        "template <class T> struct Add { __device__ T operator()(T a, T b) const { return a + b; } };",
        "typedef float (*Function)(float); using Index = int; using namespace cooperative_groups;",
        "typedef std::uint32_t Word; namespace a { namespace { struct S { int i; }; } }",
        "static_assert(sizeof(int) == 4, \"four\");",
        "#include <stdio.h>\n#include <cuda_runtime.h>\n#define CHECK(call) cudaGetErrorString(call)\n#pragma once\n",
        "#define HD __host__ \\\n    __device__\nHD int f() { return 1; }",
        "// int main() { }\n/* std::vector<int> v; */",
        ";;",
        "",
    ],
)  # fmt: skip
def test_what_stays(text: str) -> None:
    assert names(text) == [] and device_part(text).text == text


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("int main(int argc, char** argv) { return 0; }", "main"),
        ("void f(float* a);", "f"),
        ("static inline int f(int a) { return a; }", "f"),
        ("template <class F> void time_it(F f) { f(); }", "time_it"),
        ('extern "C" void f();', "f"),
        ("auto f() -> int { return 1; }", "f"),
        ("void Timer::start() const { }", "Timer::start"),
        ("int counter = 0;", "counter"),
        ("float *a, *b;", "b"),
        ("dim3 grid(4, 4);", "grid"),
        ("dim3 grid{4, 4};", "grid"),
        ("std::vector<float> data;", "data"),
        ('const std::string NAME = "a";', "NAME"),
        ("using std::vector;", "using std vector"),
        ("struct Timer { cudaEvent_t begin; void start() { cudaEventRecord(begin); } };", "Timer"),
        ("namespace a { void f() { } }", "f"),
        ("cudaStream_t stream;", "stream"),
        ("TEST(Kernel, works) { k<<<1, 1>>>(nullptr); }", "TEST"),
    ],
)
def test_what_goes(text: str, what: str) -> None:
    assert names(text) == [what]
    around = f"{KERNEL}\n{text}\n{KERNEL} // k"
    assert names(around) == [what]
    part = device_part(around).text
    assert part.startswith(f"{KERNEL}\n") and part.endswith(f"\n{KERNEL} // k")
    assert not part.split("\n")[1].replace("namespace a {", "").replace("}", "").strip()


def test_headers_that_a_kernel_cannot_have() -> None:
    text = '#include <vector>  // for main\n#include "mine.h"\n#include <cmath>\n' + KERNEL
    assert names(text) == ["#include <vector>", '#include "mine.h"']
    assert device_part(text).text.split("\n")[2:] == text.split("\n")[2:]


def test_lines_are_counted_from_one_and_both_belong() -> None:
    (gap,) = device_part(f"{KERNEL}\n\n// The host:\nint main()\n{{\n    return 0;\n}}\n").left_out
    assert (gap.what, gap.first_line, gap.last_line) == ("main", 4, 7)


def test_braces_in_texts_and_comments_do_not_count() -> None:
    text = "void f() { printf(\"}\"); char c = '{'; /* } */ // }\n}\n" + KERNEL
    assert names(text) == ["f"] and device_part(text).text.endswith(KERNEL)


def test_what_is_defined_within_host_code_stays_and_its_pragmas_go() -> None:
    text = 'void f() {\n#define SIZE 4 // "a"\n#pragma omp parallel for\n#ifdef X\ng();\n#endif\n}\n' + KERNEL
    lines = [line.strip() for line in device_part(text).text.split("\n")]
    assert lines == ["", '#define SIZE 4 // "a"', "", "#ifdef X", "", "#endif", "", KERNEL]


def test_what_the_host_fills() -> None:
    part = device_part("__constant__ int c[4];\nint main() { cudaMemcpyToSymbol( c, p, 16); }\n" + KERNEL)
    assert part.filled_by_host == ("c",)


def test_a_launch_from_a_kernel_stays_for_the_compiler_to_refuse() -> None:
    assert names("__global__ void k() { k<<<1, 1>>>(); }") == []


def test_text_whose_brackets_do_not_close_is_left_as_it_is() -> None:
    text = f"{KERNEL}\nint main() {{\n"
    assert device_part(text).text == text


def test_nothing_but_headers_goes_from_a_kernel_of_the_tests() -> None:
    files = sorted((TESTS / "kernels").glob("*/*.cu"))
    assert len(files) > 80
    for path in files:
        assert [what for what in names(path.read_text()) if not what.startswith("#include")] == [], path


def test_a_function_of_a_type_is_the_hosts_by_a_macro_of_a_macro() -> None:
    """By however many: each is looked at once, or three thousand would take hours."""
    macros = "".join(f"#define a{i} a{i + 1}\n" for i in range(3000)) + "#define a3000 cudaMalloc(0, 0)\n"
    text = f"{macros}struct S {{\n    void f() {{ a0; }}\n    int x;\n}};\n__global__ void k(S s) {{}}\n"
    assert device_part(text, "k").text.split("\n")[-6:-2] == ["struct S {", "    void f() {     }", "    int x;", "};"]


#: Texts on which this once took minutes, or would take many times as long as they are longer.
LONG = {
    "declarations and directives": ";" * 45_000 + "\n" + "#define Q\n" * 4_700 + KERNEL,
    "linkages in linkages": 'extern "C" {' * 4_000 + KERNEL,
    "functions of a type": f"struct A {{{'void f() {{ cudaX(); }}' * 2_000}}};{'int f() {}' * 4_000}{KERNEL}",
    "types and directives": "struct A{};" * 4_500 + "\n" + "#if A\n#endif\n" * 3_500 + KERNEL,
    "a type of each other": "".join(f"struct a{i}{{a{i + 1} x;}};" for i in range(4_500)) + "__global__ void k(a0) {}",
    "names that are pasted": "#define P(a, b) a##b\n"
    + "".join(f"#define a{'1' * 40}{i}x w\n" for i in range(1_600))
    + "__global__ void k() { P(a, z); }",
    "shared arrays without an end": "extern __shared__ " * 5_500 + KERNEL,
}


@pytest.mark.parametrize("name", LONG)
def test_the_time_grows_with_the_text(name: str) -> None:
    begun = time.process_time()
    device_part(LONG[name], "k")
    assert time.process_time() - begun < 5


def test_the_braces_of_a_linkage_are_left_out_and_no_others() -> None:
    part = device_part('namespace a {\nextern "C" {\n__global__ void k() { }\n}\n}\n', "k")
    assert part.text.split("\n") == ["namespace a {", "            ", "__global__ void k() { }", " ", "}", ""]
