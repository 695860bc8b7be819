"""How much of its shared arrays does a launch use?"""

import inputs
import numpy as np
import pytest

from autograder.backends import emulator
from autograder.core.launch import prepare
from autograder.schedules.touched import touched_shared

pytestmark = inputs.emulation

SOURCE = """
__global__ void turn(float* out)
{
    extern __shared__ float row[];
    __shared__ float tile[8][ROW];
    __shared__ double never[SPARE];
    int t = threadIdx.x;
    row[t] = t;
    tile[t / 8][t % 8] = t;
    __syncthreads();
    if (SPARE < 0) out[t] = never[t];
    out[t] = tile[t % 8][t / 8] + row[t];
}
"""


@pytest.mark.parametrize(("row", "declared"), [(8, 264), (9, 296), (100, 3208)])
def test_bytes_that_some_thread_reads_or_writes(row: int, declared: int) -> None:
    source = SOURCE.replace("ROW", str(row)).replace("SPARE", "1")
    launch = prepare(source, "turn", 2, 64, [np.zeros(64, np.float32)], shared_mem=512)
    run = emulator.run(launch)
    assert touched_shared(launch, run) == (64 * 4, 64 * 4)
    assert run.static_shared == declared
