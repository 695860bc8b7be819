"""Do tables and numbers from book/data show what is in the file, and refuse what is not?"""

import re
from pathlib import Path

import inputs
import pytest
from bs4 import BeautifulSoup
from course_book import kernels, measured, measured_table
from docutils import nodes
from sphinx.application import Sphinx

CSV = """\
# device: A GPU
# driver: 1.2
# cuda: 12.0
# date: 2026-01-02
# script: book/data/one.py
experiment,kernel,n,gain
fast,copy,64,-1.5
fast,copy,65536,2
fast,turn & go,64,3
slow,copy,64,4
"""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "DATA", tmp_path)
    (tmp_path / "one.csv").write_text(CSV)


def cells(html: str) -> list[list[str]]:
    return [[cell.text for cell in line.select("th, td")] for line in BeautifulSoup(html, "html.parser").select("tr")]


def test_a_table_has_a_line_for_each_row_that_agrees() -> None:
    rows = measured_table.select("one.csv", "experiment=fast kernel='copy,turn & go'")
    html = measured_table.rows_table(rows, {"kernel": "kernel", "n": "n", "gain": "the gain"})
    minus, space = "\N{MINUS SIGN}", "\N{NARROW NO-BREAK SPACE}"
    assert cells(html) == [
        ["kernel", "n", "the gain"],
        ["copy", "64", f"{minus}1.5"],
        ["copy", f"65{space}536", "2.0"],
        ["turn & go", "64", "3.0"],
    ]
    assert measured.unbroken("A GPU, CUDA 12.0, driver 1.2, 2026-01-02; measured by") in html


def test_a_source_names_the_gpu_its_software_the_date_and_the_script() -> None:
    (row, *_) = measured_table.select("one.csv", "")
    script = "<code>book/data/one.py</code>"
    assert measured.source(row) == f"A GPU, CUDA 12.0, driver 1.2, 2026-01-02; measured by {script}."
    counted = {name: row[name] for name in ("date", "script")}
    assert measured.source(counted) == f"2026-01-02; counted by {script}."


def test_a_script_is_a_link_if_the_repository_has_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "ROOT", tmp_path)
    config = tmp_path / "_config.yml"
    config.write_text("repository: {url: https://github.com/OWNER_NOT_SET/threads, branch: main}\n")
    assert measured.script("book/data/one.py") == "<code>book/data/one.py</code>"
    config.write_text("repository: {url: https://github.com/ada/threads, branch: main}\n")
    link = BeautifulSoup(measured.script("book/data/one.py"), "html.parser").select_one("a")
    assert link is not None and link.text == "book/data/one.py"
    assert link["href"] == "https://github.com/ada/threads/blob/main/book/data/one.py"


def test_a_table_in_markdown_says_where_its_measured_numbers_come_from() -> None:
    number = nodes.inline("", "3.0", measured="one.csv")
    tables = [nodes.table("", nodes.entry("", cell)) for cell in (number, nodes.inline("", "3.0"))]
    page = nodes.section("", *tables)
    measured_table.name_sources(Sphinx.__new__(Sphinx), page)
    with_source, source, without = page.children
    assert (with_source, without) == tuple(tables) and "with-source" in tables[0]["classes"]
    assert measured.unbroken("measured by <code>book/data/one.py</code>.") in source.astext()


def test_a_crossed_table_leaves_out_what_was_not_measured() -> None:
    rows = measured_table.select("one.csv", "experiment=fast")
    html = measured_table.crossed_table(rows, ("kernel", "which"), "n", "gain")
    space = "\N{NARROW NO-BREAK SPACE}"
    assert cells(html) == [
        ["which", "64", f"65{space}536"],
        ["copy", "\N{MINUS SIGN}1.5", "2.0"],
        ["turn & go", "3.0", "\N{EN DASH}"],
    ]
    with pytest.raises(ValueError, match="two rows have kernel=copy n=64"):
        measured_table.crossed_table(measured_table.select("one.csv", ""), ("kernel", "which"), "n", "gain")


def test_a_crossed_table_shows_values_under_other_names() -> None:
    rows = measured_table.select("one.csv", "experiment=fast n=64")
    html = measured_table.crossed_table(rows, ("kernel", "which"), "n", "gain", {"copy": "a copy", "64": "small"})
    assert cells(html) == [["which", "small"], ["a copy", "\N{MINUS SIGN}1.5"], ["turn & go", "3.0"]]
    with pytest.raises(ValueError, match="no row has swap, which has a name"):
        measured_table.crossed_table(rows, ("kernel", "which"), "n", "gain", {"swap": "a swap"})


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        ("13.6 13 410 1.25", "13.6 13.0 410 1.25"),
        ("6.31 6.3", "6.31 6.30"),
        ("1 0.00309", "1.00 0.00309"),
        ("2 2048", "2 2048"),
        ("0.5 -1", "0.5 -1"),
        ("1.5 copy", "1.5 copy"),
    ],
)
def test_numbers_of_a_column_get_zeros_at_the_end_but_no_digit_that_nobody_measured(cells: str, shown: str) -> None:
    assert measured_table._even(cells.split()) == shown.split()


def test_columns_of_words_are_on_the_left() -> None:
    rows = measured.line("a", ["copy", 5]) + measured.line("b", ["turn & go", "6 of 7"])
    html = measured.table(["one", "kernel", "n"], rows, "")
    assert [cell.text for cell in BeautifulSoup(html, "html.parser").select(".text")] == ["kernel", "copy", "turn & go"]


