"""Keeps the optimizer from taking a variable on the GPU for one that nobody else knows of.

Of a variable that only one function names, and that nothing passes to a hook, it concludes what no other thread and no
host has written: `__constant__ int n` would keep its first value, and `__shared__ int sum` be each thread's own.
"""

from __future__ import annotations

import re

from ..ir import Module


def show_variables(module: Module) -> None:
    """Let each variable be one that other modules may write."""
    for variable in module.globals.values():
        if variable.kind == "global":
            variable.linkage = re.sub(r"\b(?:internal|private)\b", "hidden", variable.linkage)
