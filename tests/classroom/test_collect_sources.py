"""What is handed in with too many outputs, or as a file that is no notebook: nothing that is an answer is left."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import inputs
import nbformat
import pytest
from lms_files import DAY, NOON, listed, notebook, packed, put, submitted

from autograder.classroom.classroom import Classroom
from autograder.classroom.collecting.collect import collect, lines_of
from autograder.classroom.collecting.outputs import without_outputs
from autograder.classroom.submission.plain_files import MAX_FILE_BYTES, UnreadableError

pytestmark = inputs.grading

KERNEL = "// my kernel\n__global__ void first(int* out)\n{\n    *out = 1;\n}\n"


def with_outputs(raw: bytes, output: dict[str, Any], number: int = 1) -> bytes:
    found = json.loads(raw)
    for cell in found["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [output] * number
    return json.dumps(found).encode()


@pytest.mark.sampled(among="inside")
@pytest.mark.parametrize("how", ["large", "many"])
@pytest.mark.parametrize("inside", [True, False])
def test_outputs_count_towards_no_limit(room: Classroom, tmp_path: Path, how: str, inside: bool) -> None:
    plain = notebook(room)
    large = {"output_type": "stream", "name": "stdout", "text": 'x\\"]}' + "y" * (MAX_FILE_BYTES // 3)}
    many = {"output_type": "display_data", "metadata": {}, "data": {"a/json": [[{}]] * 20_000}}
    raw = with_outputs(plain, large if how == "large" else many, 1 if how == "large" else 5)
    assert len(raw) > MAX_FILE_BYTES or raw.count(b"[") > 300_000
    name = "Ada Lovelace_1_assignsubmission_file/one.ipynb"
    path = put(tmp_path, "all.zip", packed((name, raw))) if inside else put(tmp_path / "down", name, raw).parents[1]
    done = collect(room, "words", [path])
    assert not done.left and done.new == [("ada", "one")]
    stored = submitted(room)["ada/words/one.ipynb"]
    assert json.loads(stored) == json.loads(with_outputs(plain, {}, 0)) and len(stored) < 10_000
    assert collect(room, "words", [path]).unchanged == [("ada", "one")]


def test_a_notebook_that_is_too_large_by_itself_is_left(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "ada/one.ipynb", notebook(room, text="x" * MAX_FILE_BYTES))
    (left,) = collect(room, "words", [tmp_path / "down"]).left
    assert "a notebook at most 20 MB without its outputs, and 200 MB with them" in left.why


def test_only_what_has_the_key_is_left_out() -> None:
    text = 'said "outputs": [1] and \\'
    cells: list[dict[str, Any]] = [
        {"source": [text, "outputs"], "outputs": [{"a": "]", "b": ["\\", '"']}], "attachments": {"x": {"y": "}"}}},
        {"source": "outputs", "metadata": {"widgets": {}, "outputs": 3}, "outputs": []},
    ]
    assert json.loads(without_outputs(json.dumps({"cells": cells}).encode())) == {
        "cells": [{**cells[0], "outputs": [], "attachments": {}}, cells[1]]
    }


@pytest.mark.sampled()
@pytest.mark.parametrize(
    "raw",
    [b'{"outputs": [' + b"[" * 6_000_000, b'""' * 6_000_000, b'{"outputs": [{"a": "', b'{"outputs": [1', b'{"a'],
)
def test_what_is_cut_off_or_takes_too_long_is_told_soon(raw: bytes) -> None:
    before = time.process_time()
    with pytest.raises(UnreadableError):
        without_outputs(raw)
    assert time.process_time() - before < 20


def with_kernel(room: Classroom) -> Classroom:
    """Where `item` has one kernel to write."""
    path = room.root / "exercises" / "words" / "one.ipynb"
    found = nbformat.read(path, as_version=4)
    (first,) = (cell for cell in found.cells if cell.source.startswith("%%cuda first"))
    first.source = "%%cuda first\n__global__ void first(int* out)\n{\n    // YOUR CODE HERE\n}"
    found.cells = [cell for cell in found.cells if not cell.source.startswith("%%cuda second")]
    nbformat.write(found, path)
    return room


@pytest.fixture
def room(lms_room: Classroom) -> Classroom:
    return with_kernel(lms_room)


def answer_of(room: Classroom, student: str = "ada") -> str:
    found = json.loads(submitted(room)[f"{student}/words/one.ipynb"])
    (cell,) = (cell for cell in found["cells"] if "".join(cell["source"]).startswith("%%cuda first\n"))
    return "".join(cell["source"]).partition("\n")[2]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ada/one.cu", KERNEL),
        ("lovelaceada_101_7001_one-1.cu", KERNEL),
        ("ada/one.txt", f"%%cuda  first\n{KERNEL}"),
        ("ada.zip/one.cu", KERNEL),
    ],
)
def test_a_file_with_the_exercises_name_and_kernel_is_its_answer(
    room: Classroom, tmp_path: Path, name: str, text: str
) -> None:
    archive, _, inner = name.partition(".zip/")
    if inner:
        put(tmp_path / "down", f"{archive}.zip", packed((inner, text.encode())))
    else:
        put(tmp_path / "down", name, text.encode())
    done = collect(room, "words", [tmp_path / "down"])
    assert done.new == [("ada", "one")] and not done.left and not done.others and not done.reported
    assert answer_of(room) == KERNEL
    assert f"note: Ada Lovelace (ada): {name} is collected as one.ipynb, of which it has the kernel." in lines_of(done)
    assert collect(room, "words", [tmp_path / "down"]).unchanged == [("ada", "one")] and not listed(room)


def test_a_later_file_replaces_it_and_so_does_a_notebook(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "ada/one.cu", KERNEL.encode())
    collect(room, "words", [tmp_path / "down"])
    put(tmp_path / "then", "ada/one.cu", KERNEL.replace("= 1", "= 2").encode(), NOON + DAY)
    assert collect(room, "words", [tmp_path / "then"]).replaced and "= 2" in answer_of(room)
    put(tmp_path / "last", "ada/one.ipynb", notebook(room, text="right"), NOON + 2 * DAY)
    assert collect(room, "words", [tmp_path / "last"]).replaced and answer_of(room) == "right"
    collect(room, "words", [tmp_path / "then"])
    assert answer_of(room) == "right"


@pytest.mark.parametrize(
    "files",
    [
        {"one.cu": KERNEL.replace("first", "mine")},  # another kernel
        {"mine.cu": KERNEL},
        {"two.cu": KERNEL},  # where several answers are asked for
        {"one.cu": KERNEL, "one.txt": KERNEL.replace("= 1", "= 2")},
        {"one.cu": KERNEL + "\xff"},
        {"one.cu": KERNEL + " " * 70_000},
        {"one.pdf": KERNEL},
    ],
)
def test_where_there_is_doubt_nothing_is_taken(room: Classroom, tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        put(tmp_path / "down", f"ada/{name}", text.encode("latin-1"))
    done = collect(room, "words", [tmp_path / "down"])
    assert not submitted(room) and "handed in no notebook" in done.left[0].why


def test_a_file_beside_the_notebook_is_none(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "ada/one.ipynb", notebook(room, text="right"))
    put(tmp_path / "down", "ada/one.cu", KERNEL.encode(), NOON + DAY)
    done = collect(room, "words", [tmp_path / "down"])
    assert answer_of(room) == "right" and [name for name, _ in done.others] == ["one.cu"]
