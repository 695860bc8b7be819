"""Draw the `Level`s side by side: in each, A to the left of C and B above it, as in every picture of a product."""

from __future__ import annotations

from collections.abc import Sequence

from .levels import Level, Part
from .svg import frame, legend, ranges, rect, text, verdict, words_table

_WIDTH, _HEAD, _GAP, _SIDE = 142, 56, 8, 88


def figure(levels: Sequence[Level], name: str) -> str:
    """Return the drawings, their table, the result and the legend, as HTML. `name` is unique on the page."""
    drawings = "".join(
        frame(
            f"{name}-{number}",
            f"Level {number}: what {level.who} has of {', '.join(part.array for part in level.parts)}",
            describe(level),
            _HEAD + _across(level)[1] + _GAP + _SIDE + 2,
            _level(level, number),
            width=_WIDTH,
        )
        for number, level in enumerate(levels, 1)
    )
    rows = [(level.who, *(f"{len(part.touched)} of {part.array}" for part in level.parts)) for level in levels]
    table = words_table(("level", "reads", "reads", "writes"), rows, "A product's data at four levels")
    keys = [("read", "read"), ("write", "written in the end"), ("still", "the whole matrix, or the block's tile of it")]
    return f'<div class="kf-pair">{drawings}</div>{table}{verdict(summary(levels))}{legend(keys)}'


def summary(levels: Sequence[Level]) -> str:
    """For how much of C what is read serves, at each level but the first, in a sentence."""
    names = ("the block", *(level.who for level in levels[2:]))
    each = (
        f"{len(level.a.touched) + len(level.b.touched)} for {len(level.c.touched)} by {name}"
        for name, level in zip(names, levels[1:], strict=True)
    )
    return f"Elements read in {levels[1].who}, for elements of {levels[0].c.array}: {', '.join(each)}."


def describe(level: Level) -> str:
    """Return what the drawing of a level shows, in words, for those who cannot see it."""
    a, b, c = (_places(part) for part in level.parts)
    return f"{level.who[:1].upper()}{level.who[1:]}, {level.memory}: reads {a} and {b}; writes {c}."


def _places(part: Part) -> str:
    columns = part.shape[1]
    rows, cols = {index // columns for index in part.touched}, {index % columns for index in part.touched}
    return f"rows {ranges(sorted(rows))} and columns {ranges(sorted(cols))} of {part.array}"


def _across(level: Level) -> tuple[float, float]:
    """Return the width of A and the height of B, where C is as high as `_SIDE`."""
    cell = _SIDE / level.c.shape[0]
    return level.a.shape[1] * cell, level.b.shape[0] * cell


def _level(level: Level, number: int) -> str:
    cell = _SIDE / level.c.shape[0]
    wide, high = _across(level)
    left = (_WIDTH - wide - _GAP - _SIDE) / 2
    x, y = left + wide + _GAP, _HEAD + high + _GAP
    out = [text("kf-label", 0, 12, f"{number}. {level.who}"), text("kf-small", 0, 27, level.memory)]
    for part, px, py, kind in (
        (level.a, left, y, "read"),
        (level.b, x, _HEAD, "read"),
        (level.c, x, y, "write"),
    ):
        rows, columns = part.shape
        out += [
            rect(f"kf-{kind}", px + index % columns * cell, py + index // columns * cell, cell, cell)
            for index in part.touched
        ]
        out.append(rect("kf-still", px, py, columns * cell, rows * cell))
    # A tile is called after its matrix: tile_A.
    out += [text("kf-mono", left, y - 4, level.a.array[-1:]), text("kf-mono", x, _HEAD - 4, level.b.array[-1:])]
    return "".join(out)
