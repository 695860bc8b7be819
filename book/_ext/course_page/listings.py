"""What a page loads when a reader tries a listing of book/kernels: how the file is launched, and what that counts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from course_book import cached_runs, kernels

from .in_page.cases import pack_launch

#: The counts that a page shows, where they are not zero.
FIELDS = (
    *("global_loads", "global_stores", "shared_loads", "shared_stores", "constant_loads", "atomics", "barriers"),
    *("shuffles", "votes", "compare_and_swaps"),
    *("global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors"),
    *("shared_load_requests", "shared_load_conflicts", "shared_store_requests", "shared_store_conflicts"),
)
_CPP = {"float32": "float", "float64": "double", "int32": "int", "uint32": "unsigned", "uint8": "unsigned char"}


def listings_of(site: Path) -> set[str]:
    """Return the files of book/kernels that the pages of the built book `site` offer to try."""
    pages = (path.read_text(encoding="utf-8") for path in sorted((site / "book").glob("*.html")))
    return {file for page in pages for file in re.findall(r' data-listing="([\w/.]+)"', page)}


def write_listings(files: Iterable[str], target: Path) -> None:
    """Write a JSON file for each of `files` into the folder `target`."""
    for file in files:
        path = (target / file).with_suffix(".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record_listing(kernels.read(file))), encoding="utf-8")


def record_listing(kernel: kernels.BookKernel) -> dict[str, Any]:
    """Return the name and the text of the kernel, and each launch: what tells it from the others, the launch as
    data, its arguments in CUDA's words, the emulator's counts, or None if it does not end, and whether it found a
    mistake."""
    launches = [_recorded(kernel, *named) for named in kernel.launches.items()]
    return {"kernel": kernel.name, "source": kernel.source, "launches": launches, "fields": FIELDS}


def _recorded(kernel: kernels.BookKernel, label: str, launch: dict[str, Any]) -> dict[str, Any]:
    run = cached_runs.emulate(kernel.source, kernel.name, **launch)
    counts = {field: getattr(run.counts, field) for field in FIELDS} if run.completed else None
    args = list(map(_argument, launch["args"]))
    return {
        "label": label,
        "launch": pack_launch(launch),
        "args": args,
        "counts": counts,
        "wrong": bool(run.findings),
    }


def _argument(arg: Any) -> str:
    if isinstance(arg, np.ndarray):
        return _CPP.get(str(arg.dtype), str(arg.dtype)) + "".join(f"[{size}]" for size in arg.shape)
    return str(arg)
