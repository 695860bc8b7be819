"""Are the figures' drawings valid, do they say in words what they show, and does a page show them as it should?"""

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from unittest.mock import MagicMock

import inputs
import pytest
from book_pages import attribute, first
from bs4 import BeautifulSoup
from course_book import (
    access_map,
    access_map_svg,
    banks_svg,
    interleaving,
    interleaving_svg,
    lanes,
    lanes_svg,
    levels_svg,
    machine,
    machine_svg,
    measured,
    sectors_svg,
    touches,
    touches_svg,
    traced,
    waiting_svg,
)
from course_book.extension import setup
from course_book.figures import FIGURES
from course_book.svg import WIDTH, in_cell
from figure_runs import banks_of, levels_of, sectors_of
from plugin_package import install

from autograder.cuda.plugins import plugins

pytestmark = inputs.book

ROOT = Path(__file__).parents[2]
DASH = "\N{EN DASH}"


# ---- the drawings -----------------------------------------------------------------------------------


def draw(kind: str, name: str = "a-0") -> str:
    match kind:
        case "sectors":
            return sectors_svg.figure(sectors_of("copy_stride.cu", "in", "load", "stride=32"), name)
        case "banks":
            return banks_svg.figure(banks_of("transpose_tile.cu", "tile", "turn"), name)
        case "touches in rows":
            rows = touches.from_trace(traced.trace("gemm_phases.cu"), "A", mark="load A", block=4, panels="times")
            return touches_svg.figure(rows, name, arrows=False)
        case "touches with arrows":
            steps = touches.from_trace(traced.trace("tree_sum.cu"), "part", panels="intervals")
            return touches_svg.figure(steps, name, arrows=True)
        case "lanes":
            return lanes_svg.figure(lanes.from_trace(traced.trace("launching/two_ways.cu"), "out", "write"), name)
        case "levels":
            return levels_svg.figure(levels_of(), name)
        case "interleaving":
            story = interleaving.from_trace(traced.trace("count_plain.cu"), "counts", 1)
            return interleaving_svg.figure(story, name)
        case "access map":
            return access_map_svg.figure(access_map.from_trace(traced.trace("gemm_square_tiles.cu")), name)
    return machine.DRAWINGS[kind][0](name)


KINDS = ["sectors", "banks", "touches in rows", "touches with arrows", "lanes", "levels", "interleaving", "access map"]
KINDS += machine.DRAWINGS


def test_each_kind_of_figure_is_drawn_here() -> None:
    names = {name.removeprefix("kernel-").replace("-", " ") for name in FIGURES} - {"timeline"}  # see test_figures.py
    missing = {name for name in names if not any(kind.startswith(name) for kind in KINDS)}
    assert not missing, f"give each of {missing} a case in `draw` above, and a word in KINDS"


@pytest.mark.parametrize("figure", FIGURES)
def test_each_kind_of_figure_has_its_options_in_the_docs(figure: str) -> None:
    rows = [line for line in (ROOT / "docs/book.md").read_text().splitlines() if line.startswith("| `kernel-")]
    assert any(f"`{figure}`" in row.split(" | ")[0] for row in rows), f"the table in docs/book.md has no {figure}"


def test_a_package_adds_a_kind_of_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = """\
from course_book.figures import KernelFigure

class KernelLength(KernelFigure):
    def draw(self, trace, name):
        return f"<p>{len(trace.run.trace.events)} events</p>"
"""
    install(tmp_path, "length_figure", "[autograder.figures]\nkernel-length = length_figure:KernelLength\n", source)
    monkeypatch.syspath_prepend(tmp_path)
    plugins.cache_clear()
    app = MagicMock()
    setup(app)
    directives = dict(call.args for call in app.add_directive.call_args_list)
    assert directives.keys() >= {*FIGURES, "kernel-length"}
    figure = directives["kernel-length"].__new__(directives["kernel-length"])
    assert re.fullmatch(r"<p>\d+ events</p>", figure.draw(traced.trace("tree_sum.cu"), "a-0"))
    plugins.cache_clear()


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawing_is_well_formed_and_lies_within_its_edges(kind: str) -> None:
    svgs = re.findall(r"<svg.*?</svg>", draw(kind), re.DOTALL)
    assert svgs
    for svg in svgs:
        root = ElementTree.fromstring(svg)
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        shapes = [shape for shape in root.iter("rect") if "x" in shape.attrib]
        assert shapes
        for shape in shapes:
            x, y, w, h = (float(shape.attrib[key]) for key in ("x", "y", "width", "height"))
            assert x >= 0 and x + w <= width + 0.1 and y >= 0 and y + h <= height + 0.1, shape.attrib
            assert w > 0 and h > 0
        for text in root.iter("text"):
            assert 0 <= float(text.attrib["x"]) <= width and 0 < float(text.attrib["y"]) <= height, text.text


