"""Is what no compiler may get refused, whatever the text, and nothing else?"""

import pytest
from cpu_limit import cpu_limit

from autograder.cuda.compiler.forbidden import find_forbidden
from autograder.cuda.core.findings import Kind
from autograder.cuda.core.refusal import Refusal
from autograder.cuda.report.refusals import describe_refusal
from autograder.cuda.source.text import ALLOWED_HEADERS, MAX_LENGTH

# ---- what a text may have ------------------------------------------------------------------------

HONEST = r"""
#include <math.h> // for sqrtf
#  include <cstdint>
#pragma once
#define TILE 16
#define MAX(a, b) \
    ((a) > (b) ? (a) : (b))
#define NAME(x) #x
#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ < 700
#error "too old"
#endif
#endif
#
// #include "/etc/passwd" and asm("x") in a comment, don't mind; gnu::x, %: and ??=
/* extern "C" int system(const char*);
#include <x> */
template <typename T, int N = 4> struct alignas(16) Tile { T a[N][N + 1]; };
__device__ [[nodiscard]] __forceinline__ float half_of([[maybe_unused]] float x) { return x / 2; }
__constant__ float filter[5];
extern "C" __global__ void __launch_bounds__(256, 2)
scale(const float* __restrict__ in, float* out, int n)
{
    extern __shared__ float dynamic[];
    __shared__ float tile[TILE][TILE + 1];
    int i = blockIdx.x * blockDim.x + threadIdx.x, module = 3, asm_ = 0;
    #pragma unroll
    for (int k = 0; k < 4; ++k) dynamic[k] = tile[k][tile[0][0] > 1 ? 0 : 1];
    #pragma unroll 4
    for (int k = 0; k < 1'000'000; ++k) [[likely]] { i += 0x1'0 << 2 >> 1; }
    if (i % 2 == 0 && n <= 3) printf("asm %d's \\ \"#include\" ??/ %s\n", i, "\u00e9 é");
    auto f = [&](int j) { return in[j]; };
    char c = '"', d = '\'', e = '#';
    __syncthreads(); __syncwarp(); __builtin_assume(n > 0);
    if (i < n) out[i] = f(i) + atomicAdd(&out[i], 1e-3f) + half_of(.5f);
}
"""


def test_honest_text_passes() -> None:
    assert find_forbidden(HONEST) is None
    assert find_forbidden(HONEST.replace("\n", "\r\n")) is None


@pytest.mark.parametrize("header", sorted(ALLOWED_HEADERS))
def test_allowed_headers_pass(header: str) -> None:
    assert find_forbidden(f'#include <{header}>\n#include "{header}"\n/* a */ # include <{header}> // b') is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "int x = a <::b> 3;",
        "a[b[0]] = c[d[1]];",
        'extern "C" __device__ float f(float x) { return x; }',
        'extern "C" static __global__ void f() {}',
        "#pragma nounroll\n#pragma unroll (N / 2)",
        "void __syncthreads_count(int);",
        "int a<:3:>; // ??/\nint x;",
        "#define HAS(member) struct has_##member { int x; };\n#if N > 1\n#include <cmath>\n#endif\nHAS(size)",
        "#define FIELD(name, axis) name##_##axis\n#ifdef X\n#endif\nfloat FIELD(speed, x), h, a, s, in, c, l, u, d, e;",
        "#define CAT(a, b) a##b\n#if CAT(1, 2) > 3\n#endif",
        "// é ∑ “quoted”\nint x;",
        "while (n-->*p) x = 2.*y + 1e3.*z + A::b * c;",
    ],
)
def test_these_pass_too(text: str) -> None:
    assert find_forbidden(text) is None


# ---- what must not reach a compiler --------------------------------------------------------------

