"""Does any page of nbgrader's run what a student wrote, or what a notebook's process said?"""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import inputs
import nbformat
import pytest
from nbconvert import HTMLExporter

from autograder.classroom.execution.replay import replay
from autograder.classroom.execution.task import TaskResult
from autograder.classroom.submission.harmless import harmless
from autograder.cuda.report import MIME, Report, to_data, to_html
from autograder.cuda.report.parts import Row
from autograder.exercises import result as check_result
from autograder.exercises.files import write_text

pytestmark = inputs.grading

EVIL = "<img src=x onerror=alert(1)>"
#: Texts that nbconvert, or MathJax after it, makes a running page of.
HOSTILE = {
    "tag": f"Because {EVIL} of banks.",
    "block": "<script>\nalert(1)\n</script>",
    "block in a list": f"- one\n- <div>\n  {EVIL}\n  </div>",
    "table": f"| a |\n|---|\n| {EVIL} |",
    "heading": f"# {EVIL}",
    "link text": f"[{EVIL}](https://a.example)",
    "attribute of a plain tag": "<b onmouseover=alert(1)>x</b>",
    "comment": f"<!-- --!>{EVIL} -->",
    "frame": "<iframe srcdoc='&lt;script&gt;alert(1)&lt;/script&gt;'></iframe>",
    "style": "<style>body { background: url(//a.example) }</style>",
    "after a backslash": f"\\\\{EVIL}",
    "after code": f"``` `x` {EVIL}",
    "diagram": f"```mermaid\n{EVIL}\n```",
    "script link": "[x](javascript:alert(1))",
    "spelled otherwise": "[x](java&#115;cript:alert(1))",
    "named link": "[x]\n\n[x]: javascript:alert(1)",
    "data link": "[x](data:text/html,<script>alert(1)</script>)",
    "autolink": "<javascript:alert(1)>",
    "remote picture": "![x](https://a.example/who-reads-this.png)",
    "lost attachment": "![x](attachment:none.png)",
    "formula": r"$\href{javascript:alert(1)}{x}$",
    "formula that defines": r"$\def\a{\style{background:url(//a.example)}{x}}\a$",
    "formula that loads": r"$\require{html}$",
    "many": EVIL * 500,
}
#: Texts that are shown as they stand.
GOOD = (
    "Since *32* banks <b>wait</b>: 4 < 5, `a<b>c` and $x_i < y$.",
    "```cpp\nstd::vector<float> v;\nif (a <b> c) {}\n```",
    "1. one\n2. two <https://a.example> and [a page](https://a.example/x?y=1)\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "kernel<<<grid, block>>>(x); H<sub>2</sub>O",
)


class Active(HTMLParser):
    """Lists in `found` what does more than show words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "img", "iframe", "svg", "object", "embed", "form", "input", "base", "meta"):
            self.found.append(tag)
        for name, value in attributes:
            if name.startswith("on") or (name in ("href", "src") and not re.match("https?:|mailto:|#", value or "")):
                self.found.append(f"{tag} {name}={value}")

    def handle_comment(self, data: str) -> None:
        self.found.append(f"<!--{data}")


def page_of(*cells: nbformat.NotebookNode) -> Active:
    """The page as formgrader makes it, without what belongs to every page."""
    exporter = HTMLExporter(template_name="basic")  # type: ignore[no-untyped-call]
    return Active(exporter.from_notebook_node(nbformat.v4.new_notebook(cells=list(cells)))[0])


def test_a_page_is_written_through_no_link(tmp_path: Path) -> None:
    (tmp_path / "private").write_text("x")
    for name in ("out.csv", ".out.csv.new"):
        (tmp_path / name).symlink_to(tmp_path / "private")
    write_text(tmp_path / "out.csv", "table")
    assert (tmp_path / "private").read_text() == "x" and not (tmp_path / "out.csv").is_symlink()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_text_runs_nothing_in_a_page(name: str) -> None:
    shown = harmless(HOSTILE[name])
    page = page_of(nbformat.v4.new_markdown_cell(shown))
    assert not page.found
    if "formula" in name:
        assert shown.startswith("```")  # where MathJax leaves it alone
    words = re.findall(r"\w+", HOSTILE[name])
    assert re.findall(r"\w+", shown) == words  # and nothing of it is lost


@pytest.mark.parametrize("text", GOOD)
def test_what_runs_nothing_is_left_as_it_is(text: str) -> None:
    assert harmless(text) == text


def test_a_type_in_angle_brackets_is_shown() -> None:
    assert harmless("a vector<float> of `n<m>`") == r"a vector\<float> of `n<m>`"


@pytest.mark.parametrize("part", [r"\begin{a}", r"\\(", r"\\[", "`"])
@pytest.mark.parametrize("times", [300, 8000])
def test_no_text_takes_long(part: str, times: int) -> None:
    """The parser looks for the end of each formula, up to the end of the text."""
    text = part * times + "a" * (50_000 - 6 * times)
    start = time.process_time()
    shown = harmless(text)
    assert time.process_time() - start < 1
    assert shown == text or shown.strip("`").strip() == text.strip("`")


def message(**data: Any) -> nbformat.NotebookNode:
    """A notebook of one cell, whose process said that it displays `data`."""
    notebook: nbformat.NotebookNode = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("check")])
    output = {"output_type": "display_data", "data": data, "metadata": {}}
    replay(notebook, TaskResult(([output],), "", 0.0))
    return notebook


REPORT = Report("a has no races: FAILED", parts=((Row("thread 1", 3, "x"),),))


@pytest.mark.parametrize(
    "data",
    [
        {"text/html": EVIL},
        {"text/html": EVIL, MIME: to_data(REPORT)},
        {"text/markdown": EVIL},
        {"image/svg+xml": "<svg onload=alert(1)></svg>"},
        {"application/javascript": "alert(1)"},
        {"text/html": EVIL, MIME: {**to_data(REPORT), "parts": [[{**vars(Row("", 1, "")), "line": EVIL}]]}},
        {"text/html": EVIL, MIME: {**to_data(REPORT), "title": EVIL}},
        {"text/html": EVIL, MIME: [EVIL]},
    ],
)
def test_what_a_notebooks_process_said_runs_nothing_in_a_page(data: dict[str, Any]) -> None:
    found = page_of(*message(**{"text/plain": "said", **data}).cells).found
    assert set(found) <= {"style"}  # a report's own


def test_a_report_is_shown_as_it_was() -> None:
    stored = {"text/plain": "said", "text/html": to_html(REPORT), MIME: to_data(REPORT), check_result.MIME: {"x": 1}}
    assert message(**stored).cells[0].outputs[0].data == stored
