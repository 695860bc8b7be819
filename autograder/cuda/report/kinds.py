"""The table of findings: for each kind, its name, the check that owns it, and its words.

Its rows come from the files that have the words: those that declare `ABOUT` in this folder, and in the folders of the
rooms above, which register them; and what other packages register as entry points in the group `autograder.findings`,
each an `About`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from ..core.findings import BarrierDivergence, Finding, Kind
from ..core.host_findings import HostKind
from ..core.setting import Setting
from ..plugins import plugins
from .about import About
from .chapters import reference
from .host import HOST
from .layout import Report
from .rule import for_reader
from .vocabulary import Explanation, Names

#: The packages whose modules have words.
_PACKAGES = [__package__]
#: The book's page on each kind of finding.
FINDINGS = "book/appendix-findings"


def register(package: str) -> None:
    """Add the rows that the modules of `package` declare. It is imported when the table is first used."""
    _PACKAGES.append(package)
    kinds.cache_clear()


@cache
def kinds() -> Mapping[str, About]:
    """Return what holds for the findings of each kind: first the kinds of launches, in the order of `Kind`.

    Raises:
        UsageError: words that another package registers cannot be imported.
    """
    rows = [row for package in _PACKAGES for row in _rows(package)]
    found: dict[str, About] = {}
    for row in [*sorted(rows, key=_order), *plugins("findings").values()]:
        found[row.kind] = found[row.kind].merged(row) if row.kind in found else row
    return found


def _rows(package: str) -> Iterator[About]:
    folder = import_module(package)
    for module in iter_modules(folder.__path__, f"{package}."):
        if not module.ispkg:
            yield from getattr(import_module(module.name), "ABOUT", ())


def _order(row: About) -> int:
    return [*Kind, row.kind].index(row.kind)


def checks_of_runs() -> tuple[str, ...]:
    """Return the checks of findings of the launch itself; `matches_numpy` compares results."""
    owners = (row.check for kind, row in kinds().items() if kind in list(Kind))
    return tuple(check for check in dict.fromkeys(owners) if check not in ("", "matches_numpy"))


def anchor(kind: str) -> str:
    """The label that the book's page on findings has for `kind`: "finding-out-of-bounds" for "OutOfBounds"."""
    return "finding" + re.sub("[A-Z]", lambda letter: f"-{letter[0].lower()}", kind)


def term(kind: str) -> str:
    """The term for findings of `kind`, such as "bank conflicts"."""
    return HOST[HostKind(kind)].term if kind in list(HostKind) else kinds()[kind].term


def about(kind: str) -> dict[str, Any]:
    """What holds for every finding of `kind`: its term, the rules that it may break, each with the chapter that
    explains it, the general one first, and the section of the book about it. Of a kind of the host's half, each report
    says the rule.

    Raises:
        ValueError: there is no such kind; the message says which there are.
    """
    if kind in list(HostKind):
        return {"kind": kind, "term": term(kind), "rules": [], "section": "book/appendix-tool"}
    if kind not in kinds():
        raise ValueError(f"There is no kind {kind}: use {', '.join([*kinds(), *HostKind])}.")
    every = kinds()[kind].rules
    rules = dict.fromkeys([*filter(None, (every.get(""),)), *every.values()])
    described = [rule.of(space="memory that they share", until="Between one barrier and the next") for rule in rules]
    return {
        "kind": kind,
        "term": term(kind),
        "rules": [{"rule": rule.hint, "read": reference(rule.chapter)} for rule in described],
        "section": f"{FINDINGS}#{anchor(kind)}",
    }


def stops(finding: Finding) -> str:
    """How a launch ended early, as a clause, and in which line."""
    how = kinds()[finding.kind].ending
    if isinstance(finding, BarrierDivergence) and finding.in_warp_function:
        how = "the launch stops at a warp function that only some of its lanes call"
    return how + (f" (line {finding.accesses[0].line})" if finding.accesses else "")


def explain(finding: Finding, setting: Setting | None, source: str) -> Explanation:
    """What happened, the rule, and where to read on, for a reader who has come to the exercise of `setting`. `source`
    is the kernel's text: compiler messages are shown under its lines."""
    in_words = kinds()[finding.kind].describe[type(finding)]
    explanation = in_words(finding, Names(finding.accesses, setting, source))
    return replace(explanation, rule=for_reader(explanation.rule, setting.exercise if setting else ""))


def describe(finding: Finding, source: str = "") -> str:
    """`finding` as text, outside any check. `source` is the kernel's text, which compiler messages
    are shown under."""
    explanation = explain(finding, None, source)
    return str(
        Report(f"{finding.kind}", "", explanation.parts, explanation.rule.hint, reference(explanation.rule.chapter))
    )
