"""Which loads from global memory does a thread begin before it goes on with what it has, and which when it is done?"""

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.kernel import Kernel
from autograder.cuda.schedules.early_loads import early_loads

pytestmark = inputs.emulation

SOURCE = """
__global__ void sums(const float* in, float* out)
{
    __shared__ float tile[2][32];
    int t = threadIdx.x;
    float sum = 0;
    tile[0][t] = in[t];
    __syncthreads();
    for (int phase = 0; phase < 4; ++phase) {
        float next = 0;
        if (ORDER < 2 && phase < 3) next = in[32 * (phase + 1) + t];
        if (ORDER == 1) tile[1 - phase % 2][t] = next;
        sum += tile[phase % 2][31 - t];
        if (ORDER == 2 && phase < 3) next = in[32 * (phase + 1) + t];
        if (ORDER != 1) tile[1 - phase % 2][t] = next;
        __syncthreads();
    }
    out[t] = ORDER >= 3 && t < 8 ? sum + 0 * in[t] : sum;
    if (ORDER == 4) ((volatile float*)tile[0])[t];
}
"""


@pytest.mark.parametrize(("order", "early"), [(0, 3 * 32), (1, 0), (2, 0)])
def test_a_load_is_early_if_its_thread_next_reads_shared_memory(order: int, early: int) -> None:
    assert counted(order) == (early, 0, 4 * 32)


@pytest.mark.parametrize(("order", "early"), [(3, 0), (4, 8)])
def test_a_load_is_late_if_its_thread_writes_to_shared_memory_no_more(order: int, early: int) -> None:
    assert counted(order) == (early, 8, 32 + 8)


def counted(order: int) -> tuple[int, int, int] | None:
    args = [np.ones(128, np.float32), np.zeros(32, np.float32)]
    launch = Kernel(SOURCE.replace("ORDER", str(order)), "sums").prepare(1, 32, args)
    return early_loads(launch, emulator.run(launch))
