"""The landing page's contents: what each chapter is about, in its own words, and how long its exercises take."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx

#: Characters of key sentences that are enough to say what a chapter is about.
_ENOUGH = 60
_MINUTES = re.compile(r"about (\d+) minutes")


def add_lines(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Called by Sphinx for each page, before it is written."""
    if page != app.config.root_doc:
        return
    numbers, minutes = 0, 0
    for item in doctree.findall(nodes.list_item):
        chapter = _page_of(app, item)
        exercises = [name for name in app.env.toctree_includes.get(chapter, []) if name.startswith("exercises/")]
        if "toctree-l1" not in item["classes"] or not exercises:
            continue
        took = sum(_minutes(app, name) for name in exercises)
        words = f"{len(exercises)} exercise{'s' if len(exercises) > 1 else ''}, about {took} minutes"
        line = nodes.paragraph("", " ".join(_key_sentences(app, chapter)), classes=["chapter-line"])
        item.insert(1, [line, nodes.paragraph("", words, classes=["chapter-time"])])
        numbers, minutes = numbers + len(exercises), minutes + took
    (place,) = (node for node in doctree.findall(nodes.container) if "course-time" in node["classes"])
    place += nodes.paragraph("", f"All {numbers} exercises together take about {round(minutes / 60)} hours.")


def _page_of(app: Sphinx, item: nodes.list_item) -> str:
    link = next(item.findall(nodes.reference), None)
    name = str(link.get("refuri", "")) if link else ""
    return f"book/{name.removesuffix('.html')}"


def _key_sentences(app: Sphinx, chapter: str) -> Iterator[str]:
    length = 0
    for key in app.env.get_doctree(chapter).findall(nodes.inline):
        if "key" in key["classes"] and length < _ENOUGH:
            length += len(key.astext())
            yield key.astext()


def _minutes(app: Sphinx, exercise: str) -> int:
    found = _MINUTES.search(app.env.get_doctree(exercise).astext())
    return int(found[1]) if found else 0
