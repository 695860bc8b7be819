"""compiler/webassembly/runtime.py in a page."""

from __future__ import annotations

from pathlib import Path

from autograder.compiler.kernel_flags import Runtime


def build_runtime_objects(runtime: Runtime) -> list[Path]:
    """The objects that a kernel is linked with."""
    return [runtime.headers.with_name(name) for name in ("emulator.o", "math.o")]
