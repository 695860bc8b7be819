"""How far does a producer get, if nobody takes what it has loaded?"""

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.kernel import Kernel
from autograder.cuda.schedules.loads_ahead import loads_ahead

pytestmark = inputs.emulation

RING = """
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void ring(const int* in, int* out, int tiles)
{
    __shared__ int slots[SLOTS][32];
    __shared__ Barrier full[SLOTS], empty[SLOTS];
    int t = threadIdx.x % 32, sum = 0;
    if (threadIdx.x < SLOTS) {
        init(&full[t], 32);
        init(&empty[t], 32);
    }
    __syncthreads();
    for (int k = 0; k < tiles; ++k) {
        int s = k % SLOTS, turn = k / SLOTS;
        if (threadIdx.x < 32) {
            WAIT
            __syncwarp();  // lets others go on, in between
            slots[s][t] = in[32 * k + t];
            (void)full[s].arrive();
        } else {
            full[s].wait_parity(turn % 2);
            sum += slots[s][31 - t];
            (void)empty[s].arrive();
        }
    }
    if (threadIdx.x >= 32) out[t] = sum;
}
"""
FREE = "empty[s].wait_parity((turn + 1) % 2);"
READ = "if (k > 0) empty[(k - 1) % SLOTS].wait_parity((k - 1) / SLOTS % 2);"


@pytest.mark.parametrize(("slots", "tiles", "ahead"), [(1, 5, 32), (3, 5, 96), (3, 2, 64), (4, 9, 128)])
def test_all_slots_are_filled_before_anything_is_taken(slots: int, tiles: int, ahead: int) -> None:
    assert counted(RING.replace("WAIT", FREE).replace("SLOTS", str(slots)), tiles) == ahead


def test_a_producer_that_waits_for_what_is_not_needed_is_not_ahead() -> None:
    assert counted(RING.replace("WAIT", READ).replace("SLOTS", "3"), 5) == 32


@pytest.mark.parametrize(
    "decoy",
    [
        "if (k == 0) for (int j = 1; j < 3; ++j) sum += in[32 * j + t];",
        "if (k == 0) for (int j = 1; j < 3; ++j) slots[j][t] = in[32 * j + t];",
    ],
    ids=["loads", "stores"],
)
def test_what_nobody_takes_is_not_ahead(decoy: str) -> None:
    assert counted(RING.replace("WAIT", f"{READ} {decoy}").replace("SLOTS", "3"), 5) == 32


def test_without_another_threads_number_nothing_is_ahead() -> None:
    assert counted(RING.replace("WAIT", FREE).replace("SLOTS", "2").replace("slots[s][31 - t]", "1"), 5) == 0


def counted(source: str, tiles: int) -> int:
    args = [np.ones(32 * tiles, np.int32), np.zeros(32, np.int32), tiles]
    launch = Kernel(source, "ring").prepare(1, 64, args)
    return loads_ahead(launch, emulator.run(launch))
