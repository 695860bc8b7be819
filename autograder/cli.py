"""The `autograder` command.

It uses argparse because a student's machine has only numpy and the compiler, and because a command must
start at once there.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import GraderFault, UsageError

if TYPE_CHECKING:
    from .commands.doctor import Health
    from .grading.execution.cluster import OpenCluster

_RUN_HELP = """\
arguments, one for each parameter of the kernel; without its name= it is for the next free one:
  in=random:float32:128x128   whole numbers from 0 to 49, so that sums are exact in any order
  out=poison:1024             bytes that show where nobody wrote; without a dtype: the parameter's
  zeros: ones: arange:        the same way
  in=points.npy               an array that numpy.save wrote
  n=1024  x=2.5  v=1,0,0      a number, or those of a vector type such as float3

what an array should hold after the launch, in the same words and always with its name:
  out=want.npy  total=64  sums=3,7,11   a file; one number for every element; each element
Another result is a finding then, and a race is told with an order of the threads that makes a result wrong, if one
is found among those that are tried.

A file may have host code (main, <<<...>>>, headers): it is left out, and the first line says so.

exit code: 0 nothing was found, 1 something was, 2 bad input, 3 the emulator failed

the document of --json, its keys always there and in this order:
  file, kernel, grid, block, shared_mem, seed
  left_out        [{what, first_line, last_line}]: host code
  filled_by_host  [name]: variables on the GPU that the host code fills
  completed       false where the launch stopped early
  findings        [{kind, line, text, array, index, threads, count, details, report}]; line, text, array and
                  index are those of the last of threads [{block, thread, line, text, action, array, index,
                  space}]; details depend on kind; report is the text without --json
  counts          {global_loads, ..., shared_atomic_wavefronts}, or null where nothing ran
  printed         what the kernel printed
  outputs         [{name, dtype, shape}]
  resources       [{gpu, arch, registers, local_bytes, spill_stores, spill_loads, shared_bytes,
                  occupancy: {blocks_per_sm, warps, limit, limiters}}], one for each --gpu
  seconds         compiler and emulator together
