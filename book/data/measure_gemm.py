"""How fast is each rung of the ladder of matrix products, beside cuBLAS?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_gemm.py`. It takes two minutes and
writes beside itself, for this GPU:

  gemm_<gpu>.csv           every rung and cuBLAS at several n: times, rates, registers, occupancy
  gemm_lecture_<gpu>.csv   the lecture's table (gemm_tiled and gemm_1x2 for three m and three n) and the lecture's
                           own numbers, both as ratios to gemm_tiled with m=32 at n=4096, and (over_tiled) to
                           gemm_tiled with the same m and n
  gemm_counts_<gpu>.csv    what Nsight Compute counts for each rung at n=256; only where `ncu` is installed
  gemm_limits_<gpu>.csv    what it says of each rung at n=4096: what the rung is busy with
  roofline_<gpu>.csv       the ceilings: the rate of multiply-adds without memory, of loads from shared memory,
                           and of a copy

Before each timed launch more memory is written than the L2 cache holds. A rung's launches alternate with
cuBLAS', so that percent_of_cublas compares times of one minute. Spread is the interquartile range. `gain` says
how many times as fast a rung is as the one below it, with the same m where both have one.
"""

import os
import shutil
from collections.abc import Iterator
from functools import partial

import cupy as cp
import gemm_profile
import numpy as np
from gemm_on_gpu import Compiled, on_gpu
from gemm_rungs import RUNGS
from measuring import Row, Timer, machine, random, summary, write

#: n: how many launches are timed.
RUNS = {1024: 30, 2048: 30, 4096: 15, 8192: 7}
LECTURE_RUNS = {4096: 7, 8192: 5, 16384: 2}
#: ECE 587, lecture 19, "Experimental Results: 1x2 Register Blocking": GFLOP/s on one Tesla T4.
LECTURE = {
    ("gemm_tiled", 8): (361.36, 333.28, 275.19),
    ("gemm_1x2", 8): (454.36, 417.71, 343.23),
    ("gemm_tiled", 16): (545.25, 518.90, 420.57),
    ("gemm_1x2", 16): (721.49, 688.75, 538.77),
    ("gemm_tiled", 32): (693.26, 667.77, 605.50),
    ("gemm_1x2", 32): (918.41, 891.72, 811.73),
}
PEAK = r"""
extern "C" __global__ void __launch_bounds__(256) peak(float* out, float s, int n)
{
    float x[16], b = 1.0f - s * 1e-3f;
    for (int i = 0; i < 16; i++) x[i] = threadIdx.x + i;
    for (int k = 0; k < n; k++)
        #pragma unroll
        for (int r = 0; r < 8; r++)
            #pragma unroll
            for (int i = 0; i < 16; i++) x[i] = x[i] * b + s;
    float sum = 0.0f;
    for (int i = 0; i < 16; i++) sum += x[i];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
"""
SHARED = r"""
extern "C" __global__ void __launch_bounds__(1024, 2) shared_loads(float* out, int n)
{
    __shared__ float4 tile[2048];
    for (int i = threadIdx.x; i < 2048; i += 1024) tile[i] = make_float4(i, 1.0f, 2.0f, 3.0f);
    __syncthreads();  // the tile is whole
    float4 sum = {};
    for (int k = 0; k < n; k++) {
        const float4* from = &tile[(threadIdx.x + k) % 1024];  // another place in each round: nothing to keep
        #pragma unroll
        for (int r = 0; r < 16; r++) {
            float4 v = from[64 * r];
            sum.x += v.x;
            sum.y += v.y;
            sum.z += v.z;
            sum.w += v.w;
        }
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum.x + sum.y + sum.z + sum.w;
}
"""


def check(kernel: Compiled) -> None:
    """Check that the kernel is right, even for sizes that nothing divides."""
    for rows, cols, depth in ((1, 1, 1), (33, 65, 17), (1000, 777, 555), (257, 1028, 1001), (512, 768, 1024)):
        a, b, c = random(rows, depth), random(depth, cols), cp.full((rows, cols), cp.nan, cp.float32)
        kernel.fitted(rows, cols, depth).call(a, b, c)()
        error = float(cp.abs(c - a.astype(cp.float64) @ b.astype(cp.float64)).max())
        assert error < 1e-5 * depth, f"{kernel.rung.name} is wrong by {error} for {rows} x {cols} x {depth}"


