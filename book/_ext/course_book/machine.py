"""Figures of the machine: `machine`, whose argument says what is drawn. Numbers are those of book/data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from . import machine_svg, measured, waiting_svg
from .captions import captioned

GPUS, LATENCIES = "gpus.csv", "latency_nvidia_h200.csv"
TRANSFERS, GROUPS = "transfers_nvidia_h200.csv", "cluster_groups_nvidia_h200.csv"


def hierarchy(name: str) -> str:
    (gpu,) = (row for row in measured.load(GPUS) if row["gpu"] == "H200")
    return machine_svg.hierarchy(gpu, {row["memory"]: row["cycles"] for row in measured.load(LATENCIES)}, name)


def waiting(name: str) -> str:
    (row,) = (row for row in measured.load(LATENCIES) if row["memory"] == "global memory: 4 GB")
    return waiting_svg.waiting(row["cycles"], name)


def host(name: str) -> str:
    rows = [row for row in measured.load(TRANSFERS) if row["experiment"] == "copy"]
    most = max(int(row["bytes"]) for row in rows)
    rates = {(row["memory"], row["direction"]): row["gbps"] for row in rows if int(row["bytes"]) == most}
    return machine_svg.host(rates, name)


def groups() -> dict[int, int]:
    """Return how many groups of SMs share clusters, by the number of their SMs."""
    return {int(row["sms"]): int(row["groups"]) for row in measured.load(GROUPS)}


#: What can be drawn, with the files of book/data that it shows.
DRAWINGS: dict[str, tuple[Callable[[str], str], tuple[str, ...]]] = {
    "hierarchy": (hierarchy, (GPUS, LATENCIES)),
    "waiting": (waiting, (LATENCIES,)),
    "scopes": (machine_svg.scopes, ()),
    "dram": (machine_svg.dram, ()),
    "bank times": (lambda name: machine_svg.bank_times((1, 2, 4), name), ()),
    "copies": (machine_svg.copies, ()),
    "host": (host, (TRANSFERS,)),
    "clusters": (lambda name: machine_svg.clusters(groups(), 8, name), (GROUPS,)),
}


class Machine(SphinxDirective):
    """A drawing of the machine; the content is its caption, and `:name:` a label to refer to it by."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"name": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        kind = directives.choice(self.arguments[0], tuple(DRAWINGS))
        draw, files = DRAWINGS[kind]
        for file in files:
            self.env.note_dependency(str(measured.DATA / file))
        sources = [measured.source(rows[0]) for file in files if "script" in (rows := measured.load(file))[0]]
        return captioned(self, draw(f"machine-{self.env.new_serialno('machine')}"), "machine", sources)
