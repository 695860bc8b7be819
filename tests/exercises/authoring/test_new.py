"""Does `autograder new` make parts that are complete, and is each named until somebody has filled it in?"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from string import Template

import pytest

from autograder import cli
from autograder.cuda.errors import UsageError
from autograder.exercises.authoring.chapters import read_chapters
from autograder.exercises.authoring.new.scaffold import TEMPLATES, kinds, make
from autograder.exercises.authoring.unfinished import MARK, PLAIN_REFERENCES, unfinished
from autograder.exercises.authoring.verify import verify

ROOT = Path(__file__).parents[3]
RECIPES = {kind: tomllib.loads((TEMPLATES / kind / "recipe.toml").read_text()) for kind in kinds()}
#: By kind, a name that no part of the course has; a new part may well have that of the example.
NAMES = {kind: f"{recipe['example']}x" for kind, recipe in RECIPES.items()}
EXERCISE = NAMES["exercise"]


def test_nothing_of_the_course_is_unfinished() -> None:
    lines = unfinished(ROOT)
    assert not lines, "\n".join(lines)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A folder with the files to which recipes add lines."""
    (tmp_path / "book").mkdir()
    for path in {insert["file"] for recipe in RECIPES.values() for insert in recipe.get("insert", ())}:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    for page in (ROOT / "book").glob("*.md"):
        shutil.copy(page, tmp_path / "book")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    return tmp_path


def texts(root: Path) -> dict[str, str]:
    """The text of each file, but for git's."""
    files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(root)): path.read_text() for path in files}


@pytest.mark.parametrize("kind", kinds())
def test_a_new_part_is_made_once_and_named_until_it_is_filled_in(kind: str, course: Path) -> None:
    before, name = texts(course), NAMES[kind]
    done = make(course, kind, name)
    after = texts(course)
    assert after.keys() - before.keys() == {*done.made}
    assert {path for path in before if before[path] != after[path]} == {*done.changed}
    for path in done.changed:  # lines are added, and none is changed
        rest = iter(after[path].splitlines())
        assert all(line in rest for line in before[path].splitlines())
    marked = {line.partition(": ")[0] for line in unfinished(course) if MARK in line}
    assert marked == {path for path, text in after.items() if MARK in text and MARK not in before.get(path, "")}
    assert marked >= {*done.made}
    with pytest.raises(UsageError, match=f"exists: choose another name than {name}"):
        make(course, kind, name)
    assert texts(course) == after


@pytest.mark.parametrize("kind", kinds())
def test_what_the_command_says_undoes_it(kind: str, course: Path) -> None:
    commit = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "before"]
    for command in (["git", "add", "."], commit):
        subprocess.run(command, cwd=course, check=True)
    before = texts(course)
    undo = make(course, kind, NAMES[kind]).undo
    assert texts(course) != before
    subprocess.run(undo, shell=True, cwd=course, check=True)
    assert texts(course) == before


def test_the_name_of_an_answer_in_another_notebook_is_taken(course: Path) -> None:
    (course / "solutions/races").mkdir(parents=True)
    shutil.copy(ROOT / "solutions/races/race_hunt.ipynb", course / "solutions/races")
    before = texts(course)
    says = r"^An answer to rotate_left in solutions/races/race_hunt\.ipynb exists: choose another name"
    with pytest.raises(UsageError, match=says):
        make(course, "exercise", "barriers/rotate_left")
    assert texts(course) == before


@pytest.mark.parametrize("kind", kinds())
def test_every_template_and_path_of_a_recipe_is_there(kind: str) -> None:
    recipe = RECIPES[kind]
    used = {file["template"] for file in recipe["file"]} | {"recipe.toml"}
    assert {path.name for path in (TEMPLATES / kind).iterdir()} == used
    tests = [word for word in recipe["proof"].split() if word.startswith("tests/") and "$" not in word]
    assert tests and all((ROOT / test.partition("::")[0]).exists() for test in tests)


