"""Tables with a caption, which Sphinx numbers like figures and listings."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator


class NumberedTable(nodes.General, nodes.Element):  # type: ignore[misc]  # docutils has no types
    """The HTML of `measured.table`, around a caption."""


def numbered_table(directive: SphinxDirective, html: str) -> list[nodes.Node]:
    """`html`, which holds one table by `measured.table`, with a number; its caption begins with the content of the
    directive, whose option `:name:` is the label to refer to it by. After it: what is wrong with the content."""
    before, caption, after = re.split("</?p>", html)
    words, problems = directive.parse_inline(" ".join(directive.content))
    table = NumberedTable("", nodes.raw("", before, format="html"))
    table.append(nodes.caption("", "", *words, nodes.Text(" "), nodes.raw("", caption, format="html")))
    table.append(nodes.raw("", after, format="html"))
    directive.set_source_info(table)
    directive.add_name(table)
    return [table, *problems]


_NUMBER = re.compile(r"[\N{MINUS SIGN}+]?\d[\d.\N{NARROW NO-BREAK SPACE}]*(\s?(%|[^\W\d]{1,2}(/s)?))?")


def align_numbers(app: Sphinx, doctree: nodes.document) -> None:
    """Align columns of numbers to the right in tables that a page writes in Markdown, as `measured.table` does."""
    for table in doctree.findall(nodes.table):
        for column in zip(*([*row.findall(nodes.entry)] for row in table.findall(nodes.row)), strict=False):
            if all(_NUMBER.fullmatch(cell.astext().strip()) for cell in column[1:]):
                for cell in column:
                    cell["classes"].append("text-right")


def add_numbered_tables(app: Sphinx) -> None:
    """Register the node; its HTML is that of its parts, after the link target."""
    app.connect("doctree-read", align_numbers)
    app.add_enumerable_node(NumberedTable, "table", _title, html=(_begin, _end))


def _title(table: nodes.Element) -> str:
    """Return the caption as text: without one a table has no number, and Sphinx does not look into raw HTML."""
    return re.sub("<[^>]*>", "", table[1].astext())


def _begin(page: HTML5Translator, table: NumberedTable) -> None:
    page.body.append(page.starttag(table, "div", "", CLASS="numbered-table"))


def _end(page: HTML5Translator, table: NumberedTable) -> None:
    page.body.append("</div>")
