"""Is all of clang's LLVM IR read, and written back unchanged?"""

from __future__ import annotations

import inputs
import pytest

from autograder.cuda.compiler.front_end import ir_of
from autograder.cuda.compiler.ir import (
    AddressStep,
    Alloca,
    Atomic,
    Call,
    DebugRecord,
    Instruction,
    Load,
    Operand,
    Store,
    Terminator,
    array_of,
    field,
    location,
    node_elements,
    pointed_type,
    read_elements,
    read_instruction,
    read_module,
    string_constant,
    symbols,
)
from autograder.cuda.compiler.verifier import UnprovenError
from autograder.cuda.errors import GraderFault

pytestmark = inputs.emulation

MODULE = """; ModuleID = 'kernel.cu'
source_filename = "kernel.cu"
target triple = "x86_64-unknown-linux-gnu"

%struct.S = type { i32, [4 x float] }
%"struct.emu::Sequence" = type { i8 }

$_Z1fv = comdat any

@a = internal global [2 x [8 x float]] undef, section ".bss.emu_shared", align 4, !dbg !4
@b = external global [0 x float], align 4
@c = private unnamed_addr constant [6 x i8] c"a, \\22@x\\00", section "llvm.metadata"
@"odd, name" = constant { i32, ptr } { i32 1, ptr getelementptr inbounds (i8, ptr @a, i64 4) }, comdat($_Z1fv)
@d = internal alias i8, ptr @a
@e = ifunc void (i32), ptr @resolve

; Function Attrs: noinline sanitize_thread
define dso_local noundef i32 @_Z1fPf(ptr noundef %0, i32 noundef %1) unnamed_addr #0 comdat !dbg !5 !kcfi_type !6 {
  %3 = alloca ptr, align 8
    #dbg_declare(ptr %3, !7, !DIExpression(), !8)
  switch i32 %1, label %4 [
    i32 0, label %5
    i32 1, label %"the end"
  ], !dbg !8

4:                                                ; preds = %2
  br label %5, !dbg !8

5:                                                ; preds = %4, %2
  ret i32 %1, !dbg !8

"the end":                                        ; preds = %2
  unreachable
}

; Function Attrs: nounwind
declare void @g(ptr noundef) #1

attributes #0 = { noinline sanitize_thread "frame-pointer"="all" }
attributes #1 = { nounwind }

!llvm.dbg.cu = !{!0}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1)
!1 = !DIFile(filename: "kernel.cu", directory: "/tmp, file: !99")
!8 = !DILocation(line: 3, column: 7, scope: !5)
"""


def test_a_module_is_given_back_as_it_was() -> None:
    assert read_module(MODULE).text() == MODULE


def test_a_module_in_its_parts() -> None:
    module = read_module(MODULE)
    assert list(module.globals) == ["@a", "@b", "@c", '@"odd, name"', "@d", "@e"]
    a, b, c, odd, d, e = module.globals.values()
    assert (a.linkage, a.kind, a.type, a.value) == ("internal ", "global", "[2 x [8 x float]]", "undef")
    assert (a.section, a.debug, a.properties[1]) == (".bss.emu_shared", "!4", "align 4")
    assert (b.linkage, b.value, b.section) == ("external ", "", "")
    assert (c.kind, c.value, c.section) == ("constant", 'c"a, \\22@x\\00"', "llvm.metadata")
    assert (odd.type, odd.properties) == ("{ i32, ptr }", ["comdat($_Z1fv)"])
    assert (d.kind, d.type, d.value) == ("alias", "i8", "ptr @a")
    assert (e.kind, e.type, e.value) == ("ifunc", "void (i32)", "ptr @resolve")
    assert list(module.declarations) == ["@g"]
    assert module.metadata["!1"].startswith("!DIFile(")
    (function,) = module.functions.values()
    assert (function.name, function.groups, function.debug) == ("@_Z1fPf", ("#0",), "!5")
    assert module.has_attribute(function, "sanitize_thread") and not module.has_attribute(function, "nounwind")
    assert [block.label for block in function.blocks] == ["", "%4", "%5", '%"the end"']
    assert [i.opcode for i in function.instructions()] == "alloca #dbg_declare switch br ret unreachable".split()


def test_a_changed_variable_is_written_as_changed() -> None:
    module = read_module(MODULE)
    variable = module.globals["@a"]
    variable.section, variable.kind = ".other", "constant"
    line = '@a = internal constant [2 x [8 x float]] undef, section ".other", align 4, !dbg !4'
    assert line in module.text().split("\n")


def test_instructions_are_put_in_the_place_of_others() -> None:
    module = read_module(MODULE)
    function = module.functions["@_Z1fPf"]
    function.rewrite(lambda old: (old, read_instruction("  ret i32 0")) if old.opcode == "alloca" else (old,))
    module.declare({"@h": "declare void @h()"})
    added = MODULE.replace("align 8\n", "align 8\n  ret i32 0\n") + "\ndeclare void @h()\n"
    assert module.text() == added


