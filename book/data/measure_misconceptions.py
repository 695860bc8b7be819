"""What does the report say to the wrong answers that the page on lessons names?

Run it anywhere: `python book/data/measure_misconceptions.py`. It takes a minute or two and writes
misconceptions_emulator.csv beside itself, a row for each line of a `misconceptions` directive: the answer, what the
student believes, the check that rejects the answer, and the first paragraph of that check's report, without the lines
of the answer that it introduces, since they may be lines of a solution.
"""

import re
from pathlib import Path

import nbformat
from places import DATA, SOLUTIONS  # which makes the next ones importable

# isort: split
from course_slides.misconceptions import JUDGED, Misconception, all_misconceptions

from autograder.cuda.performance import measurements
from autograder.exercises.authoring.verify import read_mutant
from autograder.exercises.notebook.run_notebook import run


def judged(chapter: str, misconception: Misconception) -> dict[str, str]:
    """The row of a misconception in the chapter's folder.

    Raises:
        FileNotFoundError: there is no such answer.
    """
    exercise, _, name = misconception.answer.partition("/")
    folder = SOLUTIONS / chapter
    (path,) = (folder / "mutants" / exercise).glob(f"{name}.*") or [Path(name)]
    mutant = read_mutant(path)
    results = run(nbformat.read(folder / f"{exercise}.ipynb", as_version=4), {mutant.magic: mutant.text})
    (report,) = (one.report for one in results if (one.check, one.answer) == (mutant.check, path.parent.name))
    title, _, rest = report.partition("\n")
    _, _, text = rest.partition("\n\n")
    return {
        "chapter": chapter,
        "answer": misconception.answer,
        "belief": misconception.belief,
        "check": title.removesuffix(": FAILED").partition(" ")[2],
        "says": _without_its_lines(" ".join(text.partition("\n\n")[0].split())),
    }


def _without_its_lines(says: str) -> str:
    """A paragraph that may introduce lines of the answer, without the clause that does."""
    if not says.endswith(":"):
        return says
    *before, _ = re.split(r"(?<=[.;]) ", says)
    return f"{' '.join(before).removesuffix(';') or says.removesuffix(':')}.".replace("..", ".")


def main() -> None:
    rows = [judged(chapter, one) for chapter, one in all_misconceptions()]
    origin = measurements.origin("book/data/measure_misconceptions.py", device=measurements.cpu())
    measurements.write(DATA / JUDGED, rows, origin)
    print(f"wrote {len(rows)} rows")


if __name__ == "__main__":
    main()
