"""The report of an exercise's check on a kernel of the book, as a notebook shows it: `check-report`."""

from __future__ import annotations

from inspect import signature
from typing import Any, ClassVar

import numpy as np
from docutils import nodes
from docutils.parsers.rst import directives

from autograder.cuda.compiler import toolchain
from autograder.cuda.report import Report
from autograder.exercises.answers.answer import KernelAnswer
from autograder.exercises.answers.tools import Tools
from autograder.exercises.checks.checker import Checker
from autograder.exercises.declarations.declaration import Case, InOut, declare
from autograder.exercises.report import compile_report
from autograder.exercises.result import CheckFailed

from . import cached_runs, kernels
from .directives import KernelDirective
from .report_links import report_on_page

#: The required arguments of each check, by name, except for the one that needs a GPU.
_CHECKS = {
    name: [p.name for p in signature(method).parameters.values() if p.default is p.empty][1:]
    for name, method in vars(Checker).items()
    if not name.startswith("_") and name != "is_faster_than"
}


def check_report(
    kernel: kernels.BookKernel, check: str, expected: str = "", at_most: int = 0, construct: str = ""
) -> Report:
    """The report of `check(...).<check>()` on a kernel that fails it, with the file's launch as the one case.

    Args:
        expected: the expected contents of the launch's last array: Python, in the words of launch lines and
            `np`. Zeros by default, which are enough for a launch that stops.
        at_most: the limit of the checks "... at most".
        construct: the construct of the checks "uses ..." and "does without ...".

    Raises:
        ValueError: the kernel passes.
    """
    errors = tuple(toolchain.find_compile_errors(kernel.source))
    if errors:
        return compile_report(kernel.name, errors, kernel.source)
    exercise = declare(kernel.name, lambda draw: _case(kernel, expected), [{}])
    checker = Checker(exercise, KernelAnswer(kernel.source), Tools(cached_runs.run))
    try:
        given = {"limit": at_most, "at_most": at_most, "construct": construct, "constructs": construct}
        getattr(checker, check)(*(given[name] for name in _CHECKS[check]))
    except CheckFailed as failed:
        return failed.report
    raise ValueError(f"{kernel.file} passes {check}: there is no report to show")


def _case(kernel: kernels.BookKernel, expected: str) -> Case:
    launch = dict(kernel.launch)
    args: list[Any] = list(launch.pop("args"))
    last = max((i for i, arg in enumerate(args) if isinstance(arg, np.ndarray)), default=None)
    if last is None:
        return Case(args=args, expected=[], **launch)
    # The files and the pages that name them are the course's own.
    want = eval(expected, {**kernels.WORDS, "np": np}) if expected else np.zeros_like(args[last])
    args[last] = InOut(args[last])
    return Case(args=args, expected=[want], **launch)


class CheckReport(KernelDirective):
    """Shows the report of one check on a kernel that fails it, or of the compiler on one that it rejects."""

    option_spec: ClassVar[dict[str, Any]] = {
        "check": lambda argument: directives.choice(argument, tuple(_CHECKS)),
        "expected": directives.unchanged_required,
        "at-most": directives.nonnegative_int,
        "construct": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        report = check_report(
            self.kernel(),
            self.options.get("check", "matches_numpy"),
            self.options.get("expected", ""),
            self.options.get("at-most", 0),
            self.options.get("construct", ""),
        )
        return [nodes.raw("", report_on_page(report), format="html")]
