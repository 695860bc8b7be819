"""Is every word of the book, the exercises and the README one that a dictionary of American English has?

GNU aspell knows the words; those of the trade stand in words.txt, and `Kind` has the names of findings. The pages are
read as they are built, so what the directives print is read too. Code is not.
"""

import re
import shutil
import subprocess
from pathlib import Path

import inputs
import pytest
from book_pages import ROOT, all_pages, contents

import autograder.exercises  # noqa: F401  (the kinds of what checks find)
from autograder.cuda.report.kinds import kinds

pytestmark = [
    pytest.mark.cached(*inputs.BOOK, "tests/book/words.txt"),
    pytest.mark.skipif(shutil.which("aspell") is None, reason="no aspell"),
]

WORDS = Path(__file__).with_name("words.txt")


def misspelled(text: str) -> set[str]:
    """The unknown words, ignoring case."""
    text = re.sub(r"\w*_\w*", "", text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")  # anything with a _ is a name
    reported = subprocess.run(
        ["aspell", "list", "--lang=en_US", "--encoding=utf-8"],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    known = {word.lower() for word in [*WORDS.read_text().split(), *kinds()]}
    return {word for word in reported.stdout.split() if word.removesuffix("'s").lower() not in known}


def test_every_page_is_spelled_right(html: Path) -> None:
    prose = {str(page.relative_to(html)): " ".join(contents(page).prose) for page in all_pages(html)}
    if misspelled("\n".join(prose.values())):  # one call for all, since it takes its time to start
        where = {name: wrong for name, text in prose.items() if (wrong := misspelled(text))}
        pytest.fail(f"fix, or add to tests/book/words.txt: {where}")


def test_the_readme_is_spelled_right() -> None:
    text = re.sub(r"```.*?```|`[^`]*`|^    .*?$", "", (ROOT / "README.md").read_text(), flags=re.DOTALL | re.MULTILINE)
    assert "Two commands" in text
    assert misspelled(text) == set()


def test_what_is_misspelled_is_seen() -> None:
    text = "A thred initialises the colour of a neighbour\N{RIGHT SINGLE QUOTATION MARK}s warp in CUDA, says do_colour."
    assert misspelled(text) == {"thred", "initialises", "colour", "neighbour's"}


#: A number whose groups of digits have another space between them, at which a line may break.
BROKEN = re.compile(r"(?<!\w)\d{1,3}(?:[ \u00a0\u2009]\d{3})+(?!\w)")


def test_no_number_breaks_between_two_lines() -> None:
    pages = {page.name: BROKEN.findall(page.read_text()) for page in sorted((ROOT / "book").glob("*.md"))}
    assert not {name: found for name, found in pages.items() if found}, "write U+202F, a narrow no-break space"


def test_a_number_that_may_break_is_seen() -> None:
    assert BROKEN.findall("16 777 216 + 1, of an H200 128, on Jan 30, 2026 311 PM") == ["16 777 216"]


def test_the_words_of_the_trade_are_in_order() -> None:
    words = WORDS.read_text().split()
    assert words == sorted(set(words), key=lambda word: (word.lower(), word))
