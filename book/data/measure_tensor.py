"""How fast are matrix products on tensor cores, beside cuBLAS, and how fast can they be?

Run it on a machine with an NVIDIA GPU, CuPy and the CUDA toolkit: `python book/data/measure_tensor.py`. It takes a
minute and writes beside itself, for this GPU:

  tensor_<gpu>.csv         the kernels of book/kernels/tensor_cores at several n, two of them with the tiles of TILES,
                           and each beside cuBLAS: FP16 factors, or FP32 ones as TF32, and sums and C in FP32
  tensor_limits_<gpu>.csv  the rates of `mma.sync` alone, with its factors in registers, and of `wgmma` alone
  tensor_without_<gpu>.csv the last kernels with parts of their loops left out: the results are often wrong then, but
                           the times say what those parts cost or gain
  tensor_profile_<gpu>.csv what Nsight Compute says of the last kernels, and of cuBLAS

Before each timed launch more memory is written than the L2 cache holds. A kernel's launches alternate with cuBLAS', so
that percent_of_cublas compares times of one minute. Spread is the interquartile range.
"""

import os
from collections.abc import Iterator
from dataclasses import replace

import cupy as cp
import numpy as np
from measuring import Row, Timer, machine, summary, write
from tensor_kernels import Gemm, call, compile_all, factors, library
from tensor_limits import limits
from tensor_profile import profile

from autograder.cuda.nvrtc import compiler as nvrtc

SIDES = {1024: 40, 2048: 30, 4096: 20, 8192: 10}  # n: how many launches are timed
#: What a loop does without, by the lines that are changed for it. The compiler does not know that K is never negative.
_COPIES = ("if (step == 0) begin_copy();", "if (step == 0 && K < 0) begin_copy();")
_LOADS = ("bool more = step < STEPS - 1 || phase + 1 < phases;", "bool more = K < 0;")
LEFT_OUT = {"nothing": (), "copies": (_COPIES,), "loads of fragments": (_LOADS,), "both": (_COPIES, _LOADS)}
#: The same for the kernels of warpgroups.
LEFT_OUT_OF_WGMMA = {
    "nothing": (),
    "copies": (("begin_copy();     // into", "if (K < 0) begin_copy();  // into"),),
    "a third buffer": (("STAGES = 3", "STAGES = 2"),),
    "a second group": (("wait_group.sync.aligned 1;", "wait_group.sync.aligned 0;"),),
    "the flag add": (("sum[32][4];  // not", "sum[32][4] = {};  // not"), ("+ step > 0)", "+ step >= 0)")),
    "the first barrier": (("__syncthreads();  // this", "// this"),),
    "the second barrier": (("__syncthreads();  // so", "// so"),),
    "fence.proxy.async": (('asm volatile("fence.proxy.async.shared::cta;" ::: "memory");', ""),),
}


def check(gemm: Gemm, function: cp.cuda.Function) -> None:
    """Check that the kernel is right, where its tiles fit: within rounding for factors that its type holds exactly, and
    exactly for small whole numbers."""
    for rows, cols, depth in ((256, 256, 64), (512, 768, 320)):
        a, b = factors(gemm.type, rows, depth), factors(gemm.type, depth, cols)
        c = cp.empty((rows, cols), cp.float32)
        if gemm.type == "TF32":
            call(gemm, function, a, b, c)()
            whole = c.copy()
            a, b = ((x.view(cp.uint32) & cp.uint32(0xFFFFE000)).view(cp.float32) for x in (a, b))
            call(gemm, function, a, b, c)()
            assert cp.array_equal(c, whole), f"{gemm.name} does not ignore the bits that TF32 has no room for"
        for x, y, most in ((a, b, 1e-5 * depth), (cp.rint(4 * a), cp.rint(4 * b), 0)):
            want = x.astype(cp.float64) @ y.astype(cp.float64)
            for product in (call(gemm, function, x, y, c), library(gemm.type, x, y, c)):
                c.fill(cp.nan)
                product()
                error = float(cp.abs(c - want).max())
                assert error <= most, f"{gemm.name} {gemm.sizes} or cuBLAS is wrong by {error}"


