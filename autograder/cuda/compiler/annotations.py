"""Writes `__device__` before a definition that has it only by an earlier declaration of the function.

For NVIDIA's compilers, a redeclaration is where the first one is; for clang, one without an annotation is the host's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from .syntax import Node, syntax_tree

#: The kinds of nodes of a syntax tree that are functions.
FUNCTIONS = ("FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl")
#: What is written into a text, and into one that is preprocessed.
_WORD, _ATTRIBUTE = "__device__ ", "__attribute__((__device__)) "


def with_annotations(source: str, flags: Sequence[str], folder: Path, names: Iterable[str]) -> str:
    """Return the text with the annotations that its definitions inherit; that shifts columns.

    Args:
        flags: of a compilation in `folder` of a text that begins with `source`.
        names: those of the functions if the text is preprocessed; "" for all of them if it is not.
    """
    content = source.encode()
    places = {(at, bool(name)) for name in names for at in _places(syntax_tree(flags, folder, name), content, name)}
    for at, is_preprocessed in sorted(places, reverse=True):
        content = content[:at] + (_ATTRIBUTE if is_preprocessed else _WORD).encode() + content[at:]
    return content.decode()


def _places(tree: Node, content: bytes, name: str) -> Iterator[int]:
    """Yield where the word belongs: where such definitions begin, or before the name of a specialization."""
    # (Declarations alone, without what they are in, do not say which class a function is a member of.)
    functions = [("" if name else scope, node) for scope, node in _functions(tree, "") if name in ("", node["name"])]
    on_gpu = {(scope, node["name"]) for scope, node in functions if _is_device(node)}
    for scope, node in functions:
        if (scope, node["name"]) not in on_gpu or _is_annotated(node) or not has_body(node):
            continue
        at = _offset(node["range"]["begin"])
        if content.startswith(b"template", at):
            at = _offset(node["loc"])
        if 0 <= at < len(content) and not content[:at].rstrip().endswith(b"::"):
            yield at


def _offset(place: Node) -> int:
    """Return where a place is in the text; -1 if it is in none, as what a header has."""
    place = place.get("expansionLoc", place)
    return -1 if "includedFrom" in place else int(place.get("offset", -1))


def _functions(node: Node, scope: str) -> Iterator[tuple[str, Node]]:
    """Yield the functions in a declaration, each with the node of the class or namespace that it is a member of."""
    for inner in node.get("inner", ()):
        if inner.get("kind") in FUNCTIONS and "name" in inner and not inner.get("isImplicit"):
            yield inner.get("parentDeclContextId", scope), inner
        elif inner.get("kind") == "FunctionTemplateDecl":
            # Its specializations, in the node too, are no definitions of the text's.
            first = next((child for child in inner["inner"] if child.get("kind") in FUNCTIONS), None)
            if first and "name" in first:
                yield scope, first
        elif inner.get("kind") in ("CXXRecordDecl", "NamespaceDecl", "LinkageSpecDecl", "ClassTemplateDecl"):
            yield from _functions(inner, inner["id"] if inner["kind"] == "CXXRecordDecl" else scope)


def _attributes(node: Node) -> list[Node]:
    return [inner for inner in node.get("inner", ()) if inner.get("kind", "").startswith("CUDA")]


def _is_device(node: Node) -> bool:
    words = {inner["kind"] for inner in _attributes(node) if not inner.get("implicit")}
    return "CUDADeviceAttr" in words and "CUDAHostAttr" not in words


def _is_annotated(node: Node) -> bool:
    return any(not inner.get("implicit") for inner in _attributes(node))


def has_body(node: Node) -> bool:
    """Return whether a function's node is its definition."""
    return any(inner.get("kind") in ("CompoundStmt", "CXXTryStmt") for inner in node.get("inner", ()))
