"""A tiled matrix product in cuTile, and what NVIDIA's compiler makes of it for four GPUs.

Run it anywhere, without a GPU: `pip install "cuda-tile[tileiras]" nvidia-cuda-nvdisasm .`, then `python
book/programs/tiled_product.py`. It takes half a minute and writes book/data/tile_instructions.csv: how often each of
INSTRUCTIONS is in the machine code for each GPU, with tiles of TILE, factors of 16 bits, and rows and columns that are
multiples of 8.
"""

import importlib.util
import re
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel

from autograder.cuda.performance import measurements

RESULT = Path(__file__).parents[1] / "data" / "tile_instructions.csv"
#: Rows and columns of a tile of C, and columns of one of A.
TILE = (128, 128, 64)
GPUS = {"A100": "sm_80", "H100": "sm_90", "B200": "sm_100", "RTX 5090": "sm_120"}
#: Names in PTX, and in the machine code that nvdisasm prints for a kernel that uses them.
INSTRUCTIONS = {
    "cp.async": "LDGSTS",
    "cp.async.bulk.tensor": "UTMALDG",
    "bar.sync": "BAR.SYNC",
    "mbarrier": "SYNCS",
    "ldmatrix": "LDSM",
    "mma.sync": "HMMA",
    "wgmma": "HGMMA",
    "tcgen05.mma": "UTCHMMA",
    "tcgen05.ld": "LDTM",
}


Size = ct.Constant[int]  # known when the kernel is compiled


@ct.kernel
def product(A, B, C, TM: Size, TN: Size, TK: Size):
    row, col = ct.bid(0), ct.bid(1)
    zero = ct.PaddingMode.ZERO
    sums = ct.zeros((TM, TN), dtype=ct.float32)
    for phase in range(ct.num_tiles(A, axis=1, shape=(TM, TK))):
        a = ct.load(A, index=(row, phase), shape=(TM, TK), padding_mode=zero)
        b = ct.load(B, index=(phase, col), shape=(TK, TN), padding_mode=zero)
        sums = ct.mma(a, b, sums)
    ct.store(C, index=(row, col), tile=sums)


def matrix(dtype: ct.DType) -> ArrayConstraint:
    """By rows, aligned as the arrays of CUDA's allocators are."""
    return ArrayConstraint(
        dtype,
        2,
        index_dtype=ct.int32,
        stride_lower_bound_incl=0,
        alias_groups=(),
        may_alias_internally=False,
        stride_constant=(None, 1),
        stride_divisible_by=(8, 1),
        shape_divisible_by=8,
        base_addr_divisible_by=16,
    )


def machine_code(gpu_code: str) -> str:
    """The kernel for this GPU, as nvdisasm prints it."""
    arguments = [matrix(ct.float16), matrix(ct.float16), matrix(ct.float32), *TILE]
    signature = KernelSignature(arguments, CallingConvention.cutile_python_v2())
    tools = importlib.util.find_spec("nvidia.cu13").submodule_search_locations[0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "product.cubin"
        export_kernel(product, [signature], file, gpu_code=gpu_code, output_format="cubin")
        command = [f"{tools}/bin/nvdisasm", "-c", str(file)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def rows() -> Iterator[dict[str, str | int]]:
    code = {gpu: machine_code(name) for gpu, name in GPUS.items()}
    for ptx, sass in INSTRUCTIONS.items():
        for gpu, text in code.items():
            yield {"instruction": ptx, "gpu": gpu, "count": len(re.findall(rf"\s{re.escape(sass)}\b", text))}


if __name__ == "__main__":
    compiler = f"cuTile {version('cuda-tile')}, tileiras {version('nvidia-cuda-tileiras')}"
    measurements.write(RESULT, rows(), measurements.origin("book/programs/tiled_product.py", compiler=compiler))
