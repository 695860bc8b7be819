"""More attempts to get out of the emulator, by way of the language: corners of C++ and of the compiler's extensions in
which an access has no hook, a jump has no check, or code runs early. See test_hostile.py for the layers of protection.
"""

from __future__ import annotations

import subprocess
import sys

import inputs
import numpy as np
import peak_memory
import pytest
from hostile_kernels import NOWHERE, kernel, run, stopped_by

from autograder.backends import emulator
from autograder.compiler import zig
from autograder.core.findings import CompileError, ForbiddenCode, Kind
from autograder.core.launch import prepare
from autograder.core.refusal import Refusal

pytestmark = [
    inputs.emulation,
    pytest.mark.usefixtures("plain_and_optimized"),
    pytest.mark.sampled(among="plain_and_optimized"),
]

# ---- code that would run before the sandbox is closed, or without the emulator's eyes --------------------------

COROUTINE = """
namespace std {
template <class R, class... A> struct coroutine_traits { using promise_type = typename R::promise_type; };
}
struct R { struct promise_type {}; };
__device__ R f() { co_return; }
"""


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        pytest.param(kernel("out[0] = x;", '__device__ int x;\nextern "C" __device__ void _init() { x = 7; }'), "_init",
                     id="function-run-at-loading"),
        pytest.param(kernel("", '__device__ int x;\nextern "C" __device__ void _fini() { x = 7; }'), "_fini",
                     id="function-run-at-unloading"),
        pytest.param(kernel("static S s; out[0] = s.x;",
                            "struct S { int x; __device__ S() { x = 1; } __device__ ~S() { x = 0; } };"),
                     "static", id="static-local-with-destructor"),
        pytest.param(kernel("f();", COROUTINE), "co_return", id="coroutine"),
        pytest.param(kernel("*(long __seg_fs*)0x10 = 7;"), "__seg_fs", id="segment-of-the-C-library"),
        pytest.param(kernel("*(long __seg_gs*)0x10 = 7;"), "__seg_gs", id="the-other-segment"),
        pytest.param(kernel(f"*(B*){NOWHERE} = 5;", "typedef _BitInt(256) B;"), "_BitInt", id="integer-of-256-bits"),
        pytest.param(kernel(f"*(_Complex double*){NOWHERE} = 5;"), "_Complex", id="complex"),
        pytest.param(kernel("void* p = &&here; goto *p; here: out[0] = 1;"), "goto", id="computed-goto"),
        pytest.param(kernel("void* p = &&here; goto there; here: ;", "#define there *p"), "goto",
                     id="computed-goto-by-macro"),
        pytest.param(kernel("void* p = &&here; JUMP p; here: ;", "#define JUMP goto *"), "goto",
                     id="computed-goto-in-a-macro"),
        pytest.param(kernel('int x asm("emu_dynamic");'), "asm", id="asm-label"),
        pytest.param(kernel("", "__attribute__((annotate(\"x\"))) int x;"), "__attribute__", id="annotate"),
        pytest.param(kernel("", "[[gnu::alias(\"k\")]] void f();"), None, id="alias"),
        pytest.param(kernel("__builtin_frame_address(0);"), "__builtin_frame_address", id="frame-address"),
        pytest.param(kernel("__builtin_alloca(1 << 30);"), "__builtin_alloca", id="alloca"),
        pytest.param("#undef __shared__\n" + kernel(""), "#undef __shared__", id="undef-of-the-prelude"),
        pytest.param("#define __syncthreads()\n" + kernel(""), "#define __syncthreads", id="barrier-redefined"),
        pytest.param("#define atomicAdd(p, v) EMU_RAW\n" + kernel(""), "EMU_RAW", id="macro-of-the-prelude"),
        pytest.param('#line 1 "prelude.h"\n' + kernel(""), "#line", id="line"),
        pytest.param(kernel('_Pragma("clang optimize off")'), "_Pragma", id="pragma-operator"),
        pytest.param("#pragma clang attribute push(__x__)\n" + kernel(""), None, id="pragma-attribute"),
        pytest.param("export module m;\n" + kernel(""), "export", id="module"),
        pytest.param(kernel("W w; V* v = &w; out[0] = v->f();",
                            "struct V { virtual __device__ int f() = 0; };\n"
                            "struct W : V { __device__ int f() { return 7; } };"), "virtual", id="virtual-function"),
        pytest.param(kernel("", "struct V { int x; };\nstruct W : virtual V {};"), "virtual", id="virtual-base"),
        pytest.param(kernel("out[0] = dynamic_cast<V*>((V*)0) != 0;", "struct V { int x; };"), "dynamic_cast",
                     id="dynamic-cast"),
        pytest.param(kernel("out[0] = typeid(int) == typeid(long);"), "typeid", id="typeid"),
        pytest.param(kernel("", "struct S { int x; };\nint S::*p = &S::x;"), "::*", id="pointer-to-member"),
        pytest.param(kernel("S s; auto p = &S::f; (s.*p)();", "struct S { __device__ void f() {} };"), ".*",
                     id="call-of-a-member-by-pointer"),
        pytest.param(kernel("S s; auto p = &S::f; ((&s)->*p)();", "struct S { __device__ void f() {} };"), "->*",
                     id="call-of-a-member-by-two-pointers"),
        pytest.param(kernel(f"new ((void*){NOWHERE}) int;", "void* operator new(unsigned long, void* p) { return p; }"),
                     "operator new", id="placement-new"),
        pytest.param(kernel("", "struct S { __device__ void operator  delete(void*) {} };"), "operator delete",
                     id="delete-of-a-class"),
        pytest.param(kernel("extern __shared__ int _GLOBAL_OFFSET_TABLE_[]; out[0] = 1;"), "_GLOBAL_OFFSET_TABLE_",
                     id="table-of-the-linkers"),
        pytest.param(kernel("if (out[0] > 0) __builtin_unreachable();"), "__builtin_unreachable", id="unreachable"),
        pytest.param(kernel("__assume(out[0] > 0);"), "__assume", id="assume"),
        pytest.param(kernel("f();", "[[noreturn]] __device__ void f() {}"), "[[noreturn]]", id="noreturn"),
    ],
)  # fmt: skip
def test_the_text_is_forbidden(text: str, construct: str | None) -> None:
    finding = stopped_by(text)
    assert isinstance(finding, ForbiddenCode)
    assert construct in (None, finding.construct)


