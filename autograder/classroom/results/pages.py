"""Pages made from templates. Everything put into one is escaped and stripped of control characters but newlines, except
for the pictures of reports, which are drawn as HTML that is escaped already."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ...cuda.report import Report, picture
from ...cuda.report.vocabulary import printable
from ...exercises.files import write_text

#: What sorts the tables of a class report; the page allows the browser this one script.
SORTER = (Path(__file__).parent / "templates" / "sort.js").read_text(encoding="utf-8")


def hash_of(script: str) -> str:
    """What a page's Content-Security-Policy calls `script`, which may then run there."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def write_class_page(path: Path, chapter: str, report: object) -> None:
    """Write the page of a `ClassReport`.

    Raises:
        UsageError: it cannot be written.
    """
    sorter = {"script": Markup(SORTER), "hash": Markup(hash_of(SORTER))}
    write_page(path, "class.html", chapter=chapter, report=report, sorter=sorter)


def write_page(path: Path, template: str, *, pictures: bool = False, **values: Any) -> None:
    """Write the page that `template` makes from `values`, whole or not at all.

    Args:
        pictures: the page has pictures of reports, and needs their style and the script that plays them, once.

    Raises:
        UsageError: it cannot be written.
    """
    write_text(path, _templates().get_template(template).render(**values, player=_player() if pictures else None))


@cache
def _player() -> dict[str, Markup]:
    """The player of pictures. A page allows the browser this one script, so that nothing in an answer can run."""
    parts = {"style": picture.STYLE, "script": picture.PLAYER, "hash": hash_of(picture.PLAYER)}
    return {name: Markup(part) for name, part in parts.items()}


def _harmless(value: object) -> object:
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return "\n".join(map(printable, value.split("\n")))


def _draw(report: Report, name: str) -> Markup:
    return Markup(picture.embedded(report.picture, name)) if report.picture else Markup()


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=PackageLoader("autograder.classroom.results"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals["drawn"] = _draw
    return templates
