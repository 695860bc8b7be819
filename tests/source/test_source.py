"""Does `source` read CUDA C++ text like a compiler, and reject what must not reach one?"""

import random

import pytest
from cpu_limit import cpu_limit

from autograder.compiler.forbidden import find_forbidden
from autograder.core.findings import Kind
from autograder.core.refusal import Refusal
from autograder.report.refusals import tell_refusal
from autograder.source.text import ALLOWED_HEADERS, MAX_LENGTH, blank, blank_directives, dynamic_shared

# ---- blank --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a // b", "a     "),
        ("a /* b */ c", "a         c"),
        ("a /* b\nc */ d", "a     \n     d"),
        ('f("// no", x)', 'f("     ", x)'),
        ('"a\\"b" c', '"    " c'),
        ("'\"' x '\\'' y", "' ' x '  ' y"),
        ("1'000'000 + x", "1'000'000 + x"),
        ("0xff'ff 'x'", "0xff'ff ' '"),
        ("// a \\\nb\nc", "      \n \nc"),
        ("// a \\\r\nb\r\nc", "      \r\n \r\nc"),
        ('"a\\\nb" c', '"  \n " c'),
        ("/\\\n/ x\ny", "  \n   \ny"),
        ("/* a *\\\n/ b", "       \n  b"),
        ("/*/ a */ b", "         b"),
        ('R"(a " // b)" c', 'R"          " c'),
        ('u8R"x()" )x" c', 'u8R"       " c'),
        ('R"(a\nb)" c', 'R"  \n  " c'),
        ('xR"(a" b', 'xR"  " b'),
        ("don't /* x\ny", "don'      \ny"),  # an unfinished literal ends with its line
        ('"a\nb', '" \nb'),
        ("/* a", "    "),
        ("a \\\n b", "a \\\n b"),
        ("// a\\\n\nb", "     \n\nb"),
        ("a /* b */\\\nc", "a        \\\nc"),
        ('""', '""'),
        ("", ""),
    ],
)
def test_blank_takes_comments_and_the_insides_of_literals(text: str, expected: str) -> None:
    assert blank(text) == expected


def test_blank_keeps_length_newlines_and_every_character_that_it_does_not_blank() -> None:
    rng = random.Random(2)
    pieces = ["/", "*", "//", "/*", "*/", '"', "'", "\\", "\n", "\r\n", "\\\n", 'R"(', ')"', "a", "1'0", " ", "#", "e+"]
    for _ in range(3000):
        text = "".join(rng.choices(pieces, k=rng.randrange(25)))
        out = blank(text)
        assert len(out) == len(text), repr(text)
        assert [i for i, c in enumerate(out) if c in "\r\n"] == [i for i, c in enumerate(text) if c in "\r\n"]
        assert all(o in (c, " ") for o, c in zip(out, text, strict=True)), repr(text)


def test_blank_directives_takes_whole_logical_lines() -> None:
    assert blank_directives("a\n #define X 1 \\\n  2\nb # c") == "a\n" + " " * 14 + "\n   \nb # c"


# ---- dynamic_shared -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("extern __shared__ float s[];", ["s"]),
        ("__shared__ extern float s[];", ["s"]),
        ("extern __shared__ __align__(16) float4 s[];", ["s"]),
        ("extern __shared__ alignas(8) unsigned char s [ ] ;", ["s"]),
        ("extern volatile __shared__ float s[];", ["s"]),
        ("extern\n  __shared__ // why\n float s[];", ["s"]),
        ("extern __shared__ float s[][33];", ["s"]),
        ("extern __shared__ float s[], t[];", ["s", "t"]),
        ("extern __shared__ Pair<int, 2> s[];", ["s"]),
        ("{ extern __shared__ float a[]; } { extern __shared__ int b[]; }", ["a", "b"]),
        ("__shared__ float s[4]; extern int x[];", []),
        ("__shared__ float s[4];", []),
        ("// extern __shared__ float s[];", []),
        ('"extern __shared__ float s[];"', []),
        ("#define S extern __shared__ float s[];", []),
        ("externs __shared__ float s[];", []),
    ],
)
def test_every_dynamic_array_is_found(text: str, names: list[str]) -> None:
    found = dynamic_shared(text)
    assert [f.name for f in found] == names
    for f in found:
        assert text[slice(*f.extern)] == "extern"
        assert text[slice(*f.shared)] == "__shared__"


