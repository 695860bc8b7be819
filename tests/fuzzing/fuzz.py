"""Throws random kernels, modules, answers, notebooks and archives at the walls around a verdict: `make fuzz`.

Each case is made from the seed, its target and its number alone, so it can be made again:

    PYTHONPATH=tests:tests/cuda/backends .venv/bin/python tests/fuzzing/fuzz.py --seed 3 --again modules:1234

What must hold is said with each target. A case for which it does not is kept in `_build/fuzz`, and the command fails.
`--record` adds the figures of the run to docs/fuzzing.md.

Plain random numbers, and no library: each case costs a compiler, and what guides a fuzzer by coverage would have to see
into clang, or into the emulator's process, which has closed its sandbox.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from datetime import date
from pathlib import Path

from fuzz_answers import Answers
from fuzz_files import Archives, Notebooks
from fuzz_kernels import Texts
from fuzz_modules import Modules
from fuzz_target import Target, machine

from autograder.cuda.compiler.cache import keep_apart

ROOT = Path(__file__).parents[2]
STORED, PAGE = ROOT / "_build" / "fuzz", ROOT / "docs" / "fuzzing.md"
#: The share of the time that each target gets.
SHARES: dict[type[Target], float] = {Texts: 0.4, Modules: 0.4, Answers: 0.05, Notebooks: 0.05, Archives: 0.1}


def run_case(target: Target, seed: int, number: int) -> str:
    """How case `number` of a target ended, in a word; "broken" with its input kept, if it must not end so."""
    name = type(target).__name__.lower()
    chance = random.Random(f"{seed} {name} {number}")
    try:
        return target.case(chance)
    except Exception:
        STORED.mkdir(parents=True, exist_ok=True)
        print(f"broken: --seed {seed} --again {name}:{number}", flush=True)
        (STORED / f"{seed}-{name}-{number}.txt").write_text(
            f"{traceback.format_exc()}\n{target.shown}", errors="replace"
        )
        return "broken"


def fuzz(seconds: float, seed: int) -> dict[str, Counter[str]]:
    """Run cases for so long; by target, how many ended in which way."""
    ends: dict[str, Counter[str]] = {}
    for kind, share in SHARES.items():
        found = ends[kind.__name__.lower()] = Counter()
        with tempfile.TemporaryDirectory(prefix="autograder-fuzz-") as folder:
            keep_apart(Path(folder))
            target, until, number = kind(seed, Path(folder)), time.monotonic() + seconds * share, 0
            while time.monotonic() < until:
                found[run_case(target, seed, number)] += 1
                number += 1
        message = ", ".join(f"{count} {end}" for end, count in found.most_common())
        print(f"{kind.__name__.lower()}: {found.total()} cases: {message}", flush=True)
    return ends


def record(ends: dict[str, Counter[str]], seconds: float, seed: int) -> None:
    """Add a row for each target to the page."""
    lines = PAGE.read_text().rstrip("\n").split("\n")
    for name, found in ends.items():
        message = ", ".join(f"{count:,} {end}" for end, count in found.most_common() if end != "broken")
        minutes = f"{seconds / 60:.0f} min"
        row = (date.today(), machine(), seed, minutes, name, f"{found.total():,}", message, found["broken"])
        lines.append(f"| {' | '.join(map(str, row))} |")
    PAGE.write_text("\n".join(lines) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="(default: the time)")
    parser.add_argument("--again", metavar="TARGET:NUMBER", help="run one case, and say how it ends")
    parser.add_argument("--record", action="store_true", help="add the figures to docs/fuzzing.md")
    options = parser.parse_args()
    if options.again:
        name, _, number = options.again.partition(":")
        kind = next(kind for kind in SHARES if kind.__name__.lower() == name)
        with tempfile.TemporaryDirectory() as folder:
            keep_apart(Path(folder))
            target = kind(options.seed, Path(folder))
            end = run_case(target, options.seed, int(number))
        print(target.shown, end, sep="\n")
        return int(end == "broken")
    print(f"seed {options.seed}", flush=True)
    ends = fuzz(options.minutes * 60, options.seed)
    if options.record:
        record(ends, options.minutes * 60, options.seed)
    broken = sum(found["broken"] for found in ends.values())
    if broken:
        print(f"{broken} must not end as they do: see {STORED}")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
