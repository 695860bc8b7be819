"""Traced runs of the book's kernels, for the tests of its figures."""

from course_book import banks, sectors, traced


def sectors_of(file: str, array: str, mark: str, launch: str = "") -> sectors.Sectors:
    trace = traced.trace(file, launch=launch)
    return sectors.from_trace(trace, trace.request(array, mark))


def banks_of(file: str, array: str, mark: str, launch: str = "", *, time: int = 1) -> banks.Banks:
    trace = traced.trace(file, launch=launch)
    return banks.from_trace(trace, trace.request(array, mark, time=time))