@pytest.mark.parametrize(
    ("kind", "says", "row"),
    [
        (
            "sectors",
            "in 32 sectors of 32 bytes, in 32 cache lines of 128 bytes. 1024 bytes move, of which 128 are used.",
            "in[992] 1 992 31",
        ),
        ("banks", "Bank 0 must serve 32 words. The request takes 32 passes; 31 conflicts.", f"0 32 0{DASH}31"),
        ("touches in rows", f"2nd time: 16 elements are read (rows 4{DASH}7, columns 4{DASH}7), by 16 threads.", ""),
        (
            "touches with arrows",
            f"After 4 barriers: 2 elements are read (0{DASH}1) and 1 element is written (0), by 1 thread.",
            f"after 4 barriers 0 0{DASH}1 0",
        ),
        (
            "lanes",
            "Line 6: 16 lanes work (0, 2, 4, 6,",
            "line 8 1 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31",
        ),
        (
            "levels",
            f"Phase 2, into shared memory: reads rows 0{DASH}15 and columns 8{DASH}11 of A and rows 8{DASH}11 and",
            "thread 9 8 of tile_A 8 of tile_B 4 of C",
        ),
        (
            "interleaving",
            "Thread 5 writes 1. At the end counts[1] is 1, and should be 2: an update is lost.",
            "2 Thread 1 writes 1 Thread 5 reads 0",
        ),
        (
            "access map",
            "Line 18 stores C: 4096 bytes moved, 4096 used, 4 sectors per request.",
            "18 C write 32 128 4096 4096",
        ),
        (
            "hierarchy",
            "An H200: each of 132 SMs has registers,",
            "shared memory and L1 cache 256 KB in each SM shared 29, L1 40 cycles",
        ),
        (
            "waiting",
            "one warp, one load at a time: at most 1 in flight, 4 stores; four warps, one load at a time: at most 4",
            "one warp, four loads at a time 4 in flight 12 stores",
        ),
        (
            "scopes",
            "a block of threads: shared memory, as long as the block;",
            "a thread registers and local memory as long as the thread",
        ),
        ("dram", "columns 8 to 15 of it leave as a burst.", ""),
        ("bank times", "Bursts in 18 steps: 4 with 1 bank, 8 with 2 banks, 15 with 4 banks.", "4 15 83 %"),
        ("copies", "load and store: passes L1 cache, then registers.", "bulk copy one for the whole tile copy engine"),
        ("host", "pinned, to the GPU: 54.58 GB/s", "pageable to the host 9.62 GB/s"),
        ("clusters", "132 SMs in 12 groups: 2 of 18 SMs with room for 2 clusters of 8;", "4 2 0"),
    ],
)
def test_a_drawing_says_what_it_shows(kind: str, says: str, row: str) -> None:
    soup = BeautifulSoup(draw(kind), "html.parser")
    for svg in soup.select("svg"):
        ids = attribute(svg, "aria-labelledby").split()
        assert [first(soup, f"#{item}").name for item in ids] == ["title", "desc"]
        assert all(len(first(soup, f"#{item}").text) > 20 for item in ids)
    assert says in " ".join(item.text for item in soup.select("desc"))
    rows = [" ".join(cell.text for cell in item.select("td")) for item in soup.select(".kf-words tr")]
    assert row in rows if row else not rows  # a long table would help nobody


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawing_is_the_same_each_time(kind: str) -> None:
    first = draw(kind)
    traced._trace.cache_clear()
    assert draw(kind) == first


@pytest.mark.parametrize("kind", KINDS)
def test_every_class_of_a_drawing_has_its_look(kind: str) -> None:
    style = (ROOT / "book" / "_static" / "course.css").read_text()
    for item in {name for names in re.findall(r'class="([^"]+)"', draw(kind)) for name in names.split()}:
        assert re.search(rf"\.{item}\b(?!-)", style), item


def test_as_many_blocks_of_clusters_are_drawn_as_ran_at_once() -> None:
    for row in measured.load("clusters_at_once_nvidia_h200.csv"):
        html = machine_svg.clusters(machine.groups(), int(row["cluster"]), "a-0")
        assert f"{row['blocks']} of {row['of']} SMs have a block, {row['idle']} have none." in html
        assert html.count('class="kf-sector"') == int(row["idle"])


