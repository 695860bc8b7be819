"""Questions for an exam, from `solutions/<chapter>/exam.md`, which students never get.

A question is a heading with its points, `## An index (4 points)`, its text, and below `### Answer` the answer and how
to give the points. A kernel in a question begins with comment lines that say what the emulator finds in which launch,
as the book's kernels do: `// finds: ...`, `// launch: ...` and, if counts are asked for, `// counts: ...`. A paper does
not have these lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...cuda.errors import UsageError

_HEADING = re.compile(r"^## (.+) \((\d+) points\)\n", re.MULTILINE)
_ANSWER = "\n### Answer\n"
_HEAD = re.compile(r"(?<=^```cuda\n)(?:// (?:finds|launch|counts): .*\n)+", re.MULTILINE)


@dataclass(frozen=True)
class Question:
    """A question: its title, its points, its text and its answer, both in Markdown."""

    title: str
    points: int
    text: str
    answer: str


def questions(path: Path) -> tuple[Question, ...]:
    """Return the questions in a chapter's file, in their order.

    Raises:
        UsageError: the file does not exist, a heading states no points, or a question has no answer.
    """
    if not path.is_file():
        there = sorted(chapter_path.parent.name for chapter_path in path.parents[1].glob("*/exam.md"))
        why = f"The chapters with questions are {', '.join(there)}." if there else "Run this in the course's folder."
        raise UsageError(f"There is no {path}. {why}")
    text = path.read_text(encoding="utf-8")
    before, *parts = _HEADING.split(text)
    found = []
    for title, points, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        problem, mark, answer = body.partition(_ANSWER)
        if not mark or "\n## " in body:
            raise UsageError(f"{path}: after '{title}', a heading has no '(4 points)' or an '### Answer' is missing.")
        found.append(Question(title, int(points), problem.strip(), answer.strip()))
    if before.strip() or not found:
        raise UsageError(f"{path} must begin with a heading such as '## An index (4 points)'.")
    return tuple(found)


def paper(root: Path, chapters: Sequence[str], *, answers: bool) -> str:
    """Return an exam with all questions about these chapters of the course at `root`, in Markdown.

    Args:
        chapters: folders in solutions/.
        answers: also print the answers.

    Raises:
        UsageError: as `questions` says.
    """
    chosen = [question for chapter in chapters for question in questions(root / "solutions" / chapter / "exam.md")]
    parts = [f"# Exam: {sum(question.points for question in chosen)} points" + (", with answers" if answers else "")]
    for number, question in enumerate(chosen, 1):
        parts.append(f"## {number}. {question.title} ({question.points} points)\n\n{_HEAD.sub('', question.text)}")
        if answers:
            parts.append(f"### Answer\n\n{question.answer}")
    return "\n\n".join(parts) + "\n"