"""


_CLUSTERS = "slurm, or a scheduler's address such as tcp://host:8786"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 a check failed, 2 bad input, 3 a fault of ours."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.command(options)
        sys.stdout.flush()
    except UsageError as error:
        return _complain(str(error), 2)
    except GraderFault as fault:
        return _complain(f"the grader itself failed: {fault}", 3)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "autograder":
            raise
        return _complain(
            f"the package {error.name} is missing, which a student's machine need not have: "
            "run `make course` in the course's repository and use its .venv/bin/autograder.",
            2,
        )
    except KeyboardInterrupt:
        return _complain("stopped.", 130)
    except BrokenPipeError:  # as in `autograder collect ... | head`: nobody reads the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def _complain(message: str, code: int) -> int:
    print(f"autograder: {message}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    from .commands.teaching import add_commands as add_teaching
    from .commands.tune import add_command as add_tune  # imports numpy, which `autograder --help` doesn't need

    parser = argparse.ArgumentParser("autograder", description="CUDA exercises that check themselves.")
    commands = parser.add_subparsers(required=True, metavar="command")

    course = commands.add_parser("course", help="release the exercises, grade a sample class, build the book")
    course.set_defaults(command=_course)

    release = commands.add_parser("release", help="generate exercises/ from solutions/, and links from _config.yml")
    release.add_argument("--check", action="store_true", help="only say which files differ (exit code 1)")
    release.set_defaults(command=_release)

    collect = commands.add_parser("collect", help="sort what an LMS gave into submitted/<student>/<chapter>/")
    collect.add_argument("chapter")
    collect.add_argument("downloads", nargs="+", type=Path, help="folders, zip archives or notebooks")
    collect.set_defaults(command=_collect)

    grade = commands.add_parser("grade", help="grade a chapter of a class; may be stopped and run again")
    grade.add_argument("chapter")
    grade.add_argument("--student", action="append", default=[], metavar="NAME", help="only this one")
    grade.add_argument("--jobs", type=int, metavar="N", help="notebooks at a time (default: one a core, 8 a GPU)")
    grade.add_argument("--force", action="store_true", help="run and record again what is known already")
    grade.add_argument("--cluster", default="", metavar="WHERE", help=f"of Dask: {_CLUSTERS} (default: this machine)")
    grade.add_argument("--profile", default="", metavar="NAME", help="of cluster.toml (default: the only one there)")
    _add_db(grade)
    grade.set_defaults(command=_grade)

    feedback = commands.add_parser("feedback", help="write one page a student: feedback/<student>/<chapter>.html")
    feedback.add_argument("chapter")
    feedback.add_argument("--student", action="append", default=[], metavar="NAME", help="only this one")
    feedback.add_argument("--zip", type=Path, metavar="FILE", help="pack the pages as Moodle and Canvas take them back")
    feedback.add_argument("--book", default="", metavar="URL", help="where the book is, for links to its chapters")
    _add_db(feedback)
    feedback.set_defaults(command=_feedback)

    report = commands.add_parser("report", help="scores, findings and notes of a graded chapter")
    report.add_argument("chapter")
    report.add_argument("--csv", type=Path, metavar="FILE", help="write it as CSV instead")
    report.add_argument("--html", type=Path, metavar="FILE", help="write it as a web page instead")
    _add_db(report)
    report.set_defaults(command=_report)

    add_teaching(commands)

    verify = commands.add_parser("verify", help="prove exercises: solution, stub, mutants, NVRTC")
    verify.add_argument("paths", nargs="*", type=Path, help="notebooks of solutions/ (default: all)")
    verify.set_defaults(command=_verify)

    mutate = commands.add_parser("mutate", help="do the checks reject wrong answers made from right ones?")
    mutate.add_argument("paths", nargs="*", type=Path, help="notebooks of solutions/ (default: all)")
    mutate.add_argument("--jobs", type=int, metavar="N", help="mutants at a time (default: one a core)")
    mutate.add_argument("--json", type=Path, metavar="FILE", help="write the results in Stryker's schema")
    mutate.set_defaults(command=_mutate)

    run = commands.add_parser(
        "run",
        help="run a kernel of any .cu file on the emulator, and say what is wrong with it",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_RUN_HELP,
    )
    run.add_argument("file", type=Path)
    run.add_argument("--kernel", metavar="NAME", help="needed where the file has several; may be blur<128>")
    run.add_argument(
        "-I",
        type=Path,
        action="append",
        default=[],
        dest="folders",
        metavar="FOLDER",
        help="where the file's own headers lie, besides beside it",
    )
    run.add_argument("--grid", type=_dims, required=True, metavar="X,Y,Z", help="blocks; one to three numbers")
    run.add_argument("--block", type=_dims, required=True, metavar="X,Y,Z", help="threads; one to three numbers")
    run.add_argument("--arg", action="append", default=[], metavar="ARG", help="one for each parameter; see below")
    run.add_argument(
        "--expect", action="append", default=[], metavar="NAME=VALUE", help="what an array should hold; see below"
    )
    run.add_argument("--shared-mem", type=int, default=0, metavar="BYTES", help="dynamic shared memory")
    run.add_argument("--seed", type=int, default=0, help="of what is filled at random (default: 0)")
    run.add_argument("--gpu", action="append", default=[], metavar="NAME", help="registers and occupancy there; or all")
    run.add_argument(
        "--out", type=_kept, action="append", default=[], metavar="NAME=FILE", help="keep an array as a .npy file"
    )
    run.add_argument("--trace", type=Path, metavar="FILE", help="write every access and barrier as CSV")
    said = run.add_mutually_exclusive_group()
    said.add_argument("--print", action="append", default=[], metavar="NAME", help="show an array after the launch")
    said.add_argument("--json", action="store_true", help="say everything as one JSON document instead")
    run.set_defaults(command=_run)

    doctor = commands.add_parser("doctor", help="say what works on this machine, and how to fix the rest")
    tried = doctor.add_mutually_exclusive_group()
    tried.add_argument(
        "--attacks", action="store_true", help="try the known attacks on grading here, and say how each is stopped"
    )
    tried.add_argument(
        "--course", action="store_true", help="walk a term's way with a sample student: release, Colab, grade, export"
    )
    doctor.set_defaults(command=_doctor)
    add_tune(commands)
    return parser


def _add_db(command: argparse.ArgumentParser) -> None:
    command.add_argument("--db", default="", metavar="URL", help="the gradebook (default: as nbgrader is configured)")


def _course(options: argparse.Namespace) -> int:
    from .commands.course import make_course

    make_course(Path.cwd())
    return 0


def _release(options: argparse.Namespace) -> int:
    from .authoring.release import check_release, release
    from .authoring.repository import owner_problem
    from .grading.nbgrader_app import CommandError
    from .report.vocabulary import count

    try:
        lines = (check_release if options.check else release)(Path.cwd())
    except CommandError as error:
        raise UsageError(str(error)) from None
    for line in lines:
        print(line)
    if options.check:
        print("Run `autograder release` to fix this." if lines else "exercises/ is what solutions/ gives.")
    else:
        print(f"{count(len(lines), 'file')} changed.")
    if problem := owner_problem(Path.cwd()):
        print(problem)
    return 1 if options.check and lines else 0


def _collect(options: argparse.Namespace) -> int:
    from .grading.classroom import open_classroom
    from .grading.collecting.collect import collect, lines_of

    done = collect(open_classroom(Path.cwd()), options.chapter, options.downloads)
    for line in lines_of(done):
        print(line)
    return 1 if done.left else 0


def _grade(options: argparse.Namespace) -> int:
    from rich.console import Console

    from .grading.classroom import open_classroom
    from .grading.grade import grade
    from .grading.results import progress

    console = Console()
    room = open_classroom(Path.cwd(), options.db)
    cluster = _cluster(options)
    display = progress.Display(console, options.chapter)
    try:
        with display.shown() as watch:
            summary = grade(room, options.chapter, options.student, force=options.force, watch=watch, cluster=cluster)
    except KeyboardInterrupt:
        return _complain(display.farewell, 130)
    for line in progress.summary_lines(summary):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 1 if progress.needs_a_person(summary) else 0


def _cluster(options: argparse.Namespace) -> OpenCluster:
    from .grading.execution.cluster import scheduler_at, this_machine
    from .grading.execution.slurm import PROFILES, read_profile, slurm

    if options.cluster and options.jobs is not None:
        raise UsageError("--jobs is of this machine: with --cluster, the workers say how much runs at a time.")
    if options.profile and options.cluster != "slurm":
        raise UsageError("--profile is of --cluster slurm.")
    if options.cluster == "slurm":
        return slurm(read_profile(Path.cwd() / PROFILES, options.profile), Path.cwd())
    if options.cluster and "://" not in options.cluster:
        raise UsageError(f"--cluster is {_CLUSTERS}, not {options.cluster}.")
    if options.cluster:
        return scheduler_at(options.cluster)
    if options.jobs is not None and options.jobs < 1:
        raise UsageError("--jobs must be at least 1.")
    return this_machine(options.jobs)


def _feedback(options: argparse.Namespace) -> int:
    from .grading.classroom import open_classroom
    from .grading.results.feedback import write_feedback

    if options.book and not options.book.startswith(("https://", "http://")):
        raise UsageError("--book is the address of a web page, such as https://example.org/course.")
    room = open_classroom(Path.cwd(), options.db)
    pages = write_feedback(room, options.chapter, options.student, options.book)
    print(f"{len(pages)} pages: feedback/<student>/{options.chapter}.html")
    if options.zip:
        from .grading.results.lms import pack_feedback

        others = pack_feedback(room, options.chapter, options.zip)
        print(f"{options.zip} is for the LMS." + (f" Not in it: {', '.join(others)}." if others else ""))
    return 0


def _report(options: argparse.Namespace) -> int:
    from rich.console import Console

    from .grading.classroom import open_classroom
    from .grading.results import class_report, pages

    report = class_report.read_report(open_classroom(Path.cwd(), options.db), options.chapter)
    if options.csv:
        pages.write_text(options.csv, class_report.to_csv((*report.rows, *report.left)))
        print(f"The scores are in {options.csv}.")
    if options.html:
        pages.write_class_page(options.html, options.chapter, report)
        print(f"The report is in {options.html}.")
    if not options.csv and not options.html:
        console = Console()
        console.print(class_report.score_table(report.rows))
        for line in class_report.report_lines(report):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0


def _verify(options: argparse.Namespace) -> int:
    from .authoring import verify

    code: int = verify.main(options.paths or verify.find_exercises(Path.cwd() / "solutions"))
    return code


def _mutate(options: argparse.Namespace) -> int:
    from .authoring.mutation import command
    from .authoring.verify import find_exercises

    paths = options.paths or find_exercises(Path.cwd() / "solutions")
    jobs = len(os.sched_getaffinity(0)) if options.jobs is None else options.jobs
    code: int = command.main(paths, jobs, options.json)
    return code


def _dims(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not one to three whole numbers, such as 4 or 4,2") from None


def _kept(text: str) -> tuple[str, Path]:
    name, _, path = text.partition("=")
    if not path:
        raise argparse.ArgumentTypeError(f"{text} is not NAME=FILE, such as out=out.npy")
    return name, Path(path)


def _run(options: argparse.Namespace) -> int:
    from .commands import run_file as file_run
    from .commands import run_file_report as file_report

    gpus = file_run.choose_gpus(options.gpu)
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
    )
    problem = None
    try:
        done = file_run.with_resources(done, gpus)
    except UsageError as error:
        problem = error  # raised at the end, so that the run's findings are still printed
    print(file_report.to_json(done) if options.json else file_report.to_text(done))
    for name in options.print:
        print(f"\n{file_report.array_text(done, name)}")
    for name, path in options.out:
        file_run.save_array(done, name, path)
    if done.run.trace is not None:
        print(file_run.save_trace(done, options.trace), file=sys.stderr)
    if problem:
        raise problem
    return 1 if done.run.findings else 0


def _doctor(options: argparse.Namespace) -> int:
    from .commands.doctor import examine, try_attacks

    if options.attacks:
        return _attacks(list(try_attacks()))
    healthy = True
    for finding in _rehearse() if options.course else examine():
        healthy = healthy and (finding.good or not finding.needed)
        sign = "ok  " if finding.good else "MISSING" if finding.needed else "none"
        print(f"{sign:8}{finding.what}: {finding.said}")
    return 0 if healthy else 1


def _rehearse() -> Iterator[Health]:
    from .commands.rehearsal import rehearse

    return rehearse(Path.cwd())


def _attacks(tried: Sequence[Health]) -> int:
    for one in tried:
        print(f"{'stopped' if one.good else 'THROUGH':8}{one.what}: {one.said}")
    through = sum(not one.good for one in tried)
    print(f"{len(tried)} attacks, {through} got through." if through else f"{len(tried)} attacks, every one stopped.")
    return 1 if through else 0


if __name__ == "__main__":
    sys.exit(main())
