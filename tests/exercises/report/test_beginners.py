"""What does a beginner's first try get? Each report in `tests/exercises/beginners/` is what its try gives."""

from __future__ import annotations

from pathlib import Path

import inputs
import pytest
from beginner_reports import ROOT, TRIES, report_of


@pytest.mark.sampled(one_in=20)
@pytest.mark.cached(*inputs.CHECKING, "exercises/**/*.ipynb", "tests/exercises/beginners/**/*")
@pytest.mark.parametrize("path", TRIES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_its_report_is_the_one_that_is_kept(path: Path) -> None:
    stored = path.with_suffix(".txt").read_text()
    assert report_of(path) == stored, (
        f"python tests/beginner_reports.py {path.relative_to(ROOT / 'tests/exercises/beginners')}"
    )
