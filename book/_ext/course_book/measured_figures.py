"""Figures drawn from the CSV files of book/data: `roofline`, `measured-bars` and `measured-lines`."""

from __future__ import annotations

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from . import bars_svg, lines_svg, measured, roofline, roofline_svg
from .captions import captioned
from .measured_table import select


class MeasuredFigure(SphinxDirective):
    """A figure whose argument is a file of book/data; the content is its caption.

    `:where:` selects rows, as for `measured-table`; `:label:` is the column that names them. If the file is
    missing, a sentence says so.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "where": directives.unchanged,
        "label": directives.unchanged_required,
        "name": directives.unchanged_required,
    }

    def draw(self, rows: list[measured.Row], name: str) -> str:
        """Return the drawing as HTML; `name` is unique on the page."""
        raise NotImplementedError

    def rows(self, file: str, where: str = "") -> list[measured.Row]:
        """Rows of a file of book/data, on which the page then depends."""
        self.env.note_dependency(str(measured.DATA / file))
        return select(file, where)

    def run(self) -> list[nodes.Node]:
        file = self.arguments[0]
        try:
            rows = self.rows(file, self.options.get("where", ""))
            if not rows:
                text = f"This copy of the book holds no measurements: book/data/{file} is not there."
                return [nodes.paragraph(text, text)]
            html = self.draw(rows, f"{self.name}-{self.env.new_serialno(self.name)}")
        except ValueError as error:
            raise self.error(f"{self.name}: {error}") from error
        return captioned(self, html, self.name, [measured.source(rows[0])])


class RooflineFigure(MeasuredFigure):
    """The speed of kernels, below what memory and multiply-adds allow.

    `:ceilings:` is a file of measured ceilings, and `:memory:` names that of memory. `:rate:` is the column with
    10^12 operations a second, `:intensity:` the one with operations for each byte; "file column" takes it from
    another file about the same kernels.
    """

    option_spec: ClassVar[dict[str, Any]] = {
        **MeasuredFigure.option_spec,
        "ceilings": directives.unchanged_required,
        "memory": directives.unchanged_required,
        "rate": directives.unchanged_required,
        "intensity": directives.unchanged_required,
    }

    def draw(self, rows: list[measured.Row], name: str) -> str:
        options = self.options
        *other, intensity = options["intensity"].split()
        for file in other:
            self.env.note_dependency(str(measured.DATA / file))
            rows = roofline.joined(rows, file, intensity)
        ceilings = self.rows(options["ceilings"])
        found = roofline.from_rows(ceilings, options["memory"], rows, options["label"], options["rate"], intensity)
        return roofline_svg.figure(found, name)


class MeasuredBars(MeasuredFigure):
    """A bar for each row: `:value: column=what it is`. `:label:` may name several columns, with commas between them.
    `:mark:` names the row to compare the others with."""

    option_spec: ClassVar[dict[str, Any]] = {
        **MeasuredFigure.option_spec,
        "value": directives.unchanged_required,
        "mark": directives.unchanged_required,
    }

    def draw(self, rows: list[measured.Row], name: str) -> str:
        column, _, unit = self.options["value"].partition("=")
        named, mark = self.options["label"].split(", "), self.options.get("mark", "")
        labels = [" ".join(row[column] for column in named if row[column]) for row in rows]
        return bars_svg.figure(
            [bars_svg.Bar(label, row[column], label == mark) for label, row in zip(labels, rows, strict=True)],
            unit or column,
            name,
        )


class MeasuredLines(MeasuredFigure):
    """A line for each `:label:`, over `:x: column=what it is`, as high as `:value: column=what it is`. `:mark:` is the
    label with which the others are compared."""

    option_spec: ClassVar[dict[str, Any]] = {
        **MeasuredFigure.option_spec,
        "x": directives.unchanged_required,
        "value": directives.unchanged_required,
        "mark": directives.unchanged_required,
    }

    def draw(self, rows: list[measured.Row], name: str) -> str:
        (x, _, below), (value, _, beside) = (self.options[option].partition("=") for option in ("x", "value"))
        lines: dict[str, list[lines_svg.Place]] = {}
        for row in rows:
            lines.setdefault(row[self.options["label"]], []).append((float(row[x]), float(row[value])))
        return lines_svg.figure(
            {label: sorted(points) for label, points in lines.items()},
            below or x,
            beside or value,
            name,
            self.options.get("mark", ""),
        )


MEASURED_FIGURES: dict[str, type[MeasuredFigure]] = {
    "roofline": RooflineFigure,
    "measured-bars": MeasuredBars,
    "measured-lines": MeasuredLines,
}
