"""Does a file of measurements say once where it comes from, and return what was written?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from autograder.cuda.performance import measurements

DATA = Path(__file__).parents[3] / "book" / "data"
ROWS = [{"kernel": "copy, twice", "n": "64"}, {"kernel": "# of lanes", "n": ""}]


def test_what_is_written_is_read_and_the_head_belongs_to_every_row(tmp_path: Path) -> None:
    origin = measurements.origin("book/data/one.py", device="A CPU, 2 cores", compiler="g++ (1: 2)")
    measurements.write(tmp_path / "one.csv", ROWS, origin)
    assert measurements.read(tmp_path / "one.csv") == [{**row, **origin} for row in ROWS]
    assert (tmp_path / "one.csv").read_text().splitlines() == [
        "# device: A CPU, 2 cores",
        "# compiler: g++ (1: 2)",
        f"# date: {date.today().isoformat()}",
        "# script: book/data/one.py",
        "kernel,n",
        '"copy, twice",64',
        "# of lanes,",
    ]


def test_what_was_measured_stays_where_a_later_row_fails(tmp_path: Path) -> None:
    def failing() -> Iterator[dict[str, str]]:
        yield ROWS[0]
        raise RuntimeError("the GPU is gone")

    with pytest.raises(RuntimeError, match="is gone"):
        measurements.write(tmp_path / "one.csv", failing(), {"device": "A GPU"})
    assert measurements.read(tmp_path / "one.csv") == [{**ROWS[0], "device": "A GPU"}]


def test_a_device_has_a_file_of_its_own() -> None:
    assert measurements.file_name("banks", "NVIDIA H200 (PCIe)") == "banks_nvidia_h200_pcie_.csv"


#: Of the compiler in a page, of the page itself, and of cuTile's compiler: no GPU had a part in them.
ANYWHERE = ("compiler_functions", "page_chromium", "tile_instructions")


@pytest.mark.parametrize("path", sorted(DATA.glob("*_*.csv")), ids=lambda path: path.stem)
def test_every_file_of_the_book_says_where_it_comes_from(path: Path) -> None:
    row, *_ = measurements.read(path)
    assert row["script"] == "autograder tune gemm" or (DATA.parents[1] / row["script"]).is_file()
    assert date.fromisoformat(row["date"]) <= date.today()
    if path.stem not in ANYWHERE and not path.stem.endswith(("_emulator", "_cpu")):
        assert path.name.endswith(measurements.file_name("", row["device"]))


def test_the_page_on_grading_has_the_measured_figures() -> None:
    rows = measurements.read(DATA / "class_cpu.csv")
    measured = {row["what"]: float(row["value"]) for row in rows}
    text = (DATA.parents[1] / "docs/grading.md").read_text().partition("## A large class")[2].partition("\n## ")[0]
    reported = [float(number) for number in re.findall(r"([\d.]+) (?:CPU seconds|MB|minutes|ms)\b", text)]
    each = measured["each different notebook, processors"]
    assert reported == [
        each,
        measured["each different program, processors"],
        measured["3000 notebooks, 40 different, processors"],
        measured["3000 notebooks, recorded, processors"],
        measured["3000 notebooks, 40 different, memory"],
        measured["gradebook"],
        *(measured[f"{step}, processors"] for step in ("feedback", "export", "report")),
        measured["report, memory"],
        measured["report, page"],
        round(each * 3000 / 2 / 60),
    ]
