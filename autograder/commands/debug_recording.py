"""Records the launch that is to be debugged."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ..backends import emulator
from ..backends.emulator import TRACE_EVENTS
from ..checks.races import clearest_first
from ..core.findings import Finding
from ..core.launch import Launch
from ..core.run import Run
from ..debugger.recording import Recorded
from ..errors import UsageError
from ..host.unit import read_standard
from ..source.gather import Gathered
from .run_file import run_file
from .run_file_report import by_mistake, report_of

Recorder = Callable[[int], Recorded]


def recorder(options: argparse.Namespace) -> Recorder:
    """What records the launch that the options of a command say, and follows a block.

    Raises:
        UsageError: there is none.
    """
    if options.grid is None or options.block is None:
        raise UsageError("One kernel is debugged: give --grid and --block, and its arguments by --arg.")
    done = run_file(
        options.file, options.kernel, options.grid, options.block, options.arg, shared_mem=options.shared_mem,
        seed=options.seed, trace=True, followed=0, folders=options.folders, standard=read_standard(options.std),
    )  # fmt: skip
    if done.refused or done.run.trace is None or not len(done.run.trace.events):
        raise UsageError(f"There is nothing to step through: `autograder run {options.file}` says why.")

    def record(block: int) -> Recorded:
        run = emulator.run(done.launch, trace=True, followed=block) if block else done.run
        return recorded(done.launch, done.gathered, run, block)

    return record


def recorded(launch: Launch, gathered: Gathered, run: Run, block: int) -> Recorded:
    """A launch that was run for a debugger, with its findings: one for each mistake."""
    assert run.trace is not None

    def report(finding: Finding) -> str:
        return gathered.tell(str(report_of(finding, launch, run, (), gathered)))

    groups = by_mistake(clearest_first(run), lambda finding: finding, lambda finding: None)
    return Recorded(
        run.trace, launch.arrays, launch.grid, launch.block, block, gathered, [first for first, *_ in groups], report,
        run.completed, run.printed, len(run.trace.events) >= TRACE_EVENTS, launch.name,
    )  # fmt: skip
