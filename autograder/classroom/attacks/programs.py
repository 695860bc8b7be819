"""What a whole program could try that an answer is: `program.cu`, which does it by these names."""

from __future__ import annotations

from pathlib import Path

from . import Attack

PROGRAM = Path(__file__).parent / "program.cu"
_NAMES = (
    *("writes a file", "writes a file by the old call", "empties a file", "makes a file"),
    *("makes a file without a name", "removes a file", "moves a file", "links a file", "makes a folder"),
    *("opens a file for all", "makes a process", "makes a thread", "makes a socket"),
    "starts a shell",  # last, since nothing of the program is left then
)
#: What gets through where there is no sandbox.
PROGRAMS = tuple(Attack(name, "", ("kept in",)) for name in _NAMES)
