"""Does what students get hold all that they need, and nothing that gives an answer away?"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import inputs
import pytest
from small_course import Course, source_notebook

from autograder.cuda.errors import UsageError
from autograder.exercises.authoring.leaks import solution_lines
from autograder.exercises.authoring.publish import publish

pytestmark = inputs.grading

ROOT = Path(__file__).parents[3]
SEED = "918273645546372819"


def git(root: Path, *command: str) -> None:
    subprocess.run(["git", "-C", root, *command], check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course with one chapter, in git."""
    root = tmp_path / "course"
    for part in ("solutions/barriers", "exercises/barriers", "LICENSES"):
        shutil.copytree(ROOT / part, root / part)
    (root / "autograder").mkdir()
    (root / "autograder" / "__init__.py").write_text("")
    config = (ROOT / "_config.yml").read_text().replace("OWNER_NOT_SET", "somebody")
    (root / "_config.yml").write_text(config)
    (root / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    (root / ".gitignore").write_text("students.csv\nhidden_seed.txt\n")
    (root / "hidden_seed.txt").write_text(f"{SEED}\n")
    (root / "students.csv").write_text("id\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    return root


def published(folder: Path) -> set[str]:
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    return {name for name in names if not name.startswith(".git/")}


def test_students_get_what_they_need_and_nothing_else(root: Path, tmp_path: Path) -> None:
    (root / "exercises" / "barriers" / "notes of mine.txt").write_text("not in git")
    (root / "autograder" / "link").symlink_to("/etc/passwd")
    git(root, "add", "autograder")
    target = tmp_path / "public"
    git(tmp_path, "init", "-q", "public")
    assert publish(root, target) == len(published(target))
    exercises = {f"exercises/barriers/{path.name}" for path in (ROOT / "exercises/barriers").glob("*.ipynb")}
    rest = {"README.md", "_config.yml", "pyproject.toml", ".gitignore", ".published", "autograder/__init__.py"}
    assert published(target) == exercises | rest | {f"LICENSES/{path.name}" for path in (ROOT / "LICENSES").iterdir()}
    readme = (target / "README.md").read_text()
    assert "the book at <https://somebody.github.io/cooperating-threads>" in readme
    for name in exercises:
        assert f"(https://colab.research.google.com/github/somebody/cooperating-threads/blob/main/{name})" in readme
    (target / "old").mkdir()
    (target / "exercises" / "gone.ipynb").write_text("")
    publish(root, target)
    assert exercises | rest <= published(target) and not (target / "old").exists() and (target / ".git").exists()
    assert not (target / "exercises" / "gone.ipynb").exists()


def leaking() -> dict[str, str]:
    notebook = ROOT / "solutions" / "barriers" / "missing_barrier.ipynb"
    mutants = sorted((notebook.parent / "mutants" / "neighbor_update").glob("*.cu"))
    return {
        "a solution": notebook.read_text(),
        "a mutant": mutants[0].read_text(),
        "a hidden cell": 'hidden_cases("missing_barrier", seed=20261123)',
        "a line": max(solution_lines(notebook), key=len),
        "the seed": f"seed = {SEED}",
    }


@pytest.mark.parametrize("what", leaking())
def test_what_gives_an_answer_away_is_not_published(root: Path, tmp_path: Path, what: str) -> None:
    publish(root, tmp_path / "public")
    before = published(tmp_path / "public")
    (root / "exercises" / "barriers" / "left.txt").write_text(leaking()[what])
    git(root, "add", "exercises")
    with pytest.raises(UsageError, match=r"exercises/barriers/left.txt .* so nothing was published"):
        publish(root, tmp_path / "public")
    assert published(tmp_path / "public") == before


def test_a_folder_with_something_else_is_left_alone(root: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    for target, why in ((tmp_path / "mine", "holds something else"), (root / "public", "in the course's folder")):
        with pytest.raises(UsageError, match=why):
            publish(root, target)
    with pytest.raises(UsageError, match="or holds it"):
        publish(root, tmp_path)
    shutil.rmtree(root / ".git")
    with pytest.raises(UsageError, match="is not in git"):
        publish(root, tmp_path / "public")
    (root / "_config.yml").write_text((ROOT / "_config.yml").read_text())
    with pytest.raises(UsageError, match="names no owner yet"):
        publish(root, tmp_path / "public")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder away")
def test_a_course_that_another_user_owns_says_how_to_trust_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    for path in (root, root / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(UsageError, match="another user owns: run `git config --global --add safe") as e:
        publish(root, tmp_path / "public")
    subprocess.run(str(e.value).split("`")[1], shell=True, check=True)
    assert publish(root, tmp_path / "public") > 1


def test_the_courses_own_seed_reaches_the_gradebook_and_nobody_else(tmp_path: Path) -> None:
    course = Course(tmp_path)
    notebook = source_notebook()
    hidden = next(cell for cell in notebook.cells if "BEGIN HIDDEN TESTS" in cell.source)
    call = '# hidden_cases("first", seed=1)'
    hidden.source = hidden.source.replace("### END HIDDEN TESTS", f"{call}\n### END HIDDEN TESTS")
    course.add("words", "one", notebook)
    (course.root / "hidden_seed.txt").write_text(SEED)
    course.nbgrader(("generate_assignment", "words"))
    with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        stored = "".join(source or "" for (source,) in gradebook.execute("SELECT source FROM source_cell"))
    assert f'hidden_cases("first", seed={SEED})' in stored and call not in stored
    assert SEED not in (course.root / "exercises" / "words" / "one.ipynb").read_text()


@pytest.mark.parametrize("text", ["", "0", "12345", "-123456", "1e9", "123456 7", "1" * 32])
def test_a_seed_that_is_none_is_told(root: Path, tmp_path: Path, text: str) -> None:
    (root / "hidden_seed.txt").write_text(text)
    with pytest.raises(UsageError, match=r"hidden_seed.txt must hold one integer of 6 to 31 digits"):
        publish(root, tmp_path / "public")
