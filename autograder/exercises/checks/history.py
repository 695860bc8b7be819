"""What the checks of one answer share: its launches, and which reports have shown which mistakes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...cuda.core.findings import Finding
from ...cuda.core.setting import Size
from ..answers.trial import Trial
from .needless_barriers import Needless


@dataclass
class History:
    """What was seen of one answer; a new answer starts a new one.

    `trials` are its launches, by size and backend; `reordered`, those in other orders of the threads, by size and
    order; `small`, the small sizes in which something is wrong, None before any was tried; `needless`, which of its
    barriers can go, None before any check has needed that.
    """

    trials: dict[tuple[str, str], Trial] = field(default_factory=dict)
    reordered: dict[tuple[str, str], Trial] = field(default_factory=dict)
    small: tuple[Size, ...] | None = None
    needless: Needless | None = None
    _printed_in: str = ""
    _shown: dict[tuple[str, tuple[int, ...]], str] = field(default_factory=dict)

    def shown_in(self, finding: Finding, title: str) -> str:
        """Return the title of the report that has shown this mistake (in the same lines, perhaps of another case);
        empty if none has, or only the one with `title`, which then shows it: a cell that runs again says all again."""
        first = self._shown.setdefault(_mistake(finding), title)
        return "" if first == title else first

    def failed_by(self, finding: Finding, title: str) -> None:
        """Record that the report with `title` fails by this mistake: it shows it best, even if another did before."""
        self._shown[_mistake(finding)] = title

    def prints_in(self, title: str) -> bool:
        """Return whether the check with `title` is the one that shows what launches print: the first that could."""
        self._printed_in = self._printed_in or title
        return self._printed_in == title


def _mistake(finding: Finding) -> tuple[str, tuple[int, ...]]:
    return finding.kind, tuple(access.line for access in finding.accesses)
