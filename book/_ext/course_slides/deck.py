"""The slides of a chapter: its outline, filled with what its built page shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from posixpath import basename, dirname

from bs4 import BeautifulSoup, Tag
from course_book.stated import Stated
from markdown_it import MarkdownIt

from .outline import LESSONS, Outline, Part, Slide
from .pieces import Piece, parsed, pieces

#: The book's scripts that make figures move, and scroll what is too wide for a phone.
_SCRIPTS = ("switches.js", "player.js", "explorers.js", "scroll.js")
_KEYS = "Arrow keys turn the slides, S opens the speaker's notes, D switches dark and light, F fills the screen."
_PAGE = """\
<!DOCTYPE html>
<html lang="en" data-theme="light"><head><meta charset="utf-8"><title>Slides: {title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
{styles}<link rel="stylesheet" href="reveal.css"><link rel="stylesheet" href="slides.css">
</head><body class="slides-of-chapter"><main><div class="reveal"><div class="slides">
{slides}
</div></div></main>
<script src="reveal.js"></script><script src="notes.js"></script>{scripts}<script defer src="slides.js"></script>
</body></html>
"""
_markdown = MarkdownIt("commonmark")


def deck(page: str, name: str, outline: Outline, exercises: Mapping[str, Stated]) -> str:
    """Return the deck of the chapter `name` ("book/barriers"), for a folder beside that of its page.

    Args:
        page: the chapter's built page.
        exercises: the chapter's exercises, by their pages ("exercises/barriers/missing_barrier").

    Raises:
        ValueError: the outline names what the page or the chapter does not have, or shows something twice.
    """
    head, chapter = parsed(page)
    _relink(chapter, name)
    title = _inner(chapter.h1)
    there = pieces(chapter)
    wanted = [slide.show for part in outline.parts for slide in part.slides if slide.show]
    for show in wanted:
        if show not in there or wanted.count(show) > 1:
            why = "is there no more" if show not in there else "is shown twice"
            raise ValueError(f"book/slides/{basename(name)}.md: {show!r} {why}. The page has: {', '.join(there)}")
    slides = [_title_slide(title, f"../{name}.html", outline)]
    begins = [0, 0]
    for part in outline.parts:
        when = _when(part, begins)
        for slide in part.slides:
            inner = _exercise(slide, exercises, name) if slide.exercise else ""
            slides.append(_slide(len(slides) + 1, part, slide, there.get(slide.show), inner, when))
        begins = [begin + minutes for begin, minutes in zip(begins, part.minutes, strict=True)]
    return _PAGE.format(
        title=escape(BeautifulSoup(title, "html.parser").get_text()),
        styles="".join(str(tag) for tag in head.select("link:is([rel=stylesheet], [rel~=icon])")),
        slides="\n".join(slides),
        scripts="".join(str(tag) for tag in head.select("script[src]") if _file(tag) in _SCRIPTS),
    )


def _title_slide(title: str, page: str, outline: Outline) -> str:
    plan = "".join(
        f"<li>{escape(part.title)}: {' or '.join(map(str, part.minutes))} minutes</li>" for part in outline.parts
    )
    notes = f"<p>The parts, in a lesson of {LESSONS[0]} or {LESSONS[1]} minutes:</p><ul>{plan}</ul>"
    return (
        f"<section class='title'><h1>{title}</h1><p class='idea'>{inline(outline.idea)}</p>"
        f"<p class='small'><a href='{page}'>The chapter</a>. {_KEYS}</p><aside class='notes'>{notes}</aside></section>"
    )


def _slide(place: int, part: Part, slide: Slide, piece: Piece | None, inner: str, when: str) -> str:
    lines = "".join(f"<li>{inline(line)}</li>" for line in slide.lines)
    text = inner + (f"<ul>{lines}</ul>" if lines else "")
    text += f"<p class='prompt'>{inline(slide.question)}</p>" if slide.question else ""
    shown, notes = "", [f"<p>{inline(note)}</p>" for note in slide.notes]
    if piece is not None:
        shown = f"<div class='room'><div class='shown of-{piece.kind} bd-article'>{piece.shown}</div></div>"
        notes += piece.text
    words = f"<div class='words'>{text}</div>" if text else ""
    number = f"<span>{piece.number}</span>" if piece is not None and piece.number else ""
    return (
        f"<section id='slide-{place}'><header><p class='part'>{escape(part.title)}{number}</p>"
        f"<h2>{inline(slide.title)}</h2></header>"
        f"<div class='stage'>{words}{shown}</div><aside class='notes'><p>{when}</p>{''.join(notes)}</aside></section>"
    )


def _exercise(slide: Slide, exercises: Mapping[str, Stated], name: str) -> str:
    found = [page for page in exercises if basename(page) == slide.exercise]
    if not found:
        raise ValueError(f"book/slides/{basename(name)}.md: the chapter has no exercise {slide.exercise!r}")
    about = exercises[found[0]]
    return (
        f"<p class='exercise'><a href='../{found[0]}.html'>{escape(about.title)}</a></p>"
        f"<p class='hours'>About {about.minutes} minutes in all, {about.points:g} points</p>"
    )


def _when(part: Part, begins: list[int]) -> str:
    """When a part comes, in each lesson."""
    times = [
        f"{begin} to {begin + minutes} of {length}" if minutes else f"not in {length}"
        for begin, minutes, length in zip(begins, part.minutes, LESSONS, strict=True)
    ]
    return f"<b>{escape(part.title)}</b>, minutes {', '.join(times)}."


def inline(text: str) -> str:
    """Return a line of Markdown as HTML."""
    return str(_markdown.renderInline(text))


def _inner(tag: Tag | None) -> str:
    return tag.decode_contents().strip() if tag is not None else ""


def _file(script: Tag) -> str:
    return basename(str(script["src"])).partition("?")[0]


def _relink(chapter: Tag, name: str) -> None:
    """Let links to pages beside the chapter's, and within it, start from the folder of the decks."""
    beside = f"../{dirname(name)}/"
    for tag in chapter.find_all("a", href=True):
        to = str(tag["href"])
        if not to or to.startswith("#"):
            tag["href"] = f"{beside}{basename(name)}.html{to}"
        elif not re.match(r"\w+:|\.\./", to):
            tag["href"] = beside + to
