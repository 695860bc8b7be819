"""cuda/compiler/webassembly/runtime.py in a page."""

from __future__ import annotations

from pathlib import Path

import page_host

from autograder.cuda.compiler.kernel_flags import Runtime


def build_runtime_module(runtime: Runtime) -> Path:
    """No file: the page's worker has the module."""
    return Path()


def build_math_library(runtime: Runtime) -> Path:
    """Return what a kernel is linked with."""
    return runtime.headers.with_name("math.o")


def shared_words(runtime: Runtime) -> dict[str, int]:
    """Return the addresses of the runtime's variables that a kernel reads and writes, by name."""
    words: dict[str, int] = page_host.words
    return words
