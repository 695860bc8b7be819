"""Precompiles what is in front of each CUDA file, so that it is read once and not with every compilation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..compiler.cache import build_once, digest
from ..compiler.kernel_flags import TO_PCH
from ..compiler.system_headers import header_flags
from ..compiler.zig import build
from .runtime_build import runtime

#: The file that includes it.
FIRST = "include/first.h"


def first_header(flags: Sequence[str]) -> list[str]:
    """Flags that put it in front of a file that is compiled with `flags`, which say all about the language.

    Raises:
        GraderFault: it does not compile.
    """
    home = runtime()

    def precompile(folder: Path) -> None:
        found = ["-isystem", str(home / "include"), *header_flags()]
        command: list[str | Path] = ["clang", *flags, *found, *TO_PCH, "-x", "cuda", home / FIRST, "-o", "first.pch"]
        build(command, folder, "What is in front of each CUDA file")

    made = build_once(home / "first" / digest(*flags), precompile)
    return ["-include-pch", str(made / "first.pch")]
