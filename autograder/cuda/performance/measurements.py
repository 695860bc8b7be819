"""Files of measurements: CSV files whose first lines say where all their rows come from.

# device: NVIDIA H200
# date: 2026-11-21
# script: book/data/measure_banks.py
kernel,n,median_ms
reads,1,0.1392
"""

from __future__ import annotations

import csv
import datetime
import os
import platform
import re
import subprocess
from collections.abc import Iterable, Mapping
from itertools import takewhile
from pathlib import Path

Row = dict[str, str]
_HEAD = "# "


def origin(script: str, **where: str) -> dict[str, str]:
    """Return the header of a file: `where` (device, driver, cuda, ...), today's date, and the script that wrote it."""
    return {**where, "date": datetime.date.today().isoformat(), "script": script}


def driver() -> str:
    """Return the version of the GPU's driver."""
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    return subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0]


def cpu() -> str:
    """This machine's processor, such as "AMD EPYC, 2 cores"."""
    try:
        (name, *_) = re.findall(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    except (OSError, ValueError):
        name = platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores"


def file_name(what: str, device: str) -> str:
    """Return the file for `what` measured on `device`, such as "banks_nvidia_h200.csv"."""
    return f"{what}_{re.sub(r'[^a-z0-9]+', '_', device.lower())}.csv"


def write(path: Path, rows: Iterable[Mapping[str, object]], origin: Mapping[str, str]) -> None:
    """Write each row as soon as it arrives, so that measurements survive a failure in a later row."""
    with path.open("w", newline="") as file:
        file.writelines(f"{_HEAD}{name}: {value}\n" for name, value in origin.items())
        writer = None
        for row in rows:
            if writer is None:
                writer = csv.DictWriter(file, [*row], lineterminator="\n")
                writer.writeheader()
            writer.writerow(row)
            file.flush()


def rows(path: Path) -> list[Row]:
    """Return the rows of a file.

    Raises:
        FileNotFoundError: the file doesn't exist.
    """
    return _parts(path)[1]


def read(path: Path) -> list[Row]:
    """Return the rows of a file, each extended by the fields of the header.

    Raises:
        FileNotFoundError: the file doesn't exist.
    """
    origin, found = _parts(path)
    return [{**row, **origin} for row in found]


def _parts(path: Path) -> tuple[dict[str, str], list[Row]]:
    """Return the header's fields, and the rows."""
    with path.open(newline="") as file:
        lines = list(file)
    head = list(takewhile(lambda line: line.startswith(_HEAD), lines))
    origin = dict(line.removeprefix(_HEAD).rstrip("\n").split(": ", 1) for line in head)
    return origin, [*csv.DictReader(lines[len(head) :])]
