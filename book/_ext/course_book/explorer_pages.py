"""The directives `explore-sectors`, `explore-banks` and `explore-occupancy`, and the files that their pages load."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from .directives import depend_on_kernel
from .explorers import BANKS_KERNEL, EXPLORERS, SECTORS_KERNEL


class Explorer(SphinxDirective):
    """Numbers for the reader to change, and their results; the content is the caption."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        for file in (SECTORS_KERNEL, BANKS_KERNEL):
            depend_on_kernel(self.env, file)
        html = EXPLORERS[self.name](f"{self.name}-{self.env.new_serialno(self.name)}")
        figure = nodes.figure("", nodes.raw("", html, format="html"), classes=["kernel-figure", self.name])
        words = self.parse_content_to_nodes()
        if len(words) != 1 or not isinstance(words[0], nodes.paragraph):
            raise self.error(f"{self.name}: it needs a caption of one paragraph: write it as the content.")
        figure += nodes.caption("", "", *words[0].children)
        self.set_source_info(figure)
        return [figure]


def load_where_used(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Let only pages with an explorer load its script and style."""
    if 'class="explorer"' in context.get("body", ""):
        app.add_js_file("explorers.js", loading_method="defer")
        app.add_css_file("explorers.css")
