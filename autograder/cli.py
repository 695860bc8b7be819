"""The `autograder` command.

It uses argparse because a student's machine has only numpy and the compiler, and because a command must
start at once there.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, NoReturn

from .cuda.errors import GraderFault, MachineFault, UsageError, lacking

if TYPE_CHECKING:
    from .classroom.commands.doctor import Health


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 a check failed, 2 bad input, 3 a fault of ours or
    of this machine."""
    try:
        if sys.stdout is None or sys.stderr is None:  # print would put one's text into the other, or nowhere
            raise UsageError(
                "Open standard output and standard error: one of them is closed, so a report would be lost."
            )
        options = _parse(sys.argv[1:] if arguments is None else arguments)
        code: int = options.command(options)
        sys.stdout.flush()
    except UsageError as error:
        return _complain(str(error), 2)
    except MachineFault as fault:
        return _complain(f"this machine is at fault: {fault}", 3)
    except GraderFault as fault:
        return _complain(f"the grader itself failed: {fault}", 3)
    except KeyboardInterrupt as stopped:
        return _complain(str(stopped) or "stopped.", 130)
    except BrokenPipeError:  # as in `autograder collect ... | head`: nobody reads the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except MemoryError:
        return _complain("this machine is at fault: it has too little memory, so try again when less is running.", 3)
    except Exception as error:
        if lacks := _lacks(error):
            return _complain(f"this machine is at fault: {lacks}", 3)
        # Python itself would end with 1, the exit code of a check that failed.
        with suppress(OSError):
            traceback.print_exc()
        return _complain("the grader itself failed, as the lines above say.", 3)
    return code


def _complain(message: str, code: int) -> int:
    if sys.stderr is not None:
        with suppress(OSError):  # where it cannot be written, the exit code is all that is left to say it
            print(f"autograder: {message}", file=sys.stderr)
    return code


def _lacks(error: Exception) -> MachineFault | str | None:
    """What this machine lacks, by an error that nobody expected; None if it is a mistake of ours."""
    if isinstance(error, OSError):
        return lacking(f"{error.filename or 'A file'} cannot be used", error)
    if isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] != "autograder":
        return _what_to_do_without(error.name)
    return None


class _Parser(argparse.ArgumentParser):
    """Says in one sentence what is wrong with a command line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (`{self.prog} --help` lists what it takes).")


class _Version(argparse.Action):
    """Prints the versions that a bug report needs."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            compiler = f"ziglang {version('ziglang')}"
        except PackageNotFoundError:
            compiler = "no ziglang"
        machine = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
        print(f"autograder {version('cooperating-threads')} ({compiler}, {machine})")
        parser.exit()


def _parse(words: Sequence[str]) -> argparse.Namespace:
    # argparse would take a program's own arguments, after --, only directly after the program's name.
    takes_more = words[:1] in (["run"], ["debug"])
    at = words.index("--") if takes_more and "--" in words else len(words)
    options, unknown = _parser(runs=words[:1] == ["run"]).parse_known_args(words[:at])
    if unknown:
        advice = f"autograder {options.name}"
        raise UsageError(f"`{advice}` takes no {unknown[0]}: `{advice} --help` lists what it takes.")
    if after := words[at + 1 :]:
        options.arguments = [*options.arguments, *after]
    return options


def _parser(*, runs: bool) -> argparse.ArgumentParser:
    """The parser of all commands; if it `runs` something, of that one alone, which students wait for most often."""
    from .cuda.commands.run import add_command as add_run

    parser = _Parser("autograder", description="CUDA exercises that check themselves.")
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="print the versions of the package, the compiler and Python"
    )
    commands = parser.add_subparsers(required=True, metavar="command", dest="name")
    add_run(commands)
    if runs:
        return parser
    from .classroom.commands.checking import add_options as add_grading_of_one
    from .classroom.commands.grading import add_commands as add_grading
    from .classroom.commands.lti import add_commands as add_lti
    from .classroom.commands.teaching import add_commands as add_teaching
    from .cuda.commands.cc import add_command as add_cc
    from .cuda.commands.debug import add_command as add_debug
    from .cuda.commands.tune import add_command as add_tune
    from .exercises.commands.check import add_command as add_check

    course = commands.add_parser("course", help="release the exercises, grade a sample class, build the book")
    course.set_defaults(command=_course)

    release = commands.add_parser("release", help="generate exercises/ from solutions/, and links from _config.yml")
    release.add_argument("--check", action="store_true", help="only say which files differ (exit code 1)")
    release.set_defaults(command=_release)

    add_grading(commands)
    add_teaching(commands)
    add_lti(commands)

    new = commands.add_parser("new", help="make the files of a new exercise, chapter, check, detector or LMS")
    new.add_argument("kind", help="exercise, chapter, check, detector or lms")
    new.add_argument("part", metavar="NAME", help="its name; that of an exercise is CHAPTER/NAME")
    new.set_defaults(command=_new)

    verify = commands.add_parser("verify", help="verify exercises: solution, stub, mutants, NVRTC")
    verify.add_argument("paths", nargs="*", type=Path, help="notebooks of solutions/ (default: all)")
    verify.set_defaults(command=_verify)

    mutate = commands.add_parser("mutate", help="do the checks reject wrong answers made from right ones?")
    mutate.add_argument("paths", nargs="*", type=Path, help="notebooks of solutions/ (default: all)")
    mutate.add_argument("--jobs", type=int, metavar="N", help="mutants at a time (default: one per core)")
    mutate.add_argument("--json", type=Path, metavar="FILE", help="write the results in Stryker's schema")
    mutate.set_defaults(command=_mutate)

    add_cc(commands)
    add_grading_of_one(add_check(commands))
    add_debug(commands)

    mcp = commands.add_parser(
        "mcp", help="let an AI assistant compile, run and check CUDA, by the Model Context Protocol"
    )
    mcp.set_defaults(command=_mcp)

    doctor = commands.add_parser("doctor", help="say what works on this machine, and how to fix the rest")
    tried = doctor.add_mutually_exclusive_group()
    tried.add_argument(
        "--attacks",
        action="store_true",
        help="try the known attacks on grading on this machine, and say how each is stopped",
    )
    tried.add_argument(
        "--course", action="store_true", help="dry-run a term with a sample student: release, Colab, grade, export"
    )
    doctor.set_defaults(command=_doctor)
    add_tune(commands)
    return parser


