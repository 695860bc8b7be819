"""What a chapter's built page shows, so that slides can show it again: figures, listings, tables, reports and lists.

A piece has a name: the id of its place and its kind, and a number if the place has several of that kind, as in
`take-it-away report` and `check-yourself question 2`. What has an id of its own, such as `barriers-figure`, has that
name, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from bs4 import BeautifulSoup, Tag

#: The kinds of pieces, as CSS selectors of a section's own children. The first that matches decides.
_KINDS = {
    "question": "details",
    "report": ".report",
    "switches": ".ks",
    "figure": "figure",
    "table": ".numbered-table, .pst-scrollable-table-container",
    "listing": ".listing, .literal-block-wrapper",
    "list": "ol, ul",
    "code": "div[class^='highlight-']",
}
_CAPTIONS = "figcaption, .code-block-caption, p:has(> .caption-number)"


@dataclass
class Piece:
    """A piece of a page, as HTML: what is `shown`, its `number` in the book ("Figure 5.1"; empty if it has none), and
    the paragraphs of the page that lead up to it, with its caption."""

    kind: str
    shown: str
    number: str
    text: list[str]


def pieces(chapter: Tag) -> dict[str, Piece]:
    """Return the pieces of a chapter by each of their names. It takes `chapter`, the page's section, apart."""
    found: dict[str, Piece] = {}
    for place in [chapter, *chapter.find_all("section")]:
        if "autograder-report" in (place.get("class") or ()):
            continue
        numbers: Counter[str] = Counter()
        text: list[str] = []
        for tag in _children(place):
            kind = next((kind for kind, selector in _KINDS.items() if tag.css.match(selector)), "")
            if not kind:
                text += [str(tag)] if tag.name == "p" else []
                continue
            numbers[kind] += 1
            piece = _piece(kind, tag, text)
            text = []
            name = f"{place['id']} {kind}"
            for alias in (f"{name} {numbers[kind]}", *([name] if numbers[kind] == 1 else []), *_ids(tag)):
                found.setdefault(alias, piece)
    return found


def _children(place: Tag) -> Iterator[Tag]:
    """What is in a section itself. What is folded there counts, except for questions, which stay whole."""
    for tag in place.find_all(recursive=False):
        folded = tag.select_one(".sd-summary-content") if tag.name == "details" else None
        if folded is not None and place.get("id") != "check-yourself":
            yield from folded.find_all(recursive=False)
        else:
            yield tag


def _piece(kind: str, tag: Tag, text: list[str]) -> Piece:
    caption = tag.select_one(_CAPTIONS)
    if kind == "question":
        question, answer = _question(tag)
        shown = f"<p class='question'>{question}</p><div class='fragment answer'>{answer}</div>"
        return Piece(kind, shown, "", [f"<div>{answer}</div>"])
    number = ""
    if caption is not None and kind != "switches":  # whose captions belong to listings that change
        caption.extract()
        label = caption.select_one(".caption-number")
        number = label.get_text().strip() if label is not None else ""
        text = [*text, f"<p>{(caption.p or caption).decode_contents()}</p>"]
    for inside in tag.find_all("section"):  # as a report has; to reveal.js they would be slides
        inside.name = "div"
    return Piece(kind, str(tag), number, text)


def _question(details: Tag) -> tuple[str, str]:
    """Return a folded question and its answer, as HTML."""
    question, answer = details.select_one(".sd-summary-text"), details.select_one(".sd-summary-content")
    assert question is not None and answer is not None
    return question.decode_contents().strip(), answer.decode_contents().strip()


def _ids(tag: Tag) -> list[str]:
    return [str(part["id"]) for part in [tag, *tag.select(".literal-block-wrapper, table")] if part.get("id")]


def parsed(page: str) -> tuple[Tag, Tag]:
    """Return the head of a built page and its chapter, without scripts and what only a page needs."""
    soup = BeautifulSoup(page, "html.parser")
    head, chapter = soup.head, soup.article and soup.article.section
    assert head is not None and chapter is not None
    for tag in [*chapter.find_all(class_=["headerlink", "copybtn"]), *chapter.find_all("script")]:
        tag.decompose()
    return head, chapter
