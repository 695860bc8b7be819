"""Texts: kernels of tests/cuda/kernels and hostile ones, with their tokens exchanged and their statements mixed. Each
is refused, or runs and is stopped by a hook; none gets out of hand, and none is a fault of ours."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from fuzz_target import EDGES, end_of, launch
from test_corpus import Header, read_header

from autograder.classroom.attacks import accesses, prelude, texts
from autograder.cuda.backends import emulator
from autograder.cuda.compiler.machine_code import Build
from autograder.cuda.errors import UsageError

_TOKEN = re.compile(r"//[^\n]*|\s+|\"(?:\\.|[^\"\\\n])*\"|\w+|::|->|<<|>>|[-+*/%&|^=<>!]=?|.", re.DOTALL)
_STATEMENT = re.compile(r"[^;{}]*[;{}]")


@dataclass(frozen=True, eq=False)
class Base:
    """A kernel that compiles, or nearly."""

    text: str
    header: Header

    def run(self, text: str, build: Build) -> str:
        """How a text in its place ends."""
        emulator.OPTIMIZE_THREADS = 0 if build is Build.OPTIMIZED else 1 << 30
        at = self.header
        args = [value.copy() for value in at.args.values()]
        try:
            return end_of(launch(text, at.kernel, at.grid, at.block, args, at.shared_mem))
        except UsageError:
            return "refused"


def hostile_bases() -> list[Base]:
    """Kernels with accesses that their hooks refuse: where a hook is missing, the processor does."""
    header = Header("k", (1,), (1,), 0, {"out": np.zeros(64, np.float32)}, (), (), ())
    return [Base(attack.text, header) for attack in (*accesses.MEMORY, *accesses.SPELLINGS, *prelude.USED)]


def bases() -> list[Base]:
    """The kernels of tests/cuda/kernels with small launches."""
    paths = sorted((Path(__file__).parents[1] / "cuda" / "kernels").glob("*/*.cu"))
    found = [Base(path.read_text(), read_header(path.read_text())) for path in paths]
    return [base for base in found if sum(value.nbytes for value in base.header.args.values()) < 1 << 20]


class Texts:
    shown = ""

    def __init__(self, seed: int, folder: Path) -> None:
        self._bases = bases()
        hostile = (
            *accesses.MEMORY,
            *accesses.SPELLINGS,
            *accesses.JUMPS,
            *accesses.COPIES,
            *prelude.USED,
            *texts.LANGUAGE,
        )
        bodies = [attack.text.split("{", 1)[-1] for attack in hostile]
        self._statements = [item for body in bodies for item in _STATEMENT.findall(body)]
        self._words = [word for base in self._bases for word in _TOKEN.findall(base.text) if word.strip()]

    def case(self, chance: random.Random) -> str:
        base = chance.choice(self._bases)
        head = "".join(line for line in base.text.splitlines(keepends=True) if line.startswith("//"))
        tokens = _TOKEN.findall(base.text[len(head) :])
        for _ in range(chance.choice((1, 1, 2, 3, 6))):
            self._change(tokens, chance)
        self.shown = head + "".join(tokens)
        return base.run(self.shown, chance.choice((Build.PLAIN, Build.OPTIMIZED)))

    def _change(self, tokens: list[str], chance: random.Random) -> None:
        at = chance.randrange(len(tokens))
        match chance.randrange(8):
            case 0:
                del tokens[at : at + chance.randrange(1, 5)]
            case 1:
                tokens[at:at] = tokens[at : at + chance.randrange(1, 30)]
            case 2:
                tokens[at] = chance.choice(tokens)
            case 3:
                tokens[at] = chance.choice(self._words)
            case 4 | 5:  # a number
                numbers = [n for n, token in enumerate(tokens) if token.isdigit()] or [at]
                tokens[chance.choice(numbers)] = str(chance.choice(EDGES))
            case _:  # a hostile statement after one of the text's
                ends = [n for n, token in enumerate(tokens) if token in (";", "{")] or [at]
                tokens.insert(chance.choice(ends) + 1, f" {chance.choice(self._statements)} ")
