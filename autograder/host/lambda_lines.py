"""Shows what is found in lambdas, whose functions stand behind a kernel's text, where the program has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from ..core.findings import Diagnostic
from ..source.gather import Gathered

_Found = TypeVar("_Found")
_LINES = ("line", "copy_line", "inside")


class LambdaLines:
    """The lines of a kernel's text that lambdas come from.

    Args:
        source: what the kernel needs of the text.
        lines: the file and line of each line of `source`; those of lambdas are there a second time.
        unit: the whole text.
    """

    def __init__(self, source: str, lines: Sequence[tuple[str, int]], unit: Gathered) -> None:
        first: dict[tuple[str, int], int] = {}
        for number, place in enumerate(lines, 1):
            if place[0] == unit.files[0].name:  # two headers may have one name
                first.setdefault(place, number)
        self._own = {number: first.get(place, number) for number, place in enumerate(lines, 1)}
        texts = dict(reversed([*zip(unit.lines, unit.text.split("\n"), strict=True)]))
        shown = source.split("\n")
        for number, own in self._own.items():
            if own != number:
                shown[own - 1] = texts[lines[number - 1]]
        self._shown = shown

    @property
    def source(self) -> str:
        """The kernel's text as reports show it: with the lines that lambdas are written in."""
        return "\n".join(self._shown)

    def tell(self, found: _Found) -> _Found:
        """A finding, or a part of one, in lines of `source`."""
        told: Any = found
        if is_dataclass(found):
            old = {field.name: getattr(found, field.name) for field in fields(found)}
            told = replace(told, **self._told(old))
        elif hasattr(found, "_asdict"):
            told = told._replace(**self._told(told._asdict()))
            if isinstance(found, Diagnostic) and told.line != found.line:
                told = told._replace(column=0, text=found.text)
        elif isinstance(found, tuple):
            told = tuple(map(self.tell, found))
        return told  # type: ignore[no-any-return]

    def _told(self, old: dict[str, Any]) -> dict[str, Any]:
        new = {name: self._own.get(value, value) if name in _LINES else self.tell(value) for name, value in old.items()}
        if "text" in old and new.get("line") != old.get("line"):
            new["text"] = self._shown[new["line"] - 1].strip()
        return new
