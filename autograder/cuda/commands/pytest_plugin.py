"""A plugin for pytest: `pytest -p autograder.cuda.commands.pytest_plugin FOLDER` makes a test of each program there.

A `.cu` file with a main function runs on the emulator, without arguments; the test fails where `autograder run` finds
something, and its message is that report. Another `.cu` file is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..errors import UsageError
from ..programs.building.build import NoMainError, build_program
from ..programs.launches.budget import WHOLE_PROGRAM
from ..programs.process import run_program
from .program_report import found, to_text


class FoundError(Exception):
    """Something was found; the text is the report."""


class Program(pytest.Item):
    """A program, as a test."""

    def runtest(self) -> None:
        try:
            program = build_program(self.path)
        except NoMainError:
            pytest.skip("It has no main function, so nothing of it runs.")
        done = run_program(program, self.path, (), keep=True, checked=WHOLE_PROGRAM)
        self.add_report_section("call", "stdout", done.printed or "")
        if found(done):
            raise FoundError(to_text(done))
        self.add_report_section("call", "report", to_text(done))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, FoundError | UsageError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.path.name


class CudaFile(pytest.File):
    """A `.cu` file, which holds one program at most."""

    def collect(self) -> Iterator[Program]:
        yield Program.from_parent(self, name="main")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CudaFile | None:
    """Collect `.cu` files."""
    return CudaFile.from_parent(parent, path=file_path) if file_path.suffix == ".cu" else None
