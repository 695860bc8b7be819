"""Does an exercise run to its end on Colab, with only its notebook, and count when it is handed in?

This is tested as far as possible elsewhere: Colab's packages come from `.venv-colab` (see requirements-colab.txt), the
repository is a zip file on a local web server, and the notebook is alone in an empty folder.
"""

from __future__ import annotations

import copy
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import inputs
import nbformat
import pytest
import yaml
from nbgrader.utils import determine_grade, is_grade

from autograder.classroom.commands.sample_class import SampleExercise
from autograder.classroom.execution.local import execute
from autograder.classroom.execution.replay import replay, task_of
from autograder.classroom.submission.exercise import Exercise
from autograder.classroom.submission.folder import SubmittedFolder
from autograder.classroom.submission.notes import NoteKind, read_notes
from autograder.cuda.errors import UsageError
from autograder.exercises.authoring.preprocessors import LOAD
from autograder.exercises.authoring.release import release
from autograder.exercises.authoring.repository import LINKING, archive_address

ROOT = Path(__file__).parents[1]
COLAB = ROOT / ".venv-colab"
#: One with a kernel and its launch, and one that is also graded by speed.
EXERCISES = [("tiling", "gemm_tiled_any_size"), ("register_blocking", "gemm_1x2")]

pytestmark = [
    inputs.grading,
    pytest.mark.rare,
    pytest.mark.skipif(not (COLAB / "bin" / "python").exists(), reason="no .venv-colab"),
]

RUN = """\
import sys, nbclient, nbformat
notebook = nbformat.read(sys.argv[1], as_version=4)
nbclient.NotebookClient(notebook, allow_errors=True).execute()
nbformat.write(notebook, sys.argv[1])
"""


