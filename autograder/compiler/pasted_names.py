"""Which names the `##` of a text's macros can make, where nobody would read them.

Where a `##` has a word of the macro's own on one side, as in `has_##member`, no sign comes about. Of the other side we
take it that it may be any word of the text's, or of the prelude's macros, or itself made in this way.

Where it has none, as in `a##b`, we want to see what the macro is given: it must be called wherever it is named, with
single words, those that the macro around it is given, or macros that stand for one. What it makes are these words, each
with each.
"""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property

from ..source.text import bare, join_lines
from .emulator_runtime import EMULATOR

#: Most different chains of `##` in a text, and pieces in one: a library's headers have a dozen.
_MOST_CHAINS, _MOST_PIECES = 100, 8
#: Most calls of macros that we look at, and the most characters of one.
_MOST_CALLS, _LONGEST_CALL = 2000, 1000
_NAMED_BY_DIRECTIVE = re.compile(r"\s*#\s*(?:define|undef|ifdef|ifndef)\s+", re.ASCII)
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
    calls = _Calls(code)
    for at, chain in _chains(code, calls):
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
        if any(names.fits(chain, word) for word in (*words, *calls.seen)) or any(
            names.begins(chain, prefix) for prefix in prefixes
        ):
            return at
    return None


#: CUDA's headers have these, and ours; and clang has its own.
_PRELUDES_NAME = re.compile(r"\b(?:__)?U?INT(?:\d+|MAX)_C\b", re.ASCII)
_OF_CLANG = "".join(
    f"#define __{kind}_C(c) c##{end}\n"
    for kind, end in (("UINT32", "U"), ("INT64", "L"), ("UINT64", "UL"), ("INTMAX", "L"), ("UINTMAX", "UL"))
)


@cache
def _of_prelude() -> tuple[tuple[tuple[str, _Chain], ...], frozenset[str], frozenset[str]]:
    """The chains of the prelude's macros, by their names; the words in those that a text may name; and their names."""
    files = [*sorted(EMULATOR.glob("prelude*.h")), *sorted((EMULATOR / "include").rglob("*"))]
    text = bare(join_lines("\n".join([_OF_CLANG, *(f.read_text(encoding="utf-8") for f in files if f.is_file())]))[0])
    defined = [d for d in _DEFINE.finditer(text) if not d[1].startswith(("EMU_", "AUTOGRADER_"))]
    chains = [(d[1], chain) for d in defined for _, chain in _chains(d[0], _Calls(d[0])) if chain]
    words = _WORD.findall(" ".join([*(d[3] for d in defined), _OF_COMPILER]))
    return tuple(chains), frozenset(words), frozenset(d[1] for d in defined)


def _chains(code: str, calls: _Calls) -> Iterator[tuple[int, _Chain | None]]:
    """Each chain of pieces around `##`, and where its first one stands; None if we can't tell what it makes."""
    inside = set[int]()
    for define in _DEFINE.finditer(code):
        given = {*_parameters(define), "__VA_ARGS__"}
        tokens = [(m[0], define.start(3) + m.start()) for m in _TOKEN.finditer(define[3])]
        chain, at = list[str](), 0
        for i, (token, place) in enumerate(tokens):
            if token != "##":
                continue
            inside.add(place)
            before, behind = (tokens[j][0] if 0 <= j < len(tokens) else "" for j in (i - 1, i + 1))
            if (before, behind) == (",", "__VA_ARGS__"):
                continue  # which leaves out the comma
            stringed = i > 1 and tokens[i - 2][0] == "#"
            if stringed or "__VA_OPT__" in define[3] or not _are_words(before, behind):
                yield place, None
                continue
            if not chain:
                chain, at = [before], place
            chain.append(behind)
            if i + 2 >= len(tokens) or tokens[i + 2][0] != "##":
                pieces = [None if word in given else word for word in chain]
                if (None, None) in itertools.pairwise(pieces):
                    yield from ((at, one) for one in _with_what_is_given(define[1], chain, given, calls))
                else:
                    yield at, tuple(pieces)
                chain = []
    outside = (m.start() for m in re.finditer("##", code) if m.start() not in inside)
    yield from ((at, None) for at in outside)


def _are_words(*tokens: str) -> bool:
    return all(_WORD.fullmatch(token) for token in tokens)


def _parameters(define: re.Match[str]) -> list[str]:
    return _WORD.findall(define[2] or "")


