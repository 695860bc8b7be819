"""The `autograder` command.

Written with argparse: a student's machine has only numpy, the compiler and pyelftools, and a
command there must start at once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .errors import GraderFault, UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0 done, 1 a check failed, 2 bad input, 3 our fault."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.command(options)
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
    return code


def _complain(message: str, code: int) -> int:
    print(f"autograder: {message}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("autograder", description="CUDA exercises that check themselves.")
    commands = parser.add_subparsers(required=True, metavar="command")

    course = commands.add_parser("course", help="release the exercises, grade a sample class, build the book")
    course.set_defaults(command=_course)

    release = commands.add_parser("release", help="generate exercises/ from solutions/")
    release.add_argument("--check", action="store_true", help="only say which files differ (exit code 1)")
    release.set_defaults(command=_release)

    report = commands.add_parser("report", help="scores and remarks of a graded chapter")
    report.add_argument("chapter")
    report.add_argument("--csv", type=Path, metavar="FILE", help="write it as CSV instead")
    report.add_argument("--html", type=Path, metavar="FILE", help="write it as a web page instead")
    report.set_defaults(command=_report)

    verify = commands.add_parser("verify", help="prove exercises: solution, stub, mutants, NVRTC")
    verify.add_argument("paths", nargs="*", type=Path, help="notebooks of solutions/ (default: all)")
    verify.set_defaults(command=_verify)

    doctor = commands.add_parser("doctor", help="say what works on this machine, and how to mend the rest")
    doctor.set_defaults(command=_doctor)
    return parser


def _course(options: argparse.Namespace) -> int:
    from .grading.course import make_course

    make_course(Path.cwd())
    return 0


def _release(options: argparse.Namespace) -> int:
    from .grading.release import check_release, release
    from .grading.stock import CommandError

    try:
        lines = (check_release if options.check else release)(Path.cwd())
    except CommandError as error:
        raise UsageError(str(error)) from None
    for line in lines:
        print(line)
    if not options.check:
        print(f"exercises/: {len(lines)} files changed.")
        return 0
    print("Run `autograder release` to mend this." if lines else "exercises/ is what solutions/ gives.")
    return 1 if lines else 0


def _report(options: argparse.Namespace) -> int:
    from rich.console import Console

    from .grading import class_report

    rows = class_report.read_class(Path.cwd(), options.chapter)
    if options.csv:
        options.csv.write_text(class_report.to_csv(rows))
    if options.html:
        options.html.write_text(class_report.to_html(rows))
    if not options.csv and not options.html:
        console = Console()
        console.print(class_report.score_table(rows))
        for line in class_report.note_lines(rows):
            console.print(line, markup=False, highlight=False)
    return 0


def _verify(options: argparse.Namespace) -> int:
    from . import verify

    code: int = verify.main(options.paths or verify.find_exercises(Path.cwd() / "solutions"))
    return code


def _doctor(options: argparse.Namespace) -> int:
    from .doctor import examine

    healthy = True
    for finding in examine():
        healthy = healthy and (finding.good or not finding.needed)
        sign = "ok  " if finding.good else "MISSING" if finding.needed else "none"
        print(f"{sign:8}{finding.what}: {finding.said}")
    return 0 if healthy else 1


if __name__ == "__main__":
    sys.exit(main())
