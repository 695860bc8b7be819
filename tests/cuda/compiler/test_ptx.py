"""Inline PTX: which lines it has, what it may name, and what is refused of it."""

from __future__ import annotations

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.compiler.asm_statements import AsmError, Statement
from autograder.cuda.compiler.ptx import functions_for
from autograder.cuda.compiler.toolchain import find_compile_errors, find_warnings
from autograder.cuda.core.findings import CompileError, ForbiddenCode
from autograder.cuda.report.compile_errors import in_words


def statement(text: str, constraints: str, types: str, returns: str) -> Statement:
    return Statement(text, constraints, tuple(t.replace("=", " ") for t in types.split()), returns, 7)


def test_no_macro_of_the_text_changes_a_statement() -> None:
    macros = "".join(f"#define {word} 1 +\n" for word in ("struct", "extern", "const", "constexpr", "used", "emu_out"))
    text = f'{macros}__global__ void k(int* out) {{ asm("add.s32 %0, %1, 1;" : "=r"(out[0]) : "r"(6)); }}'
    run = Kernel(text, "k").emulate(1, 1, [np.zeros(1, np.int32)])
    assert (run.findings, run.outputs[0][0]) == ((), 7)


@pytest.mark.parametrize("number", ["1", "11", "111", "1" * 5000])
def test_an_operand_that_is_not_there_is_refused(number: str) -> None:
    with pytest.raises(AsmError) as found:
        functions_for([statement(f"bar.warp.sync ${number};", "r", "i32", "void")])
    assert found.value.line == 7


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


def refused(statement: str) -> tuple[str, int]:
    """What is refused of a kernel with this statement in its third line, and the line."""
    text = f"#define A asm\n__global__ void k(int* out, float x) {{\n{statement}\n}}"
    (found,) = find_compile_errors(text)
    if isinstance(found, CompileError):
        return in_words(found.messages)[0].text, found.messages[0].line
    assert isinstance(found, ForbiddenCode)
    return found.construct, found.line


@inputs.emulation
@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ('asm("mov.u32 %0, %%nsmid;" : "=r"(out[0]));', "mov.u32 %0, %nsmid"),
        ('asm("add.u32 %0, 1, 1; frob.u32 %0, 2;" : "=r"(out[0]));', "frob.u32 %0, 2"),
        ('asm("mov.u32 %0, %%tid.x;" :: "r"(out[0]));', "mov.u32 %0, %tid.x"),
        ('asm("add.s32 %0, %0, 1;" : "=m"(out[0]));', "asm"),
        ('asm("bar.sync 0;" ::: "r7");', "asm"),
        ('asm("" :: "q"(__int128(1)));', "q"),
        ('asm("" :: "r"(1.5f));', "must fit its constraint"),
        ('asm("" :: "f"(out));', "must fit its constraint"),
        ('asm("" :: "r"(x > 1));', "must fit its constraint"),
        ('asm goto("bar.sync 0;" :::: there); there: ;', ""),
        ('asm(".incbin \\"/etc/passwd\\"");', ".incbin"),
        ('asm("mov.u32 %0, %%laneid; .incbin" : "=r"(out[0]));', ".incbin"),
        ('asm("ld.local.s32 %0, [%1];" : "=r"(out[0]) : "l"(out));', "ld.local.s32"),
        (
            'asm("{ .reg .pred p; setp.ne.b32 p, %1, 0; @q mov.u32 %0, 1; }" : "=r"(out[0]) : "r"(1));',
            "@q mov.u32 %0, 1",
        ),
        ('asm("{ .reg .b32 t; } mov.u32 %0, t;" : "=r"(out[0]));', "mov.u32 %0, t"),
        ('asm("{ .reg .b32 t, t; }");', ".reg .b32 t, t"),
        ('asm("{ .reg .b32 t<100>; }");', ".reg .b32 t<100>"),
        ('asm("{ .reg .b128 t; }");', ".reg .b128 t"),
        ('asm("{ mov.u32 %0, 1;" : "=r"(out[0]));', "{"),
        ('asm("mov.u32 %0, 1; }" : "=r"(out[0]));', "}"),
        ('asm("mov.u32 %0, 1" : "=r"(out[0]));', "mov.u32 %0, 1 (no semicolon)"),
        ('asm("mov.u32 %0, %%1;" : "=r"(out[0]) : "r"(1));', "%1"),
        ('asm("there: add.u32 %0, 1, 1; bra here;" : "=r"(out[0]));', "bra here"),
        ('asm("{ .reg .pred p; setp.ne.b32 p, 1, 0; @p bra there; }");', "bra there"),
        ('asm("mov.u32 %0, %%nwarpid;" : "=r"(out[0]));', "%nwarpid"),
        ('asm("addc.u32 %0, 1, 2; add.cc.u32 %0, 1, 2;" : "=r"(out[0]));', "addc.u32 %0, 1, 2"),
        ('asm("barrier.cta.red.popc.aligned.u32 %0, 1, 64, p;" : "=r"(out[0]));', "barrier.cta.red"),
        ('asm("mbarrier.arrive.noComplete.b64 %0, [%1], 1;" :: "l"(out), "l"(out));', "mbarrier.arrive.noComplete"),
        (
            'asm("cp.async.bulk.shared::cluster.global.bulk_group [%0], [%1], 16;" :: "r"(1), "l"(out));',
            "cp.async.bulk",
        ),
        (
            'asm("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {0}], [%1];" :: "l"(out), "r"(1));',
            "cp.async.bulk.tensor.2d",
        ),
        ('asm("fence.proxy.alias;");', "fence.proxy.alias"),
        ('asm("atom.cas.b128 %0, [%1], 1, 2;" : "=r"(out[0]) : "l"(out));', "atom.cas.b128"),
        ('asm("red.global.add.v2.f32 [%0], {%1};" :: "l"(out), "f"(x));', "red.global.add.v2.f32"),
        ('asm("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%0};" :: "r"(1));', "stmatrix"),
        ('asm("atom.add.u32 %0, [%1], 1;" :: "r"(1), "l"(out));', "atom.add.u32"),
        ('asm("setp.ne.and.u32 %0, 1, 2, 3;" :: "r"(1));', "setp.ne.and"),
        ('asm("ld.v4.f64 {%0, %0, %0, %0}, [%1];" : "=d"(*(double*)out) : "l"(out));', "ld.v4.f64"),
        ('asm("mov.u32 %0, 08;" : "=r"(out[0]));', "mov.u32 %0, 08"),
        ('asm("mov.u32 %0, 1+1;" : "=r"(out[0]));', "mov.u32 %0, 1+1"),
        ('asm("{ .reg .pred p; setp.ne.b32 p, %1, 0; @p nop; }" : "=r"(out[0]) : "r"(1));', "nop"),
        ('asm("setp.ne.b32 p, %0, 0;" :: "r"(1));', "setp.ne.b32"),
        (
            'asm("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [%0], [%1], 16;" :: "l"(out), "r"(1));',
            "cp.reduce",
        ),
        ('asm("ld.release.gpu.u32 %0, [%1];" : "=r"(out[0]) : "l"(out));', "ld.release.gpu.u32"),
        ('asm("ld.v4.u32 {%0, %1}, [%2];" : "=r"(out[0]), "=r"(out[1]) : "l"(out));', "ld.v4.u32"),
        ('A("nop");', "nop"),
    ],
)
def test_what_is_not_known_is_refused_where_it_stands(statement: str, what: str) -> None:
    construct, line = refused(statement)
    assert what in construct and line == 3