def test_each_load_that_is_drawn_waits_before_its_store() -> None:
    for way in waiting_svg.WAYS:
        flying = way.in_flight()
        assert max(flying) == way.warps * way.loads
        for warp in range(way.warps):
            loads, stores = way.load_steps(warp), way.store_steps(warp)
            assert not {*loads} & {*stores}  # a warp issues one instruction in a step
            assert all(step - waiting_svg.LATENCY in loads for step in stores)
        issued = [step for warp in range(way.warps) for step in (*way.load_steps(warp), *way.store_steps(warp))]
        assert len(issued) == len({*issued})
    html = draw("waiting")
    assert html.count('class="kf-write"') == sum(way.stores() for way in waiting_svg.WAYS) == 29


def test_digits_get_smaller_then_narrower_where_they_would_fill_their_box() -> None:
    wide, full, over = (in_cell("read", 0, 0, words, 15) for words in ("7", "17", "\N{MULTIPLICATION SIGN}32"))
    assert "kf-tight" not in wide and "textLength" not in wide
    assert "kf-tight" in full and "textLength" not in full
    assert "kf-tight" in over and 'textLength="13"' in over


def test_long_memory_is_cut_short_but_not_in_words() -> None:
    html = draw("sectors")
    assert "27 more cache lines" in html
    assert len(BeautifulSoup(html, "html.parser").select(".kf-words tbody tr")) == 32


# ---- the directives ---------------------------------------------------------------------------------


def build(folder: Path, page: str) -> tuple[str, str]:
    """A book of one page: its HTML, and what Sphinx complained of."""
    (folder / "index.md").write_text(page)
    shutil.copy(ROOT / "_config.yml", folder)
    (folder / "conf.py").write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT / 'book' / '_ext')!r})\n"
        "extensions = ['myst_parser', 'course_book.extension']\nnumfig = True\nhtml_theme = 'sphinx_book_theme'\n"
    )
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", str(folder), str(folder / "out")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return (folder / "out" / "index.html").read_text(), done.stderr


PAGE = """# Title

See {numref}`first`.

```{kernel-sectors} copy_stride.cu
:array: in
:at: load
:launch: stride=2
:name: first
One warp with a stride of two.

More of it.
```

```{kernel-banks} transpose_tile.cu
:array: tile
:at: turn
:warp: 3
A column.
```

```{kernel-touches} tree_sum.cu
:array: part
:panels: intervals
:only: 1, 2, 3, 4, 5
:arrows:
A tree.
```

```{kernel-interleaving} count_plain.cu
:array: counts
:element: 2
:threads: 2, 6
A lost update.
```

```{kernel-access-map} points.cu
The traffic.
```

```{kernel-sectors} points.cu
:array: points
:at: load
Another of the first sort.
```
"""


def test_a_page_shows_all_five_with_numbered_captions(tmp_path: Path) -> None:
    html, complaints = build(tmp_path, PAGE)
    assert not complaints
    soup = BeautifulSoup(html, "html.parser")
    figures = soup.select("figure.kernel-figure")
    kinds = [figure["class"][1] for figure in figures]
    assert kinds == ["sectors", "banks", "touches", "interleaving", "access-map", "sectors"]
    captions = [" ".join(first(figure, "figcaption").get_text(" ").replace("#", "").split()) for figure in figures]
    assert [re.findall(r"Fig. (\d)", item) for item in captions] == [[number] for number in "123456"]
    assert "One warp with a stride of two. More of it." in captions[0]
    assert first(soup, "a[href='#first']").text == "Fig. 1"
    assert [len(figure.select("svg")) for figure in figures] == [1, 1, 1, 2, 1, 1]
    ids = [tag["id"] for tag in soup.select("svg [id]")]
    assert len(ids) == len(set(ids)) > 10
    assert not soup.select("figure script")


WRONG = """# Title

```{kernel-sectors} copy_stride.cu
:array: in
:at: lode
A mark that is not there.
```

```{kernel-banks} transpose_tile.cu
:at: turn
No array.
```

```{kernel-access-map} points.cu
```
"""


def test_a_wrong_figure_is_an_error_at_its_place(tmp_path: Path) -> None:
    _, complaints = build(tmp_path, WRONG)
    lines = [line for line in complaints.splitlines() if "ERROR" in line]
    assert len(lines) == 3
    assert "index.md:3:" in lines[0] and "0 lines are marked '// lode'" in lines[0]
    assert "index.md:9:" in lines[1] and "it needs ':array:', the array that the warp touches" in lines[1]
    assert "index.md:14:" in lines[2] and "a figure needs a caption" in lines[2]


