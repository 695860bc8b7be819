"""The end of a report: advice that goes no further than the book has been read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .chapters import chapters, reached

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


@dataclass(frozen=True)
class Rule:
    """What a report ends with: the rule as a hint, and the key of the chapter that explains it; either may be empty.
    `earlier` is what to say to a reader who has not come to a chapter that a word of the hint needs."""

    hint: str = ""
    chapter: str = ""
    earlier: Rule | None = None

    def of(self, **words: str) -> Rule:
        """The rule with `words` filled in."""
        earlier = self.earlier and self.earlier.of(**words)
        return replace(self, hint=self.hint.format(**words), earlier=earlier)


NO_RULE = Rule()

#: By situation, the rules that findings of a kind break; "" is the general one.
Rules = Mapping[str, Rule]


def choose(rules: Rules, situation: str) -> Rule:
    """The rule for `situation`, or the general one if there is none."""
    return rules.get(situation) or rules[""]


def needed(hint: str) -> int:
    """The number of the chapter that a reader of `hint` must have come to; 0 for none."""
    return max((chapters()[key].number for word, key in NEEDS.items() if word in hint), default=0)


def for_reader(rule: Rule, exercise: str) -> Rule:
    """What to say in place of `rule` to somebody who works on `exercise`."""
    number = reached(exercise)
    while rule.earlier and needed(rule.hint) > number:
        rule = rule.earlier
    return rule
