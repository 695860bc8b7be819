"""Do other systems give the points that the classroom gives, and is nothing hidden handed out?"""

from __future__ import annotations

import base64
import gzip
import html
import json
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import inputs
import pytest
from small_course import ROOT, Course, answer, source_notebook

from autograder import cli
from autograder.classroom.checking.bundle import read_bundle
from autograder.classroom.checking.check import check
from autograder.classroom.classroom import open_classroom
from autograder.classroom.grade import grade
from autograder.classroom.places import places
from autograder.classroom.places.gradescope import results as gradescope
from autograder.classroom.results.outcomes import GradedCheck, GradedExercise
from autograder.classroom.results.scores import read_recorded
from autograder.cuda.errors import GraderFault
from autograder.cuda.report import Report
from autograder.exercises.result import Outcome

pytestmark = inputs.grading

#: By student, the texts of the two answers of the exercise `one`.
ANSWERS = {
    "right": ("right first", "right second"),
    "partial": ("wrong", "right second"),
    "fails_hidden": ("right first", "second"),
    "wrong": ("wrong", "wrong"),
}
POINTS = {"right": 4.5, "partial": 2.25, "fails_hidden": 2.25, "wrong": 0.0}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course with a chapter of two exercises, of which four students handed in one; the points are 2.25 each."""
    course = Course(tmp_path_factory.mktemp("course"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, course.root)
    shutil.copytree(ROOT / "LICENSES", course.root / "LICENSES")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "autograder", course.root / "autograder", ignore=ignored)
    item = source_notebook()
    for cell in item.cells:
        if cell.metadata.nbgrader.grade:
            cell.metadata.nbgrader.points = 2.25
    course.add("words", "one", item)
    other = source_notebook()
    for cell in other.cells:
        cell.source = cell.source.replace("%%cuda ", "%%cuda other_").replace("An exercise", "Another")
    course.add("words", "two", other)
    course.nbgrader(("generate_assignment", "words"))
    for student, texts in ANSWERS.items():
        notebook = course.released("words", "one")
        for name, text in zip(("first", "second"), texts, strict=True):
            answer(notebook, name, text)
        course.submit(student, "words", "one", notebook)
    return course


@pytest.fixture(scope="module")
def published(course: Course, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By place, the folder that it takes."""
    made = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course.root)
        for name in places():
            made[name] = tmp_path_factory.mktemp("published") / name
            assert cli.main(["publish", "--to", name, str(made[name])]) == 0
    return made


def submitted(course: Course, student: str) -> Path:
    return course.root / "submitted" / student / "words" / "one.ipynb"


def run_check(course: Course, student: str, place: str, published: dict[str, Path], output: Path) -> int:
    bundle = published["json"] / "bundle.txt"
    command = ["check", str(submitted(course, student)), "--bundle", str(bundle), "--format", place]
    return cli.main([*command, "--output", str(output)])


def points_in(place: str, text: str) -> tuple[float, float]:
    """The points and the maximum that a place reads from its results."""
    data = json.loads(text)
    if place == "prairielearn":
        most = sum(test["max_points"] for test in data["tests"])
        assert sum(test["points"] for test in data["tests"]) == pytest.approx(data["score"] * most, abs=0.001)
        return data["score"] * most, most
    if place == "otter":
        cases = [item for file in data["test_file_results"] for item in file["test_case_results"]]
        earned = sum(item["test_case"]["points"] for item in cases if item["passed"])
        return earned, sum(item["test_case"]["points"] for item in cases)
    if place == "classroom50":
        assert all(isinstance(test[key], int) for test in data["tests"] for key in ("score", "max-score"))
        return data["score"] / 100, data["max-score"] / 100
    if place == "gradescope":
        scored = [test for test in data["tests"] if "score" in test]
        assert sum(test["score"] for test in scored) == pytest.approx(data["score"])
        return data["score"], sum(test["max_score"] for test in scored)
    return data["score"], data["max_score"]


@pytest.mark.parametrize("student", ANSWERS)
def test_every_place_gives_the_points_of_the_classroom(
    course: Course, published: dict[str, Path], student: str, tmp_path: Path
) -> None:
    room = open_classroom(course.root)
    grade(room, "words", [student])
    with room.gradebook() as gradebook:
        recorded = read_recorded(gradebook, "words")[student, "one"]
    assert recorded.score == POINTS[student]
    for place in places():
        code = run_check(course, student, place, published, tmp_path / "results")
        earned, most = points_in(place, (tmp_path / "results").read_text())
        assert (round(earned, 2), most) == (round(recorded.score, 2), recorded.max_score), place
        assert code == (earned < most), place


