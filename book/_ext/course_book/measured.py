"""Tables of what was measured on a GPU, from the CSV files of book/data.

A row of such a file is one kernel of book/kernels at one size, whole or with one barrier taken
away; the script named in its column `script` wrote it.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from html import escape
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "data"

Row = dict[str, str]


def read(file: str, kernel: str) -> list[Row]:
    """The rows of book/data/<file> about one kernel; none where the file is not there.

    Raises:
        ValueError: the file says nothing of this kernel.
    """
    if not (DATA / file).exists():
        return []
    with (DATA / file).open(newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["kernel"] == kernel]
    if not rows:
        raise ValueError(f"book/data/{file} has no row about {kernel!r}")
    return rows


def passes(rows: Sequence[Row], n_means: str) -> str:
    """How often the results were right, by barrier taken away and by size."""
    columns = sorted({(int(row["n"]), int(row["block"])) for row in rows})
    body = ""
    for removed in sorted({int(row["barrier_removed"]) for row in rows} - {0}):
        cells = ""
        for n, block in columns:
            row = _one(rows, removed, n, block)
            share = 100 * int(row["passes"]) / int(row["runs"])
            cells += f'<td class="share" style="--share:{share:.0f}%">{row["passes"]} of {row["runs"]}</td>'
        body += f"<tr><th>without barrier {removed}</th>{cells}</tr>"
    return _table(_sizes(columns, n_means), body, f"Runs with the right result. {_source(rows[0])}")


def cost(rows: Sequence[Row], n_means: str) -> str:
    """The time of a launch, whole and with each barrier taken away, by size."""
    columns = sorted({(int(row["n"]), int(row["block"])) for row in rows})
    body = ""
    for removed in sorted({int(row["barrier_removed"]) for row in rows}):
        cells = ""
        for n, block in columns:
            here, whole = (float(_one(rows, one, n, block)["median_us"]) for one in (removed, 0))
            less = f" ({100 * (here - whole) / whole:+.0f} %)" if removed else ""
            cells += f"<td>{_microseconds(here)}{less}</td>"
        name = f"without barrier {removed}" if removed else "as it is"
        body += f"<tr><th>{name}</th>{cells}</tr>"
    return _table(_sizes(columns, n_means), body, f"Time of a launch, median. {_source(rows[0])}")


def _one(rows: Sequence[Row], removed: int, n: int, block: int) -> Row:
    (row,) = (r for r in rows if (int(r["barrier_removed"]), int(r["n"]), int(r["block"])) == (removed, n, block))
    return row


def _sizes(columns: Sequence[tuple[int, int]], n_means: str) -> str:
    blocks = len({block for _, block in columns}) > 1
    head = "".join(f"<th>{n:,}{f'<br>block {block}' if blocks else ''}</th>".replace(",", " ") for n, block in columns)
    return f"<tr><th>{escape(n_means)}</th>{head}</tr>"


def _microseconds(value: float) -> str:
    return f"{value:.1f} µs" if value < 100 else f"{value / 1000:.2f} ms" if value >= 1000 else f"{value:.0f} µs"


def _source(row: Row) -> str:
    return (
        f"{row['device']}, CUDA {row['cuda']}, driver {row['driver']}, {row['date']}; "
        f"measured by <code>{escape(row['script'])}</code>."
    )


def _table(head: str, body: str, caption: str) -> str:
    return f'<div class="measured"><table><thead>{head}</thead><tbody>{body}</tbody></table><p>{caption}</p></div>'
