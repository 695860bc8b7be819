"""What the head of a page says to search engines, and to whoever is sent a link: its title, and what it is about."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from autograder.exercises.authoring.repository import book_address

from . import social_picture

#: The landing page's film plays by itself, once, unless the reader wants little motion.
_PLAY = """
addEventListener("load", () => {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  document.querySelector(".pane-film [aria-label=Play]")?.click();
});
"""
_MOST = 200  # characters of a description


def describe(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Called by Sphinx for each page, before it is written."""
    if page == app.config.root_doc:
        app.add_js_file(None, body=_PLAY)
    if doctree is None:  # the search, the index
        return
    about = description(doctree)
    facts = {
        "og:type": "website" if page == app.config.root_doc else "article",
        "og:site_name": app.config.html_title,
        "og:title": next(doctree.findall(nodes.title)).astext(),
        "og:description": about,
        "og:url": f"{book_address(Path(app.srcdir))}/{page}.html",
    }
    picture = social_picture.address(Path(app.outdir), app.config.html_title)
    if picture:
        facts["og:image"] = f"{book_address(Path(app.srcdir))}/{picture}"
        facts |= {f"og:image:{side}": str(pixels) for side, pixels in social_picture.SIZE.items()}
    tags = [f'<meta name="description" content="{escape(about)}">']
    tags += [f'<meta property="{name}" content="{escape(value)}">' for name, value in facts.items()]
    context["metatags"] = context.get("metatags", "") + "\n".join(tags)


def description(doctree: nodes.document) -> str:
    """Return the first sentences of a page's text; of a longer sentence, the first words."""
    text = " ".join(" ".join(part.astext() for part in _texts(doctree)).split())
    if len(text) <= _MOST:
        return text
    sentences = re.match(r".{40,}[.?!](?= )", text[: _MOST + 1])
    return sentences[0] if sentences else f"{text[: _MOST - 4].rpartition(' ')[0]} ..."


def _texts(doctree: nodes.document) -> list[nodes.Element]:
    return list(doctree.findall(nodes.paragraph))[:2] or [doctree]