MISFITS = {
    "mov.u32 %0, %3;": "must be as wide as its registers",
    "add.u32 %0, %2, 1;": "for integers must not get a register for floating-point numbers",
    "add.f32 %0, %2, 1;": "for floating-point numbers has a point",
    "add.u32 %0, %1, 1.0;": "for integers has no point",
    "{ .reg .pred p; mov.u32 %0, p; }": "takes a .pred where it names one",
    "@%1 mov.u32 %0, 1;": "takes a .pred where it names one",
    "ld.global.u32 %0, [%1];": "an address of global memory in PTX must have 64 bits",
    "ld.shared.u32 %0, [%1+%1];": "what is added to an address in PTX must be a number",
}


@inputs.emulation
def test_an_instruction_and_its_registers_must_fit() -> None:
    """As `ptxas` wants it."""
    lines = (f'asm("{text}" : "=r"(out[0]) : "r"(1), "f"(x), "l"(out));' for text in MISFITS)
    text = "#define A asm\n__global__ void k(int* out, float x) {\n" + "\n".join(lines) + "\n}"
    (error,) = find_compile_errors(text)
    assert isinstance(error, CompileError)
    words = {message.line - 3: message.text for message in in_words(error.messages)}
    for i, want in enumerate([*MISFITS.values()][: len(words)]):
        assert want in words[i]
    assert len(words) == 5  # of which clang stops


@inputs.emulation
@pytest.mark.parametrize("between", ["", " ", "\\\n"])
def test_it_is_no_name_for_a_function(between: str) -> None:
    text = f'__device__ int f() asm{between}("trap");\n__global__ void k(int* out) {{ out[0] = f(); }}'
    run = Kernel(text, "k").emulate(1, 1, [np.zeros(1, np.int32)])
    (error,) = run.findings
    assert isinstance(error, ForbiddenCode)


@inputs.emulation
def test_outside_of_functions_there_is_none() -> None:
    assert find_compile_errors('asm("trap;");\n__global__ void k(int* out) { out[0] = 1; }') != []


@inputs.emulation
def test_one_sign_in_front_of_a_special_register_is_enough() -> None:
    text = 'asm("mov.u32 %0, %tid.x; add.u32 %0, %0, %1;" : "=r"(out[0]) : "r"(7));'
    run = Kernel(f"__global__ void k(int* out) {{ {text} }}", "k").emulate(1, 1, [np.zeros(1, np.int32)])
    assert not run.findings and run.outputs[0][0] == 7
