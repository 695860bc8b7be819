"""What an instructor sees in a term: the commands of the page "Teaching with it", run one after the other.

Run it anywhere: `python book/data/teach_a_term.py`. It needs no GPU, and writes one file for each step into `term/`
beside itself: the commands, and what they printed. It makes a course with one chapter in a temporary folder, and eight
students hand in. One test is broken on purpose, and fixed in a later step. All this takes more than half a minute, too
long for each build of the book, so the files are kept, and tests/classroom/test_a_term.py compares them with a new run.

All output is kept, except for lines that match `LEFT_OUT`, since the machine decides whether and where they appear.
Matches of `REPLACED` are replaced, and the path of the temporary folder is removed. A line too long for the book's
page is continued on the next line, indented.
"""

import argparse
import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import traceback
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from nbgrader.apps import nbgraderapp
from places import DATA, ROOT

from autograder import cli
from autograder.classroom import grade, students  # noqa: F401
from autograder.classroom.collecting import collect  # noqa: F401
from autograder.classroom.commands import sample_class
from autograder.classroom.results import class_report, feedback, text_table  # noqa: F401

TERM = DATA / "term"
#: The programs that run in a fork of this process.
PROGRAMS: dict[str, Callable[[], int | None]] = {"autograder": cli.main, "nbgrader": nbgraderapp.main}

CHAPTER = "banks"
#: A test of bank_free_columns, and a typo that breaks it.
RIGHT, BROKEN = ".matches_numpy()", ".matches_nunpy()"
FIX = "sed -i s/nunpy/numpy/ solutions/banks/bank_free_columns.ipynb"
#: Characters in a line of the page, on a screen of 1200 pixels.
WIDTH = 72

#: Whole lines, by what they match.
LEFT_OUT = (
    r"INFO +\[alembic",  # how the gradebook's tables were made
    r".* \| INFO\] (Context impl|Will assume|Running upgrade|Running stamp_revision)",
    rf"{CHAPTER}: \d+ of \d+ done",  # appears every ten seconds, so it depends on the machine
    r"On this machine, notebooks run in a weaker sandbox",
    r"\[ZipCollectApp \| INFO\] +Extracting",  # in the order in which the file system names the archives
)
REPLACED = (
    (r"\b\d+ bytes\b", "... bytes"),  # with each change of a notebook
    ("\ufeff", ""),  # which nobody sees
)

#: For zip_collect, the folder into which it unpacked an archive identifies the student.
BY_FOLDER = r"""--FileNameCollectorPlugin.named_regexp=\
'.*/(?P<student_id>\w+)/(?P<file_id>\w+)'"""

#: As Moodle exports its participants.
STUDENTS = """\
First name,Last name,ID number,Email address,Groups
Ada,Lovelace,ada,ada@example.org,A
Blaise,Pascal,blaise,blaise@example.org,A
Carl Friedrich,Gauß,carl,carl@example.org,A
Dorothy,Vaughan,dorothy,dorothy@example.org,A
Emmy,Noether,emmy,emmy@example.org,B
Felix,Klein,felix,felix@example.org,C
Grace,Hopper,grace,grace@example.org,B
Hedy,Lamarr,hedy,hedy@example.org,C
"""

#: What students write where transpose_padded asks for words, and the points and comment that the first text gets.
SHORT, LONGER = "Because of the banks.", "The words of a column lie in different banks then."
POINTS = {SHORT: ("1", "And with two more columns?")}
#: In place of the rubric, which no page may show.
RUBRIC = "(The model answer.)\n\n- 1 point: (what earns it)\n- 1 point: (what earns it)"

