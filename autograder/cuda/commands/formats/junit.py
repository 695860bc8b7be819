"""Writes what a run found as JUnit XML, which servers for continuous integration show as tests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ...core.host_findings import REMARKS

#: What XML 1.0 has no way to write.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(document: Mapping[str, Any]) -> str:
    """Return the document of `--json` as JUnit XML: a test case for each line that launches a kernel, and one, "main",
    for the host's half and the program's exit code. Of one launch, a single test case. A leak fails none, and is
    written to the suite's standard error."""
    cases = _cases(document)
    failed = sum(bool(failures) for failures in cases.values())
    suite = ElementTree.Element("testsuite", name=document["file"], tests=str(len(cases)))
    suite.attrib |= {"failures": str(failed), "errors": "0", "skipped": "0"}
    for name, failures in cases.items():
        case = ElementTree.SubElement(suite, "testcase", classname=Path(document["file"]).name, name=name)
        if failures:
            message = ", ".join(dict.fromkeys(kind for kind, _ in failures))
            failure = ElementTree.SubElement(case, "failure", message=message, type=failures[0][0])
            failure.text = _UNWRITABLE.sub("?", "\n\n".join(text for _, text in failures))
    if document["printed"]:
        ElementTree.SubElement(suite, "system-out").text = _UNWRITABLE.sub("?", document["printed"])
    if remarks := [finding["report"] for finding in document["findings"] if finding["kind"] in REMARKS]:
        ElementTree.SubElement(suite, "system-err").text = _UNWRITABLE.sub("?", "\n\n".join(remarks))
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)


def _cases(document: Mapping[str, Any]) -> dict[str, list[tuple[str, str]]]:
    """The failures of each test case: their kinds and reports."""
    cases: dict[str, list[tuple[str, str]]] = {}
    if "kernel" in document:
        cases[document["kernel"]] = [(f["kind"], f["report"]) for f in document["findings"]]
        return cases
    for launch in document["launches"]:
        cases[_launch(launch["kernel"], launch["file"], launch["line"])] = []
    host = cases["main"] = []
    for finding in document["findings"]:
        if finding["kind"] in REMARKS:
            continue
        place = finding.get("launch")
        case = host if place is None else cases.setdefault(_launch(finding["kernel"], place["file"], place["line"]), [])
        case.append((finding["kind"], finding["report"]))
    if document["exit_code"]:
        host.append(("ExitCode", document["summary"]))
    return cases


def _launch(kernel: str, file: str, line: int) -> str:
    return f"{kernel}, launched in {Path(file).name} line {line}"
