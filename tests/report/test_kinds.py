"""The one table of kinds: does it name checks, chapters and labels that there are, and no rule that nothing breaks?"""

from __future__ import annotations

import pytest
from findings_for_reports import FINDINGS

from autograder.core.findings import Kind
from autograder.core.setting import Setting
from autograder.exercise.checker import Checker
from autograder.report.chapters import chapters
from autograder.report.explain import explain
from autograder.report.kinds import KINDS, anchor

# Threads at the start, in the middle and at the end of what is launched.
SETTINGS = [None, Setting({"n": 7}, (1, 1, 1), (16, 16, 1)), Setting({"n": 7}, (100, 2, 1), (64, 1, 1))]


def test_every_kind_is_there() -> None:
    assert list(KINDS) == list(Kind)
    assert anchor(Kind.OUT_OF_BOUNDS) == "finding-out-of-bounds"


@pytest.mark.parametrize("kind", Kind)
def test_its_check_and_its_chapters_are_there(kind: Kind) -> None:
    about = KINDS[kind]
    assert not about.check or hasattr(Checker, about.check)
    assert about.check or not about.ending, "others name the check of what stops a launch"
    assert {rule.chapter for rule in about.rules.values()} <= {"", *chapters()}


@pytest.mark.parametrize("kind", Kind)
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
