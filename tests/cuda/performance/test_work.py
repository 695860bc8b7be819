"""What a launch computes and moves: is it counted as by hand, and what limits it?"""

import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.core.launch import Launch
from autograder.cuda.errors import GraderFault
from autograder.cuda.kernel import Kernel
from autograder.cuda.performance.roofline import LIMITS, Machine, Workload, count_work

HORNER = """
// 2 + 3 float operations for each element inside; index arithmetic is none of them.
__global__ void horner(const float* x, float* y, int n)
{
    __shared__ float scale[1];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        scale[0] = 2.0f;    /* a float in a comment */
    __syncthreads();
    if (i >= n)
        return;
    float value = (x[i] * x[i] + 1.0f) / scale[0];
    value *= 3.0f;
    y[i] = -1.0f * value - 0.5f - value;
}
"""


def launch(source: str, n: int = 40) -> Launch:
    x = np.linspace(0, 1, n, dtype=np.float32)
    return Kernel(source, "horner").prepare(2, 32, [x, np.zeros(n, np.float32), n])


def test_work_is_counted_as_by_hand() -> None:
    work = count_work(launch(HORNER), emulator.run)
    # x[i] is loaded twice in the source; the 128 bytes of a wavefront count for each warp's load and store of scale.
    assert work == Workload(operations=7 * 40, bytes=4 * 3 * 40, shared_bytes=128 * (2 + 2), waits=64)
    assert work.intensity == pytest.approx(7 / 12)


def test_what_cannot_be_counted_is_our_fault() -> None:
    scalar = HORNER.replace("int n)", "int n, float a)")
    with pytest.raises(GraderFault, match="cannot be counted"):
        count_work(Kernel(scalar, "horner").prepare(2, 32, [*launch(HORNER).args, 2.0]), emulator.run)
    with pytest.raises(GraderFault, match="did not complete"):
        count_work(launch(HORNER.replace("y[i] =", "y[i + n] =")), emulator.run)


def test_the_longest_time_is_the_limit() -> None:
    machine = Machine("GPU", memory=10.0, shared=100.0, arithmetic=1000.0)
    work = Workload(operations=3000, bytes=20, shared_bytes=500, waits=0)
    assert machine.times(work) == {"memory": 2.0, "shared": 5.0, "arithmetic": 3.0}
    assert machine.limit(work) == "shared" and set(LIMITS) == set(machine.times(work))
