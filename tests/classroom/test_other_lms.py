"""An LMS that another package registers: its downloads are sorted, its table is written, its feedback goes back."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import inputs
import pytest
from lms_files import notebook, put, submitted

from autograder import cli
from autograder.classroom import lms
from autograder.classroom.classroom import Classroom
from autograder.classroom.collecting.collect import collect
from autograder.cuda.plugins import plugins

pytestmark = inputs.grading

CAMPUS = r"""
import re
from autograder.classroom.lms import Listing, Lms, Table

def read(content):
    return {line.split("=")[0]: (((line.split("=")[1],),), None) for line in content.decode().split()}

CAMPUS = Lms(
    "Campus",
    submissions=(re.compile(r"(?P<label>.+)@campus\+(?P<user>\d+)"),),
    receipt=re.compile(r"receipt\.pdf"),
    listing=Listing("owners.txt", read),
    table=Table(("Login",), lambda who: (who.id,), keys=("Login",), heading=lambda name, most: f"{name}/{most:g}"),
    feedback=lambda origin, chapter: f"{origin}/{chapter}.html",
)
"""


@pytest.fixture(autouse=True)
def campus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    info = tmp_path / "site" / "campus-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: campus\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[autograder.lms]\ncampus = campus:CAMPUS\n")
    (tmp_path / "site" / "campus.py").write_text(CAMPUS)
    monkeypatch.syspath_prepend(tmp_path / "site")
    caches = (plugins, lms.systems, lms.listings)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def test_an_lms_of_another_package(
    lms_room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path / "down", "Ada Lovelace@campus+11/one.ipynb", notebook(lms_room))
    put(tmp_path / "down", "Ada Lovelace@campus+11/receipt.pdf", b"%PDF")
    done = collect(lms_room, "words", [tmp_path / "down"])
    assert not done.left and not done.others and set(submitted(lms_room)) == {"ada/words/one.ipynb"}
    monkeypatch.chdir(lms_room.root)
    assert cli.main(["grade", "words"]) == 0 and cli.main(["export", "--to", "campus", "grades.csv"]) == 0
    assert "grades.csv is for Campus: words (1 score, of 9 points)." in capsys.readouterr().out
    head, *rows = Path("grades.csv").read_text().splitlines()
    assert head == "Login,words/9" and "ada,3" in rows
    assert cli.main(["feedback", "words", "--zip", "back.zip"]) == 0
    with zipfile.ZipFile("back.zip") as archive:
        assert archive.namelist() == ["Ada Lovelace@campus+11/words.html"]


def test_its_list_of_whose_each_folder_is(lms_room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "owners.txt", b"s1=ada\ns2=bob")
    put(tmp_path / "down", "s1/one.ipynb", notebook(lms_room))
    put(tmp_path / "down", "s2/one.ipynb", notebook(lms_room))
    assert not collect(lms_room, "words", [tmp_path / "down"]).left
    assert set(submitted(lms_room)) == {"ada/words/one.ipynb", "bob/words/one.ipynb"}


def test_a_table_for_an_unknown_lms(lms_room: Classroom, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["export", "--to", "school", "grades.csv"]) == 2
    assert "'school' is none of blackboard, canvas, moodle, campus" in capsys.readouterr().err


def test_of_several_patterns_that_counts_whose_students_name_ends_first() -> None:
    """Students choose the end: it must not turn the name of one LMS into that of another."""
    forged = "Ada Lovelace_1_assignsubmission_file_bob_attempt_2026-01-30-15-00-00_one.ipynb"
    for name in (forged, f"{forged}@campus+12"):
        found = lms.submission_name(name)
        assert found and (found.lms.name, found.label) == ("Moodle", "Ada Lovelace")
