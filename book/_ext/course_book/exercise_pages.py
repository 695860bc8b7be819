"""Format the exercises, which are notebooks, as pages of the book."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from autograder.exercises.authoring.repository import CONFIG, book_address, colab_address, course_address

from .whole_programs import has_program

_FOLDER = "exercises/"
_BUTTONS = """\
<div class="how-to-work"><p>{why} To work on it:</p>
<p class="start-buttons"><a class="sd-btn sd-btn-primary" href="{colab}">Open in Colab</a>
<a class="sd-btn sd-btn-outline-primary" href="{notebook}" download>Download the notebook</a></p>
<p>In a copy of <a href="{course}">the course</a> it is <code>{page}.ipynb</code>; open it there in Jupyter.
<a href="{help}">Setting up</a> says how.</p></div>"""
#: Why no answer can be written in the page, where the page's script says nothing else.
_READ_ONLY = "This exercise is read-only here."
_PROGRAM = "This exercise is about a whole program, which does not run in a page: it is read-only here."
#: What a released notebook has in place of an answer in words.
_IN_WORDS = "YOUR ANSWER HERE"
#: Sentences that tell how a notebook works, which a page that answers are written in hides (course_page).
_OF_NOTEBOOKS = re.compile(r"Run the cell\b.*|(?:Run each cell|Each cell below) [^.]*\.\s*", re.DOTALL)


def dress(app: Sphinx, doctree: nodes.document) -> None:
    """Color kernels as CUDA, let links to the published book stay in this one, and say below the title where to work on
    the exercise."""
    page = app.env.docname
    if not page.startswith(_FOLDER):
        return
    for block in doctree.findall(nodes.literal_block):
        if block.astext().startswith("%%cuda"):
            block["language"] = "cuda"
    app.env.note_dependency(str(Path(app.srcdir) / CONFIG))
    for paragraph in doctree.findall(nodes.paragraph):
        if paragraph.astext() == _IN_WORDS:
            paragraph["classes"].append("answer-in-words")  # where course_page puts an editor
    for text in list(doctree.findall(nodes.Text)):
        _mark_for_notebooks(text)
    up = "../" * page.count("/")
    published = f"{book_address(Path(app.srcdir))}/"
    for link in doctree.findall(nodes.reference):
        if link.get("refuri", "").startswith(published):
            link["internal"] = True
            link["refuri"] = up + link["refuri"].removeprefix(published)
    links = {
        "course": course_address(Path(app.srcdir)),
        "colab": colab_address(Path(app.srcdir), f"{page}.ipynb"),
        "notebook": f"{up}_sources/{page}.ipynb",  # Sphinx's copy of the page's source
        "help": f"{up}book/appendix-setting-up.html",
    }
    title = next(doctree.findall(nodes.title))
    links["why"] = _PROGRAM if has_program(Path(app.srcdir) / f"{page}.ipynb") else _READ_ONLY
    buttons = _BUTTONS.format(page=escape(page), **{name: escape(link) for name, link in links.items()})
    title.parent.insert(title.parent.index(title) + 1, nodes.raw("", buttons, format="html"))


def _mark_for_notebooks(text: nodes.Text) -> None:
    if found := _OF_NOTEBOOKS.search(text.astext()):
        before, after = text.astext()[: found.start()], text.astext()[found.end() :]
        hidden = nodes.inline("", found[0], classes=["of-notebooks"])
        text.parent.replace(text, [nodes.Text(before), hidden, nodes.Text(after)])
