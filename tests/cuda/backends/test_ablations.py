"""Does a launch lose what came by memory, shuffles, swaps or matrix products if that is ablation, and no more?"""

from dataclasses import replace

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.compiler.engine import VARIABLE, Engine
from autograder.cuda.kernel import Kernel

pytestmark = inputs.emulation

#: Row 0 of out comes by shared memory, row 1 by constant memory, row 2 by a shuffle, row 3 by none; row 4 by shared
#: memory, two words at a time; row 5 by an atomic operation, which still finds what was written; row 6 by a
#: compare-and-swap; row 7 by a number that each thread left in shared memory for itself.
SOURCE = """__constant__ int table[2] = {5, 6};
__global__ void k(const int* in, int* out)
{
    __shared__ int tile[32];
    __shared__ int2 pairs[32];
    __shared__ int cells[32];
    __shared__ int own[32];
    int t = threadIdx.x;
    tile[t] = in[t];
    cells[t] = 0;
    own[t] = in[t];
    pairs[t] = make_int2(in[t], in[t]);
    __syncthreads();
    out[t] = tile[31 - t];
    out[32 + t] = table[t % 2];
    out[64 + t] = __shfl_xor_sync(0xffffffff, in[t], 1);
    out[96 + t] = in[t];
    int2 pair = pairs[31 - t];
    out[128 + t] = pair.x + pair.y;
    __syncthreads();
    out[160 + t] = atomicAdd(&tile[t], 1);
    while (atomicCAS(&cells[t], 0, in[t]) != 0)
        ;
    out[192 + t] = atomicOr(&cells[t], 0);
    out[224 + t] = own[t];
    float sum[4] = {1, 1, 1, 1};
    unsigned ones = 0x3c003c00;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%4}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]) : "r"(ones));
    out[256 + t] = (sum[t % 4] - 1) * in[t];
}"""
GIVEN = np.arange(1, 33, dtype=np.int32)
RIGHT = np.array(
    [
        GIVEN[::-1],
        np.resize([5, 6], 32),
        GIVEN.reshape(16, 2)[:, ::-1].reshape(32),
        GIVEN,
        2 * GIVEN[::-1],
        GIVEN,
        GIVEN,
        GIVEN,
        8 * GIVEN,
    ]
)


@pytest.mark.parametrize(
    ("ablation", "lost"),
    [
        ("nothing", []),
        ("shared_memory", [0, 4, 7]),
        ("handed_over", [0, 4]),
        ("constant_memory", [1]),
        ("shuffles", [2]),
        ("compare_and_swap", [6]),
        ("matrix_products", [8]),
    ],
)
def test_what_is_suppressed_is_zero_and_the_rest_stays(ablation: str, lost: list[int]) -> None:
    launch = Kernel(SOURCE, "k").prepare(1, 32, [GIVEN, np.zeros(RIGHT.size, np.int32)])
    wanted = RIGHT.copy()
    wanted[lost] = 0
    run = emulator.run(launch.with_experiment(ablation=ablation))
    assert run.completed
    np.testing.assert_array_equal(run.outputs[1].reshape(RIGHT.shape), wanted)


@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize(
    ("ablation", "other"),
    [("shared_memory", [0, 4, 7]), ("handed_over", [0, 4]), ("constant_memory", [1]), ("shuffles", [2])],
)
def test_what_is_mixed_up_is_another_value_read_in_the_same_way(
    ablation: str, other: list[int], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, name)
    launch = Kernel(SOURCE, "k").prepare(1, 32, [GIVEN, np.zeros(RIGHT.size, np.int32)])
    run = emulator.run(launch.with_experiment(ablation=ablation, mixed_up=True))
    assert run.completed
    got = run.outputs[1].reshape(RIGHT.shape)
    rest = np.delete(np.arange(len(RIGHT)), other)
    np.testing.assert_array_equal(got[rest], RIGHT[rest])
    for row in other:  # the first to read finds its own: there is no other yet
        assert (got[row] != RIGHT[row]).sum() >= 31
        assert set(got[row]) <= {*RIGHT[row], *RIGHT[other].flat}


def test_one_wide_value_of_constant_memory_is_mixed_up_word_by_word() -> None:
    text = """__constant__ int4 weights = {1, 2, 3, 4};
    __global__ void k(int* out) {
        int4 w = weights;
        out[threadIdx.x] = w.x + 10 * w.y + 100 * w.z + 1000 * w.w;
    }"""
    launch = Kernel(text, "k").prepare(1, 32, [np.zeros(32, np.int32)])
    run = emulator.run(launch.with_experiment(ablation="constant_memory", mixed_up=True))
    assert run.outputs[0].tolist() == [3211, *[3214] * 31]  # the first to read has no other first word yet


def test_where_all_find_the_same_nothing_is_mixed_up() -> None:
    given = np.full(32, 7, np.int32)
    plain = Kernel(SOURCE, "k").prepare(1, 32, [given, np.zeros(RIGHT.size, np.int32)])
    wanted = emulator.run(plain).outputs[1]
    for ablation in ("shared_memory", "handed_over", "shuffles", "matrix_products"):
        run = emulator.run(plain.with_experiment(ablation=ablation, mixed_up=True))
        np.testing.assert_array_equal(run.outputs[1], wanted, ablation)


