"""How much of its shared arrays does a launch use?"""

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.compiler.engine import VARIABLE, Engine
from autograder.cuda.core.findings import Kind

pytestmark = inputs.emulation
OUT = np.zeros(32, np.float32)

#: Two kernels, an array for one of them in each place that may have one, and arrays that no kernel reaches.
ANYWHERE = """
__shared__ float outside[100];
__shared__ int of_nobody[7];
__device__ float neighbor(float v)
{
    __shared__ double kept[DOUBLES];
    kept[threadIdx.x] = v;
    __syncthreads();
    return kept[(threadIdx.x + 1) % 32];
}
__device__ void unused() { __shared__ char never[77]; never[threadIdx.x] = 1; }
__global__ void one(float* out) { __shared__ float own[33]; own[threadIdx.x] = 1; out[threadIdx.x] = own[threadIdx.x]; }
__global__ void both(float* out)
{
    outside[threadIdx.x] = 1;
    out[threadIdx.x] = neighbor(outside[threadIdx.x]);
}
"""

SOURCE = """
__global__ void turn(float* out)
{
    extern __shared__ float row[];
    __shared__ float tile[8][ROW];
    __shared__ char letters[64];
    int t = threadIdx.x;
    row[t] = t;
    tile[t / 8][t % 8] = t;
    if (t % 4 < LETTERS) letters[t] = 'a';
    FENCE
    __syncthreads();
    out[64 * blockIdx.x + t] = tile[t % 8][t / 8] + row[t];
}
"""


@pytest.mark.parametrize("blocks", [2, 200])  # by one process, and by several that share the blocks
@pytest.mark.parametrize("fence", ["", "__threadfence();"])  # which leaves a launch to the full check
@pytest.mark.parametrize(("row", "letters"), [(8, 0), (9, 0), (100, 3)])
def test_bytes_that_some_thread_reads_or_writes(row: int, letters: int, fence: str, blocks: int) -> None:
    words = {"ROW": row, "LETTERS": letters, "FENCE": fence}
    source = SOURCE
    for word, value in words.items():
        source = source.replace(word, str(value))
    run = Kernel(source, "turn").emulate(blocks, 64, [np.zeros(64 * blocks, np.float32)], shared_mem=512)
    assert not run.findings
    assert run.touched_shared == (64 * 4 + 16 * letters, 64 * 4)


def test_a_run_that_only_counts_does_not_look() -> None:
    source = "__global__ void k(int* out) { __shared__ int t[4]; t[0] = 1; out[0] = t[0]; }"
    assert Kernel(source, "k").emulate(1, 1, [np.zeros(1, np.int32)]).touched_shared == (4, 0)
    assert Kernel(source, "k").emulate(1, 1, [np.zeros(1, np.int32)], checks=False).touched_shared is None


@pytest.mark.parametrize("name", Engine)
def test_arrays_of_fixed_size_count_wherever_they_are_declared(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    text = ANYWHERE.replace("DOUBLES", "32")
    bytes_of = {kernel: Kernel(text, kernel).emulate(1, 32, [OUT]).static_shared for kernel in ("one", "both")}
    assert bytes_of == {"one": 33 * 4, "both": 100 * 4 + 32 * 8}


def test_those_of_a_function_count_towards_what_a_gpu_has() -> None:
    text = ANYWHERE.replace("DOUBLES", "7000")
    (finding,) = Kernel(text, "both").emulate(1, 32, [OUT]).findings
    assert finding.kind is Kind.COMPILE_ERROR
    assert not Kernel(text, "one").emulate(1, 32, [OUT]).findings
