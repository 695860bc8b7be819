"""What became of whole programs: of public repositories, and of our own tests. The directive `programs`.

The files lie beside the scripts that write them, in tests/corpora and tests/host.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from autograder.performance.measurements import read

from .measured import Row, line, source, table
from .numbered_tables import numbered_table
from .trust_tables import MISSING

TESTS = Path(__file__).resolve().parents[3] / "tests"
PROGRAMS, ON_A_GPU = TESTS / "corpora/programs.csv", TESTS / "corpora/programs_on_a_gpu.csv"
OWN = TESTS / "host/on_a_gpu_nvidia_h200.csv"
_VERDICTS = {
    "ends": "end",
    "takes too long": "take too long",
    "ends badly": "end with an error",
    "does not compile": "do not compile",
    "is stopped": "are stopped at a kernel",
    "emulator fails": "the emulator fails",
    "not tried": "not tried yet",
}


def _reports(row: Row, *columns: str) -> bool:
    """Whether a tool says that something is wrong; it may give no answer, too."""
    return any(row[column].isdigit() and row[column] != "0" for column in columns)


def rates() -> str:
    """For each repository, how many programs end, and what becomes of the others."""
    rows = [row for row in read(PROGRAMS) if row["verdict"]]
    told = [verdict for verdict in _VERDICTS if any(row["verdict"] == verdict for row in rows)]
    body = ""
    for corpus in [*dict.fromkeys(row["corpus"] for row in rows), ""]:
        counts = Counter(row["verdict"] for row in rows if corpus in (row["corpus"], ""))
        tried = counts.total() - counts["not tried"]
        share = f"{100 * counts['ends'] / tried:.0f} %" if tried else ""
        mine = [row for row in rows if corpus in (row["corpus"], "")]
        checked = sum(row["verdict"] == "ends" and row["checked"] == "all" for row in mine)
        body += line(corpus or "all", [counts.total(), *(counts[verdict] for verdict in told), share, checked])
    columns = ["end, of those tried", "end with every launch checked"]
    return table(["repository", "programs", *map(_VERDICTS.__getitem__, told), *columns], body, source(rows[0]))


def needs() -> str:
    """What the programs ask for that were not tried."""
    rows = read(PROGRAMS)
    counts = Counter(row["needs"] for row in rows if not row["verdict"])
    body = "".join(line(need, [times]) for need, times in counts.most_common())
    return table(["what they need", "programs"], body, source(rows[0]))


def printed() -> str:
    """How what the emulator's run prints compares with the GPU's."""
    rows = read(ON_A_GPU)
    counts = Counter(row["prints"] for row in rows)
    body = "".join(line(verdict, [times]) for verdict, times in counts.most_common())
    return table(["on the GPU it prints", "programs"], body + line("all", [len(rows)]), source(rows[0]))


def found() -> str:
    """Of how many programs that end the emulator and compute-sanitizer report something, if any launch was checked."""
    ends = [row for row in read(PROGRAMS) if row["verdict"] == "ends" and row["checked"] != "none"]
    checked = {(row["corpus"], row["program"]) for row in ends}
    answered = [row for row in read(ON_A_GPU) if row["memcheck"].isdigit()]
    rows = [row for row in answered if (row["corpus"], row["program"]) in checked]
    body = ""
    for name, ours in (("the emulator reports something", True), ("the emulator reports nothing", False)):
        some = [row for row in rows if bool(row["emulator_finds"]) == ours]
        theirs = sum(_reports(row, "memcheck", "racecheck") for row in some)
        body += line(name, [theirs, len(some) - theirs])
    return table(["", "memcheck or racecheck reports something", "they report nothing"], body, source(rows[0]))


def own() -> str:
    """Of the tests' own programs: what is found in them, and what memcheck reports."""
    rows = read(OWN)
    body = ""
    for folder, name, ours in (
        ("right", "right ones", 0),
        ("wrong", "wrong ones, with a mistake that the emulator finds", None),
        ("missed", "wrong ones, with a mistake that it does not find", 0),
    ):
        mine = [row for row in rows if row["folder"] == folder]
        theirs = sum(_reports(row, "memcheck_errors", "memcheck_leaked_bytes") for row in mine)
        ended = sum(row["exit_code"] == "0" for row in mine)
        body += line(name, [len(mine), len(mine) if ours is None else ours, theirs, ended])
    heads = ["programs", "in all", "reported by the emulator", "by memcheck", "end with exit code 0 on the GPU"]
    return table(heads, body, source(rows[0]))


TABLES: dict[str, tuple[Path, Callable[[], str]]] = {
    "rates": (PROGRAMS, rates),
    "needs": (PROGRAMS, needs),
    "printed": (ON_A_GPU, printed),
    "found": (ON_A_GPU, found),
    "own": (OWN, own),
}


class Programs(SphinxDirective):
    """One of TABLES; the content is its caption. If its file is missing, a sentence says so."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        if self.arguments[0] not in TABLES:
            raise self.error(f"programs has no table {self.arguments[0]!r}: it has {', '.join(TABLES)}")
        file, draw = TABLES[self.arguments[0]]
        self.env.note_dependency(str(file))
        if not file.exists():
            text = MISSING.format(file.name)
            return [nodes.paragraph(text, text)]
        return numbered_table(self, draw())
