"""Writes what the book's search finds: sections of pages, terms of the glossary, and names of the library."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

#: Pages that only lead to others.
_LEFT_OUT = ("book/index", "book/your-progress")


def write_search_index(app: Sphinx, target: Path) -> None:
    """Write the documents of the book into `target`, as JSON: for each its address in the book, its title,
    the title of its page, another name of the page, its kind, and its text."""
    pages = sorted(set(app.env.found_docs) - set(_LEFT_OUT))
    found = [document for page in pages for document in documents(app, page, app.env.get_doctree(page))]
    target.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


def documents(app: Sphinx, page: str, tree: nodes.document) -> Iterator[dict[str, Any]]:
    """The documents on one page, in their order."""
    top = next(tree.findall(nodes.section), None)
    if top is None:
        return
    address = app.builder.get_target_uri(page)
    number = app.env.toc_secnumbers.get(page, {}).get("")
    title = f"{'.'.join(map(str, number))}. {_title(top)}" if number else _title(top)
    for part in tree.findall(lambda node: isinstance(node, nodes.section | addnodes.desc | nodes.definition_list_item)):
        if part is top:
            words, place, body = title, address, part
        elif isinstance(part, nodes.section):
            words, place, body = _title(part), f"{address}#{part['ids'][0]}", part
        elif isinstance(part, addnodes.desc):
            ids = part[0].get("ids")
            if not ids:
                continue
            words, place, body = str(ids[0]).removeprefix("autograder."), f"{address}#{ids[0]}", part
        elif part[0].get("ids"):  # a term of the glossary
            words, place, body = part[0].astext(), f"{address}#{part[0]['ids'][0]}", part
        else:
            continue
        yield {
            "url": place,
            "title": words,
            "page": title,
            "also": Path(page).name if part is top else "",
            "kind": _kind(page, part),
            "text": " ".join(" ".join(_texts(body)).split()),
        }


def _title(section: nodes.Node) -> str:
    title = next(section.findall(nodes.title), None)
    return title.astext() if title is not None else ""


def _texts(node: nodes.Node) -> Iterator[str]:
    """The text of a document, without its title, without HTML, and without its parts that are documents."""
    for child in node.children:
        if isinstance(child, nodes.section | addnodes.desc | nodes.title | nodes.raw | nodes.comment | nodes.term):
            continue
        if isinstance(child, nodes.definition_list_item) and child[0].get("ids"):
            continue
        if isinstance(child, nodes.Text):
            yield child.astext()
        elif isinstance(child, nodes.TextElement):
            yield child.astext() + " "
        else:
            yield from _texts(child)


def _kind(page: str, part: nodes.Node) -> str:
    if page.startswith("exercises/"):
        return "exercise"
    if isinstance(part, addnodes.desc):
        return "name"
    if isinstance(part, nodes.definition_list_item):
        return "term"
    if page == "book/appendix-findings":
        return "finding"
    return "reference" if page.startswith(("book/appendix", "book/glossary")) else "chapter"
