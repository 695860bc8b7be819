"""What each check asserts about a kernel: the words after the kernel's name in a report's title."""

from __future__ import annotations

from collections.abc import Sequence

from ...cuda.report.vocabulary import join
from .constructs import UNWANTED, WANTED

#: By the method of `Checker`: claims that say more than its name.
_CLAIMS = {
    "shares_the_work": "shares the work among its threads",
    "computes_on_the_gpu": "computes on the GPU",
    "waits_for_the_gpu": "waits for the GPU",
    "waits_at_most": "waits no more often than it must",
}


def claim(check: str) -> str:
    """What `check`, a method of `Checker`, asserts about a kernel."""
    return _CLAIMS.get(check, check.replace("_", " "))


#: Follows the claims about a launch by itself.
NOT_COMPARED = "This run does not check the results."


def claim_of_run(check: str) -> str:
    """The claim of `check` about a launch by itself, whose results nobody compares."""
    return "runs to its end" if check == "matches_numpy" else claim(check)


def claim_of_use(construct: str) -> str:
    """The claim about a kernel that must use `construct`."""
    return f"uses {WANTED[construct].name}"


def claim_of_none(constructs: Sequence[str]) -> str:
    """The claim about a kernel that must do without `constructs`."""
    return f"does without {join([UNWANTED[word].name for word in constructs])}"


def claim_of_speed(needed: float, baseline: str) -> str:
    """The claim about a kernel that must be `needed` times as fast as `baseline`."""
    return f"is at least {needed:g} times as fast as {baseline}"


def claim_of_prediction(word: str) -> str:
    """The claim about a cell that predicts `word`."""
    return f"predicts {word}"
