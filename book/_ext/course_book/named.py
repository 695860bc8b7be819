"""Names for what the theme leaves without one, for readers with a screen reader."""

from __future__ import annotations

import re
from typing import Any

from bs4 import BeautifulSoup
from sphinx.application import Sphinx


def name_folds(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Let the arrow beside a chapter in the sidebar say what it unfolds."""
    generate = context["generate_toctree_html"]

    def named(*args: Any, **options: Any) -> Any:
        tree = generate(*args, **options)
        for summary in tree("summary") if isinstance(tree, BeautifulSoup) else ():
            chapter = summary.find_parent("li")
            assert chapter is not None and chapter.a is not None, "the theme folds what is below a link"
            summary["aria-label"] = f"Exercises of {chapter.a.get_text(strip=True)}"
        return tree

    context["generate_toctree_html"] = named


def unname_empty_corners(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """The empty corner of a table is no heading: it would be read out as one that says nothing."""
    corner = r'<th((?: class="[^"]*")?)(?: scope="col")?>(?:<p></p>)?</th>'
    context["body"] = re.sub(corner, r"<td\1></td>", context.get("body", ""))
