"""Is host code that a kernel uses rejected where it is used? Compared with NVRTC if there is one."""

import re

import inputs
import pytest
from narrowing import only

from autograder.cuda.compiler.toolchain import find_compile_errors
from autograder.cuda.core.findings import CompileError
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.report.compile_errors import Message, in_words

pytestmark = inputs.emulation

HOST = "constexpr int g(int x) { return x; }\n"


def kernel(body: str, before: str = "") -> str:
    return f"{before}\n__global__ void f(int* a) {{ {body}}}\n"


#: `@` marks each use of host code, as messages name it.
USES = {
    "plain": kernel("*a = @g(1);", "int g(int x) { return x; }"),
    "static": kernel("*a = @g(1);", "static int g(int x) { return x; }"),
    "inline": kernel("*a = @g(1);", "inline int g(int x) { return x; }"),
    "host": kernel("*a = @g(1);", "__host__ int g(int x) { return x; }"),
    "template": kernel("*a = @g<int>(1);", "template <class T> T g(T x) { return x; }"),
    "constexpr": kernel("*a = @g(*a);", HOST),
    "constexpr of a constant": kernel("int n = @g(1); *a = n;", HOST),
    "recursive": kernel("*a = @g(1);", "int g(int x) { return x ? g(x - 1) : 0; }"),
    "namespace": kernel("*a = n::@g(1);", "namespace n { int g(int x) { return x; } }"),
    "overload": kernel("*a = @g(1);", HOST + "__device__ float g(float x) { return x; }"),
    "default argument": kernel("*a = @h();", HOST + "__device__ int h(int x = g(1)) { return x; }"),
    "function of a macro": kernel("*a = @g(1);", "#define FUNCTION(name) int name(int x) { return x; }\nFUNCTION(g)"),
    "call in a macro": kernel("*a = @TWICE(1);", "#define TWICE(x) (2 * g(x))\n" + HOST),
    "two lines": kernel("*a = @g(1);\n    a[1] = 2 +\n @g(2);", HOST),
    "method": kernel("S s; *a = s.@g();", "struct S { int g() { return 1; } };"),
    "static method": kernel("*a = S::@g();", "struct S { static int g() { return 1; } };"),
    "method of a template": kernel("S<int> s; *a = s.@g();", "template <class T> struct S { T g() { return 1; } };"),
    "template method": kernel("S s; *a = s.@g(1);", "struct S { template <class T> T g(T x) { return x; } };"),
    "constructor": kernel("S @s(3); *a = s.x;", "struct S { int x; S(int y) : x(y) {} };"),
    "conversion by constructor": kernel("*a = @h(3);",
        "struct S { int x; S(int y) : x(y) {} };\n__device__ int h(S s) { return s.x; }"),
    "destructor": kernel("S @s; s.x = 1; *a = s.x;", "struct S { int x; ~S() { x = 1; } };"),
    "constructor of a member": kernel("S @s; *a = s.t.x;", "struct T { int x; T() { x = 1; } }; struct S { T t; };"),
    "first value of a member": kernel("S s; *a = s.x;", HOST + "struct S { int x = @g(1); };"),
    "operator": kernel(
        "V v{1}; *a = (v @+ v).x;",
        "struct V { int x; };\nV operator+(V a, V b) { return {a.x + b.x}; }",
    ),
    "operator of float4": kernel(
        "float4 v = make_float4(1, 2, 3, 4); *a = (v @+ v).x;",
        "float4 operator+(float4 a, float4 b) { return make_float4(a.x, 0, 0, b.x); }",
    ),
    "conversion": kernel("S s{1}; *a = @s;", "struct S { int x; operator int() const { return x; } };"),
    "assignment": kernel(
        "S s{1}, t{2}; t @= s; *a = t.x;",
        "struct S { int x; void operator=(const S& o) { x = o.x; } };",
    ),
    "friend": kernel("S s{1}; *a = @g(s);", "struct S { int x; friend int g(S s) { return s.x; } };"),
    "function object": kernel(
        "*a = h(F{});",
        "struct F { int operator()(int x) const { return x; } };\n"
        "template <class G> __device__ int h(G g) { return @g(1); }",
    ),
    "literal": kernel("int n = @2_k; *a = n;", 'constexpr int operator""_k(unsigned long long x) { return x; }'),
    "in a lambda": kernel("auto h = [](int x) { return @g(x); }; *a = h(*a);", HOST),
    "lambda to a host function": kernel(
        "*a = @h([](int x) { return x; });",
        "template <class G> int h(G g) { return g(1); }",
    ),
    "lambda outside": kernel("*a = @g(*a);", "constexpr auto g = [](int x) { return x; };"),
    "in a device function": kernel("*a = h(1);", HOST + "__device__ int h(int x) { return @g(x); }"),
    "in a device function that nobody calls": kernel("*a = 1;", HOST + "__device__ int h(int x) { return @g(x); }"),
    "in a function of both": kernel("*a = h(1);", HOST + "__host__ __device__ int h(int x) { return @g(x); }"),
    "in a template": kernel("*a = h(1);", HOST + "template <class T> __device__ int h(T x) { return @g(x); }"),
    "pointer": kernel("int (*@p)(int) = g; *a = p(1);", HOST),
    "pointer in a table": kernel("*a = p[0](1);", HOST + "@__device__ int (*p[1])(int) = {g};"),
    "pointer as a template's argument": kernel(
        "*a = h<g>();", HOST + "template <int (*P)(int)> __device__ int h() { return @P(1); }"
    ),
    "variable": kernel("*a = @n;", "int n = 3;"),
    "static variable": kernel("@n = *a;", "static int n;"),
    "array": kernel("*a = @n[1];", "float n[4];"),
    "variable of a struct": kernel("*a = S::@n;", "struct S { static int n; };\nint S::n = 3;"),
}  # fmt: skip

