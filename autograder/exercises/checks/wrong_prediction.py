"""Predictions: does what a cell says about a kernel agree with what was counted?"""

from __future__ import annotations

from collections.abc import Mapping

from ..findings import MeasuredLaunch, Predicted, WrongLimit, WrongNumber

#: Largest relative difference between a predicted number and the counted one: of an intensity, which may be written
#: with few digits; and of what is counted, where only the arithmetic rounds.
TOLERANCE, ROUNDING = 1e-3, 1e-9


def find_wrong_number(word: str, said: Predicted, counted: float) -> list[WrongNumber]:
    """One finding if `said`, a cell's answer for `word`, is not `counted`."""
    allowed = TOLERANCE if word == "intensity" else ROUNDING
    if isinstance(said, int | float) and abs(said - counted) <= allowed * abs(counted):
        return []
    return [WrongNumber(word=word, said=said, counted=counted)]


def find_wrong_limit(
    said: Predicted, times: Mapping[str, float], names: Mapping[str, int], measured: MeasuredLaunch
) -> list[WrongLimit]:
    """One finding if `said` is not the number, in `names`, of the part that takes longest in `times`; `measured` is
    a launch that shows it."""
    longest = max(times, key=lambda part: times[part])
    if said == names[longest]:
        return []
    part = next((name for name, number in names.items() if number == said), "")
    return [WrongLimit(said=said, part=part, measured=measured)]
