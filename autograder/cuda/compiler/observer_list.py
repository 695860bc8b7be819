"""Generates the list of the emulator's observers: one for each file in a folder, here or in another package.

A package registers its folder of observers, C++ headers, as a module of that folder:

    [project.entry-points."autograder.observers"]
    theirs = "their_package.observers"
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..errors import UsageError
from ..plugins import plugins

_FORMS = "TakesPart, Covered or Forbidden (events/observer.h)"


def registered_observers() -> list[Path]:
    """Return the headers of observers that other packages register, in order of their names.

    Raises:
        UsageError: a registered object is no module of a folder.
    """
    found: list[Path] = []
    for name, module in plugins("observers").items():
        if not getattr(module, "__file__", None):
            raise UsageError(f"{name} in autograder.observers must be a module beside the observers' headers.")
        found += Path(module.__file__).parent.glob("*.h")
    return sorted(found, key=lambda path: path.name)


def write_observer_list(folder: Path, source: Path) -> None:
    """Write observers.h into `folder`: it includes the observers of the runtime in `source` and the registered ones.

    Raises:
        UsageError: two observers have the same name, or as `registered_observers`.
    """
    files = {path.stem: f"observers/{path.name}" for path in (source / "observers").glob("*.h")}
    for path in registered_observers():
        if path.stem in files:
            raise UsageError(f"Two observers are called {path.name}: rename {path}.")
        files[path.stem] = path.as_posix()
    text = "\n".join(_lines({_struct_of(stem): files[stem] for stem in sorted(files)}))
    (folder / "observers.h").write_text(text + "\n", encoding="utf-8")


def _struct_of(stem: str) -> str:
    return "".join(map(str.capitalize, stem.split("_")))


def _lines(observers: dict[str, str]) -> Iterator[str]:
    yield "// Made from the files in observers/."
    yield "#pragma once"
    yield '#include "events/dispatch.h"'
    yield from (f'#include "{file}"' for file in observers.values())
    for name, file in observers.items():
        yield f'static_assert(says_fast_path<{name}>, "{file}: {name} must set on_fast_path: {_FORMS}");'
    yield "#ifdef UNCHECKED"
    yield "using Observers = List<>;"
    yield "#else"
    yield f"using Observers = ByTurn<{', '.join(observers)}>::Listed;"
    yield "#endif"
