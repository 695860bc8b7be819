"""Judges answers natively, as a page would, one after another: judge_as_a_page NOTEBOOK CASES ANSWER ... prints what
the page would get."""

import json
import sys
from pathlib import Path

from course_page.in_page.judging import Judge, kind_of


def main(notebook: str, cases: str, *answers: str) -> None:
    text = Path(notebook).read_text()
    (cell,) = (cell for cell in json.loads(text)["cells"] if kind_of(cell) == "answer")
    magic = cell["source"][0]
    judge = Judge(text, Path(cases).read_text(), print)
    for answer in answers:
        judge.check({cell["id"]: magic + Path(answer).read_text().partition("\n")[2]}, magic.split()[1])


if __name__ == "__main__":
    main(*sys.argv[1:])
