"""Does a listing of the book get all points where a student gives it as the answer to an exercise that it solves?"""

import re
from dataclasses import dataclass
from pathlib import Path

import inputs
import nbformat
import pytest

from autograder.exercises.authoring.verify import Result, find_exercises, prove_answers

ROOT = Path(__file__).parents[3]
EXERCISES = {path.stem: path for path in find_exercises(ROOT / "solutions")}


@dataclass(frozen=True)
class Listing:
    """A kernel of the book, the exercise that it solves, and what a student would change in it: its name, and what
    the exercise's own launch asks for. `values` is the text of the `%%values` cell, if it is not the solution's."""

    file: str
    exercise: str
    changes: tuple[tuple[str, str], ...] = ()
    values: str = ""

    def answers(self) -> dict[str, str]:
        """What a student gives, by the first line of the cell."""
        text = (ROOT / f"book/kernels/{self.file}.cu").read_text()
        for old, new in self.changes:
            assert re.search(rf"\b{old}", text), f"{self.file} has no {old}"
            text = re.sub(rf"\b{old}", new, text)
        mine = {f"%%values {self.exercise}": self.values} if self.values else {}
        return {f"%%cuda {self.exercise}": text, **mine}


#: The launch of the kernels of the chapter "Towards cuBLAS" whose blocks compute 128 x 128 elements.
LARGE_TILES = "grid = ceil_div(N, 128), ceil_div(M, 128)\nblock = 256\nshared_mem = 0\n"

LISTINGS = (
    Listing("lectures/gemm_simple", "gemm_simple"),
    Listing("lectures/matrix_mul_simple", "gemm_simple", (("matrix_mul_simple", "gemm_simple"),)),
    Listing("access/gemm_tiled_16", "gemm_tiled", (("gemm_tiled_16", "gemm_tiled"),)),
    Listing("lectures/gemm_tiled", "gemm_tiled_any_size", (("gemm_tiled", "gemm_tiled_any_size"),)),
    Listing("lectures/muld", "gemm_rectangular", (("muld", "gemm_rectangular"),)),
    Listing("gemm/03_1x2", "gemm_1x2"),
    Listing("gemm/04_2x2", "gemm_2x2", ((r"extern __shared__ float tiles\[\]", "__shared__ float tiles[4 * 256]"),)),
    Listing(
        "gemm/05_register_tile",
        "gemm_register_tile",
        (
            ("BN = 128", "BN = 64"),
            ("BK = 8", "BK = 16"),
            ("TN = 8", "TN = 4"),
            ("thread = threadIdx.x", "thread = 16 * threadIdx.y + threadIdx.x"),
        ),
    ),
    Listing("gemm/06_vectorized", "sgemm", (("gemm_vectorized", "sgemm"),), LARGE_TILES),
    Listing("gemm/07_transposed", "sgemm", (("gemm_transposed", "sgemm"),), LARGE_TILES),
    Listing("gemm/08_double_buffered", "sgemm", (("gemm_double_buffered", "sgemm"),), LARGE_TILES),
)


@pytest.mark.sampled(by=lambda listing: listing.exercise)
@inputs.checking_of_listings
@pytest.mark.parametrize("listing", LISTINGS, ids=lambda listing: f"{Path(listing.file).name}-{listing.exercise}")
def test_a_listing_gets_all_points(listing: Listing) -> None:
    notebook = nbformat.read(EXERCISES[listing.exercise], as_version=4)
    proof = prove_answers(notebook, listing.answers(), listing.file)
    assert proof.result is Result.PROVEN, proof.why
