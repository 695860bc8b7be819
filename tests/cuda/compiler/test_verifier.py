"""The verifier refuses what is not proven: hand-written modules, each with one thing wrong, and the modules of real
kernels with each pass left out or each of its calls deleted."""

from __future__ import annotations

import ctypes
import re
import textwrap

import pytest

from autograder.cuda.compiler.elf import UNDEFINED, read_elf
from autograder.cuda.compiler.emulator_runtime import build_runtime
from autograder.cuda.compiler.ir import Call, read_instruction, read_module
from autograder.cuda.compiler.verifier import UnprovenError, verify
from autograder.cuda.compiler.verifier.entries import runtime_entries
from autograder.cuda.compiler.verifier.promises import broken_promise_of_call

HEAD = """
%struct.Pair = type { i32, [3 x float] }
%struct.EmuThreadIndex = type { [6 x i32] }

@array = global [8 x i32] zeroinitializer, align 16
@table = constant [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8], align 16
@words = private constant [3 x i8] c"no\\00", align 1
@emu_index = external global ptr, align 8
@emu_accesses = constant i32 2

declare void @__tsan_read4(ptr)
declare void @__tsan_write4(ptr)
declare void @__tsan_write8(ptr)
declare void @__tsan_write_range(ptr, i64)
declare ptr @__tsan_memcpy(ptr, ptr, i64)
declare void @emu_read4(i32, ptr)
declare preserve_allcc void @emu_called_write4(i32, ptr)
declare void @emu_may_write(ptr, i64, ptr)
declare void @emu_atomic(ptr, i32, i32, ptr)
declare ptr @emu_warp_exchange(i32, i64, ptr, ptr)
declare i32 @emu_barrier_reduce(i32, ptr, ptr)
declare void @emu_barrier(ptr)
declare void @emu_trap(ptr, ptr)
declare float @sinf(float)
declare void @llvm.trap()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal i32 @kernel.n(i32 %0) #0 {
  ret i32 %0
}

define void @kernel.copied(ptr byval(%struct.Pair) align 8 %0) #0 {
  %2 = load i32, ptr %0, align 8
  ret void
}

"""
LOOP_HASH = "ptr addrspace(256) inttoptr (i64 -4096 to ptr addrspace(256)), align 8"
ATTRIBUTES = 'noinline nounwind sanitize_thread "frame-pointer"="all" "probe-stack"="inline-asm"'


def outcome(body: str, before: str = "", attributes: str = ATTRIBUTES) -> str:
    """What the verifier says of a module with the function `void @kernel.k(ptr %0, i64 %1, i32 %2)`: each proof with
    its number, or why it is refused."""
    lines = textwrap.dedent(body).strip().split("\n")
    code = [line if line.endswith(":") else f"  {line.strip()}" for line in lines]
    ends = [f"attributes #0 = {{ {attributes} }}", "attributes #1 = { memory(none) nounwind }"]
    ends += ["attributes #2 = { noreturn }", 'attributes #3 = { "warn-stack-size"="1" }']
    ends += [
        "",
        '!1 = distinct !DISubprogram(name: "k", file: !2)',
        '!2 = !DIFile(filename: "kernel.cu", directory: "")',
    ]
    ends += ["!5 = !DILocation(line: 5, column: 9, scope: !1)", ""]
    text = [HEAD + textwrap.dedent(before), "define void @kernel.k(ptr %0, i64 %1, i32 %2) #0 {", *code, "}", "", *ends]
    try:
        proofs = verify(read_module("\n".join(text)))
    except UnprovenError as error:
        assert error.line == 5 * ("!dbg !5" in body)
        return error.what.partition(": ")[2]
    proofs["local"] -= 1  # of `copied`
    return ", ".join(f"{count} {how}" for how, count in proofs.items() if count)


