"""Commands of a term besides collecting and grading: the list of students, what they get, due dates, exams, and scores
for the LMS."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ...cuda.errors import UsageError
from .grading import add_db


def add_commands(commands: Any) -> None:
    """Add `students`, `publish`, `due`, `exam` and `export` to argparse's `commands`."""
    students = commands.add_parser("students", help="add students to the gradebook, from a table that the LMS exports")
    students.add_argument("tables", nargs="+", type=Path, help="CSV files as Moodle, Canvas or Blackboard export them")
    students.set_defaults(command=_students)

    publish = commands.add_parser("publish", help="make the folder that students get, or what a place grades with")
    publish.add_argument("folder", type=Path, help="a new folder, an empty clone, or one made this way before")
    publish.add_argument(
        "--to", default="", metavar="PLACE", help="make what this place takes, such as gradescope, github or otter"
    )
    publish.add_argument(
        "--chapter", action="append", default=[], metavar="NAME", help="with --to: only this one (default: all)"
    )
    publish.set_defaults(command=_publish)

    due = commands.add_parser("due", help="set when a chapter is due, for everybody or for one student")
    due.add_argument("chapter")
    due.add_argument(
        "date",
        help="such as '2026-03-01 23:59', or 2026-03-01 for its end, in this machine's time zone; or followed by UTC",
    )
    due.add_argument("--student", action="append", default=[], metavar="NAME", help="only this student")
    due.set_defaults(command=_due)

    exam = commands.add_parser("exam", help="print questions for an exam about chapters, as Markdown")
    exam.add_argument("chapters", nargs="+", metavar="chapter")
    exam.add_argument("--answers", action="store_true", help="also print the answers, and how to give points for them")
    exam.set_defaults(command=_exam)

    export = commands.add_parser("export", help="write scores as the table that an LMS imports")
    export.add_argument("file", type=Path, help="the table to write, such as grades.csv")
    export.add_argument("--to", required=True, type=_lms, metavar="LMS", help="the LMS, such as moodle")
    export.add_argument("--chapter", action="append", default=[], metavar="NAME", help="only this one (default: all)")
    export.add_argument(
        "--like", type=Path, metavar="FILE", help="grades exported from the LMS, for the names of its columns"
    )
    for command in (students, due, export):
        add_db(command)
    export.set_defaults(command=_export)


def _students(options: argparse.Namespace) -> int:
    from ..classroom import open_classroom
    from ..students import lines_of, take_students

    room = open_classroom(Path.cwd(), options.db)
    all_taken = True
    for path in options.tables:
        done = take_students(room, path)
        for line in lines_of(done, path):
            print(line)
        all_taken = all_taken and not done.left
    return 0 if all_taken else 1


def _publish(options: argparse.Namespace) -> int:
    from ...exercises.authoring.preprocessors import SEED_FILE, course_seed
    from ...exercises.authoring.publish import publish

    if options.to:
        return _publish_to(options)
    if options.chapter:
        raise UsageError("--chapter goes with --to.")
    total = publish(Path.cwd(), options.folder)
    print(f"{total} files are in {options.folder}, and none holds a line of a solution or of a hidden test. Push them.")
    if course_seed(Path.cwd()) is None:
        print(
            f"The hidden sizes are those of the public course: to draw your own, write a long number into {SEED_FILE}, "
            "which stays here, and release each chapter again."
        )
    return 0


def _publish_to(options: argparse.Namespace) -> int:
    from ..publishing import publish_to
    from .checking import place_named

    place = place_named(options.to)
    total = publish_to(Path.cwd(), place, options.folder, options.chapter)
    print(f"{total} files for {place.name} are in {options.folder}, and none holds a line of a solution.")
    print(place.next_step)
    return 0


def _due(options: argparse.Namespace) -> int:
    from ..classroom import open_classroom
    from ..results.lateness import set_due

    when = set_due(open_classroom(Path.cwd(), options.db), options.chapter, options.date, options.student)
    who = f" for {', '.join(options.student)}" if options.student else ""
    print(f"{options.chapter} is due on {when:%Y-%m-%d %H:%M} UTC{who}. What was graded before: grade again.")
    return 0


def _exam(options: argparse.Namespace) -> int:
    from ...exercises.authoring.exam import paper

    print(paper(Path.cwd(), options.chapters, answers=options.answers), end="")
    return 0


def _lms(name: str) -> Any:
    from ..lms import systems, tables

    if name not in tables():
        raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(tables())}")
    return systems()[name]


def _export(options: argparse.Namespace) -> int:
    from ...cuda.report.vocabulary import count, printable
    from ...exercises.files import write_text
    from ..classroom import open_classroom
    from ..results import export

    room = open_classroom(Path.cwd(), options.db)
    exported = export.grades_table(room, options.to.table, export.read_scores(room, options.chapter, options.like))
    write_text(options.file, exported.text)
    chapters, system = exported.chapters, options.to.name
    columns = (f"{c.column} ({count(len(c.scores), 'score')}, of {c.max_score:g} points)" for c in chapters)
    print(f"{options.file} is for {system}: {', '.join(columns)}.")
    print(
        f"Set each column's maximum in {system} to its points before you import. Who handed in nothing gets no score, "
        "not 0."
    )
    unnamed = export.without_a_column([chapter.name for chapter in chapters], options.like) if options.like else ()
    odd = (*export.not_exported(exported, options.to), *export.with_stale_penalties(room, chapters), *unnamed)
    for line in (*odd, *export.without_an_answer(room, chapters), *export.waiting(room)):
        print(printable(line))
    return 0
