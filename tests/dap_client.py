"""A scripted client of the Debug Adapter Protocol: sends requests to `autograder debug --dap` over pipes, and checks
each message in both directions against the protocol's schema, as debugpy has it."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft4Validator  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[1]
#: What the manifest says to Visual Studio Code about the debugger.
DEBUGGER: dict[str, Any] = json.loads((ROOT / "docs/editors/vscode/package.json").read_text())["contributes"][
    "debuggers"
][0]
_SCHEMA = "_vendored/pydevd/_pydevd_bundle/_debug_adapter/debugProtocol.json"


@cache
def _schema() -> dict[str, Any]:
    found = importlib.util.find_spec("debugpy")
    assert found and found.origin
    schema: dict[str, Any] = json.loads((Path(found.origin).parent / _SCHEMA).read_text())
    return schema


def _check(message: dict[str, Any]) -> None:
    """Validate a message as what it is: the request, response or event of its name."""
    name = message.get("command") or message["event"]
    kind = f"{name[0].upper()}{name[1:]}{message['type'].capitalize()}"
    if message["type"] == "response" and not message["success"]:
        kind = "ErrorResponse"
    assert kind in _schema()["definitions"], kind
    Draft4Validator({"$ref": f"#/definitions/{kind}", **_schema()}).validate(message)


class Client:
    """An editor."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", DEBUGGER["runtime"], *DEBUGGER["runtimeArgs"]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server.stdin and self._server.stdout
        self._server.stdin.close()
        assert self._server.wait(60) == 0
        self._server.stdout.close()

    def _read(self) -> dict[str, Any]:
        assert self._server.stdout
        header = self._server.stdout.readline()
        assert header.startswith(b"Content-Length: "), header
        assert self._server.stdout.readline() == b"\r\n"
        message: dict[str, Any] = json.loads(self._server.stdout.read(int(header.split()[1])))
        _check(message)
        return message

    def request(self, command: str, *, fails: bool = False, **arguments: Any) -> Any:
        """Send a request; the body of the response or, if it `fails`, what it says."""
        assert self._server.stdin
        self._number += 1
        message = {"seq": self._number, "type": "request", "command": command, "arguments": arguments}
        _check(message)
        content = json.dumps(message).encode()
        self._server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self._server.stdin.flush()
        while (answer := self._read())["type"] == "event":
            self.events.append(answer)
        assert answer["request_seq"] == self._number and answer["success"] is not fails, answer
        return answer["message"] if fails else answer.get("body")

    def event(self, name: str, wanted: Callable[[Any], bool] = lambda body: True) -> Any:
        """The body of the next event of a name."""
        for i, event in enumerate(self.events):
            if event["event"] == name and wanted(event.get("body")):
                del self.events[: i + 1]
                return event.get("body")
        while True:
            event = self._read()
            assert event["type"] == "event", event
            if event["event"] == name and wanted(event.get("body")):
                self.events.clear()
                return event.get("body")
            assert event["event"] != "terminated", f"there is no {name}"

    def start(self, breakpoints: list[dict[str, Any]], **configuration: Any) -> list[dict[str, Any]]:
        """As an editor starts: the breakpoints as the adapter has set them."""
        assert self.request("initialize", adapterID="autograder")["supportsStepBack"]
        self.request("launch", **configuration)
        self.event("initialized")
        path = {"path": configuration["program"]}
        made = self.request("setBreakpoints", source=path, breakpoints=breakpoints)["breakpoints"]
        self.request("setExceptionBreakpoints", filters=["findings"])
        self.request("configurationDone")
        return made  # type: ignore[no-any-return]

    def stopped(self) -> tuple[str, int]:
        """Why the launch stops next, and the thread that does."""
        body = self.event("stopped")
        return body["reason"], body["threadId"]

    def line(self, thread: int) -> int:
        """The line of a thread."""
        return self.request("stackTrace", threadId=thread)["stackFrames"][0]["line"]  # type: ignore[no-any-return]

    def scopes(self, thread: int, depth: int = 0) -> dict[str, dict[str, dict[str, Any]]]:
        """The variables in each scope of a call, by name."""
        frame = self.request("stackTrace", threadId=thread)["stackFrames"][depth]["id"]
        return {
            scope["name"]: {
                variable["name"]: variable
                for variable in self.request("variables", variablesReference=scope["variablesReference"])["variables"]
            }
            for scope in self.request("scopes", frameId=frame)["scopes"]
        }

    def values(self, thread: int, depth: int = 0) -> dict[str, str]:
        """What the variables of a call hold."""
        return {name: variable["value"] for name, variable in self.scopes(thread, depth)["Locals"].items()}