#: The steps in order: name of the file, and its commands as a reader types them.
STEPS = (
    ("students", ["cat participants.csv", "autograder students participants.csv"]),
    ("release", [f"nbgrader generate_assignment {CHAPTER} --force"]),
    ("due", [f"autograder due {CHAPTER} '2026-03-08 23:59 UTC'"]),
    ("downloads", ["ls downloads/*", "python -m zipfile -l downloads/*.zip | sed '1d; s/ipynb .*/ipynb/'"]),
    ("collect", [f"autograder collect {CHAPTER} downloads", "ls submitted/*/*/*"]),
    ("zip_collect", ["ls downloaded/*/*", f"nbgrader zip_collect {CHAPTER} {BY_FOLDER}", "ls submitted/*/*/*"]),
    ("grade", [f"autograder grade {CHAPTER}"]),
    ("report", [f"autograder report {CHAPTER}"]),
    ("fixed", [FIX, f"nbgrader generate_assignment {CHAPTER} --force", f"autograder grade {CHAPTER}"]),
    ("texts", [f"autograder texts {CHAPTER} --csv texts.csv", "cat texts.csv"]),
    ("given", [f"autograder texts {CHAPTER} --from texts.csv"]),
    ("again", [f"autograder grade {CHAPTER}", f"autograder grade {CHAPTER} --student blaise --force"]),
    ("result", [f"autograder report {CHAPTER}"]),
    (
        "feedback",
        [
            f"autograder feedback {CHAPTER} --book https://example.org/course --zip back.zip",
            "python -m zipfile -l back.zip | sed '1d; s/html .*/html/'",
        ],
    ),
    ("export", ["autograder export --to moodle grades.csv", "cat grades.csv"]),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=TERM, help="where the files go (default: %(default)s)")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in teach():
        (folder / f"{name}.txt").write_text(text)


def teach() -> Iterator[tuple[str, str]]:
    """Each step's name, and what a reader sees who types its commands."""
    with tempfile.TemporaryDirectory(prefix="term-") as made:
        home = Path(made).resolve()
        course = home / "course"
        make_course(course)
        environment = environment_in(home)
        for name, commands in STEPS:
            if name == "downloads":
                hand_in(course)
            if name == "given":
                fill_in(course / "texts.csv")
            shown = [f"$ {command}\n{run(command, course, environment)}" for command in commands]
            yield name, "\n".join(shown)


def run(command: str, course: Path, environment: dict[str, str]) -> str:
    """What `command` prints, with errors in place."""
    program, *arguments = shlex.split(command.replace("\\\n", ""))
    with tempfile.TemporaryFile("w+") as printed:
        if program in PROGRAMS:
            code = _run_forked(program, arguments, course, environment, printed)
        else:
            code = subprocess.run(
                command, shell=True, cwd=course, env=environment, stdout=printed, stderr=subprocess.STDOUT
            ).returncode
        printed.seek(0)
        text = printed.read().replace(f"{course}/", "").replace(str(course), "course")
    if code > 1:  # 1 means that something needs a person's attention
        raise SystemExit(f"{command} ended with {code}:\n{text}")
    for pattern, by in REPLACED:
        text = re.sub(pattern, by, text)
    lines = (line.rstrip() for line in text.splitlines())
    return "".join(f"{folded(line)}\n" for line in lines if not any(re.match(pattern, line) for pattern in LEFT_OUT))


def folded(line: str) -> str:
    """The line, wrapped to the page's width. Single words are not split."""
    if len(line) <= WIDTH:
        return line
    return textwrap.fill(line, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _run_forked(program: str, arguments: list[str], course: Path, environment: dict[str, str], printed: IO[str]) -> int:
    """Run one of `PROGRAMS` in a fork, which saves two seconds of imports; return its exit code."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 2
    try:
        os.chdir(course)
        os.environ.clear()
        os.environ.update(environment)
        os.dup2(printed.fileno(), 1)
        os.dup2(printed.fileno(), 2)
        sys.stdout, sys.stderr = (open(number, "w", buffering=1) for number in (1, 2))  # noqa: SIM115
        sys.argv = [program, *arguments]
        code = PROGRAMS[program]() or 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 2 if end.code else 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def environment_in(home: Path) -> dict[str, str]:
    """An environment with this Python's programs, none of the user's Jupyter settings, a page's width, and no GPU."""
    return os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "JUPYTER_CONFIG_DIR": str(home / "jupyter"),
        "JUPYTER_DATA_DIR": str(home / "jupyter"),
        "IPYTHONDIR": str(home / "ipython"),
        "COLUMNS": str(WIDTH),
        "CUDA_VISIBLE_DEVICES": "",
        "LC_ALL": "C.UTF-8",
    }


