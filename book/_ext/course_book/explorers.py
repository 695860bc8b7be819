"""The static part of explorers: their controls, and the table that replaces them on paper and without scripts.

book/_static/explorers.js does the arithmetic while a reader changes a number. The tables come from runs of
the emulator, and from autograder.cuda.nvrtc.occupancy.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from html import escape

import numpy as np

from autograder.cuda.core.run import Counts
from autograder.cuda.nvrtc.occupancy import GPUS, occupancy

from . import cached_runs, kernels, measured
from .svg import legend

#: The element types of the explorer of sectors: bytes, and an element in numpy.
ELEMENTS: dict[str, tuple[int, np.ndarray]] = {
    "char": (1, np.zeros(1, np.int8)),
    "short": (2, np.zeros(1, np.int16)),
    "float": (4, np.zeros(1, np.float32)),
    "double": (8, np.zeros(1, np.float64)),
    "float4": (16, np.zeros(4, np.float32)),
}
SECTORS_KERNEL, BANKS_KERNEL = "coalescing/touch_at.cu", "banks/column_of_tile.cu"
MOST_WIDTH, MOST_PADDING = 64, 8


@dataclass(frozen=True)
class Control:
    """A number that the reader sets, from `least` to `most`; the slider moves in steps of `step`."""

    name: str
    label: str
    least: int
    most: int
    first: int
    step: int = 1


CONTROLS: dict[str, tuple[Control, ...]] = {
    "sectors": (
        Control("stride", "Stride, in elements", 0, 33, 2),
        Control("offset", "First element", 0, 33, 1),
    ),
    "banks": (
        Control("width", "Words in a row", 1, MOST_WIDTH, 32),
        Control("padding", "Free words after each row", 0, MOST_PADDING, 0),
    ),
    "occupancy": (
        Control("block", "Threads in a block", 1, 1024, 256, 32),
        Control("registers", "Registers of a thread", 1, 255, 40),
        Control("shared", "Bytes of shared memory of a block", 0, 228 * 1024, 24 * 1024, 1024),
    ),
}


@functools.cache
def count_sectors(element: str, stride: int, offset: int) -> int:
    """Sectors of the warp's load in[stride * lane + offset], as the emulator counts them."""
    value = ELEMENTS[element][1]
    arrays = [np.tile(value, 31 * stride + offset + 1), np.tile(value, 32)]
    return _counts(SECTORS_KERNEL, f"touch_at<{element}>", [*arrays, stride, offset]).global_load_sectors


@functools.cache
def count_passes(width: int, padding: int) -> tuple[int, int, int]:
    """As the emulator counts: the passes for reading a column; the writes that fill the tile, and their passes."""
    arrays = [kernels.ramp(32 * width), kernels.empty(32)]
    counts = _counts(BANKS_KERNEL, "column_of_tile", [*arrays, width, width + padding])
    return counts.shared_load_wavefronts, counts.shared_store_requests, counts.shared_store_wavefronts


def _counts(file: str, name: str, args: Sequence[object]) -> Counts:
    counts = cached_runs.emulate(kernels.read(file).source, name, grid=1, block=32, args=args).counts
    assert counts is not None  # the emulator counts always
    return counts


def sectors(name: str) -> str:
    """Return the explorer of stride and offset, as HTML; `name` is unique on the page."""
    chosen = "".join(
        f'<option value="{size}"{" selected" if element == "float" else ""}>{element}, '
        f"{size} byte{'' if size == 1 else 's'}</option>"
        for element, (size, _) in ELEMENTS.items()
    )
    select = (
        f'<div class="ex-control"><label for="{name}-size">Elements</label>'
        f'<select id="{name}-size" name="size">{chosen}</select></div>'
    )
    rows = [(stride, 0) for stride in (0, 1, 2, 3, 4, 8, 16, 32)] + [(1, 1)]
    still = _table(
        ["stride", "first element", *(f"{element} ({size})" for element, (size, _) in ELEMENTS.items())],
        ((*row, *(count_sectors(element, *row) for element in ELEMENTS)) for row in rows),
        "Sectors of one load by a warp, by the type of the elements (and its bytes).",
    )
    keys = [("read", "bytes that a lane wants"), ("waste", "moved for nothing")]
    return (
        f'<div class="explorer" data-explorer="sectors">{_controls("sectors", name, select)}'
        f'{_sentence()}<div class="ex-picture ex-sectors" aria-hidden="true" hidden></div>'
        f"<div hidden>{legend(keys)}</div>{_still(still)}</div>"
    )


