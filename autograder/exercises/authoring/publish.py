"""The part of a course that students get, as a folder to push: exercises, package and licenses, with a page of links to
Colab; neither solutions nor hidden tests, mutants, rubrics, or the course's seed.

Only what git tracks is copied, so no class, gradebook or note of the instructor's slips in; and what was copied is
searched for the lines of every solution before anybody gets it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat

from ...cuda.errors import UsageError
from .leaks import every_solution_line, find_leaks
from .nbgrader_app import RELEASED, chapters
from .preprocessors import SEED_FILE, course_seed
from .repository import book_address, colab_address, owner_problem

#: What is published, below the course's root.
_PARTS = ("autograder", RELEASED, "LICENSES", "pyproject.toml", "CITATION.cff", "_config.yml", "_toc.yml", ".gitignore")
#: Says that a folder was made here, so that it may be made again.
_MARKER = ".published"
_README = """\
# {title}

Exercises on CUDA that check themselves, for the book at <{book}>. Each opens in Colab, and needs no GPU. On your own
machine (Linux, Python 3.11 or later): `python3 -m venv .venv`, `.venv/bin/pip install . jupyterlab`,
`.venv/bin/jupyter lab exercises`.

"""


def publish(root: Path, target: Path) -> int:
    """Make the folder `target` of the course at `root`, whole or not at all; return how many files it holds. A folder
    that was made here before is replaced, but for its `.git`.

    Raises:
        UsageError: the course names no repository or is not in git, `target` holds something else, or a file would
            give an answer away.
    """
    if problem := owner_problem(root):
        raise UsageError(problem)
    with replace_folder(root, target) as staged:
        for path in _tracked(root):
            (staged / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / path, staged / path)
        (staged / "README.md").write_text(_readme(root), encoding="utf-8")
        _search(root, staged)
        return sum(path.is_file() for path in staged.rglob("*"))


@contextmanager
def replace_folder(root: Path, target: Path) -> Iterator[Path]:
    """A folder to fill with what the course at `root` publishes, which then takes the place of `target`, whole or not
    at all. Of what was published there before, `.git` stays.

    Raises:
        UsageError: `target` holds something else.
    """
    target = target.resolve()
    if target.is_relative_to(root.resolve()) or root.resolve().is_relative_to(target):
        raise UsageError(f"{target} is in the course's folder, or holds it. Name a folder outside of it.")
    there = {path.name for path in target.iterdir()} if target.is_dir() else set()
    if there - {".git"} and _MARKER not in there:
        raise UsageError(f"{target} holds something else. Name a new folder, or an empty clone.")
    with TemporaryDirectory(prefix="autograder-") as name:
        staged = Path(name) / "published"
        staged.mkdir()
        (staged / _MARKER).write_text("Made by `autograder publish`, which replaces all of it.\n")
        yield staged
        for old in there - {".git"}:
            shutil.rmtree(target / old) if (target / old).is_dir() else (target / old).unlink()
        shutil.copytree(staged, target, dirs_exist_ok=True)


def _tracked(root: Path) -> list[Path]:
    """The files of `_PARTS` that git tracks, except for links.

    Raises:
        UsageError: git tracks none, or does not trust the folder.
    """
    command = ["git", "-C", str(root), "ls-files", "-z", "--", *_PARTS]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    names = [Path(name) for name in done.stdout.split("\0") if name]
    if "dubious ownership" in done.stderr:
        trust = f"git config --global --add safe.directory {shlex.quote(str(root))}"
        raise UsageError(f"git does not trust {root}, which another user owns: run `{trust}` if you do.")
    if done.returncode or not names:
        raise UsageError(f"{root} is not in git, which says what belongs to the course: run `git init` and `git add`.")
    return [name for name in names if (root / name).is_file() and not (root / name).is_symlink()]


def _readme(root: Path) -> str:
    text = _README.format(title=root.resolve().name, book=book_address(root))
    for chapter in chapters(root):
        text += f"\n## {chapter}\n\n"
        for path in sorted((root / RELEASED / chapter).glob("*.ipynb")):
            title = nbformat.read(path, as_version=4).cells[0].source.partition("\n")[0].lstrip("# ")
            text += (
                f"- [{title}]({path.relative_to(root)}) ([Colab]({colab_address(root, str(path.relative_to(root)))}))\n"
            )
    return text


def _search(root: Path, staged: Path) -> None:
    """Raises: UsageError: a file below `staged` gives something away."""
    files = sorted(path for path in staged.rglob("*") if path.is_file())
    if leaks := find_leaks(every_solution_line(root), files):
        path, line = leaks[0]
        raise UsageError(
            f"{path.relative_to(staged)} would give an answer away, so nothing was published: it holds '{line}', as a "
            f"solution does. Run `autograder release`, or take the line out. ({len(leaks)} such lines in all.)"
        )
    if (seed := course_seed(root)) and (holding := find_leaks({str(seed)}, files)):
        path = holding[0][0].relative_to(staged)
        raise UsageError(f"{path} holds the number in {SEED_FILE}, so nothing was published. Take it out.")
