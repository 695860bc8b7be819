"""Draw an `AccessMap`: a bar for each line of the kernel that uses global memory."""

from __future__ import annotations

from .access_map import AccessMap, Traffic
from .measured import spaced
from .svg import WIDTH, frame, hatch, legend, n, rect, text, words_table

_ROW, _BAR, _RIGHT = 54, 20, 130
_LETTER = 7.6  # pixels of a label's widest letter, in the wide fonts of some systems


def figure(traffic: AccessMap, name: str) -> str:
    """Return the drawing, its table and its legend, as HTML. `name` is unique on the page."""
    most = max(row.moved for row in traffic.rows)
    full = WIDTH - max(_RIGHT, _LETTER * max(len(_label(row)) for row in traffic.rows))
    body = "".join(_bar(row, full / most, _ROW * number, name) for number, row in enumerate(traffic.rows))
    title = "Bytes used and bytes moved by each line of the kernel"
    table = words_table(
        ("line", "array", "action", "requests", "sectors", "bytes moved", "bytes used"),
        [(row.line, row.array, row.action, row.requests, row.sectors, row.moved, row.used) for row in traffic.rows],
        title,
    )
    actions = {row.action for row in traffic.rows}
    keys = [key for key in (("read", "loaded and used"), ("write", "stored")) if key[0] in actions]
    if traffic.used < traffic.moved:
        keys.append(("waste", "moved for nothing"))
    return frame(name, title, describe(traffic), _ROW * len(traffic.rows), body) + table + legend(keys)


def describe(traffic: AccessMap) -> str:
    """Return what the drawing shows, in words, for those who cannot see it."""
    parts = [
        f"Line {row.line} {'loads' if row.action == 'read' else 'stores'} {row.array}: {row.moved} bytes moved, "
        f"{row.used} used, {_per_request(row)}."
        for row in traffic.rows
    ]
    return " ".join([*parts, f"Together {traffic.moved} bytes move and {traffic.used} are used."])


def _label(row: Traffic) -> str:
    return f"{spaced(row.used)} of {spaced(row.moved)} bytes"


def _bar(row: Traffic, scale: float, y: float, name: str) -> str:
    moved, used = max(scale * row.moved, 2), max(scale * row.used, 1)
    verb = "loads" if row.action == "read" else "stores"
    return "".join(
        [
            text("kf-small", 0, y + 15, f"line {row.line} {verb} {row.array}"),
            text("kf-code", 150, y + 15, row.text),
            rect("kf-sector", 0, y + 23, moved, _BAR, 'rx="3"'),
            hatch(name, 0, y + 23, moved, _BAR),
            rect(f"kf-{row.action}", 0, y + 23, used, _BAR, 'rx="3"'),
            text("kf-label", WIDTH, y + 31, _label(row), "end"),
            text("kf-small", WIDTH, y + 45, _per_request(row), "end"),
        ]
    )


def _per_request(row: Traffic) -> str:
    sectors = row.sectors / row.requests
    return f"{n(sectors)} {'sector' if sectors == 1 else 'sectors'} per request"
