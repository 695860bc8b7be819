"""The landing page's contents: how each chapter begins, and how long its exercises take."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from .page_head import description

_MINUTES = re.compile(r"about (\d+) minutes")
_CHAPTER = re.compile(r'<li class="toctree-l1"><a class="reference internal" href="([\w-]+)\.html">.*?</a>')
_TIME = re.compile(r'(<div class="course-time docutils[^"]*">)\s*(</div>)')


def add_lines(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Called by Sphinx for each page, before it is written."""
    if page != app.config.root_doc:
        return
    times: list[int] = []

    def with_line(link: re.Match[str]) -> str:
        chapter = f"book/{link[1]}"
        exercises = [name for name in app.env.toctree_includes.get(chapter, []) if name.startswith("exercises/")]
        if not exercises:
            return link[0]
        minutes = [_minutes(app, name) for name in exercises]
        times.extend(minutes)
        words = f"{len(exercises)} exercise{'s' if len(exercises) > 1 else ''}, about {sum(minutes)} minutes"
        line = escape(description(app.env.get_doctree(chapter)))
        return f'{link[0]}<p class="chapter-line">{line}</p><p class="chapter-time">{words}</p>'

    body = _CHAPTER.sub(with_line, context["body"])
    whole = f"All {len(times)} exercises together take about {round(sum(times) / 60)} hours."
    context["body"] = _TIME.sub(rf"\1<p>{whole}</p>\2", body)


def _minutes(app: Sphinx, exercise: str) -> int:
    found = _MINUTES.search(app.env.get_doctree(exercise).astext())
    return int(found[1]) if found else 0