RIGHT = {
    "device": kernel("*a = g(1);", "__device__ int g(int x) { return x; }"),
    "host and device": kernel("*a = g(1);", "__host__ __device__ constexpr int g(int x) { return x; }"),
    "in the middle": kernel("*a = g(1);", "int __device__ g(int x) { return x; }"),
    "after": kernel("*a = g(1);", "int g(int x) __device__;\n__device__ int g(int x) { return x; }"),
    "beside an attribute": kernel("*a = g(1);", "__device__ [[nodiscard]] inline int g(int x) { return x; }"),
    "static constant": kernel("static __constant__ int n = 1; __constant__ static int m = 2; *a = n + m;"),
    "constant in a namespace": kernel("*a = N::n;", "namespace N { __constant__ int n = 1; }"),
    "as a macro": kernel("*a = g(1);", "#define BOTH __host__ __device__\nBOTH int g(int x) { return x; }"),
    "where it is declared": kernel("*a = g(1);", "__device__ int g(int x);\nint g(int x) { return x; }"),
    "where its class is": kernel("S s; *a = s.g();", "struct S { __device__ int g(); };\nint S::g() { return 1; }"),
    "where its template is": kernel(
        "*a = g(1);",
        "template <class T> __device__ T g(T x) { return x; }\ntemplate <> int g<int>(int x) { return 2 * x; }",
    ),
    "members that nobody wrote": kernel("S s, t(s); t = s; *a = t.b.x;", "struct B { int x = 3; }; struct S { B b; };"),
    "members by default": kernel(
        "S s; s.x = 1; S t(s); *a = t.x;", "struct S { int x; S() = default; S(const S&) = default; ~S() = default; };"
    ),
    "inherited": kernel(
        "S s(1); *a = s.x;",
        "struct B { int x; __device__ B(int y) : x(y) {} }; struct S : B { using B::B; };",
    ),
    "lambda": kernel("auto g = [&](int x) { a[x] = 1; }; g(1);"),
    "lambda to a template": kernel(
        "*a = h([](int x) { return x; });",
        "template <class G> __device__ int h(G g) { return g(1); }",
    ),
    "constants": kernel(
        "*a = n + m[*a] + S::k;",
        "const int n = 3; constexpr int m[2] = {1, 2}; struct S { static const int k = 3; };",
    ),
    "variables of the GPU": kernel("static int n; *a = m + k[1] + n;", "__device__ int m = 2; __constant__ int k[2];"),
    "kernel that nobody launches": kernel("*a = 1;", "static __global__ void other(int* a) { *a = 2; }"),
}  # fmt: skip

#: Code that no kernel uses, so that it does not matter where it is.
UNUSED = {
    "function": kernel("*a = 1;", "int g(int x) { return x; }\nint main() { return g(1); }"),
    "declared": kernel("*a = 1;", "int g(int x);"),
    "method": kernel("S s; s.x = 1; *a = s.x;", "struct S { int x; int g() { return 1; } };"),
    "variable": kernel("*a = 1;", "int n = 3;"),
    "worked out": kernel("__shared__ int s[g(3)]; constexpr int n = g(3); s[0] = n; *a = s[0];", HOST),
    "only its type": kernel("*a = sizeof(g(1));", HOST),
    "generic lambda": kernel("auto g = [](auto x) { return x; }; *a = g(1);"),
}