READS = [
    '# /*include <cmath>//*/ include "notes.txt"',
    "#include /* <cmath> */ <notes.txt>",
    '#include "/etc/passwd"',
    "#include </etc/passwd>",
    '#include "../../solutions/x.cu"',
    '  #  include "secret.h"',
    "/* */ #include </etc/passwd>",
    "#inc\\\nlude </etc/passwd>",
    "#\\\ninclude </etc/passwd>",
    "\\\n#include </etc/passwd>",
    "#include \\\n</etc/passwd>",
    "#/*\n*/include </etc/passwd>",
    "#include/* */</etc/passwd>",
    "#define H </etc/passwd>\n#include H",
    "#include <math.h/../../etc/passwd>",
    "#include <math.h//x>",
    "#include < math.h>",
    '#include "/etc/passwd" // <math.h>',
    "#include",
    "#include_next <math.h>",
    '#import "/etc/passwd"',
    '#embed "/etc/passwd"',
    '#if __has_include("/etc/passwd")\n#endif',
    '#if __has_embed("/etc/passwd")\n#endif',
    "#ifdef A\n#include </etc/passwd>\n#endif",
    "#if has_include_next\n#endif",
    "#if _CCCL_HAS_INCLUDE(</etc/passwd>)\n#endif",
    '%:include "/etc/passwd"',
]
PASTED = [
    '#define CAT(a, b) a##b\n#if CAT(__has_, include)("/etc/passwd")\n#endif',
    '#define CAT(a, b) a##b\n#define E(a, b) CAT(a, b)\n#define I include\n#if E(__has_, I)("/etc/passwd")\n#endif',
    '#ifdef __CUDACC_RTC__\n#define A(x, y) x##y\n#if A(A(A(_, _), has), A(_in, clude))("/etc/passwd")\n#endif\n#endif',
    '#define A(x, y, z) x##_##y##_##z\n#if A(, _has, embed)("/etc/passwd")\n#endif',
    '#define A(x, y, z) x##_##y##_##z\n#if 0\n#elif A(_, has, incl##ude)("/etc/passwd")\n#endif',
    "#define A(x, y) x##y\n#if A(_CCCL_HAS_, INCLUDE)(</etc/passwd>)\n#endif",
    "#include <cuda/std/limits>\n#if _CCCL_PP_CAT(__has_, include)(</etc/passwd>)\n#endif",
]
DIRECTIVES = [
    '#line 3 "x"',
    '# 3 "x"',
    '# "x"',
    "#warning /*\nasm(); //*/",
    "#ident x",
    "#assert x(y)",
    "#pragma GCC poison x",
    "#pragma clang attribute push",
    "#pragma unrollx",
    '#pragma comment(lib, "x")',
]
SPELLINGS = [
    "%:include </etc/passwd>",
    "%:define A(x, y) x%:%:y",
    "\\u0061sm();",
    "\\U00000061sm();",
    "\\N{LATIN SMALL LETTER A}sm();",
    "int \\",
    "// a \\ \nint x;",
    "#define A \\\t\n 3",
    "// a\rint x;",
    "a\x00b",
    "a\x0bb",
    "a\x7fb",
    "// a\ud800b",
    "int ä;",
    "int a$1'0';",
    "x = “1”;",
    "a @ b ` c",
    'R"(x)"',
    'u8R"x(x)x"',
    'R"a b(\n)"',
    '"x"R"(y)"',
    'R\\\n"(x)"',
    "#if 0\n1p+'0/*'\n#endif\n//*/",
    "1'x';",
    "1.5e+1'0",
]
COMPILER = [
    "__builtin_trap();",
    "__builtin_return_address(0);",
    "__builtin_unreachable();",
    "__atomic_load_n(p, 0);",
    "__sync_fetch_and_add(p, 1);",
    "__nvvm_bar_sync(0);",
]
MACROS = [
    "#define __shared__",
    "#undef __device__",
    "#define _Bool int",
]
HEADERS = [
    "#include <vector>",
    "#include <crt/mma.h>",
    "#include <cub/device/device_reduce.cuh>",
]
HOSTILE = READS + PASTED + DIRECTIVES + SPELLINGS + COMPILER + MACROS + HEADERS


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_refused(text: str) -> None:
    found = find_forbidden(text)
    assert found is not None
    assert found.kind is Kind.FORBIDDEN_CODE
    assert found.stops
    assert found.accesses == ()


