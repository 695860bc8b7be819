"""Why mutants survive: a reason for each that the measurement itself bears out, or none."""

from collections.abc import Callable
from dataclasses import dataclass

#: Where nobody has said more than that no case tells the mutant from the solution.
UNEXPLAINED = "no case tells it from the solution"


@dataclass(frozen=True)
class _Rule:
    """`reason` for mutants of an operator for which `holds(replacement, differs_in)`."""

    operators: tuple[str, ...]
    holds: Callable[[str, str], bool]
    reason: str


_RULES = (
    _Rule(
        (),
        lambda after, differs: differs == "other shared memory",
        "it takes more shared memory, for which there is no limit",
    ),
    _Rule((), lambda after, differs: differs == "other results", "its results are within the tolerance"),
    _Rule(
        (), lambda after, differs: differs == "other traffic", "it does other work than the solution, within the limits"
    ),
    _Rule(
        ("change_type",),
        lambda after, differs: after == "float",
        "a float is exact up to 16,777,216, and no case has a larger number there",
    ),
    _Rule(("change_type",), lambda after, differs: after.endswith("char"), "no case has a number there beyond 8 bits"),
    _Rule(("change_type",), lambda after, differs: after == "int", "all numbers there are whole in the cases"),
    _Rule(("change_sign",), lambda after, differs: True, "no case has a number there for which the sign matters"),
    _Rule(("shift_value",), lambda after, differs: differs == "alike", "a prediction may be a little off"),
    _Rule(
        ("change_mask",), lambda after, differs: "activemask" in after, "all lanes come, though nothing says they must"
    ),
)


def reason_for(operator: str, after: str, differs_in: str) -> str:
    """The reason why a mutant of `operator` survives, whose replacement is `after`."""
    for rule in _RULES:
        if (not rule.operators or operator in rule.operators) and rule.holds(after, differs_in):
            return rule.reason
    return UNEXPLAINED
