"""Answers that came as a file of their own, such as `saxpy.cu`, and not in a notebook: each is put into one, where it
is unmistakable."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ...exercises.notebook.answer_cells import slots
from ..submission.plain_files import MAX_FILE_BYTES, UnreadableError, read_plain
from ..submission.submission import kernels_in
from .roster import exercise_named

#: In the metadata of a notebook that was made here: the name of the file.
_MADE_FROM = "made_from"


def notebook_of(name: str, source: bytes, released: Mapping[str, NotebookNode]) -> tuple[str, bytes] | None:
    """The exercise that the file called `name` answers, and its notebook with that answer; None where anything is in
    doubt. The name must hold the exercise's, which has one kernel to write, and the file must define that kernel."""
    exercise = exercise_named(Path(name).stem, released)
    try:
        text = source.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None
    if exercise is None:
        return None
    answered = [slot for slot in slots(released[exercise]) if slot.magic.startswith("%%cuda ")]
    wanted = kernels_in(answered[0].stub) if len(answered) == 1 else set()
    if not wanted or not wanted <= kernels_in(text):
        return None
    slot = answered[0]
    lines = text.split("\n")
    body = "\n".join(lines[1:]) if " ".join(lines[0].split()) == slot.magic else text
    notebook = nbformat.from_dict(released[exercise])
    notebook.cells[slot.index].source = f"{slot.magic}\n{body}"
    notebook.metadata[_MADE_FROM] = name
    return exercise, nbformat.writes(notebook).encode()


def is_free_for_one(path: Path) -> bool:
    """Whether at `path`, below `submitted/`, there is nothing, or a notebook that was made from a file."""
    try:
        return f'"{_MADE_FROM}"'.encode() in read_plain(path, MAX_FILE_BYTES)
    except UnreadableError:
        return not os.path.lexists(path)