def test_a_jump_to_a_label_is_allowed() -> None:
    text = kernel("again:\n  out[0] += 1;\n  if (out[0] < 5) goto again;\n  goto done;\ndone: ;")
    assert (run(text).findings, run(text).outputs[0][0]) == ((), 5)


@pytest.mark.parametrize(
    ("body", "before", "words"),
    [
        pytest.param("try { throw 1; } catch (int) {}", "", "exceptions disabled", id="exceptions"),
        pytest.param("volatile long n = -8192; char a[n]; a[0] = 1; out[0] = a[0];", "", "variable length",
                     id="array-of-negative-size"),
        pytest.param("volatile long n = 4; char a[n]; a[0] = 1; out[0] = a[0];", "", "variable length",
                     id="array-of-any-size"),
    ],
)  # fmt: skip
def test_what_device_code_does_not_have_is_a_compile_error(body: str, before: str, words: str) -> None:
    finding = stopped_by(kernel(body, before))
    assert isinstance(finding, CompileError)
    assert words in finding.log


# Library functions that the compiler knows. In a function with C linkage, a declaration names the library's own.
@pytest.mark.parametrize(
    ("declaration", "call"),
    [
        pytest.param("long memmove(long, long, long)", f"memmove({NOWHERE}, (long)out, 8)", id="memmove-of-numbers"),
        pytest.param("void* alloca(unsigned long)", "*(char*)alloca(-100000l) = 1", id="alloca"),
        pytest.param("char* strcpy(char*, const char*)", f'strcpy((char*){NOWHERE}, "abc")', id="strcpy"),
        pytest.param("char* stpcpy(char*, const char*)", f'stpcpy((char*){NOWHERE}, "abc")', id="stpcpy"),
        pytest.param("char* strncpy(char*, const char*, unsigned long)", f'strncpy((char*){NOWHERE}, "abc", 4)',
                     id="strncpy"),
        pytest.param("int sprintf(char*, const char*, ...)", f'sprintf((char*){NOWHERE}, "abc")', id="sprintf"),
        pytest.param("void* mempcpy(void*, const void*, unsigned long)", f"mempcpy((void*){NOWHERE}, out, 8)",
                     id="mempcpy"),
        pytest.param("void bzero(void*, unsigned long)", f"bzero((void*){NOWHERE}, 8)", id="bzero"),
        pytest.param("int memcmp(const void*, const void*, unsigned long)",
                     f"out[0] = memcmp((void*){NOWHERE}, out, 8) == 0", id="memcmp"),
        pytest.param("void* memchr(const void*, int, unsigned long)", f"out[0] = memchr((void*){NOWHERE}, 3, 8) == out",
                     id="memchr"),
        pytest.param("unsigned long strlen(const char*)", f"out[0] = strlen((char*){NOWHERE})", id="strlen"),
        pytest.param("int _setjmp(void*)", "_setjmp(out)", id="setjmp"),
        pytest.param("void longjmp(void*, int)", "longjmp(out, 1)", id="longjmp"),
        pytest.param("double frexp(double, long)", f"frexp(1.5, {NOWHERE})", id="frexp-of-numbers"),
        pytest.param("int f(int)", "out[0] = f(1)", id="of-nobody"),
    ],
)  # fmt: skip
def test_a_function_declared_in_a_function_is_refused(declaration: str, call: str) -> None:
    text = f'extern "C" __global__ void k(float* out)\n{{\n    {declaration};\n    {call};\n}}\n'
    finding = stopped_by(text)
    assert isinstance(finding, ForbiddenCode | CompileError)
    if isinstance(finding, ForbiddenCode):
        assert (f" {finding.construct}(" in declaration.replace("*", " "), finding.reason) == (True, Refusal.NO_BODY)


