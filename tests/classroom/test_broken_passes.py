"""The verifier refuses real modules as soon as one pass is left out, or one hook is deleted or wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import inputs
import pytest

from autograder.classroom import attacks
from autograder.classroom.attacks import prelude
from autograder.cuda.compiler import front_end, machine_code, passes, toolchain
from autograder.cuda.compiler.cache import workplace
from autograder.cuda.compiler.clang import clang
from autograder.cuda.compiler.emulator_runtime import build_runtime
from autograder.cuda.compiler.ir import Call, Instruction, Module, Store, read_instruction, read_module
from autograder.cuda.compiler.verifier import Surroundings, UnprovenError, judge, verify
from autograder.cuda.compiler.verifier.entries import runtime_entries
from autograder.cuda.core.findings import ForbiddenCode

pytestmark = inputs.emulation_of_attacks

#: Accesses of all kinds: of all widths, of copies, of the prelude's functions, of local variables by an index.
EVERYTHING = """
#include <cooperative_groups.h>
#include <cuda/atomic>
struct Pair { float x; int n[3]; };
struct Bits { int low : 4; int high : 20; char more[12]; };
__constant__ float factors[4];
__device__ const int table[4] = {1, 2, 3, 4};
__device__ float twice(float x) { return 2 * x; }
__device__ float next(float x) { return x + 1; }
__device__ Pair larger(Pair p) { p.x *= 2; return p; }
__global__ void k(float* out, Pair* pairs, Bits* bits, double* wide, char* narrow)
{
    __shared__ float tile[64];
    Pair own[3];
    unsigned i = threadIdx.x;
    own[i % 3].n[i % 2] = table[i % 4];
    own[1] = pairs[i];
    pairs[i] = larger(own[i % 3]);
    tile[i] = out[i] * factors[i % 4];
    bits[i].high = bits[i].low + own[i % 3].n[1];
    __syncthreads();
    wide[i] += narrow[i]--;
    *(float4*)&out[4 * i] = *(const float4*)&tile[0];
    float (*f)(float) = i % 2 ? next : twice;
    out[i] = f(__shfl_xor_sync(~0u, tile[i], 1)) + __ballot_sync(~0u, i);
    atomicMax((int*)out, 3);
    cuda::atomic_ref<int, cuda::thread_scope_block>(((int*)out)[1]).fetch_add(1);
    auto group = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    out[2] = group.shfl(tile[i], 1) + sinf(out[3]) + __syncthreads_count(i);
    printf("%d\\n", i);
    assert(out[i] == out[i]);
}
"""


def compiled(inline: int = passes.MAX_INLINED, instrument: list[str] | None = None) -> Module:
    """The module as the verifier gets it."""
    with workplace() as folder:
        return _compiled(folder, inline, machine_code.INSTRUMENT if instrument is None else instrument)


def _compiled(folder: Path, inline: int, instrument: list[str]) -> Module:
    text = front_end.read(build_runtime(), EVERYTHING, "")
    assert isinstance(text, front_end.Text), text
    lowered = front_end.lower(build_runtime(), EVERYTHING, text, folder)
    assert isinstance(lowered, front_end.Text), lowered
    ir = lowered.module("")
    passes.prepare(ir, {})
    (folder / "kernel.ll").write_text(passes.rename_user_functions(ir), encoding="utf-8")
    assert clang([*instrument, "-emit-llvm", "kernel.ll", "-o", "instrumented.ll"], folder) is None
    reported = read_module((folder / "instrumented.ll").read_text(encoding="utf-8"))
    passes.finish(reported, inline)
    return reported


@pytest.mark.parametrize("inline", [0, passes.MAX_INLINED])
def test_a_whole_module_is_let_through(inline: int) -> None:
    proofs = verify(compiled(inline))
    assert {how for how, count in proofs.items() if count} == {"local", "constant", "given", "hooked"}


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("remove_marks", "a list of the compiler's"),
        ("mark_odd_widths", "an access without a hook"),
        ("call_by_name", "a call through a pointer"),
        ("remove_constructor", "a list of the compiler's"),
        ("trap_unreachable", "an end without a trap"),
        ("guard_accesses", "an access without a hook"),
    ],
)
def test_a_pass_that_is_left_out_is_noticed(name: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, name, lambda module: None)
    with pytest.raises(UnprovenError, match=what):
        verify(compiled())


@pytest.mark.parametrize(
    "call",
    [
        "cuda::atomic_ref<int>(*(int*)out).wait(0);",
        "cg::reduce(*(Tile*)out, 1, cg::plus<int>());",
    ],
)
def test_a_refusal_inside_the_preludes_functions_has_the_students_line(
    call: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("autograder.cuda.compiler.cache._apart", tmp_path)  # nobody else gets such a module
    monkeypatch.setattr(passes, "guard_accesses", lambda module: None)
    text = attacks.kernel(f"out[0] = 1;\n{call}", f"{prelude.HEADERS}// {call}")
    refused = toolchain.compile_kernel(text, "k")
    assert isinstance(refused, ForbiddenCode)
    assert (refused.text, text.split("\n")[refused.line - 1]) == (call, call)


def test_functions_that_keep_their_names_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "rename_user_functions", Module.text)
    with pytest.raises(UnprovenError, match="a function by a name that a library may have"):
        verify(compiled())


def test_numbers_that_are_not_counted_are_noticed() -> None:
    module = compiled()
    module.items.remove(module.globals["@emu_accesses"])
    with pytest.raises(UnprovenError, match="an access with another's number"):
        verify(module)


def test_the_compilers_own_pass_left_out_is_noticed() -> None:
    plain = [flag for flag in machine_code.INSTRUMENT if not flag.startswith("-fsanitize=")]
    assert plain != machine_code.INSTRUMENT
    with pytest.raises(UnprovenError, match="an access without a hook"):
        verify(compiled(instrument=plain))


# ---- one hook at a time ---------------------------------------------------------------------------------------


@cache
def text_of_module() -> str:
    return compiled().text()


def needed_hooks(module: Module) -> Iterator[tuple[str, int, int, int]]:
    """Each call of a hook before an access that nothing else allows: its function, its block, its position there, and
    the access's. (What is the function's own needs no hook, and may have one.)"""
    around = Surroundings(module)
    for function in module.functions.values():
        judged = judge(function, around)
        for b, block in enumerate(function.blocks):
            for n, call in enumerate(block.instructions):
                if isinstance(call, Call) and (entry := runtime_entries().get(call.callee)) and entry.hooks:
                    access = next((a for a in judged if a.block == b and a.position > n), None)
                    if access and access.proof == "hooked":
                        yield function.name, b, n, access.position


def deleted(instructions: list[Instruction], hook: int, access: int) -> None:
    del instructions[hook]


def moved_after(instructions: list[Instruction], hook: int, access: int) -> None:
    instructions.insert(access, instructions.pop(hook))


def other_place(instructions: list[Instruction], hook: int, access: int) -> None:
    call = instructions[hook]
    assert isinstance(call, Call)
    pointer = next(argument.value for argument in call.arguments if argument.type == "ptr")
    instructions[hook] = read_instruction(call.text.replace(f"ptr {pointer}", "ptr @emu_dynamic", 1))


def wider_access(instructions: list[Instruction], hook: int, access: int) -> None:
    old = instructions[access]
    if isinstance(old, Store):
        instructions[access] = read_instruction(f"  store [32 x i8] undef, ptr {old.pointer.value}, align 1")
    else:
        del instructions[hook]


@pytest.mark.parametrize("change", [deleted, moved_after, other_place, wider_access])
def test_each_hook_is_needed(change: Callable[[list[Instruction], int, int], None]) -> None:
    text = text_of_module()
    places = list(needed_hooks(read_module(text)))
    assert len(places) > 20
    accepted = []
    for name, b, hook, access in places:
        module = read_module(text)
        instructions = module.functions[name].blocks[b].instructions
        text_of_hook = instructions[hook].text
        change(instructions, hook, access)
        try:
            verify(module)
        except UnprovenError:
            continue
        accepted.append((name, text_of_hook))
    assert accepted == []