@dataclass(frozen=True)
class Environment:
    """A new virtual environment on top of Colab's packages; what is installed goes into `site`."""

    python: Path
    site: Path

    def call(self, *arguments: str | Path, cwd: Path) -> str:
        # Only what is installed: nothing from this checkout, and not the rest of this machine's settings for pip.
        here = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        command = [self.python, "-P", *arguments]
        done = subprocess.run(command, cwd=cwd, env=here, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def run(self, notebook: dict[str, Any], folder: Path) -> list[Any]:
        """Run `notebook`, alone in `folder`, and return its code cells."""
        path = folder / "notebook.ipynb"
        path.write_text(json.dumps(notebook))
        self.call("-c", RUN, path, cwd=folder)
        return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def make_environment(folder: Path) -> Environment:
    python = COLAB / "bin" / "python"
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (below,) = COLAB.glob("lib/python*/site-packages")
    (site / "colab.pth").write_text(f"{below}\n")
    return Environment(folder / "bin" / "python", site)


def tracked(folder: str) -> list[str]:
    """The files of `folder` that are in the repository, as they are now."""
    listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A course whose repository is a local web server, with its exercises released."""
    served = tmp_path_factory.mktemp("served")
    archive = served / "owner" / "name" / "archive" / "refs" / "heads" / "main.zip"
    archive.parent.mkdir(parents=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name in tracked("."):
            file.write(ROOT / name, f"name-main/{name}")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(served)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    root = tmp_path_factory.mktemp("course")
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    config["repository"]["url"] = f"http://127.0.0.1:{server.server_port}/owner/name"
    (root / "_config.yml").write_text(yaml.safe_dump(config))
    shutil.copy(ROOT / "nbgrader_config.py", root)
    for chapter, name in EXERCISES:
        (root / "solutions" / chapter).mkdir(parents=True)
        shutil.copy(ROOT / "solutions" / chapter / f"{name}.ipynb", root / "solutions" / chapter)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        release(root)
    yield root
    server.shutdown()
    thread.join()
    server.server_close()


def first_cell(course: Path) -> str:
    cells = SampleExercise(course, *EXERCISES[0]).released()["cells"]
    return next("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


@dataclass(frozen=True)
class Ready:
    """The environment after both notebooks were run in it, one after the other, with right answers."""

    environment: Environment
    cells: dict[str, list[Any]]
    saved: dict[str, Path]


@pytest.fixture(scope="module")
def ready(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Ready:
    environment = make_environment(tmp_path_factory.mktemp("environment"))
    done = Ready(environment, {}, {})
    for chapter, name in EXERCISES:
        alone = tmp_path_factory.mktemp("alone")
        done.cells[name] = environment.run(SampleExercise(course, chapter, name).solved(), alone)
        done.saved[name] = alone / "notebook.ipynb"
    return done


def texts_of(cells: list[Any]) -> list[str]:
    """What the cells print, and what passing checks show."""
    outputs = [out for cell in cells for out in cell.outputs]
    shown = [out.get("data", {}).get("text/plain") or (out.get("name") == "stdout" and out["text"]) for out in outputs]
    return [text for text in shown if text]


def test_a_notebook_alone_sets_itself_up_and_runs_to_its_end(ready: Ready) -> None:
    cells = ready.cells["gemm_tiled_any_size"]
    outputs = [out for cell in cells for out in cell.outputs]
    assert {out.output_type for out in outputs} == {"stream", "display_data"}, outputs  # and no error
    assert not [out for out in outputs if out.get("name") == "stderr"]
    first, *others = texts_of(cells)
    assert first.startswith("The course is set up, in ")
    assert sum(" cases, on the emulator" in text for text in others) >= 5
    installed = {path.name.partition("-")[0] for path in ready.environment.site.glob("*.dist-info")}
    assert installed == {"cooperating_threads", "ziglang"}, "what Colab has must stay as it is"
    print(first)


def test_what_is_installed_is_the_package_and_nothing_else_of_the_repository(ready: Ready) -> None:
    site = ready.environment.site
    there = {str(path.relative_to(site)) for path in (site / "autograder").rglob("*") if path.is_file()}
    assert {name for name in there if "__pycache__" not in name} == set(tracked("autograder"))
    folders = {path.name for path in site.iterdir() if not path.name.endswith((".dist-info", ".pth"))}
    assert folders == {"autograder", "ziglang"}


def test_where_the_course_is_installed_the_cell_is_silent_and_quick(ready: Ready) -> None:
    first = ready.cells["gemm_1x2"][0]
    assert LOAD in first.source and first.outputs == []
    times = first.metadata.execution
    start, end = (datetime.fromisoformat(times[f"iopub.status.{state}"]) for state in ("busy", "idle"))
    assert (end - start).total_seconds() < 5  # most of it imports numpy


def test_speed_is_not_graded_there_and_the_check_says_what_it_would_measure(ready: Ready) -> None:
    (text,) = (text for text in texts_of(ready.cells["gemm_1x2"]) if "speed not graded" in text)
    assert "as fast as one_element_each" in text
    assert "on one, launches of both are timed with M=" in text


def test_the_tests_of_notebooks_pass_with_what_colab_has(ready: Ready, tmp_path: Path) -> None:
    names = ["tests/exercises/notebook/test_magic.py", "tests/exercises/notebook/test_notebook_end_to_end.py"]
    environment = ready.environment
    cache = f"cache_dir={tmp_path}"  # a test that passes here has not passed with our own packages
    ours = ("-p", "no:course_fixtures", "-p", "no:book_fixtures")  # which need packages that these tests do not
    printed = environment.call("-m", "pytest", "-q", "-W", "default", *ours, "-o", cache, *names, cwd=ROOT)
    assert " passed" in printed
    assert environment.call("-c", "import IPython; print(IPython.__version__)", cwd=ROOT) == "7.34.0\n"


def notebook_of(*sources: str) -> dict[str, Any]:
    notebook: dict[str, Any] = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    return notebook


def test_where_it_cannot_be_set_up_one_sentence_says_why(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_RETRIES", "0")
    cell = first_cell(course)
    address = archive_address(course)
    old = "import sys\nsys.version_info = (3, 10, 12)\n"  # last: nothing else is run in this kernel
    sources = (
        cell.replace(address, "http://127.0.0.1:1/nobody.zip"),
        cell.replace(address, f"{address}.none"),
        "import platform\nplatform.machine = lambda: 'arm64'\n" + cell,
        old + cell,
    )
    environment = make_environment(tmp_path / "environment")
    cells = environment.run(notebook_of(*sources), tmp_path)
    shown = []
    for written in cells:
        (error,) = written.outputs
        assert (error.ename, len(error.traceback)) == ("SetUpFailed", 1)
        shown += error.traceback
    assert shown[0].startswith("The course could not be installed from http://127.0.0.1:1/nobody.zip: see that this")
    assert "Connection refused" in shown[0]
    assert "404" in shown[1]
    assert "on Linux x86_64, and this is Python 3." in shown[2] and "on Linux arm64: use Colab." in shown[2]
    assert "The course needs Python 3.11 or later" in shown[3]


def test_another_package_of_the_name_is_not_taken_for_the_course(ready: Ready, course: Path, tmp_path: Path) -> None:
    """If the course is missing, and if the other one was installed over it."""
    (course_info,) = ready.environment.site.glob("cooperating_threads-*.dist-info")
    for name, courses in (("alone", ()), ("over", (course_info,))):
        environment = make_environment(tmp_path / name)
        (environment.site / "autograder").mkdir()
        (environment.site / "autograder" / "__init__.py").touch()
        for info in courses:
            shutil.copytree(info, environment.site / info.name)
        (cell,) = environment.run(notebook_of(first_cell(course)), tmp_path)
        (error,) = cell.outputs
        assert error.traceback == [
            f"Another autograder than the course's is in the way, {environment.site}/autograder/__init__.py: rename "
            "it if it is yours, or else run `%pip uninstall -y autograder cooperating-threads`; restart the kernel "
            "and run this cell again."
        ]


def test_the_cell_looks_for_the_distribution_that_is_built() -> None:
    name = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["name"]
    text = (ROOT / "autograder" / "exercises" / "authoring" / "templates" / "setup_cell.py").read_text()
    assert f'importlib.metadata.distribution("{name}")' in text
    assert f"uninstall -y autograder {name}`" in re.sub(r'"\n +"', "", text)  # a sentence of several strings


def as_colab_saves(notebook: dict[str, Any]) -> dict[str, Any]:
    """A notebook after Colab: format 4.0, no ids, no nbgrader metadata; and after a student: cells in another order, a
    duplicated cell, and one more."""
    cells = []
    for number, cell in enumerate(copy.deepcopy(notebook["cells"])):
        cell.pop("id", None)
        cell["metadata"] = {"id": f"c{number:011d}"}
        if cell["cell_type"] == "code":
            cell["metadata"] |= {"colab": {"base_uri": "https://localhost:8080/"}, "outputId": f"o{number:011d}"}
        cells.append(cell)
        if "".join(cell["source"]).startswith("%%cuda"):
            cells.append(copy.deepcopy(cell))
    cells.insert(1, {"cell_type": "code", "metadata": {}, "source": "!nvidia-smi", "outputs": [], "execution_count": 9})
    cells.append(cells.pop(0))
    metadata = {
        "accelerator": "GPU",
        "colab": {"gpuType": "T4", "provenance": []},
        "kernelspec": {"display_name": "Python 3", "name": "python3"},
    }
    return {"nbformat": 4, "nbformat_minor": 0, "metadata": metadata, "cells": cells}


@pytest.mark.parametrize(("chapter", "name"), EXERCISES)
def test_what_colab_saves_is_graded_in_full(
    ready: Ready, course: Path, tmp_path: Path, chapter: str, name: str
) -> None:
    saved = json.loads(ready.saved[name].read_text())
    handed_in = tmp_path / f"{name}.ipynb"
    handed_in.write_text(json.dumps(as_colab_saves(saved)))
    released = nbformat.read(course / "exercises" / chapter / f"{name}.ipynb", as_version=4)
    graded = SubmittedFolder(tmp_path, {name: Exercise(released)}).rebuild(name)
    assert {note.kind for note in read_notes(graded)} == {NoteKind.ADDED_CELLS}  # the duplicated one
    replay(graded, execute(task_of(graded, name, 120)))
    setup = next(cell for cell in graded.cells if cell.cell_type == "code")
    assert setup.source == first_cell(course) and setup.outputs == []
    scores = [determine_grade(cell) for cell in graded.cells if is_grade(cell)]
    assert sum(score for score, _ in scores) == sum(most for _, most in scores) == 10


def test_the_address_comes_from_the_configuration_alone(tmp_path: Path) -> None:
    config = yaml.safe_load((ROOT / "_config.yml").read_text())["repository"]
    for path in (ROOT / "exercises").glob("*/*.ipynb"):
        assert f"{config['url']}/archive/refs/heads/{config['branch']}.zip" in path.read_text()
    others = [name for name in tracked(".") if not name.startswith("exercises/") and name != "_config.yml"]
    linking = [name for name in others if config["url"].encode() in (ROOT / name).read_bytes()]
    assert sorted(linking) == sorted(LINKING), "`autograder release` changes these"
    for text in ("title: no repository", "repository: none", "repository:\n  url: https://github.com/owner/name"):
        (tmp_path / "_config.yml").write_text(text)
        with pytest.raises(UsageError, match=r"_config\.yml does not say where .* `url:` .* and `branch:`"):
            archive_address(tmp_path)
