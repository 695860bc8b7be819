"""The command `run`: a whole CUDA program, or one kernel of any .cu file."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .formats import built_in, writer

_HELP = """\
A file with a main function runs as a whole program, and so does a program that `autograder cc` has linked. Its own
arguments come after --, as in `autograder run blur.cu -- photo.pgm`. A program takes only -I, --std, --gpu (the GPU
that it sees; on Orin, a small one, grids whose blocks must all be resident at once fit the emulator), --gpus (how many
of them), --all and --format. It is your own program and runs with your rights: only its kernels run in the
emulator's sandbox. Findings go to standard error.
With --grid and --block, one launch of one kernel runs instead; the other options are for that.

arguments of a kernel, one for each parameter; an argument without NAME= is for the next free parameter:
  in=random:float32:128x128   integers from 0 to 49, so that sums are exact in any order
  out=poison:1024             bytes that show which elements were not written; without a dtype: the parameter's
  zeros: ones: arange:        the same way
  in=points.npy               an array saved with numpy.save
  n=1024  x=2.5  v=1,0,0      a number, or the components of a vector type such as float3

what an array should hold after the launch; same syntax, but the name is required:
  out=want.npy  total=64  sums=3,7,11   a file; one number for every element; each element
A different result is then a finding, and a race is reported together with an interleaving that makes a result wrong,
if one is found among those that are tried.

The file's host code does not run then. If a header is missing, or host code does not compile, everything that needs it
is left out, and the first lines say so.

exit code, in each format: 0 no findings except remarks, 1 findings, 2 bad input, 3 the emulator failed; also 1 if the
program's own exit code is not 0; also 2 if a program, or a kernel that it launches, does not compile; 130 if a program
was interrupted, and what was found until then is reported. With 2 and 3 there is no document; standard error says
why.

the document of --format json; its keys are always there and in this order, and a file under the current folder is
given by its path from there:
  file, files, kernel, grid, block, shared_mem, seed
  notes           [sentence]: what was left out of the file, and warnings
  completed       false if the launch stopped early
  findings        [{kind, file, line, text, array, index, threads, count, details, report}]; line, text, array and
                  index are those of the last of threads [{block, thread, line, text, action, array, index,
                  space}]; details depend on kind; report is the text that is printed without --json
  counts          {global_loads, ..., shared_atomic_wavefronts}, or null if nothing ran
  printed         what the kernel printed
  outputs         [{name, dtype, shape}]
  resources       [{gpu, arch, registers, local_bytes, spill_stores, spill_loads, shared_bytes,
                  occupancy: {blocks_per_sm, warps, limit, limiters}}], one for each --gpu
  seconds         compiler and emulator together

the document for a program:
  file, files, gpu, gpus
  exit_code       the program's own; negative: the signal that ended it
  interrupted     true if Ctrl-C or SIGTERM ended it: what came later is missing
  summary         one line: how it ended
  notes           [sentence]: warnings
  launches        [{kernel, file, line, grid, block, shared_mem, by, checked, checked_blocks, completed, counts}];
                  counts as above, or null unless all blocks were checked, as checked says; by is the thread that
                  makes the launch, {kernel, block, thread}, or null if the host does
  findings        as above, with kernel, launch {file, line, text}, by, and launches, the number of launches there;
                  findings in host code: [{kind, file, line, text, header, count, others: [{what, file, line, text}],
                  details, report}]
  printed         what the program wrote to standard output
"""


#: The formats that print the text, too.
_FOR_PEOPLE = ("text", "lines")


def add_command(commands: Any) -> None:
    """Add it to argparse's `commands`."""
    run = commands.add_parser(
        "run",
        help="run a CUDA program, or one kernel of any .cu file, on the emulator, and say what is wrong with it",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_HELP,
    )
    run.add_argument("file", type=Path, nargs="?")  # without, an option that is not there is what gets told
    run.add_argument("arguments", nargs="*", default=[], metavar="-- ARGUMENT", help="arguments of the program itself")
    add_launch(run)
    run.add_argument(
        "--expect", action="append", default=[], metavar="NAME=VALUE", help="what an array should hold; see below"
    )
    run.add_argument(
        "--gpu", action="append", default=[], metavar="NAME", help="report registers and occupancy on it; or all"
    )
    run.add_argument("--gpus", type=int, metavar="N", help="for a program: how many GPUs it sees (default: 1)")
    run.add_argument(
        "--all",
        action="store_true",
        help="for a program: check every launch to its end, however long that takes",
    )
    run.add_argument(
        "--out",
        type=_array_and_file,
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="save an array as a .npy file",
    )
    run.add_argument("--trace", type=Path, metavar="FILE", help="write every access and barrier as CSV")
    formats = run.add_mutually_exclusive_group()
    formats.add_argument("--print", action="append", default=[], metavar="NAME", help="show an array after the launch")
    formats.add_argument(
        "--format",
        type=_format,
        metavar="{" + ",".join(["text", *built_in()]) + "}",
        default="text",
        help="one document instead: everything as JSON, findings as SARIF for code scanning, or tests as JUnit XML; or "
        "besides the text, a line FILE:LINE:COLUMN: error: KIND: ... for each finding, as editors read it from GCC",
    )
    formats.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")
    run.add_argument("--watch", action="store_true", help="run again whenever the file or one of its headers changes")
    run.set_defaults(command=_run)


