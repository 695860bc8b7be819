"""Which answers of a notebook are whole programs, by the text of its contract."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DECLARED = re.compile(r'^program\("(\w+)"', re.MULTILINE)


def programs_in(cells: Iterable[str]) -> set[str]:
    """Return the names of the whole programs that these texts of cells ask for. None of them is run for that."""
    return {name for cell in cells for name in _DECLARED.findall(cell)}
