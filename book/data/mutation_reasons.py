"""Why mutants survive: a reason for each that the measurement itself bears out, or none."""

import re
from collections.abc import Callable
from dataclasses import dataclass

#: Where nobody has said more than that no case tells the mutant from the solution.
UNEXPLAINED = "no case tells it from the solution"
#: The other branch of a choice: what stands for an element that is not there.
_INSTEAD = re.compile(r"\?[^?]*:\s*0(\.0f)?\b")


@dataclass(frozen=True)
class Survivor:
    """A mutant that no check rejects: its operator, the text before the edit and after it, its whole line, and
    what differs from the solution (`judged._difference`)."""

    operator: str
    before: str
    after: str
    line: str
    differs: str


@dataclass(frozen=True)
class _Rule:
    """`reason` for survivors of some operators (of all, if none are named) for which `holds`."""

    operators: tuple[str, ...]
    holds: Callable[[Survivor], bool]
    reason: str


_RULES = (
    _Rule(
        (),
        lambda one: one.differs == "other shared memory",
        "it takes more shared memory, less than twice as much",
    ),
    _Rule((), lambda one: one.differs == "other results", "its results are within the tolerance"),
    _Rule(
        (),
        lambda one: one.differs == "another launch",
        "it has a thread or a block more or less in some cases, and less than twice as many",
    ),
    _Rule(
        ("double_loop", "double_statement"),
        lambda one: one.differs == "other traffic",
        "it does a thing twice that is the same each time, within the limits",
    ),
    _Rule((), lambda one: one.differs == "other traffic", "it does other work than the solution, within the limits"),
    _Rule(
        ("change_constant",),
        lambda one: one.before in ("0", "0.0f") and bool(_INSTEAD.search(one.line)),
        "it stands for an element that is not there: it meets a zero, or nothing that is stored depends on it",
    ),
    _Rule(
        ("change_constant", "change_initial_value"),
        lambda one: re.match(r"\w+ \w+ = 0;", one.line) is not None,
        "the first value of a variable that gets another one wherever it is used",
    ),
    _Rule(
        ("change_type",),
        lambda one: one.after == "float",
        "a float is exact up to 16,777,216, and no case has a larger number there; that none can come is not proven",
    ),
    _Rule(
        ("change_type",),
        lambda one: one.after.endswith("char"),
        "no case has a number there beyond 8 bits; that none can come is not proven",
    ),
    _Rule(("change_type",), lambda one: one.after == "int", "all numbers there are whole in the cases"),
    _Rule(
        ("change_sign",),
        lambda one: True,
        "no case has a number there for which the sign matters; that none can come is not proven",
    ),
    _Rule(("shift_value",), lambda one: one.differs == "alike", "a prediction may be a little off"),
    _Rule(("change_mask",), lambda one: "activemask" in one.after, "all lanes come, though nothing says they must"),
)


def reason_for(survivor: Survivor) -> str:
    """The reason why a mutant survives."""
    for rule in _RULES:
        if (not rule.operators or survivor.operator in rule.operators) and rule.holds(survivor):
            return rule.reason
    return UNEXPLAINED
