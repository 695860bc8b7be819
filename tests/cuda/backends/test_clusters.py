"""Thread block clusters. (tests/cuda/kernels has kernels for each finding, with cluster in their names.)"""

from pathlib import Path

import inputs
import numpy as np
import pytest
from test_corpus import FILES, run_file

from autograder import Kernel
from autograder.cuda.core.findings import AbsentBlock, BarrierDivergence, CompileError, EndedBlock, ForbiddenCode, Kind
from autograder.cuda.core.run import TRACE_ACTIONS, Run
from autograder.cuda.errors import UsageError
from autograder.cuda.report.compile_errors import in_words

pytestmark = inputs.emulation

HEADER = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
SCHEDULES = ("backward", "warps", "lockstep", "random:1", "series")

#: Each block of a cluster hands a tile to the block before it.
ROTATE = """
__global__ void __cluster_dims__(2, 2, 1) rotate(const float* in, float* out)
{
    __shared__ float pad[5];
    __shared__ float tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    int block = blockIdx.x + gridDim.x * blockIdx.y, i = 32 * block + threadIdx.x;
    if (threadIdx.x < 5) pad[threadIdx.x] = 0;
    tile[threadIdx.x] = in[i];
    cluster.sync();
    out[i] = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % 4)[threadIdx.x];
    cluster.sync();
}
"""


def run(text: str, name: str, grid: object, block: int, *args: object, **more: object) -> Run:
    return Kernel(HEADER + text, name).emulate(grid, block, args, **more)  # type: ignore[arg-type]


def rotated(given: np.ndarray) -> np.ndarray:
    """What ROTATE makes of a grid of 4 x 2 blocks."""
    blocks = given.reshape(2, 2, 2, 32).transpose(1, 0, 2, 3).reshape(2, 4, 32)  # by cluster, rank
    return np.roll(blocks, -1, axis=1).reshape(2, 2, 2, 32).transpose(1, 0, 2, 3).reshape(-1)


def test_ranks_as_cuda_numbers_them() -> None:
    text = """
__global__ void __cluster_dims__(2, 3, 2) ranks(unsigned* out)
{
    auto cluster = cg::this_cluster();
    __shared__ int x;
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    dim3 at = cluster.block_index(), thread = cluster.thread_index();
    dim3 blocks = cluster.dim_blocks(), threads = cluster.dim_threads();
    unsigned* mine = out + 16 * (block * blockDim.x + threadIdx.x);
    unsigned values[] = {cluster.block_rank(), cluster.thread_rank(), cluster.num_blocks(), cluster.num_threads(),
                         at.x, at.y, at.z, thread.x, thread.y, thread.z, blocks.x, blocks.y, blocks.z, threads.x,
                         cluster.query_shared_rank(&x), cluster.query_shared_rank(cluster.map_shared_rank(&x, 1))};
    for (int i = 0; i < 16; i++) mine[i] = values[i];
}
""".replace("2, 3, 2", "2, 2, 2")
    done = run(text, "ranks", (4, 2, 2), 3, np.zeros((16 * 3, 16), np.uint32))
    assert not done.findings
    for line, got in enumerate(done.outputs[0]):
        block, thread = divmod(line, 3)
        x, y, z = block % 4 % 2, block // 4 % 2, block // 8
        rank = x + 2 * y + 4 * z
        assert got.tolist() == [rank, 3 * rank + thread, 8, 24, x, y, z, 3 * x + thread, y, z, 2, 2, 2, 6, rank, 1]


def test_without_dimensions_each_block_is_a_cluster() -> None:
    text = """
__global__ void alone(int* out)
{
    __shared__ int x;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) x = blockIdx.x;
    cluster.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = *cluster.map_shared_rank(&x, 0) + 10 * cluster.num_blocks();
}
"""
    done = run(text, "alone", 3, 64, np.zeros(192, np.int32))
    assert not done.findings and done.counts is not None and done.counts.remote_loads == 0
    assert done.outputs[0].tolist() == [10 + block for block in range(3) for _ in range(64)]


