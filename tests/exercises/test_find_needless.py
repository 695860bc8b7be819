"""Which barriers, `__syncwarp`s and fences no case of an exercise needs."""

from __future__ import annotations

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import Run
from autograder.exercises.answers.answer import KernelAnswer
from autograder.exercises.answers.launches import Launches
from autograder.exercises.answers.tools import Tools
from autograder.exercises.checks.needless_barriers import Needless, find_needless
from autograder.exercises.declarations.declaration import Case, Output, declare
from autograder.exercises.declarations.draw import Draw

pytestmark = inputs.checking

NOTHING = Needless()


def reorder(launch: Launch, schedule: str) -> Run:
    return emulator.run(launch, schedule=schedule)


BLOCKS = (64, 32, 96)
HEAD = "__global__ void k(const int* x, int* out) { int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n;"


def case(draw: Draw, block: int) -> Case:
    x = draw.whole(-9, 9, 2 * block)
    return Case(2, block, [x, Output(2 * block, np.int32)], [x.reshape(2, block)[:, ::-1].ravel()])


def needless(body: str, *, blocks: tuple[int, ...] = BLOCKS) -> Needless:
    """What can go from a kernel that reverses each block's numbers in `out`; the body's lines count from 1."""
    exercise = declare("k", case, [{"block": block} for block in blocks])
    launches = Launches(
        exercise, KernelAnswer(f"{HEAD}\n{body}\n}}"), None, Tools(emulator.run, reorder=reorder), {}, {}
    )
    found = find_needless(exercise, launches)
    lines = {*found.together, *found.instead, *found.instead.values(), *found.unjudged}
    assert all(line > 1 for line in lines)
    return Needless(
        tuple(line - 1 for line in found.together),
        {line - 1: other - 1 for line, other in found.instead.items()},
        frozenset(line - 1 for line in found.fences),
        tuple(line - 1 for line in found.unjudged),
    )


