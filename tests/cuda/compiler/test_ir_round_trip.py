"""Is the IR of every kernel that we have written back byte for byte?"""

from __future__ import annotations

import json
from pathlib import Path

import inputs
import pytest

from autograder.cuda.compiler import front_end, machine_code
from autograder.cuda.compiler.clang import clang
from autograder.cuda.compiler.device_ir import as_x86
from autograder.cuda.compiler.emulator_runtime import build_runtime
from autograder.cuda.compiler.ir import read_module
from autograder.cuda.compiler.kernel_flags import kernel_flags, typing_flags

pytestmark = inputs.emulation_of_kernels

ROOT = Path(__file__).parents[3]


def texts_of(folder: str) -> list[str]:
    """The kernels of a folder: its .cu files except mutants, and the answers in its notebooks."""
    cells = (
        "".join(cell["source"])
        for path in sorted((ROOT / folder).rglob("*.ipynb"))
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
    )
    answers = [cell.partition("\n")[2] for cell in cells if cell.startswith("%%cuda")]
    files = sorted(path for path in (ROOT / folder).rglob("*.cu") if "mutants" not in path.parts)
    return answers + [path.read_text(encoding="utf-8") for path in files]


def clangs(source: str, flags: list[str], folder: Path) -> str | None:
    """clang's IR of a text; None if clang rejects it."""
    (folder / "kernel.cu").write_text(source, encoding="utf-8")
    if clang([*flags, *front_end.TO_IR, "kernel.ll", "kernel.cu"], folder) is not None:
        return None
    ir = as_x86((folder / "kernel.ll").read_text(encoding="utf-8"))
    (folder / "kernel.ll").write_text(ir, encoding="utf-8")
    return ir


@pytest.mark.parametrize(
    ("folder", "at_least"),
    [
        pytest.param("tests/cuda/kernels", 250, marks=pytest.mark.rare),
        pytest.param("book/kernels", 150, marks=pytest.mark.rare),
        ("solutions", 40),
    ],
)
def test_every_kernel_is_given_back_as_it_was(folder: str, at_least: int, tmp_path: Path) -> None:
    runtime, read = build_runtime(), 0
    for source in texts_of(folder):
        ir = clangs(source, kernel_flags(runtime, source), tmp_path)
        if ir is not None:
            assert read_module(ir).text() == ir, source
            read += 1
    assert read >= at_least


FEATURES = r"""
struct alignas(32) Large { double d[8]; int n : 24; unsigned m : 3; bool b; };
struct Base { __device__ virtual int f(int x) { return x; } __device__ virtual ~Base() {} int a; };
struct Derived : Base { __device__ int f(int x) override { return x + a; } };
typedef float Vector __attribute__((vector_size(16)));
__device__ int own = 4;
__device__ int sum(int n, ...) {
    __builtin_va_list l; __builtin_va_start(l, n); int s = 0; while (n--) s += __builtin_va_arg(l, int); return s;
}
__device__ Large make(Large b, Vector v) { b.n += 5; b.d[3] = v[2]; return b; }
__device__ int (*table[2])(int);
__device__ long atomics(long* p, void** r) {
    __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST); __atomic_store_n(p, 4, __ATOMIC_RELEASE); long e = 3;
    __atomic_compare_exchange_n(p, &e, 5, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED); __sync_synchronize();
    __atomic_exchange_n(r, (void*)0, __ATOMIC_ACQUIRE);
    return __atomic_load_n(p, __ATOMIC_ACQUIRE) + __scoped_atomic_load_n(p, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}
__global__ void k(float* a, Large* b, Base* v, int n) {
    static const float numbers[] = {1.5f, -2e-30f, 1e38f, __builtin_inff(), __builtin_nanf("")};
    const char* text = "a\n, !dbg !5\"@k";
    switch (n) { case 1: a[0] = numbers[n]; break; case 5: a[1] = text[n]; break; default: if (n > 9) goto out; }
    b[0] = make(b[n], Vector{1, 2, 3, 4});
    a[2] = v->f(3) + [&](int x) { return x + n; }(4) + sum(3, 1, 2, 3) + own + table[n & 1](n);
    a[3] = (float)((__int128)n * n) + atomics((long*)a, (void**)b) + (n ? __popc(n) : -a[0]);
    *(volatile float*)a = 1; __builtin_memcpy(a, b, n);
out:
    if (n == 99) __builtin_trap();
}
"""


def test_the_less_usual_of_the_language_is_given_back_too(tmp_path: Path) -> None:
    ir = clangs(FEATURES, kernel_flags(build_runtime(), FEATURES), tmp_path)
    assert ir is not None and read_module(ir).text() == ir
    opcodes = {i.opcode for function in read_module(ir).functions.values() for i in function.instructions()}
    assert opcodes >= {"switch", "atomicrmw", "cmpxchg", "fence", "phi", "extractelement"}


LOOP = """__global__ void k(float4* a, const float* b, int n) {
    float own[4] = {};
    for (int i = 0; i < n; i++) { if (b[i] < 0) continue; own[i & 3] += b[i]; a[i] = a[i + 1]; }
    a[threadIdx.x].x = own[n & 3];
}"""


def test_what_other_steps_make_is_given_back_too(tmp_path: Path) -> None:
    """The IR that names types, and the IR after ThreadSanitizer's pass."""
    typed = clangs(LOOP, typing_flags(build_runtime(), LOOP), tmp_path)
    assert typed is not None and "!tbaa" in typed and read_module(typed).text() == typed
    assert clangs(LOOP, kernel_flags(build_runtime(), LOOP), tmp_path) is not None
    steps = [*machine_code.INSTRUMENT, "-emit-llvm", "kernel.ll", "-o", "instrumented.ll"]
    assert clang(steps, tmp_path) is None
    reported = (tmp_path / "instrumented.ll").read_text(encoding="utf-8")
    assert "@__tsan_write16" in reported and read_module(reported).text() == reported
