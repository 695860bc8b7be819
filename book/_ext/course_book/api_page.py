"""Format the page on the library, which Sphinx's autodoc writes from the docstrings."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def readable(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Return a signature that Sphinx can read and link: a dataclass shows a default factory as `<factory>`."""
    return signature and signature.replace("<factory>", "..."), returns