def test_digits_are_grouped_from_five_on() -> None:
    assert [measured.spaced(n) for n in (7, 2048, 65536)] == ["7", "2048", "65\N{NARROW NO-BREAK SPACE}536"]


def test_no_line_parts_a_number_from_its_unit() -> None:
    space = "\N{NO-BREAK SPACE}"
    assert measured.joined("48 KB, 4 s, 2 sums, 5 TFLOP/s, 3 x 3, chapter 9") == (
        f"48{space}KB, 4{space}s, 2 sums, 5{space}TFLOP/s, 3{space}x{space}3, chapter{space}9"
    )


def test_no_line_breaks_in_a_date_or_before_a_percent_sign() -> None:
    hyphen, space = "\N{NON-BREAKING HYPHEN}", "\N{NO-BREAK SPACE}"
    assert measured.unbroken("0.4 %, on 2026-01-02") == f"0.4{space}%, on 2026{hyphen}01{hyphen}02"
    assert measured.unbroken("r % 8, 12026-01-02, a_2026-1-02.py") == "r % 8, 12026-01-02, a_2026-1-02.py"


def test_what_is_not_in_the_file_stops_the_build() -> None:
    with pytest.raises(ValueError, match="no column for 'speed=1'; it has experiment, kernel"):
        measured_table.select("one.csv", "speed=1")
    with pytest.raises(ValueError, match="no row with n=65"):
        measured_table.select("one.csv", "experiment=fast n=65")
    assert measured_table.select("none.csv", "n=64") == []


def test_counts_are_those_of_the_launch_that_is_named() -> None:
    assert kernels.counts("copy_stride.cu").global_load_sectors == 4
    assert kernels.counts("copy_stride.cu", 0, "stride=8").global_load_sectors == 32
    with pytest.raises(ValueError, match="no launch 'stride=3'; it has stride=1"):
        kernels.counts("copy_stride.cu", 0, "stride=3")


def test_a_table_of_times_tells_their_spread_once(tmp_path: Path) -> None:
    times = CSV.replace("gain", "median_ms,spread_ms").replace("-1.5", "2.0,0.1").replace("536,2", "536,0.1,0.004")
    (tmp_path / "one.csv").write_text(times)
    rows, space = measured_table.select("one.csv", "kernel=copy experiment=fast"), "\N{NO-BREAK SPACE}"
    assert f"Spread: at most 5.0{space}%. A GPU" in measured_table.rows_table(rows, {"n": "n", "median_ms": "ms"})
    assert "Spread" not in measured_table.rows_table(rows, {"n": "n", "median_ms": "ms", "spread_ms": "spread"})
    assert f"Spread: at most 5.0{space}%. A GPU" in measured_table.crossed_table(
        rows, ("kernel", "which"), "n", "median_ms"
    )
    (tmp_path / "one.csv").write_text(times.replace("2.0,0.1", "2.0,0.0009").replace("0.1,0.004", "0.1,0"))
    rows = measured_table.select("one.csv", "kernel=copy experiment=fast")
    assert f"Spread: below 0.05{space}%. A GPU" in measured_table.rows_table(rows, {"n": "n", "median_ms": "ms"})


def test_beside_percentages_the_spread_says_whose_it_is(tmp_path: Path) -> None:
    columns = "median_ms,spread_ms,percent_of_cublas,percent_spread"
    compared = CSV.replace("gain", columns).replace("-1.5", "2.0,0.1,50,4").replace("536,2", "536,0.1,0.001,100,")
    (tmp_path / "one.csv").write_text(compared)
    rows, space = measured_table.select("one.csv", "kernel=copy experiment=fast"), "\N{NO-BREAK SPACE}"
    both = measured_table.rows_table(rows, {"median_ms": "ms", "percent_of_cublas": "%"})
    assert f"Spread of the times: at most 5.0{space}%. A GPU" in both
    alone = measured_table.crossed_table(rows, ("kernel", "which"), "n", "percent_of_cublas")
    assert f"Spread of the percentages: at most 8.0{space}% of their value. A GPU" in alone  # 100 % is cuBLAS itself


#: Pages whose tables of this look are not measured: from data sheets, and from the notebooks.
NOT_MEASURED = {"appendix-gpus", "appendix-lessons", "appendix-teaching"}


@inputs.book
def test_every_measured_table_and_figure_says_where_it_comes_from(html: Path) -> None:
    seen = 0
    for path in sorted((html / "book").glob("*.html")):
        page = BeautifulSoup(path.read_text(), "html.parser")
        shown = page.select(".numbered-table, .kernel-figure:not(:has(.ex-still)) .measured")
        for item in shown if path.stem not in NOT_MEASURED else []:
            seen += 1
            assert re.search(r"\d{4}\D\d\d\D\d\d", item.text) and re.search(r"\w/\w+\.(py|mjs)", item.text), item.text
        written = page.select("table.with-source")
        assert len(page.select("p.source")) == len(written)
        for table in written:
            below = next(after for after in table.find_all_next("p") if table not in after.parents)
            assert below.get("class") == ["source"]
            assert re.search(r"\d{4}\D\d\d\D\d\d; (measured|counted) by book/data/\w+\.py", below.text), below.text
    assert seen > 100
