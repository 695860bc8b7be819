"""Formats in which `autograder run` writes what it found: each is a module here, or a plugin of the group `formats`.

A module defines `write`, which gets the document that `--json` prints, and returns a text. A plugin is such a function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from ...errors import UsageError
from ...plugins import plugins

Write = Callable[[Mapping[str, Any]], str]


def built_in() -> tuple[str, ...]:
    """Return the names of the formats here, sorted."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def writer(name: str) -> Write:
    """Return what writes a document in the format `name`.

    Raises:
        UsageError: there is no such format, or a plugin cannot be imported.
    """
    if name in built_in():
        write: Write = import_module(f".{name}", __name__).write
        return write
    others: Mapping[str, Write] = plugins("formats")
    if name not in others:
        raise UsageError(f"There is no format {name}: use text, {', '.join([*built_in(), *others])}.")
    return others[name]
