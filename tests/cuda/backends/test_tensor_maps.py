"""Tensor maps as arguments of a kernel: what their tiles hold, and what is refused. (tests/cuda/programs has programs
that make them, and tests/cuda/kernels has bulk copies without.)"""

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.backends import gpu
from autograder.cuda.core.findings import Crash
from autograder.cuda.core.run import Run
from autograder.cuda.core.tensor_map import BYTES, description, tensor_map
from autograder.cuda.errors import UsageError

pytestmark = inputs.emulation

TEXT = """
struct alignas(64) TensorMap { unsigned long long words[16]; };
__device__ unsigned place(const void* shared) { return __cvta_generic_to_shared(shared); }
__global__ void fetch(const __grid_constant__ TensorMap map, int col, int row, unsigned char* out, int bytes)
{
    extern __shared__ __align__(1024) unsigned char tile[];
    __shared__ unsigned long long full;
    MADE_UP
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(place(&full)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                     :: "r"(place(&full)), "r"(bytes) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                     " [%0], [%1, {%2, %3}], [%4];"
                     :: "r"(place(tile)), "l"(&map), "r"(col), "r"(row), "r"(place(&full)) : "memory");
    }
    __syncthreads();
    int open = 0;
    while (!open)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(open) : "r"(place(&full)) : "memory");
    for (int i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = tile[i];
}
"""
GIVEN = np.arange(1, 20 * 32 + 1, dtype=np.float16).reshape(20, 32)
BOX = (8, 16)


def fetch(described: np.ndarray, col: int, row: int, made_up: str = "") -> Run:
    size = 2 * BOX[0] * BOX[1]
    kernel = Kernel(TEXT.replace("MADE_UP", made_up), "fetch")
    return kernel.emulate(1, 32, [described, col, row, np.zeros(size, np.uint8), size], size)


