"""Keep the pages offline and quiet: no request to another host, no message in the console."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

#: With no choice stored, follow the reader's system. It runs before the first paint, and before
#: the theme's own script, which takes it from there.
_FOLLOW_SYSTEM = """
if (!localStorage.getItem("mode")) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  Object.assign(document.documentElement.dataset, {mode: "auto", theme: dark ? "dark" : "light"});
}
"""


def follow_system(app: Sphinx) -> None:
    """Make pages light or dark like the reader's system."""
    app.add_js_file(None, body=_FOLLOW_SYSTEM, priority=0)


def remove_unused(app: Sphinx) -> None:
    """Remove two extensions that Jupyter Book always loads and the course does not use.

    sphinx-thebe declares a constant twice, which is an error on every page, and it would load its code from another
    host. sphinx-togglebutton says in the console of every page that there is nothing to toggle.
    """
    unused = ("sphinx_thebe", "sphinx_togglebutton")
    for listeners in app.events.listeners.values():
        listeners[:] = [listener for listener in listeners if not listener.handler.__module__.startswith(unused)]
    styles = ("sphinx-thebe.css", "togglebutton.css")
    app.registry.css_files[:] = [css for css in app.registry.css_files if css[0] not in styles]


def silence(app: Sphinx, error: Exception | None) -> None:
    """Stop the scripts of the theme and of Sphinx from logging what they do; their warnings and errors stay."""
    folder = Path(app.outdir)
    scripts = [
        path for path in sorted((folder / "_static").rglob("*.js")) if "page" not in path.relative_to(folder).parts
    ]
    for path in (*scripts, *folder.glob("search.html")):
        text = path.read_text(encoding="utf-8")
        silent = re.sub(r"\bconsole\.(log|info|debug)\((?!\))", "void(", text)
        if silent != text:
            path.write_text(silent, encoding="utf-8")


def lighten_head(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """For book/_templates/layout.html: drop what the theme makes every page load and no page needs.

    Its icons come as a font, and again as a script of 1.5 MB that would draw each of them. It also preloads three fonts
    of icons, of which a page uses one; on a slow machine, the browser warns about the others.
    """
    # What marks the words of a search; it breaks figures, and our search has its own way (course_page/web/search.mjs).
    context["script_files"] = [script for script in context["script_files"] if "sphinx_highlight" not in str(script)]
    waste = r'<link rel="preload" as="font"[^>]*>\s*|<script src="[^"]*/fontawesome/[^"]*"></script>\s*'
    context["lightened"] = lambda head: re.sub(waste, "", head)
