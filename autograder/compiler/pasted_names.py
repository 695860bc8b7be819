"""Which names the `##` of a text's macros can make, where nobody would read them.

Each `##` must have a word of the macro's own on one side, as in `has_##member`: so no sign comes about. Of the other
side we take it that it may be any word of the text's, or of the prelude's macros, or itself made in this way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache

from ..source.text import bare, join_lines
from .emulator_runtime import EMULATOR

#: Most different chains of `##` in a text, and pieces in one: a library's headers have a dozen.
_MOST_CHAINS, _MOST_PIECES = 100, 8
_DEFINE = re.compile(r"^[^\S\n]*#[^\S\n]*define[^\S\n]+(\w+)(?:\(([^)\n]*)\))?([^\n]*)", re.MULTILINE | re.ASCII)
_TOKEN = re.compile(r"##|\w+|\S", re.ASCII)
_WORD = re.compile(r"\w+", re.ASCII)
#: Names that may be in a text and begin like others that may not, but with which no such name begins.
_ENDS_THERE = {"__cvta_generic_to_shared", "__cluster_dims__"}
#: With what the compiler's own macros, such as __SIZE_TYPE__, begin and end.
_OF_COMPILER = "long unsigned int short char signed"

#: A word of the macro's own, or None for one that it is given.
_Piece = str | None
_Chain = tuple[_Piece, ...]


def can_make(code: str, words: Collection[str], prefixes: Collection[str]) -> int | None:
    """Where the first `##` stands, or the name of a macro of the prelude's that has one, by which a name may be made
    that is in `words` or begins with one of `prefixes`; or that is too strange to tell. None if there is none.

    Args:
        code: a text with blanks for its comments and for what its literals hold, and with its lines joined.
    """
    if "##" not in code and not (_PRELUDES_NAME.search(code)):
        return None
    chains: dict[_Chain, int] = {}
    for at, chain in _chains(code):
        if chain is None or len(chain) > _MOST_PIECES or len(chains) > _MOST_CHAINS:
            return at
        chains.setdefault(chain, at)
    own = set(_WORD.findall(code))
    for name, chain in _of_prelude()[0]:
        if name in own or "##" in code:  # which may make the name
            chains.setdefault(chain, code.index(name if name in own else "##"))
    known = own | {word for word in _of_prelude()[1] if not word.startswith(tuple(prefixes))}
    longest = max(map(len, prefixes))
    going_on = known - _ENDS_THERE
    starts = {word[:end] for word in going_on for end in range(1, min(len(word), longest) + 1)}
    names = _Names(frozenset(known), frozenset(starts), tuple(chains))
    for chain, at in chains.items():
        if any(names.fits(chain, word) for word in words) or any(names.begins(chain, prefix) for prefix in prefixes):
            return at
    return None


#: CUDA's headers have these, and ours; and clang has its own.
_PRELUDES_NAME = re.compile(r"\b(?:__)?U?INT(?:\d+|MAX)_C\b", re.ASCII)
_OF_CLANG = "".join(
    f"#define __{kind}_C(c) c##{end}\n"
    for kind, end in (("UINT32", "U"), ("INT64", "L"), ("UINT64", "UL"), ("INTMAX", "L"), ("UINTMAX", "UL"))
)


@cache
def _of_prelude() -> tuple[tuple[tuple[str, _Chain], ...], frozenset[str]]:
    """The chains of the prelude's macros, by their names, and the words in those that a text may name."""
    files = [*sorted(EMULATOR.glob("prelude*.h")), *sorted((EMULATOR / "include").rglob("*"))]
    text = bare(join_lines("\n".join([_OF_CLANG, *(f.read_text(encoding="utf-8") for f in files if f.is_file())]))[0])
    defined = [d for d in _DEFINE.finditer(text) if not d[1].startswith(("EMU_", "AUTOGRADER_"))]
    chains = [(d[1], chain) for d in defined for _, chain in _chains(d[0]) if chain]
    return tuple(chains), frozenset(_WORD.findall(" ".join([*(d[3] for d in defined), _OF_COMPILER])))


def _chains(code: str) -> Iterator[tuple[int, _Chain | None]]:
    """Each chain of pieces around `##`, and where its first one stands; None if we can't tell what it makes."""
    inside = set[int]()
    for define in _DEFINE.finditer(code):
        given = {*_WORD.findall(define[2] or ""), "__VA_ARGS__"}
        tokens = [(m[0], define.start(3) + m.start()) for m in _TOKEN.finditer(define[3])]
        chain, at = list[_Piece](), 0
        for i, (token, place) in enumerate(tokens):
            if token != "##":
                continue
            inside.add(place)
            before, behind = (tokens[j][0] if 0 <= j < len(tokens) else "" for j in (i - 1, i + 1))
            if (before, behind) == (",", "__VA_ARGS__"):
                continue  # which leaves out the comma
            pieces = [None if word in given else word for word in (before, behind)]
            stringed = i > 1 and tokens[i - 2][0] == "#"
            if stringed or "__VA_OPT__" in define[3] or not any(pieces) or not _are_words(before, behind):
                yield place, None
                continue
            if not chain:
                chain, at = [pieces[0]], place
            chain.append(pieces[1])
            if i + 2 >= len(tokens) or tokens[i + 2][0] != "##":
                yield at, tuple(chain)
                chain = []
    outside = (m.start() for m in re.finditer("##", code) if m.start() not in inside)
    yield from ((at, None) for at in outside)


def _are_words(*tokens: str) -> bool:
    return all(_WORD.fullmatch(token) for token in tokens)


@dataclass(frozen=True)
class _Names:
    """What may stand for a piece that is given: one of the `known` words, which have these `starts`, a number, or what
    a chain makes."""

    known: frozenset[str]
    starts: frozenset[str]
    chains: tuple[_Chain, ...]
    _made: dict[tuple[str, bool], bool] = field(default_factory=dict)

    def fits(self, chain: _Chain, name: str) -> bool:
        """Whether the chain can make this name."""
        if not chain:
            return not name
        if chain[0] is not None:
            return name.startswith(chain[0]) and self.fits(chain[1:], name.removeprefix(chain[0]))
        # The rest first: a chain has a word of its own, so what is left for this piece is shorter than the name.
        cuts = (cut for cut in range(len(name) + 1) if self.fits(chain[1:], name[cut:]))
        return any(not cut or self._can_be(name[:cut]) for cut in cuts)

    def begins(self, chain: _Chain, start: str, inside: bool = False) -> bool:
        """Whether the chain, the rest of one if `inside`, can make a name that begins so."""
        if not start or not chain:
            return not start
        if (first := chain[0]) is not None:
            rest = start.removeprefix(first)
            return first.startswith(start) or (start.startswith(first) and self.begins(chain[1:], rest, True))
        if start in self.starts or (inside and self._can_begin(start)):
            return True
        cuts = (cut for cut in range(len(start)) if not cut or self._can_be(start[:cut]))
        return any(self.begins(chain[1:], start[cut:], True) for cut in cuts)

    def _can_be(self, name: str) -> bool:
        key = name, False
        if key not in self._made:
            made = any(self.fits(chain, name) for chain in self.chains)
            self._made[key] = made or name in self.known or name.isdigit()
        return self._made[key]

    def _can_begin(self, start: str) -> bool:
        key = start, True
        if key not in self._made:
            self._made[key] = any(self.begins(chain, start) for chain in self.chains)
        return self._made[key]
