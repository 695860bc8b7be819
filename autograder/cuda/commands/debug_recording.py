"""Records the launch that is to be debugged: of a kernel alone, or in a program."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..backends import emulator
from ..backends.emulation import TRACE_EVENTS
from ..core.findings import Finding
from ..core.host_findings import Place
from ..core.launch import Launch, ProgramLaunch
from ..core.races import clearest_first
from ..core.run import Run
from ..debugger.recording import Recorded
from ..errors import UsageError
from ..programs.building.build import NoMainError, build_program
from ..programs.building.unit import Options, read_standard
from ..programs.launches.budget import WHOLE_PROGRAM
from ..programs.launches.kernels import KernelText, run_launch
from ..programs.process import run_program
from ..source.gather import Gathered
from .run_file import run_file
from .run_file_report import by_mistake, report_of

#: Runs the launch, and follows a block.
Recorder = Callable[[int], Recorded]


def recorder(options: argparse.Namespace) -> Recorder:
    """What records the launch that the options of a command say.

    Raises:
        UsageError: there is none.
    """
    if options.grid is None and options.block is None:
        return _of_program(options)
    if options.grid is None or options.block is None or options.arguments:
        raise UsageError(
            f"{options.file} is debugged as one kernel: give --grid and --block, and its arguments by --arg. (Without "
            "these, a file with a main function runs as a program.)"
        )
    done = run_file(
        options.file, options.kernel, options.grid, options.block, options.arg, shared_mem=options.shared_mem,
        seed=options.seed, trace=True, followed=0, folders=options.folders, standard=read_standard(options.std),
    )  # fmt: skip
    if done.refused:
        raise _nothing(options)

    def record(block: int) -> Recorded:
        run = emulator.run(done.launch, trace=True, followed=block) if block else done.run
        return _recorded(done.launch, done.gathered, run, block, options)

    return record


class _TakenError(Exception):
    """The launch that was looked for."""

    def __init__(self, kernel: KernelText, launch: ProgramLaunch) -> None:
        super().__init__()
        self.kernel, self.launch = kernel, launch


def _of_program(options: argparse.Namespace) -> Recorder:
    if options.arg:
        raise UsageError(f"{options.file} is debugged as a program: give --grid and --block for one of its kernels.")
    made = 0

    def take(kernel: KernelText, _: Place, launch: ProgramLaunch) -> None:
        nonlocal made
        names = (kernel.name, kernel.typed_name, kernel.name.partition("<")[0])
        is_meant = not options.kernel or options.kernel in names
        made += is_meant
        if is_meant and made == options.launch:
            # The GPU's memory goes with the program.
            areas = [replace(area, values=area.values.copy(), written=_copied(area.written)) for area in launch.areas]
            raise _TakenError(kernel, replace(launch, areas=tuple(areas)))

    try:
        program = build_program(options.file, Options(tuple(options.folders), standard=read_standard(options.std)))
        done = run_program(program, options.file, options.arguments, checked=WHOLE_PROGRAM, take=take)
    except NoMainError:
        raise UsageError(
            f"{options.file} has no main function, so it is not a program: give --grid and --block to launch one "
            "of its kernels."
        ) from None
    except _TakenError as error:
        taken = error.with_traceback(None)
    else:
        if done.uncompiled:
            raise _nothing(options)
        of = f" of {options.kernel}" if options.kernel else ""
        raise UsageError(f"{options.file} has made {made} launches{of}, and --launch asks for number {options.launch}.")

    def record(block: int) -> Recorded:
        run = run_launch(taken.launch, taken.launch.areas, followed=block)
        return _recorded(taken.launch, taken.kernel.gathered, run, block, options)

    return record


def _copied(written: bool | np.ndarray) -> bool | np.ndarray:
    return written if isinstance(written, bool) else written.copy()


def _nothing(options: argparse.Namespace) -> UsageError:
    return UsageError(f"There is nothing to step through: `autograder run {options.file}` says why.")


def _recorded(launch: Launch, gathered: Gathered, run: Run, block: int, options: argparse.Namespace) -> Recorded:
    """A launch that was run for a debugger, with its findings: one for each mistake."""
    if run.trace is None or not len(run.trace.events):
        raise _nothing(options)

    def report(finding: Finding) -> str:
        return gathered.with_file_lines(str(report_of(finding, launch, run, (), gathered)))

    others = int((run.trace.events["block"] != block).sum())
    is_cut = len(run.trace.events) >= TRACE_EVENTS or others >= TRACE_EVENTS // 2
    groups = by_mistake(clearest_first(run), lambda finding: finding, lambda finding: None)
    return Recorded(
        run.trace, launch.arrays, launch.grid, launch.block, block, gathered, [first for first, *_ in groups], report,
        run.completed, run.printed, is_cut,
    )  # fmt: skip