def add_launch(parser: argparse.ArgumentParser) -> None:
    """Add what says how a file is compiled and one of its kernels is launched."""
    parser.add_argument("--kernel", metavar="NAME", help="needed if the file has several kernels; may be blur<128>")
    parser.add_argument(
        "-I",
        type=Path,
        action="append",
        default=[],
        dest="folders",
        metavar="FOLDER",
        help="additional folder to search for headers",
    )
    parser.add_argument("--std", default="c++17", metavar="STANDARD", help="c++11, c++14, c++17 or c++20")
    parser.add_argument("--grid", type=_dims, metavar="X,Y,Z", help="blocks; one to three numbers")
    parser.add_argument("--block", type=_dims, metavar="X,Y,Z", help="threads; one to three numbers")
    parser.add_argument("--arg", action="append", default=[], metavar="ARG", help="one for each parameter; see below")
    parser.add_argument("--shared-mem", type=int, default=0, metavar="BYTES", help="dynamic shared memory")
    parser.add_argument("--seed", type=int, default=0, help="for arrays filled with random numbers (default: 0)")


def _format(name: str) -> str:
    """Return the name of a format if there is one."""
    try:
        if name != "text":
            writer(name)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error).rstrip(".")) from None
    return name


def _dims(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not one to three integers, such as 4 or 4,2") from None


def _array_and_file(text: str) -> tuple[str, Path]:
    name, _, path = text.partition("=")
    if not path:
        raise argparse.ArgumentTypeError(f"{text} is not NAME=FILE, such as out=out.npy")
    return name, Path(path)


def _run(options: argparse.Namespace) -> int:
    if options.file is None:
        raise UsageError("Name a CUDA program, as in `autograder run blur.cu`.")
    if not options.watch:
        return _run_once(options)[0]
    from .watch import watch

    watch(options.file, options.folders, lambda: _run_once(options)[1])


def _run_once(options: argparse.Namespace) -> tuple[int, Sequence[Path]]:
    """The exit code, and the files that were compiled."""
    if options.grid is None and options.block is None:
        return _run_program(options)
    if options.grid is None or options.block is None or options.arguments:
        raise UsageError(
            f"{options.file} runs as one kernel: give --grid and --block, and its arguments by --arg. (Without "
            "these, a file with a main function runs as a program.)"
        )
    return _run_kernel(options)


def _require_text(file: Path) -> None:
    """Raise UsageError if a file can be neither a program nor the text of one."""
    try:
        with file.open("rb") as content:
            begins = content.read(4096)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    if b"\0" in begins:
        raise UsageError(f"{file} was not linked by `autograder cc`: give the program's .cu file, or link it that way.")


def _run_program(options: argparse.Namespace) -> tuple[int, Sequence[Path]]:
    from ..nvrtc.occupancy import GPUS
    from ..programs.building.build import NoMainError, Program, build_program, is_program
    from ..programs.building.refusals import RefusedError
    from ..programs.building.unit import Options, read_standard
    from ..programs.launches.budget import WHOLE_PROGRAM
    from ..programs.process import MOST_DEVICES, gpu_named, run_program
    from ..programs.progress import Progress
    from . import program_report

    if options.kernel or options.arg or options.expect or options.out or options.trace or options.print:
        raise UsageError(
            f"{options.file} runs as a program: give --grid and --block to launch one of its kernels alone."
        )
    if len(options.gpu) > 1:
        raise UsageError("A program sees GPUs of one kind: name it once by --gpu.")
    devices = 1 if options.gpus is None else options.gpus
    if not 1 <= devices <= MOST_DEVICES:
        raise UsageError(f"--gpus {devices} is not possible: a program sees 1 to {MOST_DEVICES} GPUs.")
    gpu = gpu_named(options.gpu[0] if options.gpu else "H200")
    if is_program(options.file):
        if not os.access(options.file, os.X_OK):
            raise UsageError(f"{options.file} is not executable: run `chmod +x {shlex.quote(str(options.file))}`.")
        program = Program(options.file.resolve())
    else:
        _require_text(options.file)
        announce_first_build(program=True)
        standard = read_standard(options.std)
        try:
            program = build_program(
                options.file, Options(tuple(options.folders), standard=standard, arch=GPUS[gpu].arch)
            )
        except NoMainError:
            raise UsageError(
                f"{options.file} has no main function, so it is not a program: give --grid and --block to launch one "
                "of its kernels."
            ) from None
        except RefusedError as error:
            if options.format == "lines" and error.place:
                from .formats.lines import to_line

                name, line, column = error.place
                print(to_line(_path_of(name, options), line, column, "error", "CompileError", str(error)))
            raise
    document = options.format not in _FOR_PEOPLE
    checked = None if options.all else WHOLE_PROGRAM
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    try:
        with Progress() as progress:
            done = run_program(
                program, options.file, options.arguments, gpu, devices,
                keep=document, checked=checked, progress=progress,
            )  # fmt: skip
    finally:
        signal.signal(signal.SIGTERM, before)
    if done.uncompiled or not document:
        print(program_report.to_text(done), file=sys.stderr)
    if (document and not done.uncompiled) or options.format == "lines":
        _print(writer(options.format)(program_report.document(done)))
    if done.uncompiled:
        code = 2
    elif done.interrupted:
        code = 130
    else:
        code = 1 if program_report.found(done) else 0
    return code, done.files


def _path_of(name: str, options: argparse.Namespace) -> Path:
    """The file that the compiler calls `name`: it knows no folders."""
    folders = [options.file.parent, *options.folders]
    return next((folder / name for folder in folders if (folder / name).is_file()), Path(name))


def _print(text: str) -> None:
    if text:  # of lines, there may be none
        print(text)


def announce_first_build(*, program: bool) -> None:
    """Say on standard error why the first program, or else the first kernel of a file, takes long, before it does."""
    from ..programs.building.cpp_library import library_is_begun
    from ..programs.building.runtime_build import runtime_is_built

    if program and not library_is_begun():
        what, why = "program", "what runs it, and the C++ library, are compiled, once"
    elif not program and not runtime_is_built():
        what, why = "kernel of a file", "what runs it is compiled, once"
    else:
        return
    print(f"The first {what} on a machine takes longer: {why}.", file=sys.stderr)


def _run_kernel(options: argparse.Namespace) -> tuple[int, Sequence[Path]]:
    from ..programs.building.unit import read_standard
    from . import run_file as file_run
    from . import run_file_report as file_report

    if options.all:
        raise UsageError("--all is for programs: a single launch is always checked to its end.")
    if options.gpus is not None:
        raise UsageError("--gpus is for programs: a single launch runs on one GPU.")
    gpus, standard = file_run.choose_gpus(options.gpu), read_standard(options.std)
    announce_first_build(program=False)
    done = file_run.run_file(
        options.file,
        options.kernel,
        options.grid,
        options.block,
        options.arg,
        shared_mem=options.shared_mem,
        seed=options.seed,
        trace=options.trace is not None,
        expect=options.expect,
        folders=options.folders,
        standard=standard,
    )
    problem = None
    try:
        done = file_run.with_resources(done, gpus, standard)
    except UsageError as error:
        problem = error  # raised at the end, so that the run's findings are still printed
    if options.format in _FOR_PEOPLE:
        print(file_report.to_text(done))
    if options.format != "text":
        _print(writer(options.format)(file_report.document(done)))
    if done.refused:
        return 1, done.gathered.files
    for name in options.print:
        print(f"\n{file_report.array_text(done, name)}")
    for name, path in options.out:
        file_run.save_array(done, name, path)
    if done.run.trace is not None:
        print(file_run.save_trace(done, options.trace), file=sys.stderr)
    if problem:
        raise problem
    return 1 if done.run.findings else 0, done.gathered.files