@pytest.mark.parametrize(
    ("body", "proofs"),
    [
        pytest.param("ret void", "", id="nothing"),
        pytest.param("call void @__tsan_write4(ptr %0)\nstore i32 1, ptr %0, align 4\nret void", "1 hooked", id="hook"),
        pytest.param(
            "call void @__tsan_write4(ptr %0)\n%4 = load i32, ptr %0, align 4\nret void", "1 hooked", id="read-as-write"
        ),
        pytest.param(
            "call void @emu_read4(i32 1, ptr %0)\n%4 = load float, ptr %0, align 4\nret void", "1 hooked", id="numbered"
        ),
        pytest.param(
            "call void @__tsan_write_range(ptr %0, i64 %1)\n"
            "call void @llvm.memset.p0.i64(ptr %0, i8 0, i64 %1, i1 false)\nret void",
            "1 hooked",
            id="any-number-of-bytes",
        ),
        pytest.param(
            """
            %4 = alloca %struct.Pair, align 4
            %5 = getelementptr inbounds %struct.Pair, ptr %4, i32 0, i32 1, i64 2
            store float 1.0, ptr %5, align 4
            ret void
            """,
            "1 local",
            id="own-variable",
        ),
        pytest.param("%4 = load i32, ptr getelementptr (i8, ptr @table, i64 28), align 4\nret void", "1 constant",
                     id="constant"),
        pytest.param("%4 = load ptr, ptr @emu_index, align 8\n%5 = load i32, ptr %4, align 4\nret void",
                     "1 constant, 1 given", id="thread-index"),
        pytest.param(
            """
            %4 = alloca ptr, align 8
            store ptr %0, ptr %4, align 8
            %5 = load ptr, ptr %4, align 8
            call void @emu_atomic(ptr %5, i32 4, i32 0, ptr null)
            br i1 true, label %6, label %8
            6:
            %7 = load ptr, ptr %4, align 8
            store i32 1, ptr %7, align 4
            br label %8
            8:
            ret void
            """,
            "3 local, 1 hooked",
            id="atomic-by-way-of-a-variable",
        ),
        pytest.param(
            """
            %4 = alloca ptr, align 8
            %5 = load ptr, ptr %4, align 8
            call void @__tsan_write4(ptr %5)
            %6 = load ptr, ptr %4, align 8
            store i32 1, ptr %6, align 4
            ret void
            """,
            "2 local, 1 hooked",
            id="what-a-variable-held-twice",
        ),
        pytest.param(
            """
            %4 = call ptr @emu_warp_exchange(i32 -1, i64 0, ptr null, ptr null)
            br label %5
            5:
            %6 = getelementptr i8, ptr %4, i64 256
            %7 = load i32, ptr %6, align 4
            br i1 true, label %5, label %8
            8:
            ret void
            """,
            "1 given",
            id="exchange-in-a-loop",
        ),
        pytest.param(f"%4 = load volatile i64, {LOOP_HASH}\nret void", "", id="loop-hash"),
        pytest.param("%4 = call i32 @kernel.n(i32 %2)\n%5 = call float @sinf(float 1.0)\nret void", "", id="calls"),
        pytest.param("call void @emu_trap(ptr @words, ptr null)\ncall void @llvm.trap()\nunreachable", "", id="trap"),
    ],
)  # fmt: skip
def test_what_is_proven_is_let_through(body: str, proofs: str) -> None:
    assert outcome(body) == proofs


