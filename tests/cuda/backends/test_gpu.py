"""Does a real GPU run kernels, and does the course survive what kernels do to it? Skipped without one."""

import os
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pytest

from autograder.cuda.backends import gpu
from autograder.cuda.core.findings import CompileError, DamagedGuard, GpuCrash, Kind, StepLimit
from autograder.cuda.core.launch import MAX_SHARED, Dims, Launch, Series
from autograder.cuda.core.run import Run
from autograder.cuda.errors import UsageError
from autograder.cuda.kernel import Kernel
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.report import describe
from autograder.cuda.report.compile_errors import in_words

pytestmark = pytest.mark.skipif(gpu.problem() is not None, reason="no GPU")

SAXPY = """\
__global__ void saxpy(const float* x, float* y, float a, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""
ENDLESS = "__global__ void f(volatile int* a) { while (a[0] == 0) {} a[1] = 1; }"


class Runs(Protocol):
    """A GPU's client, or the module with the one that all share."""

    def run(self, launch: Launch) -> Run: ...


def run(
    source: str, name: str, grid: Dims, block: Dims, args: Sequence[Any], shared_mem: int = 0, on: Runs = gpu
) -> Run:
    return on.run(Kernel(source, name).prepare(grid, block, args, shared_mem))


def saxpy(on: Runs = gpu, n: int = 1000) -> Run:
    rng = np.random.default_rng()
    x, y = rng.random(n, np.float32), rng.random(n, np.float32)
    before = x.copy(), y.copy()
    result = run(SAXPY, "saxpy", -(-n // 256), 256, [x, y, 2.5, n], on=on)
    assert result.completed and not result.findings
    np.testing.assert_allclose(result.outputs[1], np.float32(2.5) * x + y, rtol=1e-6)
    for after, given in zip((x, y, result.outputs[0]), (*before, x), strict=True):
        np.testing.assert_array_equal(after, given)
    return result


def test_a_kernel_computes_and_the_given_arrays_stay() -> None:
    result = saxpy()
    assert result.backend == gpu.device_name() and result.counts is None and result.printed == ""
    assert gpu.device_name()


@pytest.mark.parametrize("n", [1, 31, 1000, 1_000_003])
def test_odd_sizes_are_no_writes_outside(n: int) -> None:
    saxpy(n=n)


def test_template_instances_differ() -> None:
    source = "template <typename T, int N> __global__ void f(T* a) { a[threadIdx.x] = N + T(0.5); }"
    (floats,) = run(source, "f<float, 3>", 1, 4, [np.zeros(4, np.float32)]).outputs
    (ints,) = run(source, "f<int, 7>", 1, 4, [np.zeros(4, np.int32)]).outputs
    assert floats.tolist() == [3.5] * 4 and ints.tolist() == [7] * 4


def test_a_grid_and_a_block_of_three_dimensions() -> None:
    source = """
    __global__ void f(int* a) {
        int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        int threads = blockDim.x * blockDim.y * blockDim.z;
        a[block * threads + thread] = 1000 * block + thread;
    }"""
    for grid, block in ((5, 7), ((3, 4), (8, 2)), ((2, 3, 4), (4, 3, 2))):
        blocks, threads = np.prod(grid), np.prod(block)
        (out,) = run(source, "f", grid, block, [np.zeros((blocks, threads), np.int32)]).outputs
        np.testing.assert_array_equal(out, 1000 * np.arange(blocks)[:, None] + np.arange(threads))


SCALARS = {
    "bool": True, "signed char": -5, "unsigned char": 250, "short": -30000, "unsigned short": 60000,
    "int": -(2**31), "unsigned int": 2**32 - 1, "long": -(2**62), "unsigned long": 2**64 - 1,
    "long long": -(2**63), "unsigned long long": 2**63, "int8_t": -128, "uint8_t": 255, "int16_t": -1,
    "uint16_t": 1, "int32_t": 7, "uint32_t": 8, "int64_t": -9, "uint64_t": 10,
    "size_t": 2**40, "float": 1.5, "double": 0.1,
}  # fmt: skip


@pytest.mark.parametrize("type_name", SCALARS)
def test_every_scalar_type_arrives(type_name: str) -> None:
    # A guard value on each side: a scalar of the wrong width would shift what follows.
    source = (
        f"__global__ void f(int before, {type_name} x, int after, double* out, {type_name}* same) {{\n"
        "    out[0] = before; out[1] = after; out[2] = x; same[0] = x;\n}\n"
    )
    launch = Kernel(source, "f").prepare(1, 1, [11, SCALARS[type_name], 22, np.zeros(3), _single(source)])
    out, same = gpu.run(launch).outputs
    assert out[:2].tolist() == [11, 22] and same[0] == SCALARS[type_name]


def _single(source: str) -> np.ndarray:
    return np.zeros(1, Kernel(source, "f").signature.parameters[-1].dtype)


def test_vectors_as_elements_and_as_arguments() -> None:
    source = """
    __global__ void f(const float4* in, float4* out, float3 add, float4 times) {
        float4 v = in[threadIdx.x];
        out[threadIdx.x] = make_float4(
            v.x * times.x + add.x, v.y * times.y + add.y, v.z * times.z + add.z, times.w);
    }"""
    given = np.arange(32, dtype=np.float32).reshape(8, 4)
    _, out = run(source, "f", 1, 8, [given, np.zeros_like(given), (1, 2, 3), (4, 5, 6, 7)]).outputs
    expected = given * [4, 5, 6, 0] + [1, 2, 3, 7]
    np.testing.assert_array_equal(out.view(np.float32).reshape(8, 4), expected.astype(np.float32))


def test_printf_is_caught_and_belongs_to_its_launch() -> None:
    source = '#include <cstdio>\n__global__ void f(int x) { printf("thread %d of %d\\n", threadIdx.x, x); }'
    first = run(source, "f", 1, 3, [42])
    assert sorted(first.printed.splitlines()) == [f"thread {i} of 42" for i in range(3)]
    assert run(source, "f", 1, 1, [43]).printed == "thread 0 of 43\n"


def test_endless_printing_is_bounded() -> None:
    source = '#include <cstdio>\n__global__ void f() { for (int i = 0; i < 100; ++i) printf("%60d\\n", i); }'
    result = run(source, "f", 64, 256, [])
    assert 10_000 < len(result.printed) <= 1 << 20


def test_more_dynamic_shared_memory_than_48_kb() -> None:
    source = """
    __global__ void f(float* a, int n) {
        extern __shared__ float tile[];
        for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = a[i];
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = tile[n - 1 - i];
    }"""
    n = 60 * 256
    given = np.arange(n, dtype=np.float32)
    (out,) = run(source, "f", 1, 256, [given, n], 4 * n).outputs
    np.testing.assert_array_equal(out, given[::-1])


def test_too_much_shared_memory_for_this_gpu_is_one_sentence() -> None:
    source = """
    __global__ void f(float* a) {
        extern __shared__ float big[];
        __shared__ float small[256];
        big[threadIdx.x] = small[threadIdx.x] = a[0];
        __syncthreads();
        a[0] = big[1] + small[2];
    }"""
    with pytest.raises(UsageError, match=r"dynamic and 1024 bytes of static .* use smaller tiles\.$"):
        run(source, "f", 1, 32, [np.zeros(1, np.float32)], MAX_SHARED)


def test_too_many_threads_for_the_registers_is_one_sentence() -> None:
    source = """__global__ void f(volatile int* a) {
        int all[100];
        #pragma unroll
        for (int i = 0; i < 100; ++i) all[i] = a[i];
        #pragma unroll
        for (int i = 0; i < 100; ++i) a[i] = all[99 - i];
    }"""
    with pytest.raises(UsageError, match=r"registers a thread, .* at most \d+ threads .*, not 1024"):
        run(source, "f", 1, 1024, [np.zeros(100, np.int32)])
    saxpy()


GRID_SYNC = """\
#include <cooperative_groups.h>
__global__ void rotate(const int* in, int* buffer, int* out)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int n = blockDim.x * gridDim.x;
    buffer[i] = in[i];
    cooperative_groups::this_grid().sync();
    out[i] = buffer[(i + n / 2) % n];
}
"""


@pytest.mark.skipif(bool(nvrtc.problem() or nvrtc.missing_headers(GRID_SYNC)), reason="no CUDA headers")
def test_a_barrier_of_the_whole_grid() -> None:
    for blocks in (2, 64):
        given = np.arange(128 * blocks, dtype=np.int32)
        result = run(GRID_SYNC, "rotate", blocks, 128, [given, np.zeros_like(given), np.zeros_like(given)])
        assert result.completed and not result.findings
        np.testing.assert_array_equal(result.outputs[2], np.roll(given, -64 * blocks))
    with pytest.raises(UsageError, match=r"all its 1000000 blocks must be on the GPU at once.* use a smaller grid\.$"):
        run(GRID_SYNC, "rotate", 1_000_000, 32, [np.zeros(1, np.int32)] * 3)
    saxpy()


@pytest.mark.skipif(bool(nvrtc.problem() or nvrtc.missing_headers(GRID_SYNC)), reason="no CUDA headers")
def test_a_barrier_of_the_whole_grid_is_timed() -> None:
    given = np.arange(256, dtype=np.int32)
    launch = Kernel(GRID_SYNC, "rotate").prepare(2, 128, [given, np.zeros_like(given), np.zeros_like(given)])
    ((timed,),) = gpu.time([Series([launch])], repeats=3)
    assert len(timed.times) == 3 and not timed.run.findings
    np.testing.assert_array_equal(timed.run.outputs[2], np.roll(given, -128))


def test_a_compile_error_stands_at_its_line() -> None:
    result = run(SAXPY.replace("a * x", "b * x"), "saxpy", 1, 1, [np.zeros(1, np.float32)] * 2 + [1, 1])
    (finding,) = result.findings
    assert isinstance(finding, CompileError) and not result.completed
    assert in_words(finding.messages) == (
        (4, 23, "use of undeclared identifier 'b': declare it above this line, and not only within other {...}"),
    )


def test_text_that_reads_files_is_refused() -> None:
    result = run('#include "/etc/hostname"\n' + SAXPY, "saxpy", 1, 1, [np.zeros(1, np.float32)] * 2 + [1, 1])
    assert [f.kind for f in result.findings] == [Kind.FORBIDDEN_CODE]


def test_device_variables_begin_anew_in_each_launch() -> None:
    source = "__device__ int count = 5; __global__ void f(int* a) { a[0] = atomicAdd(&count, 1); }"
    assert [run(source, "f", 1, 1, [np.zeros(1, np.int32)]).outputs[0][0] for _ in range(3)] == [5, 5, 5]


@pytest.mark.parametrize(
    "body, words",
    [
        ("a[1ll << 40] = 1;", "illegal address|launch failure"),
        ("*(int*)0 = a[0];", "illegal address|launch failure"),
        ("*(double*)((char*)a + 4) = 1;", "misaligned address|launch failure"),
        ("__trap();", "the kernel"),
    ],
)
def test_a_crash_says_why_and_the_next_launch_works(body: str, words: str) -> None:
    result = run(f"__global__ void f(int* a) {{ {body} }}", "f", 1, 32, [np.full(8, 3, np.int32)])
    (finding,) = result.findings
    assert finding.kind == Kind.CRASH and not result.completed
    assert any(word in describe(finding) for word in words.split("|")), finding
    assert result.outputs[0].tolist() == [3] * 8
    saxpy()


def test_a_failed_assert_names_its_thread_and_line() -> None:
    source = "#include <cassert>\n__global__ void f(int* a)\n{\n    assert(threadIdx.x != 5);\n    a[0] = 1;\n}\n"
    (finding,) = run(source, "f", 1, 32, [np.zeros(1, np.int32)]).findings
    assert isinstance(finding, GpuCrash) and "assert" in describe(finding)
    (access,) = finding.accesses
    assert (access.line, access.thread, access.text) == (4, (5, 0, 0), "assert(threadIdx.x != 5);")
    saxpy()


@pytest.mark.parametrize("index", [8, -1])
def test_a_small_step_outside_is_seen_although_the_gpu_says_nothing(index: int) -> None:
    source = "__global__ void f(const int* in, int* out, int i) { out[0] = in[0]; out[i] = 1; }"
    result = run(source, "f", 1, 1, [np.full(8, 9, np.int32), np.zeros(8, np.int32), index])
    (finding,) = result.findings
    assert finding == DamagedGuard(array="out", index=index, size=8) and not result.completed
    assert result.outputs[1][0] == 9
    saxpy()


def test_a_kernel_that_never_ends_is_stopped_and_the_next_launch_works() -> None:
    device = gpu.Gpu(time_limit=2)
    saxpy(on=device)
    pid = device.worker_pid
    result = run(ENDLESS, "f", 4, 64, [np.zeros(2, np.int32)], on=device)
    assert result.findings == (StepLimit(reason="time"),) and not result.completed
    assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    saxpy(on=device)
    device.close()


def test_launches_after_the_first_share_its_worker() -> None:
    device = gpu.Gpu()
    saxpy(on=device)
    pid = device.worker_pid
    for _ in range(10):
        saxpy(on=device)
    assert device.worker_pid == pid
    device.close()


def test_a_hidden_gpu_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    why = gpu.Gpu().problem()
    assert why and "shows no GPU" in why


def test_kernel_launch_uses_the_gpu() -> None:
    from autograder.cuda.kernel import Kernel, KernelError

    x, y = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
    kernel = Kernel(SAXPY, "saxpy")
    np.testing.assert_array_equal(kernel.launch(1, 128, [x, y, 2, 100])[1], 2 * x + 1)
    assert kernel.run_on_gpu(1, 128, [x, y, 2, 100]).backend == gpu.device_name()
    with pytest.raises(KernelError, match="illegal address"):
        Kernel("__global__ void f(int* a) { a[1ll << 40] = 1; }", "f").launch(1, 1, [np.zeros(1, np.int32)])