#: Packages that somebody without the course's repository needs, by what installs them.
_INSTALLED_AS = {"numpy": "numpy", "mcp": "'cooperating-threads[mcp]'"}


def _what_to_do_without(package: str | None) -> str:
    if wanted := _INSTALLED_AS.get(package or ""):
        return f"the package {package} is missing: run `pip install {wanted}`."
    from .classroom.commands.doctor import NEWEST

    if sys.version_info[:2] > NEWEST:  # `make setup` leaves out what has no wheel for it
        here, newest = ("{}.{}".format(*version[:2]) for version in (sys.version_info, NEWEST))
        return f"the package {package} is missing, and may not exist for Python {here} yet: make .venv with {newest}."
    return (
        f"the package {package} is missing, which a student's machine does not need: "
        "run `make course` in the course's repository and use its .venv/bin/autograder."
    )


def _mcp(options: argparse.Namespace) -> int:
    from .exercises.commands.mcp_server import serve

    serve()
    return 0


def _course(options: argparse.Namespace) -> int:
    from .classroom.commands.course import make_course

    make_course(Path.cwd())
    return 0


def _release(options: argparse.Namespace) -> int:
    from .cuda.report.vocabulary import count
    from .exercises.authoring.nbgrader_app import CommandError
    from .exercises.authoring.release import check_release, release
    from .exercises.authoring.repository import owner_problem
    from .exercises.authoring.unfinished import unfinished

    try:
        lines = (check_release if options.check else release)(Path.cwd())
    except CommandError as error:
        raise UsageError(str(error)) from None
    for line in lines:
        print(line if options.check else f"fixed: {line}")
    if options.check:
        print("Run `autograder release` to fix this." if lines else "exercises/ is what solutions/ gives.")
    else:
        print(f"{count(len(lines), 'file')} changed.")
    if problem := owner_problem(Path.cwd()):
        print(problem)
    lacking_parts = unfinished(Path.cwd())
    for line in lacking_parts:
        print(f"unfinished: {line}")
    return 1 if options.check and (lines or lacking_parts) else 0


def _new(options: argparse.Namespace) -> int:
    from .exercises.authoring.new.scaffold import make

    made = make(Path.cwd(), options.kind, options.part)
    for path in made.made:
        print(f"made     {path}")
    for path in made.changed:
        print(f"changed  {path}")
    print("\nNext:")
    for number, step in enumerate(made.steps, 1):
        print(fill(step, 100, initial_indent=f"{number:3}. ", subsequent_indent="     ", break_on_hyphens=False))
    print(f"\nIt is done when this passes:\n{made.proof}")
    print(f"\nTo undo it, with all that you changed in these files since your last commit:\n{made.undo}")
    return 0


def _verify(options: argparse.Namespace) -> int:
    from .exercises.authoring import verify

    code: int = verify.main(options.paths or verify.find_exercises(Path.cwd() / "solutions"))
    return code


def _mutate(options: argparse.Namespace) -> int:
    from .exercises.authoring.mutation import command
    from .exercises.authoring.verify import find_exercises

    paths = options.paths or find_exercises(Path.cwd() / "solutions")
    jobs = len(os.sched_getaffinity(0)) if options.jobs is None else options.jobs
    code: int = command.main(paths, jobs, options.json)
    return code


def _doctor(options: argparse.Namespace) -> int:
    from .classroom.commands.doctor import examine, try_attacks

    if options.attacks:
        return _attacks(list(try_attacks()))
    healthy = True
    for finding in _dry_run() if options.course else examine():
        healthy = healthy and (finding.good or not finding.needed)
        sign = "ok  " if finding.good else "MISSING" if finding.needed else "none"
        print(f"{sign:8}{finding.what}: {finding.message}")
    return 0 if healthy else 1


def _dry_run() -> Iterator[Health]:
    from .classroom.commands.dry_run import dry_run

    return dry_run(Path.cwd())


def _attacks(tried: Sequence[Health]) -> int:
    for attempt in tried:
        print(f"{'stopped' if attempt.good else 'THROUGH':8}{attempt.what}: {attempt.message}")
    through = sum(not attempt.good for attempt in tried)
    print(f"{len(tried)} attacks, {through} got through." if through else f"{len(tried)} attacks, every one stopped.")
    return 1 if through else 0


if __name__ == "__main__":
    sys.exit(main())
