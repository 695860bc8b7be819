"""Runs a kernel that belongs to no exercise, in a page: the entry that the worker calls."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from autograder.cuda.core.findings import Dim3, Kind
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.races import find_races
from autograder.cuda.core.run import Run
from autograder.cuda.core.setting import Setting
from autograder.cuda.errors import UsageError
from autograder.cuda.kernel import Kernel
from autograder.cuda.report import to_html
from autograder.cuda.report.kinds import checks_of_runs, kinds
from autograder.cuda.report.picture import from_run, with_player
from autograder.cuda.report.picture.data import encode
from autograder.cuda.schedules.counterexamples import accesses
from autograder.exercises import report

from .cases import unpack_launch

#: Values of an array that are shown, accesses of a launch that is filmed, and bytes of a film's data.
MOST_VALUES, MOST_FILMED, MOST_PICTURE = 128, 20_000, 16_000


def run_kernel(source: str, name: str, launch: str) -> str:
    """Launch the kernel `name` of `source` once.

    Args:
        launch: JSON of `cases.pack_launch`.

    Returns:
        JSON: what is `shown` of it, as HTML or text: a report for each kind of finding, or what was found right;
        whether nothing was found to be wrong (`right`); its `counts`, None if it was not launched or stopped early;
        what it `printed`; the first values of the arrays that it changed (`outputs`), and a `film` of a small launch as
        HTML.

    Raises:
        GraderFault: the emulator itself failed.
    """
    words = unpack_launch(json.loads(launch))
    try:
        run = Kernel(source, name).emulate(**words)
    except UsageError as error:
        return json.dumps(
            {"shown": [{"text": str(error)}], "right": False, "counts": None, "printed": "", "outputs": [], "film": ""}
        )
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
    return json.dumps(
        {
            "shown": shown,
            "right": not run.findings,
            "counts": counts,
            "printed": run.printed,
            "outputs": _outputs(prepared, run),
            "film": _film(Kernel(source, name), words, run, (prepared.grid, prepared.block)),
        }
    )


def _outputs(launch: Launch, run: Run) -> list[dict[str, Any]]:
    """The arrays that a launch changed: each one's name, size, and first values in words; none if it did not end."""
    if not run.completed:
        return []
    found = []
    for name, before, after in zip(launch.array_names, launch.arrays, run.outputs, strict=True):
        if after.dtype.names or before.tobytes() == after.tobytes():
            continue
        first = after.reshape(-1)[:MOST_VALUES].tolist()
        words = [f"{value:g}" if isinstance(value, float) else str(value) for value in first]
        found.append({"name": name, "size": after.size, "values": words})
    return found


def _film(kernel: Kernel, words: dict[str, Any], run: Run, extents: tuple[Dim3, Dim3]) -> str:
    """The timeline of the first block, about the array that a race is about, or that its threads share; empty for a
    launch that is too large, or that did not end."""
    if not run.completed or not run.counts or accesses(run.counts) > MOST_FILMED:
        return ""
    traced = kernel.emulate(**words, trace=True)
    trace = traced.trace
    if trace is None:
        return ""
    events = trace.events[trace.events["block"] == 0]
    touched = {int(array) for array in events["array"]} - {-1}
    races = [find.accesses[0].array for find in run.findings if find.kind is Kind.RACE]
    drawn = min(
        (array for array in touched if array < len(trace.arrays)),
        key=lambda array: (trace.arrays[array] not in races, trace.spaces[array] != "shared", array),
        default=None,
    )
    if drawn is None:
        return ""
    timeline = from_run(traced, trace.arrays[drawn], 0, trace.shapes[drawn], extents)
    return with_player(timeline) if len(encode(timeline)) <= MOST_PICTURE else ""
