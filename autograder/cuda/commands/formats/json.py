"""Writes what a run found as JSON: all of the document, whose parts docs/programs.md describes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def write(document: Mapping[str, Any]) -> str:
    """Return the document as JSON."""
    return json.dumps(document, indent=2, ensure_ascii=False)
