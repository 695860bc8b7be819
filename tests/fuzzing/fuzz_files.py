"""Notebooks and archives: broken, mixed and random ones. Each is read, or refused in a sentence, and costs little."""

from __future__ import annotations

import io
import json
import random
import tracemalloc
import warnings
import zipfile
from pathlib import Path
from typing import Any

import nbformat
from fuzz_target import changed, spoiled

from autograder.classroom.collecting.downloads import read_downloads
from autograder.classroom.submission.cells import read_cells
from autograder.classroom.submission.exercise import Exercise
from autograder.classroom.submission.plain_files import UnreadableError
from autograder.classroom.submission.submission import Submission

_RELEASED = sorted((Path(__file__).parents[2] / "exercises").glob("*/*.ipynb"))
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_NAMES = ("one.ipynb", "../../one.ipynb", "ada/one.ipynb", "/etc/passwd", "a\\b.ipynb", "", "x" * 300, "\0.ipynb",
          "in.zip", "con.ipynb", "%s%n.ipynb", "\N{BELL}.ipynb", "a/" * 60 + "one.ipynb")  # fmt: skip


class Notebooks:
    shown = ""

    def __init__(self, seed: int, folder: Path) -> None:
        self._released = [nbformat.read(path, as_version=4) for path in _RELEASED[:8]]
        self._folder = folder

    def case(self, chance: random.Random) -> str:
        released = chance.choice(self._released)
        handed_in: Any = json.loads(json.dumps(released))
        for _ in range(chance.choice((1, 3, 10))):
            handed_in = changed(handed_in, chance)
        text = json.dumps(handed_in).encode()
        if chance.random() < 0.3:
            text = spoiled(text, chance)
        self.shown = repr(text)
        path = self._folder / "one.ipynb"
        path.write_bytes(text)
        try:
            cells = read_cells(path)
        except UnreadableError:
            return "refused"
        rebuilt, notes = Submission(Exercise(released), cells).rebuild()
        assert len(rebuilt.cells) == len(released.cells)
        for cell, was in zip(rebuilt.cells, released.cells, strict=True):
            flags = was.metadata.get("nbgrader", {})
            assert cell.metadata == was.metadata and cell.cell_type == was.cell_type
            assert flags.get("solution") or cell.source == was.source, "a cell that is no answer has changed"
            assert cell.source.split("\n")[0] == was.source.split("\n")[0]
        json.dumps([note.in_full for note in notes]).encode()
        return "taken with notes" if notes else "taken"


class Archives:
    shown = ""

    def __init__(self, seed: int, folder: Path) -> None:
        self._folder = folder

    def case(self, chance: random.Random) -> str:
        content = _archive(chance, 0)
        if chance.random() < 0.7:
            content = spoiled(content, chance)
        self.shown = content.hex()
        path = self._folder / "download.zip"
        path.write_bytes(content)
        tracemalloc.start()
        try:
            read = [item for _, files in read_downloads([path], self._folder) for item in files]
            assert tracemalloc.get_traced_memory()[1] < 500 << 20
        finally:
            tracemalloc.stop()
        return " and ".join(sorted({"unread" if item.trouble else "found" for item in read})) or "nothing"


def _archive(chance: random.Random, depth: int) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", chance.choice(_METHODS)) as archive:
        warnings.simplefilter("ignore")  # names that are there twice
        for n in range(chance.randrange(5)):
            name = chance.choice(_NAMES) if chance.random() < 0.8 else f"{n}/{chance.getrandbits(40)}.ipynb"
            inner = depth < 4 and chance.random() < 0.3
            content = _archive(chance, depth + 1) if inner else b"{}" * chance.choice((0, 1, 50, 5000))
            info = zipfile.ZipInfo(name.replace("\0", "0") if chance.random() < 0.5 else name)
            info.external_attr = chance.choice((0, 0o120777 << 16, 0o100644 << 16, 0o010644 << 16, 0x10))
            archive.writestr(info, content)
    return file.getvalue()
