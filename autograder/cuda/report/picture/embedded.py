"""The picture for a page outside the book, with its style and player included."""

from __future__ import annotations

import re
from hashlib import sha256
from html import escape
from pathlib import Path

from .data import encode
from .drawing import draw
from .timeline import Timeline

#: The folder from which the book takes the style and the player.
FOLDER = Path(__file__).parent


def _lean(file: str) -> str:
    """A file of this folder without comments and indentation."""
    text = re.sub(r"/\*.*?\*/", "", (FOLDER / file).read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"^\s+|^\s*//.*\n", "", text, flags=re.MULTILINE)


#: CSS and JavaScript as texts; once on a page is enough.
STYLE = _lean("player.css") + _lean("embedded.css")
PLAYER = _lean("player.js")


def embedded(timeline: Timeline, name: str = "") -> str:
    """The picture with its caption, as HTML without style and player, in which everything is escaped. `name` is
    unique on the page; by default it is derived from the drawing."""
    name = name or f"timeline-{sha256(encode(timeline).encode()).hexdigest()[:12]}"
    caption = f"<figcaption>{escape(_caption(timeline))}</figcaption>"
    return f'<figure class="autograder-picture">{draw(timeline, name)}{caption}</figure>'


def with_player(timeline: Timeline) -> str:
    """The picture as HTML that needs nothing else on its page. Where scripts are off, it does not move."""
    return f"<style>{STYLE}</style>{embedded(timeline)}<script>{PLAYER}</script>"


def _caption(timeline: Timeline) -> str:
    """What the picture shows, in a sentence or two."""
    order = "One order of the warps, as the emulator ran them; on a GPU it may be any other."
    if timeline.stuck:
        return f"{order} A barrier opens only when every thread of the block has come to it."
    if timeline.race is None:
        return order
    (first, _), lines = timeline.race, sorted(set(timeline.race_lines))
    where = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} and {lines[1]}"
    return f"{order} The rings mark two accesses to {timeline.element(first.index)} that nothing orders ({where})."
