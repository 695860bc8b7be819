"""Pages made from templates. Everything put into one is escaped and stripped of control characters, except for the
pictures of reports, which are drawn as HTML that is escaped already."""

from __future__ import annotations

import base64
import hashlib
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ...errors import UsageError
from ...report.vocabulary import printable

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


def write_page(path: Path, template: str, **values: Any) -> None:
    """Write the page that `template` makes from `values`, whole or not at all.

    Raises:
        UsageError: it cannot be written.
    """
    write_text(path, _templates().get_template(template).render(**values))


def write_text(path: Path, text: str) -> None:
    """Write `text`, whole or not at all.

    Raises:
        UsageError: it cannot be written.
    """
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write `content`, whole or not at all, and through no link.

    Raises:
        UsageError: it cannot be written.
    """
    staged = path.with_name(f".{secrets.token_hex(8)}.new")  # a name that nobody has put a link at
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with staged.open("xb") as file:
            file.write(content)
        staged.replace(path)
    except OSError as error:
        with suppress(OSError):
            staged.unlink()
        raise UsageError(
            f"{path} cannot be written ({error.strerror}): make room there, or name another file."
        ) from None


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("autograder.grading.results"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