# "int \\" is a mistake only at the end of a text.
@pytest.mark.parametrize("text", [text for text in HOSTILE if text != "int \\"])
def test_hostile_text_is_refused_in_the_middle_of_honest_text(text: str) -> None:
    honest = "__global__ void f(float* a, int n)\n{\n    if (n) a[0] = 1;\n}\n"
    assert find_forbidden(honest) is None
    found = find_forbidden(f"{honest}{text}\n{honest}")
    assert found is not None
    assert found.line >= 5


def test_the_text_may_be_long_but_not_endless() -> None:
    assert find_forbidden("x " * (MAX_LENGTH // 2)) is None
    found = find_forbidden("x " * (MAX_LENGTH // 2 + 1))
    assert found is not None
    assert found.reason is Refusal.TOO_LONG


def test_so_may_a_name() -> None:
    """The compiler compares one that it does not know with all that it does, for 13 s if it has 95,000 characters."""
    assert find_forbidden(f"int {'x' * 1000} = 1; // {'x' * 2000}") is None
    found = find_forbidden(f"int y;\nint {'x' * 1001} = 1;")
    assert found is not None
    assert (found.construct, found.line, found.reason) == ("a name of 1001 characters", 2, Refusal.TOO_LONG)


@pytest.mark.parametrize(
    ("text", "construct", "line", "shown", "reason"),
    [
        ("int x;\n  __atomic_load(p); // a", "__atomic_load", 2, "__atomic_load(p); // a", "to the compiler"),
        (
            'int x; \\\n\n #include  "/etc/passwd"',
            '#include "/etc/passwd"',
            3,
            '#include  "/etc/passwd"',
            "names a file",
        ),
        ('#if __has_include("x")', "__has_include", 1, '#if __has_include("x")', "names a file"),
        ("#include <vector>", "#include <vector>", 1, "#include <vector>", "headers"),
        ("#define A 1 \\\n + __sync_x", "__sync_x", 2, "+ __sync_x", "to the compiler"),
        ("#pragma  omp", "#pragma omp", 1, "#pragma  omp", "directives"),
        ("int é;\r\nasm", "the character é", 1, "int é;", "does not belong"),
        ("a\u2028b\nasm", "the character U+2028", 1, "a\u2028b", "does not belong"),
        ("// a\u2028b\x85c\n#line 3", "#line", 2, "#line 3", "not a directive"),  # lines end at newlines alone
        ("__sync_x;", "__sync_x", 1, "__sync_x;", "belongs to the compiler"),
    ],
)
def test_a_finding_says_what_where_and_why(text: str, construct: str, line: int, shown: str, reason: str) -> None:
    found = find_forbidden(text)
    assert found is not None
    assert found.construct == construct
    assert found.line == line
    assert found.text == shown
    assert reason in describe_refusal(construct, found.reason)


@pytest.mark.parametrize(
    "unit",
    [
        "/*",
        "'",
        '"',
        'R"(',
        "#define A (\n",
        "\n",
        "\\\n",
        "1'",
        " \n",
        "##h #if ",
        "#define A(x) x##h\n#if _ __h\n",
    ],
)
def test_no_text_makes_it_slow(unit: str) -> None:
    text = (unit * MAX_LENGTH)[:MAX_LENGTH]
    with cpu_limit():
        find_forbidden(text)


@pytest.mark.parametrize(
    "text",
    [
        f"#{'/**/' * 20_000}",
        f"int x = 0x1'{'f' * 90_000}g;",
        f"#pragma unroll{' ' * 90_000}!",
    ],
)
def test_no_long_piece_makes_it_slow(text: str) -> None:
    with cpu_limit():
        find_forbidden(text)


@pytest.mark.parametrize("refusal", Refusal)
def test_there_are_words_for_every_refusal(refusal: Refusal) -> None:
    assert describe_refusal("asm", refusal)
