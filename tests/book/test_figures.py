"""Do the figures show what their kernels do, and refuse what they cannot draw?

Expected values are derived by hand from the kernels in book/kernels; comments say how.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import inputs
import numpy as np
import pytest
from course_book import (
    access_map,
    banks,
    counting,
    interleaving,
    kernels,
    lanes,
    levels,
    sectors,
    touches,
    touches_svg,
    traced,
)
from figure_runs import banks_of, levels_of, sectors_of

pytestmark = inputs.book


class TraceText(Protocol):
    """Traces a kernel given as text."""

    def __call__(self, launch: str, body: str, finds: str = "nothing") -> traced.Traced: ...


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TraceText:
    def trace(launch: str, body: str, finds: str = "nothing") -> traced.Traced:
        text = f"// finds: {finds}\n// launch: {launch}\n\n{body}\n"
        (tmp_path / "own.cu").write_text(text)
        monkeypatch.setattr(kernels, "FOLDER", tmp_path)
        return traced.trace("own.cu")

    return trace


# ---- sectors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "launch", "array", "mark", "count", "lines", "used"),
    [
        # 32 lanes, 4 bytes each, side by side: 128 bytes from 0.
        ("copy_stride.cu", "stride=1", "in", "load", 4, 1, 128),
        # Lane i at byte 64 i / 8 = 8 i: 256 bytes.
        ("copy_stride.cu", "stride=2", "in", "load", 8, 2, 128),
        # Lane i at byte 32 i: a sector each, four to a cache line.
        ("copy_stride.cu", "stride=8", "in", "load", 32, 8, 128),
        # Lane i at byte 128 i: a cache line each, of which one sector moves.
        ("copy_stride.cu", "stride=32", "in", "load", 32, 32, 128),
        # Bytes 4 to 131: sectors 0 to 4.
        ("copy_offset.cu", "offset=1", "in", "load", 5, 2, 128),
        # Bytes 32 to 159: sectors 1 to 4.
        ("copy_offset.cu", "offset=8", "in", "load", 4, 2, 128),
        # 32 times 16 bytes, side by side.
        ("copy_wide.cu", "", "in", "load", 16, 4, 512),
        # Lane i at byte 16 i + 12: two to a sector.
        ("points.cu", "", "points", "load", 16, 4, 128),
        # All lanes at byte 0.
        ("scale_all.cu", "", "factor", "load", 1, 1, 4),
        # Warp 0 writes a column of rows of 128 bytes.
        ("transpose_direct.cu", "", "out", "store", 32, 32, 128),
    ],
)
def test_the_sectors_of_a_request(
    file: str, launch: str, array: str, mark: str, count: int, lines: int, used: int
) -> None:
    found = sectors_of(file, array, mark, launch)
    assert (found.count, len(found.lines), found.used, found.moved) == (count, lines, used, 32 * count)
    assert sorted(lane for line in found.lines for piece in line.pieces for lane in piece.lanes) == list(range(32))


def test_an_offset_of_one_spills_one_lane_into_a_fifth_sector() -> None:
    first, second = sectors_of("copy_offset.cu", "in", "load", "offset=1").lines
    assert (first.start, first.sectors, second.start, second.sectors) == (0, (0, 1, 2, 3), 128, (4,))
    assert [piece.lanes for piece in second.pieces] == [(31,)]
    assert second.pieces[0].index == 32


def test_lanes_that_share_an_element_are_one_piece() -> None:
    (line,) = sectors_of("scale_all.cu", "factor", "load").lines
    assert [piece.lanes for piece in line.pieces] == [tuple(range(32))]


@pytest.mark.parametrize("file", ["copy_stride.cu", "copy_offset.cu", "points.cu", "copy_wide.cu"])
def test_a_kernel_of_one_request_has_the_sectors_that_were_counted(file: str) -> None:
    trace = traced.trace(file)
    counts = kernels.counts(file)
    assert counts.global_load_requests == counts.global_store_requests == 1
    array = trace.arrays[0].name
    assert sectors.divide(trace.request(array, "load")).count == counts.global_load_sectors
    assert sectors.divide(trace.request("out", "store")).count == counts.global_store_sectors


def test_another_warp_block_and_time_is_another_request() -> None:
    whole = traced.trace("gemm_phases.cu")
    # Block 4 is (1, 1): rows 4 to 7; phase 1 loads columns 4 to 7.
    request = whole.request("A", "load A", block=4, time=2)
    assert request.indices == tuple(12 * row + column for row in range(4, 8) for column in range(4, 8))
    assert traced.trace("transpose_direct.cu").request("in", "load", warp=3).indices == tuple(range(96, 128))


# ---- banks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "launch", "mark", "passes", "conflicts", "words"),
    [
        ("transpose_tile.cu", "", "turn", 32, 31, {0: 32}),  # rows of 32 words: a column is one bank
        ("transpose_wide_tile.cu", "", "turn", 1, 0, dict.fromkeys(range(32), 1)),  # 33 i mod 32 = i
        ("shared_stride.cu", "stride=2", "take", 2, 1, dict.fromkeys(range(0, 32, 2), 2)),  # words 0, 2 ... 62
        ("shared_stride.cu", "stride=3", "take", 1, 0, dict.fromkeys(range(32), 1)),  # 3 and 32 have no factor
        ("shared_stride.cu", "stride=32", "take", 32, 31, {0: 32}),
        ("shared_stride.cu", "stride=0", "take", 1, 0, {0: 1}),  # one word for all
    ],
)
def test_the_banks_of_a_request(
    file: str, launch: str, mark: str, passes: int, conflicts: int, words: dict[int, int]
) -> None:
    found = banks_of(file, "tile", mark, launch)
    assert (found.passes, found.conflicts, found.least) == (passes, conflicts, 1)
    assert {bank: found.words_in(bank) for bank in range(32) if found.words_in(bank)} == words


def test_lanes_of_a_row_of_a_tile_read_the_same_words() -> None:
    # 16 threads: lane 4 y + x reads tile_A[y][k]; at k = 0 these are the words 0, 4, 8, 12.
    found = banks_of("gemm_phases.cu", "tile_A", "multiply")
    assert [(hit.word, hit.lanes) for hit in found.hits] == [(4 * y, tuple(range(4 * y, 4 * y + 4))) for y in range(4)]
    second = banks_of("gemm_phases.cu", "tile_A", "multiply", time=2)
    assert [hit.word for hit in second.hits] == [1, 5, 9, 13]


@pytest.mark.parametrize(
    ("item", "stride", "passes", "least"), [(8, 1, 2, 2), (16, 1, 4, 4), (8, 2, 4, 2), (16, 2, 8, 4)]
)
def test_wide_elements_go_in_parts_of_the_warp(item: int, stride: int, passes: int, least: int) -> None:
    # Half a warp of doubles fills the 32 banks once; every second double leaves half of them to be used twice.
    array = traced.Array("wide", item, (64,), "shared")
    request = traced.Request(array, "read", 1, 0, 0, tuple(range(32)), tuple(stride * lane for lane in range(32)))
    found = banks.divide(request)
    assert (found.passes, found.least) == (passes, least)


@pytest.mark.parametrize(
    ("action", "indices", "passes", "least"),
    [
        ("read", [lane // 2 for lane in range(32)], 2, 2),  # neighbors agree: parts of 16 lanes, 8 elements each
        ("read", [lane // 4 * 2 + lane % 2 for lane in range(32)], 2, 2),  # so do neighbors of neighbors
        ("read", [lane // 8 * 4 + lane % 4 for lane in range(32)], 4, 4),  # not those four apart
        ("write", [lane // 2 for lane in range(32)], 4, 4),
    ],
)
def test_parts_of_the_warp_become_one_where_neighbors_read_the_same(
    action: str, indices: Sequence[int], passes: int, least: int
) -> None:
    array = traced.Array("wide", 16, (64,), "shared")
    found = banks.divide(traced.Request(array, action, 1, 0, 0, tuple(range(32)), tuple(indices)))
    assert (found.passes, found.least) == (passes, least)


def test_each_word_of_a_bank_has_a_pass_of_its_own() -> None:
    found = banks_of("transpose_tile.cu", "tile", "turn")
    assert [hit.turn for hit in found.hits] == list(range(32))


# ---- what was drawn is what was counted -------------------------------------------------------------


@pytest.mark.parametrize(
    "file",
    "blur_three copy_offset copy_stride copy_wide count_atomic count_plain gemm_phases gemm_square_tiles outer_2x2 "
    "points rotate_rounds scale_all shared_stride transpose_direct transpose_tile transpose_wide_tile tree_sum".split(),
)
def test_requests_are_put_together_as_the_emulator_counts_them(file: str) -> None:
    for launch in kernels.read(f"{file}.cu").launches:
        counting.check_counts(traced.trace(f"{file}.cu", launch=launch))


def test_requests_that_differ_from_the_counts_are_refused(mine: TraceText) -> None:
    # The lanes from 16 on do the second load of the line first; it is another instruction. Counted are
    # 2 + 5 sectors; by the order within each lane there would be 5 + 3.
    trace = mine(
        "grid=1, block=32, args=[ramp(64), empty(32)]",
        "__global__ void both(const float* in, float* out)\n{\n    int i = threadIdx.x;\n"
        "    out[i] = (i < 16 ? in[i] : 0.0f) + in[i + 4];\n}",
    )
    with pytest.raises(ValueError, match="2 requests with 7 sectors as counted, but 2 with 8 as drawn"):
        counting.check_counts(trace)


def test_elements_of_an_unknown_inside_are_refused(mine: TraceText) -> None:
    trace = mine(
        "grid=1, block=32, args=[empty(32)]",
        "struct Wide { float part[8]; };\n__global__ void inside(float* out)\n{\n    __shared__ Wide all[32];\n"
        "    all[threadIdx.x].part[3] = 1.0f;  // fill\n    out[threadIdx.x] = all[threadIdx.x].part[3];\n}",
    )
    with pytest.raises(ValueError, match="an element of 'all' has 32 bytes"):
        counting.check_counts(trace)


# ---- touches ----------------------------------------------------------------------------------------


def elements(panel: touches.Panel) -> list[int]:
    return [cell.index for cell in panel.cells]


def test_a_block_loads_another_tile_in_each_phase() -> None:
    mine, moving = range(4, 8), [range(4 * phase, 4 * phase + 4) for phase in range(3)]
    for array, mark, tiles in (
        ("A", "load A", [(mine, columns) for columns in moving]),
        ("B", "load B", [(rows, mine) for rows in moving]),
    ):
        found = touches.from_trace(traced.trace("gemm_phases.cu"), array, mark=mark, block=4, panels="times")
        assert (found.rows, found.columns) == (12, 12)
        for (rows, columns), panel in zip(tiles, found.panels, strict=True):
            assert elements(panel) == [12 * row + column for row in rows for column in columns]
            assert [cell.readers for cell in panel.cells] == [(thread,) for thread in range(16)]
        assert found.names[5] == "(1, 1)"


def test_neighboring_blocks_share_a_halo() -> None:
    found = touches.from_trace(traced.trace("blur_three.cu"), "in", mark="blur", by="block", panels="blocks")
    assert [elements(panel) for panel in found.panels] == [
        list(range(0, 9)),
        list(range(7, 17)),
        list(range(15, 25)),
        list(range(23, 32)),
    ]
    (whole,) = touches.from_trace(traced.trace("blur_three.cu"), "in", mark="blur", by="block").panels
    shared = {cell.index: cell.readers for cell in whole.cells if len(cell.readers) > 1}
    assert shared == {7: (0, 1), 8: (0, 1), 15: (1, 2), 16: (1, 2), 23: (2, 3), 24: (2, 3)}


def test_whose_shared_memory_it_is_tells_panels_apart() -> None:
    file = "clusters/hand_on.cu"
    found = touches.from_trace(traced.trace(file), "tile", action="read", by="block", panels="owners")
    assert [panel.label for panel in found.panels] == [f"in block {block}" for block in range(8)]
    assert [elements(panel) for panel in found.panels] == [list(range(8))] * 8
    assert [panel.who for panel in found.panels] == [(3,), (0,), (1,), (2,), (7,), (4,), (5,), (6,)]
    by_thread = touches.from_trace(traced.trace(file), "tile", action="read", panels="owners")
    assert [cell.readers for cell in by_thread.panels[0].cells] == [(7 - place,) for place in range(8)]


def test_a_tree_halves_its_threads_at_each_step() -> None:
    found = touches.from_trace(traced.trace("tree_sum.cu"), "part", panels="intervals")
    assert [len([cell for cell in panel.cells if cell.writers]) for panel in found.panels] == [16, 8, 4, 2, 1, 0]
    assert found.panels[0].label == "before any barrier" and found.panels[5].label == "after 5 barriers"
    # In the second step thread t adds part[t] and part[t + 4].
    assert found.panels[2].links == tuple(sorted((a, t, t) for t in range(4) for a in (t, t + 4)))


def test_several_arrays_stand_in_one_picture() -> None:
    trace = traced.trace("tiling/product_direct.cu")
    found = touches.from_trace(trace, "A, B, C", block=3)
    assert [(panel.array, elements(panel)) for panel in found.panels] == [
        ("A", list(range(32, 64))),
        ("B", [8 * row + column for row in range(8) for column in range(4, 8)]),
        ("C", [8 * row + column for row in range(4, 8) for column in range(4, 8)]),
    ]
    assert "Array A, B and C" in touches_svg.describe(found)
    phases = touches.from_trace(traced.trace("tiling/product_phases.cu"), "A, B, C", block=3, panels="intervals")
    assert "".join(panel.array for panel in phases.panels) == "ABABC"
    refuse(lambda: touches.from_trace(traced.trace("outer_2x2.cu"), "a, C"), "'a, C' differ in shape")


def test_a_thread_owns_a_square_of_outputs() -> None:
    (panel,) = touches.from_trace(traced.trace("outer_2x2.cu"), "C").panels
    # Thread (1, 0) makes rows 0 and 1, columns 2 and 3 of 8.
    assert [cell.index for cell in panel.cells if cell.writers == (1,)] == [2, 3, 10, 11]
    (panel,) = touches.from_trace(traced.trace("outer_2x2.cu"), "a").panels
    assert [cell.readers for cell in panel.cells][:2] == [(0, 1, 2, 3)] * 2


def test_an_array_can_be_drawn_in_rows() -> None:
    found = touches.from_trace(
        traced.trace("tree_sum.cu"), "part", shape=(4, 4), panels="intervals", only=(1, 3), labels=("fill", "step")
    )
    assert (found.rows, found.columns) == (4, 4)
    assert [panel.label for panel in found.panels] == ["fill", "step"]
    assert not found.broken
    plain = touches.from_trace(traced.trace("rotate.cu"), "tile")  # 128 elements
    assert (plain.rows, plain.columns, plain.broken) == (4, 32, True)
    axis = re.findall(r'class="kf-axis"[^>]*text-anchor="end">(\d+)<', touches_svg.figure(plain, "a-0", arrows=False))
    assert axis == ["0", "32", "64", "96"]


def test_a_picture_of_writes_alone_says_nothing_of_reads() -> None:
    trace = traced.trace("tree_sum.cu")
    writes = touches.from_trace(trace, "part", action="write", panels="intervals")
    both = touches.from_trace(trace, "part", panels="intervals")
    assert ">reads</th>" not in touches_svg.figure(writes, "a-0", arrows=False)
    assert ">reads</th>" in touches_svg.figure(both, "a-0", arrows=False)


@pytest.mark.parametrize(
    ("file", "launch", "array", "action", "arrows", "done"),
    [
        ("tiling/product_direct.cu", "", "A, B, C", "", False, "touched"),
        ("reductions/largest.cu", "block=16", "best", "write", False, "written"),
        ("reductions/largest.cu", "block=16", "best", "read", False, "read"),
        ("reductions/largest.cu", "block=16", "best", "", True, "written"),
        ("reductions/running_sum_in_place.cu", "block=8", "row", "", True, "written"),  # each is read, at least
    ],
)
def test_a_legend_says_what_white_elements_lack(
    file: str, launch: str, array: str, action: str, arrows: bool, done: str
) -> None:
    panels = "intervals" if "reductions" in file else ""
    found = touches.from_trace(traced.trace(file, 0, launch), array, "", action, panels=panels)
    assert f"</i>not {done}</li>" in touches_svg.figure(found, "a-0", arrows)


def test_a_legend_says_whose_numbers_elements_hold() -> None:
    for action, arrows, does in (("write", False, "writes"), ("", True, "writes"), ("", False, "touches")):
        trace = traced.trace("reductions/largest.cu", 0, "block=16")
        found = touches.from_trace(trace, "best", "", action, panels="intervals")
        assert f"is the thread that {does} it</li>" in touches_svg.figure(found, "a-0", arrows)


def test_a_number_that_would_touch_its_neighbor_is_left_out() -> None:
    image = touches.from_trace(traced.trace("launching/darken.cu"), "out", action="write", by="block")
    html = touches_svg.figure(image, "a-0", arrows=False)
    assert "kf-in-who" not in html and "block (1, 1)</li>" in html
    assert "kf-in-who" in touches_svg.figure(
        touches.from_trace(traced.trace("outer_2x2.cu"), "C", action="write"), "a-0", arrows=False
    )


def test_each_arrow_has_its_head_where_it_ends() -> None:
    found = touches.from_trace(traced.trace("tree_sum.cu"), "part", panels="intervals")
    html = touches_svg.figure(found, "a-0", arrows=True)
    heads = re.findall(r'<path class="kf-arrow-head" d="M([\d.]+) ([\d.]+)L', html)
    lines = re.findall(r'<line class="kf-arrow" x1="[\d.]+" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"', html)
    assert len(heads) == len(lines) == 2 * (8 + 4 + 2 + 1)
    for (x, y), (start, near, end) in zip(heads, lines, strict=True):
        assert float(start) < float(end) < float(y) and abs(float(x) - float(near)) <= 7


# ---- lanes and levels -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "warps", "executed"),
    [
        # Neighbors first: all of 4 warps enter and play 5 rounds; then 2 of them, then 1.
        ("reductions/largest_neighbors.cu", [4, 4, 4, 4, 4, 4, 2, 1], 27),
        # The upper half drops out: 4 warps enter; 2 play round 1, and 1 the other rounds.
        ("reductions/largest.cu", [4, 2, 1, 1, 1, 1, 1, 1], 12),
    ],
)
def test_a_tree_keeps_as_many_warps_as_its_pairs_ask_for(file: str, warps: list[int], executed: int) -> None:
    found = lanes.from_trace(traced.trace(file, launch="block=128"), "best", "write")
    assert [sum(bool(entry) for entry in step.lanes) for step in found.steps] == warps
    assert [sum(map(len, step.lanes)) for step in found.steps] == [128, 64, 32, 16, 8, 4, 2, 1]
    assert (found.warps, found.executed, found.working) == (4, executed, 255)


def test_a_branch_costs_a_warp_both_ways_only_if_its_own_lanes_differ() -> None:
    apart, together = (
        lanes.from_trace(traced.trace("launching/two_ways.cu", launch=f"neighbors={n}"), "out", "write")
        for n in (1, 32)
    )
    assert [step.lanes for step in apart.steps] == [(tuple(range(0, 32, 2)),) * 2, (tuple(range(1, 32, 2)),) * 2]
    assert [step.lanes for step in together.steps] == [(tuple(range(32)), ()), ((), tuple(range(32)))]
    assert (apart.executed, together.executed) == (4, 2)


def test_a_product_has_less_of_its_matrices_at_each_level() -> None:
    # Blocks make 16 x 16 of 32 x 32 elements, with K = 16, in phases of 4; warp 0 is the block's upper half, and
    # thread 9 is at (1, 1) of 8 x 8 threads, with 2 x 2 elements each.
    block, phase, warp, thread = levels_of()
    sizes = [[len(part.touched) for part in level.parts] for level in (block, phase, warp, thread)]
    assert sizes == [[256, 256, 256], [64, 64, 256], [32, 64, 128], [8, 8, 4]]
    assert phase.a.touched == tuple(16 * row + k for row in range(16) for k in range(8, 12))
    assert (warp.a.array, warp.a.shape, warp.b.shape, warp.c.shape) == ("tile_A", (16, 4), (4, 16), (16, 16))
    assert thread.c.touched == (34, 35, 50, 51)  # rows and columns 2 and 3 of the block's tile


# ---- interleavings ----------------------------------------------------------------------------------


def test_two_plain_increments_lose_one_in_four_of_six_orders() -> None:
    story = interleaving.from_trace(traced.trace("count_plain.cu"), "counts", 1)
    assert (story.threads, story.start, story.adds, story.right) == ((1, 5), 0, 1, 2)
    assert (story.orders, story.losing) == (6, 4)  # those in which both read before both have written
    steps = [(step.thread, step.action, step.value, step.stale) for step in story.seen.steps]
    assert steps == [(0, "read", 0, False), (0, "write", 1, False), (1, "read", 1, False), (1, "write", 2, False)]
    steps = [(step.thread, step.action, step.value, step.stale) for step in story.other.steps]
    assert steps == [(0, "read", 0, False), (1, "read", 0, False), (0, "write", 1, False), (1, "write", 1, True)]
    assert (story.seen.end, story.other.end) == (2, 1)


def test_atomic_increments_lose_none() -> None:
    story = interleaving.from_trace(traced.trace("count_atomic.cu"), "counts", 1, (9, 5))
    assert (story.threads, story.orders, story.losing, story.seen.end, story.other.end) == ((9, 5), 2, 0, 2, 2)


def test_what_is_added_follows_from_the_run(mine: TraceText) -> None:
    # Two threads, each adding 2.5 twice to 10: of 8! / (4! 4!) = 70 orders, 6 keep each read next to its write.
    trace = mine(
        "grid=1, block=2, args=[ramp(1) + 10]",
        "__global__ void twice(float* total)\n{\n    for (int i = 0; i < 2; ++i)\n        *total = *total + 2.5f;\n}",
        finds="Race",
    )
    story = interleaving.from_trace(trace, "total", 0)
    assert (story.start, story.adds, story.right) == (10, 2.5, 20)
    assert (story.orders, story.losing) == (70, 64)


# ---- traffic ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "rows"),
    [
        # 32 warps; each loads a row of 128 bytes and stores into 32 rows.
        ("transpose_direct.cu", [("in", 32, 4096, 4096), ("out", 32, 32768, 4096)]),
        ("points.cu", [("points", 1, 512, 128), ("out", 1, 128, 128)]),
        ("scale_all.cu", [("factor", 1, 32, 4), ("in", 1, 128, 128), ("out", 1, 128, 128)]),
        # 9 blocks, 3 phases, half a warp each: 4 rows of 16 bytes, in 4 sectors.
        ("gemm_phases.cu", [("A", 27, 27 * 128, 27 * 64), ("B", 27, 27 * 128, 27 * 64), ("C", 9, 9 * 128, 9 * 64)]),
    ],
)
def test_the_traffic_of_each_line(file: str, rows: list[tuple[str, int, int, int]]) -> None:
    trace = traced.trace(file)
    found = access_map.from_trace(trace)
    assert [(row.array, row.requests, row.moved, row.used) for row in found.rows] == rows
    counts = kernels.counts(file)
    assert found.moved == 32 * (counts.global_load_sectors + counts.global_store_sectors)
    for row in found.rows:
        assert trace.source.splitlines()[row.line - 1].strip().startswith(row.text)


def test_the_numbers_of_a_figure_come_from_its_trace() -> None:
    trace = traced.trace("tree_sum.cu")
    assert trace.run.trace is not None
    assert len(trace.accesses) == int(np.sum(trace.run.trace.events["action"] <= traced.ATOMIC))
    # Each thread passes the first barrier once and the second four times.
    assert trace.accesses["interval"].max() == 5


# ---- what cannot be drawn ---------------------------------------------------------------------------


def refuse(what: Callable[[], object], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        what()


def test_what_is_not_there_is_said_with_what_is() -> None:
    stride, tree = traced.trace("copy_stride.cu"), traced.trace("tree_sum.cu")
    refuse(lambda: stride.request("in", "lode"), r"0 lines are marked '// lode'.*Its marks are: load, store\.")
    refuse(lambda: stride.request("im", "load"), "no array 'im': name one of in, out")
    refuse(
        lambda: stride.request("in", "store"),
        "nobody touches 'in' in block 0 in the line marked '// store'; it is touched at line 6",
    )
    refuse(lambda: stride.request("in", "load", block=3), "nobody touches 'in' in block 3; it is touched at block 0")
    refuse(lambda: stride.request("in", "load", action="write"), "by write; it is touched at action read")
    refuse(lambda: stride.request("in", "load", warp=1), "warp 1 of block 0 executes the line marked '// load' 0 times")
    refuse(lambda: stride.request("in", "load", time=2), "1 times, so there is no time 2")
    refuse(lambda: tree.request("part", "add"), "does both read and write of 'part': choose one with :action:")
    refuse(
        lambda: traced.trace("copy_stride.cu", launch="stride=5"), "no launch 'stride=5': its second line has stride=1"
    )
    refuse(lambda: traced.trace("tree_sum.cu", launch="n=5"), "has only one, which has no name")
    refuse(lambda: traced.trace("barrier_in_branch.cu"), "stopped early")


def test_a_line_that_is_never_executed_is_refused(mine: TraceText) -> None:
    trace = mine(
        "grid=1, block=32, args=[empty(32), 0]",
        "__global__ void never(float* out, int n)\n{\n    out[threadIdx.x] = 1.0f;  // always\n"
        "    if (n) out[0] = 2.0f;  // sometimes\n}",
    )
    refuse(
        lambda: trace.request("out", "sometimes"), "nobody touches 'out' in block 0 in the line marked '// sometimes'"
    )


def test_a_mark_that_stands_twice_is_refused(mine: TraceText) -> None:
    trace = mine(
        "grid=1, block=1, args=[empty(2)]",
        "__global__ void twice(float* out)\n{\n    out[0] = 1.0f;  // fill\n    out[1] = 2.0f;  // fill\n}",
    )
    refuse(lambda: trace.line("fill"), "2 lines are marked '// fill', not one")


def test_memory_of_the_other_kind_is_refused() -> None:
    tile, atomic = traced.trace("transpose_tile.cu"), traced.trace("count_atomic.cu")
    refuse(lambda: sectors.from_trace(tile, tile.request("tile", "turn")), "no sectors: use kernel-banks")
    refuse(lambda: banks.from_trace(tile, tile.request("in", "fill")), "no banks: use kernel-sectors")
    refuse(lambda: sectors.from_trace(atomic, atomic.request("counts", "add")), "updated by atomics")


def test_touches_that_make_no_picture_are_refused() -> None:
    tree = traced.trace("tree_sum.cu")
    refuse(lambda: touches.from_trace(tree, "part", panels="times"), "add ':at:' for 'part'")
    refuse(
        lambda: touches.from_trace(traced.trace("tree_sum.cu"), "part", shape=(3, 5)),
        "16 elements: ':shape:' takes rows, columns",
    )
    refuse(
        lambda: touches.from_trace(traced.trace("tree_sum.cu"), "part", panels="intervals", only=(7,)),
        "takes numbers from 1 to 6",
    )
    refuse(
        lambda: touches.from_trace(traced.trace("tree_sum.cu"), "part", labels=("a", "b")),
        "has 1 panels here, and ':labels:' names 2",
    )


def test_an_array_that_is_too_large_to_draw_is_refused(mine: TraceText) -> None:
    trace = mine("grid=1, block=1, args=[empty(5000)]", "__global__ void one(float* out)\n{\n    out[0] = 1.0f;\n}")
    refuse(lambda: touches.from_trace(trace, "out"), "'out' has 5000 elements, and at most 4096 can be drawn")


def test_lanes_and_levels_that_are_not_there_are_refused() -> None:
    ways, product = traced.trace("launching/two_ways.cu"), traced.trace("register_blocking/four_levels.cu")
    refuse(lambda: lanes.from_trace(ways, "out", "write", labels=["a"]), "has 2 steps here, and ':labels:' names 1")
    refuse(lambda: levels.from_trace(product, ["A"], []), "the names of A, B and C as ':arrays:'")
    refuse(
        lambda: levels.from_trace(ways, ["in", "in", "out"], ["in", "in"]), "'in' of launching/two_ways.cu is no matrix"
    )
    tiles = (["A", "B", "C"], ["tile_A", "tile_B"])
    refuse(lambda: levels.from_trace(product, *tiles, phase=4), "nobody touches 'A' in phase 4")


def test_threads_that_lose_nothing_are_refused(mine: TraceText) -> None:
    plain, tree = traced.trace("count_plain.cu"), traced.trace("tree_sum.cu")
    refuse(lambda: interleaving.from_trace(plain, "counts", 1, (1, 2)), "these do: 1, 5, 9")
    refuse(
        lambda: interleaving.from_trace(plain, "values", 1),
        "takes two threads of block 0 that touch values.1.; these do: 1",
    )
    refuse(lambda: interleaving.from_trace(tree, "part", 0), "only the values of arguments are known")
    trace = mine(
        "grid=1, block=2, args=[ramp(1)]",
        "__global__ void turns(float* total)\n{\n    int t = threadIdx.x;\n    if (t == 0) *total = *total + 1.0f;\n"
        "    __syncthreads();\n    if (t == 1) *total = *total + 1.0f;\n}",
    )
    refuse(lambda: interleaving.from_trace(trace, "total", 0), "a barrier orders threads 0 and 1")


def test_a_kernel_without_global_traffic_has_no_map(mine: TraceText) -> None:
    trace = mine(
        "grid=1, block=32, args=[zeros('int32', 1)]",
        "__global__ void count(int* total)\n{\n    atomicAdd(total, 1);\n}",
    )
    refuse(lambda: access_map.from_trace(trace), "there is no traffic to draw")
