"""Writes what a run found as SARIF 2.1.0, which GitHub's code scanning and editors read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ...core.host_findings import REMARKS, HostKind
from ...report.kinds import term

#: What a program may get away with for long.
_WARNINGS = (*REMARKS, HostKind.UNCHECKED_ERROR, HostKind.UNTIMED)


def level(kind: str) -> str:
    """Return how serious a finding of this kind is: "error" or "warning"."""
    return "warning" if kind in _WARNINGS else "error"


def write(document: Mapping[str, Any]) -> str:
    """Return the document of `--json` as a log in SARIF 2.1.0, but for what the program printed. Paths in the current
    folder are relative to it: code scanning takes it for the repository's root."""
    findings = document["findings"]
    kinds = list(dict.fromkeys(finding["kind"] for finding in findings))
    driver = {
        "name": "autograder run",
        "version": version("cooperating-threads"),
        "rules": [_rule(kind) for kind in kinds],
    }
    run = {
        "tool": {"driver": driver},
        # Code scanning takes several logs of one tool if each is of a category of its own.
        "automationDetails": {"id": f"autograder run/{document['file']}/"},
        "results": [_result(finding, kinds, document) for finding in findings],
        "columnKind": "unicodeCodePoints",
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(log, indent=2, ensure_ascii=False)


def _rule(kind: str) -> dict[str, Any]:
    name = term(kind)
    text = {"text": f"{name[0].upper()}{name[1:]}."}
    return {
        "id": kind,
        "name": kind,
        "shortDescription": text,
        "help": text,
        "defaultConfiguration": {"level": level(kind)},
    }


def _result(finding: Mapping[str, Any], kinds: list[str], document: Mapping[str, Any]) -> dict[str, Any]:
    others = [_location(*place) for place in _others(finding, document)]
    title, _, message = finding["report"].partition("\n")
    return {
        "ruleId": finding["kind"],
        "ruleIndex": kinds.index(finding["kind"]),
        "level": level(finding["kind"]),
        "message": {"text": message.strip() or title},
        "locations": [_location(*place_of(finding, finding, document))],
        **({"relatedLocations": [{"id": i, **other} for i, other in enumerate(others)]} if others else {}),
    }


def _others(finding: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[tuple[str, int, str, str]]:
    """Yield the other lines that a finding has to do with: path, line, text, and what happens there."""
    for thread in finding.get("threads", [])[:-1]:
        yield *place_of(thread, finding, document)[:3], f"another thread: {thread['action']}"
    for other in finding.get("others", []):
        if other["line"]:
            yield other["file"], other["line"], other["text"], other["what"]
    if launch := finding.get("launch"):
        yield launch["file"] or finding["file"], launch["line"], launch["text"], "launched here"


def place_of(
    what: Mapping[str, Any], finding: Mapping[str, Any], document: Mapping[str, Any]
) -> tuple[str, int, str, str]:
    """Return the path, line and text of a part of a finding, and nothing about what happens there."""
    return _path(what.get("header", ""), finding["file"], document), what["line"], what["text"], ""


def _path(name: str, otherwise: str, document: Mapping[str, Any]) -> str:
    """Return the path of the header called `name`."""
    return next((path for path in document["files"] if Path(path).name == name), otherwise)


def _location(path: str, line: int, text: str, message: str) -> dict[str, Any]:
    # GitHub takes no location without a line.
    region = {"startLine": max(line, 1), **({"snippet": {"text": text}} if text else {})}
    return {
        "physicalLocation": {"artifactLocation": {"uri": _uri(Path(path))}, "region": region},
        **({"message": {"text": message}} if message else {}),
    }


def _uri(path: Path) -> str:
    return path.as_uri() if path.is_absolute() else quote(str(path))
