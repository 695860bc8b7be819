"""What each check claims of a kernel: the words that stand behind its name in a report's title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .constructs import UNWANTED, WANTED
from .vocabulary import join

#: By the method of `Checker`.
_CLAIMS: Mapping[str, str] = {
    "matches_numpy": "matches numpy",
    "has_no_races": "has no races",
    "stays_in_bounds": "stays in bounds",
    "reaches_every_barrier": "reaches every barrier",
    "reads_only_what_was_written": "reads only what was written",
    "is_coalesced": "is coalesced",
    "has_no_bank_conflicts": "has no bank conflicts",
    "shares_the_work": "shares the work among its threads",
    "loads_at_most": "loads from global memory",
    "stores_at_most": "stores to global memory",
    "global_atomics_at_most": "makes atomic operations on global memory",
    "shared_loads_at_most": "loads from shared memory",
    "barriers_at_most": "waits at barriers",
}


def claim(check: str) -> str:
    """What `check`, a method of `Checker`, claims of a kernel."""
    return _CLAIMS[check]


def claim_of_limit(check: str, limit: Any) -> str:
    """What a check "... at most" claims; `limit` is a number, or a function of the size."""
    often = "no more often than it must" if callable(limit) else f"at most {limit} times"
    return f"{_CLAIMS[check]} {often}"


def claim_of_use(construct: str) -> str:
    """What is claimed of a kernel that is to use `construct`."""
    return f"uses {WANTED[construct].name}"


def claim_of_none(constructs: Sequence[str]) -> str:
    """What is claimed of a kernel that is to do without `constructs`."""
    return f"does without {join([UNWANTED[word].name for word in constructs])}"


def claim_of_speed(needed: float, baseline: str) -> str:
    """What is claimed of a kernel that is to be `needed` times as fast as `baseline`."""
    return f"is at least {needed:g} times as fast as {baseline}"


def claim_of_prediction(word: str) -> str:
    """What is claimed of a cell that predicts `word`."""
    return f"predicts {word}"
