"""The resources that a kernel takes, and how much fits on a multiprocessor."""

from __future__ import annotations

from pathlib import Path

import inputs
import pytest

from autograder import Kernel
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.nvrtc.occupancy import GPUS, Occupancy, measure, occupancy
from autograder.cuda.performance import measurements

pytestmark = pytest.mark.cached(
    *inputs.EMULATION, "autograder/cuda/performance/measurements.py", "book/data/occupancy_*.csv"
)

MEASURED = Path(__file__).parents[3] / "book" / "data" / "occupancy_nvidia_h200.csv"
needs_nvrtc = pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")

SPILLS = """\
__global__ void __launch_bounds__(256, 4) hold(float* a)
{
    __shared__ float tile[64];
    float held[100];
    for (int i = 0; i < 100; ++i)
        held[i] = a[i * 256 + threadIdx.x];
    tile[threadIdx.x % 64] = held[0];
    __syncthreads();
    for (int i = 0; i < 100; ++i)
        a[i * 256 + threadIdx.x] = held[i] * held[99 - i] + tile[0];
}
"""


def test_agrees_with_the_driver_of_a_gpu() -> None:
    rows = measurements.read(MEASURED)
    different = []
    for row in rows:
        shared = int(row["static_shared"]) + int(row["shared_mem"])
        ours = occupancy(GPUS["H200"], int(row["block"]), int(row["registers"]), shared)
        if ours.blocks_per_sm != int(row["blocks_per_sm"]):
            different.append((row, ours))
    assert not different
    # Each limit decides in some row, and in some nothing fits.
    limiters = {
        occupancy(GPUS["H200"], int(r["block"]), int(r["registers"]), int(r["static_shared"]) + int(r["shared_mem"]))
        .limiters[-1]
        for r in rows
    }  # fmt: skip
    assert limiters == {"warps", "blocks", "registers", "shared memory"}
    assert {row["blocks_per_sm"] for row in rows} >= {"0", "1", "32"}


@pytest.mark.parametrize(
    ("gpu", "block", "registers", "shared", "blocks", "limiters"),
    [
        ("T4", 256, 32, 0, 4, ("warps",)),
        ("T4", 32, 16, 0, 16, ("blocks",)),
        ("T4", 64, 16, 0, 16, ("warps", "blocks")),
        ("A100", 256, 64, 0, 4, ("registers",)),
        # 65 registers are handed out as 72, in units of 8 a thread.
        ("A100", 128, 65, 0, 7, ("registers",)),
        ("A100", 32, 40, 0, 32, ("blocks",)),
        # 1 KB of each block's shared memory is the system's: 164 KB hold 8 blocks of 19 KB, and not 9.
        ("A100", 128, 32, 18 * 1024, 8, ("shared memory",)),
        ("A100", 128, 32, 163 * 1024, 1, ("shared memory",)),
        ("A100", 128, 32, 163 * 1024 + 1, 0, ("shared memory",)),
        # On a T4 none is: 64 KB hold 4 blocks of 16 KB.
        ("T4", 128, 32, 16 * 1024, 4, ("shared memory",)),
        ("Orin", 1024, 32, 0, 1, ("warps",)),
        ("RTX30", 1024, 40, 0, 1, ("warps", "registers")),
        ("RTX40", 32, 40, 0, 24, ("blocks",)),
        # Each of an SM's four parts has registers for two such warps: no room for nine of them.
        ("H100", 288, 255, 0, 0, ("registers",)),
        ("H100", 256, 255, 0, 1, ("registers",)),
        ("B200", 1024, 32, 0, 2, ("warps", "registers")),
    ],
)
def test_by_hand(gpu: str, block: int, registers: int, shared: int, blocks: int, limiters: tuple[str, ...]) -> None:
    warps = -(-block // 32)
    expected = Occupancy(blocks, blocks * warps, GPUS[gpu].warps, limiters)
    assert occupancy(GPUS[gpu], block, registers, shared) == expected


@pytest.mark.parametrize("block", [0, 1025])
def test_no_gpu_has_such_a_block(block: int) -> None:
    with pytest.raises(UsageError, match="from 1 to 1024 threads"):
        occupancy(GPUS["T4"], block, 32, 0)


@needs_nvrtc
@pytest.mark.parametrize("name", GPUS)
def test_what_a_kernel_takes(name: str) -> None:
    taken = Kernel(SPILLS, "hold").resources(GPUS[name].arch)
    assert taken.arch == GPUS[name].arch
    assert taken.shared_bytes == 64 * 4
    assert 0 < taken.registers <= 64  # 4 blocks of 256 threads in 64 K registers, as it asks for
    assert taken.local_bytes >= 4 * (100 - 64) and taken.spill_stores > 0
    free = Kernel(SPILLS.replace(" __launch_bounds__(256, 4)", ""), "hold").resources(GPUS[name].arch)
    assert free.registers > 100 and free.local_bytes == free.spill_stores == free.spill_loads == 0


@needs_nvrtc
def test_local_memory_and_what_is_moved_are_not_the_same() -> None:
    # Sums that need each value many times: what is spilled once is loaded often.
    source = """\
    __global__ void __launch_bounds__(1024, 2) mix(float* a)
    {
        float x[60], sum = 0;
        for (int i = 0; i < 60; ++i)
            x[i] = a[i * 32 + threadIdx.x];
        for (int round = 0; round < 60; ++round)
            for (int i = 0; i < 60; ++i)
                x[i] = x[i] * x[(i + 7) % 60] + x[(i + 20) % 60];
        for (int i = 0; i < 60; ++i)
            sum += x[i];
        a[0] = sum;
    }"""
    taken = Kernel(source, "mix").resources("sm_90")
    assert len({taken.local_bytes, taken.spill_stores, taken.spill_loads}) == 3
    log = nvrtc.compile_for(source, "mix", "sm_90").log
    assert (
        f"{taken.local_bytes} bytes stack frame, {taken.spill_stores} bytes spill stores, "
        f"{taken.spill_loads} bytes spill loads"
    ) in log


@needs_nvrtc
def test_a_second_compile_says_the_same() -> None:
    # On a machine with a GPU, NVRTC would cache the first one, and not report registers the second time.
    assert measure(SPILLS, "hold", "sm_90") == measure(SPILLS, "hold", "sm_90")


def test_a_compiler_that_says_nothing_is_no_kernel_without_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "compile_for", lambda source, name, arch, standard: nvrtc.NvrtcResult(True, arch, ""))
    with pytest.raises(GraderFault, match="did not say what it takes"):
        measure(SPILLS, "hold", "sm_90")


@needs_nvrtc
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("__global__ void hold(int* a) {\n*a = b; }", "for sm_80: line 2: identifier"),
        ('#include "near.h"\n__global__ void hold(int* a) {}', "Line 1 of the text holds #include"),
    ],
)
def test_a_text_that_is_not_taken(source: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Kernel(source, "hold").resources("sm_80")