@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize(
    ("ablation", "old"),
    [("shared_memory", [0, 4, 7]), ("handed_over", [0, 4]), ("shuffles", [2]), ("matrix_products", [])],
)
def test_what_a_launch_with_other_data_found_is_replayed(
    ablation: str, old: list[int], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, name)
    launch = Kernel(SOURCE, "k").prepare(1, 32, [GIVEN, np.zeros(RIGHT.size, np.int32)])
    other = replace(launch, args=(3 * GIVEN, launch.args[1])).with_experiment(ablation=ablation, replayed=launch.arrays)
    run = emulator.run(other)
    assert run.completed
    wanted = np.where(np.arange(len(RIGHT)) == 1, RIGHT.T, 3 * RIGHT.T).T  # the table is the same
    wanted[old] = RIGHT[old]
    np.testing.assert_array_equal(run.outputs[1].reshape(RIGHT.shape), wanted)
    np.testing.assert_array_equal(run.outputs[0], 3 * GIVEN)


def test_each_thread_finds_what_it_found_itself_in_any_number_of_blocks_and_rounds() -> None:
    text = """__global__ void sums(const int* in, int* out, int rounds) {
        int sum = 0;
        for (int r = 0; r < rounds; ++r)
            sum += __shfl_xor_sync(0xffffffff, in[(blockIdx.x * rounds + r) * blockDim.x + threadIdx.x], 1 << r);
        out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    }"""
    numbers = np.random.default_rng(1).integers(0, 1000, (3, 4, 64), np.int32)
    launch = Kernel(text, "sums").prepare(3, 64, [numbers, np.zeros((3, 64), np.int32), 4])
    other = (numbers[::-1].copy(), *launch.args[1:])
    run = emulator.run(replace(launch, args=other).with_experiment(ablation="shuffles", replayed=launch.arrays))
    np.testing.assert_array_equal(run.outputs[1], emulator.run(launch).outputs[1])


def test_what_comes_by_another_way_in_one_of_the_launches_only_is_replayed_too() -> None:
    """Who reads an element first wrote it itself, or another thread did: the data say which."""
    text = """__global__ void pass(const int* to, const int* plus, int* out) {
        __shared__ int kept[32];
        kept[to[threadIdx.x]] = to[threadIdx.x] + plus[0];
        __syncthreads();
        out[threadIdx.x] = 100 * kept[threadIdx.x] + kept[31 - threadIdx.x];
    }"""
    same = np.arange(32, dtype=np.int32)
    item, thousand, out = np.ones(1, np.int32), np.full(1, 1000, np.int32), np.zeros(32, np.int32)
    back = same[::-1].copy()
    for old, new in ((same, back), (back, same)):
        launch = Kernel(text, "pass").prepare(1, 32, [new, thousand, out])
        run = emulator.run(launch.with_experiment(ablation="handed_over", replayed=(old, item, out)))
        np.testing.assert_array_equal(run.outputs[2], 100 * (same + 1) + (same + 1)[::-1])


def test_a_thread_that_finds_more_than_is_recorded_finds_what_is_there() -> None:
    text = """__global__ void sum(const int* in, int* out) {
        __shared__ int kept[32];
        kept[threadIdx.x] = in[threadIdx.x];
        for (int i = 0; i < kept[threadIdx.x]; ++i)
            out[threadIdx.x] += kept[threadIdx.x];
    }"""
    launch = Kernel(text, "sum").prepare(1, 32, [np.zeros(32, np.int32), np.zeros(32, np.int32)])
    other = (np.full(32, 3, np.int32), launch.arrays[1])
    run = emulator.run(replace(launch, args=other).with_experiment(ablation="shared_memory", replayed=launch.arrays))
    np.testing.assert_array_equal(run.outputs[1], np.zeros(32))  # it found 0 at once, and looked no further
    back = replace(launch, args=launch.args).with_experiment(ablation="shared_memory", replayed=other)
    np.testing.assert_array_equal(emulator.run(back).outputs[1], np.full(32, 9))


#: Each warp makes three products, and each sum is 8 from each.
THREE_PRODUCTS = """__global__ void k(float* out)
{
    float sums[3][4] = {};
    unsigned ones = 0x3c003c00;
    for (int p = 0; p < 3; ++p) {
        float* s = sums[p];
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
                     " {%0, %1, %2, %3}, {%4, %4}, {%4}, {%0, %1, %2, %3};"
                     : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]) : "r"(ones));
        out[p * 64 + threadIdx.x] = s[threadIdx.x % 4];
    }
}"""


