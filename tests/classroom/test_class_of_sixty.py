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
#: All points of the exercises `one` and `two`; of `two`, the point of the test that asks for no answer.
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
        asked = re.match(r"check\(.(\w+)", source)
        outputs.append([error] if asked and "right" not in answers[asked[1]] else [])
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
    """What a student uploads, given the right notebooks: files by name. `scores` are those of `one` and `two`; `told`
    is what the report then says about the student."""

    files: Callable[[Notebook, Notebook], dict[str, bytes]]
    scores: tuple[float, float] = FULL
    told: str = ""


def named(name: str) -> Odd:
    return Odd(lambda one, two: {name: packed_as(one), "two.ipynb": packed_as(two)})


def encoded(make: Callable[[str], bytes]) -> Odd:
    return Odd(lambda one, two: {"one.ipynb": make(json.dumps(one, indent=1)), "two.ipynb": packed_as(two)})


def changed(change: Callable[[Notebook], object], scores: tuple[float, float] = FULL, told: str = "recovered") -> Odd:
    def files(one: Notebook, two: Notebook) -> dict[str, bytes]:
        change(one)
        return {"one.ipynb": packed_as(one), "two.ipynb": packed_as(two)}

    return Odd(files, scores, told)


def source(text: str) -> Callable[[Notebook], object]:
    return lambda one: cell_of(one, "answer-first").update(source=text)


def below(*texts: str) -> Callable[[Notebook], object]:
    """The first answer, and cells of the student's own below it."""

    def change(one: Notebook) -> None:
        cell_of(one, "answer-first")["source"] = texts[0]
        code: dict[str, object] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
        at = [cell["id"] for cell in one["cells"]].index("answer-first") + 1
        one["cells"][at:at] = [{**code, "id": f"own-{i}", "source": text} for i, text in enumerate(texts[1:])]

    return change


def through_colab(one: Notebook) -> None:
    for cell in one["cells"]:
        cell["metadata"] = {}
        del cell["id"]


def elsewhere(one: Notebook, two: Notebook) -> dict[str, bytes]:
    moved = {**cell_of(one, "answer-first"), "id": "moved", "metadata": {}}
    two["cells"].append(moved)
    cell_of(one, "answer-first")["source"] = "%%cuda first\n// YOUR CODE HERE"
    return {"one.ipynb": packed_as(one), "two.ipynb": packed_as(two)}


def other_chapter(one: Notebook, two: Notebook) -> dict[str, bytes]:
    text = packed_as(one).replace(b"%%cuda ", b"%%cuda third_")
    return {"one.ipynb": text, "two.ipynb": packed_as(two)}


ODD = {
    "no name": named("Untitled3.ipynb"),
    "a copy": named("Copy of one.ipynb"),
    "a browser's number": named("one (1).ipynb"),
    "a guessed type": named("one.ipynb.txt"),
    "UTF-16": encoded(lambda text: text.encode("utf-16")),
    "a byte order mark": encoded(lambda text: text.encode("utf-8-sig")),
    "lines of Windows": encoded(lambda text: text.replace("\n", "\r\n").encode()),
    "an archive": Odd(lambda one, two: {"a.zip": packed(("one.ipynb", packed_as(one)), ("two.ipynb", packed_as(two)))}),
    "both under one name": Odd(lambda one, two: {"one.ipynb": packed_as(two), "one (1).ipynb": packed_as(one)}),
    "another exercise": Odd(lambda one, two: {"one.ipynb": packed_as(two)}, (0, 5), "Handed in: 1 of 2"),
    "another chapter": Odd(other_chapter, (0, 5), "it holds three of the chapter numbers"),
    "Colab": changed(through_colab, told=""),
    "a split cell": changed(below("%%cuda first\nvoid f() { //", "right", "}")),
    "a cell of one's own": changed(
        below("%%cuda first\n// YOUR CODE HERE", "__global__ void right() {}"), (2, 5), "perhaps answered elsewhere"
    ),
    "time above": changed(source("%%time\n%%cuda first\nright")),
    "no first line": changed(source("right")),
    "a misspelling": changed(source("%%cuda frist\nright")),
    "no code cell": changed(lambda one: cell_of(one, "answer-first").update(cell_type="markdown")),
    "another notebook": Odd(elsewhere, told="recovered"),
    "cut off": Odd(
        lambda one, two: {"one.ipynb": packed_as(one)[:400], "two.ipynb": packed_as(two)}, (0, 5), "readable"
    ),
    "empty": Odd(lambda one, two: {"one.ipynb": b"", "two.ipynb": packed_as(two)}, (0, 5), "it is empty"),
    "a web page": Odd(lambda one, two: {"one.ipynb": b"<html>", "two.ipynb": packed_as(two)}, (0, 5), "a web page"),
    "too large": Odd(
        lambda one, two: {"one.ipynb": packed_as(one) + b" " * 10**6, "two.ipynb": packed_as(two)},
        (0, 5),
        "a notebook at most 1 MB",
    ),
    "another archive": Odd(
        lambda one, two: {"a.rar": b"Rar!", "two.ipynb": packed_as(two)}, (0, 5), "Only zip archives"
    ),
    "a PDF": Odd(lambda one, two: {"one.pdf": b"%PDF"}, (0, 0), "handed in no notebook"),
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
        one, two = solved(room, "one"), solved(room, "two")
        odd = list(ODD.values())[number] if number < len(ODD) else named("one.ipynb")
        for name, content in odd.files(one, two).items():
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
    said: dict[str, str] = {}
    for item in (*report.attention, *report.settled):
        said[item.student] = said.get(item.student, "") + f"{item.what}: {item.why} "
    wrong = {}
    for number, (name, odd) in enumerate(ODD.items()):
        got, told = scores[f"s{number:02}"], said.get(f"s{number:02}", "")
        if got not in (odd.scores, (odd.scores[0], odd.scores[1] + FREE)) or (
            odd.told not in told if odd.told else told
        ):
            wrong[name] = (got, told)
    assert not wrong
    rest = [f"s{number:02}" for number in range(len(ODD), SIZE)]
    assert {scores[student] for student in rest} == {FULL}
    assert [student for student in rest if student in said] == ["s59"]
    assert "late: " in said["s59"] and "several versions: " in said["s59"]
    assert not report.absent or set(report.absent) <= {"ada", "bob"}
    write_class_page(tmp_path / "class.html", "words", report)
    page = (tmp_path / "class.html").read_text()
    assert all(f"Kim Doe{number}<" in page for number in range(SIZE))
    assert len(page.encode()) / SIZE * 300 < 1e6
