"""The emulator's report on a book kernel, and what the kernel prints, as a student would read them."""

from __future__ import annotations

from html import escape

from autograder.cuda.core.findings import Kind
from autograder.cuda.core.races import find_races
from autograder.cuda.core.run import Run
from autograder.cuda.core.setting import Setting
from autograder.cuda.kernel import Kernel
from autograder.cuda.report.kinds import checks_of_runs, kinds
from autograder.exercises.report import claim, claim_of_run, failed, passed, printed

from .kernels import BookKernel
from .report_links import report_on_page


def report_html(kernel: BookKernel, source: str, run: Run) -> str:
    """The report of the first kind that was found, or the line of a check that passed."""
    launch = Kernel(source, kernel.name).prepare(**kernel.launch)
    if not run.findings:
        lines = "".join(
            f"<p>{escape(passed(f'{kernel.name} {claim(check)}', cases=1, stopped=0, backend=run.backend))}</p>"
            for check in checks_of_runs()
        )
        return f'<div class="report clean">{lines}</div>'
    kind = run.findings[0].kind
    found = [finding for finding in run.findings if finding.kind is kind]
    report = failed(
        f"{kernel.name} {claim_of_run(kinds()[kind].check)}",
        Setting({}, launch.grid, launch.block, launch.shared_mem, run.backend),
        find_races(run) if kind is Kind.RACE else found,  # the check of races puts the clearest first
        source,
    )
    return report_on_page(report)


def printed_text(kernel: BookKernel, source: str, run: Run) -> str:
    """What the launch printed.

    Raises:
        ValueError: it printed nothing.
    """
    if not run.printed:
        raise ValueError(f"{kernel.name} prints nothing in its launch: give it a printf")
    launch = Kernel(source, kernel.name).prepare(**kernel.launch)
    return printed(Setting({}, launch.grid, launch.block, launch.shared_mem, run.backend), run.printed)