def ladder(kernels: list[Compiled], timer: Timer) -> Iterator[Row]:
    for n, runs in RUNS.items():
        a, b, c, d = random(n, n), random(n, n), cp.empty((n, n), cp.float32), cp.empty((n, n), cp.float32)
        operations = 2 * n**3 / 1e9
        library: list[float] = []
        before: dict[int, float] = {}  # the time of the rung below, by m
        for kernel in (kernel.fitted(n, n, n) for kernel in kernels):
            taken: dict[int, float] = {}
            for m in kernel.rung.sides:
                own, other = timer.series(runs, kernel.call(a, b, c, m), partial(cp.matmul, a, b, out=d))
                assert cp.allclose(c, d, rtol=0, atol=1e-5 * n), f"{kernel.rung.name} is wrong at n={n}"
                library += other
                taken[m] = float(np.median(own))
                low, high = np.percentile(100 * np.array(other) / own, [25, 75])
                yield {
                    "rung": kernel.rung.number,
                    "kernel": kernel.rung.name,
                    "m": m or "",
                    "n": n,
                    **summary(own),
                    "tflops": f"{operations / taken[m]:.2f}",
                    "cublas_ms": f"{np.median(other):.4f}",
                    "percent_of_cublas": f"{100 * np.median(other) / taken[m]:.1f}",
                    "percent_spread": f"{high - low:.2f}",
                    # For the first rung without an m, the faster of the two below is the one to beat.
                    "gain": f"{before.get(m, min(before.values())) / taken[m]:.3f}" if before else "",
                    **kernel.resources(m),
                }
            before = taken
        yield {
            "rung": "",
            "kernel": "cuBLAS",
            "m": "",
            "n": n,
            **summary(library),
            "tflops": f"{operations / np.median(library):.2f}",
            "cublas_ms": "",
            "percent_of_cublas": "100",
            "percent_spread": "",
            "gain": "",
            **dict.fromkeys(kernels[0].resources(), ""),
        }


def lecture(kernels: list[Compiled], timer: Timer) -> Iterator[Row]:
    measured: dict[tuple[str, int, int], list[float]] = {}
    for n, runs in LECTURE_RUNS.items():
        a, b, c = random(n, n), random(n, n), cp.empty((n, n), cp.float32)
        for name, m in LECTURE:
            (kernel,) = (kernel for kernel in kernels if kernel.rung.name == name)
            (measured[name, m, n],) = timer.series(runs, kernel.call(a, b, c, m))
    rates = {key: 2 * key[2] ** 3 / np.median(times) / 1e9 for key, times in measured.items()}
    for (name, m, n), rate in rates.items():
        place = list(LECTURE_RUNS).index(n)
        theirs = LECTURE[name, m][place]
        yield {
            "kernel": name,
            "m": m,
            "n": n,
            **summary(measured[name, m, n]),
            "tflops": f"{rate:.2f}",
            "ratio": f"{rate / rates['gemm_tiled', 32, 4096]:.3f}",
            "lecture_t4_gflops": theirs,
            "lecture_t4_ratio": f"{theirs / LECTURE['gemm_tiled', 32][0]:.3f}",
            "over_tiled": f"{rate / rates['gemm_tiled', m, n]:.3f}",
            "lecture_t4_over_tiled": f"{theirs / LECTURE['gemm_tiled', m][place]:.3f}",
        }


def roofline(timer: Timer) -> Iterator[Row]:
    processors, rounds = cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"], 20000
    out = cp.empty(8 * 256 * processors, cp.float32)
    peak = cp.RawKernel(PEAK, "peak")
    (times,) = timer.series(7, lambda: peak((8 * processors,), (256,), (out, np.float32(0.5), np.int32(rounds))))
    operations = 2 * 16 * 8 * rounds * out.size
    yield {
        "ceiling": "multiply-adds",
        "unit": "TFLOP/s",
        "rate": f"{operations / np.median(times) / 1e9:.2f}",
        **summary(times),
    }
    out = cp.empty(2 * 1024 * processors, cp.float32)
    loads = cp.RawKernel(SHARED, "shared_loads")
    (times,) = timer.series(7, lambda: loads((2 * processors,), (1024,), (out, np.int32(rounds))))
    rate = 16 * 16 * rounds * out.size / np.median(times) / 1e6
    yield {"ceiling": "loads from shared memory", "unit": "GB/s", "rate": f"{rate:.1f}", **summary(times)}
    source = cp.zeros(1 << 28, cp.float32)
    target = cp.empty_like(source)
    (times,) = timer.series(15, lambda: cp.copyto(target, source))
    rate = 2 * source.nbytes / np.median(times) / 1e6
    yield {"ceiling": "copy of 1 GiB", "unit": "GB/s", "rate": f"{rate:.1f}", **summary(times)}


def main() -> None:
    assert "CUPY_TF32" not in os.environ, "cuBLAS must compute in FP32, not in TF32"
    kernels, timer, where = [on_gpu(rung) for rung in RUNGS], Timer(), machine()
    for kernel in kernels:
        check(kernel)
    write("gemm", ladder(kernels, timer), where)
    write("roofline", roofline(timer), where)
    write("gemm_lecture", lecture(kernels, timer), where)
    if shutil.which("ncu"):
        write("gemm_counts", gemm_profile.counts(), where)
        write("gemm_limits", gemm_profile.limits(), where)


if __name__ == "__main__":
    main()
