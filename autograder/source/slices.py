"""Which declarations and directives of a text one kernel needs: a search by names, from the kernel on.

A name is followed wherever it appears, whatever it means there, so the answer may hold more than a compiler would
need, but a text that compiles also does with the rest left out. Never needed are
explicit instances of templates, what only tells the compiler how to warn, and an #if around nothing that is needed.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .text import ALLOWED_HEADERS, LIBRARY_HEADERS, word_set

_WORD = re.compile(r"[^\W\d]\w*", re.ASCII)
#: Words that name nothing of a text's own.
_COMMON = word_set(
    "alignas auto bool char class const constexpr double enum explicit extern float friend inline int long mutable "
    "namespace operator private protected public register requires short signed static struct template typedef "
    "typename union unsigned using void volatile __global__ __device__ __host__ __shared__ __constant__ __managed__ "
    "__forceinline__ __noinline__ __align__ __launch_bounds__ __cluster_dims__ __restrict__ __inline__ __attribute__ "
    "size_t std"
)
ATTRIBUTE = re.compile(
    r"\b(?:alignas|__align__|__attribute__|__launch_bounds__|__cluster_dims__)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
)
#: Declares nothing that a kernel needs: an explicit instance, or a variable that is defined further down.
_NOTHING = re.compile(r"\s*(?:(?:extern\s+)?template\s*[^<\s]|extern\b(?!.*__shared__)[^(){}=]*;)")
_CALLED = re.compile(r"\b([^\W\d]\w*)\s*(?:<[^;{}()]*>\s*)?\(", re.ASCII)
_CALL_IN_FRONT = re.compile(r"\s*(\w+)\s*\([^()]*\)(?=\s*\w)", re.ASCII)
_TEMPLATE = re.compile(r"^(?:\s*template\s*<(?:[^<>()]|<[^<>]*>|\([^()]*\))*>)+")
_USING_NAMESPACE = re.compile(r"\s*using\s+namespace\s+([\w:\s]+);")
#: Namespaces that a CUDA header may bring, and the header.
_NAMESPACES = {"cooperative_groups": "cooperative_groups.h", "nvcuda": "mma.h", "cuda": "cuda/", "cub": "cub/"}
#: How often we ask what a `##` makes of the names that are used, and the longest name that we ask for: so no text takes
#: long.
_ROUNDS, _LONGEST = 10, 50
_PACK = re.compile(r"\s*pack\b")
_WARNINGS = re.compile(
    r"\s*(?:nv_)?diag_\w+|\s*nv_diagnostic|\s*(?:clang|GCC)\s+diagnostic|\s*(?:warning|(?:end)?region|comment|omp|message)\b"
)


@dataclass(frozen=True)
class Directive:
    """A preprocessor directive, without comments: `rest` follows its name."""

    start: int
    end: int
    name: str
    rest: str

    @property
    def macro(self) -> str:
        """The word that it defines or asks for; "" if there is none."""
        found = _WORD.search(self.rest)
        return found[0] if found else ""


def words(code: str) -> set[str]:
    """The identifiers in a text without comments."""
    return set(_WORD.findall(code)) - _COMMON


def needed(
    kernel: str, items: Sequence[tuple[int, int]], directives: Sequence[Directive], code: str
) -> tuple[set[tuple[int, int]], set[Directive]]:
    """The items and directives that `kernel` needs, a name as `blur<Point, 128>`.

    Args:
        items: (start, end) of each declaration in `code`, which has no comments and no directives.
    """
    groups = _groups(directives)
    bodies: dict[str, set[str]] = {}
    for directive in directives:
        if directive.name == "define":
            bodies.setdefault(directive.macro, set()).update(words(directive.rest))
    pasting = {directive.macro for directive in directives if directive.name == "define" and "##" in directive.rest}
    waiting = {item for item in items if not _NOTHING.match(code[slice(*item)])}
    by_name = defaultdict[str, list[tuple[int, int]]](list)
    for item in waiting:
        for name in _declared(code[slice(*item)], bodies):
            by_name[name].append(item)
    rounds, used = 0, words(kernel)
    kept: set[tuple[int, int]] = set()
    fresh = set(used)
    while fresh:
        found = waiting & {item for name in fresh for item in by_name[name]}
        more = set().union(*(words(code[slice(*item)]) for item in found), *(bodies.get(word, ()) for word in fresh))
        kept.update(found)
        waiting -= found
        if not more - used:  # only then, because whoever asks may need more
            asking = [group.matters(kept, used) for group in groups]
            more = more.union(*(group.asks for group in itertools.compress(groups, asking)))
            groups = [group for group, asks in zip(groups, asking, strict=True) if not asks]
            if pasting & used and rounds < _ROUNDS:
                rounds += 1
                more |= {name for name in (*bodies, *by_name) if name not in used and _can_be_pasted(name, used)}
        fresh = more - used
        used |= fresh
    packs = not _packs_nothing(directives, kept)
    empty = {directive for group in groups for directive in group.inside}
    left = {d for d in directives if _is_needed(d, used, packs) and d not in empty}
    return kept | _namespaces(waiting, directives, code), left


def _can_be_pasted(name: str, used: set[str]) -> bool:
    """Whether a name consists of words and numbers that are used."""
    ends = [0]
    for end in range(1, len(name) + 1 if len(name) <= _LONGEST else 0):
        if any(name[start:end] in used or name[start:end].isdigit() for start in ends):
            ends.append(end)
    return ends[-1] == len(name)


@dataclass(frozen=True)
class _Group:
    """The directives from an #if to its #endif, and the names that it asks for."""

    inside: Sequence[Directive]
    asks: frozenset[str]

    def matters(self, items: Iterable[tuple[int, int]], used: set[str]) -> bool:
        """Whether one of the items, or a directive that may change them, lies in it; or it in one of them."""
        first, last = self.inside[0].start, self.inside[-1].end
        return any(_may_change(d, used) for d in self.inside) or any(
            start < last and first < end for start, end in items
        )


