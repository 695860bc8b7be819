"""A class of 60 from downloads to a report, with 25 files that somebody named, saved or uploaded oddly: what is
unmistakable is graded, and all else is told. No notebook runs: a test passes if the answer holds "right"."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import inputs
import pytest
from lms_files import DAY, NOON, packed, put
from nbgrader.api import Student
from small_course import Course, Notebook, answer

from autograder.classroom.classroom import Classroom
from autograder.classroom.collecting import downloads
from autograder.classroom.collecting.collect import collect
from autograder.classroom.execution.task import STUDENT_IS_WRONG, Task, TaskResult
from autograder.classroom.grade import grade
from autograder.classroom.results.class_report import ClassReport, read_report
from autograder.classroom.results.pages import write_class_page

pytestmark = [inputs.grading, pytest.mark.starts_early]

SIZE = 60
#: All points of the exercises `entry` and `two`; of `two`, the point of the test that asks for no answer.
FULL, FREE = (4.0, 5.0), 1.0


def execute(task: Task) -> TaskResult:
    """In place of a run."""
    answers: dict[str, str] = {}
    error = {"output_type": "error", "ename": STUDENT_IS_WRONG, "evalue": "", "traceback": []}
    outputs = []
    for source in task.cells:
        if source.startswith("%%cuda "):
            first, _, text = source.partition("\n")
            answers[first.split()[1].removeprefix("other_")] = text
        requested = re.match(r"check\(.(\w+)", source)
        outputs.append([error] if requested and "right" not in answers[requested[1]] else [])
    return TaskResult(tuple(outputs), "", 0.1)


def solved(room: Classroom, exercise: str, text: str = "right") -> Notebook:
    notebook = Course(room.root).released("words", exercise)
    for name in ("first", "second"):
        answer(notebook, name if exercise == "one" else f"other_{name}", text)
    return notebook


def cell_of(notebook: Notebook, name: str) -> dict[str, object]:
    found: dict[str, object] = next(cell for cell in notebook["cells"] if cell["id"] == name)
    return found


def packed_as(notebook: Notebook) -> bytes:
    return json.dumps(notebook).encode()


@dataclass(frozen=True)
class Odd:
    """What a student uploads, given the right notebooks: files by name. `scores` are those of `entry` and `two`;
    `reported` is what the report then says about the student."""

    files: Callable[[Notebook, Notebook], dict[str, bytes]]
    scores: tuple[float, float] = FULL
    reported: str = ""


def named(name: str) -> Odd:
    return Odd(lambda entry, two: {name: packed_as(entry), "two.ipynb": packed_as(two)})


def encoded(make: Callable[[str], bytes]) -> Odd:
    return Odd(lambda entry, two: {"one.ipynb": make(json.dumps(entry, indent=1)), "two.ipynb": packed_as(two)})


def changed(
    change: Callable[[Notebook], object], scores: tuple[float, float] = FULL, reported: str = "recovered"
) -> Odd:
    def files(entry: Notebook, two: Notebook) -> dict[str, bytes]:
        change(entry)
        return {"one.ipynb": packed_as(entry), "two.ipynb": packed_as(two)}

    return Odd(files, scores, reported)


def source(text: str) -> Callable[[Notebook], object]:
    return lambda entry: cell_of(entry, "answer-first").update(source=text)


def below(*texts: str) -> Callable[[Notebook], object]:
    """The first answer, and cells of the student's own below it."""

    def change(entry: Notebook) -> None:
        cell_of(entry, "answer-first")["source"] = texts[0]
        code: dict[str, object] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
        at = [cell["id"] for cell in entry["cells"]].index("answer-first") + 1
        entry["cells"][at:at] = [{**code, "id": f"own-{i}", "source": text} for i, text in enumerate(texts[1:])]

    return change


def through_colab(entry: Notebook) -> None:
    for cell in entry["cells"]:
        cell["metadata"] = {}
        del cell["id"]


def other_place(entry: Notebook, two: Notebook) -> dict[str, bytes]:
    moved = {**cell_of(entry, "answer-first"), "id": "moved", "metadata": {}}
    two["cells"].append(moved)
    cell_of(entry, "answer-first")["source"] = "%%cuda first\n// YOUR CODE HERE"
    return {"one.ipynb": packed_as(entry), "two.ipynb": packed_as(two)}


def other_chapter(entry: Notebook, two: Notebook) -> dict[str, bytes]:
    text = packed_as(entry).replace(b"%%cuda ", b"%%cuda third_")
    return {"one.ipynb": text, "two.ipynb": packed_as(two)}


