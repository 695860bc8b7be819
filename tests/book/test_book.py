"""Does the book build without a warning, and do its figures and reports come from real runs?"""

import json
import re
from html import unescape
from pathlib import Path

import inputs
import numpy as np
import pytest
import yaml
from book_pages import ROOT, attribute, first, words
from bs4 import BeautifulSoup, Tag
from course_book import kernels, measured

from autograder.cuda.core.findings import Access, Action, Kind, Race
from autograder.cuda.core.run import TRACE_ACTIONS, TRACE_DTYPE, Run, Trace
from autograder.cuda.report.chapters import chapters, reference
from autograder.cuda.report.kinds import anchor
from autograder.cuda.report.picture import from_run
from autograder.cuda.report.picture.drawing import describe
from autograder.cuda.report.picture.timeline import Barrier, Wait

pytestmark = [inputs.book, pytest.mark.starts_early]


def page(folder: Path, name: str) -> Tag:
    text = (folder / f"{name}.html").read_text()
    text = text[text.index("<article") : text.rindex("</article>")]
    article = BeautifulSoup(text, "html.parser").find("article")
    assert isinstance(article, Tag)
    return article


def test_the_landing_page_shows_a_bug_and_its_report(html: Path) -> None:
    article = page(html, "book/index")
    kernel = kernels.read("fold.cu")
    report = words(first(article, ".report"))
    assert "fold has no races: FAILED" in report
    finding = kernel.emulate().findings[0]
    for access in finding.accesses:
        assert access.text == kernel.source.splitlines()[access.line - 1].strip()
        assert f"line {access.line} {access.text}" in report
        assert access.text in first(article, "div.highlight-cuda").get_text()
    assert [a["href"] for a in article.select(".start-buttons a")] == [
        "threads.html",
        "../exercises/threads/saxpy.html",
    ]


