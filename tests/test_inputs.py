"""Do the inputs of cached tests hold all that these import? Else one would be left out though its result may change."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

import import_graph
import inputs
import pytest
from import_graph import ROOT

TESTS = ROOT / "tests"


def patterns_in(path: Path) -> set[str]:
    """What all marks in a module of tests together say that it depends on. What a test's own mark leaves out, and what
    is read but not imported, is up to its author."""
    found: set[str] = set()
    for node in ast.walk(import_graph.tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "cached":
            for argument in node.args:
                if isinstance(argument, ast.Constant):
                    found.add(str(argument.value))
                elif isinstance(argument, ast.Starred):
                    found |= set(getattr(inputs, ast.unparse(argument.value).removeprefix("inputs.")))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "inputs":
            mark: Any = getattr(inputs, node.attr)
            found |= set(mark.args if isinstance(mark, pytest.MarkDecorator) else mark)
    return found


@cache
def _matching(pattern: str) -> frozenset[Path]:
    return frozenset(ROOT.glob(pattern))


def missing(path: Path, patterns: set[str]) -> set[str]:
    """The files that the module imports, and that no pattern matches. The tests' helpers are everyone's inputs."""
    held = set[Path]().union(*map(_matching, patterns))
    return {str(file.relative_to(ROOT)) for file in import_graph.reached(path) - held if TESTS not in file.parents}


def test_each_cached_test_depends_on_all_that_it_imports() -> None:
    marked = {path: patterns for path in sorted(TESTS.rglob("test_*.py")) if (patterns := patterns_in(path))}
    assert marked
    lacks = {path.relative_to(TESTS): missing(path, patterns) for path, patterns in marked.items()}
    assert not {path: files for path, files in lacks.items() if files}


def test_what_is_imported_by_way_of_others_is_seen() -> None:
    test = TESTS / "cuda" / "backends" / "test_corpus.py"
    assert "autograder/cuda/core/signature.py" in missing(test, set())
    assert "autograder/cuda/core/signature.py" not in missing(test, {"autograder/cuda/core/*"})
