"""The files that the programs started by a command open or look for, by strace."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

#: A path among a system call's arguments, perhaps after the folder that it is relative to.
_PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<(?P<folder>[^>]*)>, )?"(?P<path>(?:[^"\\]|\\.)*)"')
_EXECUTED = re.compile(r'execve(?:at)?\((?P<path>"(?:[^"\\]|\\.)*"), \[(?P<words>.*)\], 0x.*= 0$')
_FORKED = re.compile(r"(?:clone3?|v?fork)\(.* = (?P<child>\d+)$")
_CHANGED = re.compile(r'chdir\("(?P<path>(?:[^"\\]|\\.)*)"\) += 0$')


@dataclass(frozen=True)
class Program:
    """A program that was executed: its path and arguments, and the absolute paths that it named to Linux."""

    words: tuple[str, ...]
    paths: set[str] = field(default_factory=set)


@cache
def no_strace() -> str:
    """Why nothing can be traced here, in a sentence; empty if it can."""
    if shutil.which("strace") is None:
        return "strace is not installed."
    tried = subprocess.run(["strace", "-f", "-o", "/dev/null", "true"], capture_output=True, text=True)
    return f"strace cannot trace here: {tried.stderr.strip()[-200:]}." if tried.returncode else ""


def trace(command: Sequence[str | Path], folder: Path, env: Mapping[str, str]) -> list[Program]:
    """Run `command`, which must succeed, and return all programs that it and its children executed. The new folder
    `folder` gets strace's output."""
    folder.mkdir()
    strace: list[str | Path] = [
        "strace",
        "-ff",
        "-qq",
        "-y",
        "-s",
        "65536",
        "-e",
        "trace=%file,%process",
        "-o",
        folder / "of",
    ]
    done = subprocess.run([*strace, *command], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found: list[Program] = []
    children = {match["child"] for file in folder.iterdir() for match in map(_FORKED.match, _lines(file)) if match}
    for first in folder.iterdir():
        if first.suffix[1:] not in children:
            _follow(folder, first.suffix[1:], Program(("",)), os.getcwd(), found)
    return found


def _follow(folder: Path, process: str, program: Program, current: str, found: list[Program]) -> None:
    """Read what a process, or thread, did: at first, it runs `program` in the folder `current`."""
    for line in _lines(folder / f"of.{process}"):
        if executed := _EXECUTED.match(line):
            words = [_text(match["path"]) for match in _PATH.finditer(executed["words"])]
            program = Program((_text(executed["path"][1:-1]), *words[1:]))
            found.append(program)
        elif forked := _FORKED.match(line):
            _follow(folder, forked["child"], program, current, found)
        elif not line.startswith("execve"):
            for match in _PATH.finditer(line):
                place = os.path.join(current, _text(match["folder"] or ""), _text(match["path"]))
                program.paths.add(os.path.normpath(place))
            if changed := _CHANGED.match(line):
                current = os.path.join(current, _text(changed["path"]))


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8", errors="replace").splitlines()


def _text(escaped: str) -> str:
    content: bytes = ast.literal_eval(f'b"{escaped}"')
    return content.decode(errors="replace")
