"""Accesses that no kernel may make, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..core.findings import Access, Finding
from .vocabulary import VERBS, Names, Said, count, element_of, elements, place_of, start

_READ_ONLY: Mapping[str | None, str] = {"constant": "constant memory", "device": "declared const"}


def tell_out_of_bounds(finding: Finding, names: Names) -> Said:
    access, detail = finding.accesses[0], finding.detail
    who = start(names.both(access))
    verb = VERBS[access.action]
    if detail.get("read_only"):
        what = _READ_ONLY.get(access.space, "data that the kernel takes as const")
        return Said(
            (
                f"{who} {verb} {element_of(access)}, which is {what}:",
                names.rows(finding.accesses),
                "A GPU would change it for every other thread at a time that nobody knows, or end the program.",
            ),
            "What is const or __constant__ is only read by a kernel.",
            "memory",
        )
    if "owner" in detail:
        return _tell_foreign(finding, names)
    if detail.get("null"):
        what = f"{who} {verb} through a null pointer:"
    elif not access.array:
        what = f"{who} {verb} at an address that lies in no array of the kernel:"
    elif len(access.index) < len(detail["shape"]):
        extent, dimension = detail["extent"], detail["dimension"] + 1
        what = (
            f"{who} uses index {access.index[0]} in dimension {dimension} of {access.array}, "
            f"whose indices go from 0 to {extent - 1} there:"
        )
    else:
        begins_inside = len(detail["shape"]) == 1 and 0 <= access.index[0] < detail["shape"][0]
        place = f"several elements at once, from {element_of(access)} on" if begins_inside else element_of(access)
        what = f"{who} {verb} {place}, but {elements(access.array, detail['shape'])}:"
    danger = (
        "A GPU would mostly return whatever stands there, and not say so."
        if access.action == "read"
        else "A GPU would change other data there, or end the program."
        if access.action
        else "A GPU would read or change other data there, and mostly not say so."
    )
    if access.array and access.index:
        danger = f"{_how_far(access, detail)}\n{danger}"
    parts = (what, names.rows(finding.accesses), danger)
    if access.space == "shared":
        return Said(
            parts,
            "The index of every thread, the first and the last one too, must lie within the extent "
            "that the array was declared or launched with.",
            "shared-memory",
        )
    guard = "thread whose index lies outside an array must not touch the array."
    grid = f"A grid nearly always has more threads than the data has elements: a {guard}"
    if access.index and access.index[0] < 0:
        first = "Nothing lies before the first element: look at the first thread, and the first round of each loop."
        hint = f"{first} A {guard}"
    elif names.at_the_end(access):
        hint = f"{grid} And look at the last round of each loop."
    else:
        hint = f"Look at the first and the last round of each loop: no index may leave the array there either. {grid}"
    return Said(parts, hint, "tiling")


def _tell_foreign(finding: Finding, names: Names) -> Said:
    """A pointer to shared memory, used by another block than the one whose memory it is."""
    access = finding.accesses[0]
    owner = names.block(replace(access, block=finding.detail["owner"]))
    own = names.block(access)
    return Said(
        (
            f"{start(names.both(access))} {VERBS[access.action]} {element_of(access)} of block {owner}, "
            "through a pointer to that block's shared memory:",
            names.rows(finding.accesses),
            f"A GPU would use what stands there in the shared memory of block {own}, or end the program.",
        ),
        "Every block has shared memory of its own, which ends with it, and a pointer into it means nothing to another "
        "block. What one block hands to another goes through global memory.",
        "shared-memory",
    )


def _how_far(access: Access, detail: Mapping[str, Any]) -> str:
    # A pointer is followed by its first index; an array of known size is left in one dimension.
    index, shape = access.index[0], detail["shape"]
    extent = detail.get("extent", shape[0])
    if index >= extent and (len(shape) == 1 or "extent" in detail):
        far = f"{count(index - extent + 1, 'element')} past its end"
    elif index < 0:
        far = f"{count(-index, 'element')} before its start" if len(shape) == 1 else "before its start"
    else:
        far = f"{count(detail['bytes_outside'], 'byte')} outside it"
    return f"That is {far}."


def tell_uninitialized(finding: Finding, names: Names) -> Said:
    access = finding.accesses[0]
    what = f"{start(names.both(access))} reads {element_of(access)}{place_of(access)}, which no thread has written:"
    if access.space == "shared":
        danger = "Shared memory begins with whatever an earlier block left there."
        hint = (
            "Every element of shared memory that is read must have been written first, also where the "
            "data ends inside a tile."
        )
        read = "shared-memory"
    else:
        danger = "Its value is whatever stood in that memory before."
        hint = "A variable or an array holds nothing useful until something is written to it."
        read = "memory"
    if finding.count > 1:
        more = count(finding.count - 1, "more element")
        of = f" of {access.array}" if access.array else ""
        danger += f"\nThe same line reads {more}{of} that no thread has written."
    return Said((what, names.rows(finding.accesses), danger), hint, read)


def tell_misaligned(finding: Finding, names: Names) -> Said:
    access, width = finding.accesses[0], finding.detail["width"]
    return Said(
        (
            f"{start(names.both(access))} {VERBS[access.action]} {width} bytes at once at {element_of(access)}:",
            names.rows(finding.accesses),
            f"That place lies {count(finding.detail['address_mod'], 'byte')} after a multiple of {width}. "
            "A GPU would end the program.",
        ),
        "A load or store of 2, 4, 8 or 16 bytes must begin at a multiple of its own width.",
        "shared-memory" if access.space == "shared" else "towards-cublas",
    )
