"""cuda/backends/node_process.py in a page: runs one launch in the page's worker, and reads its answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import page_host
from pyodide.ffi import run_sync, to_js

from autograder.cuda.backends.emulator_reply import read_reply
from autograder.cuda.core.records import Answer


class File:
    """Bytes that the worker keeps: only those that were written."""

    def __init__(self, name: str, size: int) -> None:
        self.file = page_host.file(size)

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def read(self, start: int, size: int) -> bytes:
        return bytes(self.file.read(start, size).to_bytes()) if size else b""

    def write(self, start: int, content: bytes) -> None:
        self.file.write(start, to_js(content))


def exchange(
    program: Sequence[str], module: Path, request: bytes, arena: File, events: File, patience: float = 1.0
) -> Answer | None:
    """Return the answer to `request`, as the native engine does; None if the fast path requires a full check."""
    done = run_sync(page_host.launch(str(module), to_js(module.read_bytes()), to_js(request), arena.file, events.file))
    return read_reply(done.status, done.said, done.answer.encode)
