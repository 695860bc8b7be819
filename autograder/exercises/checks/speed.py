"""Speed: is a kernel fast enough compared with another one, timed under the same conditions?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..findings import TooSlow


def speed_up(own: Sequence[float], other: Sequence[float]) -> float:
    """How many times as fast as `other` the kernel is: the ratio of the two medians."""
    return float(np.median(other) / np.median(own))


def find_too_slow(
    own: Sequence[float], other: Sequence[float], needed: float, *, naive: float, good: float, baseline: str
) -> list[TooSlow]:
    """One finding if the kernel is less than `needed` times as fast as the `baseline`.

    Args:
        own, other: times of single launches of the kernel and the baseline, in milliseconds.
        naive, good: the exercise's reference speeds, see `TooSlow`.
    """
    measured = speed_up(own, other)
    if measured >= needed:
        return []
    found = TooSlow(
        measured=measured,
        needed=needed,
        own=float(np.median(own)),
        other=float(np.median(other)),
        naive=naive,
        good=good,
        baseline=baseline,
    )
    return [found]
