"""What the tests share that open the book's pages in a real browser."""

from __future__ import annotations

import http.server
import shutil
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # it is slow to import, and every run of the tests imports this module
    from playwright.sync_api import ConsoleMessage, FloatRect, Locator, Page, Request, Response

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
Scheme = Literal["dark", "light"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def box_of(one: Locator) -> FloatRect:
    """An element's box in the window, in pixels; it must be in sight."""
    box = one.bounding_box()
    assert box is not None
    return box


def watch(page: Page, site: str) -> list[str]:
    """Everything that goes wrong on `page` from now on."""
    wrong: list[str] = []

    def request(one: Request) -> None:
        if not one.url.startswith((site, "data:", "blob:")):
            wrong.append(f"asks another host: {one.url}")

    def response(one: Response) -> None:
        if one.status >= 400:
            wrong.append(f"answered {one.status}: {one.url}")

    def console(one: ConsoleMessage) -> None:
        wrong.append(f"console {one.type}: {one.text}")

    page.on("request", request)
    page.on("response", response)
    page.on("requestfailed", lambda one: wrong.append(f"request failed: {one.url}"))
    page.on("console", console)
    page.on("pageerror", lambda error: wrong.append(f"JavaScript: {error}"))
    return wrong


def failures(wrong: list[str]) -> list[str]:
    """What `watch` saw, but for requests that end because their page is left."""
    return [one for one in wrong if not one.startswith("request failed: ")]
