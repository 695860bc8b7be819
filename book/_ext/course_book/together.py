"""Keep together on a page what a line must not part: a number and its unit, and short code, which means something else
in two pieces."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

from .measured import joined

#: Code with this many characters fits beside the margin of a phone.
_LONGEST = 24
_PROSE = (nodes.paragraph, nodes.caption, nodes.emphasis, nodes.strong, nodes.inline, nodes.reference)


def keep_together(app: Sphinx, doctree: nodes.document) -> None:
    """Mark code with the class `short`, and put no-break spaces between numbers and units."""
    for code in doctree.findall(nodes.literal):
        if " " in code.astext() and len(code.astext()) <= _LONGEST:
            code["classes"].append("short")
    before = ""  # the end of the text before: a number may come from a role
    for text in list(doctree.findall(nodes.Text)):
        words = text.astext()
        if isinstance(text.parent, _PROSE) and (whole := joined(before + words)[len(before) :]) != words:
            text.parent.replace(text, nodes.Text(whole))
        before = words[-1:]
