"""Any table from the CSV files of book/data, and single numbers from them in a sentence.

Every number is printed as it is in the file, which the script named in its header wrote; in a table, zeros at the end
make its column even. A header's fields are columns, too: "file.csv kernel=copy -> device".
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from . import kernels, measured
from .directives import depend_on_kernel
from .numbered_tables import numbered_table

Row = measured.Row


def select(file: str, where: str) -> list[Row]:
    """Return the rows of book/data/<file> that match `where`, in the file's order; none if there is no file.

    Args:
        where: "experiment=stride n=4096,8192": for each column the values wanted; quotes as in a shell.

    Raises:
        ValueError: the file has no such column, or no such row.
    """
    if not (measured.DATA / file).exists():
        return []
    rows = measured.load(file)
    for word in shlex.split(where):
        column, equals, values = word.partition("=")
        if not equals or column not in rows[0]:
            raise ValueError(f"book/data/{file} has no column for '{word}'; it has {', '.join(rows[0])}")
        rows = [row for row in rows if row[column] in values.split(",")]
        if not rows:
            raise ValueError(f"book/data/{file} has no row with {word} (read from the left: {where})")
    return rows


def rows_table(rows: Sequence[Row], columns: Mapping[str, str]) -> str:
    """One line for each row; `columns` maps a column's name to its heading."""
    names, *others = ([row[column] for row in rows] for column in columns)
    lines = zip(names, *map(_even, others), strict=True)
    body = "".join(f"<tr>{_cell(name, head=True)}{''.join(map(_cell, cells))}</tr>" for name, *cells in lines)
    return measured.table([*columns.values()], body, _spread(rows, columns) + measured.source(rows[0]))


def crossed_table(
    rows: Sequence[Row], down: tuple[str, str], across: str, cell: str, names: Mapping[str, str] | None = None
) -> str:
    """One line for each value of column `down` (name, heading), one column for each value of `across`; `names` says
    how to show some of these values.

    Raises:
        ValueError: two rows have the same cell, or no row has a value of `names`.
    """
    shown = dict(names or {})
    places: dict[tuple[str, str], str] = {}
    for row in rows:
        place = row[down[0]], row[across]
        if place in places:
            raise ValueError(f"two rows have {down[0]}={place[0]} {across}={place[1]}: choose by :where:")
        places[place] = row[cell]
    places = dict(zip(places, _even(list(places.values())), strict=True))
    heads = list(dict.fromkeys(row[across] for row in rows))
    lines = list(dict.fromkeys(row[down[0]] for row in rows))
    if unknown := shown.keys() - {*heads, *lines}:
        raise ValueError(f"no row has {', '.join(sorted(unknown))}, which has a name")
    body = ""
    for name in lines:
        cells = "".join(_cell(places.get((name, head), "")) for head in heads)
        body += f"<tr>{_cell(shown.get(name, name), head=True)}{cells}</tr>"
    return measured.table(
        [down[1], *(_number(shown.get(head, head)) for head in heads)],
        body,
        _spread(rows, [cell]) + measured.source(rows[0]),
    )


def _spread(rows: Sequence[Row], columns: Collection[str]) -> str:
    """One sentence on the spread of the rows' times, since a smaller difference means little; of the percentages of
    cuBLAS, whose own time varies, too, if there are no times beside them. Empty if the table has a column for it, or if
    these rows have none."""
    value, spread, of, ends = "median_ms", "spread_ms", "", ""
    if "percent_of_cublas" in columns:
        of = " of the times"
        if not {"median_ms", "tflops"}.intersection(columns):
            value, spread, of, ends = "percent_of_cublas", "percent_spread", " of the percentages", " of their value"
            rows = [row for row in rows if row.get(spread)]  # cuBLAS's own 100 % have none
    shares = [float(row[spread]) / float(row[value]) for row in rows if row.get(value) and row.get(spread)]
    if "spread_ms" in columns or not shares or len(shares) < len(rows):
        return ""
    most = f"{100 * max(shares):.1f}"
    return f"Spread{of}: {'below 0.05' if most == '0.0' else f'at most {most}'} %{ends}. "


def _cell(text: str, *, head: bool = False) -> str:
    if not head:
        return f"<td>{escape(_number(text)) or measured.UNKNOWN}</td>"
    return f"<th>{escape(_number(text))}</th>"


