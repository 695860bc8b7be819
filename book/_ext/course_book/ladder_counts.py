"""The ladder's counts, by the emulator and by Nsight Compute, rung by rung.

count_gemm.py writes book/data/gemm_counts_emulator.csv, and measure_gemm.py writes gemm_counts_<gpu>.csv. Where the
two differ, DIFFERENCES says why; tests/book/test_ladder_counts.py checks that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from . import measured
from .measured_table import select
from .numbered_tables import numbered_table

EMULATOR, GPU = "gemm_counts_emulator.csv", "gemm_counts_nvidia_h200.csv"
#: The compared columns, which both files have, with their headings; in two tables, since one would be too wide.
GLOBAL = {"load_requests": "loads", "load_sectors": "sectors loaded", "store_sectors": "sectors stored"}
SHARED = {
    "shared_load_instructions": "shared loads",
    "shared_load_wavefronts": "wavefronts",
    "shared_load_conflicts": "load conflicts",
    "shared_store_conflicts": "store conflicts",
}
COLUMNS = GLOBAL | SHARED


@dataclass(frozen=True)
class Difference:
    """Why some rungs differ in some columns, on the GPU's side."""

    kernels: tuple[str, ...]
    columns: tuple[str, ...]
    reason: str


DIFFERENCES = (
    Difference(
        ("gemm_register_tile", "gemm_vectorized"),
        ("shared_load_instructions", "shared_load_wavefronts"),
        "NVIDIA's compiler unrolls the loop over k. A thread's words of tile_A for four successive k lie side by side, "
        "and it loads them by one instruction. The emulator counts the text as it stands.",
    ),
    Difference(
        ("gemm_register_tile", "gemm_vectorized", "gemm_transposed"),
        ("shared_store_conflicts",),
        "Some passes that no rule of banks explains, and not the same number in each launch: see the spread.",
    ),
    Difference(
        ("gemm_double_buffered",),
        ("shared_load_wavefronts", "shared_load_conflicts"),
        "The same, in the loads.",
    ),
    Difference(
        ("gemm_stream_k",),
        ("load_sectors",),
        "As many sectors more as the copies of A in first phases have, which are those that may store zeros. What the "
        "cause is was not established.",
    ),
)

Key = tuple[str, str]


def compared() -> dict[Key, dict[str, tuple[int, int]]]:
    """For each (kernel, m): column -> what the emulator counts, and Nsight Compute's median.

    Empty if one of the files is missing.

    Raises:
        ValueError: they are about different launches.
    """
    ours, theirs = ({(row["kernel"], row["m"]): row for row in select(file, "")} for file in (EMULATOR, GPU))
    if not ours or not theirs:
        return {}
    if ours.keys() != theirs.keys():
        raise ValueError(f"{EMULATOR} and {GPU} are about different launches: count, or measure, anew")
    return {key: {column: (int(ours[key][column]), int(theirs[key][column])) for column in COLUMNS} for key in ours}


def unequal() -> set[tuple[str, str]]:
    """(kernel, column) for each difference in a launch."""
    return {
        (kernel, column)
        for (kernel, _), counts in compared().items()
        for column, (ours, theirs) in counts.items()
        if ours != theirs
    }


def explained() -> set[tuple[str, str]]:
    """(kernel, column) for each difference in DIFFERENCES."""
    return {
        (kernel, column) for difference in DIFFERENCES for kernel in difference.kernels for column in difference.columns
    }


def ladder_table(columns: Mapping[str, str], about: str) -> str:
    """Return a table of some of COLUMNS as HTML: one number if both agree, else the emulator's and the GPU's. Its
    caption begins with `about`."""
    body = ""
    measured_rows = {(row["kernel"], row["m"]): row for row in select(GPU, "")}
    for (kernel, m), counts in compared().items():
        row = measured_rows[kernel, m]
        cells = "".join(f"<td>{_cell(*counts[column], float(row[f'{column}_spread']))}</td>" for column in columns)
        name = f"{kernel.removeprefix('gemm_')}{f', m={m}' if m else ''}"
        body += f"<tr><th>{escape(name)}</th>{cells}</tr>"
    (row, *_) = select(GPU, "")
    caption = (
        f"{about} One number where the emulator and Nsight Compute agree; else <b>the emulator's</b> and the GPU's. "
        f"n = {row['n']}; the median of {row['runs']} launches, and after ± how far these are apart where they are. "
        f"{measured.source(row)} The emulator's: "
        f"{measured.script(select(EMULATOR, '')[0]['script'])}."
    )
    return measured.table(["", *columns.values()], body, caption)


def _cell(ours: int, theirs: int, spread: float) -> str:
    apart = f" ± {measured.spaced(round(spread))}" if spread else ""
    if ours == theirs:
        return measured.spaced(ours) + apart
    return f"<b>{measured.spaced(ours)}</b> / {measured.spaced(theirs)}{apart}"


class LadderCounts(SphinxDirective):
    """The tables, and below them the reasons for differences; if the files are missing, a sentence says so."""

    def run(self) -> list[nodes.Node]:
        for file in (EMULATOR, GPU):
            self.env.note_dependency(str(measured.DATA / file))
        if not compared():
            text = f"This copy of the book holds no measurements: book/data/{GPU} is not there."
            return [nodes.paragraph(text, text)]
        reasons = nodes.bullet_list()
        for difference in DIFFERENCES:
            names = ", ".join(f"`{kernel}`" for kernel in difference.kernels)
            columns = ", ".join(COLUMNS[column] for column in difference.columns)
            item = nodes.list_item()
            item += self.parse_text_to_nodes(f"{names} ({columns}): {difference.reason}")
            reasons += item
        tables = (
            ladder_table(GLOBAL, "Global memory: loads, as requests by warps, and sectors."),
            ladder_table(SHARED, "Shared memory: loads by warps and their wavefronts, and conflicts."),
        )
        return [*(node for made in tables for node in numbered_table(self, made)), reasons]
