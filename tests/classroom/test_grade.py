"""`autograder grade` on a small course without the emulator: what is run, kept, recorded and refused."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import inputs
import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.api import Student
from small_course import Course, answer, gradebook_rows, submit
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.collecting import downloads
from autograder.classroom.collecting.collect import collect
from autograder.classroom.commands.progress import summary_lines
from autograder.classroom.execution import cluster, dispatch, local
from autograder.classroom.execution.store import Store
from autograder.classroom.execution.task import Task, TaskResult
from autograder.classroom.grade import RESULTS, grade
from autograder.classroom.results.class_report import read_report
from autograder.classroom.submission.notes import METADATA, NoteKind
from autograder.cuda.errors import UsageError
from autograder.exercises.authoring.nbgrader_app import AUTOGRADED

pytestmark = inputs.grading

AGAIN = (sys.executable, "-m", "autograder", "grade", "words")


@pytest.fixture
def room(fresh: Course, tmp_path: Path) -> Classroom:
    """A copy of the course, with three submissions; ada and blaise hand in the same."""
    shutil.copytree(fresh.root, tmp_path, dirs_exist_ok=True)
    for student, word in (("ada", "right"), ("blaise", "right"), ("carl", "wrong")):
        submit(tmp_path, student, word)
    return open_classroom(tmp_path)


def scores(root: Path) -> dict[tuple[str, str, str], Any]:
    rows = gradebook_rows(root)["grade"]
    return {(student, notebook, cell): score for student, _, notebook, cell, score, *_ in rows}


class Counting(dispatch.Watch):
    """A `Watch` that keeps what is run."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def finished(self, name: str, failed: bool) -> None:
        self.ran.append(name)


def test_equal_answers_run_once_and_a_second_time_nothing_does(room: Classroom) -> None:
    watch = Counting()
    first = grade(room, "words", watch=watch)
    assert (first.recorded, first.ran, first.reused) == (("ada", "blaise", "carl"), 4, 0)
    assert sorted(watch.ran) == ["ada, one", "ada, two", "carl, one", "carl, two"]
    assert scores(room.root)["blaise", "two", "test-first"] == 2 and scores(room.root)["carl", "one", "test-first"] == 0
    second = grade(room, "words", watch=watch)
    assert (second.recorded, second.unchanged) == ((), ("ada", "blaise", "carl"))
    assert (second.ran, second.reused, len(watch.ran)) == (0, 4, 4)


def test_who_stops_it_is_told_how_many_results_are_kept(room: Classroom) -> None:
    class Stopping(Counting):
        stored = -1

        def finished(self, name: str, failed: bool) -> None:
            super().finished(name, failed)
            if len(self.ran) == 3:
                raise KeyboardInterrupt

        def stopped(self, stored: int) -> None:
            self.stored = stored

    def faulty(task: Task) -> TaskResult:
        return TaskResult((), "the lights went out", 0.0) if task.name == "ada, one" else TaskResult(([],) * 5, "", 0.0)

    watch = Stopping()
    with pytest.raises(KeyboardInterrupt):
        grade(room, "words", watch=watch, execute=faulty, cluster=cluster.this_machine(1))
    assert "ada, one" in watch.ran
    assert watch.stored == 2 == len(list((room.root / RESULTS).rglob("*.json")))


def test_how_long_a_notebook_ran_stands_in_it(room: Classroom) -> None:
    def timed(task: Task) -> TaskResult:
        return TaskResult(([],) * 5, "", 1.2345)

    grade(room, "words", ["ada"], execute=timed, cluster=cluster.this_machine(1))
    notebook = nbformat.read(room.root / AUTOGRADED / "ada" / "words" / "one.ipynb", as_version=4)
    assert notebook.metadata[METADATA]["seconds"] == 1.23


def test_one_student_and_by_force(room: Classroom) -> None:
    assert grade(room, "words", ["carl"]).recorded == ("carl",)
    assert {student for student, *_ in scores(room.root)} == {"carl"}
    again = grade(room, "words", ["carl"], force=True)
    assert (again.recorded, again.ran, again.reused) == (("carl",), 2, 0)
    with pytest.raises(UsageError, match="dora handed in no words: submitted/dora/words does not exist"):
        grade(room, "words", ["dora"])


