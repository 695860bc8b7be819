"""cuda/backends/processor_time.py in a page, which has no processor time, and where nobody grades."""

from __future__ import annotations

import math


def limit_launches(seconds: float) -> None:
    """There is no limit."""


def count_waiting(seconds: float) -> None:
    """There are no programs."""


def taken() -> float:
    return 0


def seconds_left() -> float:
    return math.inf


def is_limited() -> bool:
    return False


def is_used_up() -> bool:
    return False
