"""Is what was predicted of a kernel what was counted?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.findings import Finding, Kind

#: A predicted number may differ from the counted one by this part of it: rounding, not more.
TOLERANCE = 1e-3


def find_wrong_number(word: str, said: Any, counted: float) -> list[Finding]:
    """One finding if `said`, which a cell gives for `word`, is not `counted`. Detail: `word`, `said`, `counted`."""
    if isinstance(said, int | float) and abs(said - counted) <= TOLERANCE * abs(counted):
        return []
    return [Finding(Kind.MISMATCH, detail={"word": word, "said": said, "counted": counted})]


def find_wrong_limit(said: Any, times: Mapping[str, float], names: Mapping[str, int]) -> list[Finding]:
    """One finding if `said` is not the number, in `names`, of the part that takes longest in `times`.

    Detail: `word` ("limit"), `said` (a number), `part` (the part of that number; empty if there is none).
    """
    longest = max(times, key=lambda part: times[part])
    if said == names[longest]:
        return []
    part = next((name for name, number in names.items() if number == said), "")
    return [Finding(Kind.MISMATCH, detail={"word": "limit", "said": said, "part": part})]