def test_a_new_hand_in_is_recorded_and_the_rest_stays(room: Classroom) -> None:
    grade(room, "words")
    submit(room.root, "carl", "right")
    summary = grade(room, "words")
    # What carl hands in now was already run for ada.
    assert (summary.recorded, summary.unchanged, summary.ran) == (("carl",), ("ada", "blaise"), 0)
    assert scores(room.root)["carl", "one", "test-first"] == 2


def test_a_gradebook_from_a_backup_is_filled_again(room: Classroom, tmp_path: Path) -> None:
    """It has an older submission of carl's, and none of dora's."""
    (room.root / "submitted" / "ada" / "words" / "timestamp.txt").write_text("2026-03-01 12:00:00 UTC")
    gradebook, backup = room.root / "gradebook.db", tmp_path / "backup.db"
    grade(room, "words")
    shutil.copy(gradebook, backup)
    submit(room.root, "carl", "right")
    submit(room.root, "dora", "wrong")
    grade(room, "words")
    whole = gradebook_rows(room.root)
    shutil.copy(backup, gradebook)
    again = grade(room, "words")
    assert (again.recorded, again.unchanged, again.ran) == (("carl", "dora"), ("ada", "blaise"), 0)
    assert gradebook_rows(room.root) == whole


def test_a_new_gradebook_is_filled_again(room: Classroom, fresh: Course) -> None:
    grade(room, "words")
    whole = gradebook_rows(room.root)
    shutil.copy(fresh.root / "gradebook.db", room.root / "gradebook.db")  # as after a release
    again = grade(room, "words")
    assert (again.recorded, again.ran) == (("ada", "blaise", "carl"), 0)
    assert gradebook_rows(room.root) == whole
    assert grade(room, "words").recorded == ()


def test_what_a_person_wrote_stays(room: Classroom) -> None:
    grade(room, "words")
    with sqlite3.connect(room.root / "gradebook.db") as gradebook:
        gradebook.execute("UPDATE grade SET manual_score = 1.5, extra_credit = 0.25, needs_manual_grade = 0")
        gradebook.execute("UPDATE comment SET manual_comment = 'Well done.'")
        gradebook.execute("UPDATE submitted_notebook SET flagged = 1")
    before = gradebook_rows(room.root)
    assert grade(room, "words").recorded == ()
    assert gradebook_rows(room.root) == before
    grade(room, "words", force=True)
    after = gradebook_rows(room.root)
    # As in nbgrader, a person should look again at what was graded again.
    assert after["grade"] == {(*row[:-2], 1, row[-1]) for row in before["grade"]}
    assert {name: rows for name, rows in after.items() if name != "grade"} == {
        name: rows for name, rows in before.items() if name != "grade"
    }


def test_a_fault_of_the_grader_is_not_kept_and_tried_again(room: Classroom) -> None:
    def faulty(task: Task) -> TaskResult:
        return TaskResult((), "the lights went out", 0.0) if task.name == "carl, one" else local.execute(task)

    summary = grade(room, "words", execute=faulty)
    reported = [(student, notebook, note.in_full) for student, notebook, note in summary.notes]
    assert [(student, notebook) for student, notebook, _ in reported] == [("carl", "one")]
    assert "the lights went out" in reported[0][2] and "by hand" in reported[0][2]
    assert scores(room.root)["carl", "one", "test-first"] is None
    again = grade(room, "words")
    assert (again.recorded, again.ran, again.notes) == (("carl",), 1, ())
    assert scores(room.root)["carl", "one", "test-first"] == 0


@pytest.mark.rare
def test_a_hand_in_of_an_earlier_release_changed_nothing(room: Classroom) -> None:
    tampered = nbformat.read(room.root / "submitted/carl/words/one.ipynb", as_version=4)
    tampered.cells[1].source += "\nCheckFailed = KeyError"
    nbformat.write(tampered, room.root / "submitted/carl/words/one.ipynb")
    source = room.root / "solutions/words/one.ipynb"
    source.write_text(
        source.read_text().replace("import numpy ", "import numpy as np ").replace("a student", "Anybody")
    )
    Course(room.root).nbgrader(("generate_assignment", "words", "--force"))
    summary = grade(room, "words")
    kinds = {student: note.kind for student, notebook, note in summary.notes if notebook == "one"}
    assert kinds == {"ada": NoteKind.EARLIER, "blaise": NoteKind.EARLIER, "carl": NoteKind.CHANGED}
    reported = [line for line in summary_lines(summary) if "release" in line]
    assert (
        reported[0] == "written for an earlier release, and graded with the current one: 2 notebooks."
        and len(reported) == 2
    )
    reported = [entry.why for entry in read_report(room, "words").settled if entry.what == NoteKind.EARLIER]
    assert reported == ["2 submissions, graded with the current one."]


