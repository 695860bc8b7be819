"""A drawing as a figure with a caption, which Sphinx numbers."""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from . import measured

_SMALL = "margin: 0.5rem 0 0; font-size: 0.8rem; color: var(--soft)"  # like below a table


def captioned(directive: SphinxDirective, html: str, kind: str, sources: Iterable[str] = ()) -> list[nodes.Node]:
    """Return the figure whose caption is the content of `directive`: the first paragraph, with what follows below it.

    Args:
        kind: the figure's class.
        sources: HTML that says where its numbers come from (`measured.source`).

    Raises:
        DirectiveError: the content has no caption.
    """
    figure = nodes.figure("", nodes.raw("", html, format="html"), classes=["kernel-figure", kind])
    words = directive.parse_content_to_nodes()
    if not words or not isinstance(words[0], nodes.paragraph):
        raise directive.error(f"{directive.name}: a figure needs a caption: write it as the content.")
    below = [
        nodes.raw("", f'<div class="measured" style="{_SMALL}">{measured.unbroken(source)}</div>', format="html")
        for source in sources
    ]
    figure += nodes.caption("", "", *words[0].children)
    if words[1:] or below:
        figure += nodes.legend("", *words[1:], *below)
    directive.set_source_info(figure)
    directive.add_name(figure)
    return [figure]
