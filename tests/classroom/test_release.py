"""`exercises/` is what generation gives, and files that differ are named."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import nbclient
import nbformat
import pytest
from small_course import ROOT, Course, source_notebook

from autograder import cli
from autograder.cuda.errors import UsageError
from autograder.exercises.authoring.preprocessors import LOAD
from autograder.exercises.authoring.release import _differences, check_release, release
from autograder.exercises.authoring.repository import LINKING, NOT_SET, archive_address, owner_problem


def test_release_and_check(course: Course) -> None:
    course.add("words", "one", source_notebook())
    assert release(course.root) == ("exercises/words/one.ipynb is missing",)
    path = course.root / "exercises" / "words" / "one.ipynb"
    path.write_text(path.read_text().replace("An exercise", "An edited exercise"))
    (expected,) = check_release(course.root)
    assert expected == "exercises/words/one.ipynb differs from what solutions/words/one.ipynb gives"
    assert not (course.root / "gradebook.db").exists()


def test_an_answer_cell_without_its_magic_is_refused(course: Course) -> None:
    notebook = source_notebook()
    notebook.cells[2].source = notebook.cells[2].source.replace("%%cuda first", "%%bash")
    course.add("words", "one", notebook)
    with pytest.raises(UsageError, match=r"solutions/words/one\.ipynb: answer cell 'answer-first' must begin"):
        release(course.root)


@pytest.mark.rare
def test_the_cell_that_loads_the_course_also_installs_it(course: Course) -> None:
    notebook = source_notebook()
    notebook.cells[1].source = LOAD
    course.add("words", "one", notebook)
    release(course.root)
    title, setup, answer, *_ = course.released("words", "one")["cells"]
    lines = setup["source"]
    assert lines[-1] == LOAD
    assert f'COURSE = "{archive_address(course.root)}"\n' in lines
    assert setup["metadata"]["nbgrader"]["checksum"]
    assert "tags" not in title["metadata"] and "tags" not in answer["metadata"]
    assert check_release(course.root) == ()
    (course.root / "_config.yml").write_text("repository: {url: https://github.com/some/one, branch: other}")
    (line,) = check_release(course.root)
    assert line.startswith("exercises/words/one.ipynb differs")


@pytest.mark.rare
def test_a_released_notebook_runs_on_behind_a_test_that_fails(course: Course) -> None:
    notebook = source_notebook()
    tests = [cell for cell in notebook.cells if cell.id.startswith("test-")]
    tests[1].metadata["tags"] = ["mine"]
    course.add("words", "one", notebook)
    release(course.root)
    path = course.root / "exercises" / "words" / "one.ipynb"
    released = nbformat.read(path, as_version=4)
    tags = {cell.id: cell.metadata["tags"] for cell in released.cells if "tags" in cell.metadata}
    assert tags == {"test-first": ["raises-exception"], "test-second": ["mine", "raises-exception"]}
    nbclient.NotebookClient(released).execute()
    outputs = {cell.id: [out.output_type for out in cell.outputs] for cell in released.cells if cell.id in tags}
    assert outputs == {"test-first": ["display_data", "error"], "test-second": ["display_data"]}


def test_a_course_without_an_address_is_not_released(course: Course) -> None:
    course.add("words", "one", source_notebook())
    (course.root / "_config.yml").unlink()
    with pytest.raises(UsageError, match=r"_config\.yml does not say where"):
        release(course.root)


@pytest.mark.rare
def test_one_command_changes_all_that_follows_from_the_address(
    course: Course, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook = source_notebook()
    notebook.cells[1].source = LOAD
    course.add("words", "one", notebook)
    for name in (*LINKING, "_config.yml"):
        (course.root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, course.root / name)
    monkeypatch.chdir(course.root)
    assert cli.main(["release"]) == 0
    assert (
        capsys.readouterr().out
        == f"fixed: exercises/words/one.ipynb is missing\n1 file changed.\n{owner_problem(course.root)}\n"
    )

    config = course.root / "_config.yml"
    config.write_text(config.read_text().replace(NOT_SET, "some-one").replace("branch: main", "branch: trunk"))
    assert owner_problem(course.root) is None
    reported = [f"{name} links to another repository than _config.yml names" for name in LINKING]
    reported.insert(0, "exercises/words/one.ipynb differs from what solutions/words/one.ipynb gives")
    assert list(check_release(course.root)) == reported
    assert cli.main(["release"]) == 0
    fixed = [f"fixed: {line}" for line in reported]
    assert capsys.readouterr().out.splitlines() == [*fixed, f"{len(reported)} files changed."]
    assert check_release(course.root) == ()
    for name in LINKING:
        text = (course.root / name).read_text()
        assert NOT_SET not in text and "https://github.com/some-one/cooperating-threads" in text
    project = tomllib.loads((course.root / "pyproject.toml").read_text())["project"]
    assert project["urls"]["Documentation"] == "https://some-one.github.io/cooperating-threads"
    released = (course.root / "exercises" / "words" / "one.ipynb").read_text()
    assert "https://github.com/some-one/cooperating-threads/archive/refs/heads/trunk.zip" in released


def test_nothing_to_release(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no notebooks"):
        release(tmp_path)


def test_differences(tmp_path: Path) -> None:
    wanted, found = tmp_path / "wanted", tmp_path / "found"
    for folder, files in ((wanted, {"same": "1", "other": "1", "new": "1"}), (found, {"same": "1", "other": "2"})):
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text)
    (found / "stale").write_text("1")
    (found / ".ipynb_checkpoints").mkdir()
    (found / ".ipynb_checkpoints" / "x").write_text("1")
    assert _differences(wanted, found) == (
        "exercises/new is missing",
        "exercises/other differs from what solutions/other gives",
        "exercises/stale has no source in solutions/",
    )
