"""Do the guards around arrays see every write outside, and nothing else?"""

import numpy as np
import pytest

from autograder.cuda.backends.guards import ALIGNMENT, GUARD_BYTES, Layout

ARRAYS = [bytes(range(13)), b"", b"\xa5" * 4096]


@pytest.fixture
def layout() -> Layout:
    return Layout.of([len(array) for array in ARRAYS])


def test_arrays_come_back_as_they_were_put_in_and_aligned(layout: Layout) -> None:
    block = layout.fill(ARRAYS)
    assert block.shape == (layout.total,) and all(offset % ALIGNMENT == 0 for offset in layout.offsets)
    assert [bytes(array) for array in layout.arrays(block)] == ARRAYS


def test_writing_every_byte_of_the_arrays_is_no_damage(layout: Layout) -> None:
    block = layout.fill(ARRAYS)
    for array in layout.arrays(block):
        array[:] = ~array
    assert layout.damage(block) == []


@pytest.mark.parametrize("array", range(len(ARRAYS)))
@pytest.mark.parametrize("far", [1, 4, 1000, GUARD_BYTES // 2 - ALIGNMENT])
def test_a_written_byte_is_ascribed_to_the_nearer_array(layout: Layout, array: int, far: int) -> None:
    for at, damage in (
        (layout.offsets[array] + layout.sizes[array] + far - 1, (array, far)),
        (layout.offsets[array] - far, (array, -far)),
    ):
        block = layout.fill(ARRAYS)
        block[at] ^= 1
        assert layout.damage(block) == [damage]


def test_every_byte_of_every_guard_counts() -> None:
    layout = Layout.of([5])
    clean = layout.fill([b"12345"])
    inside = set(range(layout.offsets[0], layout.offsets[0] + 5))
    for at in {*range(0, layout.total, 997), 0, layout.total - 1, min(inside) - 1, max(inside) + 1} - inside:
        block = clean.copy()
        block[at] ^= 0x80
        assert len(layout.damage(block)) == 1, at


def test_of_several_written_bytes_the_nearest_counts(layout: Layout) -> None:
    block = layout.fill(ARRAYS)
    block[layout.offsets[1] - 40 : layout.offsets[1] - 8] = 0
    assert layout.damage(block) == [(1, -9)]
    block = layout.fill(ARRAYS)
    end = layout.offsets[0] + layout.sizes[0]
    block[end + 8 : end + 40] = 0
    assert layout.damage(block) == [(0, 9)]


def test_damage_on_both_sides_is_two_findings(layout: Layout) -> None:
    block = layout.fill(ARRAYS)
    block[layout.offsets[2] - 1] = 0
    block[layout.offsets[2] + layout.sizes[2]] = 0
    assert layout.damage(block) == [(2, -1), (2, 1)]


def test_a_launch_without_arrays_is_guarded_too() -> None:
    layout = Layout.of([])
    assert layout.arrays(layout.fill([])) == [] and layout.damage(layout.fill([])) == []


def test_reading_a_guard_gives_no_number() -> None:
    layout = Layout.of([8])
    after_odd = Layout.of([5]).fill([b"12345"])[GUARD_BYTES + 8 :]
    assert np.isnan(after_odd.view(np.float32)).all()
    for guard in np.split(layout.fill([b"12345678"]), [GUARD_BYTES, GUARD_BYTES + 8])[::2]:
        assert np.isnan(guard.view(np.float32)).all() and np.isnan(guard.view(np.float64)).all()