NO_HOOK = "an access without a hook"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("store i32 1, ptr %0, align 4, !dbg !5\nret void", id="no-hook"),
        pytest.param("store i32 1, ptr %0, align 4\ncall void @__tsan_write4(ptr %0)\nret void", id="hook-after-it"),
        pytest.param("call void @__tsan_write4(ptr @array)\nstore i32 1, ptr %0, align 4\nret void", id="elsewhere"),
        pytest.param("call void @__tsan_write4(ptr %0)\nstore i64 1, ptr %0, align 4\nret void", id="fewer-bytes"),
        pytest.param("call void @__tsan_read4(ptr %0)\nstore i32 1, ptr %0, align 4\nret void", id="hook-of-a-read"),
        pytest.param(
            """
            br i1 true, label %4, label %5
            4:
            call void @__tsan_write4(ptr %0)
            br label %5
            5:
            store i32 1, ptr %0, align 4
            ret void
            """,
            id="a-way-around-the-hook",
        ),
        pytest.param(
            """
            call void @__tsan_write4(ptr %0)
            br label %4
            4:
            %5 = phi ptr [ %0, %3 ], [ %6, %4 ]
            store i32 1, ptr %0, align 4
            %6 = getelementptr i8, ptr %5, i64 4
            store i32 1, ptr %5, align 4
            br i1 true, label %4, label %7
            7:
            ret void
            """,
            id="the-next-iteration",
        ),
        pytest.param(
            "call void @__tsan_write4(ptr %0)\n%4 = call i32 @kernel.n(i32 1)\nstore i32 1, ptr %0, align 4\nret void",
            id="a-call-between",
        ),
        pytest.param(
            """
            %4 = alloca ptr, align 8
            store ptr %0, ptr %4, align 8
            call void @__tsan_write4(ptr %0)
            call void @__tsan_write8(ptr @array)
            store i64 1, ptr @array, align 8
            %5 = load ptr, ptr %4, align 8
            store i32 1, ptr %5, align 4
            ret void
            """,
            id="a-variable-that-may-have-changed",
        ),
        pytest.param(
            """
            %4 = alloca ptr, align 8
            store ptr @array, ptr %4, align 8
            call void @__tsan_write4(ptr @array)
            store i32 7, ptr %4, align 4
            %5 = load ptr, ptr %4, align 8
            store i32 1, ptr %5, align 4
            ret void
            """,
            id="half-of-a-variable-changed",
        ),
        pytest.param(
            """
            %4 = alloca [2 x ptr], align 8
            store ptr @array, ptr %4, align 8
            %5 = getelementptr i8, ptr %4, i64 4
            %6 = load ptr, ptr %5, align 4
            call void @__tsan_write4(ptr @array)
            store i32 1, ptr %6, align 4
            ret void
            """,
            id="halves-of-two-variables",
        ),
        pytest.param(
            "call void @__tsan_write_range(ptr %0, i64 %1)\n%4 = add i64 %1, 1\n"
            "call void @llvm.memset.p0.i64(ptr %0, i8 0, i64 %4, i1 false)\nret void",
            id="another-number-of-bytes",
        ),
        pytest.param("%4 = alloca [4 x i32], align 4\n%5 = getelementptr i32, ptr %4, i64 4\n"
                     "store i32 1, ptr %5, align 4\nret void", id="after-an-own-variable"),
        pytest.param("%4 = alloca [4 x i32], align 4\n%5 = getelementptr i32, ptr %4, i64 -1\n"
                     "store i32 1, ptr %5, align 4\nret void", id="before-an-own-variable"),
        pytest.param("%4 = alloca [4 x i32], align 4\n%5 = getelementptr i32, ptr %4, i64 %1\n"
                     "store i32 1, ptr %5, align 4\nret void", id="somewhere-in-an-own-variable"),
        pytest.param("%4 = alloca ptr, align 4\nstore i128 1, ptr %4, align 4\nret void", id="wider-than-the-variable"),
        pytest.param("%4 = alloca i32, align 4\n"
                     "call void @llvm.memcpy.p0.p0.i64(ptr %4, ptr @table, i64 8, i1 false)\nret void", id="copy-to"),
        pytest.param("%4 = alloca i64, align 4\n"
                     "call void @llvm.memcpy.p0.p0.i64(ptr %4, ptr %0, i64 8, i1 false)\nret void", id="copy-from"),
        pytest.param("store i32 1, ptr @table, align 4\nret void", id="to-a-constant"),
        pytest.param("store i32 1, ptr @array, align 4\nret void", id="to-a-variable-of-the-module"),
        pytest.param("%4 = load i32, ptr getelementptr (i8, ptr @table, i64 29), align 4\nret void",
                     id="after-a-constant"),
        pytest.param("store i32 1, ptr @kernel.k, align 4\nret void", id="to-code"),
        pytest.param("store i32 1, ptr inttoptr (i64 4096 to ptr), align 4\nret void", id="to-a-number"),
        pytest.param("call void @__tsan_write4(ptr undef)\nstore i32 1, ptr undef, align 4\nret void", id="undefined"),
        pytest.param("%4 = load ptr, ptr @emu_index, align 8\nstore i32 1, ptr %4, align 4\nret void", id="to-index"),
        pytest.param("%4 = load ptr, ptr @emu_index, align 8\n%5 = load i32, ptr %4, align 4\n"
                     "%6 = call i32 @kernel.n(i32 1)\n%7 = load i32, ptr %4, align 4\nret void", id="index-kept"),
        pytest.param("%4 = load ptr, ptr @emu_index, align 8\n%5 = getelementptr i8, ptr %4, i64 21\n"
                     "%6 = load i32, ptr %5, align 4\nret void", id="after-the-index"),
        pytest.param("%4 = load ptr, ptr @table, align 8\n%5 = load i32, ptr %4, align 4\nret void",
                     id="by-a-constant"),
        pytest.param("call void @__tsan_write8(ptr %0)\n%4 = load ptr, ptr %0, align 8\n"
                     "%5 = load i32, ptr %4, align 4\nret void", id="by-a-parameter"),
        pytest.param("%4 = call ptr @emu_warp_exchange(i32 -1, i64 0, ptr null, ptr null)\n"
                     "%5 = getelementptr i64, ptr %4, i64 33\n%6 = load i64, ptr %5, align 8\nret void",
                     id="after-the-exchange"),
        pytest.param("%4 = call i32 @emu_barrier_reduce(i32 1, ptr %0, ptr null)\nret void", id="the-runtime-writes"),
        pytest.param("call void @kernel.copied(ptr byval(%struct.Pair) align 8 %0)\nret void", id="copied-for-a-call"),
    ],
)  # fmt: skip
def test_an_access_that_is_not_proven_is_refused(body: str) -> None:
    assert outcome(body).partition(":")[0] == NO_HOOK


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("call void %0()\nret void", "a call through a pointer"),
        ("call void inttoptr (i64 16 to ptr)()\nret void", "a call through a pointer"),
        ('call void asm sideeffect "syscall", ""()\nret void', "assembly"),
        ("call void @emu_barrier()\nret void", "a call by another type"),
        ("call void @emu_barrier(i32 1)\nret void", "a call by another type"),
        ("%4 = call i64 @kernel.n(i32 1)\nret void", "a call by another type"),
        ("call void @emu_fence(i32 1, ptr null)\nret void", "an undeclared call"),
        ("%4 = call ptr @llvm.returnaddress(i32 1)\nret void", "a look into others' frames"),
        ("call void @kernel.copied(ptr %0)\nret void", "a call by another type"),
        ("call void @emu_called_write4(i32 1, ptr %0)\nret void", "a call by another type"),
        ("musttail call void @emu_barrier(ptr null)\nret void", "an unusual kind of call"),
        ('call void @emu_barrier(ptr null) [ "deopt"(i32 0) ]\nret void', "an unusual kind of call"),
        ("call void @__tsan_write4(ptr %0) #1\nstore i32 1, ptr %0, align 4\nret void", "a hook without effect"),
        ("call void @__tsan_read4(ptr %0) memory(none)\nret void", "a hook without effect"),
        ("%4 = call i32 @llvm.eh.sjlj.setjmp(ptr %0)\nret void", "a call of the compiler's"),
        ("call void @llvm.stackrestore.p0(ptr %0)\nret void", "a call of the compiler's"),
        ("call void @llvm.va_start.p0(ptr %0)\nret void", "a call of the compiler's"),
        ("call void @llvm.memset.inline.p0.i64(ptr %0, i8 0, i64 8, i1 false)\nret void", "a call of the compiler's"),
        ("%4 = call i64 @llvm.read_register.i64(metadata !5)\nret void", "a call of the compiler's"),
        ("call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr %0, i32 4, <4 x i1> zeroinitializer)\n"
         "ret void", "a call of the compiler's"),
        ("%4 = va_arg ptr %0, i32\nret void", "the instruction va_arg"),
        ("%4 = atomicrmw add ptr %0, i32 1 seq_cst, align 4\nret void", "the instruction atomicrmw"),
        ("%4 = cmpxchg ptr %0, i32 1, i32 2 seq_cst seq_cst, align 4\nret void", "the instruction cmpxchg"),
        ("indirectbr ptr blockaddress(@kernel.k, %4), [label %4]\n4:\nret void", "the instruction indirectbr"),
        ("%4 = addrspacecast ptr %0 to ptr addrspace(256)\nret void", "the instruction addrspacecast"),
        ("store i64 1, ptr addrspace(257) null, align 8\nret void", "an address space"),
        ("store i64 1, ptr addrspace(256) inttoptr (i64 8 to ptr addrspace(256)), align 8\nret void",
         "an address space"),
        (f"%4 = load ptr, {LOOP_HASH}\nret void", "an address space"),
        ("%4 = alloca i8, i64 %1, align 1\nret void", "memory of unknown size"),
        ("br label %4\n4:\n%5 = alloca i8, align 1\nret void", "memory of unknown size"),
        ("%4 = alloca i8, align 8192\nret void", "memory that is aligned to more than a page"),
        ("br label %9", "a jump out of the function"),
        ("br label %4\n4:", "a block without one end"),
        ("%4 = call ptr @llvm.returnaddress()\nret void", "a look into others' frames"),
        ("call void @llvm.memset.p0.i64(ptr %0, i8 0)\nret void", "a call by another type"),
        ("call void @emu_read4()\nret void", "a call by another type"),
        ("unreachable", "an end without a trap"),
        ("call void @emu_trap(ptr @words, ptr null)\nunreachable", "an end without a trap"),
        ("call void @emu_barrier(ptr null)", "a block without one end"),
        ("call void @emu_entry(ptr %0)\nret void", "a call to the outside"),
        ("%4 = icmp slt i64 %1, 8\ncall void @llvm.assume(i1 %4)\nret void", "a call of the compiler's"),
        ("%4 = call i32 @kernel.n(i32 1) #2\nret void", "the attribute noreturn"),
        ("%4 = call i32 @kernel.n(i32 1) #1\nret void", "the attribute memory(none)"),
        ("%4 = call range(i32 0, 8) i32 @kernel.n(i32 1)\nret void", "the attribute range"),
        ("%4 = call i32 @kernel.n(i32 returned 1)\nret void", "the attribute returned"),
        ("%4 = call fastcc i32 @kernel.n(i32 1)\nret void", "the attribute fastcc"),
        ("call void @emu_barrier(ptr null) #2\nret void", "a declaration with promises"),
        ("%4 = load i32, ptr @table, align 4, !range !6\nret void", "a promise to the optimizer"),
        ("%4 = load ptr, ptr @words, align 8, !dbg !6, !nonnull !6\nret void", "a promise to the optimizer"),
        ("call void @emu_read4(i32 2, ptr %0)\nret void", "an access with another's number"),
        ("call void @emu_read4(i32 %2, ptr %0)\nret void", "an access with another's number"),
        ("call void @emu_read4(i32 1, ptr %0)\ncall void @emu_read4(i32 1, ptr %0)\nret void",
         "an access with another's number"),
    ],
)  # fmt: skip
def test_an_instruction_that_no_kernel_needs_is_refused(body: str, what: str) -> None:
    assert outcome(body) == what


