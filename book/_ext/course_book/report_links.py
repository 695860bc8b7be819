"""On a page, a report's `Read` line links to the chapter that it names, and to the section about the finding."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from sphinx.application import Sphinx

from autograder.cuda.report import Report, to_html
from autograder.cuda.report.html import reading


def report_on_page(report: Report) -> str:
    """Return a report as HTML for a page of the book, where `link_reports` makes links of its last line."""
    # Unlike in a notebook, it is there from the start, so there is nothing to announce.
    html = re.sub(r' role="status" aria-label="[^"]*"', "", to_html(report))
    return f'<div class="report" data-finding="{escape(next(iter(report.kinds), ""))}">{html}</div>'


def link_reports(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Called by Sphinx for each page, before it is written."""

    def pathto(name: str) -> str:
        return "" if name == page else str(context["pathto"](name))

    def linked(match: re.Match[str]) -> str:
        return match["before"] + reading(match["chapter"], match["kind"], pathto)

    context["body"] = re.sub(
        r'(?P<before><div class="report" data-finding="(?P<kind>\w*)">(?:(?!<div class="report").)*?<dt>Read</dt><dd>)'
        r"(?P<chapter>Chapter \d+, [^<]*)",
        linked,
        context.get("body", ""),
        flags=re.DOTALL,
    )
