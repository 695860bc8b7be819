"""The page's worker, as Python sees it: it puts its functions here (`web/engine.mjs`)."""

from __future__ import annotations

from typing import Any

file: Any
compile: Any
launch: Any
words: dict[str, int]
