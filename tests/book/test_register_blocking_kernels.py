"""The small kernels of the chapters on register blocking: do they compute what the pages say?"""

import inputs
import numpy as np
import pytest
from course_book import kernels

from autograder import Kernel

pytestmark = inputs.book


@pytest.mark.parametrize("phases", [1, 2, 3, 7])
@pytest.mark.parametrize("file", ["one_buffer", "two_buffers", "three_buffers"])
def test_however_many_buffers_the_sums_are_the_same(file: str, phases: int) -> None:
    kernel = kernels.read(f"register_blocking/{file}.cu")
    given = np.random.default_rng(1).integers(0, 10, (phases, 2, 128)).astype(np.float32)
    run = Kernel(kernel.source, kernel.name).emulate(2, 128, [given, kernels.empty(2, 128), phases])
    places = (np.arange(128)[:, None] + 25 * np.arange(5)) % 128
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[1], given.sum(axis=0)[:, places].sum(axis=2))


@pytest.mark.parametrize("file", ["four_side_by_side", "four_apart", "four_at_once"])
def test_each_way_doubles_every_element(file: str) -> None:
    run = kernels.read(f"register_blocking/{file}.cu").emulate()
    np.testing.assert_array_equal(run.outputs[1], 2 * kernels.ramp(128))


@pytest.mark.parametrize("row", [128, 132])
def test_the_turned_tile_is_turned(row: int) -> None:
    kernel = kernels.read("register_blocking/turn_tile.cu")
    run = Kernel(kernel.source, kernel.name).emulate(**kernel.launches[f"row={row}"])
    np.testing.assert_array_equal(run.outputs[1], kernels.ramp(128, 8).T)


def test_four_elements_for_a_thread_need_half_the_loads() -> None:
    item, four = (kernels.counts(file).global_loads for file in ("register_blocking/outer_one.cu", "outer_2x2.cu"))
    assert (item, four) == (2 * 64, 64)


@pytest.mark.parametrize(("degree", "n"), [(1, 250), (64, 250)])
def test_the_polynomial_is_horners(degree: int, n: int) -> None:
    kernel = kernels.read("measuring/polynomial.cu")
    run = Kernel(kernel.source, kernel.name).emulate(**kernel.launches[f"terms={degree}"])
    x, want = kernels.ramp(n) / 250, np.ones(n)
    for _ in range(degree):
        want = want * x + 0.5
    np.testing.assert_allclose(run.outputs[1], want, rtol=1e-5)


@pytest.mark.parametrize("file", ["copy_in_turn", "copy_four_at_once"])
@pytest.mark.parametrize("n", [1, 127, 512, 1000])
def test_the_copies_copy(file: str, n: int) -> None:
    kernel = kernels.read(f"measuring/{file}.cu")
    run = Kernel(kernel.source, kernel.name).emulate(2, 64, [kernels.ramp(n), kernels.empty(n), n])
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[1], kernels.ramp(n))
