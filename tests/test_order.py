"""Do modules that take long come first, and those with few tests last?"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent

pytestmark = pytest.mark.cached("tests/order.py")


def test_long_modules_come_first_and_short_ones_last(tmp_path: Path) -> None:
    few = "def test_it(): pass\n"
    many = "import pytest\n@pytest.mark.parametrize('number', range(3))\ndef test_it(number): pass\n"
    early = "import pytest\npytestmark = pytest.mark.starts_early\n"
    for name, text in {"test_a": few, "test_b": many, "test_c": early + few, "test_d": early + few}.items():
        (tmp_path / f"{name}.py").write_text(text)
    shutil.copy(HERE / "order.py", tmp_path)
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["order"]')
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--strict-markers", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    modules = dict.fromkeys(line.partition(".py::")[0] for line in done.stdout.splitlines() if "::" in line)
    assert list(modules) == ["test_c", "test_d", "test_b", "test_a"]
