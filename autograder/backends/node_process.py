"""Runs one launch in Node, in a process of its own: on any system, since all that it shares with us are files in a
temporary folder."""

from __future__ import annotations

import os
import struct
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ..compiler.cache import workplace
from ..core.protocol import CONSTANTS, Record
from ..errors import GraderFault
from .emulator_process import WALL_SECONDS
from .emulator_reply import read_reply

#: Before each part of a file that Node reads or writes: where it begins, and its bytes. As in emulator/host/node.mjs.
_PART = struct.Struct("<QQ")
#: Without it, no program starts on Windows.
_NEEDED = ("SYSTEMROOT",)


class File:
    """`size` bytes, of which only those that were written are kept, by where they begin: an arena is mostly gaps."""

    def __init__(self, name: str, size: int) -> None:
        self.name, self.size = name, size
        self._parts: dict[int, bytes] = {}

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: object) -> None:
        self._parts.clear()

    def read(self, start: int, size: int) -> bytes:
        """The bytes from `start` on, all of which were written at once; none if they were not."""
        for at, part in self._parts.items():
            if at <= start and start + size <= at + len(part):
                return part[start - at : start - at + size]
        return b""

    def write(self, start: int, content: bytes) -> None:
        self._parts[start] = content

    def save(self, folder: Path) -> Path:
        """Write the file that Node reads."""
        path = folder / self.name
        with path.open("wb") as file:
            file.write(struct.pack("<Q", self.size))
            for start, part in self._parts.items():
                file.write(_PART.pack(start, len(part)))
                file.write(part)
        return path

    def load(self, path: Path) -> None:
        """Take what Node has written behind it."""
        content = path.read_bytes()
        at = 8
        while at < len(content):
            start, size = _PART.unpack_from(content, at)
            at += _PART.size + size
            self._parts[start] = content[at - size : at]


def ask(program: Sequence[str], module: Path, request: bytes, arena: File, events: File) -> Record | None:
    """As `emulator_process.ask`, where `program` is Node with the host, and `module` a WebAssembly module."""
    with workplace() as folder:
        asked, answer = folder / "request", folder / "answer"
        asked.write_bytes(request)
        files = [file.save(folder) for file in (arena, events)]
        try:
            done = subprocess.run(
                [*program, module, asked, *files, answer],
                cwd=folder,
                env={name: os.environ[name] for name in _NEEDED if name in os.environ},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=WALL_SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise GraderFault(f"The emulator did not answer within {WALL_SECONDS} seconds: run this again.") from None
        for file, path in zip((arena, events), files, strict=True):
            file.load(path)
        return read_reply(done.returncode, done.stderr.decode(errors="replace").strip(), partial(_beginning, answer))


def _beginning(answer: Path) -> bytes:
    with answer.open("rb") as file:
        return file.read(CONSTANTS["MAX_ANSWER"])
