"""Slides made of a chapter's built page.

Each section becomes slides: what it shows (figures, listings, tables, reports, lists), a slide for each, under the
section's title, beside the sentences before it that the chapter marks as its key sentences: `[Few warps.]{.key}`. Key
sentences after which nothing is shown get a slide of their own. All of the text is in the speaker's notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from posixpath import basename, dirname

from bs4 import BeautifulSoup, Tag

#: What a slide shows, as CSS selectors of a section's own children.
SHOWN = (
    "figure, .listing, .literal-block-wrapper, .numbered-table, .pst-scrollable-table-container, .report, .ks, ol, ul,"
    " div[class^='highlight-']"
)
#: Sections that are for readers alone.
_LEFT_OUT = ("exercises", "sources-and-further-reading")
_QUESTIONS = "check-yourself"
#: This many key sentences have room beside what is shown.
_KEYS = 4
#: The book's scripts that make figures move.
_SCRIPTS = ("switches.js", "player.js", "explorers.js")
_PAGE = """\
<!DOCTYPE html>
<html lang="en" data-theme="light"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
{styles}<link rel="stylesheet" href="reveal.css"><link rel="stylesheet" href="slides.css">
</head><body class="slides-of-chapter"><div class="reveal"><div class="slides">
{slides}
</div></div>
<script src="reveal.js"></script><script src="notes.js"></script>{scripts}<script defer src="slides.js"></script>
</body></html>
"""


@dataclass
class Slide:
    """One slide: a title, key sentences, what is shown, and the text of the chapter up to here, all as HTML."""

    title: str
    keys: list[str] = field(default_factory=list)
    shown: str = ""
    notes: list[str] = field(default_factory=list)

    def html(self) -> str:
        keys = f"<ul class='keys'>{''.join(f'<li>{key}</li>' for key in self.keys)}</ul>" if self.keys else ""
        kind = "list" if self.shown.startswith(("<ol", "<ul", "<p")) else "shown"
        shown = f"<div><div class='{kind}'>{self.shown}</div></div>" if self.shown else ""
        notes = f"<aside class='notes'>{''.join(self.notes)}</aside>" if self.notes else ""
        return f"<section><h2>{self.title}</h2>{keys}{shown}{notes}</section>"


def deck(page: str, name: str) -> str:
    """Return the deck of the chapter `name` ("book/barriers"), whose built page is `page`, for a folder beside its
    own."""
    soup = BeautifulSoup(page, "html.parser")
    head, article = soup.head, soup.article
    chapter = article and article.section
    assert head is not None and chapter is not None, name
    for tag in [*chapter.find_all(class_="headerlink"), *chapter.find_all("script")]:
        tag.decompose()
    _relink(chapter, name)
    title = _inner(chapter.h1)
    slides = [*_slides_without_parts(chapter, title), *_slides_of(chapter)]
    return _PAGE.format(
        title=escape(BeautifulSoup(title, "html.parser").get_text()),
        styles="".join(str(tag) for tag in head.select("link:is([rel=stylesheet], [rel~=icon])")),
        slides="\n".join(slide.html() for slide in slides),
        scripts="".join(str(tag) for tag in head.select("script[src]") if _file(tag) in _SCRIPTS),
    )


def _slides_of(section: Tag) -> Iterator[Slide]:
    """Yield the slides of the sections in `section`, its questions last."""
    parts = section.find_all("section", recursive=False)
    for part in sorted(parts, key=lambda part: part.get("id") == _QUESTIONS):
        if part.get("id") in _LEFT_OUT:
            continue
        inner = _inner(part.find(["h2", "h3"]))
        yield from _questions(part, inner) if part.get("id") == _QUESTIONS else _slides_without_parts(part, inner)
        yield from _slides_of(part)


def _slides_without_parts(section: Tag, title: str) -> list[Slide]:
    """Return the slides of what stands in `section` itself, and not in a section within it."""
    slides, slide = [], Slide(title)
    for tag in section.find_all(recursive=False):
        if tag.css.match(SHOWN):
            for inside in tag.find_all("section"):  # as a report has; to reveal.js they would be slides
                inside.name = "div"
            slide.shown = str(tag)
            slides.append(slide)
            slide = Slide(title)
        elif tag.name == "p":
            slide.notes.append(str(tag))
            slide.keys += [_inner(key) for key in tag.find_all(class_="key")]
    last = slides[-1] if slides else slide
    if last is not slide and len(last.keys + slide.keys) <= _KEYS:
        last.keys += slide.keys
        last.notes += slide.notes
    elif slide.keys:
        slides.append(slide)
    return slides


def _questions(section: Tag, title: str) -> Iterator[Slide]:
    """A slide for each folded question, which shows its answer when asked to go on."""
    for tag in section.find_all("details", recursive=False):
        question, answer = tag.select_one(".sd-summary-text"), tag.select_one(".sd-summary-content")
        assert question is not None and answer is not None
        answer["class"] = "fragment answer"
        yield Slide(title, shown=f"<p class='question'>{_inner(question)}</p>{answer}")


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
