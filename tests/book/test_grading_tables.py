"""Does the page on grading show for each judge what the files say?"""

from pathlib import Path

import pytest
from book_pages import ROOT, first
from bs4 import BeautifulSoup
from course_book import grading_tables, measured

from autograder.exercises.authoring.verify import find_exercises, find_mutants

TOOLS = "memcheck,racecheck,synccheck,initcheck"
HEAD = "# device: GPU\n# cuda: 12.0\n# date: 2026-01-02\n# script: one.py\n"
OURS = f"{HEAD}chapter,exercise,answer,rejected_by,failed,points\n"
NUMPY = f"{HEAD}exercise,answer,rejected_by,runs,passes\n"
SANITIZER = f"# sanitizer: 1\n{HEAD}exercise,answer,{TOOLS}\n"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(measured, "DATA", tmp_path)
    (tmp_path / grading_tables.OURS).write_text(
        f"{OURS}a,k,solution,,,10\na,k,lucky.cu,has_no_races,has_no_races,6\n"
        "a,k,plain.cu,matches_numpy,matches_numpy stays_in_bounds,0\nb,numbers,solution,,,10\n"
    )
    (tmp_path / grading_tables.NUMPY).write_text(
        f"{NUMPY}k,solution,,30,30\nk,lucky.cu,has_no_races,30,30\nk,plain.cu,m,3,0\n"
    )
    (tmp_path / grading_tables.SANITIZER).write_text(
        f"{SANITIZER}k,solution,nothing,nothing,nothing,nothing\nk,lucky.cu,nothing,time out,nothing,nothing\n"
        "k,plain.cu,reports,nothing,nothing,nothing\n"
    )
    return tmp_path


def lines(html: str) -> dict[str, list[str]]:
    soup = BeautifulSoup(html, "html.parser")
    return {first(line, "th").text: [cell.text for cell in line.select("td")] for line in soup.select("tbody tr")}


def test_each_judge_gets_what_it_said(data: Path) -> None:
    table = lines(grading_tables.summary())
    # in all, our checks, numpy always, sometimes, any of the four tools, nobody but us
    assert table["has no races"] == "1 1 0 0 0 1".split()
    assert table["matches numpy"] == "1 1 1 0 1 0".split()
    assert table["all"] == "2 2 1 0 1 1".split()
    assert table["solutions (false alarms)"] == ["1", "0", "0", "0", "0", ""]
    assert "run on the GPU" not in grading_tables.summary()
    # reports, was stopped
    assert lines(grading_tables.tools())["memcheck"] == ["1", "0"]
    assert lines(grading_tables.tools())["racecheck"] == ["0", "1"]
    assert lines(grading_tables.points())["4 to 6.5"] == ["1"]
    assert lines(grading_tables.everything())["k: lucky"] == ["has no races", "30 of 30", "stopped", "6"]
    assert lines(grading_tables.everything())["k: plain"][2] == "memcheck"
    assert ": all 2 wrong answers; measured" in grading_tables.summary()


def test_an_answer_that_was_not_measured_is_said_to_be_so(data: Path) -> None:
    with (data / grading_tables.OURS).open("a") as file:
        file.write("a,k,new.cu,has_no_races,has_no_races,6.5\n")
    table = lines(grading_tables.summary())
    # in all, our checks, run on the GPU, and what is about these
    assert table["has no races"] == "2 2 1 0 0 0 1".split()
    assert table["all"] == "3 3 2 1 0 1 1".split()
    assert "2 of the 3 wrong answers, the others not yet" in grading_tables.summary()
    assert "of 2 wrong answers" in grading_tables.tools()
    assert lines(grading_tables.everything())["k: new"] == ["has no races", *["not yet measured"] * 2, "6.5"]


def test_the_checks_of_constructs_share_a_line(data: Path) -> None:
    with (data / grading_tables.OURS).open("a") as file:
        for check in ("uses_shuffles", "uses_atomics", "does_without_atomics_lane_exchanges"):
            file.write(f"a,k,{check}.cu,{check},{check},9\n")
    table = lines(grading_tables.summary())
    assert (table["uses"][0], table["does without"][0]) == ("2", "1")
    assert lines(grading_tables.everything())["k: uses_shuffles"][0] == "uses shuffles"


@pytest.mark.parametrize(
    ("gone_from", "problem"),
    [
        ("OURS", r"has no plain\.cu of k: .* a new name gets them later, by a job that runs measure_mutants"),
        ("NUMPY", r"about different answers: run measure_mutants\.py again"),
        ("SANITIZER", r"about different answers: run measure_mutants\.py again"),
    ],
)
def test_files_about_different_answers_stop_the_build(data: Path, gone_from: str, problem: str) -> None:
    file = data / getattr(grading_tables, gone_from)
    file.write_text("".join(line for line in file.read_text().splitlines(True) if "plain.cu" not in line))
    with pytest.raises(ValueError, match=problem):
        grading_tables.summary()


def test_a_new_exercise_needs_no_gpu(data: Path) -> None:
    with (data / grading_tables.OURS).open("a") as file:
        file.write(
            "c,new,solution,,,10\nc,new,plain.cu,matches_numpy,matches_numpy,0\nd,guess,high.values,limit,limit,9\n"
        )
    found = {(answer.exercise, answer.name): answer.runs for answer in grading_tables.answers()}
    assert found["new", "plain.cu"] == 0 and ("guess", "high.values") not in found


def test_every_wrong_answer_of_the_course_is_among_them() -> None:
    named = {(row["exercise"], row["answer"]) for row in measured.load(grading_tables.OURS)}
    mutants = [path for exercise in find_exercises(ROOT / "solutions") for path in find_mutants(exercise)]
    unequal = {(path.parent.name, path.name) for path in mutants} ^ {pair for pair in named if pair[1] != "solution"}
    assert not unequal, f"run book/data/measure_grading.py, which writes {grading_tables.OURS}: {unequal}"
    kernels = sum(path.suffix == ".cu" for path in mutants)
    assert sum(bool(answer.check) and answer.name.endswith(".cu") for answer in grading_tables.answers()) == kernels


#: Exercises whose kernels are given, to find the mistake in them.
GIVEN = {"race_hunt", "saxpy_main", "forgotten_memory", "missing_synchronization", "two_streams"}


def test_one_thread_that_works_alone_keeps_half_of_the_points_at_most() -> None:
    points = {
        (row["exercise"], row["answer"]): float(row["points"])
        for row in measured.load(grading_tables.OURS)
        if row["answer"].startswith(("serial_in_", "serial_tiles"))
    }
    assert max(points.values()) <= 5, points
    kernels = {path.stem for path in find_exercises(ROOT / "solutions") if "%%cuda" in path.read_text()}
    without = kernels - GIVEN - {exercise for exercise, _ in points}
    assert not without, f"{grading_tables.OURS} has no mutant serial_in_*.cu or serial_tiles*.cu of {without}"
