"""The texts of `templates/explanations.md`, which source notebooks name: explained by kind of check, not by notebook.

In Markdown, `{{explain memory}}` becomes the text `memory`, in the words that the notebook's chapter has. A paragraph
that begins with `{{later coalescing}}` uses words of that chapter: in the exercises of earlier chapters it is folded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ...cuda.errors import UsageError
from ...cuda.report.chapters import chapters

_TEMPLATE = Path(__file__).parent / "templates" / "explanations.md"
_EXPLAIN = re.compile(r"\{\{explain ([\w-]+)\}\}")
_LATER = re.compile(r"\{\{later ([\w-]+)\}\}\s*")
_HEADING = re.compile(r"^## ([\w-]+)(?:, from ([\w-]+))?\n", re.MULTILINE)
_SUMMARY = "The exact rule, once you have read {{{{chapter {chapter}}}}}"
_FOLD = f"<details>\n<summary>{_SUMMARY}</summary>\n\n{{text}}\n\n</details>"


def explain(source: str, chapter: str) -> str:
    """The Markdown `source` of a cell of an exercise of `chapter`, with all explanations put in.

    Raises:
        UsageError: there is no such explanation, or no such chapter.
    """
    source = _EXPLAIN.sub(lambda named: _text(named[1], chapter), source)
    return "\n\n".join(_folded(paragraph, chapter) for paragraph in source.split("\n\n"))


def _text(key: str, chapter: str) -> str:
    texts = _texts().get(key)
    if texts is None:
        raise UsageError(f"{{{{explain {key}}}}} names no text: {_TEMPLATE.name} has {', '.join(_texts())}.")
    *_, text = (text for since, text in texts.items() if not since or not _precedes(chapter, since))
    return text


def _folded(paragraph: str, chapter: str) -> str:
    later = _LATER.match(paragraph)
    if later is None:
        return paragraph
    text = paragraph[later.end() :]
    return _FOLD.format(chapter=later[1], text=text) if _precedes(chapter, later[1]) else text


def _precedes(chapter: str, other: str) -> bool:
    order = list(chapters())
    for name in (chapter, other):
        if name not in order:
            raise UsageError(f"{name} is no chapter of the book: it has {', '.join(order)}.")
    return order.index(chapter) < order.index(other)


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    """By key, its texts by the chapter from which each holds, in the order of the book; "" is the first chapter."""
    _, *parts = _HEADING.split(_TEMPLATE.read_text(encoding="utf-8"))
    texts: dict[str, dict[str, str]] = {}
    for key, since, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        texts.setdefault(key, {})[since or ""] = text.strip()
    return texts
