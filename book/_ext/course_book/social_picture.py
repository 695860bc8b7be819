"""The picture that a link to the book is shown with: its title above the landing page's race, drawn by Chromium.

Where there is no Chromium, links have no picture.
"""

from __future__ import annotations

import hashlib
import shutil
from html import escape
from pathlib import Path

from playwright.sync_api import Error, sync_playwright
from sphinx.application import Sphinx
from sphinx.util import logging

from autograder.cuda.report import picture

from . import traced

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: What sites ask for.
SIZE = {"width": 1200, "height": 630}
_STATIC = Path(__file__).resolve().parents[2] / "_static"
_LOOK = """
body { margin: 0; padding: 48px 56px 0; background: #fff; font-family: var(--pst-font-family-base); color: var(--ink); }
h1 { margin: 0 0 6px; font-size: 52px; letter-spacing: -0.015em; }
p { margin: 0 0 14px; font-size: 27px; color: var(--soft); }
.tl-legend { display: none; }
"""


def paint(app: Sphinx) -> None:
    """Called by Sphinx before it reads pages: puts the picture into the built book, unless it is there."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if app.builder.format != "html" or browser is None:
        return
    text = page(app.config.html_title)
    path = file(Path(app.outdir), text)
    if path.exists():
        return
    for old in path.parent.glob(f"{path.stem[:7]}*"):
        old.unlink()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
            sheet = chromium.new_page(viewport={"width": SIZE["width"], "height": SIZE["height"]})
            sheet.set_content(text)
            sheet.screenshot(path=path)
            chromium.close()
    except Error as error:  # a browser that does not start must not keep the book from being built
        logging.getLogger(__name__).info("No picture for links to the book: %s", error)


def address(out: Path, title: str) -> str:
    """Return where the picture is in the book; empty if it is not."""
    path = file(out, page(title))
    return f"_static/{path.name}" if path.exists() else ""


def file(out: Path, text: str) -> Path:
    """Named by its content, since sites keep a picture under its address for long."""
    return out / "_static" / f"social-{hashlib.sha256(text.encode()).hexdigest()[:8]}.png"


def page(title: str) -> str:
    """Return what Chromium draws."""
    trace = traced.trace("fold.cu")
    extents = (trace.grid, trace.block)
    drawn = picture.draw(picture.from_run(trace.run, "tile", 0, trace.declared("tile"), extents), "race")
    styles = (_STATIC / "course.css").read_text() + (Path(picture.__file__).parent / "player.css").read_text() + _LOOK
    return (
        f'<!DOCTYPE html><html lang="en" data-theme="light"><meta charset="utf-8"><style>{styles}</style>'
        f"<h1>{escape(title)}</h1><p>An emulator sees every access of every thread, and shows the race.</p>"
        f"{drawn}</html>"
    )