#: Kernels by what they show, and what can go.
KERNELS = {
    "one that is needed": (
        """__shared__ int tile[96];
        tile[t] = x[i + t];
        __syncthreads();
        out[i + t] = tile[n - 1 - t];""",
        NOTHING,
    ),
    "at the end": (
        """__shared__ int tile[96];
        tile[t] = x[i + t];
        __syncthreads();
        out[i + t] = tile[n - 1 - t];
        __syncthreads();""",
        Needless((5,)),
    ),
    "at both ends": (
        """__syncthreads();
        out[i + t] = x[i + n - 1 - t];
        __syncthreads();""",
        Needless((1, 3)),
    ),
    "doubled": (
        """__shared__ int tile[96];
        tile[t] = x[i + t];
        __syncthreads();
        __syncthreads();
        out[i + t] = tile[n - 1 - t];""",
        Needless((3,), {4: 3}),
    ),
    "one of three": (
        """__shared__ int tile[96];
        __syncthreads();
        tile[t] = x[i + t];
        __syncthreads();
        n += 0;
        __syncthreads();
        out[i + t] = tile[n - 1 - t];""",
        Needless((2, 4), {6: 4}),
    ),
    "twice in a line": (
        """__shared__ int tile[96];
        tile[t] = x[i + t];
        __syncthreads(); __syncthreads();
        out[i + t] = tile[n - 1 - t];""",
        NOTHING,
    ),
    # Within a warp, __syncwarp is enough; beyond, only the barrier of the block.
    "for sizes above a warp": (
        """__shared__ int tile[96];
        tile[t] = x[i + t];
        __syncwarp();
        __syncthreads();
        out[i + t] = tile[n - 1 - t];""",
        Needless((3,)),
    ),
    "of a warp, needed": (
        """__shared__ int tile[96];
        tile[t] = x[i + n / 32 * 32 - 32 - t / 32 * 32 + t % 32];
        __syncwarp();
        out[i + t] = tile[t / 32 * 32 + 31 - t % 32];""",
        NOTHING,
    ),
    "of a warp, beside a shuffle": (
        """int mine = x[i + n / 32 * 32 - 32 - t / 32 * 32 + t % 32];
        __syncwarp();
        out[i + t] = __shfl_sync(~0u, mine, 31 - t % 32);""",
        Needless((2,)),
    ),
    # All calls of a line are judged together: those of a function, those in each round of a loop.
    "in a function, once needed": (
        """__shared__ int tile[96];
        auto meet = [] {
            __syncthreads();
        };
        meet();
        tile[t] = x[i + t];
        meet();
        out[i + t] = tile[n - 1 - t];
        meet();""",
        NOTHING,
    ),
    "in a loop, needed in the first round": (
        """__shared__ int tile[96];
        tile[t] = x[i + t];
        for (int round = 0; round < 3; ++round) {
            __syncthreads();
            out[i + t] = tile[n - 1 - t];
        }""",
        NOTHING,
    ),
    # A macro's calls stand where it is used.
    "of a macro": (
        """__shared__ int tile[96];
#define MEET __syncthreads()
        MEET;
        tile[t] = x[i + t];
        MEET;
        out[i + t] = tile[n - 1 - t];
        MEET;""",
        Needless((3, 7)),
    ),
    # What needs the barrier need not be of any use.
    "for a number that nobody wants": (
        """__shared__ int tile[96];
        tile[t] = 0;
        __syncthreads();
        volatile int other = tile[n - 1 - t];
        out[i + t] = x[i + n - 1 - t];""",
        NOTHING,
    ),
    "that tells": (
        """int all = __syncthreads_count(1);
        out[i + t] = x[i + all - 1 - t];
        __syncthreads_or(0);""",
        NOTHING,
    ),
    # Each round of the loop writes into the tile again that others have read in the round before.
    "between rounds": (
        """__shared__ int tile[96];
        for (int round = 0; round < 3; ++round) {
            tile[t] = x[i + t] + round;
            __syncthreads();
            out[i + t] = tile[n - 1 - t] - round;
            __syncthreads();
        }""",
        NOTHING,
    ),
    "between rounds, of two tiles": (
        """__shared__ int tile[2][96];
        for (int round = 0; round < 3; ++round) {
            tile[round % 2][t] = x[i + t] + round;
            __syncthreads();
            out[i + t] = tile[round % 2][n - 1 - t] - round;
            __syncthreads();
        }""",
        Needless((6,)),
    ),
    "before the sum of atomics": (
        """__shared__ int sum;
        if (t == 0) sum = 0;
        __syncthreads();
        atomicAdd(&sum, 1);
        __syncthreads();
        out[i + t] = x[i + sum - 1 - t];""",
        NOTHING,
    ),
    # No race tells of it: all accesses are atomic. Only in some orders the sum is read too early.
    "among atomics": (
        """__shared__ int sum;
        if (t == 0) atomicExch(&sum, 0);
        __syncthreads();
        if (t == n - 1) atomicExch(&sum, n - 1);
        __syncthreads();
        out[i + t] = x[i + atomicAdd(&sum, 0) - t];
        __syncthreads();""",
        Needless((7,)),
    ),
    "fences without atomics": (
        """out[i + t] = x[i + n - 1 - t];
        __threadfence();
        __threadfence_block();""",
        Needless((2, 3), fences=frozenset({2, 3})),
    ),
}


@pytest.mark.parametrize("what", KERNELS)
def test_what_can_go(what: str) -> None:
    body, expected = KERNELS[what]
    assert needless(body) == expected


@pytest.mark.parametrize(("blocks", "expected"), [((32,), Needless((4,))), ((64, 32), NOTHING)])
def test_each_case_may_need_it(blocks: tuple[int, ...], expected: Needless) -> None:
    body = """__shared__ int tile[96];
        tile[t] = x[i + t];
        __syncwarp();
        if (n > 32) __syncthreads();
        out[i + t] = tile[n - 1 - t];"""
    assert needless(body, blocks=blocks) == expected


def test_a_fence_beside_atomics_is_not_judged() -> None:
    body = """__shared__ int sum[1];
        if (t == 0) *sum = 0;
        __syncthreads();
        __threadfence();
        atomicAdd(sum, 1);
        out[i + t] = x[i + n - 1 - t];"""
    assert needless(body) == Needless(unjudged=(4,))
