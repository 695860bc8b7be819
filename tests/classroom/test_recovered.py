"""Answers that stand where they should not: used where that is unmistakable, and else told to a person."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode
from small_course import Notebook
from submitted_notebooks import STUB, answers, cell_of, grade

from autograder.classroom.submission import cells, folder
from autograder.classroom.submission.cells import Cell
from autograder.classroom.submission.exercise import Exercise
from autograder.classroom.submission.folder import SubmittedFolder
from autograder.classroom.submission.notes import NoteKind, read_notes
from autograder.classroom.submission.texts import MAX_ANSWER_BYTES

KERNEL = '__global__ void first(int* out)\n{\n    // } in a comment, "{" in a text\n    out[threadIdx.x] = 1;\n}'
HEAD, TAIL = KERNEL.rsplit("\n", 2)[0], "\n".join(KERNEL.rsplit("\n", 2)[1:])


def original(source: str, **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source, **more}


def put_below(submitted: Notebook, *cells: dict[str, Any]) -> None:
    at = next(i for i, cell in enumerate(submitted["cells"]) if cell["id"] == "answer-first")
    submitted["cells"][at + 1 : at + 1] = list(cells)


@pytest.mark.parametrize("how", ["new cells", "copies of the cell"])
def test_a_cell_split_in_three_is_one_answer(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, how: str
) -> None:
    cell = cell_of(submitted, "answer-first")
    metadata = cell["metadata"] if how == "copies of the cell" else {}
    cell["source"] = f"%%cuda first\n{HEAD}"
    put_below(submitted, original("    // more", metadata=metadata, id="a"), original(TAIL, metadata=metadata, id="b"))
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert answers(notebook)[0] == f"{HEAD}\n    // more\n{TAIL}"
    assert kinds == [NoteKind.RECOVERED] and "stood in 3 cells" in text


def test_what_does_not_close_is_not_joined_but_told(
    released: NotebookNode, submitted: Notebook, tmp_path: Path
) -> None:
    cell_of(submitted, "answer-first")["source"] = f"%%cuda first\n{HEAD}"
    put_below(submitted, original("__shared__ int tile[4];"), original("more {"))
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert answers(notebook)[0] == HEAD
    assert kinds == [NoteKind.MISPLACED] and "breaks off, but cell 4 of the notebook holds CUDA" in text


def test_what_is_joined_is_no_longer_than_an_answer_may_be(
    released: NotebookNode, submitted: Notebook, tmp_path: Path
) -> None:
    cell_of(submitted, "answer-first")["source"] = f"%%cuda first\n{HEAD}"
    long = "// x\n" * (MAX_ANSWER_BYTES // 10)
    put_below(submitted, original(long), original(long), original(TAIL))
    notebook, _, _ = grade(released, tmp_path, submitted)
    assert answers(notebook)[0] == HEAD


def test_no_text_takes_time_that_grows_with_its_square(
    released: NotebookNode, submitted: Notebook, tmp_path: Path
) -> None:
    """Each of these once took several times the processor time that is allowed here."""
    begun = time.process_time()
    cell_of(submitted, "answer-first")["source"] = "__global__ void __launch_bounds__(" * 20_000
    grade(released, tmp_path, submitted)
    cell_of(submitted, "answer-first")["source"] = "%%cuda first\nright {"
    put_below(submitted, *(original("int a; " + "x" * 2000) for _ in range(500)))
    grade(released, tmp_path, submitted)
    assert time.process_time() - begun < 3


def test_a_file_beside_is_read_once_for_all_answers_and_exercises(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []
    whole = cells.read_cells

    def read_cells(path: Path) -> tuple[Cell, ...]:
        read.append(path)
        return whole(path)

    monkeypatch.setattr(folder, "read_cells", read_cells)
    (tmp_path / "one.ipynb").write_text(nbformat.writes(released))
    (tmp_path / "two.ipynb").write_text(json.dumps(submitted))
    other = json.loads(json.dumps(released).replace("%%cuda ", "%%cuda other_"))
    exercises = {"one": Exercise(released), "two": Exercise(nbformat.from_dict(other))}
    notebook = SubmittedFolder(tmp_path, exercises).rebuild("one")
    assert answers(notebook) == ["right first", "right second"]
    assert [path.name for path in read] == ["one.ipynb", "two.ipynb"]
    submission = SubmittedFolder(tmp_path, {name: Exercise(released) for name in ("three", "four", "five")})
    for name in ("three", "four", "five"):
        submission.rebuild(name)
    assert sorted(path.name for path in read[2:]) == [
        "five.ipynb",
        "four.ipynb",
        "one.ipynb",
        "three.ipynb",
        "two.ipynb",
    ]


def test_cuda_in_a_cell_of_ones_own_is_told_where_the_answer_is_empty(
    released: NotebookNode, submitted: Notebook, tmp_path: Path
) -> None:
    cell_of(submitted, "answer-first")["source"] = f"%%cuda first\n{STUB}"
    put_below(submitted, original(KERNEL.replace("first", "mine")), original("x = 1"))
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert answers(notebook)[0] == STUB
    assert kinds == [NoteKind.MISPLACED] and "Nothing else to do" not in text


def test_scratch_beside_a_whole_answer_is_scratch(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    put_below(submitted, original(KERNEL.replace("first", "mine")))
    _, kinds, _ = grade(released, tmp_path, submitted)
    assert kinds == [NoteKind.ADDED_CELLS]


def test_an_answer_in_a_cell_of_ones_own_with_its_first_line_counts_and_is_told(
    released: NotebookNode, submitted: Notebook, tmp_path: Path
) -> None:
    cell_of(submitted, "answer-first")["source"] = f"%%cuda first\n{STUB}"
    put_below(submitted, original("%%cuda first\nright first"))
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"] and kinds == [NoteKind.RECOVERED]
    assert "The answer below '%%cuda first' stood in another cell than the answer cell" in text


def test_two_answers_in_one_cell(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    submitted["cells"].remove(cell_of(submitted, "answer-second"))
    cell_of(submitted, "answer-first")["source"] = "%%cuda first\nright first\n%%cuda  second\nright second"
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"] and kinds == []


def test_a_kernel_of_the_stubs_name_is_known_without_ids_and_first_line(
    released: NotebookNode, submitted: Notebook, tmp_path: Path
) -> None:
    released.cells[2].source = "%%cuda first\n__global__ void first(int* out)\n{\n    // YOUR CODE HERE\n}"
    cell_of(submitted, "answer-first")["source"] = KERNEL
    for cell in submitted["cells"]:
        del cell["id"]
        cell["metadata"] = {}
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook)[0] == KERNEL and kinds == [NoteKind.RECOVERED]
    submitted["cells"].append(original(KERNEL.replace("= 1", "= 2")))  # which of the two?
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert "YOUR CODE" in answers(notebook)[0] and NoteKind.NO_ANSWER in kinds and NoteKind.MISPLACED in kinds


@pytest.mark.parametrize("there", [True, False])
def test_an_answer_in_another_exercises_notebook(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, there: bool
) -> None:
    """`two` has both answers of `item` at its end; `three`'s answers begin as one's do, so nothing is taken from it."""
    other = nbformat.from_dict(json.loads(json.dumps(released).replace("%%cuda ", "%%cuda other_")))
    two = json.loads(json.dumps(other))
    two["cells"] += [original("%%cuda first\nright first"), original(f"%%cuda second\n{STUB}")]
    (tmp_path / "two.ipynb").write_text(json.dumps(two))
    (tmp_path / "three.ipynb").write_text(json.dumps(submitted).replace("right second", "wrong second"))
    if there:
        cell_of(submitted, "answer-first")["source"] = f"%%cuda first\n{STUB}"
        (tmp_path / "one.ipynb").write_text(json.dumps(submitted))
    exercises = {"one": Exercise(released), "two": Exercise(other), "three": Exercise(released)}
    notebook = SubmittedFolder(tmp_path, exercises).rebuild("one")
    assert answers(notebook) == ["right first", "right second" if there else STUB]
    assert "The answer to '%%cuda first' stood in two.ipynb" in read_notes(notebook)[0].text
    shutil.copy(tmp_path / "two.ipynb", tmp_path / "four.ipynb")
    (tmp_path / "four.ipynb").write_text((tmp_path / "four.ipynb").read_text().replace("right first", "left first"))
    notebook = SubmittedFolder(tmp_path, {**exercises, "four": Exercise(other)}).rebuild("one")
    assert answers(notebook)[0] == STUB  # two that differ
