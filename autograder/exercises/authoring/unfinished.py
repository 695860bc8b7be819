"""What a new part of the course still lacks: what is to be filled in, a line in `_toc.yml`, a plain reference."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .chapters import TOC
from .nbgrader_app import RELEASED, SOURCE

#: What `autograder new` puts where an author has to write something.
MARK = "FILL IN:"
PLAIN_REFERENCES = "tests/exercises/authoring/plain_references.py"
#: These are about the mark, and `exercises/` repeats what `solutions/` holds.
_NOT_THERE = (RELEASED, "autograder/exercises/authoring/new", "autograder/exercises/authoring/unfinished.py")


def unfinished(root: Path) -> tuple[str, ...]:
    """Return a line for each thing that the course at `root` still lacks: its file, and what to do."""
    return (*_marks(root), *_not_listed(root), *_without_reference(root))


def _marks(root: Path) -> Iterator[str]:
    """Each line that is to be filled in, of files that git tracks or may."""
    command = ["git", "-C", str(root), "grep", "--untracked", "-IF", "-e", MARK, "--", "."]
    command += [f":(exclude){path}" for path in _NOT_THERE]
    found = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    for line in found.stdout.splitlines():
        path, _, text = line.partition(":")
        if path.endswith(".ipynb"):
            text = json.loads(text.strip().removesuffix(","))
        yield f"{path}: {text[text.index(MARK) :].strip()}"


def _not_listed(root: Path) -> Iterator[str]:
    """Each exercise that the book does not list, if there is a book."""
    if not (root / TOC).exists():
        return
    listed = (root / TOC).read_text()
    for path in sorted((root / SOURCE).glob("*/*.ipynb")):
        page = f"{RELEASED}/{path.parent.name}/{path.stem}"
        if not re.search(rf"^ *- file: {page}$", listed, re.MULTILINE):
            yield f"{TOC} has no line `- file: {page}`: add it under the exercise's chapter."


def _without_reference(root: Path) -> Iterator[str]:
    """Each kernel and program of an exercise whose result is computed once only, if there are such references."""
    if not (root / PLAIN_REFERENCES).exists():
        return
    module = runpy.run_path(str(root / PLAIN_REFERENCES))
    for path in sorted((root / SOURCE).glob("*/*.ipynb")):
        for name in re.findall(r'"%%cuda (\w+)', path.read_text()):
            if name not in module["PLAIN"] and name not in module["PROGRAMS"]:
                yield f"{PLAIN_REFERENCES} has no {name}: write its reference there again, in plain loops."
