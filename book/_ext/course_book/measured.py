"""Tables of measurements on a GPU, from the CSV files of book/data.

A row of such a file is one kernel of book/kernels at one size, whole or with one barrier removed;
the script that the file's header names wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from autograder.cuda.performance import measurements
from autograder.exercises.authoring.repository import file_address, owner_problem

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "book" / "data"
Row = measurements.Row


def load(file: str) -> list[Row]:
    """Return all rows of book/data/<file>, each with the fields of the file's header."""
    return measurements.read(DATA / file)


def read(file: str, kernel: str, sizes: Sequence[int] = (), block: int = 0) -> list[Row]:
    """Return the rows of book/data/<file> about one kernel; none if the file is missing.

    Args:
        sizes: only rows with one of these `n`; all if empty.
        block: only rows with this block size; 0 if the file has only one.

    Raises:
        ValueError: the file has no such row, or rows of several block sizes.
    """
    if not (DATA / file).exists():
        return []
    rows = [
        row
        for row in load(file)
        if row["kernel"] == kernel
        and (not sizes or int(row["n"]) in sizes)
        and (not block or int(row["block"]) == block)
    ]
    if len({row["block"] for row in rows}) != 1:
        raise ValueError(f"book/data/{file} must have rows about {kernel!r}, all of one block size")
    return rows


def passes(rows: Sequence[Row], n_means: str) -> str:
    """Return how often the results were right, by removed barrier and by size."""
    body = ""
    for removed in _removed(rows)[1:]:
        cells = ""
        for n in _sizes(rows):
            row = _row(rows, removed, n)
            share = 100 * int(row["passes"]) / int(row["runs"])
            cells += f'<td class="share" style="--share:{share:.0f}%">{row["passes"]} of {row["runs"]}</td>'
        body += f"<tr><th>without barrier {removed}</th>{cells}</tr>"
    heads = [n_means, *(spaced(n) for n in _sizes(rows))]
    return table(heads, body, f"Launches with the right result. {source(rows[0], block=True)}")


def cost(rows: Sequence[Row], n_means: str, each: str = "") -> str:
    """Return the time of a launch, whole and with each barrier removed, by size.

    `each` ("round") adds a column: the time at the largest size, divided by that size.
    """
    largest = _sizes(rows)[-1]
    body = ""
    for removed in _removed(rows):
        cells = ""
        for n in _sizes(rows):
            row = _row(rows, removed, n)
            here, whole = (float(measured["median_us"]) for measured in (row, _row(rows, 0, n)))
            less = f" ({100 * (here - whole) / whole:+.0f} %)" if removed else ""
            ends = " to ".join(_microseconds(float(row[end])) for end in ("min_us", "max_us"))
            cells += f"<td>{_microseconds(here)}{less.replace('-', MINUS)}<br><small>{ends}</small></td>"
        if each:
            cells += f"<td>{1000 * float(_row(rows, removed, largest)['median_us']) / largest:.1f} ns</td>"
        name = f"without barrier {removed}" if removed else "as it is"
        body += f"<tr><th>{name}</th>{cells}</tr>"
    heads = [n_means, *(spaced(n) for n in _sizes(rows))]
    if each:
        heads.append(f"per {each} ({spaced(largest)} {each}s)")
    what = "the median, beside it the change from the kernel as it is, below it the shortest and the longest"
    return table(heads, body, f"Time of a launch: {what}. {source(rows[0], block=True)}")


MINUS = "\N{MINUS SIGN}"


def _sizes(rows: Sequence[Row]) -> list[int]:
    return sorted({int(row["n"]) for row in rows})


def _removed(rows: Sequence[Row]) -> list[int]:
    return sorted({int(row["barrier_removed"]) for row in rows})


def _row(rows: Sequence[Row], removed: int, n: int) -> Row:
    (row,) = (row for row in rows if (int(row["barrier_removed"]), int(row["n"])) == (removed, n))
    return row


def spaced(n: int) -> str:
    """Return an integer; from five digits on in groups of three."""
    return f"{n:,}".replace(",", "\N{NARROW NO-BREAK SPACE}") if n >= 10_000 else str(n)


_UNIT = re.compile(r"(?<=\d) (?=%|(?:[KMGT]i?B|[KMGT]?B/s|[kMG]Hz|[GT]FLOP/s|ns|µs|ms|s)\b)")
_TIMES = re.compile(r"(?<=\d) x (?=\d)")
_CHAPTER = re.compile(r"(?<=[Cc]hapter) (?=\d)")


