"""The questions for an exam: is what their answers say of each kernel true, and does a paper keep them to itself?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from course_book import kernels

from autograder.cli import main
from autograder.cuda.errors import UsageError
from autograder.cuda.report.chapters import chapters
from autograder.exercises.authoring.exam import paper, questions

ROOT = Path(__file__).parents[3]
FOLDERS = [key.replace("-", "_") for key in chapters()]
_KERNEL = re.compile(r"```cuda\n(// finds: .*\n// launch: .*\n)(?:// counts: (.*)\n)?([^`]*)```")


def kernels_of(folder: str) -> list[tuple[str, str]]:
    """Each kernel in a chapter's questions, as a file of the book's would have it, and the counts that it states."""
    text = (ROOT / "solutions" / folder / "exam.md").read_text()
    found = [(f"{head}\n{source}", counts) for head, counts, source in _KERNEL.findall(text)]
    assert len(found) == text.count("```cuda")
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_chapter_has_questions_with_answers(folder: str) -> None:
    found = questions(ROOT / "solutions" / folder / "exam.md")
    assert len(found) >= 2
    assert all(question.points >= 2 and question.text and question.answer for question in found)


@pytest.mark.cached("autograder/**/*", "book/_ext/**/*", "book/kernels/**/*", "solutions/*/exam.md")
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_emulator_finds_and_counts_what_a_question_says(folder: str) -> None:
    for text, counts in kernels_of(folder):
        kernel = kernels.parse(text, f"{folder}/exam.md")
        run = kernel.emulate()
        assert [finding.kind for finding in run.findings][:1] == [kernel.finds[0]] * bool(kernel.finds[0]), text
        for name, count in re.findall(r"(\w+)=(\d+)", counts):
            assert getattr(run.counts, name) == int(count), text


def test_a_paper_has_questions_alone_and_with_answers_both(capsys: pytest.CaptureFixture[str]) -> None:
    (first, *_) = questions(ROOT / "solutions" / "barriers" / "exam.md")
    assert main(["exam", "barriers", "tiling"]) == 0
    printed = capsys.readouterr().out
    assert f"## 1. {first.title} ({first.points} points)" in printed
    assert (
        "Answer" not in printed
        and first.answer not in printed
        and "// finds" not in printed
        and "// launch" not in printed
    )
    assert main(["exam", "barriers", "tiling", "--answers"]) == 0
    assert first.answer in capsys.readouterr().out


def test_an_unknown_chapter_is_named_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"There is no .*barrier/exam\.md\. The chapters .* barriers,"):
        paper(ROOT, ["barrier"], answers=False)


@pytest.mark.parametrize(
    "text", ["## Without points\n\nWhy?\n\n### Answer\n\nSo.\n", "## A (2 points)\n\nWhy?\n", "Why?"]
)
def test_a_file_that_is_no_exam_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "solutions" / "chapter" / "exam.md"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(UsageError, match=r"exam\.md"):
        questions(path)
