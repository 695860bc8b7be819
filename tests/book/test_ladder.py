"""The ladder of matrix products: is every rung right and clean at every size?"""

import dataclasses
import itertools
import re

import inputs
import numpy as np
import pytest
from gemm_rungs import RUNGS, Rung
from narrowing import counts_of

from autograder import Kernel, Kind
from autograder.cuda.core.run import Run
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.performance import gemm_tiles
from autograder.cuda.source.text import ALLOWED_HEADERS

pytestmark = inputs.book

#: Rows, columns and depth of a product: one element; only one of the three 1, or more than 1; less than a tile, a tile,
#: a bit more, and lopsided ones; whole tiles whose rows and whose K are not multiples of 4.
SIZES = [
    *((1, 1, 1), (1, 130, 9), (131, 1, 9), (129, 257, 1), (1, 1, 40), (1, 130, 1), (131, 1, 1)),
    *((32, 32, 32), (33, 33, 33), (7, 130, 17), (131, 260, 24), (130, 257, 17), (130, 260, 19)),
]
PIPELINE = "cuda_pipeline.h" in ALLOWED_HEADERS
BY_NAME = {rung.name: rung for rung in RUNGS}


def product(rung: Rung, rows: int, cols: int, depth: int, m: int = 8) -> tuple[Run, np.ndarray]:
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 10, (rows, depth)).astype(np.float32), rng.integers(0, 10, (depth, cols)).astype(np.float32)
    return Kernel(rung.source, rung.name).emulate(args=rung.arguments(a, b), **rung.launch(rows, cols, m)), a @ b


def needs_pipeline(rung: Rung) -> None:
    if "cuda_pipeline.h" in rung.source and not PIPELINE:
        pytest.skip("the emulator has no <cuda_pipeline.h>")


def test_there_is_a_whole_ladder() -> None:
    assert [rung.file[:2] for rung in RUNGS] == [f"{i:02}" for i in range(1, 13)]


@pytest.mark.sampled(by=lambda rung: rung.file)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.file)
def test_a_rung_is_right_and_clean(rung: Rung, size: tuple[int, int, int]) -> None:
    needs_pipeline(rung)
    run, want = product(rung.fitted(*size), *size)
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[2], want)  # integers: exact in any order


@pytest.mark.parametrize("m", [1, 4, 16, 32])
@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung.has_m], ids=lambda rung: rung.file)
def test_a_rung_that_leaves_the_block_to_the_launch_is_right_with_others(rung: Rung, m: int) -> None:
    run, want = product(rung, 33, 34, 35, m)
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[2], want)


def test_the_last_band_of_tiles_may_be_lower() -> None:
    rung = RUNGS[10]
    sizes = gemm_tiles.sizes_in(rung.source)
    rows = sizes["BM"] * sizes["BAND"] + 40
    run, want = product(rung, rows, sizes["BN"] + 3, 1)
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[2], want)


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.file)
def test_a_rung_is_plain_cuda(rung: Rung) -> None:
    assert not re.search(r"\basm\b|\bw?mma\b", rung.source), "no assembly, and no tensor cores"


WAIT = re.compile(r"__syncthreads\(\);|__pipeline_wait_prior\([^)]*\);")
#: With three buffers, the tuned kernel, too, has copies in flight after its last phase.
TEXTS = {rung.name: rung.source.replace("STAGES = 2;", "STAGES = 3;") for rung in RUNGS}


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize(
    ("rung", "number"),
    [(rung, number) for rung in RUNGS[7:11] for number in range(len(WAIT.findall(rung.source)))],
    ids=lambda value: value.file if isinstance(value, Rung) else str(value),
)
def test_without_any_one_of_its_waits_a_buffered_rung_has_a_race(rung: Rung, number: int) -> None:
    needs_pipeline(rung)
    count = itertools.count()
    text = WAIT.sub(lambda match: "" if next(count) == number else match[0], TEXTS[rung.name])
    less = dataclasses.replace(rung, source=text)
    # A tile at the edge; then a whole tile with a remainder of K after 2 and after 3 phases.
    for size in ((40, 70, 24), (128, 256, 20), (128, 256, 28)):
        if Kind.RACE in {finding.kind for finding in product(less, *size)[0].findings}:
            return
    pytest.fail("the emulator finds no race")