@pytest.mark.parametrize("size", ["4", "SIZE, 1", "N + N", "N, N / 2 * 1, 1"])
def test_dimensions_are_constant_expressions(size: str) -> None:
    text = f"""
#define SIZE 4
constexpr int N = 2;
template <int M> __global__ void __cluster_dims__({size.replace("N", "M")}) other(int* out) {{ out[0] = 1; }}
template <int M> __global__ void __cluster_dims__({size.replace("N", "M")}) sizes(int* out)
{{
    dim3 blocks = cg::this_cluster().dim_blocks();
    if (threadIdx.x == 0) out[blockIdx.x] = 100 * blocks.x + 10 * blocks.y + blocks.z;
}}
"""
    done = run(text, "sizes<2>", 8, 1, np.zeros(8, np.int32))
    assert set(done.outputs[0].tolist()) == {211 if "2 * 1" in size else 411}


@pytest.mark.parametrize(
    ("size", "grid", "why"),
    [
        ("3", 4, r"grid=\(4, 1, 1\) cannot be parted into the clusters of __cluster_dims__\(3, 1, 1\) of fill"),
        ("2, 2", (2, 3), "along each axis"),
        ("3, 3", (3, 3), "clusters of 9 blocks, and a cluster has at most 8"),
    ],
)
def test_a_size_that_does_not_fit_is_refused(size: str, grid: object, why: str) -> None:
    text = f"__global__ void __cluster_dims__({size}) fill(int* out) {{ out[0] = 1; }}"
    with pytest.raises(UsageError, match=why):
        run(text, "fill", grid, 1, np.zeros(1, np.int32))


@pytest.mark.parametrize(
    ("size", "why"),
    [
        ("0", "each number of __cluster_dims__ must be at least 1"),
        ("2, 0", "each number of __cluster_dims__ must be at least 1"),
        ("-1", "cannot be represented in a 4-bit unsigned integer"),
    ],
)
def test_a_cluster_without_blocks_does_not_compile(size: str, why: str) -> None:
    (finding,) = run(
        f"__global__ void __cluster_dims__({size}) fill(int* out) {{}}", "fill", 2, 1, np.zeros(1, np.int32)
    ).findings
    assert isinstance(finding, CompileError)
    assert finding.messages[0].line == 3 and why in in_words(finding.messages)[0].text


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("cp_async_bulk(x, out);", "cp_async_bulk"),
        ("__cluster_barrier_arrive();", "__cluster_barrier_arrive"),
        ("auto d = __clusterDim();", "__clusterDim"),
        ("CUtensorMap* map = nullptr;", "CUtensorMap"),
    ],
)
def test_what_is_not_there_is_named(statement: str, named: str) -> None:
    text = f"__global__ void __cluster_dims__(2) copy(int* out) {{ __shared__ int x[4]; {statement} }}"
    (finding,) = run(text, "copy", 2, 1, np.zeros(1, np.int32)).findings
    assert isinstance(finding, ForbiddenCode) and finding.construct == named


@pytest.mark.parametrize("schedule", ["forward", *SCHEDULES])
def test_blocks_reach_each_other(schedule: str) -> None:
    given = np.arange(256, dtype=np.float32)
    done = run(ROTATE, "rotate", (4, 2), 32, given, np.zeros(256, np.float32), schedule=schedule)
    assert not done.findings
    assert np.array_equal(done.outputs[1], rotated(given))


def test_remote_accesses_are_counted_apart() -> None:
    done = run(ROTATE, "rotate", (4, 2), 32, np.zeros(256, np.float32), np.zeros(256, np.float32))
    assert done.counts is not None
    counts = done.counts
    assert (counts.remote_loads, counts.remote_stores, counts.remote_atomics) == (256, 0, 0)
    assert (counts.shared_loads, counts.shared_stores, counts.barriers) == (0, 8 * (5 + 32), 512)
    assert done.touched_shared == (4 * (5 + 32), 0)


def test_a_trace_says_whose_memory_it_is() -> None:
    given = np.arange(256, dtype=np.float32)
    done = run(ROTATE, "rotate", (4, 2), 32, given, np.zeros(256, np.float32), trace=True)
    assert done.trace is not None
    events, arrays = done.trace.events, done.trace.arrays
    reads = events[(events["action"] == TRACE_ACTIONS.index("read")) & (events["array"] == arrays.index("tile"))]
    after = {0: 1, 1: 4, 4: 5, 5: 0, 2: 3, 3: 6, 6: 7, 7: 2}
    assert {(item["block"], item["owner"]) for item in reads} == set(after.items())
    assert all(item["value"][:4].view(np.float32) == given[32 * item["owner"] + item["index"]] for item in reads)
    others = events[events["array"] != arrays.index("tile")]
    assert (others["block"] == others["owner"]).all()


