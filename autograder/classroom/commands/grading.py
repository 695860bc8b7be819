"""Commands that grade a class: `collect`, `grade`, `texts`, `feedback` and `report`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...cuda.errors import UsageError

if TYPE_CHECKING:
    from ..execution.cluster import OpenCluster

_CLUSTERS = "slurm, or a scheduler's address such as tcp://host:8786"


def add_commands(commands: Any) -> None:
    """Add them to argparse's `commands`."""
    collect = commands.add_parser("collect", help="sort downloads from an LMS into submitted/<student>/<chapter>/")
    collect.add_argument("chapter")
    collect.add_argument("downloads", nargs="+", type=Path, help="folders, zip archives or notebooks")
    collect.set_defaults(command=_collect)

    grade = commands.add_parser("grade", help="grade a chapter of a class; can be stopped and run again")
    grade.add_argument("chapter")
    grade.add_argument("--student", action="append", default=[], metavar="NAME", help="only this student")
    grade.add_argument("--jobs", type=int, metavar="N", help="notebooks at a time (default: one per core, 8 per GPU)")
    grade.add_argument("--force", action="store_true", help="run again, and record again, what has been graded already")
    grade.add_argument(
        "--cluster", default="", metavar="WHERE", help=f"a Dask cluster: {_CLUSTERS} (default: this machine)"
    )
    grade.add_argument("--profile", default="", metavar="NAME", help="profile in cluster.toml (default: the only one)")
    add_db(grade)
    grade.set_defaults(command=_grade)

    texts = commands.add_parser("texts", help="give points to answers in words, in a table of the distinct answers")
    texts.add_argument("chapter")
    way = texts.add_mutually_exclusive_group(required=True)
    way.add_argument("--csv", type=Path, metavar="FILE", help="write the table of answers without points")
    way.add_argument("--from", type=Path, metavar="FILE", dest="filled", help="read the points from a filled-in table")
    add_db(texts)
    texts.set_defaults(command=_texts)

    feedback = commands.add_parser("feedback", help="write one page per student: feedback/<student>/<chapter>.html")
    feedback.add_argument("chapter")
    feedback.add_argument("--student", action="append", default=[], metavar="NAME", help="only this student")
    feedback.add_argument(
        "--zip", type=Path, metavar="FILE", help="pack the pages in the form that Moodle and Canvas import"
    )
    feedback.add_argument("--book", default="", metavar="URL", help="where the book is, for links to its chapters")
    add_db(feedback)
    feedback.set_defaults(command=_feedback)

    report = commands.add_parser("report", help="scores, findings and notes of a graded chapter")
    report.add_argument("chapter")
    report.add_argument("--csv", type=Path, metavar="FILE", help="write it as CSV instead")
    report.add_argument("--html", type=Path, metavar="FILE", help="write it as a web page instead")
    report.add_argument(
        "--lecture",
        type=Path,
        metavar="FILE",
        help="write a page for the next lecture: common mistakes, no names",
    )
    report.add_argument("--book", default="", metavar="URL", help="with --lecture: where the book is, for its links")
    report.add_argument(
        "--progress",
        type=Path,
        metavar="FOLDER",
        help="with --lecture: files that students saved on the book's page “Your progress”",
    )
    add_db(report)
    report.set_defaults(command=_report)


def add_db(command: argparse.ArgumentParser) -> None:
    """Add the option that names the gradebook to `command`."""
    command.add_argument("--db", default="", metavar="URL", help="the gradebook (default: as nbgrader is configured)")


def _collect(options: argparse.Namespace) -> int:
    from ..classroom import open_classroom
    from ..collecting.collect import collect, lines_of

    done = collect(open_classroom(Path.cwd()), options.chapter, options.downloads)
    for line in lines_of(done):
        print(line)
    return 1 if done.left else 0


def _grade(options: argparse.Namespace) -> int:
    from rich.console import Console

    from ..classroom import open_classroom
    from ..grade import grade
    from . import progress

    console = Console()
    room = open_classroom(Path.cwd(), options.db)
    cluster = _cluster(options)
    display = progress.Display(console, options.chapter)
    try:
        with display.shown() as watch:
            summary = grade(room, options.chapter, options.student, force=options.force, watch=watch, cluster=cluster)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(display.farewell) from None
    for line in progress.summary_lines(summary):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 1 if progress.needs_a_person(summary) else 0