ODD = {
    "no name": named("Untitled3.ipynb"),
    "a copy": named("Copy of one.ipynb"),
    "a browser's number": named("one (1).ipynb"),
    "a guessed type": named("one.ipynb.txt"),
    "UTF-16": encoded(lambda text: text.encode("utf-16")),
    "a byte order mark": encoded(lambda text: text.encode("utf-8-sig")),
    "lines of Windows": encoded(lambda text: text.replace("\n", "\r\n").encode()),
    "an archive": Odd(
        lambda entry, two: {"a.zip": packed(("one.ipynb", packed_as(entry)), ("two.ipynb", packed_as(two)))}
    ),
    "both under one name": Odd(lambda entry, two: {"one.ipynb": packed_as(two), "one (1).ipynb": packed_as(entry)}),
    "another exercise": Odd(lambda entry, two: {"one.ipynb": packed_as(two)}, (0, 5), "Handed in: 1 of 2"),
    "another chapter": Odd(other_chapter, (0, 5), "it holds three of the chapter numbers"),
    "Colab": changed(through_colab, reported=""),
    "a split cell": changed(below("%%cuda first\nvoid f() { //", "right", "}")),
    "a cell of one's own": changed(
        below("%%cuda first\n// YOUR CODE HERE", "__global__ void right() {}"), (2, 5), "perhaps answered elsewhere"
    ),
    "time above": changed(source("%%time\n%%cuda first\nright")),
    "no first line": changed(source("right")),
    "a misspelling": changed(source("%%cuda frist\nright")),
    "no code cell": changed(lambda entry: cell_of(entry, "answer-first").update(cell_type="markdown")),
    "another notebook": Odd(other_place, reported="recovered"),
    "cut off": Odd(
        lambda entry, two: {"one.ipynb": packed_as(entry)[:400], "two.ipynb": packed_as(two)}, (0, 5), "readable"
    ),
    "empty": Odd(lambda entry, two: {"one.ipynb": b"", "two.ipynb": packed_as(two)}, (0, 5), "it is empty"),
    "a web page": Odd(lambda entry, two: {"one.ipynb": b"<html>", "two.ipynb": packed_as(two)}, (0, 5), "a web page"),
    "too large": Odd(
        lambda entry, two: {"one.ipynb": packed_as(entry) + b" " * 10**6, "two.ipynb": packed_as(two)},
        (0, 5),
        "a notebook at most 1 MB",
    ),
    "another archive": Odd(
        lambda entry, two: {"a.rar": b"Rar!", "two.ipynb": packed_as(two)}, (0, 5), "Only zip archives"
    ),
    "a PDF": Odd(lambda entry, two: {"one.pdf": b"%PDF"}, (0, 0), "handed in no notebook"),
}


@pytest.fixture
def report(lms_room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClassReport:
    """Half of them come from Moodle, the odd ones first; half from Canvas, the last one late and in two versions."""
    room = lms_room
    monkeypatch.setattr(downloads, "MAX_FILE_BYTES", 10**6)
    numbers = room.root / "exercises" / "numbers" / "three.ipynb"
    numbers.parent.mkdir()
    numbers.write_bytes(packed_as(solved(room, "one", "// YOUR CODE HERE")).replace(b"%%cuda ", b"%%cuda third_"))
    with room.gradebook() as gradebook:
        for number in range(SIZE):
            gradebook.db.add(
                Student(id=f"s{number:02}", first_name="Kim", last_name=f"Doe{number}", lms_user_id=str(number))
            )
        gradebook.db.commit()
    moodle: list[tuple[str, bytes]] = []
    for number in range(SIZE):
        entry, two = solved(room, "one"), solved(room, "two")
        odd = list(ODD.values())[number] if number < len(ODD) else named("one.ipynb")
        for name, content in odd.files(entry, two).items():
            if number < SIZE // 2:
                moodle.append((f"Kim Doe{number}_{9000 + number}_assignsubmission_file/{name}", content))
            else:
                late = "_LATE" if number == SIZE - 1 else ""
                put(tmp_path / "canvas", f"doe{number}kim{late}_{number}_{7000 + number}_{name}", content, NOON + DAY)
    put(tmp_path / "canvas", f"doe59kim_LATE_59_{8000}_one-1.ipynb", packed_as(solved(room, "one", "wrong")))
    put(tmp_path, "Words.zip", packed(*moodle))
    collect(room, "words", [tmp_path / "Words.zip", tmp_path / "canvas"])
    assert not grade(room, "words", execute=execute).refused
    return read_report(room, "words")


def test_everybody_gets_what_they_deserve_or_is_told(report: ClassReport, tmp_path: Path) -> None:
    assert len(ODD) == 25
    scores = {line.student: tuple(cell.score or 0 for cell in line.cells) for line in report.lines}
    message: dict[str, str] = {}
    for item in (*report.attention, *report.settled):
        message[item.student] = message.get(item.student, "") + f"{item.what}: {item.why} "
    wrong = {}
    for number, (name, odd) in enumerate(ODD.items()):
        got, reported = scores[f"s{number:02}"], message.get(f"s{number:02}", "")
        if got not in (odd.scores, (odd.scores[0], odd.scores[1] + FREE)) or (
            odd.reported not in reported if odd.reported else reported
        ):
            wrong[name] = (got, reported)
    assert not wrong
    rest = [f"s{number:02}" for number in range(len(ODD), SIZE)]
    assert {scores[student] for student in rest} == {FULL}
    assert [student for student in rest if student in message] == ["s59"]
    assert "late: " in message["s59"] and "several versions: " in message["s59"]
    assert not report.absent or set(report.absent) <= {"ada", "bob"}
    write_class_page(tmp_path / "class.html", "words", report)
    page = (tmp_path / "class.html").read_text()
    assert all(f"Kim Doe{number}<" in page for number in range(SIZE))
    assert len(page.encode()) / SIZE * 300 < 1e6
