"""The directives about a kernel's run, `measured` and `exercises`, and the base of directives about a kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

import autograder
from autograder.cuda.performance import measurements

from . import kernels, measured
from .numbered_tables import numbered_table
from .reports import printed_text, report_html
from .stated import TOC, exercises_of, stated


def _files(folder: Path) -> list[str]:
    return [str(path) for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]


_EXTENSION = [*_files(Path(__file__).parent), measurements.__file__]  # it reads the tables of book/data
_LIBRARY = _files(Path(autograder.__file__).parent)


def depend_on_extension(app: Sphinx, doctree: nodes.document) -> None:
    """Make every page be read again whenever this extension changes."""
    for path in _EXTENSION:
        app.env.note_dependency(path)


def depend_on_kernel(env: BuildEnvironment, file: str) -> None:
    """Make the current page be read again whenever book/kernels/<file> or the library changes."""
    for path in (str(kernels.FOLDER / file), *_LIBRARY):
        env.note_dependency(path)


class KernelDirective(SphinxDirective):
    """A directive whose argument is a file in book/kernels, which it runs on the emulator.

    With `:without: 1` the line marked `// barrier 1` is removed first.
    """

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"without": directives.nonnegative_int}

    def kernel(self) -> kernels.BookKernel:
        """Return the kernel; the page is read again whenever it or the emulator changes."""
        depend_on_kernel(self.env, self.arguments[0])
        return kernels.read(self.arguments[0])

    @property
    def without(self) -> int:
        return int(self.options.get("without", 0))


class KernelReport(KernelDirective):
    """Shows the emulator's report of a launch, as a student would read it."""

    def run(self) -> list[nodes.Node]:
        kernel = self.kernel()
        html = report_html(kernel, kernel.without(self.without), kernel.emulate(self.without))
        return [nodes.raw("", html, format="html")]


class KernelPrinted(KernelDirective):
    """Shows what a kernel prints in its launch on the emulator, as a notebook would show it."""

    def run(self) -> list[nodes.Node]:
        kernel = self.kernel()
        text = printed_text(kernel, kernel.without(self.without), kernel.emulate(self.without))
        return [nodes.literal_block(text, text, language="text")]


class Measured(SphinxDirective):
    """A table from book/data about one kernel: `:show: passes` or `:show: cost`. `:name:` is a label.

    `:n:` says what a size means for this kernel; `:sizes:` and `:block:` select rows; `:each:`
    adds the time for each of them. If the file is missing, a sentence says so.
    """

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "kernel": directives.unchanged_required,
        "show": lambda argument: directives.choice(argument, ("passes", "cost")),
        "n": directives.unchanged_required,
        "sizes": directives.positive_int_list,
        "block": directives.positive_int,
        "each": directives.unchanged_required,
        "name": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        file, options = self.arguments[0], self.options
        self.env.note_dependency(str(measured.DATA / file))
        rows = measured.read(file, options["kernel"], options.get("sizes", ()), options.get("block", 0))
        if not rows:
            text = f"This copy of the book holds no measurements: book/data/{file} is not there."
            return [nodes.paragraph(text, text)]
        if options["show"] == "passes":
            html = measured.passes(rows, options["n"])
        else:
            html = measured.cost(rows, options["n"], options.get("each", ""))
        return numbered_table(self, html)


class Exercises(SphinxDirective):
    """Lists the exercises of a chapter, in the order of _toc.yml, with the points and minutes that they state."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        items = nodes.bullet_list(classes=["exercises"])
        self.env.note_dependency(str(TOC))
        for page, path in exercises_of(self.arguments[0]).items():
            self.env.note_dependency(str(path))
            title, points, minutes = stated(path)
            item = nodes.list_item()
            link = f"{{doc}}`{title} </{page}>` (`{path.stem}`)"  # tables of answers name exercises by their files
            item += self.parse_text_to_nodes(f"{link}, {points:g} points, about {minutes} minutes")
            items += item
        return [items]
