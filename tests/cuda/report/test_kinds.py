"""Does every kind of finding have what it needs, here and in the book; and does the table name nothing else?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from findings_for_reports import FINDINGS

from autograder.cuda.core import check_findings, findings
from autograder.cuda.core.findings import Finding, Kind
from autograder.cuda.core.setting import Setting
from autograder.cuda.report.chapters import chapters
from autograder.cuda.report.kinds import CHECKS_OF_RUNS, KINDS, anchor, explain
from autograder.exercises.checks.checker import Checker

APPENDIX = Path(__file__).parents[3] / "book/appendix-findings.md"
KERNELS = Path(__file__).parents[1] / "kernels"
CLASSES = [
    cls
    for module in (findings, check_findings)
    for cls in vars(module).values()
    if isinstance(cls, type) and issubclass(cls, Finding) and cls.__module__ == module.__name__ and cls is not Finding
]
# Threads at the start, in the middle and at the end of what is launched.
SETTINGS = [None, Setting({"n": 7}, (1, 1, 1), (16, 16, 1)), Setting({"n": 7}, (100, 2, 1), (64, 1, 1))]
SETTINGS.append(Setting({}, (1, 1, 1), (64, 1, 1), in_program=True))


def test_the_table_has_the_kinds_in_their_order() -> None:
    assert list(KINDS) == [kind for kind in Kind if kind in KINDS], (
        "cuda/report/kinds.py: the rows are not in Kind's order"
    )
    assert anchor(Kind.OUT_OF_BOUNDS) == "finding-out-of-bounds"
    # The book shows the lines of these checks in this order.
    assert CHECKS_OF_RUNS[:2] == ("has_no_races", "reaches_every_barrier")
    assert "matches_numpy" not in CHECKS_OF_RUNS and "is_coalesced" not in CHECKS_OF_RUNS


@pytest.mark.parametrize("cls", CLASSES)
def test_a_class_of_finding_has_words_and_a_sample(cls: type[Finding]) -> None:
    about = KINDS.get(cls.kind)
    assert about and cls in about.tell, f"cuda/report/kinds.py: the row of {cls.kind} has no words for {cls.__name__}"
    assert cls in map(type, FINDINGS.values()), f"tests/findings_for_reports.py has no {cls.__name__}"


@pytest.mark.parametrize("kind", Kind)
def test_a_kind_has_a_class_a_row_and_a_section(kind: Kind) -> None:
    assert any(cls.kind is kind for cls in CLASSES), f"core/ has no class of finding for {kind}"
    assert kind in KINDS, f"cuda/report/kinds.py has no row for {kind}"
    page = APPENDIX.read_text()
    section = re.search(rf"^\({anchor(kind)}\)=(.*?)^\(", page, re.MULTILINE | re.DOTALL)
    assert section, f"{APPENDIX.name} has no section ({anchor(kind)})="
    shown = "-report} findings/" in section[1] or kind is Kind.TOO_SLOW  # which wants a GPU
    assert shown, f"{APPENDIX.name} shows no report of {kind}"
    assert f"| {{ref}}`{kind} <{anchor(kind)}>` |" in page, f"the table of {APPENDIX.name} has no {kind}"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind].check in CHECKS_OF_RUNS])
def test_a_kind_that_a_run_finds_has_kernels(kind: Kind) -> None:
    name = anchor(kind).removeprefix("finding-").replace("-", "_")
    for pattern in ("bad_*.cu", "good_*.cu"):
        assert any((KERNELS / name).glob(pattern)), f"there is no tests/cuda/kernels/{name}/{pattern}"


@pytest.mark.parametrize("kind", KINDS)
def test_its_check_and_its_chapters_are_there(kind: Kind) -> None:
    about = KINDS[kind]
    assert not about.check or hasattr(Checker, about.check)
    assert {rule.chapter for rule in about.rules.values()} <= {"", *chapters()}


@pytest.mark.parametrize("cls", [cls for cls in CLASSES if cls.kind in KINDS])
def test_what_stops_a_launch_has_words_for_that(cls: type[Finding]) -> None:
    about = KINDS[cls.kind]
    assert not cls.stops or about.ending, f"cuda/report/kinds.py: no ending in the row of {cls.kind}"


@pytest.mark.parametrize("kind", KINDS)
def test_each_rule_is_broken_by_some_finding(kind: Kind) -> None:
    told = {
        explain(finding, setting, "").rule.hint
        for finding in FINDINGS.values()
        for setting in SETTINGS
        if finding.kind is kind
    }
    unused = {
        name
        for name, rule in KINDS[kind].rules.items()
        if not any(hint.endswith(rule.hint.split("}")[-1]) for hint in told)
    }
    assert not unused