def expected(col: int, row: int, swizzle: int) -> np.ndarray:
    """The tile's bytes, from its definition."""
    wide = np.pad(GIVEN, 64)
    rows = np.ascontiguousarray(wide[64 + row : 64 + row + BOX[0], 64 + col : 64 + col + BOX[1]]).view(np.uint8)
    pieces = rows.reshape(-1, 16)
    out = np.empty_like(pieces)
    for number, piece in enumerate(pieces):
        out[number ^ (number // 8 % (swizzle // 16) if swizzle else 0)] = piece
    return out.reshape(-1)


@pytest.mark.parametrize("swizzle", [0, 32, 64, 128])
@pytest.mark.parametrize(("col", "row"), [(0, 0), (16, 8), (-8, -5), (24, 17), (40, 0), (0, -8)])
def test_a_tile_holds_what_its_map_says(col: int, row: int, swizzle: int) -> None:
    run = fetch(tensor_map(GIVEN, BOX, swizzle), col, row)
    assert not run.findings
    assert run.outputs[1].tolist() == expected(col, row, swizzle).tolist()


def test_a_read_beyond_what_a_map_describes_is_none_of_the_array() -> None:
    described = tensor_map(GIVEN, BOX)[: BYTES + 64 * 10]  # 10 of its 20 rows
    run = fetch(described, 0, 8)
    assert [(f.kind, f.accesses[0].array) for f in run.findings] == [("OutOfBounds", "map")]


@pytest.mark.parametrize("word", ["mine.words[1] = 0", "mine.words[11] |= 0xffff", "mine.words[12] |= 1ull << 32"])
def test_a_map_that_a_kernel_makes_up_is_refused(word: str) -> None:
    run = fetch(tensor_map(GIVEN, BOX), 0, 0, f"TensorMap mine = map;\n{word};\n#define map mine\n")
    (finding,) = run.findings
    assert isinstance(finding, Crash) and finding.reason == "no tensor map"


#: What `tensormap.replace` has to change in a map of halves for one of bytes, of half as many rows, with a swizzle.
AS_BYTES = (
    ("elemtype", 32, "0"),
    ("box_dim", 32, "0, 32"),
    ("box_dim", 32, "1, 4"),
    ("global_dim", 32, "0, 64"),
    ("global_dim", 32, "1, 10"),
    ("global_stride", 64, "0, 128"),
    ("element_stride", 32, "0, 1"),
    ("rank", 32, "1"),
    ("swizzle_mode", 32, "1"),
    ("interleave_layout", 32, "0"),
    ("fill_mode", 32, "0"),
)


def replaced(*fields: tuple[str, int, str]) -> Run:
    """A tile of 4 x 32 bytes at (2, 32) of every second row, by a map in global memory with other fields."""
    changes = "".join(
        f'asm volatile("tensormap.replace.tile.{field}.global.b1024.b{bits} [%0], {value};" :: "l"(made) : "memory");'
        for field, bits, value in fields
    )
    text = TEXT.replace("int bytes)", "int bytes, TensorMap* made)").replace('"l"(&map)', '"l"(made)')
    changes = f"""if (threadIdx.x == 0) {{
        *made = map;
        {changes}
        asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" :: "l"(made) : "memory");
    }}"""
    kernel = Kernel(text.replace("MADE_UP", changes), "fetch")
    out, made = np.zeros(128, np.uint8), np.zeros(128, np.uint8)
    return kernel.emulate(1, 32, [tensor_map(GIVEN, BOX), 32, 2, out, 128, made], 1024)


def test_each_field_of_a_map_in_memory_can_be_replaced() -> None:
    run = replaced(*AS_BYTES)
    assert not run.findings
    as_bytes = np.ascontiguousarray(GIVEN[::2]).view(np.uint8)
    wanted = fetch_of(as_bytes, (4, 32), 32, 2)
    assert run.outputs[1].tolist() == wanted


def fetch_of(elements: np.ndarray, box: tuple[int, int], col: int, row: int) -> list[int]:
    """The bytes of such a tile with a swizzle of 32 bytes, by a map that is made so."""
    size = elements.itemsize * box[0] * box[1]
    arguments = [tensor_map(elements, box, 32), col, row, np.zeros(size, np.uint8), size]
    run = Kernel(TEXT.replace("MADE_UP", ""), "fetch").emulate(1, 32, arguments, size)
    return [int(byte) for byte in run.outputs[1]]


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    "field",
    [
        ("elemtype", 32, "13"),
        ("box_dim", 32, "0, 257"),
        ("box_dim", 32, "5, 8"),
        ("global_stride", 64, "0, 8"),
        ("global_stride", 64, "4, 16"),
        ("element_stride", 32, "0, 2"),
        ("rank", 32, "5"),
        ("swizzle_mode", 32, "4"),
        ("interleave_layout", 32, "1"),
        ("fill_mode", 32, "1"),
    ],
)
def test_a_field_that_no_map_can_have_here_is_refused(field: tuple[str, int, str]) -> None:
    (finding,) = replaced(field).findings
    assert isinstance(finding, Crash) and finding.reason == "field of a tensor map"


@pytest.mark.parametrize(
    ("elements", "box", "swizzle", "why"),
    [
        (GIVEN, (8, 12), 0, "no box"),
        (GIVEN, (8, 32), 32, "no box"),
        (GIVEN, (8,), 0, "no box"),
        (GIVEN, (300, 16), 0, "no box"),
        (GIVEN, BOX, 48, "no swizzle 48"),
        (GIVEN[:, :15], (8, 8), 0, "describes no array"),
        (np.zeros((1,) * 6), (1,) * 6, 0, "describes no array"),
        (np.zeros(8, np.complex128), (8,), 0, "describes no array"),
    ],
)
def test_a_map_that_no_driver_would_make_is_refused(
    elements: np.ndarray, box: tuple[int, ...], swizzle: int, why: str
) -> None:
    with pytest.raises(UsageError, match=why):
        tensor_map(elements, box, swizzle)


def test_a_map_says_what_a_driver_needs() -> None:
    """As `cuTensorMapEncodeTiled` takes it, for the scripts of the book that launch without CuPy."""
    assert description(tensor_map(GIVEN.astype(np.float32), BOX, 64)) == {
        "type": "float32",
        "extents": [32, 20],
        "strides": [128],
        "box": [16, 8],
        "swizzle": 64,
    }
    assert description(tensor_map(GIVEN.astype(np.int16), BOX))["type"] == "uint16"


def test_no_gpu_is_given_a_tensor_map() -> None:
    kernel = Kernel(TEXT.replace("MADE_UP", ""), "fetch")
    launch = kernel.prepare(1, 32, [tensor_map(GIVEN, BOX), 0, 0, np.zeros(256, np.uint8), 256], 256)
    with pytest.raises(UsageError, match="map is a tensor map, which no GPU is given"):
        gpu._refuse_objects(launch)