@pytest.mark.parametrize(
    ("kind", "name", "problem"),
    [
        ("game", "x", r"There is no kind game of part: name one of .*exercise"),
        ("exercise", "add_first", r"add_first is not the name of a new exercise: give one such as barriers/add_first"),
        ("exercise", "barriers/Add first", "is not the name of a new exercise"),
        ("exercise", "poetry/add_first", "lists no chapter book/poetry: make it by `autograder new chapter poetry`"),
        ("chapter", "../x", r"\.\./x is not the name of a new chapter: give one such as "),
        ("chapter", "barriers", r"book/barriers\.md exists: choose another name"),
    ],
)
def test_what_cannot_be_made_is_said_before_anything_is(kind: str, name: str, problem: str, course: Path) -> None:
    before = texts(course)
    with pytest.raises(UsageError, match=problem):
        make(course, kind, name)
    assert texts(course) == before


def test_it_is_run_in_the_courses_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"There is no _toc\.yml here: run this in the course's folder"):
        make(tmp_path, "exercise", EXERCISE)
    assert not texts(tmp_path)


def test_a_recipe_that_no_longer_fits_says_so(course: Path) -> None:
    (course / PLAIN_REFERENCES).write_text("PLAIN = {}\n")
    with pytest.raises(UsageError, match=rf"{PLAIN_REFERENCES} has changed: adapt exercise/recipe\.toml"):
        make(course, "exercise", EXERCISE)


def test_the_command_prints_files_steps_and_proof(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(course)
    assert cli.main(["new", "chapter", "poetry"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("made     book/poetry.md\nchanged  _toc.yml\n\nNext:\n  1. Write book/poetry.md")
    assert f"\n{Template(RECIPES['chapter']['proof']).substitute(name='poetry')}\n" in printed
    assert printed.endswith(":\ngit checkout -- _toc.yml; rm book/poetry.md\n")


@pytest.mark.rare
@pytest.mark.parametrize("kind", ["check", "detector", "lms"])
def test_the_proof_passes_but_for_what_is_to_be_filled_in(kind: str, tmp_path: Path) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    for path in filter(None, listed.stdout.splitlines()):
        if (ROOT / path).is_file():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, tmp_path / path)
    for git in ("git init --quiet", "git add ."):
        subprocess.run(git.split(), cwd=tmp_path, check=True)
    proof = make(tmp_path, kind, NAMES[kind]).proof
    command = [sys.executable, *shlex.split(proof)[1:], "-q", "-n", "0"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))] == [
        "FAILED tests/exercises/authoring/test_new.py::test_nothing_of_the_course_is_unfinished"
    ], done.stdout


@pytest.mark.cached("autograder/**/*", "_toc.yml", PLAIN_REFERENCES)
def test_a_new_exercise_is_proven_as_it_is(course: Path) -> None:
    make(course, "exercise", EXERCISE)
    verdict = verify(course / f"solutions/{EXERCISE}.ipynb")
    assert verdict.proven, [proof for proof in verdict.proofs if proof.result == "refuted"]


def test_an_exercise_without_its_lines_is_named(course: Path) -> None:
    make(course, "exercise", EXERCISE)
    (course / PLAIN_REFERENCES).write_text("PLAIN, PROGRAMS = {}, {}\n")
    (course / "_toc.yml").write_text("root: book/index\n")
    lines = [line for line in unfinished(course) if MARK not in line]
    assert lines == [
        f"_toc.yml has no line `- file: exercises/{EXERCISE}`: add it under the exercise's chapter.",
        f"{PLAIN_REFERENCES} has no add_firstx: write its reference there again, in plain loops.",
    ]


def test_a_new_chapter_is_the_last_one_and_takes_exercises(course: Path) -> None:
    make(course, "chapter", "warp-poetry")
    make(course, "exercise", "warp_poetry/one")
    key, chapter = list(read_chapters(course).items())[-1]
    assert (key, chapter["title"], chapter["exercises"]) == ("warp-poetry", "Warp poetry", ["one"])
    assert json.loads((course / "solutions/warp_poetry/one.ipynb").read_text())["cells"]
