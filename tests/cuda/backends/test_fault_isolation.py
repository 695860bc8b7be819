"""The second wall: whatever the first lets through, a store of the kernel's own code stays in its window."""

from __future__ import annotations

import shutil
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.backends import emulator
from autograder.cuda.compiler import emulator_runtime, machine_code
from autograder.cuda.compiler.emulator_runtime import EMULATOR, build_runtime
from autograder.cuda.compiler.fault_isolation import confine, prove
from autograder.cuda.compiler.machine_code import Build
from autograder.cuda.compiler.protocol_header import write_headers
from autograder.cuda.compiler.toolchain import Module, compile_kernel
from autograder.cuda.compiler.verifier import UnprovenError
from autograder.cuda.core.findings import Kind

pytestmark = inputs.emulation

#: Races, and then stores where it is told: over what the runtime has found, if nothing stops it.
FORGES = """__global__ void forges(unsigned long long* at, int* out, int n) {
    out[0] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x) return;
    for (int i = 0; i < n; i++) *(volatile unsigned long long*)at[i] = 0;
}"""


@pytest.fixture(scope="module")
def without_the_first_wall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A runner whose hooks refuse no access outside of the arrays. It writes into the first array where it counts the
    races that it has found, where its stack is, and where the kernel finds the thread that runs."""
    home = tmp_path_factory.mktemp("runner")
    source = Path(shutil.copytree(EMULATOR, home / "emulator"))
    change(
        source / "hooks/access.h", "        Observers::access_nowhere(address, size, action, site);", "        return;"
    )
    reported = "(u64)&Races::records.count, (u64)__builtin_frame_address(0), (u64)&running"
    report = (
        f"    const u64 found[] = {{{reported}}};\n"
        "    __builtin_memcpy((void*)variables[0].start, found, sizeof found);\n"
    )
    change(source / "main.cpp", "    prepare(mine, arena);\n", f"    prepare(mine, arena);\n{report}")
    write_headers(source)
    emulator_runtime.build_runner(source, source)
    return source / "emu-run"


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert text.count(before) == 1, f"{path.name} has changed: {before}"
    path.write_text(text.replace(before, after))


def kinds(runner: Path, monkeypatch: pytest.MonkeyPatch, places: list[int], text: str = FORGES) -> set[str]:
    """What is found where a kernel stores at these places, after the three that the runner tells."""
    runtime = replace(build_runtime(), runner=runner)
    with monkeypatch.context() as patched:
        patched.setattr(emulator, "build_runtime", lambda: runtime)
        at = np.array([0, 0, 0, *places], np.uint64)
        run = Kernel(text, "forges").emulate(1, 32, [at, np.zeros(1, np.int32), at.size])
    return {finding.kind for finding in run.findings}


def test_no_store_changes_what_was_found(without_the_first_wall: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to a place in the window, where nobody is deceived, or to none, which ends the launch."""
    random = Random(1)
    for _ in range(30):
        places = [random.randrange(1 << 47) & ~7, random.randrange(1 << 64) & ~7]
        random.shuffle(places)
        found = kinds(without_the_first_wall, monkeypatch, places)
        assert found and found <= {Kind.RACE, Kind.CRASH}


def test_without_the_second_wall_a_store_forges(without_the_first_wall: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "confine", lambda assembly: assembly)
    monkeypatch.setattr(machine_code, "prove", lambda assembly, inlined: None)
    text = FORGES.replace("i < n", "i < 1")
    assert kinds(without_the_first_wall, monkeypatch, [], text) == set()


CODE = """\
	.text
	.globl	f
f:
	pushq	%rbp
	movq	%rsp, %rbp
	subq	$32, %rsp
	{}
	addq	$32, %rsp
	popq	%rbp
	retq
"""


@pytest.mark.parametrize(
    ("line", "confined"),
    [
        ("movl	%eax, 8(%rdi,%rcx,4)", "movl	%eax, %gs:8(%edi,%ecx,4)"),
        ("movss	%xmm0, array+4(%rip)", "movss	%xmm0, %gs:array+4(%eip)"),
        ("addl	$1, (%r8)", "addl	$1, %gs:(%r8d)"),
        ("sete	(,%r12,8)", "sete	%gs:(,%r12d,8)"),
        ("xchgq	(%rax), %rcx", "xchgq	%gs:(%eax), %rcx"),
        ("movups	%xmm0, -16(%rbp)", "movups	%xmm0, -16(%rbp)"),
        ("movq	%rax, 24(%rsp)", "movq	%rax, 24(%rsp)"),
        ("cmpl	%eax, (%rdi)", "cmpl	%eax, (%rdi)"),
    ],
)
def test_a_write_is_confined(line: str, confined: str) -> None:
    text = confine(CODE.format(line))
    assert text == CODE.format(confined)
    prove(text, inlined=False)
    if line != confined:
        with pytest.raises(UnprovenError):
            prove(CODE.format(line), inlined=False)


