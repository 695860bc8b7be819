"""What a file with words for findings declares about them, as rows of the table in `kinds`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..core.findings import Finding
from ..core.host_findings import HostFinding
from .rule import Rules
from .vocabulary import Explanation, Names


@dataclass(frozen=True)
class About:
    """What holds for findings of a kind. A file declares `ABOUT`, a tuple of these; if several files have words for one
    kind, one of them names the term, the check and the ending.

    Args:
        kind: of the findings.
        tell: by class of finding, what puts it into words.
        rules: by situation, the rules that it breaks.
        term: what it is called where there is room for no more.
        check: the method of `Checker` that reports it; empty if it depends on the exercise.
        ending: how it ends a launch, as a clause; empty if it does not.
    """

    kind: str
    describe: Mapping[type[Finding], Callable[[Any, Names], Explanation]]
    rules: Rules
    term: str = ""
    check: str = ""
    ending: str = ""

    def merged(self, other: About) -> About:
        """Return the row with what another file declares about the same kind."""
        return About(
            self.kind,
            {**self.describe, **other.describe},
            {**self.rules, **other.rules},
            self.term or other.term,
            self.check or other.check,
            self.ending or other.ending,
        )


@dataclass(frozen=True)
class AboutHost:
    """What holds for findings of a kind in the host half of a program.

    Args:
        term: what the kind is called where there is room for no more.
        tell: returns a sentence about a finding, and a hint.
        verb: what the line of the finding does; empty if the finding names it.
    """

    term: str
    describe: Callable[[HostFinding], tuple[str, str]]
    verb: str = ""
