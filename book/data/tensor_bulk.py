"""The kernels of book/kernels/tensor_cores that copy tiles by tensor maps, and cuBLAS, for measure_tensor_bulk.py.

A tensor map is made by the driver's `cuTensorMapEncodeTiled`, which CuPy has no name for.
"""

import ctypes
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import cupy as cp
import numpy as np
from measuring import random
from places import KERNELS

from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.performance import gemm_tiles

HEADER_LINES = 3  # of a file in book/kernels: how the emulator runs it
#: Per type: bytes of an element, CUtensorMapDataType, cudaDataType, and the words for it in a kernel's text.
BYTES = {"FP16": 2, "BF16": 2, "TF32": 4, "FP32": 4}
ENCODED = {"FP16": 6, "BF16": 9, "TF32": 7, "FP32": 7}
STORED = {"FP16": 2, "BF16": 14, "TF32": 0, "FP32": 0}
PAIRS = {"FP16": "half2", "BF16": "__nv_bfloat162", "FP32": "float2"}
_SCALES = np.array([1.0, 0.0], np.float32)  # of a b, and of what c was
_COMPUTE_32F, _COMPUTE_TF32 = 68, 77
_SWIZZLE_128, _FETCH_256 = 3, 3  # CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B
NONE: Mapping[str, Any] = MappingProxyType({})
_MAP = np.dtype([("words", np.uint64, 16)])


