"""Does every link within the book lead somewhere, and does no page load anything from elsewhere?

Links to other hosts are tried by `make links`, once a week.
"""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import inputs
from book_pages import all_pages, contents

pytestmark = inputs.book


def broken_links(folder: Path) -> list[str]:
    """Each link within the site that leads to no file, or to no place in it."""
    wrong = []
    for page in all_pages(folder):
        for _, address in contents(page).links:
            to = urlsplit(address)
            if to.scheme or to.netloc:
                continue
            file = (page.parent / unquote(to.path)).resolve() if to.path else page
            place = unquote(to.fragment)
            if not file.is_file() or (file.suffix == ".html" and place not in contents(file).ids | {""}):
                wrong.append(f"{page.relative_to(folder)}: {address}")
    return wrong


def test_every_link_within_the_book_leads_somewhere(html: Path) -> None:
    assert sum(len(contents(page).links) for page in all_pages(html)) > 1000
    assert broken_links(html) == []


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">1</a><a href="b.html#there">2</a><a href="c.html">3</a><a href="#top">4</a>'
        '<a id="a" href="#a">5</a><a href="https://host.invalid/x">6</a><img src="d.png">'
    )
    (tmp_path / "b.html").write_text('<p id="here">')
    assert broken_links(tmp_path) == ["a.html: b.html#there", "a.html: c.html", "a.html: #top", "a.html: d.png"]


def test_no_page_names_another_host_to_load_from(html: Path) -> None:
    pages = all_pages(html)
    assert len(pages) >= 5
    for page in pages:
        for tag, address in contents(page).links:
            assert tag == "a" or not re.match(r"(https?:)?//", address), (page, tag, address)
        assert "thebe" not in page.read_text()
