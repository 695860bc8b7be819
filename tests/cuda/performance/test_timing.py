"""Times: are they measured out of the kernel's reach, summarized correctly, and judged by ratios within one run?"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder import GraderFault, Kernel, KernelError, Timing, UsageError, time_kernel
from autograder.cuda.backends import gpu, gpu_timer
from autograder.cuda.core.findings import Kind
from autograder.cuda.core.launch import Launch, Series
from autograder.cuda.errors import CellError
from autograder.cuda.performance import timing

SCRIPT = (sys.executable, "-P", str(Path(__file__).parents[1] / "backends" / "scripted_worker.py"))


@pytest.fixture
def scripted() -> Iterator[gpu.Gpu]:
    device = gpu.Gpu(SCRIPT, time_limit=0.5, compile_limit=0.5, look=lambda: None)
    yield device
    device.close()


def launch(order: str, value: float = 1.0) -> Launch:
    source = f"// {order}\n__global__ void f(const float* a, float* b, int n) {{}}\n"
    return Kernel(source, "f").prepare(2, 32, [np.full(3, value, np.float32), np.zeros(5, np.float32), 3])


class TestOnAWorker:
    def test_each_launch_has_its_own_arrays_and_times(self, scripted: gpu.Gpu) -> None:
        ((first, second),) = scripted.time([Series([launch("time 2 1"), launch("time 2 1", 7.0)])], repeats=3)
        assert first.times == second.times == (2.0, 1.0, 2.0)
        assert first.run.completed and first.run.backend == "Scripted GPU"
        np.testing.assert_array_equal(first.run.outputs[0], np.full(3, 1.0, np.float32))
        np.testing.assert_array_equal(second.run.outputs[0], np.full(3, 7.0, np.float32))
        assert second.run.outputs[1].shape == (5,)

    @pytest.mark.parametrize(
        ("order", "kind"),
        [
            ('reply {"outcome": "crash", "status": 700, "text": ""}', Kind.CRASH),
            ("stop while running", Kind.STEP_LIMIT),
        ],
    )
    def test_a_launch_that_does_not_end_well_has_no_times(self, scripted: gpu.Gpu, order: str, kind: Kind) -> None:
        ((*all_timed,),) = scripted.time([Series([launch(order), launch(order)])])
        for timed in all_timed:
            assert timed.times == () and not timed.run.completed
            assert [f.kind for f in timed.run.findings] == [kind]

    def test_forbidden_text_never_reaches_the_worker(self, scripted: gpu.Gpu) -> None:
        text = '#include "/etc/hostname"\n__global__ void f(float* a) {}\n'
        mine = Series([Kernel(text, "f").prepare(1, 1, [np.zeros(3, np.float32)])])
        (timed,), others = scripted.time([mine, Series([launch("time 1")])])
        assert [f.kind for f in timed.run.findings] == [Kind.FORBIDDEN_CODE] and others == ()

    def test_series_take_turns(self, scripted: gpu.Gpu) -> None:
        mine = Series([launch("time 2", value) for value in (1.0, 2.0, 3.0)])
        baseline = Series([launch("time 5", value) for value in (4.0, 5.0, 6.0)])
        for series, values, took in zip(
            scripted.time([mine, baseline]), ((1, 2, 3), (4, 5, 6)), (2.0, 5.0), strict=True
        ):
            assert [timed.run.outputs[0][0] for timed in series] == list(values)
            assert {timed.times for timed in series} == {(took,)}

    @pytest.mark.parametrize(
        "order",
        [
            'reply {"outcome": "crash", "status": 700, "text": ""}',
            "stop while running",
            'reply {"outcome": "unfit", "text": "too large"}',
        ],
    )
    def test_a_baseline_that_does_not_end_well_is_our_fault(self, scripted: gpu.Gpu, order: str) -> None:
        with pytest.raises(GraderFault, match="The baseline f does not run on this GPU"):
            scripted.time([Series([launch("time 1")]), Series([launch(order)])])

    def test_cublas_takes_the_place_of_a_product_and_of_nothing_else(self, scripted: gpu.Gpu) -> None:
        text = "__global__ void f(const float* A, const float* B, float* C, int n) {}\n"
        arrays = [np.zeros(shape, np.float32) for shape in ((2, 3), (3, 4), (2, 4))]
        ((timed,),) = scripted.time([Series([Kernel(text, "f").prepare(1, 1, [*arrays, 2])], cublas=True)])
        assert timed.times == (1.0,)
        with pytest.raises(GraderFault, match="cuBLAS cannot stand in for f"):
            scripted.time([Series([Kernel(text, "f").prepare(1, 1, [*reversed(arrays), 2])], cublas=True)])


class FakeCuda:
    """CuPy's `cuda`, as far as timing goes: memory that nothing is copied to, and events a millisecond apart."""

    class Memory:
        def __init__(self, size: int) -> None:
            self.size, self.ptr = size, 0

    class Event:
        def record(self) -> None: ...

    class runtime:
        memcpyHostToDevice = memcpyDeviceToHost = memcpyDeviceToDevice = 0
        memcpy = memcpyAsync = memsetAsync = deviceSynchronize = staticmethod(lambda *_: None)
        getDeviceProperties = staticmethod(lambda _: {"l2CacheSize": 0})

    get_elapsed_time = staticmethod(lambda *_: 1.0)


def test_kernels_take_turns() -> None:
    """A clock that changes while they are timed must move the times of both."""
    seen: list[str] = []

    def kernel(name: str) -> gpu_timer.Timed:
        return gpu_timer.Timed(lambda *_, shared_mem: seen.append(name), (1,), (32,), 0, [True, False])

    blobs = [bytes(4)] * 2 * 2 * 3
    done, arrays = gpu_timer.time_launches(FakeCuda, [kernel("own"), kernel("baseline")], 1, blobs, lambda _: None)
    warm = int(gpu_timer.WARM_UP_MS)
    assert seen == ["own"] * (warm + 1) + ["baseline"] * (warm + 1) + ["own", "baseline"] * 2
    assert [item["times"] for item in done] == [[1.0]] * 6 and len(arrays) == 6


