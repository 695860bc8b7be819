"""Outlines of lessons: what a deck shows of a chapter, in which order, and how long each part takes.

The outline of a chapter is `book/slides/<chapter>.md`. Its first paragraph is the chapter's idea; then come parts, with
their minutes in a lesson of 50 and in one of 90, and below each part its slides:

    # Why threads wait | 6 | 10

    ## Nothing says which thread runs first
    show: barriers-figure
    - A thread that wants another thread's value must know that the value is there.
    question: What does thread 0 read if warp 1 comes late?
    What the speaker says or does, in paragraphs of one line.

`show:` names what the chapter's page shows (`pieces`), `exercise:` an exercise to do in class. A part with 0 minutes is
left out of the shorter lesson.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

#: The lengths of the two lessons, in minutes.
LESSONS = (50, 90)
FOLDER = Path(__file__).resolve().parents[2] / "slides"
_PART = re.compile(r"# (.+) \| (\d+) \| (\d+)")
_FIELDS = ("show", "question", "exercise")


@dataclass
class Slide:
    """A slide: its title, its lines, and what it shows, asks, or sets as an exercise, each empty if it has none."""

    title: str
    lines: list[str] = field(default_factory=list)
    show: str = ""
    question: str = ""
    exercise: str = ""
    notes: list[str] = field(default_factory=list)


@dataclass
class Part:
    """A part of a lesson: its title, its minutes in each of `LESSONS`, and its slides."""

    title: str
    minutes: tuple[int, int]
    slides: list[Slide] = field(default_factory=list)


@dataclass
class Outline:
    """The outline of a chapter's lessons. `idea` is the chapter in a sentence or two."""

    idea: str
    parts: list[Part]

    def numbered(self) -> Iterator[tuple[Part, list[int]]]:
        """The parts, each with the numbers of its slides in the deck, whose first is the title's."""
        number = 2
        for part in self.parts:
            yield part, list(range(number, number + len(part.slides)))
            number += len(part.slides)


def read_outline(chapter: str) -> Outline:
    """Return the outline of the chapter with this key.

    Raises:
        ValueError: a line that is none of an outline's, or minutes that do not add up to the lessons'.
    """
    path = FOLDER / f"{chapter}.md"
    outline = Outline("", [])
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not _add(outline, line):
            raise ValueError(f"{path}:{number}: a slide comes after a part, such as '# Title | 5 | 9': {line}")
    for lesson, length in enumerate(LESSONS):
        total = sum(part.minutes[lesson] for part in outline.parts)
        if total != length:
            raise ValueError(f"{path}: the parts of the lesson of {length} minutes take {total}: change their minutes")
    return outline


def _add(outline: Outline, line: str) -> bool:
    """Add a line to the outline; return whether it fits there."""
    if part := _PART.fullmatch(line):
        outline.parts.append(Part(part[1], (int(part[2]), int(part[3]))))
        return True
    if line.startswith("# "):
        return False
    if not outline.parts:
        outline.idea = f"{outline.idea} {line}".strip()
        return not line.startswith("## ")
    slides = outline.parts[-1].slides
    if line.startswith("## "):
        slides.append(Slide(line.removeprefix("## ")))
        return True
    if not slides:
        return False
    name, colon, rest = line.partition(": ")
    if colon and name in _FIELDS:
        setattr(slides[-1], name, rest)
    elif line.startswith("- "):
        slides[-1].lines.append(line.removeprefix("- "))
    else:
        slides[-1].notes.append(line)
    return True
