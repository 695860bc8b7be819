"""The text of a whole program in its cell, and the program that was made of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ...cuda.errors import GraderFault, UsageError
from .. import report
from .answer import KernelAnswer
from .interrupted import Interrupted

if TYPE_CHECKING:  # imported where it is used: a page of the book has no programs
    from ...cuda.programs.building.build import Program


@dataclass(frozen=True)
class ProgramAnswer:
    """The text of a `%%cuda` cell that holds a whole program, with an empty first line in place of the magic."""

    name: str
    source: str

    @property
    def file(self) -> Path:
        """What reports call the program."""
        return Path(f"{self.name}.cu")

    @property
    def stub_line(self) -> int | None:
        """As `KernelAnswer.stub_line`."""
        return KernelAnswer(self.source).stub_line

    @cached_property
    def _interrupted(self) -> Interrupted:
        return Interrupted()

    @cached_property
    def built(self) -> Program | str:
        """The program, or a sentence on why its host half does not compile. What can be read of a program's file is the
        text's own doing.

        Raises:
            GraderFault: the compiler failed.
        """
        try:
            with self._interrupted.once(report.compiles_too_long(str(self.file))):
                return self._build()
        except UsageError as error:
            return str(error)

    def _build(self) -> Program | str:
        from ...cuda.compiler.cache import workplace
        from ...cuda.programs.building.build import build_program
        from ...cuda.programs.building.unit import Options

        with workplace() as folder:
            file = folder / self.file
            file.write_text(self.source, encoding="utf-8", errors="replace")
            program = build_program(file, Options(untrusted=True))
            try:
                _ = program.units, program.lines
            except (UsageError, GraderFault, OSError):
                raise
            except Exception:  # whatever the bytes are that it has put there
                return f"The table of lines of {self.file}'s program cannot be read."
        return program