class TestTimeKernel:
    def test_it_times_what_it_is_given(self, scripted: gpu.Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(timing, "gpu", scripted)
        mine = launch("time 2 1 3")
        took = time_kernel(Kernel(mine.source, "f"), 2, 32, mine.args, flops=4e9, bytes=2e9, runs=5)
        assert took.times == (2.0, 1.0, 3.0, 2.0, 1.0) and (took.runs, took.median, took.gpu) == (
            5,
            2.0,
            "Scripted GPU",
        )
        assert took.gflops == pytest.approx(2000.0) and took.gbps == pytest.approx(1000.0)

    def test_a_crash_is_an_error_that_says_why(self, scripted: gpu.Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(timing, "gpu", scripted)
        mine = launch('reply {"outcome": "crash", "status": 716, "text": ""}')
        with pytest.raises(KernelError, match="misaligned"):
            time_kernel(Kernel(mine.source, "f"), 2, 32, mine.args)

    def test_without_a_gpu_it_says_what_to_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(timing, "gpu", gpu.Gpu(SCRIPT, look=lambda: "No GPU: use Colab."))
        mine = launch("time 1")
        with pytest.raises(CellError, match="No GPU: use Colab") as caught:
            time_kernel(Kernel(mine.source, "f"), 2, 32, mine.args)
        assert caught.value._render_traceback_() == ["No GPU: use Colab."], "in a notebook: no traceback"

    @pytest.mark.parametrize("runs", [0, -1, 2.5, True])
    def test_a_number_of_runs_that_is_none(self, runs: Any) -> None:
        mine = launch("time 1")
        with pytest.raises(UsageError, match="must be a number of launches"):
            time_kernel(Kernel(mine.source, "f"), 2, 32, mine.args, runs=runs)


class TestTiming:
    def test_median_and_spread_forget_one_launch_that_was_disturbed(self) -> None:
        took = Timing((1.0, 1.01, 1.02, 1.03, 9.0), "GPU")
        assert (took.median, took.is_wide) == (1.02, False) and took.spread == pytest.approx(0.02)
        assert str(took) == "1.02 ms (median of 5 launches, spread 2.0%, on the GPU)"

    def test_a_wide_spread_is_said(self) -> None:
        took = Timing((0.1, 0.2, 0.3, 0.4, 0.5), "GPU", flops=3e8)
        assert took.is_wide and took.gflops == pytest.approx(1000) and took.gbps is None
        first, second = str(took).split("\n")
        assert first == "300 us, 1000 GFLOP/s (median of 5 launches, spread 66.7%, on the GPU)"
        assert "The spread is wide" in second


@pytest.mark.skipif(gpu.problem() is not None, reason=str(gpu.problem()))
class TestOnAGpu:
    ADD = (
        "__global__ void add(const float* a, float* b, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    )
    COPY = ADD + "    if (i < n) b[i] = a[i];\n}\n"

    def test_a_copy_of_64_mb_moves_what_memory_can_give(self) -> None:
        n = 1 << 24
        took = time_kernel(
            Kernel(self.COPY, "add"), n // 256, 256, [np.ones(n, np.float32), np.zeros(n, np.float32), n], bytes=8.0 * n
        )
        assert took.runs == 20 and took.gbps is not None and 20 < took.gbps < 20000, str(took)

    def test_twice_the_work_takes_twice_the_time(self) -> None:
        loop = self.ADD + "    float x = a[i];\n    for (int k = 0; k < n; ++k) x = x * x + 1.0f;\n    b[i] = x;\n}\n"
        arrays = [np.ones(1 << 16, np.float32), np.zeros(1 << 16, np.float32)]
        short, long = (time_kernel(Kernel(loop, "add"), 256, 256, [*arrays, n]).median for n in (20_000, 40_000))
        assert 1.8 < long / short < 2.2

    def test_what_hangs_or_crashes_is_said(self) -> None:
        n, arrays = 1 << 10, [np.ones(1 << 10, np.float32), np.zeros(1 << 10, np.float32)]
        bad = Kernel(self.ADD + "    b[i + (1ll << 40)] = a[i];\n}\n", "add")
        with pytest.raises(KernelError, match=r"illegal address|outside"):
            time_kernel(bad, n // 256, 256, [*arrays, n])
        assert time_kernel(Kernel(self.COPY, "add"), n // 256, 256, [*arrays, n]).median > 0

    def test_cublas_computes_the_product_and_beats_a_simple_kernel(self) -> None:
        source = (
            "__global__ void mul(const float* A, const float* B, float* C, int n)\n{\n"
            "    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n    float s = 0.0f;\n"
            "    for (int k = 0; k < n; ++k) s += A[y * n + k] * B[k * n + x];\n    C[y * n + x] = s;\n}\n"
        )
        n = 1024
        a, b = np.random.default_rng(1).standard_normal((2, n, n), dtype=np.float32)
        item = Kernel(source, "mul").prepare((n // 16, n // 16), (16, 16), [a, b, np.zeros((n, n), np.float32), n])
        (mine,), (library,) = gpu.time([Series([item]), Series([item], cublas=True)], 5)
        want = a.astype(np.float64) @ b
        assert np.abs(library.run.outputs[2] - want).max() < 1e-3, "digits of FP32, not of TF32"
        assert np.abs(mine.run.outputs[2] - want).max() < 1e-3
        assert np.median(library.times) < np.median(mine.times) / 2
