"""The kernels of the book: files that say how they are launched and what the emulator finds.

A file in book/kernels starts with two comment lines and an empty one; a page shows what follows.

    // finds: nothing; without barrier 1: Race
    // launch: grid=1, block=128, args=[ramp(128), empty(128), 32]

`without barrier 1` means: with the line marked `// barrier 1` blanked. If a kernel is to be launched with
several values, its second line says which; the first of them is `launch`:

    // launch: for stride in (1, 2, 32): grid=4, block=64, args=[ramp(8192), empty(256), stride]

For a template, the launch names the instance: `name="downsample<64, 4>", grid=...`.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograder.cuda.core.run import Counts, Run
from autograder.cuda.core.tensor_map import tensor_map

from . import cached_runs

FOLDER = Path(__file__).resolve().parents[2] / "kernels"
#: How many lines at the top of a file a page does not show.
HEADER_LINES = 3
#: The name of a kernel, where it is defined.
KERNEL = re.compile(r"__global__\s+void\s+(?:__cluster_dims__\([^)]*\)\s*)?(\w+)")


def ramp(*shape: int) -> np.ndarray:
    """0, 1, 2, ... as float32 of this shape."""
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def empty(*shape: int) -> np.ndarray:
    """NaNs as float32 of this shape, so that an element that nobody writes shows."""
    return np.full(shape, np.nan, dtype=np.float32)


def empty_int(*shape: int) -> np.ndarray:
    """-1 as int32 of this shape."""
    return np.full(shape, -1, dtype=np.int32)


def numbers(dtype: str, *shape: int) -> np.ndarray:
    """Integers from 0 to 99 of this shape, unordered, always the same ones."""
    return np.random.default_rng(1).integers(0, 100, shape).astype(dtype)


def normal(dtype: str, *shape: int) -> np.ndarray:
    """Normally distributed numbers of this shape, always the same ones."""
    return np.random.default_rng(4).standard_normal(shape).astype(dtype)


def zeros(dtype: str, *shape: int) -> np.ndarray:
    """Zeros of this shape."""
    return np.zeros(shape, dtype)


def shuffled(n: int) -> np.ndarray:
    """0 to n - 1 as int32, shuffled, always in the same way."""
    return np.random.default_rng(2).permutation(n).astype(np.int32)


def row_starts(rows: int) -> np.ndarray:
    """Where each row of a sparse matrix begins, and where the last one ends, as int32 of shape (rows + 1,);
    a row has 0 to 15 elements."""
    lengths = np.random.default_rng(3).integers(0, 16, rows)
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)


#: The names that a launch line may use besides Python's own.
WORDS = {
    word.__name__: word for word in (ramp, empty, empty_int, numbers, normal, zeros, shuffled, row_starts, tensor_map)
}


@dataclass(frozen=True)
class BookKernel:
    """One file. `source` is what a page shows, so its line numbers are those that the reader sees.

    `finds` maps the removed barrier (0: none) to the kind that the emulator must then find ("" for
    nothing). `launches` maps "stride=2", or "" if there is only one, to what `Kernel.emulate`
    takes.
    """

    file: str
    name: str
    source: str
    finds: dict[int, str]
    launches: dict[str, dict[str, Any]]

    @property
    def launch(self) -> dict[str, Any]:
        """The first of the launches."""
        return next(iter(self.launches.values()))

    def without(self, barrier: int) -> str:
        """Return the source with the line marked `// barrier <barrier>` or `// wait <barrier>` emptied; 0 removes none.

        Raises:
            ValueError: no line, or more than one, has this mark.
        """
        if not barrier:
            return self.source
        text, marks = re.subn(rf"^.*// (barrier|wait) {barrier}:.*$", "", self.source, flags=re.MULTILINE)
        if marks != 1:
            raise ValueError(f"{self.file}: {marks} lines are marked '// barrier {barrier}:', not one")
        return text

    def emulate(self, without: int = 0, *, trace: bool = False) -> Run:
        """Run it on the emulator, as its launch line says."""
        return cached_runs.emulate(self.without(without), self.name, **self.launch, trace=trace)


@functools.cache
def counts(file: str, without: int = 0, launch: str = "") -> Counts:
    """Return what the emulator counts for a launch of book/kernels/<file>.

    Raises:
        ValueError: the file has several launches, and none of this name.
    """
    kernel = read(file)
    launches = {"": kernel.launch, **kernel.launches}
    if launch not in launches:
        raise ValueError(f"{file} has no launch '{launch}'; it has {', '.join(kernel.launches)}")
    counted = cached_runs.emulate(kernel.without(without), kernel.name, **launches[launch]).counts
    assert counted is not None  # the emulator always counts
    return counted


def read(file: str) -> BookKernel:
    """Read book/kernels/<file>.

    Raises:
        ValueError: as `parse` says.
        FileNotFoundError: there is none.
    """
    return parse((FOLDER / file).read_text(), file)


def parse(text: str, file: str) -> BookKernel:
    """Return the kernel in the text of a file of this name.

    Raises:
        ValueError: the file does not start as it should, or holds no kernel.
    """
    lines = text.splitlines(keepends=True)
    head = re.fullmatch(r"// finds: (.*)\n// launch: (.*)\n\n", "".join(lines[:HEADER_LINES]))
    if not head:
        raise ValueError(f"{file} must start with '// finds: ...', '// launch: ...' and an empty line")
    source = "".join(lines[HEADER_LINES:])
    kernel = KERNEL.search(source)
    if not kernel:
        raise ValueError(f"{file} holds no __global__ function")
    launches = _launches(head[2])
    (name,) = {launch.pop("name", kernel[1]) for launch in launches.values()}
    return BookKernel(file, name, source, _finds(file, head[1]), launches)


def _launches(text: str) -> dict[str, dict[str, Any]]:
    # The files are the course's own, so their launch lines may be Python.
    sweep = re.fullmatch(r"for (\w+) in (.+?): (.+)", text)
    if not sweep:
        return {"": eval(f"dict({text})", WORDS)}
    name, values, launch = sweep.groups()
    return {f"{name}={value}": eval(f"dict({launch})", {**WORDS, name: value}) for value in eval(values)}


def _finds(file: str, text: str) -> dict[int, str]:
    finds = {}
    for part in text.split("; "):
        match = re.fullmatch(r"(?:without barrier (\d): )?(\w+)", part)
        if not match:
            raise ValueError(f"{file}: cannot read '{part}' in its first line")
        finds[int(match[1] or 0)] = "" if match[2] == "nothing" else match[2]
    return finds