def test_what_breaks_before_the_tests_is_a_fault_of_those_that_pass(room: Classroom) -> None:
    """Otherwise nobody would hear of hidden cases that were declared wrongly."""

    def misspelt(task: Task) -> TaskResult:
        return local.execute(replace(task, cells=(task.cells[0] + "\nint('1', sed=1)", *task.cells[1:])))

    summary = grade(room, "words", execute=misspelt)
    reported = {student: note.in_full for student, notebook, note in summary.notes if notebook == "one"}
    assert all("TypeError" in reported[student] and "2 tests" in reported[student] for student in ("ada", "blaise"))
    assert "carl" not in reported  # who fails at what is there
    found = scores(room.root)
    assert found["ada", "one", "test-first"] is None and found["carl", "one", "test-first"] == 0
    assert grade(room, "words").ran == 4


def test_what_cannot_be_graded_is_named_and_stops_nobody(room: Classroom) -> None:
    top = room.root / "submitted"
    submit(room.root, "dora", "right")
    (top / "dora" / "words" / "timestamp.txt").write_text("the day before yesterday")
    submit(room.root, "david", "right")
    with (top / "david" / "words" / "timestamp.txt").open("wb") as endless:
        endless.truncate(1 << 40)
    for student, date in (("kim", "00:" + "1" * 30), ("leo", "2026-03-01 12:00:00 /etc/localtime")):
        submit(room.root, student, "right")
        (top / student / "words" / "timestamp.txt").write_text(date)
    (top / "emil" / "words").mkdir(parents=True)
    (top / "fritz" / "Wodrs").mkdir(parents=True)
    (top / "gina").symlink_to(top / "ada")
    (top / "hans.ipynb").write_text("{}")
    submit(room.root, "M\udcfcller", "right")  # unpacked by a program that knows no UTF-8
    (top / "ines").mkdir()  # who handed in other chapters only
    (top / "jo").mkdir()
    (top / "jo" / "words").symlink_to(top / "ada" / "words")
    summary = grade(room, "words")
    assert summary.recorded == ("ada", "blaise", "carl")
    assert {refused.student: refused.why for refused in summary.refused} == {
        "david": "submitted/david/words/timestamp.txt holds no date. Write it as 2026-03-01 12:00 UTC, or delete it.",
        "dora": "submitted/dora/words/timestamp.txt holds no date. Write it as 2026-03-01 12:00 UTC, or delete it.",
        "emil": "submitted/emil/words holds no notebook. Ask emil to hand it in again.",
        "fritz": "submitted/fritz/Wodrs is no chapter. If it is meant, rename it to words.",
        "gina": "submitted/gina/words is a link, which is not followed. Put the files there.",
        "hans.ipynb": "submitted/hans.ipynb is a file. Put it into submitted/<student>/words/.",
        "jo": "submitted/jo/words is a link, which is not followed. Put the files there.",
        "kim": "submitted/kim/words/timestamp.txt holds no date. Write it as 2026-03-01 12:00 UTC, or delete it.",
        "leo": "submitted/leo/words/timestamp.txt holds no date. Write it as 2026-03-01 12:00 UTC, or delete it.",
        "M ller": "submitted/M ller: no gradebook can hold this name. Rename the folder.",
    }