@pytest.mark.parametrize(
    ("before", "what"),
    [
        ('module asm "syscall"', "assembly"),
        ("@llvm.global_ctors = appending global [1 x ptr] [ptr @kernel.n]", "a list of the compiler's"),
        ("@kernel.f = ifunc void (), ptr @kernel.n", "a function chosen at loading"),
        ("@kernel.f = alias i32, ptr @sinf", "another name for something outside"),
        ('@x = global i32 1, section ".init_array", align 4', "a variable in an unusual place"),
        ("@x = thread_local global i32 1, align 4", "a variable in an unusual place"),
        ("@emu_shape = global i32 1, align 4", "a name of the runtime's"),
        ("@emu_running = external global i32, align 4", "a name of the runtime's"),
        ("define void @__memcpy_chk() #0 {\n  ret void\n}", "a function by a name that a library may have"),
        ("@mempcpy = alias i32 (i32), ptr @kernel.n", "a function by a name that a library may have"),
        ("define void @emu_fence(i32 %0) #0 {\n  ret void\n}", "a name of the runtime's"),
        ("@x = global ptr @emu_entry, align 8", "an entry of the kernel"),
        ("define void @kernel.f() #1 {\n  ret void\n}", "the attribute memory(none)"),
        ("define void @kernel.f() #2 {\n  ret void\n}", "the attribute noreturn"),
        ("define range(i32 0, 4) i32 @kernel.f(i32 %0) #0 {\n  ret i32 %0\n}", "the attribute range"),
        ("define noalias ptr @kernel.f(ptr %0) #0 {\n  ret ptr %0\n}", "the attribute noalias"),
        ("define fastcc void @kernel.f(i32 %0) #0 {\n  ret void\n}", "the attribute fastcc"),
        ("define void @kernel.f(ptr readonly %0) #0 {\n  ret void\n}", "the attribute readonly"),
        ("define void @kernel.f(ptr captures(none) %0) #0 {\n  ret void\n}", "the attribute captures"),
        ("define void @kernel.f() #0 #3 {\n  ret void\n}", 'the attribute "warn-stack-size"="1"'),
        ("declare float @cosf(float) #2\n"
         "define void @kernel.f() #0 {\n  %1 = call float @cosf(float 1.0)\n  ret void\n}",
         "a declaration with promises"),
        ("define void @kernel.f() #7 {\n  ret void\n}", "the attribute unknown"),
        ('define void @kernel.f() #0 section ".init" {\n  ret void\n}', "a function that is not plain code"),
        ("define void @kernel.f() #0 personality ptr @kernel.n {\n  ret void\n}", "a function that is not plain code"),
        ("declare void @other()\ndefine void @kernel.f() #0 {\n  call void @other()\n  ret void\n}",
         "a call to the outside"),
        ("declare i64 @emu_fence(i32, ptr)\ndefine void @kernel.f() #0 {\n"
         "  %1 = call i64 @emu_fence(i32 1, ptr null)\n  ret void\n}",
         "a declaration by another type"),
        ("define void @emu_entry(ptr %0) #0 {\n  %2 = load ptr, ptr %0, align 8\n  store i32 1, ptr %2, align 4\n"
         "  ret void\n}", NO_HOOK),
    ],
)  # fmt: skip
def test_a_module_that_no_kernel_needs_is_refused(before: str, what: str) -> None:
    assert outcome("ret void", before).partition(":")[0] == what


