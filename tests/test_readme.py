"""What the README shows is what a reader gets."""

import contextlib
import csv
import io
import re
from pathlib import Path

import nbformat
import pytest

from autograder.exercises.authoring.repository import course_address
from autograder.exercises.notebook.run_notebook import run

ROOT = Path(__file__).parent.parent
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)
MUTANT = ROOT / "solutions/barriers/mutants/missing_barrier/no_barrier_before_the_write.cu"


def test_the_sample_prints_the_report_below_it() -> None:
    (program,) = [text for language, text in BLOCKS if language == "python"]
    reports = [text for language, text in BLOCKS if not language]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, {})
    assert printed.getvalue() == reports[0]


@pytest.mark.parametrize(("answers", "block"), [("wrong", 1), ("right", 2)])
def test_the_exercise_says_what_the_readme_shows(answers: str, block: int) -> None:
    notebook = nbformat.read(ROOT / "solutions/barriers/missing_barrier.ipynb", 4)
    given = {"%%cuda missing_barrier": MUTANT.read_text()} if answers == "wrong" else {}
    first = run(notebook, given)[0]
    shown = [text for language, text in BLOCKS if not language][block]
    assert first.report.startswith(shown.rstrip("\n"))


def test_links_work_outside_the_repository_too() -> None:
    """A package index shows the README beside the release, without the repository's other files."""
    files = f"{course_address(ROOT)}/blob/HEAD/"
    text = (ROOT / "README.md").read_text()
    links = re.findall(r"\]\(([^)]+)\)|^\[.+\]: (.+)$", text, re.MULTILINE)
    assert len(links) >= 3
    for link in ("".join(pair) for pair in links):
        assert link.startswith("https://"), link
        if link.startswith(files):
            assert (ROOT / link.removeprefix(files)).is_file(), link


def test_it_says_how_unseen_answers_fared() -> None:
    with (ROOT / "book/data/unseen_when_new_emulator.csv").open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    # (A later set is about two new exercises alone.)
    *_, before, newest = (row for row in rows if row["exercise"] == "all" and int(row["wrong"]) > 500)
    counted = ("right", "right_with_all_points", "wrong", "wrong_with_all_points")
    of_both = {column: int(before[column]) + int(newest[column]) for column in counted}
    text = " ".join((ROOT / "README.md").read_text().split())
    assert f"wrote {of_both['wrong']} wrong answers and {of_both['right']} right ones in the two newest" in text
    lost = of_both["right"] - of_both["right_with_all_points"]
    assert f"Of the wrong ones {of_both['wrong_with_all_points']} got all points" in text
    assert f"of the right ones {lost} lost some" in text