# ---- find_forbidden: what a kernel may say ------------------------------------------------------

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
    honest = HONEST.replace("??/ ", "")
    assert find_forbidden(honest) is None
    assert find_forbidden(honest.replace("\n", "\r\n")) is None


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
        "int emulate, demu, basm, asmx, gnu_, reimport, wmmas;",
        "int texture = 1; texture < 2;",
        "// é ∑ “quoted”\nint x;",
        "while (n-->*p) x = 2.*y + 1e3.*z + A::b * c;",
    ],
)
def test_these_pass_too(text: str) -> None:
    assert find_forbidden(text) is None


# ---- find_forbidden: what must not reach a compiler ---------------------------------------------

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
]
ASSEMBLY = [
    'asm goto("trap;");',
    '__asm__("nop");',
    '__asm("nop");',
]
PASTED = [
    '#define CAT(a, b) a##b\nCAT(as, m)("nop");',
    "#define CAT(a, b) a##b\nint CAT(CAT(a, s), m);",
    "#define CAT(a, b) a##b\n#define O(a, b) CAT(a, b)\n#define T a\n#define V sm\nO(T, V);",
    "#define CAT(a, b) a##b\n#define D(p) p(as, m)\nD(CAT);",
    "#define CAT(a, b) a##b\n#define C CAT\nC(as, m);",
    "#define CAT(a, b) a##b\n#define O(z, b) CAT(a, b)\nO(\n#if 0\nz, x)\n#endif\nz, sm);",
    "#define CAT(a, b) a##b\n#define OP(a) CAT(a, m)\n#define N(x) x##P\nN(O)(as);",
    "#define CAT(a, b) a##b\n#undef CAT\n#define CAT(b, a) a##b\nCAT(m, as);",
    "#define CAT(a, b) a##b\n#define O(p...) CAT(x, p)\nO(y);",
    "#define CAT(a, b...) a##b\nCAT(a, sm);",
    "#define CAT(a, b) a##b\n#define O(a, ...) CAT(a, __VA_ARGS__)\nO(a, sm);",
    "#define CAT(a, b) a##b\n#define O(a, b) CAT(a, b)\nO(_Float, __LINE__) x;",
    "#define CAT(a, b) a##b\nCAT(<<, <);",
    "#define CAT(a, b) a##b\n#define O(a, b) CAT(a, b)\nO(__UINT32_C_SUFFIX__, x);",
    "#define CAT(a, b, c) a##b##c\nCAT(, as, m);",
    "#define CAT(a, b) a##b\n#define O(x) CAT(x, x)\nO(__COUNTER__);",
    "#if CAT(__has_, include)(<x>)\n#define CAT(a, b) a##b\n#endif",
    "#define CAT(a, b) a##_##b\nint CAT(co, await);",
    "#define MADE as##m",
    "#define MADE em##u",
    "#define M(a) a##ual\nM(virt) void f();",
    "#define M(a) vir##a\n#define N(a) tu##a\n#define O(a) M(a)\nO(N(al)) void f();",
    "#define M(a) a##u\n#define N(a) a##m\n#define O(a) M(a)\nO(N(e))::x",
    "#define M(a) a##mu_stop\nM(e)();",
    "#define M(a) a##_trap\nM(__builtin)();",
    "#define M(a) __built##a\nM(in_trap)();",
    "#define M(a) __buil##a\n#define N(a) t##a\n#define O(a) M(a)\nO(N(in_trap))();",
    "#define M(n) __c##n##_atomic_init\nM(11)(p, 1);",
    '#define M(a) ex##a\nM(tern) "C" int system(const char*);',
    "#define M(a) a ##\\\n tern\nM(ex) int x;",
    "#define M(a) __at##a\nM(tribute__)((constructor)) void f();",
    "#define M(a) -##a\nint x = p M(>*) q;",
    "#define M(a) #a##x\nM(y)",
    "#define M(...) x##__VA_OPT__(y)\nM(1)",
    "#if a##b\n#endif",
    "int a = b##c;",
    "UINT32_C(em)::x",
    "INT64_C(virtua) void f();",
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
    *PASTED,
    "int x; #include <math.h>",
    "int x; # define A",
]
SPELLINGS = [
    "%:include </etc/passwd>",
    "%:define A(x, y) x%:%:y",
    "??=include </etc/passwd>",
    "// a ??/\nint x;",
    "int a<:3:>;",
    "<%%>",
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
ORDERS = [
    "__attribute__((constructor)) void f() {}",
    "__attribute((constructor)) void f() {}",
    '__attribute__((no_sanitize("thread"))) void f() {}',
    '__attribute__((unused, section("x"))) int x;',
    '__attribute__((aligned(8), section("x"))) int x;',
    '__attribute__((aligned(8)), section("x")) int x;',
    "__attribute__((aligned(sizeof(int)))) int x;",
    "__attribute__((unused(1))) int x;",
    "#define A __attribute__((\nA constructor)) void f();",
    '#define unused section("x")\n__attribute__((unused)) int x;',
    '#define/*\n*/packed \\\n section("x")\n__attribute__((packed)) int x;',
    "#define A(unused) __attribute__((unused)) int x;\nA(weak)",
    "#define A(\\\na, aligned) __attribute__((aligned(8)))\nA(8, weak) int x;",
    "__attribute__((__noinline__)) void f();",
    "[[gnu::constructor]] void f() {}",
    '[ [clang::no_sanitize("thread")]] void f() {}',
    "[[/**/ using gnu: constructor]] void f() {}",
    '[\\\n[nodiscard, gnu::ifunc("x")]] void f();',
    "[[nodiscard",
    "#define B gnu::constructor",
    "#define B [\nB B nodiscard]] void f();",
    "__declspec(dllexport) int x;",
    '_Pragma("clang optimize off")',
    '__pragma("x")',
    "void constructor();",
    "[[noreturn]] void f();",
    "no_sanitize_thread",
]
OUTSIDE = [
    '__private_extern__ "C" __device__ int getpid();',
    "extern __shared__ char bytes[], *environ;",
    "extern __shared__ int a[], stdout, b[];",
    'extern "C" int system(const char*);',
    'extern "C" { int system(const char*); }',
    'extern "C" __device__ int system(const char*);',
    'extern "C" __global__ int f(int), system(const char*);',
    'ex\\\ntern "C" int system(const char*);',
    "#define S(x) #x\nextern S(C) int system(const char*);",
    '#define E extern\nE "C" int system(const char*);',
    "#define E extern\n__shared__ float s[];",
    '#define E /*\n*/ extern\n__shared__ float s[]; E "C" int system(const char*);',
    'extern "" "C" int system(const char*);',
    '#define f g(const char*); void h\nextern "C" __device__ int f() {}',
    '#define P int), g(\nextern "C" __device__ int f(P) {}',
    '#define int long f(), g();\nextern "C" __device__ int f() {}',
    '#define __device__ int f(); void\nextern "C" __device__ int f() {}',
    'extern "C" __device__ int f(int)\n#if 0\n{}\n#else\n;\n#endif',
    'extern "C" __device__ int f(int\n#if 0\n) {}\n#else\n);\n#endif',
    'extern "C" __device__ T f(int) {}',
    'extern "C" int f(int) {}',
    'extern "C++" __device__ int f(int) {}',
    "extern int environ;",
    "extern float f(float);",
    "extern template struct X<int>;",
    "#define DECLARE(T, s) extern __shared__ T s[]",
]
RUNTIME = [
    "__tsan_read4(p);",
    "__ubsan_x",
    "__asan_x",
    "__emu_x",
    "emu_stop();",
    "emu::stop();",
    "EMU_X",
    "__sanitizer_x",
]
COMPILER = [
    "__builtin_trap();",
    "__builtin_return_address(0);",
    "__builtin_unreachable();",
    "__atomic_load_n(p, 0);",
    "__sync_fetch_and_add(p, 1);",
]
LANGUAGE = ["#define __shared__", "#undef __device__", "#define if while", "#define float double", "#define _Bool int"]
MODULES = ["import <stdio.h>;", "module;", "export module x;", "int x;\n  module x;", 'import "/etc/passwd";']
NOT_HERE = [
    "thread_local int x;",
    "struct V { virtual void f(); };",
    "int S::*p;",
    "(s.*f)();",
    "(p->*f)();",
    "__thread int x;",
    "_Atomic int x;",
    "f<<<1, 2>>>(x);",
    "texture<float> t;",
    "surface<void, 2> s;",
    "tex1Dfetch(t, 1);",
    "tex2D <float>(t);",
    "surf2Dwrite(1, s);",
    "#include <vector>",
    "#include <crt/mma.h>",
    "#include <cub/device/device_reduce.cuh>",
]
HOSTILE = (
    READS + ASSEMBLY + DIRECTIVES + SPELLINGS + ORDERS + OUTSIDE + RUNTIME + COMPILER + LANGUAGE + MODULES + NOT_HERE
)


@pytest.mark.parametrize(
    "text",
    [
        "__device__ int tex2D(int x) { return x; }\n__global__ void k(int* a) { *a = tex2D(1); }",
        "#define tex2D_at(x) (x)\n__global__ void k(int* a) { *a = tex2D_at(1); }",
        "#define cudaIndex(x) (x)\n__global__ void k(int* a) { *a = cudaIndex(1); }",
    ],
)
def test_a_text_may_have_names_of_its_own_like_those_of_cuda(text: str) -> None:
    assert find_forbidden(text) is None
    assert find_forbidden(f"{text}\nint y = tex1Dfetch(t, cudaFree(0));") is not None


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
        ('int x;\n  __asm("nop"); // a', "__asm", 2, '__asm("nop"); // a', "machine code"),
        (
            'int x; \\\n\n #include  "/etc/passwd"',
            '#include "/etc/passwd"',
            3,
            '#include  "/etc/passwd"',
            "asks for a file",
        ),
        ("#include <vector>", "#include <vector>", 1, "#include <vector>", "headers"),
        ("a\nb\nf<<<1, 1>>>();\nasm", "<<<", 3, "f<<<1, 1>>>();", "launches a kernel"),
        ("#define A 1 \\\n + __asm", "__asm", 2, "+ __asm", "machine code"),
        ("[[ gnu::hot ]]", "[[gnu::hot]]", 1, "[[ gnu::hot ]]", "orders"),
        ("int é;\r\nasm", "the character é", 1, "int é;", "does not belong"),
        ("a\u2028b\nasm", "the character U+2028", 1, "a\u2028b", "does not belong"),
        ("// a\u2028b\x85c\n__asm", "__asm", 2, "__asm", "machine code"),  # lines end at newlines alone
        ("__sync_x;", "__sync_x", 1, "__sync_x;", "belongs to the compiler"),
    ],
)
def test_a_finding_says_what_where_and_why(text: str, construct: str, line: int, shown: str, reason: str) -> None:
    found = find_forbidden(text)
    assert found is not None
    assert found.construct == construct
    assert found.line == line
    assert found.text == shown
    assert reason in tell_refusal(found.reason)


@pytest.mark.parametrize(
    "unit",
    [
        "[[",
        "[ ",
        "/*",
        "'",
        '"',
        'R"(',
        "extern ",
        'extern "C" __global__ ',
        "#define A (\n",
        "\n",
        "\\\n",
        "{",
        "__global__ f(",
        "1'",
        " \n",
        "module ",
        "extern __shared__ a[] ",
    ],
)
def test_no_text_makes_it_slow(unit: str) -> None:
    text = (unit * MAX_LENGTH)[:MAX_LENGTH]
    with cpu_limit():
        find_forbidden(text)
        dynamic_shared(text)


@pytest.mark.parametrize(
    "text",
    [
        f"#{'/**/' * 20_000}",
        f"extern __device__{' ' * 90_000}x;",
        f"int x = 0x1'{'f' * 90_000}g;",
        f"#pragma unroll{' ' * 90_000}!",
    ],
)
def test_no_long_piece_makes_it_slow(text: str) -> None:
    with cpu_limit():
        find_forbidden(text)


@pytest.mark.parametrize("refusal", Refusal)
def test_there_are_words_for_every_refusal(refusal: Refusal) -> None:
    assert tell_refusal(refusal)
