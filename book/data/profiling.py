"""Nsight Compute's numbers on what a script launches: `ncu` starts the script again, and profiles that run."""

import csv
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence

import cupy as cp
import numpy as np

#: Options of `ncu`: to profile what `launch` profiles, or every kernel whose name has "gemm" in it.
CHOSEN, GEMMS = ("--profile-from-start", "off"), ("-k", "regex:gemm")

Profile = dict[str, str]


def profiled(which: Sequence[str], metrics: Iterable[str], script: str, *arguments: str) -> list[Profile]:
    """A row for each launch that is profiled while `script` runs with these arguments: its "Kernel Name" and the
    metrics, in base units. Of `which` launches is CHOSEN or GEMMS.

    Raises:
        AssertionError: `ncu` or the script failed; the message is what they printed.
    """
    command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", *which]
    command += ["--metrics", ",".join(metrics), sys.executable, script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return list(csv.DictReader(line for line in done.stdout.splitlines() if line.startswith('"')))[1:]  # units first


def number(row: Profile, metric: str) -> float:
    """A metric of a launch; 0 if the GPU has none of it."""
    return float((row.get(metric) or "0").replace(",", ""))


def median(rows: Sequence[Profile], metric: str) -> float:
    return float(np.median([number(row, metric) for row in rows]))


def launch(calls: Iterable[Callable[[], object]], runs: int) -> None:
    """Launch each call once, since it may load code, and then `runs` times to be profiled."""
    for call in calls:
        call()
        cp.cuda.Device().synchronize()
        cp.cuda.profiler.start()
        for _ in range(runs):
            call()
        cp.cuda.Device().synchronize()
        cp.cuda.profiler.stop()
