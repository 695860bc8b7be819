"""Traced runs of the book's kernels, for the tests of its figures."""

from course_book import banks, levels, sectors, traced


def sectors_of(file: str, array: str, mark: str, launch: str = "") -> sectors.Sectors:
    trace = traced.trace(file, launch=launch)
    return sectors.from_trace(trace, trace.request(array, mark))


def banks_of(file: str, array: str, mark: str, launch: str = "", *, time: int = 1) -> banks.Banks:
    trace = traced.trace(file, launch=launch)
    return banks.from_trace(trace, trace.request(array, mark, time=time))


def levels_of() -> tuple[levels.Level, ...]:
    """Block (1, 0) and its thread 9, in phase 2 of 4."""
    trace = traced.trace("register_blocking/four_levels.cu")
    return levels.from_trace(trace, ("A", "B", "C"), ("tile_A", "tile_B"), block=1, phase=2, thread=9)