PTR_1 = Operand("ptr", "%1")
#: An instruction, its class, and the fields read from it.
READ: list[tuple[str, type[Instruction], dict[str, object]]] = [
    ("  %1 = alloca i32, align 4", Alloca, {"result": "%1", "type": "i32", "count": None, "align": 4}),
    ("  %v = alloca [4 x %S], i64 %n, align 16", Alloca, {"type": "[4 x %S]", "count": Operand("i64", "%n")}),
    (
        "  %2 = load ptr, ptr %1, align 8, !dbg !5, !nosanitize !6",
        Load,
        {"type": "ptr", "pointer": PTR_1, "align": 8, "volatile": False, "ordering": "", "line": ", !dbg !5"},
    ),
    (
        '  %2 = load atomic volatile i32, ptr @x syncscope("agent") seq_cst, align 4',
        Load,
        {"volatile": True, "ordering": 'syncscope("agent") seq_cst'},
    ),
    (
        '  %2 = load <4 x float>, ptr getelementptr inbounds nuw (%"a(, b", ptr @x, i64 0, i32 1), align 16',
        Load,
        {
            "type": "<4 x float>",
            "pointer": Operand("ptr", 'getelementptr inbounds nuw (%"a(, b", ptr @x, i64 0, i32 1)'),
        },
    ),
    (
        "  %2 = load volatile i64, ptr addrspace(256) null, align 8",
        Load,
        {"pointer": Operand("ptr addrspace(256)", "null"), "names_address_space": True},
    ),
    (
        "  store float 0x7FF8000000000000, ptr %1, align 4, !annotation !9",
        Store,
        {"value": Operand("float", "0x7FF8000000000000"), "type": "float", "pointer": PTR_1, "line": ""},
    ),
    (
        '  store [6 x i8] c"], !a\\00", ptr %1, align 1, !dbg !5',
        Store,
        {"value": Operand("[6 x i8]", 'c"], !a\\00"'), "attachments": ", !dbg !5"},
    ),
    (
        "  store { i64, i32 } { i64 1, i32 -2 }, ptr inttoptr (i64 16 to ptr), align 8",
        Store,
        {"type": "{ i64, i32 }", "pointer": Operand("ptr", "inttoptr (i64 16 to ptr)"), "names_address_space": False},
    ),
    (
        "  %5 = getelementptr inbounds nuw [8 x [4 x i8]], ptr %1, i64 0, i64 %4, !dbg !5",
        AddressStep,
        {"type": "[8 x [4 x i8]]", "base": PTR_1, "indices": (Operand("i64", "0"), Operand("i64", "%4"))},
    ),
    ("  %5 = atomicrmw volatile add ptr %1, i32 1 seq_cst, align 4", Atomic, {"pointer": PTR_1}),
    ("  %5 = cmpxchg weak ptr %1, i32 %2, i32 %3 acq_rel monotonic, align 4", Atomic, {"pointer": PTR_1}),
    (
        "  %5 = tail call fastcc noundef zeroext i1 @f(ptr noundef align 4 dereferenceable(12) %1, i32 5) #7",
        Call,
        {
            "returns": "i1",
            "callee": "@f",
            "is_direct": True,
            "arguments": (Operand("ptr", "%1", "noundef align 4 dereferenceable(12)"), Operand("i32", "5")),
            "bundles": (),
        },
    ),
    (
        "  call void @f(ptr byval({ i8, i32 }) %1, metadata !5) nounwind",
        Call,
        {"arguments": (Operand("ptr", "%1", "byval({ i8, i32 })"), Operand("metadata", "!5"))},
    ),
    (
        '  %5 = call i32 (ptr, ...) %2(ptr %1, double 1.000000e+00) [ "kcfi"(i32 -5), "other"() ], !dbg !3',
        Call,
        {
            "returns": "i32",
            "function_type": "i32 (ptr, ...)",
            "callee": "%2",
            "is_direct": False,
            "arguments": (PTR_1, Operand("double", "1.000000e+00")),
            "bundles": ("kcfi", "other"),
            "before_callee": "  %5 = call i32 (ptr, ...) ",
        },
    ),
    (
        "  call void getelementptr inbounds (i8, ptr @f, i64 64)(ptr %1)",
        Call,
        {"callee": "getelementptr inbounds (i8, ptr @f, i64 64)", "is_direct": False, "after_callee": "(ptr %1)"},
    ),
    ("  call void null()", Call, {"callee": "null", "arguments": ()}),
    ('  %5 = call ptr asm sideeffect "", "=r,0"(ptr %1)', Call, {"callee": 'asm sideeffect "", "=r,0"'}),
    ("  br i1 %5, label %a.b, label %7, !dbg !5, !llvm.loop !6", Terminator, {"labels": ("%a.b", "%7")}),
    ("  indirectbr ptr %5, [label %1, label %2]", Terminator, {"labels": ("%1", "%2")}),
    ("  ret { <2 x float>, <2 x float> } %5", Terminator, {"labels": ()}),
    ("  unreachable, !nosanitize !5", Terminator, {"opcode": "unreachable", "attachments": ", !nosanitize !5"}),
    (
        "    #dbg_declare(ptr %1, !125, !DIExpression(DW_OP_deref), !126)",
        DebugRecord,
        {"pointer": PTR_1, "variable": "!125", "location": "!126"},
    ),
    ("    #dbg_value(i32 5, !125, !DIExpression(), !126)", Instruction, {"opcode": "#dbg_value"}),
    ("  %5 = phi float [ %6, %4 ], [ 0.000000e+00, %7 ], !dbg !9", Instruction, {"opcode": "phi", "result": "%5"}),
]


