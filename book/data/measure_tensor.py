"""How fast are matrix products on tensor cores, beside cuBLAS, and how fast can they be?

Run it on a machine with an NVIDIA GPU, CuPy and the CUDA toolkit: `python book/data/measure_tensor.py`. It takes a
minute and writes beside itself, for this GPU:

  tensor_<gpu>.csv         the kernels of book/kernels/tensor_cores at several n, the last ones with the tiles of TILES,
                           and each beside cuBLAS: FP16 factors, or FP32 ones as TF32, and sums and C in FP32
  tensor_limits_<gpu>.csv  the rate of `mma.sync` alone, with its factors in registers
  tensor_without_<gpu>.csv the last kernels with parts of their loops left out: their results are wrong, but their
                           times say what those parts cost

Before each timed launch more memory is written than the L2 cache holds. A kernel's launches alternate with cuBLAS', so
that percent_of_cublas compares times of one minute. Spread is the interquartile range.
"""

import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import cupy as cp
import numpy as np
from measuring import Row, Timer, compiled, machine, random, summary, write
from places import KERNELS

from autograder.nvrtc import compiler as nvrtc
from autograder.performance import gemm_tiles

SIDES = {1024: 40, 2048: 30, 4096: 20, 8192: 10}  # n: how many launches are timed
HEADER_LINES = 3  # of a file in book/kernels: how the emulator runs it
WORDS = ("BM", "BN", "BK", "WARPS_M", "WARPS_N", "STAGES", "GROUP")
#: Tiles of FP16 by WORDS; those of TF32, whose elements are twice as large, are half as deep.
TILES = (
    (128, 256, 64, 2, 4, 3, 8),
    (256, 128, 64, 4, 2, 3, 8),
    (256, 128, 64, 4, 2, 3, 16),
    (128, 256, 32, 2, 4, 4, 8),
    (128, 128, 64, 2, 2, 3, 8),
    (64, 128, 64, 2, 2, 4, 8),
)
#: `mma.sync` alone: eight products that do not wait for each other, again and again.
PEAK = r"""
extern "C" __global__ void __launch_bounds__(256) peak(const unsigned* in, float* out, int rounds)
{
    unsigned a[4], b[8][2];
    float sum[8][4] = {};
    for (int i = 0; i < 4; i++) a[i] = in[threadIdx.x + 256 * i];
    for (int i = 0; i < 16; i++) b[i / 2][i % 2] = in[threadIdx.x + 256 * (4 + i)];
    for (int k = 0; k < rounds; k++)
        #pragma unroll
        for (int i = 0; i < 8; i++)
            asm volatile("mma.sync.aligned.SHAPE.row.col.f32.TYPE.TYPE.f32 {%0, %1, %2, %3}, "
                         "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(sum[i][0]), "+f"(sum[i][1]), "+f"(sum[i][2]), "+f"(sum[i][3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[i][0]), "r"(b[i][1]));
    float all = 0.0f;
    for (int i = 0; i < 8; i++) all += sum[i][0] + sum[i][1] + sum[i][2] + sum[i][3];
    out[blockIdx.x * 256 + threadIdx.x] = all;
}
"""
#: What a loop does without, by the lines that are changed for it. The compiler does not know that K is never negative.
_COPIES = ("if (step == 0) begin_copy();", "if (step == 0 && K < 0) begin_copy();")
_LOADS = ("bool more = step < STEPS - 1 || phase + 1 < phases;", "bool more = K < 0;")
LEFT_OUT = {"nothing": (), "copies": (_COPIES,), "loads of fragments": (_LOADS,), "both": (_COPIES, _LOADS)}
INSTRUCTIONS = (("f16", "m16n8k16"), ("bf16", "m16n8k16"), ("tf32", "m16n8k8"))