#: `@` marks the second definition.
TWICE = {
    "host and device": kernel(
        "*a = g(1);", "__host__ int g(int x) { return x; }\n__device__ int @g(int x) { return -x; }"
    ),
    "unmarked": kernel("*a = g(1);", "__device__ int g(int x) { return -x; }\nint @g(int x) { return x; }"),
    "in a namespace": kernel(
        "*a = n::g(1);", "namespace n { int g(int x) { return x; }\n__device__ int @g(int x) { return -x; } }"
    ),
    "of two overloads": kernel(
        "*a = g(1) + g(1.0f);",
        "__device__ int g(int x) { return x; }\n__device__ int g(float x) { return x; }\nint @g(float x) { return x; }",
    ),
    "with a warning": kernel(
        "int x; if (x = 3) *a = g(1);", "int g(int x) { return x; }\n__device__ int @g(int x) { return -x; }"
    ),
}
#: Functions that differ in more than their sides.
OVERLOADS = {
    "types": kernel("*a = g(1.0f);", "int g(int x) { return x; }\n__device__ int g(float x) { return -x; }"),
    "namespaces": kernel(
        "*a = n::g(1);", "int g(int x) { return x; }\nnamespace n { __device__ int g(int x) { return -x; } }"
    ),
    "defined once": kernel("*a = g(1);", "__device__ int g(int x);\n__device__ int g(int x) { return -x; }"),
}


def messages(text: str) -> tuple[Message, ...]:
    return in_words(only(CompileError, find_compile_errors(text)).messages)


@pytest.mark.parametrize("case", USES)
def test_what_a_kernel_uses_must_be_on_the_gpu(case: str) -> None:
    text = USES[case].replace("@", "")
    places = [
        (line, mark.start() + 1 - before)
        for line, code in enumerate(USES[case].split("\n"), 1)
        for before, mark in enumerate(re.finditer("@", code))
    ]
    reported = messages(text)
    assert [(message.line, message.column) for message in reported] == places
    for message in reported:
        words = ("calling a __host__ function(", "is undefined in device code", "no known conversion from")
        assert any(word in message.text for word in words)


@pytest.mark.parametrize("case", [*RIGHT, *(f"{case} that no kernel uses" for case in UNUSED)])
def test_what_is_on_the_gpu_or_unused_is_taken(case: str) -> None:
    assert (
        find_compile_errors({**RIGHT, **{f"{case} that no kernel uses": text for case, text in UNUSED.items()}}[case])
        == []
    )


@pytest.mark.parametrize("case", TWICE)
def test_a_function_of_both_sides_is_written_once(case: str) -> None:
    before, _, after = TWICE[case].partition("@")
    (message,) = messages(before + after)
    assert (message.line, message.column) == (before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1)
    assert message.text.startswith(f"redefinition of 'g', which line {message.line - 1} defines: ")


@pytest.mark.parametrize("case", OVERLOADS)
def test_overloads_may_be_on_either_side(case: str) -> None:
    assert find_compile_errors(OVERLOADS[case]) == []


@pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")
def test_a_gpu_takes_what_we_take() -> None:
    texts = [*RIGHT.values(), *UNUSED.values(), *OVERLOADS.values()]
    assert [text for text in texts if not nvrtc.compile_for(text, "f", "sm_80").ok] == []


@pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")
def test_nvrtc_refuses_what_we_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    # With the course's options, NVRTC would put unmarked code on the GPU.
    strict = tuple(option for option in nvrtc.OPTIONS if option != "-default-device")
    monkeypatch.setattr(nvrtc, "OPTIONS", strict)
    texts = [text.replace("@", "") for text in (*USES.values(), *TWICE.values())]
    assert [text for text in texts if nvrtc.compile_for(text, "f", "sm_80").ok] == []


def test_who_calls_whom_is_said() -> None:
    (message,) = messages(USES["in a device function"].replace("@", ""))
    assert message.text == 'calling a __host__ function("g") from a __device__ function("h") is not allowed'
    (message,) = messages(USES["plain"].replace("@", ""))
    assert message.text == (
        'calling a __host__ function("g") from a __global__ function is not allowed: mark the function in line 1 as '
        "__device__ as well"
    )


def test_what_is_in_a_function_is_not_declared_on_the_gpu() -> None:
    first = messages(kernel("__device__ int n; *a = n;"))[0]
    assert "a __device__ variable is not allowed here" in first.text
    (message,) = messages(kernel("__constant__ const int n = 1; *a = n;"))
    assert "a __constant__ variable is not allowed in a function" in message.text


def test_of_several_kernels_all_are_looked_at() -> None:
    reported = messages(kernel("*a = g(1);", HOST) + "__global__ void k(int* a) { *a = g(2); }\n")
    assert [message.line for message in reported] == [3, 4]
