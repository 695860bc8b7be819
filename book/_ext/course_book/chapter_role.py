"""The role `chapter`: the number of a chapter, which `_toc.yml` gives, as a link.

{chapter}`barriers` is "chapter 3"; {chapter}`Chapter <barriers>` is "Chapter 3", {chapter}`<barriers>` is "3"
alone, and {chapter}`barriers#within-a-warp` leads to that place of the chapter's page.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxRole

from autograder.cuda.report.chapters import chapters

_TEXT = re.compile(r"(?:(?P<word>[^<>]*)<(?P<inside>[^<>]+)>|(?P<alone>[^<>]+))")


class ChapterNumber(SphinxRole):
    """See the module."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        match = _TEXT.fullmatch(self.text)
        key, _, label = (match["inside"] or match["alone"] if match else "").partition("#")
        if key not in chapters():
            known = ", ".join(chapters())
            return [], [
                self.inliner.reporter.error(f"no chapter `{self.text}`: the book has {known}", line=self.lineno)
            ]
        assert match
        word = "chapter" if match["alone"] else match["word"].strip()
        chapter = chapters()[key]
        target = ("ref", label) if label else ("doc", f"/{chapter.page}")
        link = addnodes.pending_xref(
            "", refdomain="std", reftype=target[0], reftarget=target[1], refexplicit=True, refwarn=True
        )
        link["refdoc"] = self.env.docname
        link += nodes.inline("", f"{word} {chapter.number}".strip(), classes=["doc"])
        return [link], []
