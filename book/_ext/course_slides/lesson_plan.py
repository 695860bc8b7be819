"""The plan of a chapter's lessons, made of the outline of its slides: the directive `lesson-plan`."""

from __future__ import annotations

from html import escape

from course_book.measured import table
from course_book.numbered_tables import numbered_table
from course_book.stated import exercises_of, stated
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from .deck import inline
from .outline import FOLDER, LESSONS, Part, read_outline


class LessonPlan(SphinxDirective):
    """A table with the parts of a chapter's lessons: their minutes, their slides, what to ask and what to do in class.
    The argument is the chapter's key, the content the caption."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        chapter = self.arguments[0]
        self.env.note_dependency(str(FOLDER / f"{chapter}.md"))
        heads = ["part", *(f"of {length} minutes" for length in LESSONS), "slides", "to ask, and to do in class"]
        rows = "".join(self._row(chapter, part, numbers) for part, numbers in read_outline(chapter).numbered())
        return numbered_table(self, f'<div class="lesson-plan">{table(heads, rows, "")}</div>')

    def _row(self, chapter: str, part: Part, numbers: list[int]) -> str:
        cells = (*map(_minutes, part.minutes), _slides(chapter, numbers), self._activities(chapter, part))
        return f"<tr><th>{escape(part.title)}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"

    def _activities(self, chapter: str, part: Part) -> str:
        """What the class is activities in a part, and the exercises that it begins there."""
        activities = [inline(slide.question) for slide in part.slides if slide.question]
        pages = exercises_of(chapter.replace("-", "_"))
        for slide in part.slides:
            for page, path in pages.items():
                if page.rpartition("/")[2] == slide.exercise:
                    self.env.note_dependency(str(path))
                    activities.append(f'Exercise: <a href="../{page}.html">{escape(stated(path).title)}</a>')
        return "<br>".join(activities)


def _minutes(minutes: int) -> str:
    return str(minutes) if minutes else "left out"


def _slides(chapter: str, numbers: list[int]) -> str:
    links = [f'<a href="../slides/{chapter}.html#slide-{number}">{number}</a>' for number in numbers]
    return links[0] if len(links) == 1 else f"{links[0]} to {links[-1]}"