def _with_what_is_given(macro: str, words: list[str], given: Collection[str], calls: _Calls) -> list[_Chain | None]:
    """A macro's chain of these words, with all that its parameters stand for; [None] if we can't tell."""
    options = list[set[_Piece]]()
    for word in words:
        known: set[_Piece] | None = calls.words(macro, word) if word in given else {word}
        if known is None:
            return [None]
        options.append(known)
    if math.prod(map(len, options)) > _MOST_CHAINS:
        return [None]
    made = [tuple(piece for piece in chain if piece != "") for chain in itertools.product(*options)]
    if any(chain and (not any(chain) or (None, None) in itertools.pairwise(chain)) for chain in made):
        return [None]
    return [chain for chain in made if chain]


@dataclass
class _Calls:
    """What the macros of a text are given, as long as each call can be seen. `seen` has those that we looked for: so no
    `##` may make one of their names. `looked` counts at how many calls."""

    code: str
    seen: set[str] = field(default_factory=set)
    looked: int = 0

    @cached_property
    def _defines(self) -> list[re.Match[str]]:
        return list(_DEFINE.finditer(self.code))

    @cached_property
    def _defined(self) -> dict[str, list[re.Match[str]]]:
        found: dict[str, list[re.Match[str]]] = {}
        for define in self._defines:
            found.setdefault(define[1], []).append(define)
        return found

    @cached_property
    def _named(self) -> dict[str, list[re.Match[str]]]:
        found: dict[str, list[re.Match[str]]] = {name: [] for name in self._defined}
        for word in _WORD.finditer(self.code):
            if word[0] in found:
                found[word[0]].append(word)
        return found

    def words(self, macro: str, parameter: str) -> set[_Piece] | None:
        """The words that a parameter of a macro stands for, None among them for a number; None if we can't tell."""
        found, waiting, done = set[_Piece](), [(macro, parameter)], set[tuple[str, str]]()
        while waiting:
            if (which := waiting.pop()) in done:
                continue
            done.add(which)
            self.seen.add(which[0])
            self.looked += 1
            for around, given in self._of(which[0]):
                self.looked += 1
                word = given.get(which[1])
                if word is None or self.looked > _MOST_CALLS or not _WORD.fullmatch(word or "0"):
                    return None
                if around and word in _parameters(around):
                    waiting.append((around[1], word))
                elif (values := self._values(word)) is None:
                    return None
                else:
                    found |= values
        return found

    def _of(self, macro: str) -> Iterator[tuple[re.Match[str] | None, dict[str, str]]]:
        """Where a macro is named: the macro in whose text that is, and what each parameter is given there; nothing if
        that is no call that we can read."""
        defined = self._defined[macro]
        parameters = _parameters(defined[0])
        for name in self._named[macro]:
            if _NAMED_BY_DIRECTIVE.fullmatch(self.code, self.code.rfind("\n", 0, name.start()) + 1, name.start()):
                continue
            at = bisect_right(self._defines, name.start(), key=lambda d: d.start()) - 1
            around = self._defines[at] if at >= 0 and name.start() < self._defines[at].end() else None
            given = self._arguments(name.end(), around.end() if around else len(self.code))
            alone = len(defined) == 1 and all("." not in (d[2] or "") for d in (defined[0], around) if d)
            fits = alone and given is not None and len(given) == len(parameters)
            yield around, dict(zip(parameters, given or (), strict=True)) if fits else {}

    def _arguments(self, at: int, end: int) -> list[str] | None:
        """What stands between brackets at a place, by its commas; None if we can't tell."""
        opening = re.compile(r"\s*\(").match(self.code, at, end)
        if opening is None:
            return None
        depth, start, given = 1, opening.end(), list[str]()
        for sign in re.compile(r"[(),#]").finditer(self.code, start, min(end, start + _LONGEST_CALL)):
            depth += {"(": 1, ")": -1}.get(sign[0], 0)
            if sign[0] == "#":
                return None  # a directive may end the call elsewhere
            if depth == 0 or (depth == 1 and sign[0] == ","):
                given.append(self.code[start : sign.start()].strip())
                start = sign.end()
            if depth == 0:
                return given
        return None

    def _values(self, word: str) -> set[_Piece] | None:
        """A word, and what stands for it if it is a macro; None if that is more than a word."""
        found, waiting = set[_Piece](), [word]
        while waiting:
            if (name := waiting.pop()) in found:
                continue
            found.add(name)
            defined = self._defined.get(name, [])
            bodies = [define[3].strip() for define in defined if define[2] is None]  # no brackets follow the word
            if not all(_WORD.fullmatch(body or "0") for body in bodies):
                return None
            waiting += bodies
            if name in ("__LINE__", "__COUNTER__"):
                found.add(None)
            elif not defined and (re.match("_[_A-Z]", name) or name in _of_prelude()[2]):
                return None
        return found


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
