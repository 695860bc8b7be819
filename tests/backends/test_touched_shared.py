"""How much of its shared arrays does a launch use?"""

import inputs
import numpy as np
import pytest

from autograder import Kernel

pytestmark = inputs.emulation

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
@pytest.mark.parametrize("fence", ["", "__threadfence();"])  # which leaves a launch to the precise run
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
