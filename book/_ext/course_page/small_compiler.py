"""The compiler that a page loads first, which has only the functions that this course's kernels call."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from autograder.cuda.compiler.cache import cache_folder, digest
from autograder.cuda.performance import measurements

from .bundle import HERE
from .compiler_parts import without_others
from .node import NotBuiltError

#: Which functions these are; book/data/measure_compiler.py wrote it.
MEASURED = HERE.parents[1] / "data/compiler_functions.csv"


def core(packages: Path) -> Path:
    """Return the module that holds the compiler, in the folder of npm's packages."""
    return packages / "node_modules/@yowasp/clang/gen/llvm.core.wasm"


def small_compiler(packages: Path) -> Path:
    """Return the cached file of the module without the other functions.

    Raises:
        NotBuiltError: the list of functions is of another module.
    """
    home = cache_folder() / "page-compiler"
    cached = home / f"{digest(packages.name, MEASURED.read_text(encoding='utf-8'))}.wasm"
    if not cached.exists():
        binary = core(packages).read_bytes()
        rows = measurements.read(MEASURED)
        if rows[0]["module"] != hashlib.sha256(binary).hexdigest():
            raise NotBuiltError(f"{MEASURED.name} is of another compiler: run book/data/measure_compiler.py.")
        needed = {n for row in rows for n in range(int(row["first"]), int(row["last"]) + 1)}
        home.mkdir(parents=True, exist_ok=True)
        (home / f"{os.getpid()}.new").write_bytes(without_others(binary, needed))
        (home / f"{os.getpid()}.new").rename(cached)
    return cached