def test_a_folder_that_may_not_be_read_stops_nobody(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = room.root / "submitted" / "carl" / "words"
    is_dir = Path.is_dir

    def look(path: Path) -> bool:
        if path == closed:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return is_dir(path)

    monkeypatch.setattr(Path, "is_dir", look)
    summary = grade(room, "words")
    why = "submitted/carl/words cannot be read (Permission denied). Fix that, and grade again."
    assert summary.recorded == ("ada", "blaise") and [entry.why for entry in summary.refused] == [why]


def test_a_result_that_others_may_have_put_there_is_not_believed(tmp_path: Path) -> None:
    store = Store(tmp_path / "results")
    store.put("abc", TaskResult((), "", 0.0))
    file = tmp_path / "results" / "ab" / "abc.json"
    assert store.get("abc") and file.is_file()
    file.chmod(0o620)
    assert store.get("abc") is None
    file.rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").chmod(0o600)
    file.symlink_to(tmp_path / "elsewhere")
    assert store.get("abc") is None
    for folder in (file.parent, store.folder):
        folder.chmod(0o777)
        with pytest.raises(UsageError, match="Others may put results into"):
            store.get("abc")
        folder.chmod(0o755)


def test_what_lies_beside_a_notebook_is_kept_if_it_is_nbgraders(room: Classroom, tmp_path: Path) -> None:
    """And is no link, no pipe, and no larger than what nbgrader writes."""
    for student in ("ada", "blaise", "carl"):
        (room.root / "submitted" / student / "words" / "other.txt").write_text("x")
    (room.root / "submitted" / "ada" / "words" / "submission_secret.txt").write_text("secret")
    with (room.root / "submitted" / "blaise" / "words" / "submission_secret.txt").open("wb") as large:
        large.truncate(1 << 20)
    (room.root / "submitted" / "carl" / "words" / "submission_secret.txt").symlink_to(tmp_path / "gradebook.db")
    assert not grade(room, "words").refused
    assert [path.name for path in (room.root / AUTOGRADED).rglob("*.txt")] == ["submission_secret.txt"]


def test_what_was_never_foreseen_stops_nobody(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    write: Callable[[NotebookNode, Path], None] = nbformat.write

    def save(notebook: NotebookNode, path: Path) -> None:
        if "carl" in path.parts:
            raise RuntimeError("never foreseen")
        write(notebook, path)

    monkeypatch.setattr(nbformat, "write", save)
    summary = grade(room, "words")
    assert summary.recorded == ("ada", "blaise")
    (refused,) = summary.refused
    assert refused.student == "carl" and "RuntimeError: never foreseen" in refused.why
    assert ("carl", "one", "test-first") not in scores(room.root)


def test_a_chapter_that_was_not_released(room: Classroom, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no chapter 'word' \(it has: words\).*generate_assignment word --force"):
        grade(room, "word")
    (room.root / "exercises" / "words" / "two.ipynb").unlink()
    with pytest.raises(UsageError, match=r"exercises/words/two\.ipynb is missing: run `nbgrader gen"):
        grade(room, "words")
    with pytest.raises(UsageError, match="run this in the course's folder"):
        open_classroom(tmp_path / "submitted")


def full_disk(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_loses_nothing(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(room.root / RESULTS)
    store.put("ab1", TaskResult((), "", 1.0))
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full_disk)
        with pytest.raises(UsageError, match=r"cannot be kept in .*grading \(No space left.*make room there"):
            grade(room, "words")
    assert store.get("ab1") == TaskResult((), "", 1.0)
    assert [path.name for path in store.folder.glob("*/*")] == ["ab1.json"]
    with monkeypatch.context() as patch:
        patch.setattr(nbformat, "write", full_disk)
        (room.root / "submitted" / "ada" / "words" / "timestamp.txt").write_text("2026-03-01 12:00:00 UTC")
        with pytest.raises(UsageError, match=r"autograded/\w+/.*cannot be written \(No space left"):
            grade(room, "words")
    assert ("ada", "one", "test-first") not in scores(room.root)
    summary = grade(room, "words")
    assert summary.recorded[0] == "ada" and summary.reused >= 1


@pytest.mark.parametrize(("after", "what"), [("nothing", "opened"), ("opening", "written")])
def test_a_gradebook_that_cannot_be_written_loses_nothing(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, after: str, what: str
) -> None:
    def commit(session: Session) -> None:
        if after == "opening" and session.get(Student, "ada") is None:
            return
        raise OperationalError("COMMIT", {}, sqlite3.OperationalError("database or disk is full"))

    with monkeypatch.context() as patch:
        patch.setattr(Session, "commit", commit)
        with pytest.raises(UsageError, match=rf"gradebook.*cannot be {what} \(.*database or disk is full\)"):
            grade(room, "words")
    assert not scores(room.root) and not (room.root / "autograded" / "ada" / "words").exists()
    assert grade(room, "words").recorded == ("ada", "blaise", "carl")


def test_a_damaged_result_is_made_again(room: Classroom) -> None:
    grade(room, "words")
    for path in (room.root / RESULTS).rglob("*.json"):
        path.write_text(path.read_text()[:40])
    assert grade(room, "words").ran == 4


def test_the_command(room: Classroom) -> None:
    (room.root / "submitted" / "emil" / "words").mkdir(parents=True)
    shutil.rmtree(room.root / "submitted" / "carl")
    done = subprocess.run(AGAIN, cwd=room.root, capture_output=True, text=True)
    in_between = re.compile(r"words: \d of 2 done, \d running, 0 failed")  # every ten seconds, so on a busy machine
    assert [line for line in done.stdout.splitlines() if not in_between.fullmatch(line)] == [
        "words: 2 different notebooks, 0 run before.",
        "2 students recorded, 0 unchanged; 2 notebooks run, 0 taken from earlier runs.",
        "not graded: emil: submitted/emil/words holds no notebook. Ask emil to hand it in again.",
    ]
    assert (done.returncode, done.stderr) == (1, "")


def test_copies_are_not_shared(room: Classroom) -> None:
    """Students with equal answers have notebooks of their own, with their own notes."""
    notebook = Course(room.root).released("words", "one")
    answer(notebook, "first", "right")
    answer(notebook, "second", "right second")
    notebook["cells"].append(deepcopy(notebook["cells"][2]))
    notebook["cells"][-1]["source"] = ["%%cuda first\n", "an earlier try"]
    notebook["cells"].insert(0, notebook["cells"].pop())
    Course(room.root).submit("blaise", "words", "one", notebook)
    summary = grade(room, "words")
    assert [(student, name, note.kind.value) for student, name, note in summary.notes] == [
        ("blaise", "one", "several answers")
    ]
    assert summary.ran == 4


def test_jobs_follow_cores_and_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: range(64))
    for message, jobs in (("", 64), ("0", 8), ("0,1", 16), (",".join(map(str, range(16))), 64)):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", message)
        assert cluster._jobs() == jobs


def test_a_chapter_whose_release_failed_is_told(course: Course) -> None:
    room = open_classroom(course.root)
    with room.gradebook() as gradebook:
        gradebook.add_assignment("words")
    for students in ((), ("ada",)):
        with pytest.raises(UsageError, match=r"The gradebook has no exercise of 'words': run `nbgrader generate_assig"):
            grade(room, "words", students)


def test_a_released_answer_cell_without_its_first_line_is_told(fresh: Course, tmp_path: Path) -> None:
    shutil.copytree(fresh.root, tmp_path / "course")
    path = tmp_path / "course" / "exercises" / "words" / "one.ipynb"
    path.write_text(path.read_text().replace("%%cuda first", "%%cdua first"))
    reported = (
        r"^exercises/words/one\.ipynb: answer cell 'answer-first' must begin .*Fix solutions/words/one\.ipynb, and run"
    )
    with pytest.raises(UsageError, match=reported):
        grade(open_classroom(tmp_path / "course"), "words")


def test_a_file_that_was_refused_was_handed_in(fresh: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course = Course(shutil.copytree(fresh.root, tmp_path / "course"))
    down = tmp_path / "down" / "ada"
    down.mkdir(parents=True)
    for name in ("one", "two"):
        text = json.dumps(course.released("words", name)) + " " * (10**6 if name == "two" else 0)
        (down / f"{name}.ipynb").write_text(text)
    monkeypatch.setattr(downloads, "MAX_FILE_BYTES", 10**6)
    room = open_classroom(course.root)
    collect(room, "words", [tmp_path / "down"])
    summary = grade(room, "words")
    reported = {notebook: (note.kind, note.in_full) for _, notebook, note in summary.notes}
    kind, text = reported["two"]
    assert kind is NoteKind.NOT_COLLECTED and "was handed in, but could not be collected" in text
    assert "a notebook at most 1 MB" in text
    report = read_report(room, "words")
    assert [item.what for item in report.attention].count("not collected") == 1
