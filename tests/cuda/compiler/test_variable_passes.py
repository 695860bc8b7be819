"""The results of the passes on variables and copies for a few lines of IR."""

from __future__ import annotations

import textwrap

import inputs
import pytest
from ir_texts import body_after, module_of

from autograder.cuda.compiler.ir import read_module
from autograder.cuda.compiler.passes.array_sections import separate_arrays
from autograder.cuda.compiler.passes.casts import align_casts
from autograder.cuda.compiler.passes.copies import copied_alignments, has_untyped_copies, mark_copies
from autograder.cuda.compiler.passes.local_arrays import LocalArrayTooLargeError, watch_local_arrays
from autograder.cuda.compiler.passes.marks import read_marks, remove_marks

pytestmark = inputs.emulation


def lines(text: str) -> str:
    return textwrap.dedent(text).strip("\n")


# ---- marks --------------------------------------------------------------------------------------------

MARKED = """
@n = constant [2 x i32] zeroinitializer
@p = constant i32 0
@host = constant [2 x i32] zeroinitializer
@_ZZ1kvE5table = internal constant [2 x i32] zeroinitializer
@.str = private constant [15 x i8] c"emu __device__\\00", section "llvm.metadata"
@.str.1 = private constant [10 x i8] c"kernel.cu\\00", section "llvm.metadata"
@.str.2 = private constant [15 x i8] c"emu __global__\\00", section "llvm.metadata"
@.str.3 = private constant [3 x i8] c"hi\\00"
@llvm.global.annotations = appending global [4 x { ptr, ptr, ptr, i32, ptr }] [\
{ ptr, ptr, ptr, i32, ptr } { ptr @n, ptr @.str, ptr @.str.1, i32 1, ptr null }, \
{ ptr, ptr, ptr, i32, ptr } { ptr @p, ptr @.str, ptr @.str.1, i32 1, ptr null }, \
{ ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @.str.2, ptr @.str.1, i32 6, ptr null }, \
{ ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @.str.1, ptr @.str.1, i32 6, ptr null }], section "llvm.metadata"
"""


def test_marks_are_read_and_removed() -> None:
    module = module_of("  ret void", MARKED)
    assert read_marks(module) == {"@n": "__device__", "@p": "__device__", "@k": "__global__"}
    remove_marks(module)
    assert {name: variable.kind for name, variable in module.globals.items()} == {
        "@n": "global",  # reads of a device array are told of
        "@p": "constant",
        "@host": "constant",
        "@_ZZ1kvE5table": "global",
        "@.str.3": "constant",  # a string of the text's own
    }


def test_a_module_without_marks_is_left_as_it_is() -> None:
    module = module_of("  ret void", "@a = constant [2 x i32] zeroinitializer")
    before = module.text()
    remove_marks(module)
    assert read_marks(module) == {} and module.text() == before


# ---- sections -----------------------------------------------------------------------------------------


def test_each_array_gets_a_section_of_its_own() -> None:
    module = module_of(
        "  ret void",
        """
        @a = internal global [4 x float] undef, section ".bss.emu_shared", align 4, !dbg !7
        @b = internal constant [4 x float] zeroinitializer, section ".emu_constant12", align 4
        @c = internal constant [4 x float] undef, section ".bss.emu_shared", align 4
        @d = global [4 x float] zeroinitializer, section ".bss.emu_dynamic", align 4
        """,
    )
    separate_arrays(module)
    assert module.text().startswith(
        lines(
            """
            @a = internal global [4 x float] undef, section ".bss.emu_shared.0", align 4, !dbg !7
            @b = internal global [4 x float] zeroinitializer, section ".emu_constant.1", align 4
            @c = internal global [4 x float] undef, section ".bss.emu_shared.2", align 4
            @d = global [4 x float] zeroinitializer, section ".bss.emu_dynamic", align 4
            """
        )
    )


# ---- local arrays -------------------------------------------------------------------------------------

LOCAL = """
  %2 = alloca [2 x [4 x float]], align 16
  %own.1 = alloca [8 x ptr], align 8
  %4 = alloca [4 x %S], align 4
  %5 = alloca i32, align 4
    #dbg_declare(ptr %2, !2, !DIExpression(), !5)
  call void @llvm.memset.p0.i64(ptr align 16 %2, i8 0, i64 32, i1 false), !annotation !9
  store i32 0, ptr %5, align 4
  ret void, !dbg !5
"""
NAMED = '!2 = !DILocalVariable(name: "tile", scope: !1, type: !3)\n!9 = !{!"auto-init"}'


def test_a_named_local_array_gets_margins_and_calls() -> None:
    module = module_of(LOCAL, after=NAMED)
    assert body_after(watch_local_arrays, module) == lines(
        """
        %emu.whole.2 = alloca [160 x i8], align 16
        %2 = getelementptr i8, ptr %emu.whole.2, i64 64
        %own.1 = alloca [8 x ptr], align 8
        %4 = alloca [4 x %S], align 4
        %5 = alloca i32, align 4
          #dbg_declare(ptr %2, !2, !DIExpression(), !5)
        call void @llvm.memset.p0.i64(ptr align 16 %2, i8 0, i64 32, i1 false), !annotation !9
        call void @emu_local_begin(ptr %2, i64 32, ptr @emu.local.0), !dbg !5
        store i32 0, ptr %5, align 4
        call void @emu_local_end(ptr %2, i64 32), !dbg !5
        ret void, !dbg !5
        """
    )
    text = module.text()
    assert '@emu.local.0 = private constant [11 x i8] c"tile:2,4:4\\00"\n\ndeclare' in text
    assert text.endswith("\ndeclare void @emu_local_begin(ptr, i64, ptr)\ndeclare void @emu_local_end(ptr, i64)\n")


