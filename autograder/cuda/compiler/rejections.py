"""Turns the exceptions by which our own passes reject a source into findings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..core.diagnostics import Diagnostic, Problem
from ..core.findings import CompileError, Finding, ForbiddenCode
from ..core.refusal import Refusal
from . import messages
from .asm_statements import AsmError
from .front_end import TooLargeError
from .module_reader import foreign_name
from .verifier import UnprovenError

T = TypeVar("T")


def result_or_finding(source: str, work: Callable[[], T]) -> T | Finding:
    """Return the result of `work`, or the finding that says why it rejected `source`."""
    try:
        return work()
    except UnprovenError as error:
        return _unproven(error, source)
    except AsmError as error:
        if error.reason is None:
            return _problem(Problem.MISFIT_OPERAND, error.line)
        return messages.forbidden(error.what, error.reason, source, error.line)
    except TooLargeError as error:
        return _problem(Problem.LARGE_CODE, error.line)
    except RecursionError:
        return _problem(Problem.DEEP_CODE, 1)


def _problem(problem: Problem, line: int) -> CompileError:
    return CompileError(messages=(Diagnostic(max(line, 1), 1, problem=problem),))


def _unproven(error: UnprovenError, source: str) -> ForbiddenCode:
    """The finding that the code in a line (0: unknown) can't be proven to be harmless, or uses what it must not."""
    if error.symbol:
        named = foreign_name(error.symbol.strip('@"'))
        return messages.forbidden(named.construct, named.reason, source, error.line)
    code = source.split("\n")[error.line - 1].strip() if error.line else "this text"
    return messages.forbidden(code, Refusal.UNPROVEN, source, error.line)