def banks(name: str) -> str:
    """Return the explorer of width and padding, as HTML; `name` is unique on the page."""
    rows = [(width, padding) for width in (8, 16, 24, 32, 33, 64) for padding in (0, 1, 2)]
    still = _table(
        ["words in a row", "free words", "passes of a column", "writes to fill the tile", "passes of these"],
        ((*row, *count_passes(*row)) for row in rows),
        "A tile of 32 rows.",
    )
    keys = [("read", "a word of the column"), ("clash", "one that waits for another of its bank")]
    free = '<ul class="kf-legend"><li><i class="kf-key ex-key-free"></i>a free word</li></ul>'
    return (
        f'<div class="explorer" data-explorer="banks">{_controls("banks", name)}'
        f'{_sentence()}<div class="ex-picture" aria-hidden="true" hidden></div>'
        f"<div hidden>{legend(keys)}{free}</div>{_still(still)}</div>"
    )


def occupancy_rows(block: int, registers: int, shared: int) -> list[tuple[str, ...]]:
    """For each GPU its name, blocks and warps on a multiprocessor, the occupancy, and what limits it."""
    rows: list[tuple[str, ...]] = []
    for gpu in GPUS.values():
        found = occupancy(gpu, block, registers, shared)
        percent = int(100 * found.warps / found.limit + 0.5)  # as people round
        share = f"{percent} %" if found.warps else "launch fails"
        warps = f"{found.warps} of {found.limit}"
        rows.append((gpu.name, str(found.blocks_per_sm), warps, share, ", ".join(found.limiters)))
    return rows


def occupancies(name: str) -> str:
    """Return the explorer of block, registers and shared memory, as HTML; `name` is unique on the page. Its still table
    shows the first setting."""
    gpus = escape(json.dumps([asdict(gpu) for gpu in GPUS.values()]))
    first = {control.name: control.first for control in CONTROLS["occupancy"]}
    heads = ["GPU", "blocks", "warps", "occupancy", "limited by"]
    setting = (
        f"{first['block']} threads in a block, {first['registers']} registers a thread, "
        f"{first['shared']} bytes of shared memory."
    )
    live, still = (_table(heads, occupancy_rows(**first), caption, share=3) for caption in ("", setting))
    return (
        f'<div class="explorer" data-explorer="occupancy" data-gpus="{gpus}">{_controls("occupancy", name)}'
        f'{_sentence(code=False)}<div class="ex-table" hidden>{live}</div>{_still(still)}</div>'
    )


EXPLORERS = {"explore-sectors": sectors, "explore-banks": banks, "explore-occupancy": occupancies}


def _controls(explorer: str, name: str, more: str = "") -> str:
    out = ""
    for control in CONTROLS[explorer]:
        field, limits = f"{name}-{control.name}", f'max="{control.most}" value="{control.first}"'
        label = escape(control.label)
        out += (
            f'<div class="ex-control"><label for="{field}">{label}</label>'
            f'<input type="number" id="{field}" name="{control.name}" min="{control.least}" {limits}>'
            f'<input type="range" aria-label="{label}" data-of="{control.name}" '
            f'min="{control.least // control.step * control.step}" step="{control.step}" {limits}></div>'
        )
    return f'<div class="ex-controls" role="group" aria-label="Change it" hidden>{more}{out}</div>'


def _sentence(*, code: bool = True) -> str:
    line = '<div class="ex-code" hidden></div>' if code else ""
    return f'{line}<p class="ex-says" role="status" aria-live="polite" hidden></p>'


def _still(table: str) -> str:
    return f'<div class="ex-still">{table}</div>'


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str, share: int = 0) -> str:
    """Return a table whose first column names the row; column `share` holds percentages, which are drawn too."""
    body = ""
    for first, *cells in rows:
        body += f'<tr><th scope="row">{first}</th>'
        for column, cell in enumerate(cells, 1):
            words = escape(str(cell))
            drawn = f' class="share" style="--share:{words.replace(" ", "")}"' if share and column == share else ""
            body += f"<td{drawn}>{words}</td>"
        body += "</tr>"
    return measured.table(heads, body, escape(caption))