CLUSTERED = [path for path in FILES if "cluster" in path.stem and path.parent.name in ("race", "out_of_bounds")]


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("path", CLUSTERED, ids=lambda path: path.stem)
def test_findings_do_not_depend_on_the_schedule(path: Path, schedule: str) -> None:
    header, done = run_file(path, schedule)
    kinds = {(finding.kind, tuple(sorted(access.line for access in finding.accesses))) for finding in done.findings}
    assert kinds == {(expected.kind, tuple(sorted(expected.lines))) for expected in header.expected}


#: The owner is kept waiting for what reads its memory, by other means than a barrier of the cluster; or it is not.
HANDSHAKE = """
__global__ void __cluster_dims__(2) hand(int* flags, int* out)
{
    __shared__ int x;
    auto cluster = cg::this_cluster();
    if (cluster.block_rank() == 0) {
        x = 7;
        __threadfence();
        atomicExch(&flags[0], 1);
        if (WAITS) while (atomicAdd(&flags[1], 0) == 0) {}
        __threadfence();
    } else {
        while (atomicAdd(&flags[0], 0) == 0) {}
        if (FENCES) __threadfence();
        out[0] = *cluster.map_shared_rank(&x, 0);
        __threadfence();
        atomicExch(&flags[1], 1);
    }
}
"""


@pytest.mark.parametrize("schedule", ["forward", "backward"])
@pytest.mark.parametrize(("waits", "fences", "early"), [(1, 1, None), (0, 1, False), (1, 0, True)])
def test_a_lifetime_is_a_matter_of_order(waits: int, fences: int, early: bool | None, schedule: str) -> None:
    text = HANDSHAKE.replace("WAITS", str(waits)).replace("FENCES", str(fences))
    done = run(text, "hand", 2, 1, np.zeros(2, np.int32), np.zeros(1, np.int32), schedule=schedule)
    if early is None:
        assert not done.findings and done.outputs[1].tolist() == [7]
        return
    (finding,) = done.findings
    assert isinstance(finding, AbsentBlock if early else EndedBlock) and done.completed is not early
    assert finding.accesses[0].owner == (0, 0, 0) and finding.accesses[0].block == (1, 0, 0)


@pytest.mark.parametrize("schedule", ["forward", "backward"])
def test_an_end_that_happens_to_come_later_is_no_order(schedule: str) -> None:
    text = """
__global__ void __cluster_dims__(2) peek(int* out)
{
    __shared__ int x;
    auto cluster = cg::this_cluster();
    x = 7;
    cluster.sync();
    if (cluster.block_rank() == 1) out[0] = *cluster.map_shared_rank(&x, 0);
}
"""
    done = run(text, "peek", 2, 1, np.zeros(1, np.int32), schedule=schedule)
    (finding,) = done.findings
    assert isinstance(finding, EndedBlock)
    assert done.completed and done.outputs[0].tolist() == [7]  # what was there is still there


#: The first block of the grid hands a number to block READER by a flag in shared memory: it sets that of one rank of
#: its cluster, and the reader asks that of one rank of its own.
MESSAGE = """
__global__ void __cluster_dims__(2) message(int* data, int* out)
{
    __shared__ int flag;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) flag = 0;
    cluster.sync();
    if (blockIdx.x == 0) {
        data[0] = 7;
        __threadfence();
        atomicExch(cluster.map_shared_rank(&flag, SET), 1);
    } else if (blockIdx.x == READER) {
        while (atomicAdd(cluster.map_shared_rank(&flag, ASKED), 0) == 0 && SPINS) {}
        __threadfence();
        out[0] = data[0];
    }
    cluster.sync();
}
"""


@pytest.mark.parametrize("schedule", ["forward", "backward", "random:1"])
@pytest.mark.parametrize(
    ("flag", "requested", "reader"), [(0, 0, 1), (1, 1, 1), (0, 1, 1), (1, 0, 1), (0, 0, 3), (1, 1, 3)]
)
def test_a_flag_in_shared_memory_is_its_owners(flag: int, requested: int, reader: int, schedule: str) -> None:
    same = flag == requested and reader == 1
    text = MESSAGE
    for name, value in {"SET": flag, "ASKED": requested, "READER": reader, "SPINS": int(same)}.items():
        text = text.replace(name, str(value))
    done = run(text, "message", 4, 1, np.zeros(1, np.int32), np.zeros(1, np.int32), schedule=schedule)
    if same:
        assert not done.findings and done.outputs[1].tolist() == [7]
    else:
        (finding,) = done.findings
        assert finding.kind is Kind.RACE and {access.line for access in finding.accesses} == {11, 17}


