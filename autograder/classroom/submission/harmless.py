"""A student's Markdown, so that no page runs anything of it.

nbgrader's pages (formgrader, feedback) show a text as nbconvert renders it, and nbconvert passes on HTML, diagrams, and
links that run a script; MathJax makes links of formulas. So each text is rendered here, by the same parser, to see what
it would pass on: what is more than words, code, formulas and links to the web comes back as text.
"""

from __future__ import annotations

import re
from typing import Any

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

#: Tags without attributes, which only say how words look.
_PLAIN_TAG = re.compile(r"</?(?:b|i|u|em|strong|s|del|sub|sup|small|code|kbd|br|p) */?>", re.I)
_WEB = re.compile(r"(?:https?://|mailto:|#).*", re.I)
#: What makes MathJax link, load, style or define.
_COMMAND = re.compile(
    r"\\(?:href|url|require|style|class|cssId|data|mmlToken|html\w*|unicode|includegraphics"
    r"|def|let|(?:re)?new(?:command|environment))(?![a-zA-Z])"
)
#: What begins a formula that the parser looks for the end of, up to the end of the text; and how many of them a text
#: may have. (Honest ones have a few.)
_FORMULA = re.compile(r"\\begin\{|\\\\[(\[]")
_MOST_FORMULAS = 300


def harmless(text: str) -> str:
    """`text`: unchanged if a page shows nothing of it but words, code, formulas and links to the web; else with its
    tags as text; and if that is not enough, or takes too long to find out, as a block of code."""
    if len(_FORMULA.findall(text)) > _MOST_FORMULAS:
        return fenced(text)
    found = _more_than_markdown(text)
    shown = text
    for raw in sorted({raw.strip() for raw in found}, key=len, reverse=True):
        shown = shown.replace(raw, re.sub(r"(?<!\\)<", r"\\<", raw))
    return text if not found else fenced(text) if _more_than_markdown(shown) else shown


def fenced(code: str) -> str:
    """`code` as a block of code in Markdown."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
    return f"{fence}\n{code.rstrip()}\n{fence}"


def _more_than_markdown(text: str) -> list[str]:
    """The parts of `text` that a page must not show as they are."""
    finder = _Finder(escape=False)
    try:
        MarkdownWithMath(renderer=finder).render(text)
    except Exception:  # the parser's; in a page it would fail again
        return [text]
    return finder.found + _COMMAND.findall(text)


class _Finder(IPythonRenderer):
    """Lists in `found` what nbconvert would pass on to a page."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.found: list[str] = []

    def inline_html(self, html: str) -> str:
        if not _PLAIN_TAG.fullmatch(html):
            self.found.append(html)
        return html

    def block_html(self, html: str) -> str:
        self.found.append(html)
        return html

    def block_mermaidjs(self, code: str) -> str:
        self.found.append(code)
        return code

    def link(self, text: str, url: str, title: str | None = None) -> str:
        if not _WEB.fullmatch(url):
            self.found.append(url)
        return text

    def image(self, text: str, url: str, title: str | None = None) -> str:
        self.found.append(url)
        return text
