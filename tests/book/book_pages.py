"""What the tests of the book read from its pages."""

import functools
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from bs4 import Tag

ROOT = Path(__file__).parents[2]

#: Elements that are not prose: code or drawings.
_CODE = {"code", "pre", "script", "style", "svg", "kbd"}
_CODE_CLASSES = {"ag-code", "genindextable", "headerlink", "report", "sig"}
_VOID = set("area base br col embed hr img input link meta source track wbr".split())


@dataclass
class Contents(HTMLParser):
    """A page's contents: its ids, what it links to or loads as (tag, address), and its prose."""

    ids: set[str] = field(default_factory=set)
    links: list[tuple[str, str]] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[bool] = [False]  # for each open element: whether its text is prose

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids.add(given.get("id") or "")
        self.links += [(tag, address) for key in ("href", "src") if (address := given.get(key)) is not None]
        if tag in _VOID:
            return
        code = tag in _CODE or _CODE_CLASSES & set((given.get("class") or "").split())
        self._open.append((self._open[-1] or tag == "article") and not code)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open[-1]:
            self.prose.append(data)


@functools.cache
def contents(path: Path) -> Contents:
    """The contents of the page at `path`."""
    page = Contents()
    page.feed(path.read_text())
    return page


def first(within: Tag, selector: str) -> Tag:
    """The first tag in `within` that matches a CSS selector; there must be one."""
    found = within.select_one(selector)
    assert found is not None, selector
    return found


def attribute(tag: Tag, name: str) -> str:
    """An attribute that a tag must have, as text."""
    value = tag[name]
    assert isinstance(value, str), name
    return value


def words(tag: Tag) -> str:
    """A tag's text, with one space between words."""
    return " ".join(tag.get_text(" ").split())


def all_pages(html: Path) -> list[Path]:
    return sorted(path for path in html.rglob("*.html") if "_static" not in path.parts)
