"""Registers the slides with Sphinx: a deck for each chapter, links to it, and the lesson that it is made for.

reveal.js shows them. PyPI has it in sphinx-revealjs, so that building the book needs no npm for it. That package's own
builder makes a slide of each section, with all its text; ours (`deck`) follows an outline.
"""

from __future__ import annotations

import shutil
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from course_book.measured import table
from course_book.numbered_tables import numbered_table
from course_book.stated import TOC, exercises_of, stated
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from autograder.cuda.report.chapters import Chapter, chapters

from .deck import deck
from .lesson_plan import LessonPlan
from .misconception_list import Misconceptions
from .outline import read_outline

FOLDER = "slides"
_REVEAL = ("dist/reveal.js", "dist/reveal.css", "plugin/notes/notes.js")
_FILES = ("slides.css", "slides.js")


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx once."""
    app.add_directive("weeks", Weeks)
    app.add_directive("lesson-plan", LessonPlan)
    app.add_directive("misconceptions", Misconceptions)
    app.connect("html-page-context", _link, priority=502)  # after the theme has made the list of its buttons
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _link(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    for name, chapter in chapters().items():
        if page == chapter.page and app.builder.name == "html":
            button = {"type": "link", "url": f"../{FOLDER}/{name}.html", "text": "Slides", "label": "slides-button"}
            context["header_buttons"].insert(0, button | {"tooltip": "This chapter's slides"})


def _write(app: Sphinx, error: Exception | None) -> None:
    if error is not None or app.builder.name != "html":
        return
    out = Path(app.outdir)
    (out / FOLDER).mkdir(exist_ok=True)
    reveal = Path(str(files("sphinx_revealjs"))) / "_static" / "revealjs"
    for source in (*(reveal / name for name in _REVEAL), *(Path(__file__).with_name(name) for name in _FILES)):
        shutil.copyfile(source, out / FOLDER / source.name)
    for name, chapter in chapters().items():
        page = (out / f"{chapter.page}.html").read_text(encoding="utf-8")
        exercises = {page: stated(path) for page, path in exercises_of(name.replace("-", "_")).items()}
        made = deck(page, chapter.page, read_outline(name), exercises)
        (out / FOLDER / f"{name}.html").write_text(made, encoding="utf-8")


class Weeks(SphinxDirective):
    """A table with a week for each chapter: its page, its slides and its exercises. The content is the caption."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        rows = "".join(self._row(name, chapter) for name, chapter in chapters().items())
        html = table(["week", "chapter", "lecture", "exercises", "minutes"], rows, "")
        return numbered_table(self, html)

    def _row(self, name: str, chapter: Chapter) -> str:
        self.env.note_dependency(str(TOC))
        notebooks = exercises_of(name.replace("-", "_")).values()
        for path in notebooks:
            self.env.note_dependency(str(path))
        cells = (
            f"{chapter.number}",
            f'<a href="{name}.html">{escape(chapter.title)}</a>',
            f'<a href="../{FOLDER}/{name}.html">slides</a>',
            f"{len(notebooks)}",
            f"{sum(stated(path).minutes for path in notebooks)}",
        )
        return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
