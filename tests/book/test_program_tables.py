"""Do the tables of whole programs say what their files say?"""

import re
from pathlib import Path

import inputs
import pytest
from course_book import program_tables

from autograder.cuda.performance.measurements import read, write

pytestmark = inputs.book

WHERE = {"device": "a machine", "driver": "1", "date": "2026-01-01", "script": "a script"}
HOST = Path(__file__).parents[1] / "cuda" / "programs"


def cells(html: str) -> list[list[str]]:
    """The rows of a table as lists of words."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[dh].*?>(.*?)</t[dh]>", row)] for row in rows]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six programs of two repositories, one of which needs graphics, and five on a GPU. Of those five, no launch of one
    was checked, and one did not end on the emulator."""
    monkeypatch.setattr(program_tables, "PROGRAMS", tmp_path / "programs.csv")
    monkeypatch.setattr(program_tables, "ON_A_GPU", tmp_path / "on_a_gpu.csv")
    reported = [
        ("a", "1", "", "ends", "all"),
        ("a", "2", "", "takes too long", ""),
        ("b", "1", "", "ends", "part"),
        ("b", "2", "", "not tried", ""),
        ("b", "3", "graphics", "", ""),
        ("b", "4", "", "ends", "none"),
    ]
    write(
        program_tables.PROGRAMS,
        [dict(zip(("corpus", "program", "needs", "verdict", "checked"), item, strict=True)) for item in reported],
        WHERE,
    )
    on_a_gpu = [
        ("a", "1", "the same", "Race:1", "0", "2"),
        ("b", "1", "the same", "", "0", "0"),
        ("b", "1", "differs", "", "too long", "0"),
        ("a", "2", "the same", "", "0", "3"),
        ("b", "4", "the same", "", "0", "0"),
    ]
    columns = ("corpus", "program", "prints", "emulator_finds", "memcheck", "racecheck")
    write(
        program_tables.ON_A_GPU,
        [dict(zip(columns, item, strict=True)) for item in on_a_gpu],
        WHERE,
    )


def test_the_rates_are_of_the_programs_that_need_nothing_more(files: None) -> None:
    head, a, b, every = cells(program_tables.rates())
    columns = ["end", "take too long", "not tried yet", "end, of those tried", "end with every launch checked"]
    assert head == ["repository", "programs", *columns]
    assert (a, b) == (["a", "2", "1", "1", "0", "50 %", "1"], ["b", "3", "2", "0", "1", "100 %", "0"])
    assert every == ["all", "5", "3", "1", "1", "75 %", "1"]
    assert cells(program_tables.needs())[1:] == [["graphics", "1"]]


def test_what_is_printed_and_found_is_counted(files: None) -> None:
    assert cells(program_tables.printed())[1:] == [["the same", "4"], ["differs", "1"], ["all", "5"]]
    some, nothing = cells(program_tables.found())[1:]
    assert some[1:] == ["1", "0"]
    assert nothing[1:] == ["0", "1"]  # memcheck has given no answer on the third


def test_our_own_programs_are_all_in_the_table() -> None:
    rows = read(program_tables.OF_TESTS)
    for line, folder in zip(cells(program_tables.of_tests())[1:], ("right", "wrong", "missed"), strict=True):
        there = {path.stem for path in (HOST / folder).glob("*.cu")}
        assert {row["program"] for row in rows if row["folder"] == folder} == there
        assert line[1] == str(len(there))
