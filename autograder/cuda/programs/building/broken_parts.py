"""Leaves out of a preprocessed text the declarations that do not compile, or that are the host's alone.

Clang decides what they are, by its errors and by its syntax tree. What comes from system headers is hoisted into a
precompiled header, which takes a second: no macro is left that could change its meaning, and the tree is that of the
user's files alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...compiler.annotations import FUNCTIONS
from ...compiler.clang import ERROR, clang
from ...compiler.diagnostics import with_notes
from ...compiler.front_end import ALL_ERRORS, repair_program
from ...compiler.kernel_flags import TO_PCH
from ...compiler.places import MARKER, lines_by_place
from ...compiler.syntax import Node, nodes, syntax_tree
from ...compiler.two_sides import two_sides_in

#: How often a text is compiled: what uses a declaration that is left out does not compile the next time.
_MOST_ROUNDS = 20
_HEADER = "-include-pch system.pch".split()
_REQUESTED = "requested here"
_DEFINED = "previous definition is here"
_SCOPES = ("NamespaceDecl", "LinkageSpecDecl", "CXXRecordDecl", "ClassTemplateDecl")
#: What has a function in it.
_HOLDERS = ("FunctionTemplateDecl", "FriendDecl")
#: Functions without an annotation that the GPU may use all the same, or whose absence would change a class.
_ON_BOTH = ("explicitlyDefaulted", "explicitlyDeleted", "virtual")
_QUOTED = re.compile(r"'([^']+)'")


@dataclass(frozen=True)
class Broken:
    """What does not compile: the compiler's messages about it, the names that it declares, and those of its kernels."""

    log: str
    names: tuple[str, ...]
    kernels: tuple[str, ...]

    @property
    def is_redefinition(self) -> bool:
        """Whether it is defined before."""
        _, notes = next(with_notes(self.log))
        return any(note["text"].startswith(_DEFINED) for note in notes)


@dataclass(frozen=True)
class Whole:
    """A text without what does not compile. `log` has the errors that are left (empty: none), `tree` is the syntax tree
    of `users`, the part from the user's files."""

    text: str
    log: str
    broken: tuple[Broken, ...]
    tree: Node
    users: bytes

    def cause(self, log: str) -> str:
        """Return the messages about what does not compile that the first error of `log` comes from: an error about an
        unknown name comes from what declares that."""
        before = list(self.broken)
        while error := ERROR.search(log):
            words = {name.partition("<")[0].rpartition("::")[2] for name in _QUOTED.findall(error["text"])}
            at = next((i for i in reversed(range(len(before))) if words.intersection(before[i].names)), None)
            if at is None:
                break
            log = before[at].log
            del before[at:]
        return log


def without_broken(text: str, chosen: str, flags: Sequence[str], folder: Path) -> Whole:
    """Return a preprocessed text that, followed by `chosen`, compiles as far as possible.

    Args:
        flags: for a preprocessed text.
        folder: a temporary folder.
    """
    system, users = split_halves(text)
    (folder / "system.h").write_text(system, encoding="utf-8")
    if log := clang([*flags, *TO_PCH, "system.h", "-o", "system.pch"], folder):
        return Whole(text, log, (), {}, b"")
    whole = reduce_users_half(users, chosen, [*flags, *_HEADER], folder)
    return replace(whole, text=f"{system}\n{whole.text}")


def reduce_users_half(users: str, chosen: str, flags: Sequence[str], folder: Path, *, keep_host: bool = True) -> Whole:
    """As `without_broken`, of the user's part of a preprocessed text; `keep_host` is whether functions and variables of
    the host's alone stay in it."""
    broken = list[Broken]()
    tree: Node = {}
    log: str | None = None
    for _ in range(_MOST_ROUNDS):
        users, log = repair_program(users, chosen, flags, folder)
        tree = syntax_tree([*flags, *ALL_ERRORS], folder)
        content = users.encode()
        if not keep_host and (hosts := set(_of_host(tree.get("inner", ())))):
            users = _blanked(content, hosts).decode()
            continue  # with what is wrong in the rest alone
        parts = _broken_parts(tree, content, (log or "") + "".join(two_sides_in(tree, users)))
        if not parts:
            break
        broken += parts.values()
        users = _blanked(content, parts).decode()
    return Whole(users, log or "", tuple(broken), tree, users.encode())


def _of_host(inner: Iterable[Node]) -> Iterator[tuple[int, int]]:
    """Yield where functions and variables are that only the host has."""
    for begin, end, declared in _merged(inner):
        if all(map(_is_of_host, declared)):
            yield begin, end
        for node in declared:
            if node["kind"] in _SCOPES:
                yield from _of_host(node.get("inner", ()))


def _is_of_host(node: Node) -> bool:
    kind, inner = node["kind"], node.get("inner", ())
    if kind in _HOLDERS:
        held = [node for node in inner if node["kind"] in (*FUNCTIONS, *_HOLDERS)]
        return bool(held) and all(map(_is_of_host, held))
    if node.get("constexpr") or not (kind in FUNCTIONS or kind == "VarDecl"):
        return False
    if kind == "VarDecl":  # the GPU may read a constant of the host's; and a variable may hold a lambda of the GPU's
        return not node["type"]["qualType"].startswith("const ") and not any(map(_is_of_gpu, nodes(node)))
    return not any(word in node for word in _ON_BOTH) and not any(map(_is_of_gpu, inner))


def _is_of_gpu(node: Node) -> bool:
    kind = str(node.get("kind"))
    return kind.startswith("CUDA") and kind != "CUDAHostAttr"


