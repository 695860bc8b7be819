"""The kernels of the book: files that say how they are launched and what the emulator finds.

A file in book/kernels starts with two comment lines and an empty one; a page shows what follows.

    // finds: nothing; without barrier 1: Race
    // launch: grid=1, block=128, args=[ramp(128), empty(128), 32]

`without barrier 1` means: with the line that is marked `// barrier 1` blanked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograder import Kernel
from autograder.run import Run

FOLDER = Path(__file__).resolve().parents[2] / "kernels"
#: How many lines of a file a page does not show; `literalinclude` gets the rest by `:lines: 4-`.
HEADER_LINES = 3


def ramp(*shape: int) -> np.ndarray:
    """0, 1, 2, ... as float32 of this shape."""
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def empty(*shape: int) -> np.ndarray:
    """NaNs as float32 of this shape, so that an element which nobody writes shows."""
    return np.full(shape, np.nan, dtype=np.float32)


def empty_int(*shape: int) -> np.ndarray:
    """-1 as int32 of this shape."""
    return np.full(shape, -1, dtype=np.int32)


@dataclass(frozen=True)
class BookKernel:
    """One file. `source` is what a page shows, so its lines count as the reader sees them.

    `finds` maps which barrier is taken away (0: none) to the kind that the emulator must then
    find ("" for nothing).
    """

    file: str
    name: str
    source: str
    finds: dict[int, str]
    launch: dict[str, Any]

    def without(self, barrier: int) -> str:
        """The source with the line marked `// barrier <barrier>` emptied; 0 takes none away.

        Raises:
            ValueError: no line, or more than one, has this mark.
        """
        if not barrier:
            return self.source
        text, marks = re.subn(rf"^.*// barrier {barrier}:.*$", "", self.source, flags=re.MULTILINE)
        if marks != 1:
            raise ValueError(f"{self.file}: {marks} lines are marked '// barrier {barrier}:', not one")
        return text

    def emulate(self, without: int = 0, *, trace: bool = False) -> Run:
        """Run it on the emulator, as its launch line says."""
        return Kernel(self.without(without), self.name).emulate(**self.launch, trace=trace)


def read(file: str) -> BookKernel:
    """Read book/kernels/<file>.

    Raises:
        ValueError: the file does not start as it should, or holds no kernel.
        FileNotFoundError: there is none.
    """
    lines = (FOLDER / file).read_text().splitlines(keepends=True)
    head = re.fullmatch(r"// finds: (.*)\n// launch: (.*)\n\n", "".join(lines[:HEADER_LINES]))
    if not head:
        raise ValueError(f"{file} must start with '// finds: ...', '// launch: ...' and an empty line")
    source = "".join(lines[HEADER_LINES:])
    kernel = re.search(r"__global__\s+void\s+(\w+)", source)
    if not kernel:
        raise ValueError(f"{file} holds no __global__ function")
    # The files are the course's own, so their launch lines may be Python.
    words = {"ramp": ramp, "empty": empty, "empty_int": empty_int}
    launch = eval(f"dict({head[2]})", words)
    return BookKernel(file, kernel[1], source, _finds(file, head[1]), launch)


def _finds(file: str, text: str) -> dict[int, str]:
    finds = {}
    for part in text.split("; "):
        match = re.fullmatch(r"(?:without barrier (\d): )?(\w+)", part)
        if not match:
            raise ValueError(f"{file}: cannot read '{part}' in its first line")
        finds[int(match[1] or 0)] = "" if match[2] == "nothing" else match[2]
    return finds
