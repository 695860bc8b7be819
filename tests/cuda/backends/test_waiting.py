"""Blocks that wait for each other: a correct kernel ends in every order, and one that waits in vain is stopped."""

import inputs
import numpy as np
import pytest
from narrowing import only

from autograder import Kernel
from autograder.cuda.core.findings import Race, StepLimit
from autograder.cuda.core.run import Run

pytestmark = inputs.emulation

#: Block `gridDim.x - 1`, the last one that starts, sets the flag.
SETS = "if (blockIdx.x == gridDim.x - 1) { if (threadIdx.x == 0) atomicExch(a, 1); return; }"
SEEN = "atomicAdd(a, 0) != 0"
FIRST_SEES = "threadIdx.x % 32 == 0 && atomicAdd(a, 0) != 0"

#: (what each thread does, blocks)
RIGHT = {
    "one thread asks": (f"{SETS} if (threadIdx.x == 0) while (!({SEEN})) {{}}", 8),
    "all ask": (f"{SETS} while (!({SEEN})) {{}}", 8),
    "the others are at a barrier": (f"{SETS} if (threadIdx.x < 3) while (!({SEEN})) {{}} __syncthreads();", 8),
    "atomic": (f"{SETS} while (Flag(*a).load() == 0) {{}}", 8),
    "atomic that acquires": (
        "if (blockIdx.x == gridDim.x - 1) { if (threadIdx.x == 0) { a[1] = 5;"
        " Flag(*a).store(1, cuda::memory_order_release); } }"
        " else { while (Flag(*a).load(cuda::memory_order_acquire) == 0) {} if (a[1] != 5) a[2] = 1; }",
        8,
    ),
    "atomic that waits": (
        "if (blockIdx.x == gridDim.x - 1) { if (threadIdx.x == 0) Flag(*a).store(1); } else Flag(*a).wait(0);",
        8,
    ),
    "barrier": (
        f"__shared__ int s; {SETS} bool done; do {{ if (threadIdx.x == 0) s = {SEEN}; __syncthreads(); done = s;"
        " __syncthreads(); } while (!done);",
        8,
    ),
    "barrier that counts": (f"{SETS} while (!__syncthreads_or({FIRST_SEES})) {{}}", 8),
    "barrier at which all ask": (f"{SETS} while (!__syncthreads_and({SEEN})) {{}}", 8),
    "vote": (f"{SETS} while (!__any_sync(~0u, {FIRST_SEES})) {{}}", 4),
    "shuffle": (f"{SETS} int d = 0; while (!d) {{ if ({FIRST_SEES}) d = 1; d = __shfl_sync(~0u, d, 0); }}", 4),
    "syncwarp": (f"{SETS} bool d = false; while (!d) {{ d = {SEEN}; __syncwarp(); }}", 8),
    "activemask": (f"{SETS} while (!({SEEN})) __activemask();", 8),
    "nanosleep": (f"{SETS} for (unsigned ns = 8; !({SEEN}); ns = ns < 256 ? 2 * ns : ns) __nanosleep(ns);", 8),
    "clock": (f"{SETS} while (!({SEEN})) {{ long long t = clock64(); while (clock64() - t < 100) {{}} }}", 8),
    "many flags": (
        "if (threadIdx.x) return; if (blockIdx.x) { atomicExch(&a[blockIdx.x], 1); return; }"
        " int all; do { all = 0; for (int i = 1; i < 64; i++) all += atomicAdd(&a[i], 0); } while (all < 63);",
        64,
    ),
    "counts as it asks": (f"{SETS} if (threadIdx.x == 0) while (!({SEEN})) atomicAdd(&a[1 + blockIdx.x], 1);", 8),
    "asks beside an array of its own": (
        f"{SETS} int w[8] = {{}}; for (int n = 0; !({SEEN}); n++) w[n % 8] = n;"
        " a[64 + blockIdx.x * 32 + threadIdx.x] = w[0];",
        3,
    ),
    "blocks in the opposite order": (
        "if (threadIdx.x) return; while (atomicAdd(a, 0) != gridDim.x - 1 - blockIdx.x) {}"
        " __threadfence(); a[1] += 1; __threadfence(); atomicAdd(a, 1);",
        16,
    ),
    "barrier of the grid by hand": (
        "for (int r = 1; r <= 3; r++) { __syncthreads(); if (threadIdx.x == 0) { __threadfence(); atomicAdd(a, 1); }"
        " while (!__syncthreads_or(threadIdx.x == 0 && atomicAdd(a, 0) >= r * gridDim.x)) {} }",
        8,
    ),
    "scan that looks back": (
        "if (threadIdx.x) return; int b = gridDim.x - 1 - blockIdx.x, sum = 1;"
        " for (int i = b - 1, v; i >= 0; i--) { while ((v = atomicAdd(&a[i], 0)) == 0) {}"
        " if (v > 1) { sum += v - 1; break; } } atomicExch(&a[b], sum + 1);",
        32,
    ),
    "ring": (
        "if (threadIdx.x) return; for (int i = 0; i < 50; i++) if (blockIdx.x) {"
        " while (atomicAdd(&a[1], 0) < i - 3) {} atomicExch(&a[8 + i % 4], i); __threadfence();"
        " atomicAdd(&a[0], 1); } else { while (atomicAdd(&a[0], 0) <= i) {}"
        " __threadfence(); atomicAdd(&a[20], atomicAdd(&a[8 + i % 4], 0)); atomicAdd(&a[1], 1); }",
        2,
    ),
    "long work comes first": (
        "if (threadIdx.x) return; if (blockIdx.x == gridDim.x - 1) { for (int i = 0; i < 30000;"
        " i++) a[2 + i % 50] += i;"
        " __threadfence(); atomicExch(a, 1); } else { int all; do { all = 0; for (int i = 0; i < 20; i++)"
        " all += atomicAdd(&a[100 + i], 0); } while (atomicAdd(a, 0) == 0); }",
        4,
    ),
    "the same place, often": (
        "__threadfence(); int s = 0; for (int i = 0; i < 5000; i++) s += ((volatile int*)a)[0];"
        " a[64 + blockIdx.x * 32 + threadIdx.x] = s;",
        2,
    ),
    "until it has asked often enough, while others wait for the grid": (
        "if (blockIdx.x == 1 && threadIdx.x == 0) { for (int i = 0; atomicAdd(a, 0) == 0 && i < 3000000; i++) {}"
        " a[1] = 1; } cooperative_groups::this_grid().sync(); if (threadIdx.x == 0) a[8 + blockIdx.x] = a[1];",
        3,
    ),
    "until it has asked often enough": (
        f"int i = 0; while (!({SEEN}) && i < 5000) i++; a[64 + blockIdx.x * 32 + threadIdx.x] = i;",
        2,
    ),
}  # fmt: skip

