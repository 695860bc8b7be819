"""Where a finding was made: the case's size, its launch, and the backend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .findings import Dim3

#: The keyword arguments of an exercise's case function, such as `dict(n=1000, block=(16, 16))`. What they hold is the
#: author's choice.
Size = Mapping[str, Any]


@dataclass(frozen=True)
class Setting:
    """One case of a check, as a report names it.

    `exercise` is the name of the exercise, empty for a kernel of none.
    `order` is the order of the threads, if another one than the ordinary (`exercise.launches.ORDERS`), or says that
    this is a further launch in a row (`AGAIN`), or one with other bytes in memory that nobody has written
    (`FILL`).
    `grid` and `block` are None if they could not be determined; `shared_mem` is in bytes.
    `in_program` says that a program launches the kernel, by <<<...>>>.
    """

    size: Size
    grid: Dim3 | None = None
    block: Dim3 | None = None
    shared_mem: int = 0
    backend: str = "emulator"
    exercise: str = ""
    order: str = ""
    in_program: bool = False