@dataclass(frozen=True)
class Gemm:
    """A kernel of book/kernels/tensor_cores with some tile, as `nvrtc` compiled it."""

    file: str
    source: str
    name: str
    sizes: dict[str, int]
    result: nvrtc.NvrtcResult

    @property
    def type(self) -> str:
        return "TF32" if "tf32" in self.file else "FP16"

    @property
    def staged(self) -> bool:
        return "STAGES" in self.sizes

    @property
    def shared_mem(self) -> int:
        """Of its dynamic shared memory, the bytes."""
        if not self.staged:
            return 0
        s = self.sizes
        return s["STAGES"] * s["BK"] * (s["BM"] + s["BN"]) * (4 if self.type == "TF32" else 2)

    @property
    def threads(self) -> int:
        s = self.sizes
        return 32 * s["WARPS_M"] * s["WARPS_N"] if self.staged else 256 if "BM" in s else 32 * s["WARPS"]

    def launch(self, rows: int, cols: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The grid and the block for a C of rows x cols."""
        s = self.sizes
        if self.staged:
            return (rows // s["BM"] * (cols // s["BN"]),), (self.threads,)
        if "BM" in s:
            return (cols // s["BN"], rows // s["BM"]), (self.threads,)
        return (cols // 16, rows // 16 // s["WARPS"]), (32, s["WARPS"])

    def load(self) -> cp.cuda.Function:
        module = cp.cuda.Module()
        module.load(self.result.cubin)
        found = module.get_function(self.result.entry)
        driver = cp.cuda.driver
        driver.funcSetAttribute(found.ptr, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, self.shared_mem)
        return found


def compile_all() -> list[Gemm]:
    """Each kernel, with each tile that it may have and that fits, in the order of their files."""
    arch = f"sm_{cp.cuda.Device().compute_capability}"
    most = cp.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"]

    def one(file: str, source: str, tile: dict[str, int]) -> Gemm:
        text = gemm_tiles.with_sizes(source, tile)
        (name,) = re.findall(r"__global__ void (\w+)", text)
        result = nvrtc.compile_for(text, name, arch)
        assert result.ok, f"{file}: {result.log}"
        return Gemm(file, text, name, gemm_tiles.sizes_in(text), result)

    wanted = []
    for path in sorted((KERNELS / "tensor_cores").glob("*.cu")):
        source = "".join(path.read_text().splitlines(keepends=True)[HEADER_LINES:])
        tiles = [dict(zip(WORDS, tile, strict=True)) for tile in TILES] if "STAGES" in source else [{}]
        if "tf32" in path.stem:
            tiles = [tile | {"BK": tile["BK"] // 2} for tile in tiles]
        wanted += [(path.stem, source, tile) for tile in tiles]
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda of: one(*of), wanted))
    return [gemm for gemm in found if gemm.shared_mem <= most]


def library(kind: str, a: cp.ndarray, b: cp.ndarray, c: cp.ndarray) -> Callable[[], None]:
    """cuBLAS's c = a b, for FP16 factors or for FP32 ones as TF32. It counts by columns: c' = b' a'."""
    from cupy_backends.cuda.libs import cublas  # type: ignore[import-untyped]  # needs cuBLAS to be imported

    (rows, depth), cols = a.shape, b.shape[1]
    stored, compute = (2, 68) if kind == "FP16" else (0, 77)  # CUDA_R_16F or _32F; COMPUTE_32F or _32F_FAST_TF32
    scales = np.array([1.0, 0.0], np.float32)  # of a b, and of what c was
    one, zero = scales.ctypes.data, scales.ctypes.data + 4
    handle = cp.cuda.device.get_cublas_handle()

    def call() -> None:
        assert scales.size  # kept as long as the call
        first, second = (b.data.ptr, stored, cols), (a.data.ptr, stored, depth)
        cublas.gemmEx(handle, 0, 0, cols, rows, depth, one, *first, *second, zero, c.data.ptr, 0, cols, compute, -1)

    return call


def call(gemm: Gemm, function: cp.cuda.Function, a: cp.ndarray, b: cp.ndarray, c: cp.ndarray) -> Callable[[], None]:
    grid, block = gemm.launch(*c.shape)
    args = (a, b, c, *map(np.int32, (*c.shape, a.shape[1])))
    return lambda: function(grid, block, args, shared_mem=gemm.shared_mem)


def factors(kind: str, rows: int, cols: int) -> cp.ndarray:
    return random(rows, cols).astype(cp.float16 if kind == "FP16" else cp.float32)


def check(gemm: Gemm, function: cp.cuda.Function) -> None:
    """Check that the kernel is right, where its tiles fit: of factors that TF32 holds exactly, within rounding."""
    rows, cols, depth = 512, 768, 320
    a, b = factors(gemm.type, rows, depth), factors(gemm.type, depth, cols)
    if gemm.type == "TF32":
        a, b = ((x.view(cp.uint32) & cp.uint32(0xFFFFE000)).view(cp.float32) for x in (a, b))
    want = a.astype(cp.float64) @ b.astype(cp.float64)
    for product in (
        call(gemm, function, a, b, c := cp.full((rows, cols), cp.nan, cp.float32)),
        library(gemm.type, a, b, c),
    ):
        c.fill(cp.nan)
        product()
        error = float(cp.abs(c - want).max())
        assert error < 1e-5 * depth, f"{gemm.name} {gemm.sizes} or cuBLAS is wrong by {error}"


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
    """For the largest tile of each staged kernel, with each of LEFT_OUT."""
    arch = f"sm_{cp.cuda.Device().compute_capability}"
    for file in dict.fromkeys(gemm.file for gemm in gemms if gemm.staged):
        whole = next(gemm for gemm in gemms if gemm.file == file)
        for n in (4096, 8192):
            a, b = factors(whole.type, n, n), factors(whole.type, n, n)
            c, d = cp.empty((n, n), cp.float32), cp.empty((n, n), cp.float32)
            for what, changes in LEFT_OUT.items():
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
                    **summary(own),
                    "tflops": f"{2 * n**3 / 1e9 / np.median(own):.1f}",
                    "percent_of_cublas": f"{100 * np.median(np.array(other) / own):.1f}",
                }


def limits(timer: Timer) -> Iterator[Row]:
    processors, rounds = cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"], 20000
    out = cp.empty(2 * 256 * processors, cp.float32)
    for kind, shape in INSTRUCTIONS:
        values = random(24, 256)
        if kind == "f16":
            values = random(24, 512).astype(cp.float16)
        elif kind == "bf16":
            values = (random(24, 512).view(cp.uint32) >> 16).astype(cp.uint16)
        _, peak = compiled(PEAK.replace("SHAPE", shape).replace("TYPE", kind), "peak")
        args = (values.view(cp.uint32), out, np.int32(rounds))
        for warps in (1, 2, 4, 8, 16):
            grid, block = (processors * max(1, warps // 8),), (32 * min(warps, 8),)
            (times,) = timer.series(5, partial(peak, grid, block, args))
            operations = 2 * 16 * 8 * int(shape.rpartition("k")[2]) * 8 * rounds * warps * processors / 1e9
            yield {
                "instruction": f"mma.sync {shape}",
                "type": kind,
                "warps_per_sm": warps,
                **summary(times),
                "tflops": f"{operations / np.median(times):.1f}",
            }


def main() -> None:
    os.environ.setdefault("CUDA_HOME", "/usr/local/cuda")  # whose mma.h is whole
    timer, where = Timer(), machine()
    write("tensor_limits", limits(timer), where)
    gemms = compile_all()
    write("tensor", products(gemms, timer), where)
    write("tensor_without", without(timer, gemms), where)


if __name__ == "__main__":
    main()