def test_only_its_own_cluster_waits_for_a_block() -> None:
    text = """
__global__ void __cluster_dims__(2) leave(int* out)
{
    if (blockIdx.x == 2) return;
    cg::this_cluster().sync();
    if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
"""
    done = run(text, "leave", 6, 32, np.zeros(6, np.int32))
    (finding,) = done.findings
    assert isinstance(finding, BarrierDivergence) and finding.scope == "cluster"
    assert (finding.threads, finding.exited, finding.waiting[0].threads) == (64, 32, 32)
    assert finding.accesses[0].block == (3, 0, 0)


def test_clusters_may_wait_for_a_later_one() -> None:
    text = """
__global__ void __cluster_dims__(2) wait(int* turn, int* out)
{
    auto cluster = cg::this_cluster();
    if (blockIdx.x < 2) while (atomicAdd(turn, 0) == 0) {}
    cluster.sync();
    if (blockIdx.x == 3) atomicExch(turn, 1);
    out[blockIdx.x] = 1;
}
"""
    done = run(text, "wait", 4, 1, np.zeros(1, np.int32), np.zeros(4, np.int32))
    assert not done.findings and done.outputs[1].tolist() == [1] * 4


def test_many_clusters_take_the_places_of_those_that_ended() -> None:
    given = np.arange(32 * 2 * 1200, dtype=np.float32)
    text = ROTATE.replace("2, 2, 1", "2, 1, 1").replace("+ 1) % 4", "+ 1) % 2")
    done = run(text, "rotate", 2400, 32, given, np.zeros_like(given))
    assert not done.findings
    assert np.array_equal(done.outputs[1], np.roll(given.reshape(-1, 2, 32), 1, axis=1).reshape(-1))


def test_a_grid_of_clusters_synchronizes_as_a_whole() -> None:
    text = """
__global__ void __cluster_dims__(2) both(int* data, int* out)
{
    __shared__ int x;
    auto cluster = cg::this_cluster();
    x = data[blockIdx.x];
    cluster.sync();
    data[4 + blockIdx.x] = *cluster.map_shared_rank(&x, cluster.block_rank() ^ 1);
    cluster.sync();
    cg::this_grid().sync();
    out[blockIdx.x] = data[4 + 3 - blockIdx.x];
}
"""
    done = run(text, "both", 4, 1, np.array([5, 6, 7, 8, 0, 0, 0, 0], np.int32), np.zeros(4, np.int32))
    assert not done.findings and done.outputs[1].tolist() == [7, 8, 5, 6]


def test_a_barrier_without_end_is_stopped() -> None:
    text = "__global__ void __cluster_dims__(2) ever(int* out) { for (;;) { BODY } }"
    for body in (
        "cg::this_cluster().sync();",
        "cg::this_cluster().barrier_arrive(); cg::this_cluster().barrier_wait();",
    ):
        module = run(text.replace("BODY", body), "ever", 2, 32, np.zeros(1, np.int32))
        (finding,) = module.findings
        assert finding.kind == "StepLimit"


def test_in_webassembly_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRADER_ENGINE", "webassembly")
    given = np.arange(256, dtype=np.float32)
    done = run(ROTATE, "rotate", (4, 2), 32, given, np.zeros(256, np.float32))
    assert not done.findings and np.array_equal(done.outputs[1], rotated(given))


#: The first cluster waits for the second one by a volatile loop, while the second one has not begun.
POLLS = """
__global__ void __cluster_dims__(2) polls(int* flag, int* out)
{
    cg::this_cluster().sync();
    if (blockIdx.x < 2) {
        if (threadIdx.x == 0) while (*(volatile int*)flag < 2) { }
        __syncthreads();
    } else if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(flag, 1);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
"""


def test_a_cluster_that_polls_for_the_next_one_lets_it_begin() -> None:
    """Nothing orders what it reads then: `volatile` does not."""
    done = run(POLLS, "polls", 4, 32, np.zeros(1, np.int32), np.zeros(128, np.int32))
    assert done.completed and done.outputs[1].all()
    assert [finding.kind for finding in done.findings] == [Kind.RACE]
