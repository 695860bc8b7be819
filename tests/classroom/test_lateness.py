"""Due dates for everybody and for one, and what being late costs."""

from __future__ import annotations

import csv
import io
import shutil
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import inputs
import pytest
from small_course import ROOT, Course, gradebook_rows, submit

from autograder import cli
from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.grade import grade
from autograder.classroom.results.class_report import read_report, to_csv
from autograder.classroom.results.class_terminal import score_table
from autograder.classroom.results.feedback import write_feedback
from autograder.classroom.results.lateness import set_due
from autograder.cuda.errors import UsageError

pytestmark = inputs.grading

DUE = datetime(2026, 3, 1, 12)
#: A point for each day that has begun.
COSTS = "return (late + datetime.timedelta(hours=23, minutes=59)).days"


@pytest.fixture
def room(fresh: Course, tmp_path: Path) -> Classroom:
    root = shutil.copytree(fresh.root, tmp_path / "course")
    for student, when in (("ada", DUE), ("bob", DUE + timedelta(hours=30)), ("carl", DUE + timedelta(days=9))):
        submit(root, student, "right")
        (root / "submitted" / student / "words" / "timestamp.txt").write_text(f"{when} UTC")
    charge(root)
    return open_classroom(root)


def charge(root: Path, how: str = COSTS) -> None:
    config = root / "nbgrader_config.py"
    shutil.copy(ROOT / config.name, config)
    config.write_text(config.read_text().replace("    return 0.0\n", f"    {how}\n"))


def penalties(root: Path) -> dict[tuple[str, str], float]:
    return {(who, name): cost for who, _, _, name, cost, _ in gradebook_rows(root)["submission"] if cost is not None}


def test_late_days_cost_points_in_gradebook_report_and_feedback(room: Classroom) -> None:
    grade(room, "words")
    assert penalties(room.root) == {}  # no due date
    set_due(room, "words", "2026-03-01 12:00 UTC")
    assert grade(room, "words").recorded == ("bob", "carl")  # whom it costs
    expected = {("bob", "one"): 2, ("bob", "two"): 2, ("carl", "one"): 4, ("carl", "two"): 5}  # not more than the score
    assert penalties(room.root) == expected
    assert grade(room, "words").recorded == ()
    lines = {line.student: line for line in read_report(room, "words").lines}
    assert (lines["ada"].total, lines["bob"].total, lines["carl"].total) == (9, 5, 0)
    assert (lines["ada"].late, lines["bob"].late) == ("", "1 d 6 h")
    page = write_feedback(room, "words", ["bob"])[0].read_text()
    assert "5 of 9 points" in page and "less 2 for late submission" in page


def test_lateness_is_in_every_form_of_the_report(room: Classroom) -> None:
    grade(room, "words")
    report = read_report(room, "words")
    assert "late" not in [column.header for column in score_table(report.exercises, report.lines, 100).columns]
    set_due(room, "words", "2026-03-01 12:00 UTC")
    grade(room, "words")
    report = read_report(room, "words")
    late = {line["student"]: line["late"] for line in csv.DictReader(io.StringIO(to_csv(report.rows)))}
    assert late == {"ada": "", "bob": "1 d 6 h", "carl": "9 d"}
    columns = {str(c.header): list(map(str, c.cells)) for c in score_table(report.exercises, report.lines, 100).columns}
    assert dict(zip(columns["student"], columns["late"], strict=True)) == late


def test_a_student_may_have_a_date_of_ones_own(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(room.root)
    with room.gradebook() as gradebook:
        gradebook.add_student("dora")
    assert cli.main(["due", "words", "2026-03-01 12:00 UTC"]) == 0
    assert cli.main(["due", "words", "2026-03-03 12:00 UTC", "--student=bob", "--student=dora"]) == 2  # no bob yet
    grade(room, "words")
    assert cli.main(["due", "words", "2026-03-03 12:00 UTC", "--student=bob", "--student=dora"]) == 0
    grade(room, "words")
    assert {who for who, _ in penalties(room.root)} == {"carl"}
    report = read_report(room, "words")
    assert report.absent == ("dora",) and not any(item.student == "dora" for item in report.attention)


@pytest.mark.rare
def test_nbgraders_own_autograde_takes_the_same(room: Classroom, tmp_path: Path) -> None:
    set_due(room, "words", "2026-03-01 12:00 UTC")
    stock = Course(shutil.copytree(room.root, tmp_path / "stock"))
    charge(stock.root)
    stock.nbgrader(("autograde", "words", "--student=bob"))
    grade(room, "words", ["bob"])
    assert penalties(stock.root) == penalties(room.root) == {("bob", "one"): 2, ("bob", "two"): 2}


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (lambda room: set_due(room, "words", "soon"), "'soon' is not a date: write it as"),
        (lambda room: set_due(room, "wrods", "2026-03-01"), r"has no chapter 'wrods' \(it has: words\)"),
        (
            lambda room: set_due(room, "words", "2026-03-01", ["ada"]),
            "words has no due date yet: set everybody's first",
        ),
    ],
)
def test_bad_input_is_one_sentence(room: Classroom, what: Callable[[Classroom], object], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        what(room)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2026-03-08 UTC", datetime(2026, 3, 8, 23, 59, 59)),
        (" 2026-03-08", datetime(2026, 3, 8, 21, 59, 59)),
        ("2026-03-08 00:00 UTC", datetime(2026, 3, 8)),
    ],
)
def test_a_day_ends_at_midnight(room: Classroom, monkeypatch: pytest.MonkeyPatch, text: str, when: datetime) -> None:
    monkeypatch.setenv("TZ", "Etc/GMT-2")
    time.tzset()
    try:
        assert set_due(room, "words", text) == when
    finally:
        monkeypatch.undo()
        time.tzset()


def test_an_export_says_that_a_penalty_is_of_other_points(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As after points for words, or after another date."""
    monkeypatch.chdir(room.root)
    charge(room.root, "return score / 10 if late else 0")
    set_due(room, "words", "2026-03-01 12:00 UTC")
    grade(open_classroom(room.root), "words")
    stale = "with a penalty for being late that is out of date"
    assert cli.main(["export", "--to", "moodle", "grades.csv"]) == 0
    assert stale not in capsys.readouterr().out
    with room.gradebook() as gradebook:
        gradebook.find_grade("test-first", "one", "words", "bob").manual_score = 0
        gradebook.db.commit()
    assert cli.main(["export", "--to", "moodle", "grades.csv"]) == 0
    assert (
        f"words: 1 student {stale}: bob. Run `autograder grade words`, and this command again."
        in capsys.readouterr().out
    )
    set_due(room, "words", "2026-03-20")
    assert cli.main(["export", "--to", "moodle", "grades.csv"]) == 0
    assert f"words: 2 students {stale}: bob, carl." in capsys.readouterr().out
    grade(open_classroom(room.root), "words")
    assert cli.main(["export", "--to", "moodle", "grades.csv"]) == 0
    assert stale not in capsys.readouterr().out


def test_a_function_that_fails_is_told(room: Classroom) -> None:
    charge(room.root, "return score / 0")
    set_due(room, "words", "2026-03-01 12:00 UTC")
    with pytest.raises(UsageError, match=r"late_penalty in nbgrader_config.py failed \(ZeroDivisionError: "):
        grade(open_classroom(room.root), "words")