@pytest.mark.parametrize(("text", "kind", "expected"), READ, ids=[text for text, _, _ in READ])
def test_an_instruction_is_read(text: str, kind: type[Instruction], expected: dict[str, object]) -> None:
    instruction = read_instruction(text)
    assert type(instruction) is kind and instruction.text == text
    assert {name: getattr(instruction, name) for name in expected} == expected


def test_how_an_argument_is_aligned() -> None:
    call = read_instruction("  call void @f(ptr noundef align 16 dereferenceable(4) %1, ptr %2)")
    assert isinstance(call, Call)
    assert [argument.align for argument in call.arguments] == [16, 1]


def test_an_attachment_by_its_kind() -> None:
    access = read_instruction("  store i32 0, ptr %1, align 4, !dbg !5, !annotation !9")
    assert [access.attachment(kind) for kind in ("dbg", "annotation", "anno")] == ["!5", "!9", ""]


@pytest.mark.parametrize(
    "text",
    [
        "  invoke void @f() to label %1 unwind label %2",
        "  frobnicate i32 %1",
        "  %5 = load i32, ptr %1",
        "  %5 = load i32, ptr %1, align 4, surprise",
        "  %5 = load i32, %1, align 4",
        "  store i32 %5 ptr %1, align 4",
        "  store i32 %5, ptr what(i32 1), align 4",
        "  call void @f(i32 %1",
        "  call void @f(i32 %1) surprise!",
        "  call void f(i32 %1)",
        "  %5 = alloca i32, align 4 surprise",
        "  %5 = getelementptr i32, ptr %1, i64",
        "    #dbg_declare(ptr %7, !125)",
        "ret void",
    ],
)
def test_what_is_not_known_is_a_fault_in_one_sentence(text: str) -> None:
    with pytest.raises(GraderFault, match=r"^The emulator's compiler wrote LLVM IR that is not read here: .*$"):
        read_instruction(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("$_Z1fv = comdat any", "surprise"),
        ('section ".bss.emu_shared"', "surprise"),
        ("  unreachable\n}\n", "  unreachable\n"),
        ("  unreachable\n", "  unreachable\n\n"),
        ("4:   ", "4    "),
        ("  ], !dbg !8", ""),
        ("attributes #0 = {", "attributes 0 = {"),
    ],
)
def test_a_line_that_is_not_known_is_a_fault(old: str, new: str) -> None:
    assert old in MODULE
    with pytest.raises(GraderFault, match="not read here"):
        read_module(MODULE.replace(old, new))


def test_types_and_constants() -> None:
    assert array_of("[4 x [2 x %struct.S]]") == ((4, 2), "%struct.S")
    assert array_of("{ [4 x i8] }") == ((), "{ [4 x i8] }")
    assert pointed_type("getelementptr inbounds nuw ([4 x i8], ptr @x, i64 0)") == "[4 x i8]"
    assert pointed_type("@x") == ""
    assert read_elements("[{ i32 } { i32 1 }, { i32 } zeroinitializer]") == (
        Operand("{ i32 }", "{ i32 1 }"),
        Operand("{ i32 }", "zeroinitializer"),
    )
    assert read_elements('{ [2 x i8] c"a\\00", ptr null }')[1] == Operand("ptr", "null")
    assert string_constant('a"\\') == ("[4 x i8]", 'c"a\\22\\5C\\00"')
    assert symbols('  call void @f(ptr @"g, h", [3 x i8] c"@i\\00", %"@j" %1)') == ["@f", '@"g, h"']


def test_metadata() -> None:
    note = '!DIFile(filename: "a, directory: !5", directory: "/b", line: 7)'
    assert [field(note, name) for name in ("filename", "directory", "line", "name")] == [
        "a, directory: !5",
        "/b",
        "7",
        "",
    ]
    assert node_elements('!{!5, !"int, {x}", i64 0}') == ["!5", '!"int, {x}"', "i64 0"]
    metadata = {"!1": "distinct !DILocation(line: 3, column: 7, scope: !5)", "!2": "!DILocation(line: 0, scope: !5)"}
    assert location(metadata, "!1") == (3, 7)
    assert location(metadata, "!2") == (0, 0)
    assert location(metadata, "!3") is None
    assert location({"!3": "!{}"}, "!3") is None


def test_what_is_not_known_in_a_text_is_refused_in_its_line() -> None:
    text = "define void @f() {\n  %1 = strange i32 1, !dbg !5\n  ret void\n}\n!5 = !DILocation(line: 7, column: 1)\n"
    with pytest.raises(UnprovenError, match="strange i32 1") as refused:
        ir_of(text)
    assert refused.value.line == 7
