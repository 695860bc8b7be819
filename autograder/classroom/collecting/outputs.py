"""A notebook without what nobody grades and what takes most of its space: outputs, and pictures in texts."""

from __future__ import annotations

import re

from ..submission.plain_files import UnreadableError

#: The most bytes of a notebook with its outputs, and of its strings and brackets that are looked at: seconds of work.
MAX_WITH_OUTPUTS, _MAX_TOKENS = 200_000_000, 5_000_000
#: What is left out of a notebook, by its key: what code printed, what was pasted into a text, the state of widgets.
_LEFT_OUT = re.compile(rb'"(?:outputs|attachments|widgets)"\s*:\s*(?=[\[{])')
_TOKEN = re.compile(rb'["\[\]{}]')
_CUT_OFF = "its JSON is cut off"


def without_outputs(raw: bytes) -> bytes:
    """The JSON of a notebook, with nothing in the places of `_LEFT_OUT`. It is not parsed: what is left out may be too
    much for that.

    Raises:
        UnreadableError: it ends within a string or a list, or has far too many of them.
    """
    stored, position, start, tokens = [], 0, 0, 0
    while (found := raw.find(b'"', position)) >= 0:
        tokens += 1
        _check(tokens)
        if not (key := _LEFT_OUT.match(raw, found)):
            position = _end_of_string(raw, found)
            continue
        stored += [raw[start : key.end()], b"[]" if raw[key.end() : key.end() + 1] == b"[" else b"{}"]
        position, depth = key.end(), 0
        while True:
            token = _TOKEN.search(raw, position)
            tokens += 1
            _check(tokens)
            if not token:
                raise UnreadableError(_CUT_OFF)
            position = token.end()
            if token[0] == b'"':
                position = _end_of_string(raw, token.start())
            else:
                depth += 1 if token[0] in b"[{" else -1
            if not depth:
                break
        start = position
    return b"".join([*stored, raw[start:]])


def _check(tokens: int) -> None:
    if tokens > _MAX_TOKENS:
        raise UnreadableError(f"it has more than {_MAX_TOKENS} strings and brackets (clear its outputs before saving)")


def _end_of_string(raw: bytes, start: int) -> int:
    """Where the string that begins at `start` has ended."""
    end = before = start
    while True:
        before, end = end + 1, raw.find(b'"', end + 1)
        if end < 0:
            raise UnreadableError(_CUT_OFF)
        inside = raw[before:end]
        if (len(inside) - len(inside.rstrip(b"\\"))) % 2 == 0:
            return end + 1
