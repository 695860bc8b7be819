"""Draw up to three lines over one axis, from the rows of a file of book/data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil, log10

from .svg import frame, legend, line, n, text, words_table

#: As narrow as the other figures of measurements.
_WIDTH, _HEIGHT = 580, 330
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 12, 26, 44  # room for the larger letters of a phone, in course.css
#: How the lines look, in order: class, and key of the legend. A marked one has the color of a marked bar.
_LOOKS = (("kf-way-read", "read"), ("kf-way-write", "write"), ("kf-way-clash", "clash"))
_MARKED = _LOOKS[1]

#: Position along the axis, and height.
Place = tuple[float, float]


def figure(lines: Mapping[str, Sequence[Place]], below: str, beside: str, name: str, mark: str = "") -> str:
    """Return the drawing, its table and its legend, as HTML.

    Args:
        lines: the points of each line, by its label.
        below, beside: the labels of the axes.
        name: unique on the page.
        mark: the label of the line with which the others are compared.

    Raises:
        ValueError: there are more lines than looks.
    """
    if len(lines) > len(_LOOKS):
        raise ValueError(f"{len(lines)} lines are too many to be told apart")
    places = [place for points in lines.values() for place in points]
    low, high = min(x for x, _ in places), max(x for x, _ in places)
    top = max(y for _, y in places)
    up, across = _step(top), _step(high - low)
    top = up * ceil(top / up)

    def at(place: Place) -> Place:
        x, y = place
        return (
            _LEFT + (_WIDTH - _LEFT - _RIGHT) * (x - low) / (high - low),
            _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * y / top,
        )

    body = text("kf-small", 0, 14, beside) + text("kf-small", _WIDTH, _HEIGHT - 6, below, "end")
    for step in range(round(top / up) + 1):
        _, y = at((low, step * up))
        body += line("kf-still", _LEFT, y, _WIDTH - _RIGHT, y) + text(
            "kf-axis", _LEFT - 6, y + 3.5, n(step * up), "end"
        )
    for step in range(ceil(low / across), int(high / across) + 1):
        x, _ = at((step * across, 0))
        body += line("kf-still", x, _TOP, x, _HEIGHT - _BOTTOM)
        body += text("kf-axis", x, _HEIGHT - _BOTTOM + 16, n(step * across), "middle")
    others = iter(look for look in _LOOKS if mark not in lines or look != _MARKED)
    looks = [_MARKED if label == mark else next(others) for label in lines]
    for (look, _), points in zip(looks, lines.values(), strict=True):
        body += "".join(line(look, *at(a), *at(b)) for a, b in pairwise(points))
    title = f"Lines: {beside} by {below}"
    table = words_table(
        (below, "", beside), [(n(x), label, n(y)) for label, points in lines.items() for x, y in points], title
    )
    keys = [(key, label) for (_, key), label in zip(looks, lines, strict=True)]
    return frame(name, title, describe(lines, below, beside), _HEIGHT, body, width=_WIDTH) + table + legend(keys)


def describe(lines: Mapping[str, Sequence[Place]], below: str, beside: str) -> str:
    """Return what the drawing shows, in words, for those who cannot see it."""
    parts = []
    for label, points in lines.items():
        falls = sum(b < a for (_, a), (_, b) in pairwise(points))
        parts.append(
            f"{label}: {beside} {n(points[0][1])} at {below} {n(points[0][0])}, "
            f"{n(points[-1][1])} at {n(points[-1][0])}, at most {n(max(y for _, y in points))}; "
            f"it falls at {falls} of {len(points) - 1} steps."
        )
    return " ".join(parts)


def _step(span: float) -> float:
    """Return a round distance between grid lines, so that a span has three to seven."""
    power = 10.0 ** int(log10(span) // 1)
    return next(power * step for step in (0.2, 0.5, 1.0, 2.0) if span / (power * step) <= 7)
