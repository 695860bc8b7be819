"""How fast is each rung of the ladder of matrix products, beside cuBLAS?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_gemm.py`. It takes two minutes and
writes beside itself, for this GPU:

  gemm_<gpu>.csv           every rung and cuBLAS at several n: times, rates, registers, occupancy
  gemm_lecture_<gpu>.csv   the lecture's table (gemm_tiled and gemm_1x2 for three m and three n) and the lecture's
                           own numbers, both as ratios to gemm_tiled with m=32 at n=4096
  gemm_counts_<gpu>.csv    what Nsight Compute counts for each rung at n=256; only where `ncu` is installed
  roofline_<gpu>.csv       the two ceilings: the rate of multiply-adds without memory, and of a copy

Before each timed launch more memory is written than the L2 cache holds. A rung's launches alternate with
cuBLAS', so that percent_of_cublas compares times of one minute. Spread is the interquartile range.
"""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import cupy as cp
import numpy as np
from gemm_rungs import RUNGS, Rung
from measuring import Timer, machine, random, summary, write

from autograder import nvrtc

#: n: how many launches are timed.
RUNS = {1024: 30, 2048: 30, 4096: 15, 8192: 7}
LECTURE_RUNS = {4096: 7, 8192: 5, 16384: 2}
SIDES = (8, 16, 32)
#: ECE 587, lecture 19, "Experimental Results: 1x2 Register Blocking": GFLOP/s on one Tesla T4.
LECTURE = {
    ("gemm_tiled", 8): (361.36, 333.28, 275.19),
    ("gemm_1x2", 8): (454.36, 417.71, 343.23),
    ("gemm_tiled", 16): (545.25, 518.90, 420.57),
    ("gemm_1x2", 16): (721.49, 688.75, 538.77),
    ("gemm_tiled", 32): (693.26, 667.77, 605.50),
    ("gemm_1x2", 32): (918.41, 891.72, 811.73),
}
COUNTED = 256
_LD, _ST = "pipe_lsu_mem_shared_op_ld.sum", "pipe_lsu_mem_shared_op_st.sum"
_ASYNC = "sm__sass_l1tex_t_{}_pipe_lsu_mem_global_op_ldgsts{}.sum"
METRICS = {
    "load_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
    "load_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    "async_requests": [_ASYNC.format("requests", "")],
    "async_sectors": [_ASYNC.format("sectors", "_cache_access"), _ASYNC.format("sectors", "_cache_bypass")],
    "store_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    "store_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "shared_load_instructions": ["smsp__sass_inst_executed_op_shared_ld.sum"],
    "shared_load_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    "shared_load_conflicts": [f"l1tex__data_bank_conflicts_{_LD}"],
    "shared_store_conflicts": [f"l1tex__data_bank_conflicts_{_ST}"],
    "instructions": ["smsp__inst_executed.sum"],
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


class Compiled:
    """A rung on this GPU."""

    def __init__(self, rung: Rung) -> None:
        self.rung = rung
        self.result = nvrtc.compile_for(rung.source, rung.name, f"sm_{cp.cuda.Device().compute_capability}")
        assert self.result.ok, self.result.log
        self._module = cp.cuda.Module()
        self._module.load(self.result.cubin)
        self._function = self._module.get_function(self.result.entry)

    def call(self, a: cp.ndarray, b: cp.ndarray, c: cp.ndarray, m: int = 16) -> Callable[[], None]:
        """What computes c = a b."""
        words = self.rung.launch(*c.shape, m=m)
        grid, block = (v if isinstance(v, tuple) else (v,) for v in (words["grid"], words["block"]))
        driver, shared = cp.cuda.driver, words["shared_mem"]
        driver.funcSetAttribute(self._function.ptr, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared)
        args = (a, b, c, *map(np.int32, (*c.shape, a.shape[1])))
        return lambda: self._function(grid, block, args, shared_mem=shared)

    def resources(self, m: int = 16) -> dict[str, Any]:
        words = self.rung.launch(4096, 4096, m)
        threads = int(np.prod(words["block"]))
        blocks = cp.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
            self._function.ptr, threads, words["shared_mem"]
        )
        most = cp.cuda.runtime.getDeviceProperties(0)["maxThreadsPerMultiProcessor"]
        return {
            "threads": threads,
            "registers": self.result.registers,
            "local_bytes": self.result.local,
            "shared_bytes": self.result.static_shared + words["shared_mem"],
            "blocks_per_sm": blocks,
            "occupancy": f"{blocks * threads / most:.3f}",
        }


def check(kernel: Compiled) -> None:
    """That it is right, also where nothing divides anything."""
    for rows, cols, depth in ((1, 1, 1), (33, 65, 17), (1000, 777, 555), (257, 1028, 1001), (512, 768, 1024)):
        a, b, c = random(rows, depth), random(depth, cols), cp.full((rows, cols), cp.nan, cp.float32)
        kernel.call(a, b, c)()
        error = float(cp.abs(c - a.astype(cp.float64) @ b.astype(cp.float64)).max())
        assert error < 1e-5 * depth, f"{kernel.rung.name} is wrong by {error} for {rows} x {cols} x {depth}"