@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung.file > "05"], ids=lambda rung: rung.file)
def test_shared_memory_has_no_conflicts_in_whole_tiles(rung: Rung) -> None:
    needs_pipeline(rung)
    counts = counts_of(product(rung.fitted(128, 256, 32), 128, 256, 32)[0])
    assert counts.shared_load_conflicts == counts.shared_store_conflicts == 0


@pytest.mark.parametrize(("lower", "higher"), [("gemm_simple", "gemm_tiled"), ("gemm_1x2", "gemm_2x2")])
def test_a_higher_rung_loads_less(lower: str, higher: str) -> None:
    few, many = (counts_of(product(BY_NAME[name], 64, 64, 32)[0]).global_loads for name in (higher, lower))
    assert few < many


@pytest.mark.sampled(one_in=4)
@pytest.mark.skipif(nvrtc.problem() is not None, reason=str(nvrtc.problem()))
@pytest.mark.parametrize("rung", RUNGS[4:], ids=lambda rung: rung.file)
def test_on_hopper_no_rung_needs_more_registers_than_there_are(rung: Rung) -> None:
    if "cuda_pipeline.h" in rung.source and not any((f / "cuda_pipeline.h").is_file() for f in nvrtc.header_folders()):
        pytest.skip("CUDA's own headers are not here")
    result = nvrtc.compile_for(rung.source, rung.name, "sm_90")
    assert result.ok, result.log
    assert result.local <= 32, "an array that is indexed at run time, or many spills"


#: Small tiles of the last rung, in the order of gemm_tiles.SIZES, so that few threads do all that it does.
SMALL = dict(zip(gemm_tiles.SIZES, (32, 32, 16, 1, 1, 2, 4, 3, 1, 2, 4), strict=True))
#: Rows, columns, depth and blocks: a block for each tile; tiles that two blocks share, and more than two; several tiles
#: for each block, first whole ones and then shared ones.
SHARED = [(64, 96, 48, 6), (64, 96, 48, 4), (40, 36, 100, 25), (160, 96, 40, 4), (100, 68, 17, 3)]

#: Other sizes; with the last, the tile of C is what takes the most shared memory.
CHANGES = [
    *({}, {"SLICES": 1, "STAGES": 2}, {"SLICES": 4, "BN": 64}, {"WIDE": 1}),
    {"SLICES": 1, "STAGES": 2, "BM": 64, "BN": 128},
]


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize("size", SHARED, ids=str)
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_the_last_rung_is_right_and_clean_with_any_number_of_blocks(
    size: tuple[int, int, int, int], change: dict[str, int]
) -> None:
    rows, cols, depth, grid = size
    sizes = {**SMALL, **change}
    most = gemm_tiles.tiles(sizes, rows, cols) * gemm_tiles.phases(sizes, depth)
    run, want = product(RUNGS[-1].sized(sizes, min(grid, most)), rows, cols, depth)
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[2], want)
    assert not run.outputs[4].any(), "the next launch finds no zeros"


def test_the_last_rung_adds_up_in_the_same_order_whoever_comes_last() -> None:
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal(shape, dtype=np.float32) for shape in ((40, 100), (100, 36)))
    rung = RUNGS[-1].sized(SMALL, 25)
    kernel = Kernel(rung.source, rung.name)
    first, *others = [
        kernel.emulate(args=rung.arguments(a, b), **rung.launch(40, 36), schedule=schedule).outputs[2]
        for schedule in ("forward", "backward", "random:1", "random:2")
    ]
    for other in others:
        np.testing.assert_array_equal(first, other)


FENCE = re.compile(r"__syncthreads\(\);|__threadfence\(\);|__pipeline_wait_prior\([^)]*\);")


# The last fence, the reader's, is not needed here: its block's earlier fence has seen those of the other blocks, unless
# they come between that and its atomic.
@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("number", range(len(FENCE.findall(RUNGS[-1].source)) - 1))
def test_without_any_one_of_its_waits_the_last_rung_is_caught(number: int) -> None:
    for shape in ((64, 96, 48), (160, 96, 40), (60, 90, 48)):
        wide = 1 if shape[1] % 4 else 4  # other rows begin where no copy of four words can
        rung = RUNGS[-1].sized({**SMALL, "WIDE": wide}, 4)
        wait = list(FENCE.finditer(rung.source))[number]
        less = dataclasses.replace(rung, source=rung.source[: wait.start()] + rung.source[wait.end() :])
        if Kind.RACE in {finding.kind for finding in product(less, *shape)[0].findings}:
            return
    pytest.fail("the emulator finds no race")
