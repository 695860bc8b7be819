"""Runs a kernel that belongs to no exercise, in a page: the entry that the worker calls."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from autograder.cuda.core.findings import Kind
from autograder.cuda.core.races import find_races
from autograder.cuda.core.setting import Setting
from autograder.cuda.errors import UsageError
from autograder.cuda.kernel import Kernel
from autograder.cuda.report import to_html
from autograder.cuda.report.kinds import checks_of_runs, kinds
from autograder.exercises import report

from .cases import unpack_launch


def run_kernel(source: str, name: str, launch: str) -> str:
    """Launch the kernel `name` of `source` once.

    Args:
        launch: JSON of `cases.pack_launch`.

    Returns:
        JSON: what is `shown` of it, as HTML or text: a report for each kind of finding, or what was found right; its
        `counts`, None if it was not launched or stopped early; what it `printed`.

    Raises:
        GraderFault: the emulator itself failed.
    """
    words = unpack_launch(json.loads(launch))
    try:
        run = Kernel(source, name).emulate(**words)
    except UsageError as error:
        return json.dumps({"shown": [{"text": str(error)}], "counts": None, "printed": ""})
    prepared = Kernel(source, name).prepare(**words)
    setting = Setting({}, prepared.grid, prepared.block, prepared.shared_mem, run.backend)
    shown: list[dict[str, Any]] = []
    for kind in dict.fromkeys(finding.kind for finding in run.findings):
        if kind in (Kind.COMPILE_ERROR, Kind.FORBIDDEN_CODE):
            made = report.compile_report(name, run.findings, source)
        else:
            found = [finding for finding in run.findings if finding.kind is kind]
            made = report.failed(
                f"{name} {report.claim_of_run(kinds()[kind].check)}",
                setting,
                find_races(run) if kind is Kind.RACE else found,  # the clearest first
                source,
                run=run,
            )
        shown.append({"html": to_html(made, "{}.html".format)})
    if not run.findings:
        lines = (report.passed(f"{name} {report.claim(check)}", 1, 0, run.backend) for check in checks_of_runs())
        shown = [{"text": line} for line in (*lines, report.NOT_COMPARED)]
    counts = asdict(run.counts) if run.completed and run.counts else None
    return json.dumps({"shown": shown, "counts": counts, "printed": run.printed})
