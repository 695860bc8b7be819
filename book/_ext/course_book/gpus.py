"""The GPUs of the course side by side, from book/data/gpus.csv: `gpu-table`. `gpu-sources`: the documents
that have its numbers. `measured-on`: which of the book's measurements come from which machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from . import measured
from .numbered_tables import numbered_table

FILE = "gpus.csv"
#: The source of what every row has; the column `source` names the documents for the rest.
GUIDE = "NVIDIA CUDA Programming Guide, Compute Capabilities (for the V100, the CUDA C++ Programming Guide of CUDA 12)"


def load() -> list[measured.Row]:
    """Return the rows of the file, each with two computed columns more: `registers_each`, for each thread of a full
    multiprocessor, and `operations_per_byte` at both peaks, "" if one is unknown."""
    rows = measured.load(FILE)
    for row in rows:
        row["registers_each"] = str(int(row["registers"]) // int(row["threads"]))
        rate, bandwidth = row["fp32_tflops"], row["bandwidth_gbps"]
        row["operations_per_byte"] = f"{1000 * float(rate) / float(bandwidth):.0f}" if rate and bandwidth else ""
    return rows


def table(columns: Mapping[str, str]) -> str:
    """Return a row for each GPU with a known number besides its name; `columns` maps names to headings.

    Raises:
        ValueError: the file has no such column.
    """
    rows = load()
    unknown = set(columns) - set(rows[0])
    if unknown:
        raise ValueError(f"book/data/{FILE} has no column {', '.join(sorted(unknown))}; it has {', '.join(rows[0])}")
    first, *others = columns
    rows = [row for row in rows if any(row[column] for column in others)]
    body = "".join(
        f'<tr><th scope="row">{escape(row[first])}</th>'
        + "".join(f"<td>{escape(_shown(row[column]))}</td>" for column in others)
        + "</tr>"
        for row in rows
    )
    return measured.table([*columns.values()], body, "")


def _shown(cell: str) -> str:
    return (measured.spaced(int(cell)) if cell.isdecimal() else cell) or measured.UNKNOWN


def measurements(rows_of: Mapping[str, Sequence[measured.Row]]) -> str:
    """Return a line for each file of book/data that says where it was measured."""
    body = ""
    for file, rows in rows_of.items():
        devices = ", ".join(dict.fromkeys(row["device"] for row in rows))
        body += f'<tr><th scope="row"><code>{escape(file)}</code></th><td>{escape(devices)}</td></tr>'
    return measured.table(["file", "measured on"], body, "The files of <code>book/data</code>.")


class GpuTable(SphinxDirective):
    """Columns of book/data/gpus.csv (`:columns: gpu=GPU, l2_mb=L2 cache (MB)`); the content says what they are."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"columns": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(measured.DATA / FILE))
        pairs = (pair.strip().partition("=") for pair in self.options["columns"].split(","))
        columns = {name: heading or name for name, _, heading in pairs}
        return numbered_table(self, table(columns))


class GpuSources(SphinxDirective):
    """The documents that have the numbers, by GPU."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(measured.DATA / FILE))
        items = nodes.bullet_list()
        for where, what in [("All", GUIDE), *((row["gpu"], row["source"]) for row in measured.load(FILE))]:
            items += nodes.list_item("", nodes.paragraph("", f"{where}: {what}."))
        return [items]


class MeasuredOn(SphinxDirective):
    """Where the measurements of this book come from, file by file."""

    def run(self) -> list[nodes.Node]:
        files = sorted(path.name for path in measured.DATA.glob("*.csv"))
        for file in files:
            self.env.note_dependency(str(measured.DATA / file))
        rows_of = {file: measured.load(file) for file in files}
        measured_ones = {file: rows for file, rows in rows_of.items() if rows and "device" in rows[0]}
        return numbered_table(self, measurements(measured_ones))


GPU_DIRECTIVES: dict[str, type[SphinxDirective]] = {
    "gpu-table": GpuTable,
    "gpu-sources": GpuSources,
    "measured-on": MeasuredOn,
}
