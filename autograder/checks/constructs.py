"""Counts the constructs that a launch uses to get its results: shared memory, atomics, shuffles, ..."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from ..core.run import Counts, Run
from ..source.text import blank, blank_directives, join_lines

_LOOP = re.compile(r"\b(?:for|while)\b\s*(?=\()|\bdo\b")
_CHOICE = re.compile(r"\b(?:if|switch|break|goto)\b")
_HIDDEN = re.compile(r"\b(?:if|switch|break|goto|for|while|do)\b")
_DEFINITION = re.compile(r"^[^\S\n]*#[^\S\n]*define\b(.*)", re.MULTILINE)
#: The name of a function, or of what holds a lambda, up to its parameters; and what may stand between these and the
#: body.
_FUNCTION = re.compile(r"\b(?!(?:for|while|if|switch)\b)(\w+)\s*(?:(?=\()|=\s*\[[^][]{0,200}\]\s*(?=[({]))")
_BODY = re.compile(r"[^;(){}]{0,200}(?=\{)")
_NONE = (sys.maxsize, 0)


def times_used(construct: str, run: Run, counts: Counts, source: str) -> int:
    """How often a launch uses `construct`, one of `CONSTRUCTS`; for static shared memory, its size in bytes.

    Args:
        run, counts: what the launch did.
        source: the kernel's text.
    """
    return CONSTRUCTS[construct](run, counts, source)


def _shared_memory(run: Run, counts: Counts, source: str) -> int:
    return counts.shared_loads + counts.shared_stores + counts.atomics - counts.global_atomics


def _ifs_in_loops(source: str) -> int:
    """How many times a loop of the text, or a function that one calls, has an `if` or a `switch`; or, if none has, a
    jump, which makes one of a loop. A `goto` may make a loop, too; and a macro that spells one of these words, or a
    loop's, hides what stands where."""
    joined, _ = join_lines(source)
    code = blank(joined)
    macros = sum(len(_HIDDEN.findall(definition)) for definition in _DEFINITION.findall(code))
    code = blank_directives(code)
    bodies, reach, ifs, jumps = iter(_repeated(code)), 0, 0, 0
    start, end = next(bodies, _NONE)
    for found in _CHOICE.finditer(code):
        while start <= found.start():
            reach = max(reach, end)
            start, end = next(bodies, _NONE)
        ifs += found[0] in ("if", "switch") and found.start() < reach
        jumps += found[0] == "goto" or (found[0] == "break" and found.start() < reach)
    return macros + (ifs or jumps)


def _repeated(code: str) -> list[tuple[int, int]]:
    """Where loops, and the bodies of functions that they call, begin and end in `code`, which has no comments; in the
    order of beginnings."""
    closing = _closings(code)
    named = [(f.start(), f[1], closing[f.end()] if code[f.end()] == "(" else f.end()) for f in _FUNCTION.finditer(code)]
    functions = defaultdict[str, list[tuple[int, int]]](list)
    for _, name, end in named:
        if body := _BODY.match(code, end):
            functions[name].append((body.end(), closing[body.end()]))
    ahead = repeated = list(_bodies(code, closing))
    while ahead:
        called, reach = set[str](), 0
        for start, end in sorted(ahead):
            first = bisect_left(named, (max(start, reach), ""))
            called.update(name for _, name, _ in named[first : bisect_left(named, (end, ""))])
            reach = max(reach, end)
        ahead = [body for name in called for body in functions.pop(name, ())]
        repeated += ahead
    return sorted(repeated)


def _bodies(code: str, closing: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Where each loop begins, with its condition, and ends; `closing` is that of `_closings`."""
    # The next semicolon or block from each offset on, but in parentheses.
    stops = [len(code)] * (len(code) + 2)
    for at in range(len(code) - 1, -1, -1):
        stops[at] = at if code[at] in ";{" else stops[closing[at] if code[at] == "(" else at + 1]
    for loop in _LOOP.finditer(code):
        start = loop.end() if loop[0] == "do" else closing[loop.end()]
        stop = stops[start]
        yield loop.end(), closing[stop] if code[stop : stop + 1] == "{" else stop + 1


def _closings(code: str) -> dict[int, int]:
    """The offset after the bracket that closes each one; the end of `code` if none does."""
    closing, open_ = dict[int, int](), list[int]()
    for bracket in re.finditer(r"[(){}]", code):
        if bracket[0] in "({":
            open_.append(bracket.start())
        elif open_:
            closing[open_.pop()] = bracket.end()
    return closing | dict.fromkeys(open_, len(code))


#: How to detect each one: from what the launch did or, if that leaves no trace in memory, from the kernel's text.
CONSTRUCTS: Mapping[str, Callable[[Run, Counts, str], int]] = {
    "shared_memory": _shared_memory,
    "static_shared_memory": lambda run, counts, source: run.static_shared,
    "constant_memory": lambda run, counts, source: counts.constant_loads,
    "barriers": lambda run, counts, source: counts.barriers,
    "atomics": lambda run, counts, source: counts.atomics,
    "compare_and_swap": lambda run, counts, source: counts.compare_and_swaps,
    "shuffles": lambda run, counts, source: counts.shuffles,
    "lane_exchanges": lambda run, counts, source: counts.shuffles + counts.votes,
    "if_in_a_loop": lambda run, counts, source: _ifs_in_loops(source),
}
