"""Open questions: `open-question` puts one into the margin of a chapter, `open-questions` lists those of all chapters.

A question says what we could not explain, and what would settle it.
"""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes
from docutils.utils import new_document
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx_book_theme.directives import Margin  # type: ignore[import-untyped]

from autograder.cuda.report.chapters import Chapter, chapters

_CLASS = "open-question"


class OpenQuestion(Margin, SphinxDirective):  # type: ignore[misc]  # of the theme
    """A note in the margin, beside the paragraph that follows; the content is the question."""

    optional_arguments = 0

    def run(self) -> list[nodes.Node]:
        self.arguments = ["Open question"]
        (note, *others) = super().run()
        note["classes"].append(_CLASS)
        note["ids"].append(f"{_CLASS}-{self.env.new_serialno(_CLASS)}")
        return [note, *others]


class Listed(nodes.General, nodes.Element):  # type: ignore[misc]  # docutils has no types
    """Where the list will be."""


class OpenQuestions(SphinxDirective):
    """The list, in the order of the chapters; each question links to its place."""

    def run(self) -> list[nodes.Node]:
        for chapter in chapters().values():
            self.env.note_dependency(self.env.doc2path(chapter.page))
        return [Listed()]


def list_questions(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the questions of all chapters, which have been read by now, where they are to be listed."""
    for place in list(doctree.findall(Listed)):
        questions = nodes.bullet_list("")
        for chapter in chapters().values():
            if chapter.page in app.env.all_docs:
                questions.extend(_items(app, chapter, page))
        place.replace_self(questions)


def _items(app: Sphinx, chapter: Chapter, page: str) -> Iterator[nodes.list_item]:
    for note in app.env.get_doctree(chapter.page).findall(nodes.sidebar):
        if _CLASS in note["classes"]:
            _, *paragraphs = note.children
            text = new_document("")
            text.extend(paragraph.deepcopy() for paragraph in paragraphs)
            app.env.resolve_references(text, page, app.builder)
            address = f"{app.builder.get_relative_uri(page, chapter.page)}#{note['ids'][0]}"
            link = nodes.reference("", f"Chapter {chapter.number}", internal=True, refuri=address)
            item = nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(": "), *text[0].children))
            item.extend(text.children[1:])
            yield item
