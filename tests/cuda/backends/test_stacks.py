"""Which stack a thread runs on: its own while it lives, and then another thread's."""

from __future__ import annotations

import inputs
import numpy as np
import pytest

from autograder.cuda.kernel import Kernel

pytestmark = inputs.emulation

ADDRESSES = """
__device__ unsigned long long place_of(int* mine) { return (unsigned long long)mine; }

__global__ void addresses(unsigned long long* out, int waits)
{
    int mine[4] = {1, 2, 3, 4};
    out[blockIdx.x * blockDim.x + threadIdx.x] = place_of(mine);
    if (waits) __syncthreads();
    mine[threadIdx.x % 4]++;
}
"""

#: In each block, every second thread has an array, and leaves it in the middle.
ARRAYS = """
__global__ void some_with_arrays(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i % 2) {
        int sums[16];
        for (int k = 0; k < 16; k++) {
            sums[k] = in[i] + k;
            if (sums[k] % 5 == 0) { out[i] = sums[k]; return; }
        }
    }
    long long pieces[3] = {in[i], 1, 2};
    out[i] = int(pieces[0] + pieces[1] + pieces[2]);
}
"""

UNWRITTEN = """
__global__ void unwritten(int* out)
{
    int mine[4];
    if (threadIdx.x % 2 == 0) mine[1] = 7;
    out[threadIdx.x] = mine[1];
}
"""


@pytest.mark.parametrize(("waits", "stacks"), [(0, 1), (1, 100)])
def test_threads_share_a_stack_unless_they_live_at_the_same_time(waits: int, stacks: int) -> None:
    run = Kernel(ADDRESSES, "addresses").emulate(3, 100, [np.zeros(300, np.uint64), waits])
    assert run.findings == ()
    (places,) = run.outputs
    for block in places.reshape(3, 100):
        assert len(set(block)) == stacks


@pytest.mark.parametrize("n", [10, 1000, 5000])
def test_arrays_of_a_thread_leave_nothing_to_the_next_one_on_its_stack(n: int) -> None:
    numbers = np.arange(n, dtype=np.int32)
    run = Kernel(ARRAYS, "some_with_arrays").emulate(-(-n // 128), 128, [numbers, np.zeros_like(numbers), n])
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[1], np.where(numbers % 2, -(-numbers // 5) * 5, numbers + 3))


def test_what_a_thread_wrote_is_no_value_for_the_next_one_on_its_stack() -> None:
    (finding,) = Kernel(UNWRITTEN, "unwritten").emulate(1, 64, [np.zeros(64, np.int32)]).findings
    assert finding.kind == "UninitializedRead"
    assert (finding.accesses[0].thread[0], finding.accesses[0].line) == (1, 6)
