"""The results of the passes on loops, calls and accesses for a few lines of IR."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from ir_texts import body_after, module_of

from autograder.cuda.compiler.ir import Call, Module
from autograder.cuda.compiler.passes.access_numbers import number_accesses
from autograder.cuda.compiler.passes.loops import mark_loops
from autograder.cuda.compiler.passes.odd_widths import mark_odd_widths

ROOT = Path(__file__).parents[3]


def lines(text: str) -> str:
    return textwrap.dedent(text).strip("\n")


# ---- loops --------------------------------------------------------------------------------------------

COUNTED = """
  %own = alloca i64, align 8
  br label %head
head:
  %i = phi i64 [ 0, %2 ], [ %next, %head ]
  %next = add i64 %i, 1
  {}
  br i1 true, label %head, label %end
end:
  ret void
"""
ACCESS = "%x = load i32, ptr %0, align 4"
PLACE = "ptr addrspace(256) inttoptr (i64 -4096 to ptr addrspace(256)), align 8"


def without_constants(text: str) -> str:
    return re.sub(r"\b\d{5,}\b", "C", text)


def test_a_loop_with_accesses_counts_its_rounds() -> None:
    after = body_after(mark_loops, module_of(COUNTED.format(ACCESS)))
    assert without_constants(after) == lines(
        f"""
        %emu.hash.0 = alloca i64, align 8
        %emu.start = load volatile i64, {PLACE}
        store i64 %emu.start, ptr %emu.hash.0, align 8
        %own = alloca i64, align 8
        br label %head
        head:
        %i = phi i64 [ 0, %2 ], [ %next, %head ]
        %emu.last.1 = load volatile i64, {PLACE}
        %emu.round.1 = add i64 %emu.last.1, C
        store volatile i64 %emu.round.1, {PLACE}
        %next = add i64 %i, 1
        {ACCESS}
        br i1 true, label %head, label %end
        end:
        %emu.back.2 = load i64, ptr %emu.hash.0, align 8
        store volatile i64 %emu.back.2, {PLACE}
        ret void
        """
    )


CONSTANTS_OF_ANOTHER_PROCESS = """
import sys
sys.path[:0] = ["tests/cuda/compiler"]
from test_access_passes import ACCESS, COUNTED, body_after, mark_loops, module_of
print(body_after(mark_loops, module_of(COUNTED.format(ACCESS))))
"""


def test_no_text_knows_the_constants_of_its_loops() -> None:
    """Or it could choose how often they run, so that lanes of different rounds share a request."""
    here = body_after(mark_loops, module_of(COUNTED.format(ACCESS)))
    command = [sys.executable, "-c", CONSTANTS_OF_ANOTHER_PROCESS]
    there = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.rstrip("\n")
    assert without_constants(there) == without_constants(here)
    assert there != here


@pytest.mark.parametrize(
    "instruction",
    [
        "%x = add i64 %i, 1",
        "store i64 %i, ptr %own, align 8",
        "call void @llvm.assume(i1 true)",
        "call void @emu_check_copy()",
        "call void @harmless()",
    ],
)
def test_a_loop_without_accesses_is_left_alone(instruction: str) -> None:
    harmless = "\ndefine void @harmless() #0 {\n  %1 = alloca i32\n  ret void\n}\n".replace("i32\n", "i32, align 4\n")
    module = module_of(COUNTED.format(instruction), before=harmless)
    before = module.text()
    mark_loops(module)
    assert module.text() == before


@pytest.mark.parametrize("callee", ["@llvm.memset.p0.i64", "@elsewhere"])
def test_a_loop_that_calls_what_may_access_memory_counts_its_rounds(callee: str) -> None:
    assert "%emu.round.1" in body_after(mark_loops, module_of(COUNTED.format(f"call void {callee}()")))


@pytest.mark.parametrize("callee", ["%0", "null", "getelementptr (i8, ptr @reads, i64 4)", "@reads"])
def test_a_call_of_what_may_access_memory_is_marked(callee: str) -> None:
    reads = "define void @reads() #0 {\n  %1 = load i32, ptr @a, align 4\n  ret void\n}"
    after = body_after(mark_loops, module_of(f"  call void {callee}()\n  ret void", before=reads))
    assert without_constants(after) == lines(
        f"""
        %emu.hash.0 = alloca i64, align 8
        %emu.start = load volatile i64, {PLACE}
        store i64 %emu.start, ptr %emu.hash.0, align 8
        %emu.here.0.0 = load volatile i64, {PLACE}
        %emu.there.0.0 = add i64 %emu.here.0.0, C
        store volatile i64 %emu.there.0.0, {PLACE}
        call void {callee}()
        store volatile i64 %emu.here.0.0, {PLACE}
        ret void
        """
    )


# ---- odd widths ---------------------------------------------------------------------------------------


def test_an_access_of_an_odd_width_is_told_of_as_a_run_of_bytes() -> None:
    module = module_of(
        """
          %2 = load i24, ptr %0, align 1, !dbg !5
          store volatile i80 0, ptr getelementptr (i8, ptr @a, i64 2), align 16
          %3 = load i17, ptr %0, align 4
          %4 = load i32, ptr %0, align 1
          store i1 true, ptr %0, align 1
          store ptr null, ptr %0, align 8
          ret void
        """
    )
    assert body_after(mark_odd_widths, module) == lines(
        """
        call void @__tsan_read_range(ptr %0, i64 3), !dbg !5
        %2 = load i24, ptr %0, align 1, !dbg !5
        call void @__tsan_write_range(ptr getelementptr (i8, ptr @a, i64 2), i64 10)
        store volatile i80 0, ptr getelementptr (i8, ptr @a, i64 2), align 16
        call void @__tsan_read_range(ptr %0, i64 3)
        %3 = load i17, ptr %0, align 4
        %4 = load i32, ptr %0, align 1
        store i1 true, ptr %0, align 1
        store ptr null, ptr %0, align 8
        ret void
        """
    )
    assert "\ndeclare void @__tsan_read_range(ptr, i64)\n" in module.text()


# ---- numbers of accesses ------------------------------------------------------------------------------


def reported(count: int) -> str:
    return "  call void @__tsan_read4(ptr %0)\n" * count


def numbered(module: Module) -> list[tuple[str, str]]:
    number_accesses(module)
    calls = (call for call in module.functions["@k"].instructions() if isinstance(call, Call))
    return [(call.callee, call.arguments[0].value) for call in calls]


def test_each_access_gets_a_number() -> None:
    module = module_of(
        """
          call void @__tsan_read4(ptr %0), !dbg !5
          call void @__tsan_write16(ptr @a)
          call void @__tsan_write1(ptr @a)
          ret void
        """
    )
    assert body_after(number_accesses, module) == lines(
        """
        call void @emu_read4(i32 0, ptr %0), !dbg !5
        call void @emu_write16(i32 1, ptr @a)
        call void @__tsan_write1(ptr @a)
        ret void
        """
    )
    assert module.text().endswith("\n@emu_accesses = constant i32 2")
    assert "\ndeclare void @emu_read4(i32, ptr)\ndeclare void @emu_write16(i32, ptr)\n" in module.text()


def test_accesses_to_a_threads_own_arrays_keep_their_calls() -> None:
    module = module_of(
        """
          %own = alloca [8 x i32], align 4
          %second = getelementptr inbounds [8 x i32], ptr %own, i64 0, i64 1
          %given = getelementptr inbounds i32, ptr %0, i64 1
          call void @__tsan_read4(ptr %own)
          call void @__tsan_write4(ptr %second)
          call void @__tsan_read4(ptr %given)
          ret void
        """
    )
    assert [name for name, _ in numbered(module)] == ["@__tsan_read4", "@__tsan_write4", "@emu_read4"]


def test_nothing_is_inlined_where_no_optimizer_runs() -> None:
    module = module_of(reported(2) + "  ret void")
    number_accesses(module, 0)
    calls = [call.callee for call in module.functions["@k"].instructions() if isinstance(call, Call)]
    assert calls == ["@emu_called_read4"] * 2


def test_the_accesses_of_the_innermost_loops_are_inlined() -> None:
    loops = """
        br label %outer
        outer:
        br label %inner
        inner:
        call void @__tsan_read8(ptr %0)
        br i1 true, label %inner, label %after
        after:
        call void @__tsan_read16(ptr %0)
        br i1 true, label %outer, label %end
        end:
        ret void
    """
    calls = numbered(module_of(reported(20) + loops.lstrip()))
    assert [int(number) for _, number in calls] == list(range(22))
    inlined = [number for name, number in calls if not name.startswith("@emu_called_")]
    assert inlined == [*map(str, range(14)), "20", "21"]
    assert calls[14] == ("@emu_called_read4", "14")


def test_accesses_beyond_the_last_number_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.cuda.compiler.passes.access_numbers._MAX_NUMBERS", 2)
    module = module_of(reported(3) + "  ret void")
    assert [name for name, _ in numbered(module)] == ["@emu_read4", "@emu_read4", "@__tsan_read4"]
    assert "@emu_accesses = constant i32 2" in module.text()