def _number(text: str) -> str:
    """Return a cell for display: numbers from 10000 on in groups of three, a real minus sign, no break in 16 x 16."""
    if number := re.fullmatch(r"(\d+)(\.\d+)?", text):
        return measured.spaced(int(number[1])) + (number[2] or "")
    return re.sub(r"^-(?=\d)", measured.MINUS, measured.unbroken(text))


def _even(cells: Sequence[str]) -> list[str]:
    """Return a column whose numbers have as many digits that say something, where the file leaves out zeros at the
    end."""
    numbers = [re.fullmatch(r"-?(\d+)(?:\.(\d+))?", cell) for cell in cells]
    if not all(number or not cell for number, cell in zip(numbers, cells, strict=True)):
        return list(cells)
    decimals = max((len(number[2] or "") for number in numbers if number), default=0)
    digits = max((len(_significant(number)) for number in numbers if number), default=0)
    shown = []
    for cell, number in zip(cells, numbers, strict=True):
        have = len(number[2] or "") if number else 0
        zeros = min(decimals - have, digits - len(_significant(number))) if number else 0
        shown.append(f"{cell}{'.' * (not have and zeros > 0)}{'0' * zeros}")
    return shown


def _significant(number: re.Match[str]) -> str:
    """Return the digits from the first that is not 0 on."""
    return (number[1] + (number[2] or "")).lstrip("0")


def _headings(text: str) -> dict[str, str]:
    pairs = (pair.strip().partition("=") for pair in text.split(","))
    return {name.strip(): heading.strip() or name.strip() for name, _, heading in pairs}


class MeasuredTable(SphinxDirective):
    """Rows of a file in book/data; the content is one sentence on what they show. `:name:` is a label.

    `:where:` selects rows, as in `select`. Either `:columns: stride, gbps=GB/s` gives one line for
    each row, or `:rows: kernel=the kernel`, `:across: n` and `:cell: gbps` cross two columns; of these two,
    `:names: f16=FP16` shows a value under another name.
    If the file is missing, a sentence says so.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "where": directives.unchanged,
        "columns": directives.unchanged_required,
        "rows": directives.unchanged_required,
        "across": directives.unchanged_required,
        "cell": directives.unchanged_required,
        "names": directives.unchanged_required,
        "name": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        file, options = self.arguments[0], self.options
        self.env.note_dependency(str(measured.DATA / file))
        rows = select(file, options.get("where", ""))
        if not rows:
            text = f"This copy of the book holds no measurements: book/data/{file} is not there."
            return [nodes.paragraph(text, text)]
        if "columns" in options:
            html = rows_table(rows, _headings(options["columns"]))
        else:
            (down,) = _headings(options["rows"]).items()
            names = _headings(options["names"]) if "names" in options else {}
            html = crossed_table(rows, down, options["across"], options["cell"], names)
        return numbered_table(self, html)


class MeasuredNumber(SphinxRole):
    """One cell: "file.csv experiment=stride stride=32 -> ratio"."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        rows_of, _, column = self.text.partition("->")
        file, _, where = rows_of.strip().partition(" ")
        self.env.note_dependency(str(measured.DATA / file))
        rows = select(file, where)
        if len(rows) > 1:
            raise ValueError(f"{len(rows)} rows of book/data/{file} agree with '{where.strip()}': one must")
        text = _number(rows[0][column.strip()]) if rows else "(not measured)"
        return [nodes.inline("", text, measured=file)], []


def name_sources(app: Sphinx, doctree: nodes.document) -> None:
    """Below each table that a page writes in Markdown with measured numbers: where they come from, as `numbered_table`
    says of its tables."""
    for table in list(doctree.findall(nodes.table)):
        files = dict.fromkeys(number["measured"] for number in table.findall(nodes.inline) if "measured" in number)
        sources = [measured.source(rows[0]) for file in files if (rows := select(file, ""))]
        if sources:
            line = nodes.raw("", measured.unbroken(" ".join(sources)), format="html")
            table["classes"].append("with-source")
            table.parent.insert(table.parent.index(table) + 1, nodes.paragraph("", "", line, classes=["source"]))


class CountedNumber(SphinxRole):
    """One field of the counts of a kernel's run: "tiling/x.cu global_load_sectors". `without=1` and, if the
    file has several launches, the launch ("stride=2") may precede the field."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        file, *words, field = self.text.split()
        depend_on_kernel(self.env, file)
        without = [int(word.partition("=")[2]) for word in words if word.startswith("without=")]
        launch = [word for word in words if not word.startswith("without=")]
        counts = kernels.counts(file, *(without or [0]), *launch)
        return [nodes.Text(measured.spaced(getattr(counts, field)))], []