@pytest.mark.parametrize(
    "lines",
    [
        "movl	%eax, (%rdi)",
        "movl	%eax, %gs:(%rdi)",  # of 64 bits
        "movq	%rax, %gs:(%rdi)",  # only hooks do that, and this is none
        "movq	%rax, %gs:8",
        "movups	%xmm0, %gs:-4096",  # more than the loop-iteration hash
        "movq	%rax, 8(%rbp)",  # by which it returns
        "movups	%xmm0, -8(%rbp)",
        "movq	%rax, 4096(%rsp)",
        "movq	%rax, -8(%rbp,%rcx,8)",
        "movl	%eax, %fs:(%rdi)",
        "movl	%eax, 16",
        "stosb	%al, %es:(%rdi)",
        "rep	stosq	%rax, %es:(%rdi)",
        "rep;movsq	(%rsi), %es:(%rdi)",
        "maskmovdqu	%xmm0, %xmm1",
        "movq	%rax, %rsp",
        "movq	%rax, %rbp",
        "popq	%rsp",
        "wrgsbaseq	%rax",
        "callq	*%rax",
        ".byte	0x90",
        "movl	%eax, %ecx; movl	%eax, (%rdi)",
        "vmovups	%ymm0, %gs:(%edi)",  # what is not known
        "fxsave	%gs:(%edi)",
        "btsq	%rax, %gs:(%edi)",  # the bit may be far from there
        "movl	%eax, (%rdi); movl	%eax, %ecx",
        "movl	%eax, %ecx /* ",
        "movq	%rax, %fs:24",
        "jmpq	*%rax",
        "jmp	.LBB0_9",
        "jmp	f",
        "callq	g",
        "retq	$8",
        "addq	$48, %rsp\n	movq	%rax, (%rsp)\n	subq	$48, %rsp",
        "andq	$1, %rsp",
        "subq	$8192, %rsp\n	movq	%rax, (%rsp)\n	addq	$8192, %rsp",  # past the page that guards a stack
        "nop\n.LBB0_1:\n	pushq	%rbx\n	jne	.LBB0_1",  # deeper in each round
        "testq	%rax, %rax\n	jne	.LBB0_1\n	addq	$32, %rsp\n	popq	%rbp\n	retq\n.LBB0_1:\n	popq	%rbx",
        "ud2\ng:",  # into which control falls with another's frame
        "movb	$1, 16(%rbp)",  # its caller's
        "leaq	-8(%rbp), %rax",  # an address of the frame, which would be taken for one of the window
        "leaq	(%rax,%rsp), %rax",
        "movq	%rsp, %rax",
        "pushq	%rsp\n	popq	%rax",
    ],
)
def test_what_may_write_elsewhere_is_refused(lines: str) -> None:
    with pytest.raises(UnprovenError):
        prove(CODE.format(lines), inlined=False)


@pytest.mark.parametrize(
    ("name", "inlined", "may"),
    [
        ("f", True, True),
        ("f", False, False),
        ("emu_called_read4", False, True),
        ("kernel.emu_called_read4", False, False),
    ],
)
def test_only_hooks_write_what_hooks_keep(name: str, inlined: bool, may: bool) -> None:
    text = CODE.format("movq	%rax, %gs:(%rdi)").replace("f\n", f"{name}\n").replace("f:", f"{name}:")
    with nullcontext() if may else pytest.raises(UnprovenError):
        prove(text, inlined=inlined)


def test_a_frame_of_many_pages_is_proven_if_each_is_touched() -> None:
    loop = "leaq	-8192(%rsp), %r11\n.LBB0_1:\n	subq	$4096, %rsp\n	{}\n	cmpq	%r11, %rsp\n	jne	.LBB0_1"
    lines = loop + "\n	movq	%rax, 8200(%rsp)\n	leaq	-32(%rbp), %rsp"
    prove(CODE.format(lines.format("movq	$0, (%rsp)")), inlined=False)
    for line in ("movq	$0, %gs:(%esp)", "movq	$0, 8(%rsp)"):
        with pytest.raises(UnprovenError):
            prove(CODE.format(lines.format(line)), inlined=False)


#: Structs by value on the stack, and variables whose address the code generator keeps in a register.
PASSES_STRUCTS = """struct __align__(32) S {{ {type} v[{n}]; }};
__device__ __noinline__ float total(S s, int k)
{{
    s.v[0] += k;
    float sum = 0;
    for (int i = 0; i < {n}; i++) sum += s.v[i];
    return sum;
}}
__device__ float swapped(S s, S t, int n) {{ return n ? swapped(t, s, n - 1) + total(s, n) : total(t, n); }}
__global__ void passes_structs(float* out)
{{
    S here = {{}}, there = {{}};
    {type} last[{n}] = {{}};
    for (int i = 0; i < {n}; i++) here.v[i] = last[{n} - 1 - i] = i;
    there.v[0] = last[0];
    out[blockIdx.x * blockDim.x + threadIdx.x] = swapped(here, there, threadIdx.x % 2);
}}"""


@pytest.mark.parametrize(("type_", "n"), [("char", 1), ("float", 9), ("double", 17), ("float", 65)])
@pytest.mark.parametrize("threads", [4, 2048])
def test_no_struct_is_refused(type_: str, n: int, threads: int) -> None:
    kernel = Kernel(PASSES_STRUCTS.format(type=type_, n=n), "passes_structs")
    run = kernel.emulate(-(-threads // 1024), min(threads, 1024), [np.zeros(threads, np.float32)])
    assert not run.findings and run.completed

    def total(s: int, k: int) -> int:
        return s + k

    def swapped(s: int, t: int, k: int) -> int:
        return swapped(t, s, k - 1) + total(s, k) if k else total(t, k)

    whole = n * (n - 1) // 2
    np.testing.assert_array_equal(run.outputs[0][:4], [swapped(whole, n - 1, k % 2) for k in range(4)])


@pytest.mark.parametrize("build", [Build.PLAIN, Build.OPTIMIZED])
def test_no_number_of_parameters_is_refused(build: Build) -> None:
    """The code generator copies the stack's pointer, to put this many arguments there."""
    types = "int float double char short".split()
    parameters = ", ".join(f"{types[i % 5]} p{i}" for i in range(25))
    total, names = (by.join(f"p{i}" for i in range(25)) for by in (" + ", ", "))
    text = f"""__device__ __noinline__ float total({parameters}) {{ return {total}; }}
__global__ void k(float* out, {parameters}) {{ out[threadIdx.x] = total({names}); }}"""
    assert isinstance(compile_kernel(text, "k", build), Module)
