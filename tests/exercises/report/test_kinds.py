"""Does every kind of finding have what it needs, here and in the book; and does the table name nothing else?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from findings_for_reports import FINDINGS

from autograder.cuda.core import findings
from autograder.cuda.core.findings import Finding, Kind
from autograder.cuda.core.setting import Setting
from autograder.cuda.report import kinds as table
from autograder.cuda.report.about import About
from autograder.cuda.report.chapters import chapters
from autograder.cuda.report.kinds import about, anchor, checks_of_runs, describe, explain, kinds
from autograder.cuda.report.rule import Rule
from autograder.cuda.report.vocabulary import Explanation, Names
from autograder.exercises import findings as check_findings
from autograder.exercises.checks.checker import Checker

APPENDIX = Path(__file__).parents[3] / "book/appendix-findings.md"
KERNELS = Path(__file__).parents[2] / "cuda/kernels"
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
    assert list(kinds())[: len(Kind)] == list(Kind)
    assert anchor(Kind.OUT_OF_BOUNDS) == "finding-out-of-bounds"
    # The book shows the lines of these checks in this order.
    assert checks_of_runs()[:2] == ("has_no_races", "reaches_every_barrier")
    assert "matches_numpy" not in checks_of_runs() and "is_coalesced" not in checks_of_runs()


@pytest.mark.parametrize("cls", CLASSES)
def test_a_class_of_finding_has_words_and_a_sample(cls: type[Finding]) -> None:
    row = kinds().get(cls.kind)
    assert row and cls in row.describe, f"no file of a folder report/ has words for {cls.__name__}: name it in `ABOUT`"
    assert cls in map(type, FINDINGS.values()), f"tests/findings_for_reports.py has no {cls.__name__}"


@pytest.mark.parametrize("kind", kinds())
def test_a_kind_has_a_class_a_name_and_a_section(kind: str) -> None:
    assert any(cls.kind == kind for cls in CLASSES), f"there is no class of finding for {kind}"
    assert kinds()[kind].term, f"no file of a folder report/ names the term of {kind} in `ABOUT`"
    page = APPENDIX.read_text()
    section = re.search(rf"^\({anchor(kind)}\)=(.*?)^\(", page, re.MULTILINE | re.DOTALL)
    assert section, f"{APPENDIX.name} has no section ({anchor(kind)})="
    shown = "-report} findings/" in section[1] or kind == check_findings.TooSlow.kind  # which wants a GPU
    assert shown, f"{APPENDIX.name} shows no report of {kind}"
    assert f"| {{ref}}`{kind} <{anchor(kind)}>` |" in page, f"the table of {APPENDIX.name} has no {kind}"


def test_the_page_names_the_kinds_that_end_a_launch() -> None:
    page = APPENDIX.read_text()
    rows = re.findall(r"^\| \{ref\}`(\w+) <finding-", page, re.MULTILINE)
    (sentence,) = re.findall(r"The findings from `Race` to `Crash` .*? The launch ends at (.*?)\. ", page, re.DOTALL)
    ending = {kind for kind in rows[rows.index("Race") : rows.index("Crash") + 1] if kinds()[kind].ending}
    assert set(re.findall(r"`(\w+)`", sentence)) == ending


@pytest.mark.parametrize("kind", [kind for kind in kinds() if kinds()[kind].check in checks_of_runs()])
def test_a_kind_that_a_run_finds_has_kernels(kind: str) -> None:
    name = anchor(kind).removeprefix("finding-").replace("-", "_")
    for pattern in ("bad_*.cu", "good_*.cu"):
        assert any((KERNELS / name).glob(pattern)), f"there is no tests/cuda/kernels/{name}/{pattern}"


@pytest.mark.parametrize("kind", kinds())
def test_its_check_and_its_chapters_are_there(kind: str) -> None:
    row = kinds()[kind]
    assert not row.check or hasattr(Checker, row.check)
    assert {rule.chapter for rule in row.rules.values()} <= {"", *chapters()}


@pytest.mark.parametrize("cls", CLASSES)
def test_what_stops_a_launch_has_words_for_that(cls: type[Finding]) -> None:
    row = kinds()[cls.kind]
    assert not cls.stops or row.ending, f"the row of {cls.kind} in `ABOUT` has no ending"


@pytest.mark.parametrize("kind", kinds())
def test_each_rule_is_broken_by_some_finding(kind: str) -> None:
    reported = {
        explain(finding, setting, "").rule.hint
        for finding in FINDINGS.values()
        for setting in SETTINGS
        if finding.kind == kind
    }
    unused = {
        name
        for name, rule in kinds()[kind].rules.items()
        if not any(hint.endswith(rule.hint.split("}")[-1]) for hint in reported)
    }
    assert not unused


def test_another_package_adds_words_for_its_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    class ForeignFinding(Finding, kind="ForeignFinding"):
        line: int

    def notify(finding: ForeignFinding, names: Names) -> Explanation:
        return Explanation((f"The barrier in line {finding.line} orders nothing.",), Rule("A barrier orders accesses."))

    row = About(ForeignFinding.kind, {ForeignFinding: notify}, {}, "an idle barrier")
    monkeypatch.setattr(table, "plugins", lambda group: {"idle": row} if group == "findings" else {})
    kinds.cache_clear()
    try:
        assert describe(ForeignFinding(line=3)).splitlines()[2].strip() == "The barrier in line 3 orders nothing."
        assert (
            about("ForeignFinding")["kind"] == "ForeignFinding" and about("ForeignFinding")["term"] == "an idle barrier"
        )
        assert list(kinds())[-1] == "ForeignFinding"
    finally:
        kinds.cache_clear()
