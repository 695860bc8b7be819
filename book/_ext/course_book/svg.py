"""The parts of every figure of a kernel: a frame, words for those who cannot see it, small shapes.

Sizes are pixels in a drawing of a given width. A narrow screen scrolls the drawing inside its own
figure. Colors are classes of book/_static/course.css, so light and dark need no second drawing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

#: The width of a drawing that uses the whole column.
WIDTH = 648
#: A longer table helps nobody who hears it read out.
_LONGEST_TABLE = 40

Rows = Sequence[Sequence[object]]


def frame(name: str, title: str, about: str, height: float, body: str, *, width: float = WIDTH) -> str:
    """Return the drawing with its text alternative: `title` in a few words, `about` in sentences.

    `name` is unique on the page.
    """
    return (
        f'<div class="kf-scroll" tabindex="0" role="group" aria-label="{escape(title)}">'
        f'<svg role="img" aria-labelledby="{name}-title {name}-desc" viewBox="0 0 {n(width)} {n(height)}" '
        f'width="{n(width)}" height="{n(height)}">'
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(about)}</desc>'
        '<defs><pattern id="' + name + '-hatch" width="5" height="5" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="5" class="kf-hatch"/></pattern></defs>'
        f"{body}</svg></div>"
    )


@dataclass(frozen=True)
class Film:
    """What report/picture/player.js plays of one request: `moments` are (sentence, turn), where a turn is
    what a reader skips to in one step, such as a pass; `moment` and `turn` are the words for them."""

    moment: str
    turn: str
    moments: tuple[tuple[str, int], ...]


def played(film: Film, drawing: str) -> str:
    """Return a drawing that can be played; without scripts and on paper it stays as it is. Its parts are marked by
    `at`."""
    data = json.dumps({"names": [film.moment, film.turn], "moments": film.moments}, separators=(",", ":"))
    return f'<div data-moments="{escape(data)}">{drawing}</div>'


def at(moments: Iterable[int], body: str) -> str:
    """Return a part of a drawing that appears in these moments of a film, from 0."""
    return f'<g data-at="{" ".join(map(str, sorted(set(moments))))}">{body}</g>'


def words_table(head: Sequence[str], rows: Rows, caption: str) -> str:
    """Return the data as a table for screen readers only; nothing if it is long."""
    if len(rows) > _LONGEST_TABLE:
        return ""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f'<div class="kf-words"><table><caption>{escape(caption)}</caption>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def legend(items: Sequence[tuple[str, str]]) -> str:
    """Return a line of (key, words); the key's look is the class kf-key-<key>."""
    entries = (f'<li><i class="kf-key kf-key-{key}"></i>{escape(words)}</li>' for key, words in items)
    return '<ul class="kf-legend">' + "".join(entries) + "</ul>"


def verdict(words: str) -> str:
    """Return the result, below the drawing; outside of it, so that it wraps on a narrow screen."""
    return f'<p class="kf-verdict">{escape(words)}</p>'


def n(value: float) -> str:
    """Return a number with no more digits than a drawing needs."""
    return f"{value:.1f}".removesuffix(".0")


def rect(kind: str, x: float, y: float, w: float, h: float, more: str = "") -> str:
    return f'<rect class="{kind}" x="{n(x)}" y="{n(y)}" width="{n(w)}" height="{n(h)}"{" " + more if more else ""}/>'


def hatch(name: str, x: float, y: float, w: float, h: float) -> str:
    """Return an area in the hatching that `frame` of the same name defines."""
    return rect("", x, y, w, h, f'fill="url(#{name}-hatch)"').replace('class="" ', "")


def text(kind: str, x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{n(x)}" y="{n(y)}" text-anchor="{anchor}">{escape(words)}</text>'


def in_cell(kind: str, x: float, y: float, words: str, room: float) -> str:
    """Return a few digits in the middle of a box of that width: smaller, or narrower too, where they would fill it."""
    if 7 * len(words) <= room - 2:
        return text(f"kf-in-{kind}", x, y, words, "middle")
    label = text(f"kf-in-{kind} kf-tight", x, y, words, "middle")
    squeezed = f'<text textLength="{n(room - 2)}" lengthAdjust="spacingAndGlyphs"'
    return label if 6 * len(words) <= room else label.replace("<text", squeezed)


def curve(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a curve from one point down to another, vertical at both ends."""
    middle = (y1 + y2) / 2
    return f'<path class="{kind}" d="M{n(x1)} {n(y1)}C{n(x1)} {n(middle)} {n(x2)} {n(middle)} {n(x2)} {n(y2)}"/>'


def line(kind: str, x1: float, y1: float, x2: float, y2: float, more: str = "") -> str:
    places = f'x1="{n(x1)}" y1="{n(y1)}" x2="{n(x2)}" y2="{n(y2)}"'
    return f'<line class="{kind}" {places}{" " + more if more else ""}/>'


def arrow(kind: str, x1: float, y1: float, x2: float, y2: float, more: str = "") -> str:
    """Return a line with a head at its second end, of the class <kind>-head."""
    length = math.hypot(x2 - x1, y2 - y1)
    along, across = 7 / length, 3.5 / length  # the head's length, and half its width
    x, y = x2 - along * (x2 - x1), y2 - along * (y2 - y1)
    dx, dy = across * (y2 - y1), across * (x1 - x2)
    head = f"M{n(x2)} {n(y2)}L{n(x + dx)} {n(y + dy)}L{n(x - dx)} {n(y - dy)}z"
    return line(kind, x1, y1, x, y, more) + f'<path class="{kind}-head" d="{head}"{" " + more if more else ""}/>'


def label_width(labels: Sequence[str]) -> float:
    """Room for the longest of some labels in the fixed-width font, and a gap after it."""
    return 7.1 * max(map(len, labels)) + 8


def several(count: int, singular: str, many: str = "") -> str:
    """1 lane, 2 lanes."""
    return f"{count} {singular if count == 1 else many or singular + 's'}"


def ranges(numbers: Sequence[int]) -> str:
    """0-3, 7 for 0, 1, 2, 3, 7, with an en dash."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}\N{EN DASH}{b}" for a, b in parts)
