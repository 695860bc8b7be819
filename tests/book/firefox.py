"""Drives Firefox by WebDriver BiDi, which it speaks itself. (Playwright's Firefox is another, to be downloaded.)"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
#: Seconds in which Firefox starts, and answers a command.
PATIENCE = 60
#: The keys of a keyboard that have no letter, as WebDriver calls them.
CONTROL, ENTER = "\ue009", "\ue007"


class Firefox:
    """One window; `wrong` has the errors and warnings of its console that were read with an answer."""

    def __init__(self, address: str) -> None:
        import websocket

        self.socket = websocket.create_connection(f"{address}/session", timeout=PATIENCE, suppress_origin=True)
        self.sent = 0
        self.wrong: list[str] = []
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=["log.entryAdded"])
        self.context = self.command("browsingContext.getTree")["contexts"][0]["context"]

    def command(self, method: str, **params: object) -> Any:
        """Send a command and return its result.

        Raises:
            RuntimeError: Firefox refuses it.
        """
        self.sent += 1
        self.socket.send(json.dumps({"id": self.sent, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("method") == "log.entryAdded" and message["params"]["level"] in ("error", "warn"):
                self.wrong.append(str(message["params"]["text"]))
            if message.get("id") == self.sent:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                return message["result"]

    def goto(self, url: str) -> None:
        self.command("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def resize(self, width: int, height: int) -> None:
        self.command("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, as JSON has it."""
        words = f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))"
        done = self.command("script.evaluate", expression=words, target={"context": self.context}, awaitPromise=True)
        if done["type"] == "exception":
            raise RuntimeError(done["exceptionDetails"]["text"])
        return json.loads(done["result"]["value"])

    def wait(self, expression: str, seconds: float = PATIENCE) -> Any:
        """Return the value of a JavaScript expression as soon as it is true.

        Raises:
            TimeoutError: it has not become true.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.evaluate(expression):
                return value
            time.sleep(0.2)
        raise TimeoutError(f"{expression} is still false after {seconds} seconds")

    def press(self, keys: str, held: str = "") -> None:
        """Press keys one after the other, while `held` is down."""
        presses = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        down, up = ([{"type": kind, "value": key} for key in held] for kind in ("keyDown", "keyUp"))
        device = {"type": "key", "id": "keyboard", "actions": [*down, *presses, *up]}
        self.command("input.performActions", context=self.context, actions=[device])

    def screenshot(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        done = self.command("browsingContext.captureScreenshot", context=self.context)
        path.write_bytes(base64.b64decode(done["data"]))


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """Start Firefox without a window, with an empty folder for what it stores."""
    assert FIREFOX is not None
    command = [FIREFOX, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    log = profile.with_name("firefox.log")
    with log.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, "HOME": str(profile)})
    try:
        end = time.monotonic() + PATIENCE
        while not (found := re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text())):
            assert process.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.1)
        window = Firefox(found[1])
        yield window
        window.socket.close()
    finally:
        process.terminate()
        process.wait(PATIENCE)
