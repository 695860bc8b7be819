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


def box_of(item: Locator) -> FloatRect:
    """An element's box in the window, in pixels; it must be in sight."""
    box = item.bounding_box()
    assert box is not None
    return box


def watch(page: Page, site: str) -> list[str]:
    """Everything that goes wrong on `page` from now on."""
    wrong: list[str] = []

    def request(item: Request) -> None:
        if not item.url.startswith((site, "data:", "blob:")):
            wrong.append(f"asks another host: {item.url}")

    def response(item: Response) -> None:
        if item.status >= 400:
            wrong.append(f"answered {item.status}: {item.url}")

    def console(item: ConsoleMessage) -> None:
        wrong.append(f"console {item.type}: {item.text}")

    page.on("request", request)
    page.on("response", response)
    page.on("requestfailed", lambda item: wrong.append(f"request failed: {item.url}"))
    page.on("console", console)
    page.on("pageerror", lambda error: wrong.append(f"JavaScript: {error}"))
    return wrong


def failures(wrong: list[str]) -> list[str]:
    """What `watch` saw, but for requests that end because their page is left."""
    return [item for item in wrong if not item.startswith("request failed: ")]
