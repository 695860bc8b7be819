"""`kernel-listing`: the text of a kernel in book/kernels, or a part of it, as a listing with a number and a caption."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.directives.code import LiteralInclude, container_wrapper
from sphinx.util.docutils import SphinxDirective

from . import kernels
from .switches_html import in_words

#: Options that select a part of a file.
_PARTS = {"lines", "start-at", "end-at", "end-before"}


def numbered(directive: SphinxDirective, listing: nodes.Element, caption: str) -> nodes.Element:
    """`listing` with a caption (MyST) and a number; `:name:` is the label to refer to it by."""
    whole = container_wrapper(directive, listing, caption)
    directive.set_source_info(whole)
    directive.add_name(whole)
    return whole


def to_try(file: str, *shown: nodes.Node, part: bool = False) -> list[nodes.Node]:
    """A listing of book/kernels/<file>, or a part of it, whose kernel a reader can change and run in the page:
    `course_page` does it."""
    start = f'<div class="listing" data-listing="{file}"{" data-part" * part}>'
    return [nodes.raw("", start, format="html"), *shown, nodes.raw("", "</div>", format="html")]


def about(kernel: kernels.BookKernel, *, part: bool = False) -> str:
    """Return the default caption of a listing: which kernels, in which file."""
    names = in_words([f"`{name}`" for name in kernels.KERNEL.findall(kernel.source)])
    return f"{'Part of ' * part}{names}, in `{kernel.file}`"


class KernelListing(LiteralInclude):
    """Shows a file of book/kernels below its header, or the lines that the options select. The content is the caption;
    by default it names the kernels and the file. It can be tried in the page, if the emulator runs it."""

    arguments: list[str]
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        name: LiteralInclude.option_spec[name] for name in (*sorted(_PARTS), "dedent", "emphasize-lines", "name")
    }

    def run(self) -> list[nodes.Node]:
        kernel = kernels.read(self.arguments[0])
        part = not _PARTS.isdisjoint(self.options)
        if not part:
            self.options["lines"] = f"{kernels.HEADER_LINES + 1}-"
        self.options |= {
            "lineno-match": None,
            "language": "cuda",
            "caption": " ".join(self.content) or about(kernel, part=part),
        }
        page = Path(self.env.doc2path(self.env.docname))
        self.arguments = [os.path.relpath(kernels.FOLDER / kernel.file, page.parent)]
        shown = super().run()
        for listing in (found for node in shown for found in node.findall(nodes.literal_block)):
            listing["highlight_args"]["linenostart"] -= kernels.HEADER_LINES  # as reports have it
        return to_try(kernel.file, *shown, part=part)