@pytest.mark.parametrize("name", ["_DYNAMIC", "__bss_start", "_end", "_edata", "__ehdr_start", "__dso_handle"])
@pytest.mark.parametrize("use", ["__device__ int {};", 'extern "C" __device__ void {}() {{}}'], ids=("data", "code"))
def test_a_name_of_the_linkers_is_a_name_like_any_other(name: str, use: str) -> None:
    done = run(kernel("out[0] = 1;", use.format(name)))
    assert (done.findings, done.outputs[0][0]) == ((), 1)


# ---- accesses without a hook -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "before"),
    [
        pytest.param(f"*(__int128*){NOWHERE} = 5;", "", id="integer-of-128-bits"),
        pytest.param(f"*(long double*){NOWHERE} = 5;", "", id="long-double"),
        pytest.param(f"*(decltype(1.0L)*){NOWHERE} = 5;", "", id="long-double-unnamed"),
        pytest.param(f"((B*){NOWHERE})->a = 5;", "struct B { unsigned a : 24; char tail; };", id="bit-field-of-24"),
        pytest.param(f"((B*){NOWHERE})->a = 5;", "struct B { unsigned long a : 56; char tail; };",
                     id="bit-field-of-56"),
        pytest.param(f"((B*){NOWHERE})->a = 5;", "struct B { unsigned a : 8, b : 24; };", id="bit-field-of-a-word"),
        pytest.param(f"modf(3.7, (double*){NOWHERE});", "", id="modf"),
        pytest.param(f"f(*(S*){NOWHERE});", "struct S { long v[9]; };\n__device__ void f(S s) {}",
                     id="struct-by-value"),
        pytest.param(f"*(S*){NOWHERE} = f();", "struct S { long v[9]; };\n__device__ S f() { S s = {}; return s; }",
                     id="struct-returned"),
        pytest.param(f"((S*){NOWHERE})->~S();", "struct S { int x; __device__ ~S() { x = 1; } };", id="destructor"),
        pytest.param(f"n = 5; ((S*){NOWHERE})->p = &n;", "__device__ int n;\nstruct S { int* p; };", id="pointer"),
        pytest.param(f"auto f = [=] {{ *(int*){NOWHERE} = 1; }}; f();", "", id="lambda"),
        pytest.param(f"for (int& x : *(int(*)[4]){NOWHERE}) x = 1;", "", id="range-loop"),
        pytest.param("emu = 1;".replace("emu", "*(long*)((char*)&printf + 0x4000)"), "", id="near-the-runtimes-code"),
        pytest.param("const long* p = (const long*)&k; for (int i = 0; i < 4096; i++) ((long*)p)[i] ^= 1;", "",
                     id="own-code"),
    ],
)  # fmt: skip
def test_an_access_of_any_spelling_is_watched(body: str, before: str) -> None:
    assert stopped_by(kernel(body, before)).kind is Kind.OUT_OF_BOUNDS


@pytest.mark.parametrize("conversion", ["%n", "%hhn", "%-5n", "%*n", "%.3n", *(
    pytest.param(c) for c in ("%1$n", "%'n", "%In", "%Ln", "%Zn"))])  # fmt: skip
def test_printf_writes_nothing(conversion: str) -> None:
    done = run(kernel(f'long n[2] = {{5, 5}}; printf("abc{conversion}", n, n, n); out[0] = n[0];'))
    assert done.outputs[0][0] == 5


def test_printf_still_prints() -> None:
    done = run(kernel('printf("%5.2f|%-4d|%s|%c|%lld|%08x|%%|%*d\\n", 1.5, 3, "abc", 65, 7ll, 255u, 4, 2);'))
    assert done.printed == " 1.50|3   |abc|A|7|000000ff|%|   2\n"