def _groups(directives: Sequence[Directive]) -> list[_Group]:
    guards = set(_guards(directives))
    groups, open_ = list[_Group](), list[tuple[int, set[str]]]()
    for i, directive in enumerate(directives):
        if directive.name in ("if", "ifdef", "ifndef"):
            open_.append((i, set() if directive in guards else words(directive.rest)))
        elif directive.name == "elif" and open_:
            open_[-1][1].update(words(directive.rest))
        elif directive.name == "endif" and open_:
            first, asks = open_.pop()
            groups.append(_Group(directives[first : i + 1], frozenset(asks)))
    return groups


def _may_change(directive: Directive, used: set[str]) -> bool:
    """Whether a directive may make a difference to code that uses these names."""
    if directive.name == "include":
        header = re.search(r"<([^<>]*)>", directive.rest)
        return header is None or header[1].strip() in ALLOWED_HEADERS - LIBRARY_HEADERS
    if directive.name == "pragma":
        return not _WARNINGS.match(directive.rest) and directive.macro != "once"
    return directive.name in ("define", "undef") and directive.macro in used


def _packs_nothing(directives: Sequence[Directive], kept: Iterable[tuple[int, int]]) -> bool:
    """Whether no declaration that is kept lies between the first and the last `#pragma pack`."""
    at = [d.start for d in directives if _PACK.match(d.rest) and d.name == "pragma"]
    return not any(at[0] < start < at[-1] for start, _ in kept) if at else True


def _is_needed(directive: Directive, used: set[str], packs: bool) -> bool:
    if directive.name in ("define", "undef"):
        return directive.macro in used
    if directive.name == "pragma":
        return packs if _PACK.match(directive.rest) else not _WARNINGS.match(directive.rest)
    return directive.name not in ("warning", "ident", "line")


def _guards(directives: Sequence[Directive]) -> Iterable[Directive]:
    """Each `#ifndef` that asks only for what the next line defines: of an include guard, or of a macro's default."""
    for asks, defines in itertools.pairwise(directives):
        if asks.name == "ifndef" and defines.name == "define" and defines.macro == asks.macro:
            yield asks


def _declared(item: str, macros: dict[str, set[str]]) -> set[str]:
    """The names that a declaration may declare: too many rather than too few."""
    bare = _TEMPLATE.sub("", ATTRIBUTE.sub(" ", item))
    head = re.split(r"[{;=]", bare, maxsplit=1)[0]
    if re.search(r"\boperator\b", head):
        names = words(bare.partition("{")[0])  # it belongs to the types that it takes
    elif re.match(r"\s*typedef\b", bare):
        # What follows a body, or the last word of each part; and a function's name, behind its star.
        parts = bare.rpartition("}")[2].rstrip("; \n").split(",")
        names = set(re.findall(r"\*\s*(\w+)\s*\)\s*[(\[]", bare)) or {
            found[-1] for part in parts if (found := _WORD.findall(re.sub(r"\[[^\]]*\]", "", part)))
        }
        names |= words(head) if "{" in bare else set()
    elif re.match(r"\s*enum\b", head):
        names = words(bare)
    elif re.match(r"\s*(?:struct|class|union|using|namespace)\b", head) and "(" not in head:
        names = words(head) | words(bare.rpartition("}")[2])
    elif called := _CALLED.findall(head):
        before = head.partition("(")[0]
        names = (set(called) | set(re.findall(r"(\w+)\s*::", before))) - _COMMON
    else:
        names = words(_outside(bare))
    for word in set(_CALLED.findall(head)) & macros.keys():  # a macro that may spell the declaration
        names |= macros[word] | words(head)
    if (call := _CALL_IN_FRONT.match(bare)) and call[1] in macros:  # or one that no semicolon ends
        names |= _declared(bare[call.end() :], macros)
    return names


def _outside(item: str) -> str:
    """A declaration without what stands in braces and brackets."""
    while (shorter := re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", " ", item)) != item:
        item = shorter
    return item


def _namespaces(waiting: Iterable[tuple[int, int]], directives: Sequence[Directive], code: str) -> set[tuple[int, int]]:
    """The `using namespace` of namespaces that there are."""
    included = " ".join(d.rest for d in directives if d.name == "include")
    there = {name for name, header in _NAMESPACES.items() if header in included} | {"std"}
    there |= set(re.findall(r"\bnamespace\s+(\w+)", re.sub(r"\busing\s+namespace\b", "", code)))
    named = {item: _USING_NAMESPACE.match(code[slice(*item)]) for item in waiting}
    return {item for item, found in named.items() if found and found[1].split("::")[0].strip() in there}
