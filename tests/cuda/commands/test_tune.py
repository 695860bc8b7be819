"""`autograder tune`: are the kernel's sizes read, replaced and chosen correctly, and its costs measured?"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import inputs
import pytest

from autograder import GraderFault, UsageError
from autograder.cuda.commands import tune
from autograder.cuda.core.launch import Launch, Series
from autograder.cuda.core.run import Run, TimedRun
from autograder.cuda.performance import gemm_tiles
from autograder.cuda.performance.gemm_tiles import Tile, choose

pytestmark = pytest.mark.cached(*inputs.BOOK, "autograder/cuda/commands/tune.py")

SOURCE = (Path(__file__).parents[3] / tune.KERNEL).read_text()
NAMED = [dict(zip(gemm_tiles.SIZES, (*tile, wide), strict=True)) for tile in tune.TILES for wide in (4, 1)]
#: A small tile and a large one, which is twice as fast for each element and slower to start.
SMALL, LARGE = (
    {"BM": 32, "BN": 32, "BK": 8, "BLOCKS": 1, "WIDE": 4},
    {"BM": 64, "BN": 64, "BK": 8, "BLOCKS": 1, "WIDE": 4},
)
KNOWN = [Tile(SMALL, 1.0, 0.1, 0.5, 0.1, 0.2), Tile(LARGE, 2.0, 0.2, 1.0, 0.1, 0.4)]


def test_the_text_declares_the_sizes() -> None:
    assert set(gemm_tiles.sizes_in(SOURCE)) == set(gemm_tiles.SIZES)


@pytest.mark.parametrize("sizes", NAMED, ids=lambda sizes: " ".join(map(str, sizes.values())))
def test_other_sizes_go_in_and_come_out(sizes: dict[str, int]) -> None:
    assert gemm_tiles.sizes_in(gemm_tiles.with_sizes(SOURCE, sizes)) == sizes


def test_a_size_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(GraderFault, match="NONE 0 times"):
        gemm_tiles.with_sizes(SOURCE, {"NONE": 1})


@pytest.mark.parametrize(
    ("shape", "sizes", "grid"),
    [
        ((32, 32, 8), SMALL, 1),  # less than a large tile
        ((64, 160, 64), SMALL, 10),  # ten small tiles for ten multiprocessors, three large ones
        ((128, 320, 64), LARGE, 10),  # ten large ones
        ((64, 160, 496), LARGE, 9),  # small ones would take 1.4 % less, which an estimate does not know
        ((32, 288, 560), SMALL, 9),  # ten blocks would each have a tenth less, but most of them parts of two tiles
        ((32, 96, 144), SMALL, 9),  # three tiles of 18 phases: a tenth block would take nothing off the others
        ((128, 384, 4096), LARGE, 10),  # twelve: the second round would be nearly empty
        ((6400, 6400, 8), LARGE, 10000),  # this many that the last round does not count
    ],
    ids=str,
)
def test_what_is_chosen(shape: tuple[int, int, int], sizes: dict[str, int], grid: int) -> None:
    assert choose(KNOWN, *shape, processors=10) == (sizes, grid)


def test_rows_that_begin_anywhere_take_a_tile_that_copies_single_words() -> None:
    narrow = Tile({**SMALL, "WIDE": 1}, 9.0, 9.0, 9.0, 9.0, 9.0)
    assert choose([*KNOWN, narrow], 32, 33, 8, processors=10)[0] == narrow.sizes
    with pytest.raises(GraderFault, match="copies B 1 words"):
        choose(KNOWN, 32, 33, 8, processors=10)


def product(launch: Launch, wrong: bool = False) -> Run:
    a, b, *others = launch.arrays
    return Run((a, b, a @ b + wrong, *others[1:]), backend="GPU")


@pytest.fixture
def two_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune, "TILES", tune.TILES[:2])
    monkeypatch.setattr(tune, "SHALLOW", 64)
    monkeypatch.setattr(tune, "DEEP", 256)


@pytest.mark.usefixtures("two_tiles")
def test_costs_are_told_apart() -> None:
    """With a GPU that takes 5 us, 0.25 us for each phase of a block, 2 us to share, 0.5 us for each further block, and
    0.75 us for a block's second tile."""

    def time(series: Sequence[Series], repeats: int) -> tuple[tuple[TimedRun, ...], ...]:
        (launch,) = series[0].launches
        sizes = gemm_tiles.sizes_in(launch.source)
        rows, cols, depth = *launch.arrays[2].shape, launch.arrays[0].shape[1]
        blocks, tiles = launch.grid[0], gemm_tiles.tiles(sizes, rows, cols)
        partners, uneven = -(-blocks // tiles), blocks % tiles > 0
        took = 5 + 0.25 * gemm_tiles.phases(sizes, depth) * tiles / blocks + 0.75 * uneven
        took += 2 + 0.5 * (partners - 2) if partners > 1 else 0
        return ((TimedRun(product(launch), (took / 1000,) * repeats),),)

    rows = list(tune.tune_gemm(SOURCE, 32, time, say=lambda line: None))
    assert [row["WIDE"] for row in rows] == [4, 1, 4, 1]
    for tile in gemm_tiles.table([{name: str(value) for name, value in row.items()} for row in rows]):
        assert (tile.start_us, tile.phase_us) == (5.0, 0.25)
        assert (tile.share_us, tile.more_us, tile.piece_us) == (2.0, 0.5, 0.75)


@pytest.mark.usefixtures("two_tiles")
def test_a_tile_that_is_wrong_is_a_fault() -> None:
    def time(series: Sequence[Series], repeats: int) -> tuple[tuple[TimedRun, ...], ...]:
        return ((TimedRun(product(series[0].launches[0], wrong=True), (1.0,) * repeats),),)

    with pytest.raises(GraderFault, match="32 x 64 is wrong on this GPU"):
        list(tune.tune_gemm(SOURCE, 16, time, say=lambda line: None))


@pytest.mark.usefixtures("two_tiles")
def test_a_tile_that_does_not_fit_is_left_out() -> None:
    def time(series: Sequence[Series], repeats: int) -> tuple[tuple[TimedRun, ...], ...]:
        (launch,) = series[0].launches
        if gemm_tiles.sizes_in(launch.source)["BM"] == 32:
            raise UsageError("too much shared memory")
        return ((TimedRun(product(launch), (1e-3 * launch.arrays[0].shape[1],) * repeats),),)

    message: list[str] = []
    assert {row["BM"] for row in tune.tune_gemm(SOURCE, 16, time, say=message.append)} == {64}
    assert message[0] == "tile 32 x 64: too much shared memory"


def test_outside_the_repository_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parser = argparse.ArgumentParser()
    tune.add_command(parser.add_subparsers())
    options = parser.parse_args(["tune", "gemm"])
    with pytest.raises(UsageError, match="course's repository"):
        options.command(options)
