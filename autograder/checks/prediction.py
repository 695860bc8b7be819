"""Is what was predicted of a kernel what was counted?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.check_findings import MeasuredLaunch, WrongLimit, WrongNumber

#: A predicted number may differ from the counted one by this part of it: rounding, not more.
TOLERANCE = 1e-3


def find_wrong_number(word: str, said: Any, counted: float) -> list[WrongNumber]:
    """One finding if `said`, which a cell gives for `word`, is not `counted`."""
    if isinstance(said, int | float) and abs(said - counted) <= TOLERANCE * abs(counted):
        return []
    return [WrongNumber(word=word, said=said, counted=counted)]


def find_wrong_limit(
    said: Any, times: Mapping[str, float], names: Mapping[str, int], measured: MeasuredLaunch
) -> list[WrongLimit]:
    """One finding if `said` is not the number, in `names`, of the part that takes longest in `times`; `measured` tells
    of a launch that shows it."""
    longest = max(times, key=lambda part: times[part])
    if said == names[longest]:
        return []
    part = next((name for name, number in names.items() if number == said), "")
    return [WrongLimit(said=said, part=part, measured=measured)]