WRONG = {
    "asks": (f"while (!({SEEN})) {{}}", 8),
    "atomic": ("while (Flag(*a).load() == 0) {}", 8),
    "barrier": (f"while (!__syncthreads_or({FIRST_SEES})) {{}}", 8),
    "vote": (f"while (!__any_sync(~0u, {FIRST_SEES})) {{}}", 2),
    "flags": ("int all; do { all = 0; for (int i = 0; i < 20; i++) all += atomicAdd(&a[i], 0); } while (!all);", 8),
    "by a lock of its own": ("Lock l{a}; if (threadIdx.x == 0) { l.take(); a[1] += 1; }", 8),
    "not at once on the GPU, barrier": (f"{SETS} while (!__syncthreads_or({FIRST_SEES})) {{}}", 2000),
}  # fmt: skip


def emulate(case: tuple[str, int], schedule: str) -> Run:
    body, blocks = case
    text = f"""#include <cooperative_groups.h>
    #include <cuda/atomic>
    using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;
    struct Lock {{ int* at; __device__ void take() {{ while (atomicCAS(at, 0, 1)) {{}} __threadfence(); }} }};
    __global__ void waits(int* a) {{ {body} }}"""
    return Kernel(text, name="waits").emulate(blocks, 32, [np.zeros(256, np.int32)], schedule=schedule)


@pytest.mark.sampled(among="schedule")
@pytest.mark.parametrize("schedule", ["forward", "backward", "random:7"])
@pytest.mark.parametrize("case", RIGHT)
def test_who_waits_for_a_later_block_gets_what_it_waits_for(case: str, schedule: str) -> None:
    run = emulate(RIGHT[case], schedule)
    assert run.findings == () and run.completed


@pytest.mark.sampled(one_in=6)
@pytest.mark.parametrize("case", [case for case in RIGHT if not case.startswith(("until", "the same place"))])
def test_one_block_after_the_other_who_waits_for_a_later_one_is_stopped(case: str) -> None:
    run = emulate(RIGHT[case], "series")
    assert not run.completed
    only(StepLimit, run.findings)


