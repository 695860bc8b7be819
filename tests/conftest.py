"""What all tests share: which of them run, and the fixtures of rooms, in modules whose names differ."""

import os
import signal

# Before anything imports numpy: each worker has one core, and the others' would only wait for each other.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import inputs
import pytest
from slurm_daemons import NO_SLURM

pytest_plugins = ["result_cache", "sampling", "order", "compile_fixtures", "course_fixtures", "book_fixtures"]


def pytest_configure() -> None:
    """Let commands be interrupted where a shell started the tests in the background, with interrupts ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # what the tests' processes inherit
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the cells of notebooks, which nbval collects. They are not tried twice: a cell prints the same each time."""
    if item.path.suffix == ".ipynb":
        item.add_marker(inputs.notebook)
        item.add_marker(pytest.mark.flaky(reruns=0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say that nothing was tried with Slurm: where a machine cannot start it, its tests would be missed by nobody."""
    skipped = [report.longrepr for report in terminalreporter.stats.get("skipped", ())]
    why = [str(at[2]) for at in skipped if isinstance(at, tuple) and at[2].startswith(f"Skipped: {NO_SLURM}")]
    if why:
        terminalreporter.write_line(f"{len(why)} tests with Slurm did not run: {why[0].partition(NO_SLURM)[2]}.")
