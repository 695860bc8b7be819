"""What each check claims of a kernel: the words that stand behind its name in a report's title."""

from __future__ import annotations

from collections.abc import Sequence

from .constructs import UNWANTED, WANTED
from .vocabulary import join

#: By the method of `Checker`: what says more than its name.
_CLAIMS = {"shares_the_work": "shares the work among its threads"}


def claim(check: str) -> str:
    """What `check`, a method of `Checker`, claims of a kernel."""
    return _CLAIMS.get(check, check.replace("_", " "))


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
