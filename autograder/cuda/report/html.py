"""A report as self-contained HTML, readable on a light and on a dark page."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from . import picture
from .chapters import chapters
from .kinds import FINDINGS, anchor
from .layout import Report
from .parts import Part, Row

# Every rule is scoped by the class of the outermost element. All text has the page's own color, so
# that it can be read on white and on black; only the bar beside it has one.
_STYLE = """<style>
.autograder-report { border-left: 4px solid #d1495b; padding: 0.2em 0 0.2em 1em; max-width: 60em; }
.autograder-report p { margin: 0.5em 0; line-height: 1.45; }
.autograder-report .ag-title { font-weight: 600; }
.autograder-report .ag-where { opacity: 0.75; margin-top: -0.3em; }
.autograder-report .ag-code { overflow-x: auto; }
.autograder-report table { border-collapse: collapse; margin: 0.3em 0; border: 0; }
.autograder-report td { text-align: left; padding: 0.1em 1.2em 0.1em 0; border: 0; background: none;
  white-space: pre; vertical-align: top; font-family: monospace; }
.autograder-report td.ag-note { white-space: pre-wrap; }
.autograder-report dl { display: grid; grid-template-columns: 4em 1fr; margin: 0.6em 0 0; }
.autograder-report dt { font-weight: 600; }
.autograder-report dd { margin: 0; }
</style>"""


def to_html(report: Report, address: Callable[[str], str] | None = None) -> str:
    """`report` as one HTML element with its own style. Everything in it is escaped. A picture comes at the end, with
    the player that it needs: a notebook may show each output in a frame of its own.

    Args:
        address: gives the address of a page of the book, to link to, where that is at hand.
    """
    head = f'<p class="ag-title">{escape(report.title)}</p>'
    if report.where:
        head += f'<p class="ag-where">{escape(report.where)}</p>'
    read = escape(report.read)
    if read and address:
        read = reading(read, next(iter(report.kinds), ""), address)
    foot = "".join(
        f"<dt>{label}</dt><dd>{text}</dd>" for label, text in (("Hint", escape(report.hint)), ("Read", read)) if text
    )
    return (
        f'{_STYLE}<section class="autograder-report" role="status" aria-label="{escape(report.title)}">'
        f"{head}{''.join(_part(part) for part in report.parts)}{f'<dl>{foot}</dl>' if foot else ''}"
        # Outside of the live region: screen readers would announce every frame.
        f"</section>{picture.with_player(report.picture) if report.picture else ''}"
    )


def reading(chapter: str, kind: str, address: Callable[[str], str]) -> str:
    """The last line of a report, with links: to a chapter, which `chapters.reference` named, and to the section about a
    kind of finding, if there is one."""
    number = int(chapter.removeprefix("Chapter ").partition(",")[0])
    page = next(listed.page for listed in chapters().values() if listed.number == number)
    linked = f'<a href="{address(page)}">{chapter}</a>'
    return f'{linked}, and about <a href="{address(FINDINGS)}#{anchor(kind)}">{kind}</a>' if kind else linked


def _part(part: Part) -> str:
    if isinstance(part, str):
        return f"<p>{escape(part).replace(chr(10), '<br>')}</p>"
    return f'<div class="ag-code"><table><tbody>{"".join(_row(row) for row in part)}</tbody></table></div>'


def _row(row: Row) -> str:
    who = f"<td>{escape(row.who)}</td>" if row.who else ""
    empty = "<td></td>" * (2 if row.who else 1)
    html = f"<tr>{who}<td>line {row.line}</td><td>{escape(row.text)}</td></tr>"
    if row.column:
        html += f"<tr>{empty}<td>{' ' * (row.column - 1)}^</td></tr>"
    if row.note:
        html += f'<tr>{empty}<td class="ag-note">{escape(row.note)}</td></tr>'
    return html
