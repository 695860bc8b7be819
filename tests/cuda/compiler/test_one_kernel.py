"""Is each answer refused that may be another kernel to another compiler, and no other?"""

from __future__ import annotations

import re
from pathlib import Path

import inputs
import pytest

from autograder.cuda.compiler import zig
from autograder.cuda.compiler.emulator_runtime import build_runtime
from autograder.cuda.compiler.forbidden import find_forbidden
from autograder.cuda.compiler.kernel_flags import KERNEL
from autograder.cuda.compiler.one_kernel import find_difference

KERNEL_TEXT = "__global__ void k(float* out) { out[threadIdx.x] = 1; }\n"


@pytest.mark.parametrize(
    ("text", "construct", "line"),
    [
        ("#ifdef __clang__\n#endif\n", "#ifdef __clang__", 1),
        ("\n#if defined(__GNUC__) && 1\n#endif\n", "#if __GNUC__", 2),
        ("#if 0\n#define __GNUC__ 1\n#endif\n#ifdef __GNUC__\n#endif\n", "__GNUC__", 2),
        ("#if 0\n#define printf 1\n#endif\n#ifdef printf\n#endif\n", "#ifdef printf", 4),
        ("#if /*\n*/ __CUDA_ARCH__ == 800\n#endif\n", "#if __CUDA_ARCH__", 1),
        ("#if 1 + \\\n CUDART_VERSION > 3\n#endif\n", "#if CUDART_VERSION", 1),
        ("#define A 1\n#if A\n#elif defined linux\n#endif\n", "#elif linux", 3),
        ("#ifdef DEBUG\n#endif\n", "#ifdef DEBUG", 1),
        ("#if __has_builtin(__builtin_expect)\n#endif\n", "#if __has_builtin", 1),
        ("const bool here = __cplusplus > 201703;\n", "__cplusplus", 1),
        ("const int length = sizeof(__PRETTY_FUNCTION__);\n", "__PRETTY_FUNCTION__", 1),
        ('__device__ int f(int) __attribute__((enable_if(false, "")));\n', "__attribute__", 1),
        ('__device__ int f(int) __attribute((enable_if(false, "")));\n', "__attribute", 1),
        ("struct [[gnu::packed]] S { char a; int b; };\n", "gnu", 1),
        ("struct [[using clang: packed]] S { char a; int b; };\n", "clang", 1),
        ("struct __declspec(align(64)) S { char a; };\n", "__declspec", 1),
        ("#define OF(x) lin##x\n#if OF(ux)\n#endif\n", "#define with a #", 1),
        (
            "#define TEXT(x) #x\n#define OF(x) TEXT(x)\nconst int length = sizeof(OF(INFINITY));\n",
            "#define with a #",
            1,
        ),
    ],
)
def test_what_compilers_may_see_differently_is_refused(text: str, construct: str, line: int) -> None:
    found = find_difference(text + KERNEL_TEXT)
    assert found is not None and (found.construct, found.line) == (construct, line)


@pytest.mark.parametrize(
    "text",
    [
        "#ifndef TILE\n#define TILE 16\n#endif\n#if TILE > 8 && defined(TILE)\n#else\n#endif\n",
        "#define WORDS_MAX 3\n#if WORDS_MAX == 3 || true\n#endif\n",
        "// #ifdef __clang__\n/* __GNUC__ */ __device__ __forceinline__ float f(float* __restrict__ x);\n",
        '__device__ void f() { printf("#if __clang__"); }\n',
        "#define LEAST(...) min(__VA_ARGS__)\nconst float most = INFINITY;\n",
    ],
)
def test_what_all_compilers_see_alike_is_not(text: str) -> None:
    assert find_difference(text + KERNEL_TEXT) is None


@inputs.emulation
def test_no_macro_in_front_of_a_text_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "empty.cu").write_text("")
    prelude = build_runtime().prelude.with_name("prelude.h")
    flags: list[str | Path] = [*KERNEL, "-include", prelude, "-dM", "-E", "empty.cu"]
    done = zig.run([zig.executable(), "clang", *flags], tmp_path)
    names = set(re.findall(r"^#define (\w+)", done.stdout, re.MULTILINE)) - {
        "__builtin_assume",
        "__builtin_assume_aligned",
    }
    assert len(names) > 300
    for name in names:
        text = f"#if 0\n#define {name} 1\n#endif\n#ifdef {name}\n#endif\n"
        assert find_forbidden(text) or find_difference(text), name
