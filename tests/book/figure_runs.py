"""Traced runs of the book's kernels, for the tests of its figures."""

from course_book import banks, sectors, touches, traced


def sectors_of(file: str, array: str, mark: str, launch: str = "", **which: int) -> sectors.Sectors:
    trace = traced.trace(file, launch=launch)
    return sectors.from_trace(trace, trace.request(array, mark, **which))


def banks_of(file: str, array: str, mark: str, launch: str = "", **which: int) -> banks.Banks:
    trace = traced.trace(file, launch=launch)
    return banks.from_trace(trace, trace.request(array, mark, **which))


def touched(file: str, array: str, **how) -> touches.Touches:
    return touches.from_trace(traced.trace(file), array, **how)