def ladder(kernels: list[Compiled], timer: Timer) -> Iterator[dict[str, Any]]:
    for n, runs in RUNS.items():
        a, b, c, d = random(n, n), random(n, n), cp.empty((n, n), cp.float32), cp.empty((n, n), cp.float32)
        operations = 2 * n**3 / 1e9
        library: list[float] = []
        for kernel in kernels:
            for m in (16, 32) if kernel.rung.has_m else (0,):
                own, other = timer.series(runs, kernel.call(a, b, c, m), lambda a=a, b=b, d=d: cp.matmul(a, b, out=d))
                assert cp.allclose(c, d, rtol=0, atol=1e-5 * n), f"{kernel.rung.name} is wrong at n={n}"
                library += other
                rate = operations / np.median(own)
                yield {
                    "kernel": kernel.rung.name,
                    "m": m or "",
                    "n": n,
                    **summary(own),
                    "tflops": f"{rate:.2f}",
                    "percent_of_cublas": f"{100 * np.median(other) / np.median(own):.1f}",
                    **kernel.resources(m),
                }
        nothing = dict.fromkeys(kernels[0].resources(), "")
        rate = f"{operations / np.median(library):.2f}"
        yield {
            "kernel": "cuBLAS",
            "m": "",
            "n": n,
            **summary(library),
            "tflops": rate,
            "percent_of_cublas": "100",
            **nothing,
        }


def lecture(kernels: list[Compiled], timer: Timer) -> Iterator[dict[str, Any]]:
    measured: dict[tuple[str, int, int], list[float]] = {}
    for n, runs in LECTURE_RUNS.items():
        a, b, c = random(n, n), random(n, n), cp.empty((n, n), cp.float32)
        for name, m in LECTURE:
            (kernel,) = (kernel for kernel in kernels if kernel.rung.name == name)
            (measured[name, m, n],) = timer.series(runs, kernel.call(a, b, c, m))
    rates = {key: 2 * key[2] ** 3 / np.median(times) / 1e9 for key, times in measured.items()}
    for (name, m, n), rate in rates.items():
        theirs = LECTURE[name, m][list(LECTURE_RUNS).index(n)]
        yield {
            "kernel": name,
            "m": m,
            "n": n,
            **summary(measured[name, m, n]),
            "tflops": f"{rate:.2f}",
            "ratio": f"{rate / rates['gemm_tiled', 32, 4096]:.3f}",
            "lecture_t4_gflops": theirs,
            "lecture_t4_ratio": f"{theirs / LECTURE['gemm_tiled', 32][0]:.3f}",
        }


def roofline(timer: Timer) -> Iterator[dict[str, Any]]:
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
    source = cp.zeros(1 << 28, cp.float32)
    target = cp.empty_like(source)
    (times,) = timer.series(15, lambda: cp.copyto(target, source))
    rate = 2 * source.nbytes / np.median(times) / 1e6
    yield {"ceiling": "copy of 1 GiB", "unit": "GB/s", "rate": f"{rate:.1f}", **summary(times)}


def counts() -> Iterator[dict[str, Any]]:
    """What Nsight Compute counts while this script, started by it, runs every rung once."""
    names = sorted({metric for metrics in METRICS.values() for metric in metrics})
    command = [
        "ncu",
        "--csv",
        "--page",
        "raw",
        "--clock-control",
        "none",
        "-k",
        "regex:^gemm_",
        "--metrics",
        ",".join(names),
    ]
    done = subprocess.run([*command, sys.executable, __file__, "launch"], capture_output=True, text=True, check=True)
    rows = list(csv.DictReader(line for line in done.stdout.splitlines() if line.startswith('"')))[1:]  # units first
    for row in rows:
        found = {
            column: int(sum(float((row.get(metric) or "0").replace(",", "")) for metric in metrics))
            for column, metrics in METRICS.items()
        }
        yield {"kernel": row["Kernel Name"].split("(")[0], "m": "", "n": COUNTED, **found}


def launch_all() -> None:
    a, b, c = random(COUNTED, COUNTED), random(COUNTED, COUNTED), cp.empty((COUNTED, COUNTED), cp.float32)
    for rung in RUNGS:
        Compiled(rung).call(a, b, c)()
    cp.cuda.Device().synchronize()


def main() -> None:
    assert "CUPY_TF32" not in os.environ, "cuBLAS must compute in FP32, not in TF32"
    kernels, timer, where = [Compiled(rung) for rung in RUNGS], Timer(), machine()
    for kernel in kernels:
        check(kernel)
    write("gemm", ladder(kernels, timer), where)
    write("roofline", roofline(timer), where)
    write("gemm_lecture", lecture(kernels, timer), where)
    if shutil.which("ncu"):
        write("gemm_counts", counts(), where)


if __name__ == "__main__":
    launch_all() if sys.argv[1:] == ["launch"] else main()
