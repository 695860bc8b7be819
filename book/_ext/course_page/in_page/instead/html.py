"""Python's `html` in a page, as far as reports use it: the native one has a table of all entities, 3 MB in memory."""

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def escape(text: str) -> str:
    """Return `text` with the characters that mean something in HTML, or in a quoted attribute, written as entities."""
    return text.translate(_ESCAPES)
