"""Do names and sentences keep to docs/glossary.md? Its last column lists the words that are retired.

The test prints each place that has one.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import tree_sitter_cuda
from tree_sitter import Language, Node, Parser

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
#: A number in longer names, as in `one_line`.
NUMERALS = {"one"}


class Use(NamedTuple):
    """A retired word in a name or a sentence."""

    place: str
    word: str
    text: str


@cache
def retired() -> tuple[tuple[str, ...], re.Pattern[str]]:
    """The words that names must not have, and a pattern for those that sentences must not have."""
    rows = [re.split(r"(?<!\\)\|", line)[3] for line in GLOSSARY.read_text().splitlines() if line.startswith("| **")]
    names = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    phrases = [
        phrase.replace("\\|", "|").replace(" ", r"\s+") for row in rows for phrase in re.findall(r'"([^"]+)"', row)
    ]
    return tuple(names), re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE)


def retired_in_name(name: str) -> str | None:
    """The retired word in the identifier `name`, if it has one."""
    words = "_".join(re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)).lower()
    for word in retired()[0]:
        if words == word or (word not in NUMERALS and f"_{word}_" in f"_{words}_"):
            return word
    return None


def python_names(text: str) -> Iterator[str]:
    """Yield each name that Python source defines, except test functions, whose names are sentences."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if not name.startswith("test_"):
                yield name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


def python_sentences(text: str) -> Iterator[str]:
    """Yield the comments and strings of Python source: docstrings and messages among them."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            yield token.string


@cache
def parser() -> Parser:
    return Parser(Language(tree_sitter_cuda.language()))


def cpp_parts(text: str, kinds: tuple[str, ...]) -> Iterator[str]:
    """Yield the text of each node of C++ source whose kind is one of `kinds`."""
    pending: list[Node] = [parser().parse(text.encode()).root_node]
    while pending:
        node = pending.pop()
        if node.type in kinds and node.text:
            yield node.text.decode()
        pending += node.children


def prose(text: str) -> str:
    """The text of a Markdown page without code."""
    return re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)


def parts(path: Path) -> tuple[list[str], list[str]]:
    """The names that a file defines, its module's among them, and its sentences."""
    text = path.read_text()
    match path.suffix:
        case ".py":
            return [path.stem, *python_names(text)], list(python_sentences(text))
        case ".h" | ".cpp":
            kinds = ("identifier", "field_identifier", "type_identifier", "namespace_identifier")
            return [path.stem, *cpp_parts(text, kinds)], list(cpp_parts(text, ("comment", "string_literal")))
        case _:
            return [], [prose(text)]


@cache
def uses() -> list[Use]:
    """Retired words in names (each counts once for a file) and in sentences."""
    listed = subprocess.run(
        ["git", "ls-files", "autograder", "tests", "docs", "book/_ext", "*.md", ":!CHANGELOG.md", ":!docs/glossary.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found: list[Use] = []
    for file in listed.splitlines():
        in_scope = file.startswith(("autograder/", "tests/", "docs/", "book/_ext/")) or "/" not in file
        if not in_scope or not file.endswith((".py", ".h", ".cpp", ".md")) or file == "tests/test_words.py":
            continue
        names, sentences = parts(ROOT / file)
        found += [Use(file, word, name) for name in sorted(set(names)) if (word := retired_in_name(name))]
        for sentence in sentences:
            for match in retired()[1].finditer(sentence):
                start, end = sentence.rfind("\n", 0, match.start()) + 1, sentence.find("\n", match.end())
                found.append(Use(file, match.group(), sentence[start : end if end > 0 else None].strip()))
    return found


def test_names_and_sentences_keep_to_the_glossary() -> None:
    shown = "\n".join(f"{use.place}: {use.word!r} in {use.text[:100]}" for use in uses())
    assert not shown, f"retired words; docs/glossary.md has what to write instead:\n{shown}"


def test_a_retired_word_is_found() -> None:
    assert retired_in_name("_TOLD") == retired_in_name("wasTold") == "told"
    assert retired_in_name("one") == "one"
    assert retired_in_name("one_line") is retired_in_name("bone") is None
    text = 'def f(kept):\n    """So\n    many."""\n    own = 1  # is behind\n    raise E(f"a whole number: {own}")\n'
    assert [retired_in_name(name) for name in python_names(text)] == [None, "kept", "own"]
    found = [match.group() for sentence in python_sentences(text) for match in retired()[1].finditer(sentence)]
    assert found == ["So\n    many", "behind", "whole number"]
    cpp = "// mends it\nint own_place(int told) { return told; }"
    assert {retired_in_name(name) for name in cpp_parts(cpp, ("identifier",))} == {"own", "told"}
    assert list(cpp_parts(cpp, ("comment",))) == ["// mends it"]
    assert "mend" not in prose("a `mend` b\n```\nmend\n```\n")