def test_the_first_figure_is_the_run_of_its_kernel(html: Path) -> None:
    figure = page(html, "book/barriers").select(".tl-picture")[0]
    run = kernels.read("rotate.cu").emulate(trace=True)
    assert run.trace is not None
    tile = run.trace.arrays.index("tile")
    on_tile = run.trace.events[run.trace.events["array"] == tile]
    assert len(figure.select(".tl-label")) == len(np.unique(on_tile["thread"] // 32)) == 4
    for action in ("read", "write"):
        seen = (on_tile["action"] == TRACE_ACTIONS.index(action)).sum()
        assert sum(row[3] for row in json.loads(attribute(figure, "data-trace"))["marks"][action]) == seen == 128
        assert len(figure.select(f"path.tl-{action}")) == 4  # one for each warp
    assert len(figure.select("line.tl-barrier")) == 1
    assert not figure.select(".tl-race")
    assert "waits at the barrier" in first(figure, "desc").text


def test_without_the_barrier_the_figure_shows_the_race(html: Path) -> None:
    figure = page(html, "book/barriers").select(".tl-picture")[1]
    assert not figure.select("line.tl-barrier, rect.tl-wait")
    assert len(figure.select("circle.tl-race")) == 2
    finding = kernels.read("rotate.cu").emulate(without=1).findings[0]
    for access in finding.accesses:
        assert f"thread {access.thread[0]} {access.action}s tile[{access.index[0]}]" in words(figure)


def test_every_figure_has_words_for_those_who_do_not_see_it(html: Path) -> None:
    figures = page(html, "book/barriers").select(".tl-picture")
    assert len(figures) == 3 + 4  # four belong to the combinations of two switches
    assert len({item["id"] for item in figures}) == len(figures)
    for figure in figures:
        ids = attribute(first(figure, "svg"), "aria-labelledby").split()
        assert all(len(first(figure, f"#{item}").text) > 20 for item in ids)
        if not figure.find_parent(class_="ks"):
            around = figure.find_parent("figure")
            assert around is not None and len(words(first(around, "figcaption"))) > 40


#: The number and caption of a listing or a figure.
NUMBER = r'<span class="caption-number">%s ([\d.]+) </span><span class="caption-text">'
LISTING = re.compile(rf'<div class="code-block-caption">{NUMBER % "Listing"}.*\w.*</div>\s*')
FIGURE = re.compile(rf"<figcaption>\s*<p>{NUMBER % 'Figure'}.*\w")
TABLE = re.compile(rf"</table><p>{NUMBER % 'Table'}.*\w")


def test_all_figures_kernels_listings_and_tables_from_data_have_their_number(html: Path) -> None:
    for path in (html / "book").glob("*.html"):
        text = path.read_text()
        before, *listings = text.split('<div class="highlight-cuda')
        numbers = []
        for listing in listings:
            if numbered := LISTING.fullmatch(before, before.rfind('<div class="code-block-caption"')):
                numbers.append(numbered[1])
            else:  # what the CPU does
                assert re.search(r"&lt;&lt;&lt;|cuda[A-Z]", re.sub("<[^>]*>", "", listing.split("</pre>")[0])), path
            before = listing
        found = [FIGURE.findall(text), numbers, TABLE.findall(text)]
        assert len(found[0]) == text.count("<figure"), path
        assert len(found[2]) == len(page(html, f"book/{path.stem}").select(".measured:not(figure *) table")), path
        if chapter := re.match(r"(\d+)-", path.stem):
            for item in found:
                assert item == [f"{int(chapter[1])}.{i + 1}" for i in range(len(item))] != [], path


def test_the_pictures_in_an_exercises_text_fit_the_page() -> None:
    for path in (ROOT / "exercises").rglob("*.ipynb"):
        cells = json.loads(path.read_text())["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        for language, picture in re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            assert language or max(map(len, picture.splitlines())) <= 87, f"{path}:\n{picture}"


def test_part_of_a_listing_has_the_line_numbers_that_reports_cite(html: Path) -> None:
    listing = first(page(html, "book/stencils"), '[data-listing="stencils/heat_no_halo.cu"]')
    below_header = kernels.read("stencils/heat_no_halo.cu").source.splitlines()
    for number, code in re.findall(r"^ *(\d+) *(.*)$", first(listing, "pre").text, re.MULTILINE):
        assert below_header[int(number) - 1].strip() == code


def test_what_refers_to_a_number_says_it(html: Path) -> None:
    links = page(html, "book/banks").select("a.reference.internal:has(.std-numref)")
    assert {(a["href"], words(a)) for a in links} == {
        ("barriers.html#listing-rotate", f"Listing {chapters()['barriers'].number}.1"),
        ("#banks-figure", f"Figure {chapters()['banks'].number}.1"),
    }
    for name, place in (
        ("barriers", "listing-rotate"),
        ("banks", "banks-figure"),
        ("coalescing", "strides-table"),
    ):
        assert page(html, f"book/{name}").select_one(f"#{place} .caption-number")


def test_each_mistake_of_the_chapter_has_its_report(html: Path) -> None:
    titles = [words(tag) for tag in page(html, "book/barriers").select(".report .ag-title")]
    assert titles == [
        "rotate has no races: FAILED",
        *["rotate_rounds has no races: FAILED"] * 4,  # one for each combination of its switches
        "rotate_and_pad reaches every barrier: FAILED",
        "rotate_some reaches every barrier: FAILED",
        "rotate_blocks has no races: FAILED",
        "rotate_warp has no races: FAILED",
    ]


def test_a_report_leads_to_its_chapter_and_to_its_finding(html: Path) -> None:
    links = [(a["href"], a.get_text()) for a in page(html, "book/index").select(".report dd a")]
    assert links == [("barriers.html", reference("barriers")), ("appendix-findings.html#finding-race", "Race")]
    labels = set(re.findall(r"^\((.+)\)=$", (ROOT / "book" / "appendix-findings.md").read_text(), re.MULTILINE))
    assert {anchor(kind) for kind in Kind} <= labels


def test_the_exercises_are_listed_with_their_points(html: Path) -> None:
    listed = words(first(page(html, "book/barriers"), "ul.exercises"))
    notebooks = sorted((ROOT / "exercises" / "barriers").glob("*.ipynb"))
    assert notebooks
    for path in notebooks:
        cells = json.loads(path.read_text())["cells"]
        points = sum(cell["metadata"].get("nbgrader", {}).get("points", 0) for cell in cells)
        assert f"( {path.stem} ), {points:g} points" in listed
        assert (html / "exercises" / "barriers" / f"{path.stem}.html").exists()


def test_each_exercise_opens_in_colab_and_can_be_downloaded(html: Path) -> None:
    repository = yaml.safe_load((ROOT / "_config.yml").read_text())["repository"]
    where = repository["url"].replace("https://github.com", "https://colab.research.google.com/github")
    for path in (ROOT / "exercises").glob("*/*.ipynb"):
        name = f"exercises/{path.parent.name}/{path.stem}"
        exercise = page(html, name)
        colab, download = exercise.select(".start-buttons a")
        assert colab["href"] == f"{where}/blob/{repository['branch']}/{name}.ipynb"
        assert exercise.select_one(f'.how-to-work a[href="{repository["url"]}"]')
        copy = (html / f"{name}.html").parent / str(download["href"])
        assert copy.resolve().read_bytes() == path.read_bytes()
    for path in (html / "book").glob("*.html"):
        assert "colab.research" not in path.read_text()


def test_a_page_says_that_a_whole_program_does_not_run_there(html: Path) -> None:
    for name, runs in (("programs/saxpy_main", False), ("measuring/two_streams", False), ("threads/saxpy", True)):
        exercise = page(html, f"exercises/{name}")
        message = words(first(exercise, ".how-to-work p"))
        assert ("whole program, which does not run in a page" in message) is not runs
        assert ("page/page.js" in (html / f"exercises/{name}.html").read_text()) is runs
        assert (html / "_static/page/cases/exercises" / f"{name}.json").exists() is runs


def test_an_exercise_links_to_the_book_that_it_is_in(html: Path) -> None:
    article = page(html, "exercises/atomics/count_zeros")
    links = [str(link["href"]) for link in article.select("a") if link.get_text() == "The book"]
    assert links == ["../../book/appendix-findings.html#who-does-the-work"]


def test_the_cell_that_sets_up_is_folded(html: Path) -> None:
    folded = first(page(html, "exercises/barriers/missing_barrier"), "details.hide")
    assert "%load_ext autograder" in folded.get_text()


def test_every_exercise_has_its_place_under_a_chapter() -> None:
    listed = re.findall(r"- file: exercises/(\S+)$", (ROOT / "_toc.yml").read_text(), re.MULTILINE)
    there = [f"{path.parent.name}/{path.stem}" for path in (ROOT / "exercises").glob("*/*.ipynb")]
    assert sorted(listed) == sorted(there)


def test_no_page_shows_its_markup(html: Path) -> None:
    for path in html.rglob("*.html"):
        text = re.sub(r"<(code|pre|script|style|dt class=\"sig)\b.*?</(\1|dt)>", "", path.read_text(), flags=re.DOTALL)
        left = re.search(r".{0,60}(`|\*\*|\{[a-z]+\}).{0,60}", unescape(re.sub(r"<[^>]*>", "", text)))
        assert left is None, f"{path.name}: {left and left.group()}"


def test_no_paragraph_that_begins_with_a_number_has_become_a_list(html: Path) -> None:
    for path in (html / "book").glob("*.html"):
        assert re.search(r"<ol[^>]* start=", path.read_text()) is None, path.name  # "16. The lanes ...": the 16 is gone


def events(*rows: tuple[int, str, int, int]) -> np.ndarray:
    """Rows of (thread, action, element or -1, line), in order, for one array in one block."""
    table = np.zeros(len(rows), TRACE_DTYPE)
    for step, (thread, action, index, line) in enumerate(rows):
        array = 0 if index >= 0 else -1
        table[step] = (step, 0, thread, TRACE_ACTIONS.index(action), 0, array, max(index, 0), line, 0, 4, 0)
    return table


def access(thread: int, action: Action, index: int, line: int) -> Access:
    return Access((0, 0, 0), (thread, 0, 0), line, "", action, "tile", (index,), "shared")


def test_a_warp_waits_from_its_last_arrival_until_all_have_arrived() -> None:
    # Two warps of one thread each would be odd, but the order mixes as on a GPU.
    table = events(
        (0, "write", 0, 1), (32, "write", 32, 1), (0, "barrier", -1, 2), (32, "write", 33, 1),
        (32, "barrier", -1, 2), (32, "leave_barrier", -1, 2), (0, "leave_barrier", -1, 2),
        (0, "read", 32, 3), (32, "read", 0, 3),
    )  # fmt: skip
    line = from_run(Run((), trace=Trace(table, ("tile",))), "tile")
    assert line.barriers == (Barrier(4, 2),)
    assert line.rows[0].waits == (Wait(2, 4),)
    assert line.rows[1].waits == (Wait(4, 4),)
    assert [(bar.start, bar.end) for bar in line.rows[1].bars] == [(1, 3), (8, 8)]
    assert "Warp 0 writes tile in steps 0 to 0, then waits at the barrier until step 4" in describe(line)


def test_a_race_is_drawn_where_no_barrier_stands_between() -> None:
    table = events(
        (0, "write", 5, 1), (32, "barrier", -1, 2), (0, "barrier", -1, 2),
        (32, "leave_barrier", -1, 2), (0, "leave_barrier", -1, 2), (32, "read", 5, 3), (0, "write", 5, 1),
    )  # fmt: skip
    race = Race(accesses=(access(32, "read", 5, 3), access(0, "write", 5, 1)), hazard="write-after-read", scope="block")
    line = from_run(Run((), (race,), trace=Trace(table, ("tile",))), "tile")
    assert line.race is not None
    assert [mark.at for mark in line.race] == [5, 6]


def test_an_array_that_nobody_touched_has_no_timeline() -> None:
    run = Run((), trace=Trace(events((0, "barrier", -1, 1)), ("tile",)))
    with pytest.raises(ValueError, match="nobody in block 0 touched 'tile'"):
        from_run(run, "tile")
    with pytest.raises(ValueError, match="no array 'other'"):
        from_run(run, "other")


CSV = """\
# device: A GPU
# driver: 1.2
# cuda: 12.0
# date: 2026-01-02
# script: book/data/one.py
kernel,barrier_removed,n,block,runs,passes,median_us,min_us,max_us
one,0,64,32,30,30,2.00,1,3
one,0,5000,32,30,30,4000.00,1,3
one,1,64,32,30,30,1.50,1,3
one,1,5000,32,30,7,3000.00,1,3
"""


def test_a_table_says_what_the_file_says_and_where_it_comes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measured, "DATA", tmp_path)
    (tmp_path / "a.csv").write_text(CSV)
    rows = measured.read("a.csv", "one")
    passes = words(BeautifulSoup(measured.passes(rows, "n"), "html.parser"))
    assert "n 64 5000 without barrier 1 30 of 30 7 of 30" in passes
    source = measured.unbroken("A GPU, CUDA 12.0, driver 1.2, block 32, 2026-01-02; measured by book/data/one.py")
    assert source in passes
    cost = words(BeautifulSoup(measured.cost(rows, "n", "round"), "html.parser"))
    assert "n 64 5000 per round (5000 rounds)" in cost
    minus = "\N{MINUS SIGN}"
    assert "as it is 2.00 µs 1.00 µs to 3.00 µs 4.00 ms 1.00 µs to 3.00 µs 800.0 ns" in cost
    assert f"without barrier 1 1.50 µs ({minus}25 %) 1.00 µs to 3.00 µs" in cost
    assert [row["n"] for row in measured.read("a.csv", "one", [64])] == ["64", "64"]
    assert measured.read("b.csv", "one") == []
    with pytest.raises(ValueError, match="must have rows about 'two'"):
        measured.read("a.csv", "two")
    with pytest.raises(ValueError, match="must have rows about 'one'"):
        measured.read("a.csv", "one", block=64)


def right(kernel: str, removed: int, block: int) -> dict[int, float]:
    """The measured fraction of right launches, by size."""
    rows = measured.read("barriers_nvidia_h200.csv", kernel, block=block)
    return {
        int(row["n"]): int(row["passes"]) / int(row["runs"]) for row in rows if row["barrier_removed"] == str(removed)
    }


def test_what_the_chapter_says_of_the_measurements_is_what_was_measured() -> None:
    neighbor = right("neighbor_update", 1, 256)
    assert 0 < neighbor[64] < 1 and neighbor[1 << 22] == 0
    gemm = right("gemm_square_tiles", 2, 16)
    assert {n: share for n, share in gemm.items() if n < 1000} == {16: 1, 64: 1, 112: 1}
    assert gemm[1008] == gemm[2048] == 0
    assert set(right("rotate_rounds", 2, 128).values()) == {1}
    assert set(right("count_digits", 1, 256).values()) == {1}
    rows = measured.read("barriers_nvidia_h200.csv", "rotate_rounds", [10_000])
    whole, item, two = (float(row["median_us"]) for row in rows)
    assert item < 0.8 * whole and 0.9 * whole < two < whole
    rows = measured.read("barriers_nvidia_h200.csv", "gemm_square_tiles", [2048])
    whole, item, two = (float(row["median_us"]) for row in rows)
    assert 0.95 * whole < min(item, two)
