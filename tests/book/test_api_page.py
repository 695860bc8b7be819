"""Does the page on the library show every public name, each with a description?"""

from __future__ import annotations

import inspect
import re
from enum import EnumMeta
from pathlib import Path

import pytest

import autograder
from autograder.exercises.checks.checker import Checker

PAGE = (Path(__file__).parents[2] / "book" / "appendix-api.md").read_text()
SHOWN = re.findall(r"^\.\. auto(?:class|function|exception):: ([\w.]+)", PAGE, re.MULTILINE)


def test_the_page_shows_what_the_package_offers() -> None:
    assert sorted(name for name in SHOWN if "." not in name) == sorted(autograder.__all__)


@pytest.mark.parametrize("name", autograder.__all__)
def test_each_name_has_a_text_and_so_has_what_can_be_called_on_it(name: str) -> None:
    item = getattr(autograder, name)
    assert inspect.getdoc(item)
    if inspect.isclass(item) and not isinstance(item, EnumMeta):
        public = {key: value for key, value in vars(item).items() if not key.startswith("_") and callable(value)}
        assert [key for key, value in public.items() if not inspect.getdoc(value)] == []


def test_each_check_has_a_text() -> None:
    checks = {name: value for name, value in vars(Checker).items() if not name.startswith("_") and callable(value)}
    assert len(checks) > 10 and [name for name, value in checks.items() if not value.__doc__] == []
