"""The kernels of book/kernels/tensor_cores on this GPU, and cuBLAS, for measure_tensor.py and tensor_profile.py."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cupy as cp
import numpy as np
from measuring import random
from places import KERNELS

from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.performance import gemm_tiles

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
        if "WARPS_M" in s:
            return 32 * s["WARPS_M"] * s["WARPS_N"]
        if self.staged:
            return s["BM"] * s["BN"] // 128  # sums of each thread of a warpgroup
        return 256 if "BM" in s else 32 * s["WARPS"]

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


def compile_all(files: str = "*") -> list[Gemm]:
    """Each kernel with pointers to A and B, with each tile that it may have and that fits, in the order of their
    files."""
    arch = f"sm_{cp.cuda.Device().compute_capability}"
    most = cp.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"]

    def one(file: str, source: str, tile: dict[str, int]) -> Gemm:
        text = gemm_tiles.with_sizes(source, tile)
        (name,) = re.findall(r"__global__ void (\w+)", text)
        result = nvrtc.compile_for(text, name, arch)
        assert result.ok, f"{file}: {result.log}"
        return Gemm(file, text, name, gemm_tiles.sizes_in(text), result)

    wanted = []
    for path in sorted((KERNELS / "tensor_cores").glob(f"{files}.cu")):
        source = "".join(path.read_text().splitlines(keepends=True)[HEADER_LINES:])
        if "TensorMap" in source:
            continue  # measure_tensor_bulk.py measures it
        tiles = [dict(zip(WORDS, tile, strict=True)) for tile in TILES]
        if not set(WORDS) <= gemm_tiles.sizes_in(source).keys():
            tiles = [{}]  # it has one tile
        elif "tf32" in path.stem:
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
