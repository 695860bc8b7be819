"""The end of a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


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