def joined(text: str) -> str:
    """Numbers that no line parts from their unit or from "chapter", nor 16 x 16."""
    for before in (_UNIT, _CHAPTER):
        text = before.sub("\N{NO-BREAK SPACE}", text)
    return _TIMES.sub("\N{NO-BREAK SPACE}x\N{NO-BREAK SPACE}", text)


def unbroken(text: str) -> str:
    """Return the same with dates."""
    text = re.sub(r"\b(\d{4})-(\d\d)-(\d\d)\b", "\\1\N{NON-BREAKING HYPHEN}\\2\N{NON-BREAKING HYPHEN}\\3", text)
    return joined(text)


def _microseconds(value: float) -> str:
    """Three digits or more, so that percentages beside it are those of what a reader sees."""
    if value >= 1000:
        return f"{value / 1000:.2f} ms"
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f} µs"


#: What a file's header says of where its rows were measured, in words.
_SENTENCES = {
    "device": "{}",
    "cuda": "CUDA {}",
    "nvrtc": "NVRTC {}",
    "compiler": "{}",
    "driver": "driver {}",
    "sanitizer": "compute-sanitizer {}",
    "ncu": "Nsight Compute {}",
    "torch": "PyTorch {}",
}


def where(row: Row) -> str:
    """On what a row was measured, and with what, as HTML: "NVIDIA H200, CUDA 13.2, driver 580.159.04"."""
    return escape(", ".join(words.format(row[field]) for field, words in _SENTENCES.items() if field in row))


def source(row: Row, *, block: bool = False) -> str:
    """Where, when and by which script a row was measured, as HTML; with the block size if asked. What was counted, and
    not measured on a GPU, is the same anywhere."""
    if "device" not in row:
        return f"{escape(row['date'])}; counted by {script(row['script'])}."
    launch = f", block {row['block']}" if block else ""
    return f"{where(row)}{launch}, {escape(row['date'])}; measured by {script(row['script'])}."


def script(path: str) -> str:
    """Return a file of the repository, as HTML: with a link, if `_config.yml` says where the repository is."""
    code = f"<code>{escape(path)}</code>"
    if owner_problem(ROOT):
        return code
    return f'<a class="reference external" href="{escape(file_address(ROOT, path))}">{code}</a>'


#: What a cell holds that was not measured.
UNKNOWN = "\N{EN DASH}"

_CELL = re.compile(r"<(t[hd])([^>]*)>(.*?)</\1>", re.DOTALL)
_NUMBER = re.compile(rf"[{MINUS}+=]? ?\d|=$")


def line(name: str, cells: Iterable[object]) -> str:
    """Return a row of a table's body, as HTML."""
    return f"<tr><th>{escape(name)}</th>{''.join(f'<td>{escape(str(cell))}</td>' for cell in cells)}</tr>"


def table(heads: Sequence[str], body: str, caption: str) -> str:
    """Return a table as HTML, around which `numbered_table` puts its number. Columns of words are aligned to the
    left."""
    rows = [[_plain(cell[3]) for cell in _CELL.finditer(row)] for row in body.split("</tr>")]
    columns = zip(*(row for row in rows if len(row) == len(heads)), strict=True)
    of_words = [_is_of_words(column) for column in columns] or [False] * len(heads)
    body = "</tr>".join(_dressed(row, of_words) for row in body.split("</tr>"))
    head = _dressed("".join(f"<th>{escape(heading)}</th>" for heading in heads), of_words)
    return (
        f'<div class="measured"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        f"<p>{unbroken(caption)}</p></div>"
    )


def _plain(html: str) -> str:
    return re.sub("<[^>]*>", "", html).strip()


def _is_of_words(column: Sequence[str]) -> bool:
    """Return whether most cells do not begin with a number, of those that hold something."""
    cells = [cell for cell in column if cell not in ("", UNKNOWN)]
    return sum(not _NUMBER.match(cell) for cell in cells) * 2 > len(cells)


def _dressed(row: str, of_words: Sequence[bool]) -> str:
    """Return the cells of a row with the classes `text`, in a column of words, and `words`, for several that may
    wrap."""
    cells = list(_CELL.finditer(row))
    for i, cell in reversed(list(enumerate(cells))):
        in_text = i > 0 and len(cells) == len(of_words) and of_words[i]  # the first is on the left anyway
        several = (in_text or cell[1] == "th") and _plain(cell[3]).count(" ") > 2
        words = ["text"] * in_text + ["words"] * several
        if words and "class=" not in cell[2]:
            row = f'{row[: cell.end(1)]} class="{" ".join(words)}"{row[cell.end(1) :]}'
    return row