@pytest.mark.parametrize(("reads", "proofs"), [
    ("%3 = getelementptr i8, ptr %2, i64 4092\n%4 = load i32, ptr %3, align 4", "2 given"),
    ("%3 = getelementptr i8, ptr %2, i64 32761\n%4 = load i32, ptr %3, align 1", NO_HOOK),
    ("%3 = load ptr, ptr %2, align 8\n%4 = load i32, ptr %3, align 4", NO_HOOK),
])  # fmt: skip
def test_the_entry_is_given_no_more_than_the_arguments(reads: str, proofs: str) -> None:
    body = textwrap.indent(f"%2 = load ptr, ptr %0, align 8\n{reads}\nret void", "  ")
    assert outcome("ret void", f"define void @emu_entry(ptr %0) #0 {{\n{body}\n}}").partition(":")[0] == proofs


@pytest.mark.parametrize("missing", ['"frame-pointer"="all"', '"probe-stack"="inline-asm"'])
def test_a_function_without_what_the_runtime_needs_is_refused(missing: str) -> None:
    assert outcome("ret void", attributes=ATTRIBUTES.replace(missing, "")) == f"a function without {missing}"


#: What the inlined hooks call in the kernel's name, what the runtime is read by, and how it begins.
PRIVATE = re.compile(r"emu_numbered_\w+|emu_index|emu_shape|__tsan_init|_start")
INLINED = re.compile(r"emu_(called_)?(read|write)\d+|llvm\..*")


def test_the_entries_are_what_the_runtime_exports() -> None:
    runner = read_elf(build_runtime().runner.read_bytes())
    exported = {s.name for s in runner.symbols(runner.by_name[".dynsym"]) if s.name and s.section != UNDEFINED}
    entries = {name[1:] for name in runtime_entries()}
    assert {name for name in exported - entries if not PRIVATE.fullmatch(name)} == set()
    mathematics = ctypes.CDLL("libm.so.6")
    of_nobody = {name for name in entries - exported if not INLINED.fullmatch(name) and not hasattr(mathematics, name)}
    assert of_nobody == set()


@pytest.mark.parametrize(("text", "broken"), [
    ("%call = call noundef i32 @own(ptr %x)", ""),  # a page's compiler keeps such names
    ("%call.i = tail call i32 @own(ptr %call)", ""),
    ("call void @own(ptr %x)", ""),
    ("%call = call swifttailcc i32 @own(ptr %x)", "swifttailcc"),
])  # fmt: skip
def test_a_result_may_have_any_name(text: str, broken: str) -> None:
    call = read_instruction(f"  {text}")
    assert isinstance(call, Call)
    assert broken_promise_of_call(call, (), is_users=True) == broken