def make_course(course: Path) -> None:
    course.mkdir()
    for file in ("nbgrader_config.py", "_config.yml"):
        shutil.copy(ROOT / file, course)
    config = course / "_config.yml"
    config.write_text(config.read_text().replace("OWNER_NOT_SET", "example"))
    for folder in ("solutions", "exercises"):
        shutil.copytree(ROOT / folder / CHAPTER, course / folder / CHAPTER)
    (course / "participants.csv").write_text(STUDENTS)
    path = course / "solutions" / CHAPTER / "bank_free_columns.ipynb"
    text = path.read_text()
    assert RIGHT in text, f"{path.name} has changed: it no longer has {RIGHT}"
    path.write_text(text.replace(RIGHT, BROKEN, 1))
    path = path.with_name("transpose_padded.ipynb")
    notebook = json.loads(path.read_text())
    (asked,) = (cell for cell in notebook["cells"] if cell["id"] == "transpose_padded-explanation")
    asked["source"] = f"### BEGIN SOLUTION\n{RUBRIC}\n### END SOLUTION"
    path.write_text(json.dumps(notebook, indent=1))


#: The bytes of a file, or a notebook.
HandedIn = bytes | dict[str, Any]


def hand_in(course: Path) -> None:
    """Make the downloads: an archive from Moodle, a folder from Canvas, and a folder of students' archives."""
    transpose, columns = (
        sample_class.SampleExercise(course, CHAPTER, n) for n in ("transpose_padded", "bank_free_columns")
    )
    moodle: dict[str, HandedIn] = {
        "Ada Lovelace_2201_assignsubmission_file_/transpose_padded.ipynb": explained(transpose.solved(), LONGER),
        "Ada Lovelace_2201_assignsubmission_file_/bank_free_columns.ipynb": columns.solved(),
        "Blaise Pascal_2202_assignsubmission_file_/transpose_padded.ipynb": explained(
            transpose.mutated("square_tile.cu"), SHORT
        ),
        "Blaise Pascal_2202_assignsubmission_file_/bank_free_columns (1).ipynb": columns.mutated("no_barrier.cu"),
        "Carl Friedrich Gauß_2203_assignsubmission_file_/Copy of transpose_padded.ipynb":
            explained(sample_class.through_colab(transpose), SHORT),
        "Carl Friedrich Gauß_2203_assignsubmission_file_/Untitled3.ipynb": columns.mutated("no_barrier.cu"),
        "Dorothy Vaughan_2204_assignsubmission_file_/transpose_padded.ipynb": sample_class.cut_off(transpose),
        "Dorothy Vaughan_2204_assignsubmission_file_/bank_free_columns.ipynb": columns.mutated("from_left_to_right.cu"),
    }  # fmt: skip
    canvas: dict[str, HandedIn] = {
        "noetheremmy_LATE_105_88101_transpose_padded-1.ipynb": transpose.mutated("no_barrier.cu"),
        "noetheremmy_LATE_105_88102_bank_free_columns.ipynb": columns.released(),
        "hoppergrace_107_88104_my solution.pdf": b"%PDF-1.7",
        "doejohn_999_88105_transpose_padded.ipynb": transpose.solved(),
    }
    archives: dict[str, dict[str, HandedIn]] = {
        "felix.zip": {"transpose_padded.ipynb": sample_class.patching(transpose)},
        "hedy.zip": {"transpose_padded.ipynb": transpose.solved(), "bank_free_columns.ipynb": columns.solved()},
    }
    downloads = course / "downloads"
    (downloads / "canvas").mkdir(parents=True)
    _pack(downloads / "Banks-4711.zip", moodle)
    for name, content in canvas.items():
        (downloads / "canvas" / name).write_bytes(_bytes(content))
    folder = course / "downloaded" / CHAPTER / "archive"
    folder.mkdir(parents=True)
    for name, files in archives.items():
        _pack(folder / name, files)


def explained(notebook: dict[str, Any], text: str) -> dict[str, Any]:
    """The notebook with `text` where it asks for words."""
    for cell in notebook["cells"]:
        if "".join(cell["source"]) == "YOUR ANSWER HERE":
            cell["source"] = text
    return notebook


def fill_in(path: Path) -> None:
    """Fill in `POINTS`, as a person does in a spreadsheet."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["points"], row["comment"] = POINTS.get(row["text"], ("", ""))
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)


def _pack(path: Path, files: dict[str, HandedIn]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 3, 1, 12, 0, 0)), _bytes(content))


def _bytes(content: HandedIn) -> bytes:
    return content if isinstance(content, bytes) else json.dumps(content, indent=1).encode()


if __name__ == "__main__":
    main()
