"""Do the kernels on clusters compute what the page says, and what its measurements compare?"""

import inputs
import numpy as np
import pytest
from course_book import kernels

pytestmark = inputs.emulation_of_kernels


def blurred(rows: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        wide = np.pad(rows, ((0, 0), (1, 1)))
        rows = np.float32(0.25) * (wide[:, :-2] + 2 * wide[:, 1:-1] + wide[:, 2:])
    return rows.reshape(-1)


RAMP, NUMBERS = kernels.ramp(64).reshape(2, 4, 8), kernels.numbers("int32", 1000)
MOVED = np.roll(RAMP, -1, axis=1)[:, :, ::-1].reshape(-1)
ROWS = kernels.ramp(256).reshape(2, 128)
COUNTED = np.bincount(NUMBERS, minlength=128)


@pytest.mark.parametrize(
    ("file", "output", "expected"),
    [
        ("hand_on", 1, MOVED),
        ("hand_on_halves", 1, MOVED + np.sqrt(RAMP.reshape(-1))),
        ("rounds", 1, np.roll(kernels.numbers("int32", 128).reshape(4, 32), -3, axis=0).reshape(-1) + 3),
        ("steps_launch", 1, blurred(ROWS, 1)),
        ("steps_grid", 0, blurred(ROWS, 6)),
        ("steps_cluster", 1, blurred(ROWS, 6)),
        ("count_global", 1, COUNTED),
        ("count_block", 1, COUNTED),
        ("count_cluster", 1, COUNTED),
        ("sum_blocks", 1, [NUMBERS.sum()]),
        ("sum_clusters", 1, [NUMBERS.sum()]),
    ],
)
def test_a_kernel_computes_this(file: str, output: int, expected: np.ndarray) -> None:
    run = kernels.read(f"clusters/{file}.cu").emulate()
    np.testing.assert_allclose(run.outputs[output], expected, rtol=1e-6)


def test_a_sum_of_clusters_makes_one_atomic_operation_for_each() -> None:
    item, few = (kernels.counts(f"clusters/{file}.cu") for file in ("sum_blocks", "sum_clusters"))
    assert (item.global_atomics, few.global_atomics) == (4, 1)
