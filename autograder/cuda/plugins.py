"""Extensions that other packages register as entry points: checks, findings, observers, LMSs, places, report formats,
figures.

A package that is installed beside this one registers, for example, a check in its pyproject.toml:

    [project.entry-points."autograder.checks"]
    reads_once = "their_package.checks:reads_once"
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from .errors import UsageError


@cache
def plugins(group: str) -> dict[str, Any]:
    """The objects that installed packages register in the group `autograder.<group>`, by name.

    Raises:
        UsageError: a registered object cannot be imported, or two packages register the same name.
    """
    found: dict[str, Any] = {}
    for point in sorted(entry_points(group=f"autograder.{group}"), key=lambda point: point.name):
        package = point.dist.name if point.dist else "a package"
        if point.name in found:
            raise UsageError(f"Two packages register {point.name} in autograder.{group}: uninstall one ({package}).")
        try:
            found[point.name] = point.load()
        except (ImportError, AttributeError) as error:
            raise UsageError(f"{package} registers {point.value} in autograder.{group}: {error}.") from None
    return found
