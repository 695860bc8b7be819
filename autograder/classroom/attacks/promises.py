"""Kernels that promise the optimizer what is not so, that it may leave out a check, or give the linker names, that an
array may be another one; and texts at which the grader itself might fail, so that there is no result."""

from __future__ import annotations

from . import NOWHERE, attacks, kernel


def _past_a_struct(promise: str, before: str = "") -> str:
    """The text of a kernel that goes past the end of an array of structs, unless a promise keeps the check away."""
    body = f"""
    P a[32] = {{}};
    volatile int number = 37;
    int i = number;
    {promise}
    if (i >= 0 && i < 1000) a[i].v = 7;
    for (int n = 0; n < 32; n++) out[0] += a[n].v;"""
    return kernel(body, f"struct P {{ int v; }};\n{before}")


_ASSUMED = {
    "assume-in-an-empty-macro": _past_a_struct("[E[assume(i < 32)]];", "#define E"),
    "assume-in-a-macro": _past_a_struct("A([assume(i < 32)]);", "#define A(x) [x]"),
    "assume-in-a-bracket-of-a-macro": _past_a_struct("A([)[assume(i < 32)]];", "#define A(x) x"),
    "assume-of-the-library": _past_a_struct("__builtin_assume(i < 32);"),
}
_PROMISED = {
    "attribute-by-a-macro": kernel("f();", "#define A __attribute__\nA((noreturn)) __device__ void f() {}"),
    "noreturn-in-an-empty-macro": _past_a_struct(
        "if (i >= 32) f();", "#define E\n[E[noreturn]] __device__ void f() {}"
    ),
    "noreturn-of-c": _past_a_struct("if (i >= 32) f();", "_Noreturn __device__ void f() {}"),
    "noreturn-of-another-compiler": _past_a_struct("if (i >= 32) f();", "__declspec(noreturn) __device__ void f() {}"),
    "assume_dereferenceable": kernel("__builtin_assume_dereferenceable(out, 4096); out[0] = 1;"),
    "spliced-attribute": kernel("f();", "__attri\\\nbute__((noreturn)) __device__ void f() {}"),
    "attribute-of-a-universal-name": kernel("__attribut\\u0065__((noreturn)) int x;"),
    "attributes-by-digraphs": kernel("f();", "<:<:noreturn:>:> __device__ void f() {}"),
    "attributes-by-a-pragma": kernel(
        "f();", "#pragma clang attribute push (A((noreturn)), apply_to = function)\n__device__ void f() {}"
    ),
    "convention": kernel("out[0] = f(1);", "__device__ float __vectorcall f(float x) { return x; }"),
    "convention-of-registers": kernel("out[0] = f(1);", "__device__ float __regcall f(float x) { return x; }"),
}
_INHERITED = {
    "inlined-like-a-template": kernel(
        "__stcg(out, 1.0f);",
        f"#define E\ntemplate <E> __device__ void __stcg<float>(float* p, float) {{ *(int*){NOWHERE} = 7; }}",
    ),
    "inlined-like-a-method": kernel(
        "*(cuda::atomic<float>*)out = 1.0f;",
        "#include <cuda/atomic>\n#define E\ntemplate <E> __device__ float cuda::atomic<float>::operator=(float v) "
        f"{{ *(int*){NOWHERE} = 7; return v; }}",
    ),
}
#: An array in a namespace, by the name that it has for a linker.
_MANGLED = "extern __shared__ int _ZN1n1sE[];"
_NAMED = {
    "constants-as-dynamic-memory": kernel(
        "_ZN1n1sE[0] = 7; out[0] = n::s[0];", f"namespace n {{ inline constexpr int s[64] = {{1}}; }}\n{_MANGLED}"
    ),
}
_DEFINED = {
    "device-memory-as-dynamic-memory": kernel(
        "s[100] = 7; out[0] = s[1];", "extern __shared__ int s[];\n__device__ int s[64];"
    ),
}
_CLOCKS = {
    "time-of-day": kernel("out[0] = __TIME__[7];"),
    "date": kernel("out[0] = __DATE__[5];"),
    "date-of-the-file": kernel("out[0] = __TIMESTAMP__[18];"),
}
_COPY = """__shared__ __align__(16) float s[64], t[64];
    for (int i = 0; i < 64; i++) s[i] = t[i] = 1;
    *(Q*)&t[4 * threadIdx.x] = *(const Q*)&s[4 * threadIdx.x + 1];
    out[0] = t[5];"""
_STEPS = {
    "error-where-it-is-optimized": kernel(
        _COPY, "#ifdef __OPTIMIZE__\n#error\n#endif\nstruct alignas(16) Q { float v[4]; };"
    ),
    "error-where-it-is-inlined": kernel(
        _COPY, "#ifndef __NO_INLINE__\n#error\n#endif\nstruct alignas(16) Q { float v[4]; };"
    ),
    "other-alignment-where-it-is-optimized": kernel(
        _COPY,
        "#ifdef __OPTIMIZE__\n#define A 4\n#else\n#define A 16\n#endif\nstruct alignas(A) Q { float v[4]; };",
    ),
}
_NESTED = "struct S0 { int x; };\n" + "".join(f"struct S{n} {{ S{n - 1} a; }};\n" for n in range(1, 1500))
_REFUSED = {
    "float-of-128-bits": kernel("__float128 x = out[0]; out[0] = x * x;"),
    "float-of-128-bits-unnamed": kernel("auto x = 1.0q * out[0]; out[1] = x * x;"),
    "float-of-16-bits": kernel("_Float16 x = out[0]; out[0] = x * x;"),
    "quotient-of-128-bits": kernel("volatile long n = 7; __int128 x = n; out[0] = x / n > 1;"),
    "nested-types": kernel("S1499 a[2]; a[n()] = a[0]; out[0] = 1;", f"{_NESTED}__device__ int n() {{ return 1; }}"),
}
_LARGE = {
    "many-accesses": kernel(
        "S a[9]; volatile int i = 1;" + "a[i].v=1;" * 6000 + "out[0] = a[1].v;", "struct S { int v; };"
    ),
}

#: Promises that no text can spell but in a way that we read; what they promise is checked all the same.
ASSUMED = attacks(_ASSUMED, "OutOfBounds")
#: Promises that no kernel may make.
PROMISED = attacks(_PROMISED, "ForbiddenCode")
#: Functions of the text that a prelude's template makes always inlined, where nobody watches them.
INHERITED = attacks(_INHERITED, "OutOfBounds")
#: A dynamic array that would be another variable as well, whose accesses nobody watches.
NAMED = attacks(_NAMED, "OutOfBounds")
DEFINED = attacks(_DEFINED, "OutOfBounds")
#: A verdict by the clock.
CLOCKS = attacks(_CLOCKS, "CompileError")
#: A struct whose alignment another step of the compiler tells, which the text would have told another one.
STEPS = attacks(_STEPS, "MisalignedAccess")
#: Types that we do not know, or not so deep.
REFUSED = attacks(_REFUSED, "ForbiddenCode", "CompileError")
#: Texts on which we would work without end.
LARGE = attacks(_LARGE, "CompileError")
