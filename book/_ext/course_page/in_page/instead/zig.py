"""cuda/compiler/zig.py in a page: runs the compiler's programs, which are WebAssembly, in the page's worker."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import page_host
from pyodide.ffi import run_sync, to_js

WHEEL = ""
COMPILE_SECONDS = 15
TOOK_TOO_LONG: tuple[int, ...] = ()
WROTE_TOO_MUCH: tuple[int, ...] = ()
BROKE_DOWN: tuple[int, ...] = (70, 134)


def problem() -> str | None:
    """Nothing is in the way: the page does not start Python where something is."""
    return None


def run(
    command: Sequence[str | Path], folder: Path, env: dict[str, str] | None = None, seconds: int = COMPILE_SECONDS
) -> subprocess.CompletedProcess[str]:
    """Run `command` on the files of `folder` that it names; it leaves others there. It may take as long as it does. All
    that it prints is one text."""
    words = [str(word).removeprefix(f"{folder}/") for word in command[1:]]
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.name in words and path.is_file()}
    done = run_sync(page_host.compile(to_js(words), to_js(files)))
    if done.made is not None:
        (folder / words[words.index("-o") + 1]).write_bytes(done.made.to_bytes())
    return subprocess.CompletedProcess(command, done.status, done.log, done.log)


def require_share(status: int, folder: Path) -> None:
    """A page sets no limits."""


def executable() -> Path:
    """All programs are parts of one."""
    return Path("llvm")
