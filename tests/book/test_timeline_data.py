"""Does the data that a timeline carries hold every access, and the races that the emulator found?"""

import json
from itertools import pairwise

import numpy as np
import pytest
from course_book import kernels, traced

from autograder.cuda.core.run import TRACE_ACTIONS
from autograder.cuda.report.picture import data as timeline_data
from autograder.cuda.report.picture import drawing, from_trace, timeline


def made(file: str, without: int = 0) -> tuple[timeline.Timeline, traced.Traced]:
    kernel = kernels.read(file)
    source = kernel.without(without)
    trace = traced.from_run(kernel, source, kernel.launch, kernel.emulate(without, trace=True))
    return from_trace.from_run(trace.run, "tile", 0, trace.declared("tile")), trace


def first_block(trace: traced.Traced) -> np.ndarray:
    """What happens in block 0, in order."""
    assert trace.run.trace is not None
    events = trace.run.trace.events
    found: np.ndarray = events[events["block"] == 0]
    return found


@pytest.mark.parametrize(
    ("file", "without"),
    [("rotate.cu", 0), ("rotate_rounds.cu", 2), ("tiling/ranks_tiles.cu", 2), ("register_blocking/two_buffers.cu", 0)],
)
def test_the_runs_unfold_to_the_trace(file: str, without: int) -> None:
    line, trace = made(file, without)
    data = json.loads(timeline_data.encode(line))
    assert trace.run.trace is not None
    tile = trace.run.trace.arrays.index("tile")
    want = sorted(
        (at, TRACE_ACTIONS[event["action"]], event["thread"], event["index"])
        for at, event in enumerate(first_block(trace))
        if event["array"] == tile
    )
    unfolded = sorted(
        (at + i * by_step, action, thread + i * by_thread, index + i * by_index)
        for action, runs in data["marks"].items()
        for at, thread, index, count, by_step, by_thread, by_index in runs
        for i in range(count)
    )
    assert unfolded == want


def test_a_warp_that_goes_straight_is_a_few_numbers() -> None:
    line, _ = made("rotate.cu")
    data = json.loads(timeline_data.encode(line))
    # Each thread reads in[t], writes tile[t], and arrives at the barrier; then the next thread does so.
    assert data["marks"]["write"] == [[1, 0, 0, 128, 3, 1, 1]]
    assert data["barriers"] == [[line.barriers[0].at, 8, 0]]
    # 64 threads read 64 elements four times: 16384 accesses.
    line, _ = made("tiling/ranks_tiles.cu")
    assert len(drawing.draw(line, "a")) < 20_000


@pytest.mark.parametrize(
    ("file", "without"),
    [("rotate.cu", 1), ("rotate_rounds.cu", 1), ("rotate_rounds.cu", 2), ("tiling/ranks_tiles.cu", 2)],
)
def test_as_many_elements_race_as_the_emulator_says(file: str, without: int) -> None:
    line, trace = made(file, without)
    (finding,) = trace.run.findings
    assert len(line.racing) == finding.count
    assert not made(file)[0].racing
    assert line.race is not None
    assert [line.racing[0].first, line.racing[0].second] == sorted(mark.at for mark in line.race)
    assert all(a.second <= b.second for a, b in pairwise(line.racing[1:]))
    events = first_block(trace)
    for race in line.racing:
        first, second = events[race.first], events[race.second]
        assert first["thread"] != second["thread"] and first["index"] == second["index"] == race.index
        assert TRACE_ACTIONS.index("write") in (first["action"], second["action"])


def test_an_array_of_rows_has_its_elements_named_by_row() -> None:
    line, _ = made("register_blocking/two_buffers.cu", 1)
    assert line.shape == (2, 128)
    assert line.element(130) == "tile[1][2]"
    assert line.race is not None
    assert f"thread {line.race[0].thread} writes {line.element(line.race[0].index)}" in drawing.describe(line)


def test_ticks_that_cannot_be_told_apart_are_one_area() -> None:
    marks = tuple(timeline.Mark(at, "read", 0, 0) for at in (0, 1, 2, 500))
    row = timeline.Row(0, (timeline.Bar(0, 500, marks),), ())
    drawn = drawing.draw(timeline.Timeline("tile", 1, 1000, (row,), (), shape=(1,)), "a")
    assert 'd="M0 11v11h2v-11zM500 11v11"' in drawn
