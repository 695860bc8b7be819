"""The directives of the page on trust: `counts` and `findings`, each with the name of a table."""

from __future__ import annotations

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from . import kernels
from .directives import depend_on_kernel
from .numbered_tables import numbered_table
from .trust_tables import MISSING, SANITIZER, TABLES


class Trust(SphinxDirective):
    """A table that compares the emulator with NVIDIA's tools; the content is its caption. If its file is missing, a
    sentence says so.

    Its argument is one of the names in TABLES: `counts` has summary, all, differences; `findings`
    has summary, times, all.
    """

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        key = (self.name, self.arguments[0])
        if key not in TABLES:
            raise self.error(f"{self.name} has no table {self.arguments[0]!r}")
        file, draw = TABLES[key]
        for kernel in (kernels.FOLDER / "access").glob("*.cu"):
            depend_on_kernel(self.env, f"access/{kernel.name}")
        for path in (file, SANITIZER):
            self.env.note_dependency(str(path))
        if not file.exists():
            text = MISSING.format(file.name)
            return [nodes.paragraph(text, text)]
        return numbered_table(self, draw())
