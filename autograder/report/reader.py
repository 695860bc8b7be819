"""Advice that goes no further than the book has been read."""

from __future__ import annotations

from collections.abc import Mapping

from .chapters import chapters, reached
from .rule import Rule

#: Words of hints, and the chapter that they need. (The exercises on shared memory say what a barrier does.)
NEEDS: Mapping[str, str] = {
    "shared memory": "shared-memory",
    "__shared__": "shared-memory",
    "__syncthreads": "shared-memory",
    "barrier": "shared-memory",
    "__syncwarp": "reductions",
    "shuffle": "reductions",
    "atomic": "atomics",
    "lock,": "atomics",
    "__threadfence": "atomics",
}


def needed(hint: str) -> int:
    """The number of the chapter that a reader of `hint` must have come to; 0 for none."""
    return max((chapters()[key].number for word, key in NEEDS.items() if word in hint), default=0)


def for_reader(rule: Rule, exercise: str) -> Rule:
    """What to say in place of `rule` to somebody who works on `exercise`."""
    number = reached(exercise)
    while rule.earlier and needed(rule.hint) > number:
        rule = rule.earlier
    return rule
