"""The memory-bound kernels of the book: right and clean at every size, on the emulator."""

from pathlib import Path

import inputs
import numpy as np
import pytest
from narrowing import counts_of

from autograder import Kernel

pytestmark = inputs.book

FOLDER = Path(__file__).parents[2] / "book" / "kernels" / "memory"
HEADER_LINES = 3


def kernel(name: str) -> Kernel:
    return Kernel("".join((FOLDER / f"{name}.cu").read_text().splitlines(keepends=True)[HEADER_LINES:]), name)


def whole_numbers(n: int) -> np.ndarray:
    return np.random.default_rng(n).integers(0, 9, n).astype(np.float32)  # sums are exact in any order


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (64, 64), (68, 132), (66, 130), (65, 128), (5, 200)])
def test_transpose(rows: int, cols: int) -> None:
    given = np.random.default_rng(1).random((rows, cols), np.float32)
    args = [given, np.full((cols, rows), np.nan, np.float32), rows, cols]
    run = kernel("transpose").emulate((-(-rows // 64), -(-cols // 64)), (16, 16), args)
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[1], given.T)


def test_the_transpose_uses_whole_sectors_and_no_bank_more_than_twice() -> None:
    given = np.random.default_rng(1).random((128, 64), np.float32)
    run = kernel("transpose").emulate((2, 1), (16, 16), [given, np.empty((64, 128), np.float32), 128, 64])
    counts = counts_of(run)
    assert counts.global_load_sectors == counts.global_store_sectors == given.nbytes // 32
    assert counts.shared_load_conflicts <= counts.shared_load_requests
    assert counts.shared_store_conflicts <= counts.shared_store_requests


@pytest.mark.parametrize("n", [1, 3, 32, 4099, 20000])
def test_sum(n: int) -> None:
    given = whole_numbers(n)
    run = kernel("sum").emulate(2, 256, [given, np.zeros(1, np.float32), n])
    assert run.findings == () and run.outputs[1][0] == given.sum()


@pytest.mark.parametrize("n", [1, 15, 16, 5001, 20_001])
@pytest.mark.parametrize(("name", "block"), [("histogram", 512), ("histogram_of_warps", 256)])
def test_histogram(name: str, block: int, n: int) -> None:
    given = np.random.default_rng(n).integers(0, 256, n).astype(np.uint8)
    run = kernel(name).emulate(2, block, [given, np.zeros(256, np.uint32), n])
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[1], np.bincount(given, minlength=256))


def test_no_addition_of_the_histogram_waits_for_a_bank() -> None:
    given = np.random.default_rng(1).integers(0, 256, 1 << 15).astype(np.uint8)
    of_lanes, of_warps = (
        counts_of(kernel(name).emulate(1, block, [given, np.zeros(256, np.uint32), given.size]))
        for name, block in (("histogram", 512), ("histogram_of_warps", 256))
    )
    assert of_lanes.shared_load_conflicts == 0
    assert of_lanes.shared_atomic_wavefronts == of_lanes.shared_atomic_requests
    assert of_warps.shared_atomic_wavefronts > 2 * of_warps.shared_atomic_requests


@pytest.mark.parametrize("n", [1, 4096, 8192, 8193, 8195, 200_001])
@pytest.mark.parametrize(("name", "tile"), [("scan", 8192), ("scan_in_shared", 4096)])
def test_scan(name: str, tile: int, n: int) -> None:
    given, tiles = whole_numbers(n), -(-n // tile)
    run = kernel(name).emulate(tiles, 256, [given, np.full(n, np.nan, np.float32), np.zeros(tiles + 1, np.uint64), n])
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[1], np.cumsum(given))


def blurred(row: np.ndarray) -> np.ndarray:
    out = row.copy()  # the two ends stay as they are
    out[1:-1] = 0.25 * (row[:-2] + 2 * row[1:-1] + row[2:])
    return out


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8, 300, 1021])
@pytest.mark.parametrize(("name", "each", "blurs"), [("blur", 1, 1), ("blur_fused", 4, 2)])
def test_blur(name: str, each: int, blurs: int, n: int) -> None:
    given = want = 16 * whole_numbers(n)  # two blurs divide by 16: exact
    for _ in range(blurs):
        want = blurred(want)
    run = kernel(name).emulate(-(-n // (128 * each)), 128, [given, np.full(n, np.nan, np.float32), n])
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[1], want)


def test_the_fused_blur_stores_once_and_loads_each_element_about_once() -> None:
    n, line = 4096, 4 * 32  # a warp's part of the row
    run = kernel("blur_fused").emulate(n // 512, 128, [whole_numbers(n), np.zeros(n, np.float32), n])
    counts = counts_of(run)
    # In 16-byte loads the warp's own 16 sectors. Its neighbors' pairs, of 8 bytes, take 16 more each.
    assert counts.global_store_sectors == n // 8
    assert counts.global_load_requests <= 3 * n // line + 2 * 8