def test_blocks_that_wait_for_none_run_one_after_the_other() -> None:
    text = "__global__ void last(int* a) { if (threadIdx.x == 0) a[1] = atomicAdd(a, 1); }"
    item = Kernel(text, name="last").emulate(5, 32, [np.zeros(2, np.int32)], schedule="series")
    assert item.completed and item.outputs[0].tolist() == [5, 4]


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("case", WRONG)
def test_who_waits_for_nobody_is_told_so(case: str) -> None:
    finding = only(StepLimit, emulate(WRONG[case], "forward").findings)
    assert finding.reason == "spin"
    assert finding.accesses[0].array == "a"


@pytest.mark.parametrize("schedule", ["forward", "backward"])
def test_who_reads_a_few_places_over_and_over_is_not_taken_to_wait(schedule: str) -> None:
    """Two blocks with seven million reads each of unchanging values, and one that waits for them with an atomic."""
    text = """__global__ void steps(const float* c, float* out, int* done, int n)
    {
        if (blockIdx.x == 2) {
            if (threadIdx.x == 0) while (atomicAdd(done, 0) < 2) {}
            return;
        }
        float y = 0;
        for (int i = 0; i < n; i++) y = y * c[0] + c[1];
        out[blockIdx.x * blockDim.x + threadIdx.x] = y;
        __syncthreads();
        if (threadIdx.x == 0) atomicAdd(done, 1);
    }"""
    arrays = [np.array([0.5, 1], np.float32), np.zeros(64, np.float32), np.zeros(1, np.int32)]
    run = Kernel(text, "steps").emulate(3, 32, [*arrays, 110_000], schedule=schedule)
    assert run.findings == () and np.allclose(run.outputs[1], 2)


def test_a_block_that_waits_for_an_earlier_one_is_stopped_where_the_last_one_begins() -> None:
    text = "__global__ void wait(int* a) { if (blockIdx.x) while (atomicAdd(a, 0) == 0) {} else atomicExch(a, 1); }"
    launch = (4, 32, [np.zeros(1, np.int32)])
    assert Kernel(text, name="wait").emulate(*launch, schedule="series").completed
    run = Kernel(text, name="wait").emulate(*launch, schedule="series-backward")
    assert only(StepLimit, run.findings).reason == "spin"


#: Of 64 threads, as many arrive as `n` says, in the given way.
MEETS = """
#include <cuda/barrier>
__global__ void meet(int n)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, 64);
    __syncthreads();
    if (threadIdx.x < n) { BODY }
}
"""


@pytest.mark.parametrize(
    "body", ["bar.arrive_and_wait();", "bar.wait(bar.arrive());", "(void)bar.arrive(); bar.wait_parity(0);"]
)
def test_a_phase_that_never_ends_says_what_it_lacks(body: str) -> None:
    assert Kernel(MEETS.replace("BODY", body), "meet").emulate(1, 64, [64]).findings == ()
    finding = only(StepLimit, Kernel(MEETS.replace("BODY", body), "meet").emulate(1, 64, [47]).findings)
    assert (finding.reason, finding.expected, finding.missing) == ("spin", 64, 17)
    assert finding.accesses[0].array == "bar"


def test_who_waits_for_something_else_after_a_barrier_lacks_no_arrivals() -> None:
    text = MEETS.replace("int n)", "int n, int* a)").replace(
        "BODY", "bar.arrive_and_wait(); while (!atomicAdd(a, 0)) {}"
    )
    finding = only(StepLimit, Kernel(text, "meet").emulate(1, 64, [64, np.zeros(1, np.int32)]).findings)
    assert (finding.reason, finding.expected, finding.missing) == ("spin", 0, 0)


@pytest.mark.parametrize(("phases", "found"), [(1, None), (2, "barrier token")])
def test_a_token_is_for_the_phase_that_runs_or_the_last_one(phases: int, found: str | None) -> None:
    text = MEETS.replace("BODY", "auto first = bar.arrive(); MORE bar.wait(static_cast<decltype(first)&&>(first));")
    run = Kernel(text.replace("MORE", "bar.arrive_and_wait(); " * (phases - 1)), "meet").emulate(1, 64, [64])
    assert [getattr(finding, "reason", None) for finding in run.findings] == ([found] if found else [])


@pytest.mark.parametrize("wait", ["bar.wait(bar.arrive());", "(void)bar.arrive();", "__syncthreads();"])
def test_a_race_of_a_kernel_that_arrives_at_a_barrier_in_memory_breaks_its_rule(wait: str) -> None:
    body = f"__shared__ int s[64]; {wait} s[threadIdx.x] = 1; if (s[63 - threadIdx.x]) s[threadIdx.x] = 2;"
    races = Kernel(MEETS.replace("BODY", body), "meet").emulate(1, 64, [64]).findings
    assert races and {isinstance(race, Race) and race.phases for race in races} == {"arrive" in wait}