def products(gemms: list[Gemm], timer: Timer) -> Iterator[Row]:
    loaded = [gemm.load() for gemm in gemms]
    for gemm, function in zip(gemms, loaded, strict=True):
        check(gemm, function)
    for n, runs in SIDES.items():
        for gemm, function in zip(gemms, loaded, strict=True):
            a, b = factors(gemm.type, n, n), factors(gemm.type, n, n)
            c, d = cp.empty((n, n), cp.float32), cp.empty((n, n), cp.float32)
            own, other = timer.series(runs, call(gemm, function, a, b, c), library(gemm.type, a, b, d))
            assert cp.allclose(c, d, rtol=0, atol=0.01 * n**0.5), f"{gemm.name} {gemm.sizes} is wrong at n={n}"
            low, high = np.percentile(100 * np.array(other) / own, [25, 75])
            operations, s = 2 * n**3 / 1e9, gemm.sizes
            blocks = cp.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
                function.ptr, gemm.threads, gemm.shared_mem
            )
            yield {
                "type": gemm.type,
                "kernel": gemm.file,
                "n": n,
                "tile": f"{s['BM']} x {s['BN']} x {s['BK']}" if "BM" in s else "16 x 16 x 16",
                "warps": gemm.threads // 32,
                "stages": s.get("STAGES", 1),
                "group": s.get("GROUP", 1),
                **summary(own),
                "tflops": f"{operations / np.median(own):.1f}",
                "cublas_tflops": f"{operations / np.median(other):.1f}",
                "percent_of_cublas": f"{100 * np.median(np.array(other) / own):.1f}",
                "percent_spread": f"{high - low:.2f}",
                "registers": gemm.result.registers,
                "local_bytes": gemm.result.local,
                "shared_bytes": gemm.result.static_shared + gemm.shared_mem,
                "blocks_per_sm": blocks,
            }


def without(timer: Timer, gemms: list[Gemm]) -> Iterator[Row]:
    """For the largest tile of each staged kernel, with each of LEFT_OUT or LEFT_OUT_OF_WGMMA."""
    arch = f"sm_{cp.cuda.Device().compute_capability}"
    for file in dict.fromkeys(gemm.file for gemm in gemms if gemm.staged):
        whole = next(gemm for gemm in gemms if gemm.file == file)
        for n in (4096, 8192):
            a, b = factors(whole.type, n, n), factors(whole.type, n, n)
            c, d = cp.empty((n, n), cp.float32), cp.empty((n, n), cp.float32)
            for what, changes in (LEFT_OUT_OF_WGMMA if "wgmma" in file else LEFT_OUT).items():
                source = whole.source
                for old, new in changes:
                    assert source.count(old) == 1, f"{file} has {old!r} {source.count(old)} times"
                    source = source.replace(old, new)
                gemm = replace(whole, source=source, result=nvrtc.compile_for(source, whole.name, arch))
                own, other = timer.series(SIDES[n], call(gemm, gemm.load(), a, b, c), library(gemm.type, a, b, d))
                s = gemm.sizes
                yield {
                    "type": gemm.type,
                    "kernel": file,
                    "n": n,
                    "tile": f"{s['BM']} x {s['BN']} x {s['BK']}",
                    "left_out": what,
                    "right": "yes" if cp.allclose(c, d, rtol=0, atol=0.01 * n**0.5) else "no",
                    **summary(own),
                    "tflops": f"{2 * n**3 / 1e9 / np.median(own):.1f}",
                    "percent_of_cublas": f"{100 * np.median(np.array(other) / own):.1f}",
                }


def main() -> None:
    os.environ.setdefault("CUDA_HOME", "/usr/local/cuda")  # whose mma.h is whole
    timer, where = Timer(), machine()
    write("tensor_limits", limits(timer), where)
    gemms = compile_all()
    write("tensor", products(gemms, timer), where)
    write("tensor_without", without(timer, gemms), where)
    write("tensor_profile", profile(), where)


if __name__ == "__main__":
    main()
