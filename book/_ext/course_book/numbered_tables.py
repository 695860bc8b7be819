"""Tables with a caption, which Sphinx numbers like figures and listings."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator


class NumberedTable(nodes.General, nodes.Element):  # type: ignore[misc]  # docutils has no types
    """The HTML of `measured.table`, around a caption."""


def numbered_table(directive: SphinxDirective, html: str, *words: nodes.Node) -> NumberedTable:
    """`html`, which holds one table by `measured.table`, with a number; its caption begins with `words`.
    The option `:name:` of the directive is the label to refer to it by."""
    before, caption, after = re.split("</?p>", html)
    table = NumberedTable("", nodes.raw("", before, format="html"))
    table.append(nodes.caption("", "", *words, nodes.raw("", caption, format="html")))
    table.append(nodes.raw("", after, format="html"))
    directive.set_source_info(table)
    directive.add_name(table)
    return table


def add_numbered_tables(app: Sphinx) -> None:
    """Register the node; its HTML is that of its parts, after the link target."""
    app.add_enumerable_node(NumberedTable, "table", _title, html=(_begin, _end))


def _title(table: nodes.Element) -> str:
    """The caption as text: without one a table has no number, and Sphinx does not look into raw HTML."""
    return re.sub("<[^>]*>", "", table[1].astext())


def _begin(page: HTML5Translator, table: NumberedTable) -> None:
    page.body.append(page.starttag(table, "div", "", CLASS="numbered-table"))


def _end(page: HTML5Translator, table: NumberedTable) -> None:
    page.body.append("</div>")