def test_arrays_of_a_function_that_is_not_watched_stay_as_they_are() -> None:
    module = read_module(module_of(LOCAL, after=NAMED).text().replace(" #0 !dbg", " #1 !dbg"))
    before = module.text()
    watch_local_arrays(module)
    assert module.text() == before


def test_a_local_array_that_no_gpu_has_room_for() -> None:
    at_most = module_of(LOCAL.replace("[8 x ptr]", "[1 x ptr]").replace("[4 x float]", "[65536 x float]"), after=NAMED)
    watch_local_arrays(at_most)
    module = module_of(LOCAL.replace("[4 x float]", "[65537 x float]"), after=NAMED)
    with pytest.raises(LocalArrayTooLargeError) as caught:
        watch_local_arrays(module)
    assert (caught.value.name, caught.value.bytes) == ("tile", 524296)


# ---- casts --------------------------------------------------------------------------------------------


def test_a_number_in_an_array_of_smaller_ones_is_aligned_as_its_own_type_is() -> None:
    module = module_of(
        """
          %2 = getelementptr inbounds float, ptr %0, i64 %1
          %3 = getelementptr inbounds %S, ptr %0, i64 0, i32 1
          %4 = load double, ptr %2, align 4, !dbg !5
          store i64 0, ptr getelementptr inbounds ([4 x i8], ptr @a, i64 1), align 1
          %5 = load double, ptr %3, align 4
          %6 = load float, ptr %2, align 16
          %7 = load double, ptr %0, align 4
          ret void
        """
    )
    before = module.text()
    after = body_after(align_casts, module)
    assert "%4 = load double, ptr %2, align 8, !dbg !5" in after
    assert "store i64 0, ptr getelementptr inbounds ([4 x i8], ptr @a, i64 1), align 8" in after
    assert len(set(before.split("\n")) - set(module.text().split("\n"))) == 2


# ---- copies -------------------------------------------------------------------------------------------


def copy_of(bytes_: int, to_align: int, from_align: int, to: str = "%0", from_: str = "%1") -> str:
    to, from_ = f"ptr align {to_align} {to}", f"ptr align {from_align} {from_}"
    return f"call void @llvm.memcpy.p0.p0.i64({to}, {from_}, i64 {bytes_}, i1 false), !dbg !5"


def test_a_copy_that_is_one_access_becomes_a_load_and_a_store() -> None:
    module = module_of(f"  {copy_of(16, 4, 16)}\n  ret void")
    assert not has_untyped_copies(module)
    assert body_after(lambda m: mark_copies(m, {}), module) == lines(
        """
        %emu.copy.1 = load i128, ptr %1, align 16, !dbg !5
        store i128 %emu.copy.1, ptr %0, align 16, !dbg !5
        ret void
        """
    )
    assert "emu_check_copy" not in module.text()


@pytest.mark.parametrize(("bytes_", "to_align", "from_align"), [(16, 4, 8), (12, 4, 4), (32, 32, 16)])
def test_before_another_copy_stands_a_check(bytes_: int, to_align: int, from_align: int) -> None:
    copy = copy_of(bytes_, to_align, from_align, from_="getelementptr (i8, ptr @a, i64 4)")
    module = module_of(f"  {copy}\n  ret void")
    from_ = "getelementptr (i8, ptr @a, i64 4)"
    aligned = f"ptr %0, i64 {to_align}, ptr {from_}, i64 {from_align}, i64 {bytes_}"
    check = f"call void @emu_check_copy({aligned}, i32 0), !dbg !5"
    assert body_after(lambda m: mark_copies(m, {}), module) == f"{check}\n{copy}\nret void"
    assert module.text().endswith("\ndeclare void @emu_check_copy(ptr, i64, ptr, i64, i64, i32)\n")


def test_a_copy_between_cast_arrays_is_checked_for_the_alignment_that_its_type_has() -> None:
    step = "%2 = getelementptr inbounds [64 x float], ptr @tile, i64 0, i64 %1"
    text = f"  {step}\n  {copy_of(32, 4, 4, to='%2')}\n  ret void"
    assert has_untyped_copies(module_of(text))
    unknown = module_of(text)
    before = unknown.text()
    mark_copies(unknown, {("@k", 6, 9): [16]})
    assert unknown.text() == before
    known = body_after(lambda m: mark_copies(m, {("@k", 5, 9): [16]}), module_of(text))
    assert "call void @emu_check_copy(ptr %2, i64 16, ptr %1, i64 16, i64 32, i32 0), !dbg !5" in known


def test_how_a_copied_type_is_aligned_is_read_from_the_ir_that_names_it() -> None:
    typed = module_of(
        f"  {copy_of(32, 4, 4)}, !tbaa !6\n  ret void",
        after="""
        !6 = !{!7, !7, i64 0, i64 32}
        !7 = !{!8, i64 32, !"_ZTS1S", !9, i64 0, i64 4}
        !8 = !{!9, i64 1, !"omnipotent char"}
        !9 = !{!"Simple C++ TBAA"}
        !10 = distinct !DICompositeType(name: "S", size: 256, align: 128, identifier: "_ZTS1S")
        """,
    )
    assert copied_alignments(typed) == {("@k", 5, 9): [16]}
