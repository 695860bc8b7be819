"""cuda/compiler/emulator_runtime.py in a page: the parts come with the page. Only the compiler reads these files."""

from __future__ import annotations

from pathlib import Path

from autograder.cuda.compiler.kernel_flags import Runtime

HOME = Path("/runtime")
EMULATOR = HOME


def build_runtime() -> Runtime:
    """Return the parts that the page has."""
    return Runtime(HOME, HOME / "prelude.pch", HOME / "include", HOME, HOME, "page")
