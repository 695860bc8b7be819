"""Which run of the tests notices a line of ours that is broken at random?

    .venv/bin/python tests/break_at_random.py COUNT SEED

Run it in a clone of its own, set up and with nothing uncommitted: it breaks one place of it after the other, COUNT
places, drawn with SEED, as many in each of the emulator, the compiler, the checks and the grading. For each it runs
the tests of its room, then `make test`'s, then `make test-all`'s, until one fails, and prints the place, what it broke,
which run noticed it and by which test. It takes one to ten minutes for a place on two cores. What no run notices is a
gap, or a change that makes no difference: look at it.
"""

from __future__ import annotations

import ast
import random
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Where to break, and the tests that stand nearest.
PLACES = {
    "autograder/cuda/emulator": ("tests/cuda/backends",),
    "autograder/cuda/compiler": ("tests/cuda/compiler", "tests/cuda/backends"),
    "autograder/exercises/checks": ("tests/exercises/checks", "tests/exercises"),
    "autograder/classroom": ("tests/classroom",),
}
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+"}
PYTHON_SWAPS = SWAPS | {"and": "or", "or": "and", "in": "not in", "True": "False", "False": "True"}
CPP_SWAPS = SWAPS | {"&&": "||", "||": "&&", "true": "false", "false": "true"}
#: Operators with a space on either side, so that neither templates nor signs are taken for them; and the two words.
CPP_TOKEN = re.compile(r"(?<= )(?:<=|>=|==|!=|&&|\|\||[<>+-])(?= )|\b(?:true|false)\b")
SHOWN = 60


@dataclass(frozen=True)
class Break:
    """`old` at `column` of `line` (both from 0) of the file `path` becomes `new`."""

    path: str
    line: int
    column: int
    old: str
    new: str


def breaks_of(path: Path) -> Iterator[Break]:
    """Every place of a Python or C++ file that an operator can break."""
    name = str(path.relative_to(ROOT))
    if path.suffix == ".py":
        with path.open("rb") as file:
            for token in tokenize.tokenize(file.readline):
                new = PYTHON_SWAPS.get(token.string)
                if new is None and token.type == tokenize.NUMBER and token.string.isdigit():
                    new = str(int(token.string) + 1)
                if new is not None and token.type in (tokenize.OP, tokenize.NAME, tokenize.NUMBER):
                    yield Break(name, token.start[0] - 1, token.start[1], token.string, new)
        return
    for number, line in enumerate(path.read_text().splitlines()):
        code = line.split("//")[0]
        if not code.lstrip().startswith("#") and '"' not in code:
            for found in CPP_TOKEN.finditer(code):
                yield Break(name, number, found.start(), found[0], CPP_SWAPS[found[0]])


def broken(text: str, place: Break) -> str:
    lines = text.splitlines(keepends=True)
    line = lines[place.line]
    assert line[place.column :].startswith(place.old)
    lines[place.line] = line[: place.column] + place.new + line[place.column + len(place.old) :]
    return "".join(lines)


def draw(count: int, seed: int) -> Iterator[Break]:
    chance = random.Random(seed)
    for room in PLACES:
        files = sorted(p for p in (ROOT / room).rglob("*") if p.suffix in (".py", ".h", ".cpp"))
        candidates = []
        for place in (place for file in files for place in breaks_of(file)):
            if place.path.endswith(".py"):
                try:
                    ast.parse(broken((ROOT / place.path).read_text(), place))
                except SyntaxError:  # `for x not in y`
                    continue
            candidates.append(place)
        yield from chance.sample(candidates, count // len(PLACES))


def first_failure(*arguments: str) -> str:
    """The first test that fails, or what else pytest ends with; empty if all pass."""
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "-p", "no:cacheprovider"]
    ran = subprocess.run([*pytest, *arguments], cwd=ROOT, capture_output=True, text=True)
    if ran.returncode == 0:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", ran.stdout, re.MULTILINE)
    return failed[1] if failed else f"pytest ends with {ran.returncode}"


def noticed_by(place: Break) -> str:
    (nearest,) = (tests for room, tests in PLACES.items() if place.path.startswith(room + "/"))
    whole = ("--nbval", "--nbval-sanitize-with", "tests/nbval_sanitize.cfg", "tests", "solutions")
    for run, arguments in {"its room": nearest, "make test": whole, "make test-all": ("--all", *whole)}.items():
        if failed := first_failure(*arguments):
            return f"{run}: {failed}"
    return "no run"


def main() -> None:
    count, seed = map(int, sys.argv[1:])
    if subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, check=True).stdout:
        sys.exit("Commit your changes first: this breaks files, and puts them back as git has them.")
    for place in draw(count, seed):
        file = ROOT / place.path
        whole = file.read_text()
        what = whole.splitlines()[place.line].strip()[:SHOWN]
        print(f"{place.path}:{place.line + 1}: {place.old} -> {place.new} in `{what}`", flush=True)
        file.write_text(broken(whole, place))
        try:
            print("   ", noticed_by(place), flush=True)
        finally:
            file.write_text(whole)


if __name__ == "__main__":
    main()