def test_the_bars_of_an_access_map_leave_room_for_their_numbers() -> None:
    row = access_map.Traffic(1, "x", "x", "read", 32768, 32768, 1 << 20, 1 << 20)
    html = access_map_svg.figure(access_map.AccessMap((row,)), "figure")
    (width,) = {float(item) for item in re.findall(r'class="kf-read"[^>]* width="([\d.]+)"', html)}
    assert 300 < width < WIDTH - 7 * len("1 048 576 of 1 048 576 bytes")


# ---- the films --------------------------------------------------------------------------------------

SECTOR_FILMS = [("copy_stride.cu", "in", "load", "stride=2"), ("copy_stride.cu", "in", "load", "stride=1")]
BANK_FILMS = [("transpose_tile.cu", "tile", "turn"), ("transpose_wide_tile.cu", "tile", "turn")]


def test_one_sector_is_not_several() -> None:
    item = access_map.Traffic(1, "x", "x", "read", 2, 2, 64, 8)
    html = access_map_svg.figure(access_map.AccessMap((item,)), "figure")
    assert html.count("1 sector per request") == 2 and "1 sectors" not in html


def drawn_at(html: str) -> set[int]:
    """The moments in which some part of a drawing appears."""
    return {int(number) for found in re.findall(r'data-at="([^"]*)"', html) for number in found.split()}


@pytest.mark.parametrize("which", SECTOR_FILMS)
def test_a_film_of_sectors_ends_with_as_many_as_were_counted(which: tuple[str, ...]) -> None:
    found = sectors_of(*which)
    film = sectors_svg.film(found)
    assert len(film.moments) == len(found.request.lanes) == 32
    assert film.moments[-1][0].endswith(f"{found.count} sectors so far.")
    assert sum("one more sector" in sentence for sentence, _ in film.moments) == found.count
    assert film.moments[-1][1] == found.count - 1  # each sector is a turn
    assert drawn_at(sectors_svg.figure(found, "a")) == set(range(32))


@pytest.mark.parametrize("which", BANK_FILMS)
def test_a_film_of_banks_has_a_turn_for_each_pass(which: tuple[str, ...]) -> None:
    found = banks_of(*which)
    film = banks_svg.film(found)
    assert [turn for _, turn in film.moments] == sorted(hit.turn for hit in found.hits)
    assert len({turn for _, turn in film.moments}) == found.passes
    for (sentence, turn), hit in zip(film.moments, banks_svg.order(found), strict=True):
        assert sentence.startswith(f"Pass {turn + 1} of {found.passes}: bank {hit.bank} ")
    assert drawn_at(banks_svg.figure(found, "a")) == set(range(len(found.hits)))


def test_a_film_of_touches_has_a_step_for_each_time_and_none_without_time() -> None:
    phases = ["phase 0", "phase 0", "phase 1", "phase 1", "end"]
    trace = traced.trace("tiling/product_phases.cu")
    found = touches.from_trace(trace, "A, B, C", block=3, panels="intervals", labels=phases)
    sentences = [sentence for sentence, _ in touches_svg.film(found).moments]
    assert [sentence.partition(":")[0] for sentence in sentences] == ["Phase 0", "Phase 1", "End"]
    assert f"A: 16 elements are read (rows 4{DASH}7, columns 4{DASH}7), by 16 threads; B: 16" in sentences[1]
    html = touches_svg.figure(found, "a", arrows=False)
    assert re.findall(r'data-at="([^"]*)"', html) == list("00112")
    blocks = touches.from_trace(traced.trace("blur_three.cu"), "in", mark="blur", by="block", panels="blocks")
    assert "data-" not in touches_svg.figure(blocks, "a", arrows=False)


def test_a_grid_of_few_columns_is_no_wider_than_its_elements() -> None:
    grid = touches.from_trace(traced.trace("outer_2x2.cu"), "C")
    (svg,) = re.findall(r"<svg.*?</svg>", touches_svg.figure(grid, "a", arrows=False), re.DOTALL)
    root = ElementTree.fromstring(svg)
    right = max(
        float(item.attrib["x"]) + float(item.attrib["width"]) for item in root.iter("rect") if "x" in item.attrib
    )
    assert right <= float(root.attrib["width"]) < right + 10
