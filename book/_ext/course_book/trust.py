"""The directives of the page on trust: `counts` and `findings`, each with the name of a table."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import autograder

from . import kernels
from .trust_tables import MISSING, SANITIZER, TABLES


class Trust(SphinxDirective):
    """A table that holds the emulator against NVIDIA's tools; without its file there is a sentence instead.

    Its argument is one of the names in TABLES: `counts` knows summary, all, differences; `findings`
    knows summary, times, all.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        key = (self.name, self.arguments[0])
        if key not in TABLES:
            raise self.error(f"{self.name} has no table {self.arguments[0]!r}")
        file, draw = TABLES[key]
        sources = [path for path in Path(autograder.__file__).parent.rglob("*") if path.suffix in {".py", ".h", ".cpp"}]
        for path in (file, SANITIZER, *(kernels.FOLDER / "access").glob("*.cu"), *sources):
            self.env.note_dependency(str(path))
        if not file.exists():
            text = MISSING.format(file.name)
            return [nodes.paragraph(text, text)]
        return [nodes.raw("", draw(), format="html")]