def students_text(place: str, text: str) -> str:
    """What of a place's results its students see."""
    data = json.loads(text)
    if place == "gradescope":
        data["tests"] = [test for test in data["tests"] if test["visibility"] == "visible"]
    return json.dumps(data)


def test_students_read_nothing_of_a_hidden_case(tmp_path: Path) -> None:
    report = Report("saxpy matches numpy: FAILED", "Case n=70000", ("Element 69999 is wrong.",))
    check = GradedCheck("test", "saxpy matches numpy", Outcome.FAILED, True, report, 0.0, 2.5)
    shown = replace(check, name="other", hidden=False)
    exercise = GradedExercise("", "saxpy", "One <thread>", checks=(check,), max_score=2.5)
    for name, place in places().items():
        seen = [students_text(name, place.results(exercise)), *(text(exercise) for text in place.summaries.values())]
        for text in seen:
            assert "further case" in text and "69999" not in text and "70000" not in text, name
        assert "70000" in students_text(name, place.results(replace(exercise, checks=(shown,)))), name
    (instructors,) = [item for item in json.loads(gradescope(exercise))["tests"] if item["visibility"] == "hidden"]
    assert "69999" in instructors["output"] and "score" not in instructors


def test_the_summary_of_a_run_shows_points_and_no_markup_of_a_students(
    course: Course, published: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    run_check(course, "partial", "github", published, tmp_path / "results")
    summary = (tmp_path / "summary.md").read_text()
    assert summary.startswith("## An exercise: 2.25 of 4.5 points\n") and summary.count("0 of 2.25") == 1
    report = Report("x: FAILED", "", ("<script>alert(1)</script>\n\n# not a heading",))
    check = GradedCheck("test", "x | y", Outcome.FAILED, False, report, 0.0, 1.0)
    text = places()["github"].summaries["GITHUB_STEP_SUMMARY"](GradedExercise("", "x", "<b>", checks=(check,)))
    assert "<script>" not in text and "<b>" not in text and "| x &#124; y |" in text
    assert "\n\n# not" not in text  # an empty line would end the block


def packed(path: str, content: bytes) -> Iterator[tuple[str, str]]:
    """The texts in a published file, and in the archives and bundles in it, by path. (tests/test_wheel.py says what the
    package holds.)"""
    if path.endswith(".whl"):
        return
    if path.endswith(".zip"):
        with zipfile.ZipFile(BytesIO(content)) as archive:
            for name in archive.namelist():
                yield from packed(f"{path}/{name}", archive.read(name))
        return
    text = content.decode(errors="replace")
    if content.startswith(b"H4sI"):  # gzip, in base64
        text = gzip.decompress(base64.b64decode(content)).decode()
    yield path, text


#: By place, the parts of published paths that students never get.
GRADERS_ALONE = {
    "classroom50": ("secrets/",),
    "github": ("secrets/",),
    "gradescope": ("/autograder.zip",),
    "json": ("bundle.txt",),
    "otter": ("/autograder.zip",),
    "prairielearn": ("/tests/bundle.txt",),
}


@pytest.mark.parametrize("place", GRADERS_ALONE)
def test_nobody_gets_a_solution_and_no_student_a_hidden_test(published: dict[str, Path], place: str) -> None:
    hidden = 0
    for path in sorted(path for path in published[place].rglob("*") if path.is_file()):
        name = str(path.relative_to(published[place]))
        for inside, text in packed(name, path.read_bytes()):
            assert "// right first" not in text and "\\nright first" not in text and "BEGIN SOLUTION" not in text, (
                inside
            )
            if "check('second', 'right')" in text:
                hidden += 1
                assert any(part in inside for part in GRADERS_ALONE[place]), inside
    assert hidden >= 1, "the grader's bundle has no hidden test"


def test_every_place_is_tested() -> None:
    assert GRADERS_ALONE.keys() == places().keys()


def test_a_released_notebook_with_a_hidden_test_is_not_published(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(course.root)
    source = course.root / "solutions" / "words" / "one.ipynb"
    path = course.root / "exercises" / "words" / "one.ipynb"
    before, notebook = path.read_text(), json.loads(path.read_text())
    long = "check('second', 'a hidden word that nobody guesses')"
    monkeypatch.setattr(
        "autograder.classroom.publishing.every_solution_line",
        lambda root, hidden=True: {"".join(long.split())} if hidden else set(),
    )
    notebook["cells"][0]["source"] = [long]
    path.write_text(json.dumps(notebook))
    try:
        assert cli.main(["publish", "--to", "github", str(tmp_path / "made")]) == 2
    finally:
        path.write_text(before)
    assert "would give an answer away, so nothing was published" in capsys.readouterr().err
    assert source.exists() and not (tmp_path / "made").exists()


@pytest.mark.parametrize("name", ["not_json", "absent", "no_exercise"])
def test_what_cannot_be_graded_gets_one_sentence(
    published: dict[str, Path], name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"{name}.ipynb"
    if name == "not_json":
        path.write_text("{")
    if name == "no_exercise":
        path.write_text('{"cells": []}')
    bundle = published["json"] / "bundle.txt"
    for place in places():
        output = tmp_path / place
        command = ["check", str(path), "--bundle", str(bundle), "--format", place, "--output", str(output)]
        assert cli.main(command) == 2
        sentence = capsys.readouterr().err.removeprefix("autograder: ").strip()
        assert name in sentence and sentence.count("\n") == 0
        assert sentence in html.unescape(output.read_text()), place


def test_a_fault_of_ours_gives_no_result(
    course: Course, published: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = read_bundle(published["json"] / "bundle.txt")
    for cell in bundle.exercises["one"].exercise.notebook.cells:
        if cell.source.startswith('check("first"'):
            cell.source = "1 / 0"
    with pytest.raises(GraderFault, match="ZeroDivisionError"):
        check(submitted(course, "right"), bundle)
    (tmp_path / "bundle.txt").write_text(bundle.to_text())
    command = ["check", str(submitted(course, "right")), "--bundle", str(tmp_path / "bundle.txt")]
    assert cli.main([*command, "--format", "gradescope", "--output", str(tmp_path / "results")]) == 3
    assert not (tmp_path / "results").exists()


def test_a_submission_is_a_folder_with_whatever_name_its_notebook_has(
    course: Course, published: dict[str, Path], tmp_path: Path
) -> None:
    whole = read_bundle(published["json"] / "bundle.txt")
    alone = type(whole)({"one": whole.exercises["one"]}, whole.cell_seconds)
    (tmp_path / "submission").mkdir()
    shutil.copy(submitted(course, "right"), tmp_path / "submission" / "Untitled3.ipynb")
    assert check(tmp_path / "submission", alone).score == POINTS["right"]
    shutil.copy(submitted(course, "wrong"), tmp_path / "whatever.ipynb")
    assert check(tmp_path / "whatever.ipynb", whole).name == "one"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["check", "a.ipynb", "--format", "json"], "To grade a notebook, name it, --bundle, --format and --output"),
        (["check", "a.ipynb"], "Name a file with answers, or grade the notebook itself with --bundle and --format."),
        (["check", "a.ipynb", "--bundle", "b", "--format", "moon", "--output", "o"], "'moon' is none of the places: "),
        (["check", "a.ipynb", "--bundle", "absent", "--format", "json", "--output", "o"], "absent cannot be read: No "),
        (["check", "a.ipynb", "--bundle", ".", "--format", "json", "--output", "o"], "autograder publish` makes one."),
        (["publish", "--chapter", "words", "x"], "--chapter goes with --to."),
        (["publish", "--to", "github", "--chapter", "moon", "x"], "The course has no chapter 'moon' (it has: words)."),
    ],
)
def test_bad_input_gets_one_sentence(
    course: Course,
    words: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(course.root)
    assert cli.main(words) == 2
    printed = capsys.readouterr().err
    assert sentence in printed and printed.count("\n") == 1


@pytest.mark.parametrize("text", [b"", b"%", b"H4sI", base64.b64encode(gzip.compress(b"[]", mtime=0))])
def test_what_is_no_bundle_is_refused(text: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bundle.txt").write_bytes(text)
    options = ["--bundle", str(tmp_path / "bundle.txt"), "--format", "json", "--output", str(tmp_path / "results")]
    assert cli.main(["check", "a.ipynb", *options]) == 2
    assert "it is not a bundle" in capsys.readouterr().err


def test_the_scripts_are_shell(published: dict[str, Path], tmp_path: Path) -> None:
    for place in ("gradescope", "otter"):
        with zipfile.ZipFile(published[place] / "one" / "autograder.zip") as archive:
            for name in ("setup.sh", "run_autograder"):
                assert archive.getinfo(name).external_attr >> 16 == 0o100755
                text = archive.read(name).decode()
                assert "{{" not in text
                subprocess.run(["bash", "-n"], input=text, text=True, check=True)