@pytest.mark.parametrize(("which", "left"), [("even", [0, 8, 0]), ("odd", [8, 0, 8])])
def test_half_of_each_warp_s_products_are_suppressed(which: str, left: list[int]) -> None:
    launch = Kernel(THREE_PRODUCTS, "k").prepare(2, 64, [np.zeros((3, 64), np.float32)])
    run = emulator.run(launch.with_experiment(ablation=f"{which}_matrix_products"))
    np.testing.assert_array_equal(run.outputs[0], np.repeat(left, 64).reshape(3, 64))


#: Rows 0 and 1 of out were stored by threads that had read nothing, before a barrier and after it; row 2 by those that
#: had, to be read by the thread itself and by its neighbor.
IN_STEPS = """__global__ void k(int* out)
{
    __shared__ int early[32], after[32], late[32];
    int t = threadIdx.x;
    early[t] = 1 + t;
    __syncthreads();
    after[t] = 1 + t;
    late[t] = early[t];
    __syncthreads();
    out[96 * blockIdx.x + t] = early[31 - t];
    out[96 * blockIdx.x + 32 + t] = after[31 - t];
    out[96 * blockIdx.x + 64 + t] = late[t % 2 ? t : 31 - t];
}"""


@pytest.mark.parametrize("name", Engine)
def test_of_what_is_stored_what_no_thread_has_read_for_stays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    run = emulator.run(
        Kernel(IN_STEPS, "k").prepare(2, 32, [np.full(192, -1, np.int32)]).with_experiment(ablation="shared_stores")
    )
    assert run.completed
    wanted = np.concatenate([np.arange(32, 0, -1), np.arange(32, 0, -1), np.zeros(32)])
    np.testing.assert_array_equal(run.outputs[0].reshape(2, 96), [wanted, wanted])


#: Each thread leaves a number in shared memory for itself, and one for its neighbor, in blocks that take turns: until
#: all have come to the grid's barrier, or to where the last one lets them go.
ALTERNATING = """#include <cooperative_groups.h>
__global__ void k(int* flag, int* out)
{
    __shared__ int own[32], next[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    own[t] = 1 + i;
    next[(t + 1) % 32] = 1 + i;
    WAIT
    out[i] = own[t];
    out[gridDim.x * 32 + i] = next[t];
}"""


@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize(
    "wait",
    [
        "cooperative_groups::this_grid().sync();",
        "if (blockIdx.x == 2) atomicExch(flag, 1); else while (atomicAdd(flag, 0) == 0) {} __syncthreads();",
    ],
)
def test_a_blocks_own_numbers_stay_its_own_while_others_run(
    wait: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, name)
    text = ALTERNATING.replace("WAIT", wait)
    launch = Kernel(text, "k").prepare(3, 32, [np.zeros(1, np.int32), np.zeros(192, np.int32)])
    run = emulator.run(launch.with_experiment(ablation="handed_over"))
    assert run.completed
    np.testing.assert_array_equal(run.outputs[1], np.concatenate([np.arange(1, 97), np.zeros(96)]))


#: Each thread of a cluster leaves a number in its own block's shared memory and one in the other's. Row 0 is its own;
#: row 1 is read in the other block, row 2 was written by it. Row 3 is what a thread of each block added up, in either
#: order; row 4 what two threads of its own did.
CLUSTERED = """#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) k(int* out)
{
    __shared__ int own[32], given[32], both[32], mine[32];
    auto cluster = cooperative_groups::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 32 + t, other = cluster.block_rank() ^ 1;
    own[t] = 1 + i;
    both[t] = mine[t] = 0;
    cluster.sync();
    cluster.map_shared_rank(given, other)[t] = 1 + i;
    atomicAdd(&cluster.map_shared_rank(both, t % 2)[t], 1);
    atomicAdd(&cluster.map_shared_rank(both, 1 - t % 2)[t], 1);
    atomicAdd(&mine[t ^ 1], 1);
    cluster.sync();
    out[i] = own[t];
    out[gridDim.x * 32 + i] = cluster.map_shared_rank(own, other)[t];
    out[2 * gridDim.x * 32 + i] = given[t];
    out[3 * gridDim.x * 32 + i] = both[t];
    out[4 * gridDim.x * 32 + i] = mine[t];
    cluster.sync();
}"""


@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize(
    ("ablation", "lost"),
    [
        ("nothing", []),
        ("shared_memory", [0, 1, 2, 3, 4]),
        ("handed_over", [1, 2, 3, 4]),
        ("distributed_shared_memory", [1, 2, 3]),
    ],
)
def test_in_a_cluster_other_blocks_hand_over_too(
    ablation: str, lost: list[int], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, name)
    original = np.arange(1, 129, dtype=np.int32)
    others = original.reshape(2, 2, 32)[:, ::-1].reshape(-1)
    wanted = np.array([original, others, others, np.full(128, 2), np.ones(128)])
    wanted[lost] = 0
    launch = Kernel(CLUSTERED, "k").prepare(4, 32, [np.zeros(5 * 128, np.int32)])
    run = emulator.run(launch.with_experiment(ablation=ablation))
    assert run.completed
    np.testing.assert_array_equal(run.outputs[0].reshape(wanted.shape), wanted)
