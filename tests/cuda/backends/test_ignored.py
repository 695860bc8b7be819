"""A launch without the synchronization calls of some lines does what the text does with these calls deleted."""

from __future__ import annotations

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.compiler.engine import VARIABLE, Engine
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import SyncCall
from autograder.cuda.kernel import Kernel

pytestmark = inputs.emulation

HEAD = "#include <cooperative_groups.h>\n#include <cooperative_groups/memcpy_async.h>\n"
HEAD += "namespace cg = cooperative_groups;\n"
#: Calls between a write and a read, by what they order; and the runtime's function for each.
CALLS = {
    "__syncthreads();": "emu_barrier",
    "cg::this_thread_block().sync();": "emu_barrier",
    "cg::sync(cg::this_thread_block());": "emu_barrier",
    "cg::thread_group(cg::this_thread_block()).sync();": "emu_barrier",
    "__syncwarp();": "emu_warp_barrier",
    "cg::tiled_partition<32>(cg::this_thread_block()).sync();": "emu_warp_barrier",
    "cg::this_grid().sync();": "emu_grid_barrier",
    "cg::this_cluster().sync();": "emu_cluster_barrier",
}
#: Each thread of a warp, of a block or of the grid reads what another one has written.
READS = {
    "emu_barrier": "t ^ 32",
    "emu_warp_barrier": "t ^ 1",
    "emu_grid_barrier": "t ^ 64",
    "emu_cluster_barrier": "t ^ 64",
}


def launch(body: str, blocks: int = 2, cluster: bool = False, before: str = "") -> Launch:
    dims = "__cluster_dims__(2, 1, 1) " if cluster else ""
    start = "    int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
    text = f"{HEAD}{before}__global__ void {dims}k(int* data, int* out)\n{{\n{start}{body}}}\n"
    return Kernel(text, "k").prepare(blocks, 64, [np.zeros(64 * blocks, np.int32) for _ in range(2)])


def line_of(requested: Launch, text: str) -> int:
    return 1 + next(i for i, line in enumerate(requested.source.split("\n")) if text in line)


@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_orders_accesses(call: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    function = CALLS[call]
    body = f"data[t] = t;\n{call}\nout[t] = data[{READS[function]}];\n"
    requested = launch(body, cluster="cluster" in call)
    line = line_of(requested, call)
    run = emulator.run(requested)
    assert not run.findings
    assert run.sync_calls == (SyncCall(line, function),)
    assert not emulator.run(requested.with_experiment(ignored=frozenset({line - 1, line + 1}))).findings
    without = emulator.run(requested.with_experiment(ignored=frozenset({line})))
    deleted = emulator.run(launch(body.replace(call, ""), cluster="cluster" in call))
    assert without.findings
    assert without.findings == deleted.findings
    assert without.outputs[1].tobytes() == deleted.outputs[1].tobytes()


@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize("fence", ["__threadfence();", "__threadfence_block();"])
def test_a_fence(fence: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    blocks = 1 if "block" in fence else 2
    body = f"""
        if (t % 64 == 0) {{
            data[1 + blockIdx.x] = 7;
            {fence}
            if (atomicAdd(data, 1) == gridDim.x - 1) {{
                __threadfence();
                out[0] = data[1 + (blockIdx.x ^ 1)];
            }}
        }}
    """
    requested = launch(body, blocks)
    line = line_of(requested, fence)
    run = emulator.run(requested)
    assert not run.findings
    assert SyncCall(line, "emu_fence") in run.sync_calls
    without = emulator.run(requested.with_experiment(ignored=frozenset({line})))
    assert bool(without.findings) == (blocks == 2)  # a single thread needs none


def test_lines_whose_calls_do_more_are_none() -> None:
    body = """
        __shared__ alignas(16) int tile[64];
        cg::memcpy_async(cg::this_thread_block(), tile, data, sizeof(tile));
        cg::wait(cg::this_thread_block());
        int some = __syncthreads_or(tile[t % 64]);
        some += __shfl_sync(~0u, some, 0) + __all_sync(~0u, some);
        __threadfence_system();
        atomicAdd(&out[t], some);
    """
    run = emulator.run(launch(body))
    assert not run.findings
    assert not run.sync_calls


def test_each_instance_of_a_template_and_each_round_of_a_loop_is_ignored() -> None:
    meet = "template <int N> __device__ void meet()\n{\n    for (int i = 0; i < N; i++)\n        __syncthreads();\n}\n"
    body = "data[t] = t;\nmeet<1>();\nmeet<2>();\nout[t] = data[t ^ 32];\n"
    requested = launch(body, before=meet)
    line = line_of(requested, "__syncthreads")
    run, without = emulator.run(requested), emulator.run(requested.with_experiment(ignored=frozenset({line})))
    assert run.sync_calls == (SyncCall(line, "emu_barrier"),)
    assert not run.findings
    assert without.findings
    assert [each.counts.barriers for each in (run, without) if each.counts] == [3 * 128, 0]