def declared_kernels(tree: Node) -> list[str]:
    """Return the names of kernels in a syntax tree, without namespaces, each once."""
    functions = (node for node in nodes(tree) if node.get("kind") in ("FunctionDecl", "CXXMethodDecl"))
    kernels = (node["name"] for node in functions if any(_is_global(inner) for inner in node.get("inner", ())))
    return list(dict.fromkeys(kernels))


def _is_global(node: Node) -> bool:
    return node.get("kind") == "CUDAGlobalAttr"


def split_halves(text: str) -> tuple[str, str]:
    """Return what system headers have of a text, and the rest."""
    system, users = list[str](), list[str]()
    half = users
    for line in text.split("\n"):
        if line.startswith("# ") and (marker := MARKER.match(line)):
            half = system if "3" in marker[3] or marker[2].startswith("<") else users
        half.append(line)
    return "\n".join(system), "\n".join(users)


def _broken_parts(tree: Node, content: bytes, log: str) -> dict[tuple[int, int], Broken]:
    """Return what has errors, by where it begins and ends."""
    lines = content.decode().split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()) + 1)
    places = lines_by_place(lines)
    found = defaultdict[tuple[int, int], list[str]](list)
    nodes_in = dict[tuple[int, int], list[Node]]()
    words = dict[tuple[int, int], tuple[str, ...]]()
    for error, notes in with_notes(log):
        # What an error in an instance of a template is due to is where that was requested first.
        requested = [error, *(note for note in notes if _REQUESTED in note["text"])]
        places_of_user = [place for place in requested if places.get((place["file"], int(place["line"])))]
        if not places_of_user:
            continue
        indices = places[places_of_user[-1]["file"], int(places_of_user[-1]["line"])]
        index = next((i for i in indices if lines[i].strip()), indices[0])
        begin, end, declared = _part(
            tree.get("inner", ()), content, starts[index] + int(places_of_user[-1]["column"]) - 1
        )
        if content[begin:end].strip():
            # (What is refused as a whole, such as an alias of an unknown namespace, is no declaration in the tree.)
            words[begin, end] = tuple(_names(declared)) or tuple(re.findall(r"\w+", content[begin:end].decode()))
            found[begin, end].append("\n".join(message[0] for message in (error, *notes)))
            nodes_in[begin, end] = declared
    return {
        span: Broken("\n".join(logs), words[span], tuple(declared_kernels({"inner": nodes_in[span]})))
        for span, logs in found.items()
    }


def _part(inner: Iterable[Node], content: bytes, at: int, start: int = 0, end: int = -1) -> tuple[int, int, list[Node]]:
    """Return the declarations around a place, of those that `content[start:end]` has: where they begin and end. Several
    that overlap, as `struct S {} s;`, are one. Where there is none, what is between two; or if that is empty, the one
    before it."""
    end = len(content) if end < 0 else end
    before: tuple[int, int, list[Node]] = (start, start, [])
    for first, last, declared in _merged(inner):
        if at < first:
            end = first
            break
        if at < last:
            opening = _opening(declared, content)
            if 0 <= opening <= at < last - 1:
                return _part(declared[0]["inner"], content, at, opening + 1, last - 1)
            return first, last, declared
        before = (first, last, declared)
    _, closing, rest = content[before[1] : end].partition(b";")
    after = end - len(rest) if closing and not content[before[1] : end - len(rest) - 1].strip() else before[1]
    return (after, end, []) if content[after:end].strip() else before


def _opening(declared: Sequence[Node], content: bytes) -> int:
    """Return where the { of a namespace or of an `extern "C"` is; -1 if this is none."""
    node = declared[0]
    if len(declared) > 1 or not (node["kind"] == "NamespaceDecl" or node.get("hasBraces")) or "inner" not in node:
        return -1
    return content.find(b"{", node["range"]["begin"]["offset"])


def _merged(inner: Iterable[Node]) -> Iterator[tuple[int, int, list[Node]]]:
    """Declarations in the order of the text, each with those that overlap with it."""
    spans = []
    for node in inner:
        begin, end = (node.get("range", {}).get(side, {}) for side in ("begin", "end"))
        if (
            "offset" in begin
            and "offset" in end
            and not {"includedFrom"} & {*begin, *end}
            and not node.get("isImplicit")
        ):
            spans.append((begin["offset"], end["offset"] + end["tokLen"], node))
    spans.sort(key=lambda span: span[:2])
    merged: tuple[int, int, list[Node]] | None = None
    for begin, last, node in spans:
        if merged and begin < merged[1]:
            merged = (merged[0], max(merged[1], last), [*merged[2], node])
            continue
        if merged:
            yield merged
        merged = (begin, last, [node])
    if merged:
        yield merged


def _names(declared: Iterable[Node]) -> Iterator[str]:
    for node in declared:
        if name := node.get("name"):
            yield name
        if node.get("kind") in ("EnumDecl", "NamespaceDecl", "LinkageSpecDecl"):
            yield from _names(node.get("inner", ()))


def _blanked(content: bytes, spans: Iterable[tuple[int, int]]) -> bytes:
    """Return the text with blanks in these places, but for its lines and the preprocessor's."""
    for begin, end in spans:
        lines = content[begin:end].split(b"\n")
        blanked = (line if MARKER.match(line.decode(errors="replace")) else b" " * len(line) for line in lines)
        content = content[:begin] + b"\n".join(blanked) + content[end:]
    return content
