"""What the emulator says of a book kernel, as a student would read it."""

from __future__ import annotations

from html import escape

from autograder.checks.races import find_races
from autograder.core.findings import Kind
from autograder.core.launch import prepare
from autograder.core.run import Run
from autograder.core.setting import Setting
from autograder.report import failed, passed

from .kernels import BookKernel
from .report_links import report_on_page

#: The check's sentence that a finding of this kind belongs to.
_SENTENCES = {
    Kind.RACE: "has no races",
    Kind.BARRIER_DIVERGENCE: "reaches every barrier",
    Kind.OUT_OF_BOUNDS: "stays in bounds",
    Kind.MISALIGNED_ACCESS: "stays in bounds",
    Kind.UNINITIALIZED_READ: "reads only what was written",
}


def report_html(kernel: BookKernel, source: str, run: Run) -> str:
    """The report of the first kind that was found, or the line of a check that passed.

    Raises:
        KeyError: the kind has no sentence yet; add it above.
    """
    launch = prepare(source, kernel.name, **kernel.launch)
    if not run.findings:
        lines = "".join(
            f"<p>{escape(passed(f'{kernel.name} {sentence}', cases=1, stopped=0, backend=run.backend))}</p>"
            for sentence in dict.fromkeys(_SENTENCES.values())
        )
        return f'<div class="report clean">{lines}</div>'
    kind = run.findings[0].kind
    found = [finding for finding in run.findings if finding.kind is kind]
    report = failed(
        f"{kernel.name} {_SENTENCES[kind]}",
        Setting({}, launch.grid, launch.block, launch.shared_mem, run.backend),
        find_races(run) if kind is Kind.RACE else found,  # the check of races tells the clearest first
        source,
    )
    return report_on_page(report)
