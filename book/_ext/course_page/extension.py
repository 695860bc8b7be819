"""Lets readers answer exercises and try listings in the page: registers with Sphinx what that takes."""

from __future__ import annotations

import shutil
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from course_book.whole_programs import has_program
from sphinx.application import Sphinx
from sphinx.util import logging

from .listings import listings_of, write_listings
from .node import NotBuiltError
from .search_index import write_search_index
from .service_worker import write_service_worker
from .site import NAMED, Parts, build_site, make_parts

_FOLDER = "exercises/"
_SITE = "_static/page"
#: In place of the page's script where it could not be made.
_MISSING = """\
document.querySelector(".how-to-work p").textContent =
    "This copy of the book was built without the checks that run in the page. To work on the exercise:";
"""


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx once."""
    made: list[Future[Parts]] = []

    def begin(app: Sphinx) -> None:
        if app.builder.name == "html":  # beside Sphinx, which reads and writes pages meanwhile
            made.append(ThreadPoolExecutor(1).submit(make_parts))

    def end(app: Sphinx, error: Exception | None) -> None:
        if error is None and made:
            _build(app, made[0])

    app.add_config_value("publish_solutions", False, "html", [bool])
    app.connect("builder-inited", begin)
    app.connect("html-page-context", _load_where_used)
    app.connect("build-finished", end)
    app.connect("build-finished", _keep, priority=900)  # when no file changes any more
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _load_where_used(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    if app.builder.name == "epub":
        return
    exercise = page.startswith(_FOLDER) and not has_program(Path(app.srcdir) / f"{page}.ipynb")
    listings = ' data-listing="' in context.get("body", "")
    if exercise or listings:
        app.add_css_file("page/page.css")
    if exercise:
        app.add_js_file("page/page.js", defer="")
    if listings:
        app.add_js_file("page/listings.js", defer="")


def _build(app: Sphinx, made: Future[Parts]) -> None:
    target = Path(app.outdir) / _SITE
    try:
        solutions = Path(app.srcdir) / "solutions" if app.config.publish_solutions else None
        build_site(made.result(), target, Path(app.srcdir) / _FOLDER, solutions)
        write_listings(listings_of(Path(app.outdir)), target / "listings")
        write_search_index(app, target / "search.json")
    except NotBuiltError as problem:
        logging.getLogger(__name__).info(f"Exercises cannot be checked in the page: {problem}")
        leave_out(target)


def _keep(app: Sphinx, error: Exception | None) -> None:
    # Also where nothing can be checked: browsers that kept an earlier build get this one only by this script.
    if error is None and app.builder.name == "html":
        write_service_worker(Path(app.outdir))


def leave_out(target: Path) -> None:
    """Make `target` a site that only says that it is none."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    (target / "page.js").write_text(_MISSING, encoding="utf-8")
    for name in NAMED:
        (target / name).touch()
