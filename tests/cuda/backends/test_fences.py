"""A fence, a barrier, and another thread's atomic: any thread of a block may release what each has fenced."""

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.compiler.engine import VARIABLE, Engine
from autograder.cuda.core.findings import Kind
from autograder.cuda.core.run import Run

pytestmark = inputs.emulation

SCHEDULES = ("forward", "backward", "random:3")

ACROSS = """__device__ unsigned done;
__global__ void k(int* tmp, int* out)
{
    __shared__ bool last;
    int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    BEFORE
    tmp[i] = i;
    AFTER
    if (threadIdx.x == 0)
        last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        out[threadIdx.x] = tmp[n - 1 - threadIdx.x] + tmp[63 - threadIdx.x];
    }
}
"""

TICKETS = """__global__ void k(int* partial, unsigned* ticket, int* out)
{
    if (threadIdx.x == 0) partial[blockIdx.x] = blockIdx.x;
    if (threadIdx.x == WHO) __threadfence();
    __syncthreads();
    bool drew_last = atomicAdd(ticket, 1u) == gridDim.x * blockDim.x - 1;
    if (__syncthreads_or(drew_last) && threadIdx.x == 0) {
        *out = partial[0] + partial[1];
        *ticket = 0;
    }
}
"""

WITHIN = """__global__ void k(int* out)
{
    __shared__ int buffer[32], full;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) full = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        buffer[lane] = lane;
        AFTER
        if (lane == 0) atomicExch(&full, 1);
    } else {
        while (atomicAdd(&full, 0) == 0) {}
        __threadfence_block();
        out[lane] = buffer[31 - lane];
    }
}
"""


def run(text: str, schedule: str, **parts: str) -> Run:
    for name, part in parts.items():
        text = text.replace(name, part)
    across = "tmp" in text
    arrays = [np.zeros(128, np.int32), np.zeros(64, np.int32)] if across else [np.zeros(32, np.int32)]
    return Kernel(text, "k").emulate(2 if across else 1, 64, arrays, schedule=schedule)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(
    "after", ["__threadfence(); __syncthreads();", "__threadfence(); __syncwarp(); __syncthreads();"]
)
def test_a_barrier_passes_on_what_was_fenced_before_it(schedule: str, after: str) -> None:
    done = run(ACROSS, schedule, BEFORE="", AFTER=after)
    assert not done.findings and done.outputs[1].tolist() == [190 - 2 * t for t in range(64)]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_so_does_a_barrier_of_the_warp(schedule: str) -> None:
    done = run(WITHIN, schedule, AFTER="__threadfence_block(); __syncwarp();")
    assert not done.findings and done.outputs[0].tolist() == list(range(31, -1, -1))


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "__syncthreads();"),
        ("__threadfence();", "__syncthreads();"),
        ("__threadfence(); __syncthreads();", "__syncthreads();"),
        ("", "__threadfence_block(); __syncthreads();"),
        ("", "__threadfence();"),
        ("", "__threadfence(); __syncwarp();"),
        ("", "if (threadIdx.x == 0) __threadfence(); __syncthreads();"),
    ],
)
def test_what_no_fence_has_covered_before_the_barrier_races(schedule: str, before: str, after: str) -> None:
    done = run(ACROSS, schedule, BEFORE=before, AFTER=after)
    (finding,) = done.findings
    assert finding.kind is Kind.RACE and [access.line for access in finding.accesses] == [7, 14]


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("after", ["__threadfence_block();", "__syncwarp();"])
def test_a_fence_alone_is_not_passed_on_in_the_warp(schedule: str, after: str) -> None:
    (finding,) = run(WITHIN, schedule, AFTER=after).findings
    assert finding.kind is Kind.RACE and [access.line for access in finding.accesses] == [8, 14]


def draw_tickets(schedule: str, who: int) -> Run:
    arrays = [np.zeros(2, np.int32), np.zeros(1, np.uint32), np.zeros(1, np.int32)]
    return Kernel(TICKETS.replace("WHO", str(who)), "k").emulate(2, 64, arrays, schedule=schedule)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_last_of_all_tickets_comes_after_every_other(schedule: str) -> None:
    done = draw_tickets(schedule, 0)
    assert not done.findings and done.outputs[1] == 0 and done.outputs[2] == 1


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_of_another_threads_write_a_fence_before_the_barrier_says_nothing(schedule: str) -> None:
    (finding,) = draw_tickets(schedule, 32).findings
    assert finding.kind is Kind.RACE and [access.line for access in finding.accesses] == [3, 8]


#: Each block has a flag of its own, in shared memory, at an address that all blocks have in common.
COURSE_FLAGS = """__global__ void k(int* tmp, int* out)
{
    __shared__ int flag;
    if (blockIdx.x == 0) {
        tmp[threadIdx.x] = 1;
        __threadfence();
        atomicExch(&flag, 1);
    } else {
        atomicExch(&flag, 2);
        __threadfence();
        out[threadIdx.x] = tmp[threadIdx.x];
    }
}
"""


@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_blocks_shared_flag_tells_other_blocks_nothing(
    schedule: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, name)
    (finding,) = run(COURSE_FLAGS, schedule).findings
    assert finding.kind is Kind.RACE and [access.line for access in finding.accesses] == [5, 11]


#: Between the release and the acquisition, each block waits until the other has come as far.
IN_TURNS = """__global__ void k(int* tmp, int* out)
{
    __shared__ int value, flag;
    if (threadIdx.x == 0) {
        flag = 0;
        __threadfence_block();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        value = blockIdx.x;
        __threadfence_block();
        atomicExch_block(&flag, 1);
    } else if (threadIdx.x == 1) {
        atomicAdd(tmp, 1);
    } else if (threadIdx.x == 32) {
        while (atomicAdd(tmp, 0) < 2) {}
        while (atomicAdd_block(&flag, 0) == 0) {}
        __threadfence_block();
        out[blockIdx.x] = value;
    }
}
"""


@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_blocks_that_take_turns_keep_what_they_released(
    schedule: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, name)
    done = run(IN_TURNS, schedule)
    assert not done.findings and done.outputs[1][:2].tolist() == [0, 1]
