"""Runs launches in Node: on any system, since all that it shares with us are files in a temporary folder, and lines
that name them."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from ..compiler.cache import workplace
from ..core.protocol import CONSTANTS
from ..core.records import Answer
from ..errors import GraderFault
from .emulator_process import WALL_SECONDS
from .emulator_reply import read_reply

#: Before each part of a file that Node reads or writes: where it begins, and its bytes. As in emulator/host/node.mjs.
_PART = struct.Struct("<QQ")
#: After that many launches a process makes room for a new one, which has none of the memory that this one keeps.
_MOST_LAUNCHES = 200
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

    def read(self, start: int, size: int) -> bytearray:
        """The bytes from `start` on, all of which were written at once; none if they were not."""
        for at, part in self._parts.items():
            if at <= start and start + size <= at + len(part):
                return bytearray(part[start - at : start - at + size])
        return bytearray()

    def write(self, start: int, content: bytes | memoryview) -> None:
        self._parts[start] = bytes(content)

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
        """Take what Node has written after it."""
        content = path.read_bytes()
        at = 8
        while at < len(content):
            start, size = _PART.unpack_from(content, at)
            at += _PART.size + size
            self._parts[start] = content[at - size : at]


class _Node:
    """A process of Node that runs one launch after another: to start one takes longer than most launches."""

    def __init__(self, program: Sequence[str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, encoding="utf-8",
            env={name: os.environ[name] for name in _NEEDED if name in os.environ}, cwd=tempfile.gettempdir(),
        )  # fmt: skip
        self.launches = 0

    def run(self, seconds: float, *files: Path) -> tuple[int, str]:
        """Run a launch, and return its `Status` and what it says, which it can only before it runs the kernel; or how
        Node ended, and its message.

        Raises:
            GraderFault: it did not end.
        """
        process, late = self._process, threading.Event()
        assert process.stdin is not None and process.stdout is not None

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            with suppress(BrokenPipeError):  # Node has ended
                names = [os.fsencode(file).decode(errors="replace") for file in files]
                print(json.dumps(names), file=process.stdin, flush=True)
            answer = process.stdout.readline()
        except BaseException:  # including an interrupt
            self.end()
            raise
        finally:
            timer.cancel()
        if answer:
            self.launches += 1
            reply = json.loads(answer)
            return reply["status"], reply["said"]
        status = process.wait()
        self._errors.seek(0)
        message = self._errors.read().decode(errors="replace").strip()
        self.end()
        if late.is_set():
            raise GraderFault(f"The emulator did not answer within {seconds:g} seconds: run this again.")
        return status, message

    def end(self) -> None:
        """Let it run no other launch."""
        self.launches = _MOST_LAUNCHES
        self._process.kill()
        self._process.communicate()
        self._errors.close()


#: Those that wait for a launch, by the command that started them.
_idle: dict[tuple[str, ...], list[_Node]] = {}
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # they answer to the process that started them


def exchange(
    program: Sequence[str], module: Path, request: bytes, arena: File, events: File, patience: float = 1.0
) -> Answer | None:
    """As `emulator_process.exchange`, where `program` is Node with the host, and `module` a WebAssembly module."""
    idle = _idle.setdefault(tuple(program), [])
    with workplace() as folder:
        request_file, answer = folder / "request", folder / "answer"
        request_file.write_bytes(request)
        files = [file.save(folder) for file in (arena, events)]
        try:
            node = idle.pop()
        except IndexError:
            node = _Node(program)
        status, message = node.run(WALL_SECONDS * patience, module, request_file, *files, answer)
        if node.launches < _MOST_LAUNCHES:
            idle.append(node)
        else:
            node.end()
        for file, path in zip((arena, events), files, strict=True):
            file.load(path)
        return read_reply(status, message, partial(_beginning, answer))


def _beginning(answer: Path) -> bytes:
    with answer.open("rb") as file:
        return file.read(CONSTANTS["MAX_ANSWER"])