def _cluster(options: argparse.Namespace) -> OpenCluster:
    from ..execution.cluster import scheduler_at, this_machine
    from ..execution.slurm import PROFILES, read_profile, slurm

    if options.cluster and options.jobs is not None:
        raise UsageError("--jobs is for this machine: with --cluster, the workers determine how much runs at a time.")
    if options.profile and options.cluster != "slurm":
        raise UsageError("--profile goes with --cluster slurm.")
    if options.cluster == "slurm":
        return slurm(read_profile(Path.cwd() / PROFILES, options.profile), Path.cwd())
    if options.cluster and "://" not in options.cluster:
        raise UsageError(f"--cluster is {_CLUSTERS}, not {options.cluster}.")
    if options.cluster:
        return scheduler_at(options.cluster)
    if options.jobs is not None and options.jobs < 1:
        raise UsageError("--jobs must be at least 1.")
    return this_machine(options.jobs)


def _texts(options: argparse.Namespace) -> int:
    from ...cuda.report.vocabulary import count, printable
    from ..classroom import open_classroom
    from ..results import text_table

    room = open_classroom(Path.cwd(), options.db)
    if options.filled:
        done = text_table.give_points(room, options.chapter, options.filled)
        for line in text_table.lines_of(done):
            print(printable(line))
        return 1 if done.left else 0
    answers, texts = text_table.write_texts(room, options.chapter, options.csv)
    if texts:
        print(f"{options.csv} holds {count(texts, 'distinct text')} from {count(answers, 'answer')}.")
        print(f"Fill in points and comments, then: autograder texts {options.chapter} --from {options.csv}")
    else:
        print(f"No answer in words of {options.chapter} waits for points.")
    return 0


def _feedback(options: argparse.Namespace) -> int:
    from ...cuda.report.vocabulary import count
    from ..classroom import open_classroom
    from ..results.feedback import write_feedback

    _check_address(options.book)
    room = open_classroom(Path.cwd(), options.db)
    pages = write_feedback(room, options.chapter, options.student, options.book)
    print(f"{count(len(pages), 'page')}: feedback/<student>/{options.chapter}.html")
    if options.zip:
        from ..results.export import pack_feedback

        others = pack_feedback(room, options.chapter, options.zip)
        print(f"{options.zip} is for the LMS." + (f" Not in it: {', '.join(others)}." if others else ""))
    return 0


def _check_address(book: str) -> None:
    if book and not book.startswith(("https://", "http://")):
        raise UsageError("--book is the address of a web page, such as https://example.org/course.")


def _report(options: argparse.Namespace) -> int:
    from rich.console import Console

    from ...cuda.report.vocabulary import printable
    from ...exercises.files import write_text
    from ..classroom import open_classroom
    from ..results import class_report, class_terminal, feedback, lecture, page_progress, pages

    _check_address(options.book)
    for option, given in (("--book", options.book), ("--progress", options.progress)):
        if given and not options.lecture:
            raise UsageError(f"{option} goes with --lecture.")
    room = open_classroom(Path.cwd(), options.db)
    report = class_report.read_report(room, options.chapter)
    if options.csv:
        write_text(options.csv, class_report.to_csv((*report.rows, *report.left)))
        print(f"The scores are in {options.csv}.")
    if options.html:
        pages.write_class_page(options.html, options.chapter, report)
        print(f"The report is in {options.html}.")
    if options.lecture:
        progress = page_progress.read_progress(options.progress, options.chapter) if options.progress else None
        for line in progress.unread if progress else ():
            print(printable(f"Left out: {line}"))
        lecture.write_lecture(
            options.lecture,
            options.chapter,
            lecture.make_lecture(report.rows, room.root, progress),
            lambda text: feedback.address_of(options.book, text),
        )
        print(f"The page for the lecture is in {options.lecture}. Look through its examples before you show them.")
    if not (options.csv or options.html or options.lecture):
        console = Console()
        for line in class_terminal.first_lines(report):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
        console.print(class_terminal.score_table(report.exercises, report.lines, console.width))
        for line in class_terminal.report_lines(report):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0
