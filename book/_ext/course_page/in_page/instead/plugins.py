"""cuda/plugins.py in a page, where no other package is installed."""

from typing import Any


def plugins(group: str) -> dict[str, Any]:
    """Return nothing. The native one imports what reads entry points, which takes memory."""
    return {}