# ---- jumps to what is no function of the text -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "before"),
    [
        pytest.param("long f = (long)&printf; ((void (*)())f)();", "", id="pointer-to-function"),
        pytest.param("auto* f = (int (*)(const char*, ...))((char*)&printf + 8); f(\"x\");", "", id="into-a-function"),
        pytest.param("auto f = (void (*)(float*))((char*)&k + 5); f(out);", "", id="into-own-code"),
        pytest.param("((void (*)(float*))(char*)out)(out);", "", id="data"),
        pytest.param("((F*)out)[0] = (F)((char*)&k + 5); ((F*)out)[0](out);", "typedef void (*F)(float*);",
                     id="into-own-code-by-memory"),
    ],
)  # fmt: skip
def test_a_jump_anywhere_else_is_a_crash(body: str, before: str) -> None:
    done = run(kernel(body, before))
    assert (done.completed, done.printed) == (False, "")
    finding = done.findings[-1]
    assert finding.kind is Kind.CRASH
    assert finding.accesses[0].line > 0  # it did not get out of the text: the runtime's code has no line


@pytest.mark.parametrize("width", ["1 << 30", "0", "-1", "12", "64"])
def test_a_shuffle_stays_within_its_warp(width: str) -> None:
    body = f"out[threadIdx.x] = __shfl_sync(~0u, 1.0f, 1 << 20, {width});"
    assert stopped_by(kernel(body), 32).kind in (Kind.INVALID_WARP_MASK, Kind.CRASH, Kind.COMPILE_ERROR)


# ---- exhausting the machine ------------------------------------------------------------------------------------


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize(
    ("body", "before"),
    [
        pytest.param("f(); out[0] = 1;", "__device__ void f() { __shared__ char a[1 << 30]; a[0] = 1; }",
                     id="shared-memory-of-a-device-function"),
        pytest.param('printf("%.1000000000f", 1.0);', "", id="printf-precision"),
        pytest.param('printf("%.*f", 1000000000, 1.0);', "", id="printf-precision-given"),
        pytest.param("alignas(1 << 28) char a[16]; for (int i = 0; i < 16; i++) a[i] = i; out[0] = a[threadIdx.x];", "",
                     id="alignment-beyond-the-stack"),
        pytest.param("for (int i = 0; i < 20000; i++) { __threadfence(); atomicAdd(out + threadIdx.x, 1.0f); }", "",
                     id="fences-without-end"),
    ],
)  # fmt: skip
def test_memory_is_bounded(body: str, before: str) -> None:
    command = [sys.executable, peak_memory.__file__, kernel(body, before)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 500  # MB


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize(
    ("body", "before"),
    [
        pytest.param("out[0] = sizeof(T);",
                     "template <class T, T... I> struct S {};\nusing T = __make_integer_seq<S, int, 100000000>;",
                     id="a-hundred-million-template-arguments"),
        pytest.param("out[0] = F<190, 0>::v;",
                     "template <int N, long K> struct F\n"
                     "{ static const long v = F<N - 1, 2 * K>::v + F<N - 1, 2 * K + 1>::v; };\n"
                     "template <long K> struct F<0, K> { static const long v = 1; };", id="template-tree"),
        pytest.param("constexpr int v = f(); out[0] = v;",
                     "constexpr int f() { int n = 0; for (long i = 0; i < 1l << 40; i++) n += i; return n; }",
                     id="constexpr-loop"),
        pytest.param("constexpr int v = f(); out[0] = v;",
                     "constexpr int f() { int a[1 << 28] = {}; return a[5]; }", id="constexpr-array"),
        pytest.param("out[0] = a[3];", "__device__ int a[1 << 24] = {[0 ... (1 << 24) - 1] = 1};", id="filled-array"),
    ],
)  # fmt: skip
def test_more_bombs_for_the_compiler_are_compile_errors(
    body: str, before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zig, "COMPILE_SECONDS", 2)
    assert stopped_by(kernel(body, before)).kind is Kind.COMPILE_ERROR


def test_the_largest_grid_ends_in_time() -> None:
    source = kernel("if (threadIdx.x > 5) out[0] = 1;")
    done = emulator.run(prepare(source, "k", 2**31 - 1, 1, [np.zeros(64, np.float32)]), cpu_seconds=1)
    assert [f.kind for f in done.findings] == [Kind.STEP_LIMIT]


# ---- knowing what is not the kernel's to know ------------------------------------------------------------------


def test_the_process_has_no_environment_and_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a kernel can read of its own module and stack, no secret of the parent is there."""
    monkeypatch.setenv("A_SECRET", "swordfish")
    body = """
    volatile char here = 0;
    const char* p = (const char*)&here;
    // From its frame up to the first byte that it may not read.
    for (int i = 0; i < 1 << 20; i++)
        if (p[i] == 'f' && p[i + 1] == 'i' && p[i + 2] == 's' && p[i + 3] == 'h') out[0] = 1;"""
    done = run(kernel(body))
    assert done.outputs[0][0] == 0
    assert [f.kind for f in done.findings] == [Kind.OUT_OF_BOUNDS]
