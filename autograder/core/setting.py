"""Where a finding was made: the case's size, its launch, and the backend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .findings import Dim3


@dataclass(frozen=True)
class Setting:
    """One case of a check, as a report names it.

    `grid` and `block` are None if they could not be determined; `shared_mem` is in bytes.
    """

    size: Mapping[str, Any]
    grid: Dim3 | None = None
    block: Dim3 | None = None
    shared_mem: int = 0
    backend: str = "emulator"
