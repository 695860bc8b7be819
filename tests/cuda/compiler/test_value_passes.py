"""The results of the passes on undefined values and pointers for a few lines of IR."""

from __future__ import annotations

import textwrap

import pytest
from ir_texts import body_after, module_of

from autograder.cuda.compiler.passes.defined_values import define_values
from autograder.cuda.compiler.passes.frozen_pointers import freeze_pointers


def lines(text: str) -> str:
    return textwrap.dedent(text).strip("\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("%y = shl i64 %1, 63, !dbg !5", "%y = shl i64 %1, 63, !dbg !5", id="shift-that-fits"),
        pytest.param(
            "%y = shl i64 1, %1, !dbg !5",
            """
            %emu.fits.0 = icmp ult i64 %1, 64, !dbg !5
            %emu.by.0 = select i1 %emu.fits.0, i64 %1, i64 0, !dbg !5
            %emu.shifted.0 = shl i64 1, %emu.by.0, !dbg !5
            %y = select i1 %emu.fits.0, i64 %emu.shifted.0, i64 0, !dbg !5
            """,
            id="shift-up",
        ),
        pytest.param(
            "%y = ashr exact i64 %1, 64",
            """
            %emu.fits.0 = icmp ult i64 64, 64
            %emu.by.0 = select i1 %emu.fits.0, i64 64, i64 63
            %y = ashr i64 %1, %emu.by.0
            """,
            id="signed-shift-down",
        ),
        pytest.param("%y = sdiv exact i64 %1, 4, !dbg !5", "%y = sdiv i64 %1, 4, !dbg !5", id="division"),
        pytest.param(
            "%y = call i32 @llvm.fptosi.sat.i32.f32(float 1.5), !dbg !5",
            "%y = call i32 @llvm.fptosi.sat.i32.f32(float 1.5), !dbg !5",
            id="conversion",
        ),
        pytest.param(
            "%y = call i8 @llvm.fptoui.sat.i8.f16(half 1.0)",
            """
            %emu.held.0 = call i32 @llvm.fptoui.sat.i32.f16(half 1.0)
            %y = trunc i32 %emu.held.0 to i8
            """,
            id="conversion-to-a-byte",
        ),
        pytest.param(
            "%y = call i32 @llvm.fptoui.sat.i32.f64(double 1.5)",
            """
            %emu.held.0 = call i32 @llvm.fptoui.sat.i32.f64(double 1.5)
            %emu.none.0 = fcmp uno double 1.5, 1.5
            %y = select i1 %emu.none.0, i32 -2147483648, i32 %emu.held.0
            """,
            id="conversion-from-64-bits",
        ),
        pytest.param(
            "%y = call i16 @llvm.fptosi.sat.i16.f64(double 1.5)",
            """
            %emu.held.0 = call i32 @llvm.fptosi.sat.i32.f64(double 1.5)
            %emu.none.0 = fcmp uno double 1.5, 1.5
            %emu.chosen.0 = select i1 %emu.none.0, i32 -2147483648, i32 %emu.held.0
            %y = trunc i32 %emu.chosen.0 to i16
            """,
            id="conversion-from-64-bits-to-16",
        ),
        pytest.param(
            "store i32 poison, ptr %0, align 4", "store i32 zeroinitializer, ptr %0, align 4", id="folded-shift"
        ),
        pytest.param(
            "%y = insertelement <2 x i32> poison, i32 %1, i64 0",
            "%y = insertelement <2 x i32> poison, i32 %1, i64 0",
            id="part-of-a-vector",
        ),
    ],
)
def test_undefined_values_become_those_of_a_gpu(before: str, after: str) -> None:
    assert body_after(define_values, module_of(before)) == lines(after)


def test_a_conversion_is_declared_once() -> None:
    module = module_of(
        "%y = call i32 @llvm.fptosi.sat.i32.f32(float 1.5)\n%z = call i32 @llvm.fptosi.sat.i32.f32(float 2.5)"
    )
    define_values(module)
    assert module.text().count("declare i32 @llvm.fptosi.sat.i32.f32(float)") == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            call void @__tsan_write8(ptr %0), !dbg !5
            store i64 %1, ptr %0, align 8, !dbg !5
            """,
            """
            %emu.at.0 = freeze ptr %0, !dbg !5
            call void @__tsan_write8(ptr %emu.at.0), !dbg !5
            store i64 %1, ptr %emu.at.0, align 8, !dbg !5
            """,
            id="store",
        ),
        pytest.param(
            """
            call void @emu_read8(i32 3, ptr %0)
            %x = load ptr, ptr %0, align 8
            call void @__tsan_read1(ptr %x)
            %y = load volatile i8, ptr %x, align 1
            """,
            """
            %emu.at.0 = freeze ptr %0
            call void @emu_read8(i32 3, ptr %emu.at.0)
            %x = load ptr, ptr %emu.at.0, align 8
            %emu.at.1 = freeze ptr %x
            call void @__tsan_read1(ptr %emu.at.1)
            %y = load volatile i8, ptr %emu.at.1, align 1
            """,
            id="two-loads",
        ),
        pytest.param(
            """
            call void @__tsan_write8(ptr %0)
            store ptr %0, ptr %0, align 8
            """,
            """
            %emu.at.0 = freeze ptr %0
            call void @__tsan_write8(ptr %emu.at.0)
            store ptr %0, ptr %emu.at.0, align 8
            """,
            id="pointer-to-itself",
        ),
        pytest.param(
            """
            %x = alloca i64, align 8
            store i64 %1, ptr %x, align 8
            call void @f(ptr %x)
            store i64 %1, ptr %x, align 8
            call void @__tsan_write8(ptr @g)
            store i64 %1, ptr @g, align 8
            call void @__tsan_write8(ptr %0)
            store i64 %1, ptr %x, align 8
            """,
            None,
            id="nothing-to-freeze",
        ),
    ],
)
def test_a_hook_and_its_access_have_one_frozen_pointer(before: str, after: str | None) -> None:
    assert body_after(freeze_pointers, module_of(before)) == lines(after or before)
