"""Are checks explained in notebooks by kind, in the words of the notebook's chapter?"""

import json
import re
from pathlib import Path

import nbformat
import pytest

from autograder.cuda.errors import UsageError
from autograder.exercises.authoring.explanations import explain
from autograder.exercises.authoring.preprocessors import Explain

ROOT = Path(__file__).parents[3]
SOURCES = sorted(ROOT.glob("solutions/*/*.ipynb"))


def test_a_check_is_explained_in_the_words_of_the_chapter() -> None:
    assert "explains waiting" in explain("{{explain barrier}}", "programs")
    assert explain("| {{explain barrier}} |", "tiling").endswith("A kernel without barriers passes |")
    assert "shuffle" in explain("{{explain barrier}}", "attention")
    assert explain("As it is.\n\n{{chapter races}}", "threads") == "As it is.\n\n{{chapter races}}"


def test_words_of_a_later_chapter_are_folded() -> None:
    source = "Few pieces.\n\n{{later coalescing}} Few\nsectors.\n\nThe end."
    summary = "<summary>The exact rule, once you have read {{chapter coalescing}}</summary>"
    folded = f"Few pieces.\n\n<details>\n{summary}\n\nFew\nsectors.\n\n</details>\n\nThe end."
    assert explain(source, "memory") == folded
    assert explain(source, "coalescing") == explain(source, "banks") == "Few pieces.\n\nFew\nsectors.\n\nThe end."


def test_a_text_or_chapter_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match=r"\{\{explain barriers\}\} names no text: explanations.md has barrier, "):
        explain("{{explain barriers}}", "threads")
    with pytest.raises(UsageError, match="coalesced is no chapter of the book: it has threads, "):
        explain("{{later coalesced}} Sectors.", "threads")


def test_a_release_explains_markdown_alone() -> None:
    cells = [nbformat.v4.new_markdown_cell("{{explain barrier}}"), nbformat.v4.new_code_cell("'{{explain barrier}}'")]
    resources = {"nbgrader": {"assignment": "shared_memory"}}
    released, _ = Explain().preprocess(nbformat.v4.new_notebook(cells=cells), resources)
    assert [cell.source[:8] for cell in released.cells] == ["whenever", "'{{expla"]


#: A thread or a block is (x, y), an element (row, column).
REVERSED = re.compile(r"(?:threads?|blocks?) \((?:y|row|col|column), |elements? \((?:x|y|col|column), ", re.IGNORECASE)


def test_one_order_of_indices_everywhere() -> None:
    texts = [*SOURCES, *sorted(ROOT.glob("book/*.md")), *sorted(ROOT.glob("book/kernels/**/*.cu"))]
    assert [(path.name, found[0]) for path in texts for found in REVERSED.finditer(path.read_text())] == []


def test_a_reversed_order_is_seen() -> None:
    found = REVERSED.findall("Thread (x, y), block (1, 0), thread (y, x), element (row, column), elements (x, y) of A")
    assert found == ["thread (y, ", "elements (x, "]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_an_exercise_with_two_orders_says_so(path: Path) -> None:
    assert ("{{explain order}}" in path.read_text()) == bool(re.search(r"(threadIdx|blockIdx)\.y", path.read_text()))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_exercise_explains_the_uses_of_memory_that_it_limits(path: Path) -> None:
    cells = json.loads(path.read_text())["cells"]
    checked = any(".shares_the_work(" in "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert ("{{explain memory}}" in text) == checked
    assert not re.search(r"\bone use\b", text)
