"""Python's own modules that were not imported when the book was built: a page loads their archive when it needs one."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

from pyodide.ffi import run_sync


class _Loading(MetaPathFinder):
    """Finds nothing itself, but puts the archive where the finders after it look."""

    def __init__(self, load: Callable[[], Any]) -> None:
        self._load = load

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname.partition(".")[0] in sys.stdlib_module_names and fullname not in sys.builtin_module_names:
            sys.meta_path.remove(self)
            archive = next(Path(entry) for entry in sys.path if entry.endswith(".zip"))
            archive.write_bytes(run_sync(self._load()).to_bytes())
            importlib.invalidate_caches()


def load_when_needed(load: Callable[[], Any]) -> None:
    """Let `load` get the archive, which is empty until then: it returns a promise of bytes."""
    sys.meta_path.insert(0, _Loading(load))
