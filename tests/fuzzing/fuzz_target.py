"""What the targets of the fuzzer share: numbers at the edge of something, and what a launch must never end as."""

from __future__ import annotations

import os
import platform
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol
from unittest import mock

import numpy as np

from autograder.cuda.backends import emulation, emulator
from autograder.cuda.compiler import zig
from autograder.cuda.core import answer
from autograder.cuda.core.findings import Crash
from autograder.cuda.core.records import Answer
from autograder.cuda.core.run import Run
from autograder.cuda.kernel import Kernel

#: Numbers at the edge of a width, of a page, of a warp, of a stack.
EDGES = (0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 64, 127, 128, 255, 256, 1023, 1024, 4095, 4096, 65535, 65536, -1, -2,
         -8, -4096, 2**31 - 1, -(2**31), 2**32 - 1, 2**32, 2**62, 2**63 - 1, -(2**63), 0x123456789000)  # fmt: skip
#: How a launch ends when the kernel did what no hook has allowed: by a fault of the processor, or a system call.
#: Whatever a hook refuses ends as something else.
ESCAPES = ("wild pointer", "system call")
#: Why an answer may be refused: a module that nobody compiled tells a hook the wrong place. For all else, as for a
#: process that is gone, the kernel must have had its own way.
WRONG_PLACE = "there is no site"


class Target(Protocol):
    """One wall, and random attempts on it; the seed chooses what they are made from.
    `folder` is for files."""

    #: The input of the last case, for people.
    shown: str

    def __init__(self, seed: int, folder: Path) -> None: ...

    def case(self, chance: random.Random) -> str:
        """Make one attempt; returns how it ended, in a word, and raises anything if it must not end so."""
        ...


def machine() -> str:
    """The processor, in a word or two."""
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return f"{found[1] if found else platform.machine()}, {os.cpu_count()} cores"


def launch(
    text: str,
    name: str,
    grid: Sequence[int],
    block: Sequence[int],
    args: Sequence[np.ndarray | np.generic],
    shared: int,
) -> Run:
    """Emulate once, with limits for the impatient; raises `AssertionError` for an escape, and if the arguments, which
    are this process's own, have changed."""
    emulator.IDLE_SECONDS, emulator.MEMORY, zig.COMPILE_SECONDS = 1, 64 << 20, 5
    before = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
    refused: list[str] = []

    def broken_answer() -> Answer:
        refused.append(str(sys.exception()))
        return answer.broken_answer()

    with mock.patch.object(emulation, "broken_answer", broken_answer):
        done = emulator.run(Kernel(text, name).prepare(grid, block, args, shared), cpu_seconds=2, max_steps=200_000)
    assert all(why.startswith(WRONG_PLACE) for why in refused), refused
    for arg, was in zip(args, before, strict=True):
        assert not isinstance(arg, np.ndarray) or arg.tobytes() == np.asarray(was).tobytes(), "an argument has changed"
    for finding in done.findings:
        assert not isinstance(finding, Crash) or finding.reason not in ESCAPES, finding
    return done


def end_of(done: Run) -> str:
    """How a launch ended, in a word."""
    return "clean" if done.completed and not done.findings else str(done.findings[-1].kind)


def changed(value: Any, chance: random.Random) -> Any:
    """`value` with one thing in it exchanged, however deep."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        return {**value, key: changed(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        return [*value[:at], changed(value[at], chance), *value[at + 1 :]]
    others: list[Any] = [None, True, "", "x" * 50, "own:1:1", "\0", 1.5, float("nan"), [], {}, [value], [value] * 3]
    return chance.choice([*others, {"kind": "Trap"}, *chance.sample(EDGES, 12)])


def spoiled(text: bytes, chance: random.Random) -> bytes:
    """`text` with a few bytes exchanged, put in or left out; or other bytes altogether."""
    mixed = bytearray(text)
    for _ in range(chance.choice((1, 2, 8))):
        at = chance.randrange(len(mixed) + 1)
        mixed[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
    return bytes(mixed) if chance.random() < 0.9 else chance.randbytes(chance.randrange(200))
