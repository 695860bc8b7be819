"""Reads and writes messages of the Debug Adapter Protocol: JSON after a header with its length."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, BinaryIO

from ..errors import UsageError

_LENGTH = b"content-length:"
#: Most bytes of a message from an editor.
_MOST = 1 << 24


class Wire:
    """A connection to an editor. Each message that is written gets the next number."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming, self._outgoing, self._number = incoming, outgoing, 0

    def read(self) -> dict[str, Any] | None:
        """Return the next message; None at the end.

        Raises:
            UsageError: it is none.
        """
        length = -1
        while (line := self._incoming.readline()).strip():
            if line.lower().startswith(_LENGTH):
                digits = line[len(_LENGTH) :].strip()
                length = int(digits) if digits.isdigit() else -1
        if not line and length < 0:
            return None
        content = self._incoming.read(length) if 0 <= length <= _MOST else b""
        try:
            message = json.loads(content)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise UsageError(
                "Standard input holds no message of the Debug Adapter Protocol: --dap is for editors. Without it, name "
                "a file, as in `autograder debug blur.cu`."
            )
        return message

    def event(self, name: str, body: Mapping[str, Any] | None = None) -> None:
        """Tell the editor that something has happened."""
        self._write({"type": "event", "event": name, **({"body": body} if body is not None else {})})

    def respond(self, request: Mapping[str, Any], body: Mapping[str, Any] | None = None) -> None:
        """Answer a request."""
        self._answer(request, success=True, **({"body": body} if body is not None else {}))

    def refuse(self, request: Mapping[str, Any], why: str) -> None:
        """Answer a request that cannot be carried out, with a sentence for the user."""
        error = {"id": 1, "format": "{why}", "variables": {"why": why}, "showUser": True}
        self._answer(request, success=False, message=why, body={"error": error})

    def _answer(self, request: Mapping[str, Any], **rest: Any) -> None:
        number, command = int(request.get("seq", 0)), str(request.get("command", ""))
        self._write({"type": "response", "request_seq": number, "command": command, **rest})

    def _write(self, message: Mapping[str, Any]) -> None:
        self._number += 1
        content = json.dumps({"seq": self._number, **message}).encode()
        self._outgoing.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
        self._outgoing.flush()
