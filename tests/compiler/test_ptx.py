"""Inline PTX as the compiler gets it: what it may name, and the lines around it."""

from __future__ import annotations

import re

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.compiler.forbidden import _KEYWORDS, find_forbidden
from autograder.compiler.front_end import emulated
from autograder.compiler.ptx import read_asm
from autograder.compiler.toolchain import find_compile_errors, find_warnings
from autograder.core.findings import CompileError

#: One of each kind of instruction.
STATEMENTS = (
    'asm("mov.u32 %0, %%tid.x; mov.u32 %0, %lanemask_lt; mov.u32 %0, %clock;" : "=r"(A))',
    'asm volatile("bar.sync 0; bar.warp.sync -1; membar.gl; trap;" ::: "memory")',
    'asm("ex2.approx.f32 %0, %1; fma.rn.f32 %0, %1, %1, %1; add.f32 %0, %1, %1;" : "=f"(A) : "f"(A))',
    'asm("min.s32 %0, %1, 0; mad.lo.u32 %0, %1, 1, %1; lop3.b32 %0, %1, %1, %1, 0xe8;" : "+r"(A) : "r"(A))',
    'asm("bfind.u32 %0, %1; shfl.sync.up.b32 %0, %1, 1, 0, -1; vabsdiff4.u32.u32.u32.add %0, %1, 1, 2;" '
    ': "=r"(A) : "r"(A))',
    'asm("ld.global.u8 %0, [%1]; st.volatile.global.b32 [%1], %0; ld.acquire.gpu.u32 %0, [%1];" : "+r"(A) : "l"(A))',
    'asm("ld.global.v2.f32 {%0, %0}, [%1]; st.v2.f32 [%1], {%0, %0};" : "=f"(A) : "l"(A))',
    'asm("cp.async.ca.shared.global [%0], [%1], %2; cp.async.wait_all;" :: "r"(A), "l"(A), "n"(16))',
    'asm("ex2.approx.f16x2 %0, %1; ex2.approx.f16x2 %0, %1;" : "=r"(A) : "r"(A))',
    'asm("{ .reg .pred p; setp.lt.s32 p, %1, 5; @p xor.b32 %0, %1, 1; }" : "=r"(A) : "r"(A))',
    'asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%0,%0,%0}, {%1,%1}, {%1}, {%0,%0,%0,%0};" '
    ': "+f"(A) : "r"(A))',
)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_it_becomes_nothing_that_a_text_could_name(statement: str) -> None:
    found = read_asm(statement, 0)
    assert found is not None and found.end == len(statement)
    words = set(re.findall(r"(?<!\w)[^\W\d]\w*", found.expression))
    assert {word for word in words - _KEYWORDS - {"A"} if not word.startswith(("emu_", "EMU_"))} == set()
    assert "\n" not in found.expression


@pytest.mark.parametrize("number", ["1", "11", "111", "1" * 5000])
def test_an_operand_that_is_not_there_is_refused(number: str) -> None:
    found = find_forbidden(f'__global__ void k(int a) {{ asm("bar.warp.sync %{number};" :: "r"(a)); }}')
    assert found is not None and found.construct == "asm"


SPLICED = """#define SUM(to, a)            \\
    asm volatile("add.s32 %0, " \\
                 "%1, 1;"       \\
                 : "=r"(to)     \\
                 : "r"(a))
__global__ void k(int* out, int a) { SUM(out[0], a); }
"""
MANY_LINES = """__global__ void k(int* p, unsigned* q) {
    unsigned x = 1;
    asm("mad.lo.u32 %0, %1, %1, %1;" : "=r"(q[0]) : "r"(x +


        0));
    LAST }
"""


@pytest.mark.parametrize("text", [SPLICED, SPLICED.replace("\n", "\r\n"), MANY_LINES])
def test_all_lines_stay(text: str) -> None:
    out = emulated(text)
    assert "asm" not in out
    assert out.count("\n") == text.count("\n")
    assert out.splitlines()[-1] == text.splitlines()[-1]


@inputs.emulation
def test_a_macro_of_several_lines_is_read() -> None:
    run = Kernel(SPLICED, "k").emulate(1, 1, [np.zeros(1, np.int32), 4])
    assert not run.findings and run.outputs[0][0] == 5


@inputs.emulation
def test_what_is_said_of_a_line_behind_it_names_that_line() -> None:
    (error,) = find_compile_errors(MANY_LINES.replace("LAST", "p[0] = nowhere;"))
    assert isinstance(error, CompileError) and [m.line for m in error.messages] == [7]
    (warning,) = find_warnings(MANY_LINES.replace("LAST", "if (p[0] = 3) p[1] = 1;"))
    assert warning.line == 7


@inputs.emulation
@pytest.mark.parametrize("between", ["", " ", "\\\n"])
def test_it_is_no_name_for_a_function(between: str) -> None:
    text = f'__device__ int f() asm{between}("trap;");\n__global__ void k(int* out) {{ out[0] = f(); }}'
    run = Kernel(text, "k").emulate(1, 1, [np.zeros(1, np.int32)])
    (error,) = run.findings
    assert isinstance(error, CompileError)
    assert "asm" not in emulated(text)
