"""Findings in the host half of a program, in words."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.host_findings import HostFinding, HostKind, Place
from . import host_endings, host_launches, host_memory, libraries
from .about import AboutHost
from .layout import Report
from .parts import Part, Row
from .vocabulary import printable

HOST: Mapping[HostKind, AboutHost] = {**host_memory.HOST, **host_launches.HOST, **host_endings.HOST, **libraries.HOST}


def describe_host(finding: HostFinding, main: str) -> Report:
    """The report on a finding in a program whose file is called `main`."""
    sentence, hint = HOST[finding.kind].describe(finding)
    last = HOST[finding.kind].verb or str(finding.facts.get("verb") or finding.facts.get("what", ""))
    rows = [(verb, place) for verb, place in [*finding.others, (last, finding.place)] if place.line]
    parts: list[Part] = [sentence]
    if rows:
        labels = [f"{verb}{'' if place.file == main else f', {place.file}'}" for verb, place in rows]
        width = max(map(len, labels))
        parts[0] = sentence.rstrip(".") + ":"
        parts.append(tuple(_row(f"{who:{width}}", place) for who, (_, place) in zip(labels, rows, strict=True)))
    if finding.count > 1:
        parts.append(f"This happened {finding.count} times at these lines.")
    return Report(str(finding.kind), "", tuple(parts), hint)


def _row(who: str, place: Place) -> Row:
    return Row(who, place.line, printable(place.text))


def describe_progress(
    place: Place, kernel: str, number: int, begun: int, blocks: int, seconds: float | None, *, checks: bool
) -> str:
    """Return one line: which launch runs, how far it is, and the `seconds` that it still takes, if they are known. It
    has no `blocks` before its kernel is compiled."""
    what = f"{place.file} line {place.line}: launch {number:,}, of {kernel}"
    if not blocks:
        return f"{what}, is prepared"
    left = "" if seconds is None else f", about {max(1, round(seconds))} s left"
    many = "1 block" if blocks == 1 else f"{blocks:,} blocks"
    return f"{what}, {'checks' if checks else 'computes'} {many}: {begun / blocks:.0%}{left}"
