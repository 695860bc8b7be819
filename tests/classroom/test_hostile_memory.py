"""Hostile kernels that reach for the memory around their own: the runtime's part of a stack, the module's code and
tables, and what the runtime holds for a warp. See test_hostile.py for the layers of protection."""

from __future__ import annotations

import inputs
import numpy as np
import pytest
from hostile_kernels import is_stopped, name_of, run, stopped_by

from autograder.classroom.attacks import Attack, accesses, kernel
from autograder.cuda.core.findings import CompileError, Crash

pytestmark = [
    inputs.emulation_of_attacks,
    pytest.mark.usefixtures("plain_and_optimized"),
    pytest.mark.sampled(among="plain_and_optimized"),
]


def test_a_text_may_end_with_its_array_or_its_precision() -> None:
    body = 'char a[4] = {65, 66, 67, 68}, b[2] = {69}; memset(out, 70, 256); printf("%.4s|%.*s|%s|", a, 2, a, b);'
    assert run(kernel(body + 'printf("%.64s", (const char*)out);')).printed == "ABCD|AB|E|" + 64 * "F"


@pytest.mark.parametrize("attack", accesses.COPIES, ids=name_of)
def test_no_copy_lands_on_a_stack_later(attack: Attack) -> None:
    finding = is_stopped(attack)
    assert isinstance(finding, Crash) and finding.reason == "copy of a local"


# ---- what lanes of a warp exchange ------------------------------------------------------------------------------

SHUFFLES = {
    "__shfl_sync(~0u, v, {})": lambda self, n: n % 32,
    "__shfl_up_sync(~0u, v, {})": lambda self, n: self - n % 32 if self >= n % 32 else self,
    "__shfl_down_sync(~0u, v, {})": lambda self, n: self + n % 32 if self + n % 32 < 32 else self,
    "__shfl_xor_sync(~0u, v, {})": lambda self, n: self ^ n % 32,
    "__shfl_up_sync(~0u, v, {}, 8)": lambda self, n: self - n % 32 if self % 8 >= n % 32 else self,
    "__shfl_down_sync(~0u, v, {}, 8)": lambda self, n: self + n % 32 if self % 8 + n % 32 < 8 else self,
}


@pytest.mark.sampled(by=lambda call: call, one_in=9)
@pytest.mark.parametrize("call", SHUFFLES)
@pytest.mark.parametrize("number", [0, 1, 31, 32, 33, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFF005])
def test_a_shuffle_reads_lanes_of_its_warp_alone(call: str, number: int) -> None:
    """Of a distance, five bits count (PTX ISA, "shfl.sync")."""
    text = kernel(f"int v = threadIdx.x; out[v] = {call.format(f'{number}u')};")
    done = run(text, 32)
    assert done.completed, done.findings
    expected = [SHUFFLES[call](lane, number) for lane in range(32)]
    np.testing.assert_array_equal(done.outputs[0][:32], expected)


TILE, COALESCED = "cg::tiled_partition<8>(cg::this_thread_block())", "cg::coalesced_threads()"


@pytest.mark.parametrize("call", ["shfl(v, n)", "shfl_up(v, n)", "shfl_down(v, n)", "shfl_xor(v, n)"])
@pytest.mark.parametrize("group", [TILE, COALESCED], ids=("tile", "coalesced"))
def test_a_group_reads_its_own_lanes_alone(call: str, group: str) -> None:
    if group == COALESCED:
        call = call.replace("_xor", "")  # only tiles have it
    body = f"""
    auto group = {group};
    int v = 100 + threadIdx.x;
    unsigned numbers[] = {{31u, 32u, 255u, 0x7fffffffu, 0x80000000u, 0xfffff000u, 0xffffffffu}};
    for (unsigned n : numbers) out[threadIdx.x] = group.{call};"""
    done = run(kernel(body, "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;"), 32)
    assert done.completed, done.findings
    assert set(done.outputs[0][:32]) <= set(range(100, 132))


@pytest.mark.parametrize(
    "call",
    [
        pytest.param("cg::labeled_partition(cg::coalesced_threads(), b).sync();", id="label"),
        pytest.param("cg::coalesced_threads().match_any(b);", id="match_any"),
        pytest.param("int all; cg::coalesced_threads().match_all(b, all);", id="match_all"),
        pytest.param("cg::coalesced_threads().shfl(b, 0);", id="group-shfl"),
        pytest.param("__shfl_sync(~0u, b, 0);", id="shfl"),
        pytest.param("__match_any_sync(~0u, b);", id="warp-match"),
        pytest.param("__reduce_add_sync(~0u, b);", id="reduce"),
        pytest.param('printf("%d", b);', id="printf"),
        pytest.param("cuda::atomic_ref<Big>(s).store(b);", id="atomic_ref"),
        pytest.param("cuda::atomic_ref<Big>(s).wait(b);", id="atomic-wait"),
        pytest.param("cuda::atomic<Big> a; a.exchange(b);", id="atomic"),
    ],
)
def test_a_value_too_large_to_exchange_is_a_compile_error(call: str) -> None:
    """It would be copied over what lies after eight bytes of the prelude's stack."""
    headers = "#include <cooperative_groups.h>\n#include <cuda/atomic>\nnamespace cg = cooperative_groups;"
    finding = stopped_by(kernel(f"Big b = {{}}; __shared__ Big s; {call}", f"{headers}\nstruct Big {{ long v[64]; }};"))
    assert isinstance(finding, CompileError)


def test_a_threads_own_atomic_object_may_be_exchanged() -> None:
    body = "cuda::atomic<int> a(2); int e = 2; a.compare_exchange_strong(e, 5); out[0] = a;"
    done = run(kernel(body, "#include <cuda/atomic>"))
    assert (done.findings, done.outputs[0][0]) == ((), 5)
