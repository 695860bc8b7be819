"""Dresses the exercises, which are notebooks, as pages of the book."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

_FOLDER = "exercises/"


def dress(app: Sphinx, doctree: nodes.document) -> None:
    """Colour kernels as CUDA, and say under the title how to work on the exercise."""
    page = app.env.docname
    if not page.startswith(_FOLDER):
        return
    for block in doctree.findall(nodes.literal_block):
        if block.astext().startswith("%%cuda"):
            block["language"] = "cuda"
    title = next(doctree.findall(nodes.title))
    hint = nodes.paragraph("", "", classes=["how-to-work"])
    hint += nodes.Text("To work on this exercise, open ")
    hint += nodes.literal("", f"{page}.ipynb")
    hint += nodes.Text(" in Jupyter. Here you can only read it.")
    title.parent.insert(title.parent.index(title) + 1, hint)
