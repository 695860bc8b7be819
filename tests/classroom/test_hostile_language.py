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
from hostile_kernels import is_stopped, name_of, run, stopped_by

from autograder.classroom.attacks import Attack, kernel, texts
from autograder.cuda.backends import emulator
from autograder.cuda.compiler import zig
from autograder.cuda.core.findings import CompileError, ForbiddenCode, Kind
from autograder.cuda.core.refusal import Refusal
from autograder.cuda.kernel import Kernel

pytestmark = [
    inputs.emulation_of_attacks,
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


@pytest.mark.parametrize("attack", texts.LANGUAGE, ids=name_of)
def test_the_text_is_forbidden(attack: Attack) -> None:
    is_stopped(attack)


@pytest.mark.parametrize("name", ["_init", "_fini"])
def test_no_name_makes_a_function_run_early(name: str) -> None:
    text = kernel("out[0] = x;", f'__device__ int x;\nextern "C" __device__ void {name}() {{ x = 7; }}')
    assert (run(text).findings, run(text).outputs[0][0]) == ((), 0)


def test_a_jump_to_a_label_is_allowed() -> None:
    text = kernel("again:\n  out[0] += 1;\n  if (out[0] < 5) goto again;\n  goto done;\ndone: ;")
    assert (run(text).findings, run(text).outputs[0][0]) == ((), 5)


@pytest.mark.parametrize(
    ("body", "before", "words"),
    [
        pytest.param("try { throw 1; } catch (int) {}", "", "cannot use 'throw'", id="exceptions"),
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
@pytest.mark.parametrize("attack", texts.DECLARED, ids=name_of)
def test_a_function_declared_in_a_function_is_refused(attack: Attack) -> None:
    finding = is_stopped(attack)
    if isinstance(finding, ForbiddenCode):
        declaration = attack.text.split("\n")[2].replace("*", " ")
        assert (f" {finding.construct}(" in declaration, finding.reason) == (True, Refusal.NO_BODY)


@pytest.mark.parametrize("name", ["_DYNAMIC", "__bss_start", "_end", "_edata", "__ehdr_start", "__dso_handle"])
@pytest.mark.parametrize("use", ["__device__ int {};", 'extern "C" __device__ void {}() {{}}'], ids=("data", "code"))
def test_a_name_of_the_linkers_is_a_name_like_any_other(name: str, use: str) -> None:
    done = run(kernel("out[0] = 1;", use.format(name)))
    assert (done.findings, done.outputs[0][0]) == ((), 1)


# ---- accesses without a hook -------------------------------------------------------------------------------------


@pytest.mark.parametrize("conversion", ["%n", "%hhn", "%-5n", "%*n", "%.3n", *(
    pytest.param(c) for c in ("%1$n", "%'n", "%In", "%Ln", "%Zn"))])  # fmt: skip
def test_printf_writes_nothing(conversion: str) -> None:
    done = run(kernel(f'long n[2] = {{5, 5}}; printf("abc{conversion}", n, n, n); out[0] = n[0];'))
    assert done.outputs[0][0] == 5


def test_printf_still_prints() -> None:
    done = run(kernel('printf("%5.2f|%-4d|%s|%c|%lld|%08x|%%|%*d\\n", 1.5, 3, "abc", 65, 7ll, 255u, 4, 2);'))
    assert done.printed == " 1.50|3   |abc|A|7|000000ff|%|   2\n"


# ---- jumps to what is no function of the text -----------------------------------------------------------------------


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
    done = emulator.run(Kernel(source, "k").prepare(2**31 - 1, 1, [np.zeros(64, np.float32)]), cpu_seconds=1)
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


# ---- macros around the emulator's own texts --------------------------------------------------------------------


def test_no_macro_changes_a_header() -> None:
    """A comment with half an #include hid the next one, which was then read where it stands, after macros."""
    text = """
#define value v = *p, w; order = memory_order_seq_cst; v
// # /*
#include <cuda/atomic>
// */include <cmath>
#undef value
__global__ void k(int* data, int* flag, int* out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0) {
        data[0] = 42;
        f.store(1, cuda::memory_order_release);
    } else {
        while (f.load(cuda::memory_order_relaxed) == 0);
        out[0] = data[0];
    }
}
"""
    done = emulator.run(Kernel(text, "k").prepare(2, 1, [np.zeros(4, np.int32) for _ in range(3)]))
    assert [f.kind for f in done.findings] == [Kind.RACE]


@pytest.mark.parametrize("end", ["// \\", "// \\\n// \\", "\n#define warpSize w = 1; int environ; const int v"])
def test_nothing_behind_the_last_line_is_lost_or_changed(end: str) -> None:
    done = run(kernel("out[threadIdx.x] = warpSize;") + end)
    assert (done.findings, done.outputs[0][0]) == ((), 32)
