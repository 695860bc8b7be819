"""Draw a bar for each row of a file of book/data, and a line across them at one of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .svg import frame, line, rect, text, words_table

#: Narrower than other figures, like the roofline.
_WIDTH = 580
#: Labels stand above their bars, or a phone would show little else.
_ROW, _LABEL, _BAR, _RIGHT = 40, 21, 13, 64


@dataclass(frozen=True)
class Bar:
    """`value` as it is in the file; `marked` for the row with which the others are compared."""

    label: str
    value: str
    marked: bool = False


def figure(bars: Sequence[Bar], unit: str, name: str) -> str:
    """Return the drawing and its table as HTML. `unit` says what the values are; `name` is unique on the page."""
    title = f"Bars: {unit}"
    most = max(float(bar.value) for bar in bars)
    height = _ROW * len(bars) + 4
    scale = (_WIDTH - _RIGHT) / most
    body = ""
    for place, bar in enumerate(bars):
        y, width = _ROW * place + 4, scale * float(bar.value)
        kind = "kf-write" if bar.marked else "kf-read"
        body += text("kf-code", 0, y + _LABEL - 7, bar.label) + rect(kind, 0, y + _LABEL, width, _BAR, 'rx="2"')
        body += text("kf-label", width + 7, y + _LABEL + 12, bar.value)
    for bar in bars:
        if bar.marked:
            x = scale * float(bar.value)
            body += line("kf-way-write", x, 0, x, height, 'stroke-dasharray="4 4"')
    about = f"{unit}: " + ", ".join(f"{bar.label} {bar.value}" for bar in bars) + "."
    table = words_table(("", unit), [(bar.label, bar.value) for bar in bars], title)
    return frame(name, title, about, height, body, width=_WIDTH) + table
