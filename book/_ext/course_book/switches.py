"""Lines of a kernel that a reader can switch off, and the emulator's result for every combination.

A page lists the switches below its `kernel-switches`, each by a line with its name, which follows
"without" in a sentence; then what is removed, and what replaces it:

    barrier 1
    - // barrier 1:
    the guard
    - if (i < n)
    + if (true)

The text after `-` is a line of the kernel, or a part that only one line has. Without a `+` the whole
line is removed. A switch may have several such pairs. Lines stay where they are and keep their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, product
from typing import Any

from autograder.cuda.core.run import Run

from . import cached_runs
from .kernels import BookKernel

#: More would be too many combinations to run, and for a reader to try.
MOST = 4


@dataclass(frozen=True)
class Switch:
    """`lines` maps a line's number, from 1, to its text when the switch is off."""

    name: str
    lines: dict[int, str]


@dataclass(frozen=True)
class Outcome:
    """The result of a run without some of the lines; `off` are the switches, `source` what was run."""

    off: tuple[Switch, ...]
    source: str
    run: Run


def parse(kernel: BookKernel, content: Sequence[str]) -> tuple[Switch, ...]:
    """Return the switches that a page lists.

    Raises:
        ValueError: something cannot be read, or a line does not exist; a sentence says what.
    """
    texts = kernel.source.splitlines()
    switches: list[Switch] = []
    line = 0
    for row in content:
        sign, _, words = row.partition(" ")
        if not row.strip():
            continue
        if sign not in ("-", "+"):
            switches.append(Switch(row.strip(), {}))
            line = 0
        elif not switches:
            raise ValueError(f"'{row}' belongs to no switch: the first line is a switch's name.")
        elif sign == "-":
            line = _find(kernel, words)
            part = words
            if any(line in switch.lines for switch in switches):
                raise ValueError(f"line {line} of {kernel.file} is changed twice: a line has one switch.")
            switches[-1].lines[line] = ""
        elif not line:
            raise ValueError(f"'{row}' must follow a line with '-', which says what it replaces.")
        else:
            switches[-1].lines[line] = texts[line - 1].replace(part, words, 1)
            line = 0
    if not 1 <= len(switches) <= MOST:
        raise ValueError(f"it has {len(switches)} switches: name 1 to {MOST}.")
    for switch in switches:
        if not switch.lines:
            raise ValueError(f"the switch '{switch.name}' changes nothing: add a line '- what goes'.")
    return tuple(switches)


def _find(kernel: BookKernel, words: str) -> int:
    """Return the number of the line that equals `words`, or else of the one that contains it."""
    texts = kernel.source.splitlines()
    found = [number for number, text in enumerate(texts, 1) if text.strip() == words.strip()]
    found = found or [number for number, text in enumerate(texts, 1) if words in text]
    if len(found) != 1:
        raise ValueError(f"'{words}' stands in {len(found)} lines of {kernel.file}, not in one.")
    return found[0]


def changed(source: str, off: Sequence[Switch]) -> str:
    """Return the kernel's text with these switches off; every line keeps its number."""
    lines = source.splitlines(keepends=True)
    for switch in off:
        for number, text in switch.lines.items():
            lines[number - 1] = text + "\n"
    return "".join(lines)


def run_all(kernel: BookKernel, switches: Sequence[Switch], how: dict[str, Any], *, trace: bool) -> list[Outcome]:
    """Return every combination on the emulator: first the whole kernel; number 1 is without the first switch, number 2
    without the second, number 3 without both, and so on by the bits."""
    outcomes = []
    for bits in product((False, True), repeat=len(switches)):
        off = tuple(compress(switches, reversed(bits)))
        source = changed(kernel.source, off)
        run = cached_runs.emulate(source, kernel.name, **how, trace=trace)
        outcomes.append(Outcome(off, source, run))
    return outcomes