class _Launch(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = (
        *((word, ctypes.c_uint) for word in ("gx", "gy", "gz", "bx", "by", "bz", "shared")),
        *(("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("count", ctypes.c_uint)),
    )


@dataclass(frozen=True)
class BulkGemm:
    """A kernel with some tile and types, as `nvrtc` compiled it. `sharing`: clusters share the tiles that are left when
    each has had as many whole ones as every other."""

    file: str
    type: str
    output: str
    sizes: Mapping[str, int]
    sharing: bool
    source: str
    result: nvrtc.NvrtcResult

    @property
    def persistent(self) -> bool:
        return "CLUSTER" in self.sizes

    @property
    def tile(self) -> str:
        return " x ".join(str(self.sizes[side]) for side in ("BM", "BN", "BK"))

    @property
    def consumers(self) -> int:
        return (self.sizes["BN"] if self.type == "TF32" else self.sizes["BM"]) // 64

    @property
    def threads(self) -> int:
        return 128 * (self.consumers + 1)

    @property
    def shared_mem(self) -> int:
        """The bytes of dynamic shared memory: the ring, two pieces of C for each 16 rows, and two barriers a slot."""
        s = self.sizes
        ring = s["STAGES"] * s["BK"] * (s["BM"] + s["BN"]) * BYTES[self.type]
        return ring + (self.consumers * 16384 if self.persistent else 0) + 16 * s["STAGES"]

    def load(self) -> cp.cuda.Function:
        module = cp.cuda.Module()
        module.load(self.result.cubin)
        found = module.get_function(self.result.entry)
        driver = cp.cuda.driver
        driver.funcSetAttribute(found.ptr, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, self.shared_mem)
        return found

    def clusters(self, function: cp.cuda.Function) -> int:
        """How many clusters fit on the GPU at a time. Those that share a tile wait for each other, so all must fit."""
        side = ctypes.c_uint32 * 16
        cluster = side(4, 0, self.sizes["CLUSTER"], 1, 1)  # CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        grid, none = 128 * self.sizes["CLUSTER"], None
        where = ctypes.cast(cluster, ctypes.c_void_p)
        config = _Launch(grid, 1, 1, self.threads, 1, 1, self.shared_mem, none, where, 1)
        count = ctypes.c_int()
        _call("cuOccupancyMaxActiveClusters", ctypes.byref(count), ctypes.c_void_p(function.ptr), ctypes.byref(config))
        return count.value


def build(
    file: str,
    kind: str,
    output: str = "FP32",
    sizes: Mapping[str, int] = NONE,
    sharing: bool = False,
    changes: Mapping[str, str] = NONE,
) -> BulkGemm:
    """Compile a kernel with other sizes, other types, or other `changes` of its text."""
    text = "".join((KERNELS / "tensor_cores" / f"{file}.cu").read_text().splitlines(keepends=True)[HEADER_LINES:])
    text = gemm_tiles.with_sizes(text, sizes)
    if output != "FP32":
        changes = {**changes, "using Pair = float2;": f"using Pair = {PAIRS[output]};"}
    for old, new in changes.items():
        assert text.count(old) == 1, f"{file} has {old!r} {text.count(old)} times"
        text = text.replace(old, new)
    if kind == "BF16":
        text = text.replace(".f32.f16.f16", ".f32.bf16.bf16")
    (name,) = re.findall(r"__global__ void (\w+)", text)
    result = nvrtc.compile_for(text, name, "sm_90")
    assert result.ok, f"{file}: {result.log}"
    return BulkGemm(file, kind, output, gemm_tiles.sizes_in(text), sharing, text, result)


def call(gemm: BulkGemm, a: cp.ndarray, b: cp.ndarray, c: cp.ndarray) -> Callable[[], None]:
    """A launch of c = a b."""
    function, s, (rows, depth), cols = gemm.load(), gemm.sizes, a.shape, b.shape[1]
    words, kind = 128 // BYTES[gemm.type], gemm.type  # elements in 128 bytes
    if not gemm.persistent:
        grid = rows // s["BM"] * (cols // s["BN"])
        factors = _map(a, kind, (s["BM"], words)), _map(b, kind, (s["BK"], words))
        given = (*factors, c, *map(np.int32, (rows, cols, depth)))
        return lambda: function((grid,), (gemm.threads,), given, shared_mem=gemm.shared_mem)
    share_a = s["CLUSTER"] if kind == "TF32" else 1  # blocks that copy a tile of a together; of b the others
    share_b = 1 if kind == "TF32" else s["CLUSTER"]
    maps = (
        _map(a, kind, (s["BM"] // share_a, words)),
        _map(b, kind, (s["BK"] // share_b, words)),
        _map(c, gemm.output, (32 if kind == "TF32" else 16, 128 // BYTES[gemm.output])),
    )
    tiles = -(-rows // (s["BM"] * share_b)) * -(-cols // (s["BN"] * share_a))
    clusters = min(tiles, gemm.clusters(function))
    whole = tiles // clusters * clusters if gemm.sharing else tiles
    done = cp.zeros(max(1, (tiles - whole) * s["CLUSTER"] * 4 * gemm.consumers), cp.int32)
    args = (*maps, *map(np.int32, (rows, cols, depth, whole)), done)
    return lambda: function((clusters * s["CLUSTER"],), (gemm.threads,), args, shared_mem=gemm.shared_mem)


def cublas(kind: str, output: str, a: cp.ndarray, b: cp.ndarray, c: cp.ndarray) -> Callable[[], None]:
    """c = a b by cuBLAS. It counts by columns: c' = b' a'."""
    from cupy_backends.cuda.libs import cublas as library  # type: ignore[import-untyped]  # needs cuBLAS to be imported

    (rows, depth), cols, handle = a.shape, b.shape[1], cp.cuda.device.get_cublas_handle()
    one, zero = _SCALES.ctypes.data, _SCALES.ctypes.data + 4
    first, second = (b.data.ptr, STORED[kind], cols), (a.data.ptr, STORED[kind], depth)
    result = (c.data.ptr, STORED[output], cols, _COMPUTE_TF32 if kind == "TF32" else _COMPUTE_32F, -1)
    return lambda: library.gemmEx(handle, 0, 0, cols, rows, depth, one, *first, *second, zero, *result)


def factors(kind: str, rows: int, cols: int) -> cp.ndarray:
    """Random numbers; those of BF16 as the uint16 that has their bits."""
    return narrowed(random(rows, cols), kind)


def narrowed(values: cp.ndarray, kind: str) -> cp.ndarray:
    """FP32 values as this type; for BF16 and TF32 the last bits are cut off."""
    if kind == "FP16":
        return values.astype(cp.float16)
    if kind == "BF16":
        return (values.view(cp.uint32) >> 16).astype(cp.uint16)
    return (values.view(cp.uint32) & cp.uint32(0xFFFFE000)).view(cp.float32)


def widened(values: cp.ndarray) -> cp.ndarray:
    """The same values in FP64."""
    if values.dtype == cp.uint16:
        values = (values.astype(cp.uint32) << 16).view(cp.float32)
    return values.astype(cp.float64)


def result_for(output: str, rows: int, cols: int) -> cp.ndarray:
    return cp.empty((rows, cols), {"FP32": cp.float32, "FP16": cp.float16, "BF16": cp.uint16}[output])


def _map(matrix: cp.ndarray, kind: str, box: tuple[int, int]) -> np.ndarray:
    """The tensor map of a matrix, for boxes of rows x columns with rows of 128 bytes, swizzled."""
    rows, cols = matrix.shape
    memory = ctypes.create_string_buffer(128 + 64)
    at = (ctypes.addressof(memory) + 63) // 64 * 64  # where it must begin
    extents, strides = (ctypes.c_uint64 * 2)(cols, rows), (ctypes.c_uint64 * 1)(cols * BYTES[kind])
    sides, steps = (ctypes.c_uint32 * 2)(box[1], box[0]), (ctypes.c_uint32 * 2)(1, 1)
    _call(
        "cuTensorMapEncodeTiled",
        *(ctypes.c_void_p(at), ENCODED[kind], 2, ctypes.c_void_p(matrix.data.ptr), extents, strides, sides, steps),
        *(0, _SWIZZLE_128, _FETCH_256, 0),  # not interleaved; zeros outside the matrix
    )
    return np.frombuffer(ctypes.string_at(at, 128), _MAP)


def _call(function: str, *args: object) -> None:
    status = getattr(ctypes.CDLL("libcuda.so.1"), function)(*args)
    assert status == 0, f"{function}: CUDA's error {status}"
