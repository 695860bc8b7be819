"""Reduces the text of a module to what some of its functions and variables need."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from .operands import NAME, read_elements

_SYMBOL = re.compile(rf"@{NAME}")
_DEFINED = re.compile(rf"(?:define [^@\n]*?|)(@{NAME})")
#: In metadata: the argument of a template.
_POINTER = re.compile(rf"\bptr (@{NAME})")
#: Lists of symbols, of which those that stay keep their entries.
_LISTS = re.compile(r"^(@llvm\.(?:global\.annotations|used|compiler\.used)) = (.*?)\[\d+ x (.*?)\] \[", re.M)


def reachable(text: str, roots: Collection[str]) -> str:
    """Return the text of a module that clang wrote, without the functions and variables that `roots` do not refer to,
    directly or through others."""
    items = list(_items(text))
    defined = {name: item for name, item in items if name}
    used, fresh = set(roots) & defined.keys(), set(roots) & defined.keys()
    lists = {name: item for name, item in defined.items() if _LISTS.match(item)}
    shortened: dict[str, str] = {}
    while fresh:
        named = set[str]().union(*(_SYMBOL.findall(defined[name]) for name in fresh))
        fresh = (named & defined.keys()) - used - lists.keys()
        used |= fresh
        if not fresh:
            shortened = {name: _shortened(item, used) for name, item in lists.items()}
            named = set[str]().union(*(_SYMBOL.findall(item) for item in shortened.values()))
            fresh = (named & defined.keys()) - used - lists.keys()
            used |= fresh

    def named_still(symbol: re.Match[str]) -> str:
        return symbol[0] if symbol[1] in used or symbol[1] not in defined else "ptr null"

    items = [(name, _POINTER.sub(named_still, item) if item[0] == "!" else item) for name, item in items]
    return "".join(shortened.get(name, item) for name, item in items if not name or name in used or name in shortened)


def _items(text: str) -> Iterator[tuple[str, str]]:
    """Yield each function and variable with its name, and what is between them without one."""
    at = 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        name = ""
        if text.startswith("define ", at):
            end = text.index("\n}\n", at) + 3
        if text.startswith(("define ", "@"), at) and (found := _DEFINED.match(text, at)):
            name = found[1]
        yield name, text[at:end]
        at = end


def _shortened(item: str, used: Collection[str]) -> str:
    """Return a list with the entries alone whose symbol is used; "" if there are none."""
    head = _LISTS.match(item)
    assert head
    opening = head.end() - 1
    closing = item.rindex("]")
    entries = read_elements(item[opening : closing + 1])
    remaining = [entry for entry in entries if (first := _SYMBOL.search(entry.value)) and first[0] in used]
    if not remaining:
        return ""
    listed = ", ".join(f"{entry.type} {entry.value}" for entry in remaining)
    return f"{head[1]} = {head[2]}[{len(remaining)} x {head[3]}] [{listed}]{item[closing + 1 :]}"
