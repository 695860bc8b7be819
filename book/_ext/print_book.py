"""Print the built book, or some pages of it, as one PDF, with Chromium.

    python book/_ext/print_book.py _build/html _build/book.pdf [book/barriers ...]

Jupyter Book's own builder for this, `pdfhtml`, prints pages without outline, numbers or contents, and needs a browser
that Playwright has downloaded. Here all pages become one, so that Chromium makes links and outline itself. It prints
twice, since only the first PDF tells on which page each chapter begins.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from posixpath import dirname, join, normpath

from bs4 import BeautifulSoup, Tag
from bs4.filter import SoupStrainer
from playwright.sync_api import Page, sync_playwright
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DictionaryObject, NameObject, TextStringObject

ROOT = Path(__file__).resolve().parents[2]
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_FOOTER = '<div style="width: 100%; text-align: center; font-size: 8px"><span class="pageNumber"></span></div>'
#: Attributes that name one or more ids of the same page.
_POINTERS = ("aria-labelledby", "aria-describedby", "for", "headers")


def in_order() -> list[str]:
    """Return the pages as _toc.yml lists them."""
    return re.findall(r"^ *(?:- )?(?:root|file): (\S+)$", (ROOT / "_toc.yml").read_text(), re.MULTILINE)


def mark(name: str, place: str = "") -> str:
    """Return the id in the combined page of a place on a page: "book-barriers--summary"."""
    return name.replace("/", "-") + (f"--{place}" if place else "")


def article(html: Path, name: str, names: Sequence[str]) -> Tag:
    """Return the text of a page, with the ids and links of the combined page."""
    text = (html / f"{name}.html").read_text()
    found = BeautifulSoup(text, "html.parser", parse_only=SoupStrainer("article")).find("article")
    assert isinstance(found, Tag)
    for tag in found.select("script, .headerlink"):
        tag.decompose()
    for tag in found.select(".cell"):
        if tag.get_text().strip().startswith("check("):  # its line in the table of checks says more
            tag.decompose()
    for tag in found.find_all(id=True):
        tag["id"] = mark(name, str(tag["id"]))
    for tag in found.find_all(True):
        for key in _POINTERS:
            if key in tag.attrs:
                ids = tag[key] if isinstance(tag[key], list) else str(tag[key]).split()
                tag[key] = " ".join(mark(name, place) for place in ids)
        for key, value in tag.attrs.items():
            if "url(#" in str(value):
                tag[key] = str(value).replace("url(#", f"url(#{mark(name)}--")
    for link in found.select("a[href]"):
        to, _, place = str(link["href"]).partition("#")
        if re.match(r"\w+:", to):
            continue
        target = normpath(join(dirname(name), to)).removesuffix(".html") if to else name
        if target in names:
            link["href"] = "#" + mark(target, place)
        else:
            del link["href"]  # what is not printed
    if name.startswith("exercises/"):  # they belong to the chapter before
        for level in (3, 2, 1):
            for heading in found.find_all(f"h{level}"):
                heading.name = f"h{level + 1}"
    found["id"] = mark(name)
    found["class"] = "bd-article printed"
    return found


def whole(html: Path, articles: Sequence[Tag], numbers: Mapping[str, int]) -> str:
    """Return the combined page; `numbers` says by id on which sheet each article begins, for the contents."""
    first = BeautifulSoup((html / "book" / "index.html").read_text(), "html.parser")
    title = first.h1.find(string=True, recursive=False) if first.h1 else ""
    styles = "".join(str(tag) for tag in first.select('link[rel="stylesheet"]'))
    rows = "".join(
        f'<li class="{"part" if tag.h1 else "exercise"}"><a href="#{tag["id"]}">{heading(tag)}</a>'
        f"<span>{numbers.get(str(tag['id']), '')}</span></li>"
        for tag in articles
    )
    return (
        f'<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8"><title>{title}</title>{styles}'
        f'</head><body><main class="bd-main"><div class="bd-content"><div class="bd-article-container">'
        f'<nav class="printed-contents" aria-label="Contents"><p class="printed-title">{title}</p><ol>{rows}</ol></nav>'
        f"{''.join(map(str, articles))}</div></div></main></body></html>"
    )


def heading(tag: Tag) -> str:
    found = tag.find(["h1", "h2"])
    return escape(found.get_text().strip()) if found else ""


def sheets(pdf: Path) -> dict[str, int]:
    """Return the sheet, from 1, of each link target."""
    reader = PdfReader(pdf)
    numbers = {}
    for name, place in reader.named_destinations.items():
        number = reader.get_destination_page_number(place)
        if number is not None:
            numbers[name.removeprefix("/")] = number + 1
    return numbers


def print_once(page: Page, html: Path, text: str, pdf: Path) -> None:
    # Beside the pages, so that its relative links to styles work.
    with tempfile.NamedTemporaryFile("w", dir=html / "book", suffix=".html") as file:
        file.write(text)
        file.flush()
        page.goto(Path(file.name).as_uri())
        page.pdf(
            path=pdf,
            outline=True,
            tagged=True,
            prefer_css_page_size=True,
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=_FOOTER,
        )


def fix_outline(pdf: Path) -> None:
    """Fix headings that Chromium doubles ("SummarySummary") because it had to move them to the next sheet."""
    writer = PdfWriter(clone_from=pdf)
    below = [writer.root_object["/Outlines"].get_object()]
    while below:
        entry = below.pop()
        assert isinstance(entry, DictionaryObject)
        below += [entry[key].get_object() for key in ("/First", "/Next") if key in entry]
        title = str(entry.get("/Title", ""))
        if title and title[: len(title) // 2] * 2 == title:
            entry[NameObject("/Title")] = TextStringObject(title[: len(title) // 2])
    writer.write(pdf)


def print_book(html: Path, pdf: Path, names: Sequence[str] = ()) -> None:
    """Print these pages, or all, as one file with an outline, contents and page numbers.

    Raises:
        SystemExit: there is no browser, or the book is not built.
    """
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        raise SystemExit("To print the book, Chromium is needed: install it (on Debian: apt install chromium).")
    if not (html / "book" / "index.html").exists():
        raise SystemExit(f"There is no book in {html}: run make course, which builds it.")
    names = names or in_order()
    articles = [article(html, name, names) for name in names]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page()
        page.set_default_timeout(600_000)
        print_once(page, html, whole(html, articles, {}), pdf)
        print_once(page, html, whole(html, articles, sheets(pdf)), pdf)
        chromium.close()
    fix_outline(pdf)


if __name__ == "__main__":
    print_book(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
    print(f"The book as a PDF: {sys.argv[2]}")
