"""Extensions of other packages are found by their entry points."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from plugin_package import install

from autograder.cuda.errors import UsageError
from autograder.cuda.plugins import plugins

THING = "thing = 7\n"


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    plugins.cache_clear()
    return tmp_path


def test_what_a_package_registers_is_found(site: Path) -> None:
    install(
        site,
        "extension_a",
        "[autograder.checks]\nreads_once = extension_a:thing\n[autograder.lms]\nx = nothing:x\n",
        THING,
    )
    assert plugins("checks")["reads_once"] == 7
    sys.modules.pop("extension_a")


def test_what_cannot_be_imported_is_reported_with_its_package(site: Path) -> None:
    install(site, "extension_b", "[autograder.checks]\nbroken = extension_b:other\n", THING)
    with pytest.raises(UsageError, match=r"^extension_b registers extension_b:other in autograder\.checks: .*other"):
        plugins("checks")
    sys.modules.pop("extension_b")


def test_two_packages_with_one_name_are_reported(site: Path) -> None:
    install(site, "extension_c", "[autograder.checks]\nsame = extension_c:thing\n", THING)
    install(site, "extension_d", "[autograder.checks]\nsame = extension_d:thing\n", THING)
    with pytest.raises(UsageError, match=r"^Two packages register same in autograder\.checks: uninstall one"):
        plugins("checks")
