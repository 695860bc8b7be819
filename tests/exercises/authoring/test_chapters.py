"""Do reports name the book's chapters, and follow it when chapters change?"""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest

from autograder.cuda.errors import UsageError
from autograder.cuda.report.chapters import chapters, reference
from autograder.exercises.authoring.chapters import DATA, check_chapters, read_chapters, write_chapters
from autograder.exercises.authoring.preprocessors import NameChapters

ROOT = Path(__file__).parents[3]
NUMBERED = re.compile(r"[Cc]hapters? \d+")
TOC = """\
format: jb-book
root: book/index
parts:
  - caption: Chapters
    numbered: 1
    chapters:
      - file: book/memory
        sections: [{file: exercises/memory/saxpy}]
      - file: book/barriers
  - caption: Reference
    chapters: [{file: book/glossary}]
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "book").mkdir()
    (tmp_path / DATA).parent.mkdir(parents=True)
    (tmp_path / "_toc.yml").write_text(TOC)
    (tmp_path / "book" / "memory.md").write_text("---\nkey: value\n---\n# Where data lives\n\n# Not this one\n")
    (tmp_path / "book" / "barriers.md").write_text("# Barriers\n")
    return tmp_path


def test_the_chapters_of_reports_are_those_of_the_book() -> None:
    assert check_chapters(ROOT) == ()
    number = list(read_chapters(ROOT)).index("barriers") + 1
    assert (reference("barriers"), reference("")) == (f'Chapter {number}, "Barriers"', "")
    assert [chapter.number for chapter in chapters().values()] == list(range(1, len(chapters()) + 1))


def test_a_chapter_is_inserted_by_a_page_and_a_line(book: Path) -> None:
    assert len(write_chapters(book)) == 1 and check_chapters(book) == ()
    (book / "book" / "tiling.md").write_text("# Tiling\n")
    toc = book / "_toc.yml"
    toc.write_text(
        toc.read_text().replace("      - file: book/barriers", "      - file: book/tiling\n      - file: book/barriers")
    )
    (line,) = check_chapters(book)
    assert line.startswith(f"{DATA} differs")
    assert write_chapters(book) == (line,)
    reported = json.loads((book / DATA).read_text())
    assert {key: (chapter["number"], chapter["title"]) for key, chapter in reported.items()} == {
        "memory": (1, "Where data lives"),
        "tiling": (2, "Tiling"),
        "barriers": (3, "Barriers"),
    }


def test_reports_that_the_readme_shows_name_chapters_as_the_book_does(book: Path) -> None:
    readme = book / "README.md"
    readme.write_text('Read    Chapter 7, "Barriers"\nChapter 9, "Of another book", after Chapter 2\n')
    (data, line) = check_chapters(book)
    assert data.startswith(f"{DATA} differs") and line.startswith("README.md differs")
    assert write_chapters(book) == (data, line) and check_chapters(book) == ()
    assert readme.read_text() == 'Read    Chapter 2, "Barriers"\nChapter 9, "Of another book", after Chapter 2\n'


def test_a_chapter_without_a_page_is_named(book: Path) -> None:
    (book / "book" / "barriers.md").unlink()
    with pytest.raises(UsageError, match=r"_toc\.yml lists book/barriers: write book/barriers\.md"):
        write_chapters(book)
    (book / "_toc.yml").write_text("root: book/index\n")
    with pytest.raises(UsageError, match=r"_toc\.yml lists no chapters"):
        read_chapters(book)


def test_a_course_without_a_book_keeps_its_chapters(tmp_path: Path) -> None:
    assert check_chapters(tmp_path) == write_chapters(tmp_path) == ()


def test_a_notebook_names_chapters_by_key() -> None:
    texts = ('{{Chapter barriers}}, "{{title barriers}}", after {{chapter memory}}', "x = '{{chapter memory}}'")
    cells = [nbformat.v4.new_markdown_cell(texts[0]), nbformat.v4.new_code_cell(texts[1])]
    released, _ = NameChapters().preprocess(nbformat.v4.new_notebook(cells=cells), {})
    reported = f"{reference('barriers')}, after chapter {chapters()['memory'].number}"
    assert [cell.source for cell in released.cells] == [reported, texts[1]]
    unknown = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("{{chapter barrier}}")])
    with pytest.raises(UsageError, match=r"\{\{chapter barrier\}\} names no chapter of the book: it has threads, "):
        NameChapters().preprocess(unknown, {})


def test_a_notebook_links_to_the_book_by_page_and_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "_config.yml").write_text("repository: {url: https://github.com/ada/threads, branch: main}\n")
    monkeypatch.chdir(tmp_path)
    cell = nbformat.v4.new_markdown_cell("[here]({{book appendix-findings#race}})")
    released, _ = NameChapters().preprocess(nbformat.v4.new_notebook(cells=[cell]), {})
    address = "https://ada.github.io/threads/book/appendix-findings.html#race"
    assert [cell.source for cell in released.cells] == [f"[here]({address})"]


def test_no_chapter_is_numbered_by_hand() -> None:
    sources = [*ROOT.glob("solutions/*/*.ipynb"), *ROOT.glob("book/*.md"), *ROOT.glob("**/kernels/**/*.cu")]
    assert len(sources) > 200
    found = [f"{path.name}: {match[0]}" for path in sources for match in NUMBERED.finditer(path.read_text())]
    assert found == []
