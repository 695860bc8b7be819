"""Marks the loops and calls of LLVM IR, so that the runtime knows in which round of each loop a thread is.

The lanes of a warp that take part in one request of memory are at one instruction in the same round of every loop
around it, and came there through the same calls: a GPU lets lanes that leave a loop early wait behind it. So each
thread keeps a number, its place: the sum of a constant for each call that it is in, and of another constant for
each round of each loop. With constants as good as random, two places are as good as never the same number.
The place is the first word of what the register GS points to, `Running` in emulator/recent.h. It is read anew each
time: what is the runtime's must not lie in a register from one access to the next, see emulator/inline_hooks.cpp.

A loop is what LLVM calls one: a block that dominates a block which leads back to it, and all between. To it belongs
also the way out of it, up to where all that leave it meet again, its immediate post-dominator: lanes that `break`
in different rounds do not make together what stands before the `break`. A lane that returns holds up nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from hashlib import blake2b

from .local_arrays import FUNCTION, instrumented_functions

_LABEL = re.compile(r"^([-\w.$]+):")
_TERMINATOR = re.compile(r"^  (?:br|switch|ret|unreachable)\b")
_SYMBOL = r'[@%](?:[-\w.$]+|"[^"]*")'
_ACCESS = re.compile(rf"^  (?:{_SYMBOL} = load|store) .*?, ptr (?P<at>{_SYMBOL})")
_CALL = re.compile(rf"^  (?:{_SYMBOL} = )?(?:\w+ )?call .*?(?P<callee>{_SYMBOL})\(")
_NAME = re.compile(rf"^define .*?({_SYMBOL})\(")
#: Nobody counts a thread's own variables, and these make no other access.
_HARMLESS = re.compile(r"@llvm\.(?!mem)|@__ubsan_|@emu_local_|@emu_check_copy$")
#: A function of more blocks stays as it is: to find its loops might take longer than to compile it, and a text of that
#: size is hardly written by hand.
_MOST_BLOCKS = 2000
_PLACE = "ptr addrspace(256) null"


def _load_place(name: str) -> Iterator[str]:
    yield f"  {name} = load volatile i64, {_PLACE}, align 8"


def _store_place(name: str) -> Iterator[str]:
    yield f"  store volatile i64 {name}, {_PLACE}, align 8"


def mark_loops(ir: str) -> str:
    """The IR text, before its accesses are instrumented, in which each thread keeps its place up to date wherever
    it may access memory."""
    functions = {name[1]: f[0] for f in FUNCTION.finditer(ir) if (name := _NAME.match(f[0]))}
    reaching = _functions_with_accesses(functions)
    watched = instrumented_functions(ir)
    worth_marking = reaching & {name[1] for head in watched if (name := _NAME.match(head))}

    def in_function(function: re.Match[str]) -> str:
        if function[0].partition("\n")[0] not in watched:
            return function[0]
        return _Marker(function[0], set(functions) - reaching, worth_marking).text()

    return FUNCTION.sub(in_function, ir)


def loop_depths(function: str) -> list[int]:
    """In how many loops each line of a function's text stands, from its first to its closing one."""
    _, *lines = function.split("\n")
    blocks = _blocks(lines[:-1])
    loops = _loops(blocks) if len(blocks) <= _MOST_BLOCKS else []
    depths = (sum(i in loop.body for loop in loops) for i in range(len(blocks)))
    return [0, *(depth for block, depth in zip(blocks, depths, strict=True) for _ in block.lines), 0]


def _functions_with_accesses(functions: dict[str, str]) -> set[str]:
    """Those whose own lines, or those of a function that they call, may access memory."""
    found, calls = set(), {}
    for name, text in functions.items():
        lines = text.split("\n")
        own = _own_variables(lines)
        calls[name] = {call["callee"] for line in lines if " call " in line and (call := _CALL.match(line))}
        if any(_is_access(line, own) for line in lines) or any(
            callee not in functions and not _HARMLESS.match(callee) for callee in calls[name]
        ):
            found.add(name)
    while more := {name for name in functions if name not in found and calls[name] & found}:
        found |= more
    return found


def _own_variables(lines: Iterable[str]) -> set[str]:
    return {line.split(" = ")[0].strip() for line in lines if " = alloca " in line}


def _is_access(line: str, own: set[str]) -> bool:
    access = _ACCESS.match(line)
    return access is not None and access["at"] not in own


@dataclass
class _Block:
    lines: list[str]
    after: list[int] = field(default_factory=list)  # the blocks that may follow
    before: list[int] = field(default_factory=list)


@dataclass
class _Loop:
    header: int
    body: set[int]  # the blocks that lead back to the header
    region: set[int] = field(default_factory=set)  # and the ways out of it, up to where they meet
    parent: int = 0  # the number of the loop around it, counted from 1; 0: none


class _Marker:
    """One function, taken apart into blocks and put together again with marks."""

    def __init__(self, function: str, harmless: set[str], marked_calls: set[str]) -> None:
        self._head, *lines = function.split("\n")
        self._name = self._head.partition("(")[0]
        self._own = _own_variables(lines)
        self._harmless, self._marked_calls = harmless, marked_calls
        self._blocks = _blocks(lines[:-1])
        loops = _loops(self._blocks) if len(self._blocks) <= _MOST_BLOCKS else []
        self._loops = [loop for loop in loops if any(map(self._reaches, loop.region))]
        self._loops.sort(key=lambda loop: (len(loop.region), len(loop.body)))
        for i, loop in enumerate(self._loops):
            around = (k for k in range(i + 1, len(self._loops)) if loop.header in self._loops[k].region)
            loop.parent = next(around, -1) + 1
        self._inner = [
            next((k for k, loop in enumerate(self._loops, 1) if i in loop.region), 0) for i in range(len(self._blocks))
        ]
        headers = {loop.header for loop in self._loops}
        self._back = {
            i
            for i, block in enumerate(self._blocks)
            if i not in headers and any(self._inner[b] != self._inner[i] for b in block.before)
        }
        # The numbers of the loops whose place must be known again, behind a loop in them. 0: of the function.
        self._kept = {0} | {loop.parent for loop in self._loops} | {self._inner[i] for i in self._back}

    def text(self) -> str:
        bodies = [list(self._marked(i)) for i in range(len(self._blocks))]
        if not self._loops and bodies == [block.lines for block in self._blocks]:
            return "\n".join([self._head, *(line for body in bodies for line in body), "}"])
        begin = [f"  %emu.place.{k} = alloca i64, align 8" for k in sorted(self._kept)]
        begin += [*_load_place("%emu.start"), "  store i64 %emu.start, ptr %emu.place.0, align 8"]
        return "\n".join([self._head, *begin, *(line for body in bodies for line in body), "}"])

    def _reaches(self, i: int) -> bool:
        """Whether a block may access memory."""
        lines = self._blocks[i].lines
        calls = {call["callee"] for line in lines if " call " in line and (call := _CALL.match(line))} - self._harmless
        return any(_is_access(line, self._own) for line in lines) or not all(map(_HARMLESS.match, calls))

    def _marked(self, i: int) -> Iterator[str]:
        at_head = True
        for n, line in enumerate(self._blocks[i].lines):
            if at_head and not _LABEL.match(line) and " = phi " not in line:
                yield from self._mark_head(i)
                at_head = False
            if _TERMINATOR.match(line):
                yield from self._mark_end(i)
            call = _CALL.match(line)
            if call and (call["callee"].startswith("%") or call["callee"] in self._marked_calls):
                yield from self._mark_call(f"{i}.{n}", line)
            else:
                yield line

    def _mark_head(self, i: int) -> Iterator[str]:
        for k, loop in enumerate(self._loops, 1):
            if loop.header == i:
                # A variable would cost a register in each of the innermost loops.
                if k in self._kept:
                    yield f"  %emu.last.{k} = load i64, ptr %emu.place.{k}, align 8"
                else:
                    yield from _load_place(f"%emu.last.{k}")
                yield f"  %emu.round.{k} = add i64 %emu.last.{k}, {self._constant('loop', k)}"
                yield from _store_place(f"%emu.round.{k}")
                if k in self._kept:
                    yield f"  store i64 %emu.round.{k}, ptr %emu.place.{k}, align 8"
        if i in self._back:
            yield from self._mark_place(f"back.{i}", self._inner[i])

    def _mark_end(self, i: int) -> Iterator[str]:
        for k, loop in enumerate(self._loops, 1):
            if k in self._kept and loop.header in self._blocks[i].after and i not in loop.body:
                yield f"  %emu.outside.{i}.{k} = load i64, ptr %emu.place.{loop.parent}, align 8"
                yield f"  store i64 %emu.outside.{i}.{k}, ptr %emu.place.{k}, align 8"
        if not self._blocks[i].after and self._inner[i]:
            yield from self._mark_place(f"end.{i}", 0)

    def _mark_call(self, name: str, call: str) -> Iterator[str]:
        yield from _load_place(f"%emu.here.{name}")
        yield f"  %emu.there.{name} = add i64 %emu.here.{name}, {self._constant('call', name)}"
        yield from _store_place(f"%emu.there.{name}")
        yield call
        yield from _store_place(f"%emu.here.{name}")

    def _mark_place(self, name: str, inner: int) -> Iterator[str]:
        yield f"  %emu.{name} = load i64, ptr %emu.place.{inner}, align 8"
        yield from _store_place(f"%emu.{name}")

    def _constant(self, *what: object) -> int:
        """As good as random, the same each time, and small enough to stand in one instruction."""
        return int.from_bytes(blake2b(repr((self._name, *what)).encode(), digest_size=4).digest()) >> 1 | 1


def _blocks(lines: list[str]) -> list[_Block]:
    """The blocks of a function's body in the order of the text, which is the source's."""
    blocks = [_Block([])]
    labels: dict[str, int] = {}
    ended = False
    for line in lines:
        label = _LABEL.match(line)
        if label:
            if ended:
                blocks.append(_Block([]))
            labels[label[1]] = len(blocks) - 1
            ended = False
        ended |= bool(_TERMINATOR.match(line))
        blocks[-1].lines.append(line)
    for i, block in enumerate(blocks):
        start = next(n for n, line in enumerate(block.lines) if _TERMINATOR.match(line))
        # The entry has a number of its own, to which nothing can lead.
        block.after = [labels[label] for label in re.findall(r"label %([-\w.$]+)", "\n".join(block.lines[start:]))]
        for b in set(block.after):
            blocks[b].before.append(i)
    return blocks


def _loops(blocks: list[_Block]) -> list[_Loop]:
    """The natural loops, one for each header."""
    after = [block.after for block in blocks]
    reached = _reached([0], after, set())
    before = [[b for b in block.before if b in reached] for block in blocks]
    dominators = _dominators(range(len(blocks)), {0}, before)
    bodies: dict[int, set[int]] = {}
    for i in sorted(reached):
        for header in after[i]:
            if dominators[i] >> header & 1:
                body = bodies.setdefault(header, {header})
                body |= _reached([i], before, body)
    returns = {i for i, block in enumerate(blocks) if any(line.startswith("  ret ") for line in block.lines)}
    ahead = _post_dominators(after, returns)
    loops = []
    for header, body in bodies.items():
        ways_out = [b for i in sorted(body) for b in after[i] if b not in body]
        # What stands between a loop's blocks and is none of them leads out of it: by a `return`, as far as it can.
        leaving = {i for i in range(min(body), max(body)) if i not in body and returns & set(after[i])}
        meeting = None
        if leaving:
            staying = [[b for b in those if i not in leaving or b not in returns] for i, those in enumerate(after)]
            meeting = _meeting(ways_out, _post_dominators(staying, returns))
        if meeting is None:
            meeting = _meeting(ways_out, ahead)
        around = {other for other, theirs in bodies.items() if other != header and header in theirs}
        walls = returns | around | ({meeting} if meeting is not None else set())
        loops.append(_Loop(header, body, body | _reached(ways_out, after, walls)))
    return loops


def _meeting(ways_out: list[int], ahead: list[int]) -> int | None:
    """The block at which all meet again that leave a loop; None: there is none."""
    everything = (1 << len(ahead)) - 1
    common = reduce(int.__and__, (ahead[i] for i in ways_out), everything)
    return next((i for i, those in enumerate(ahead) if those == common != everything), None)


def _reached(starts: Iterable[int], next_ones: list[list[int]], walls: set[int]) -> set[int]:
    """The blocks to which a way leads from `starts` that enters no block of `walls`."""
    found: set[int] = set()
    ahead = list(starts)
    while ahead:
        i = ahead.pop()
        if i not in found and i not in walls:
            found.add(i)
            ahead += next_ones[i]
    return found


def _post_dominators(after: list[list[int]], returns: set[int]) -> list[int]:
    return _dominators(range(len(after) - 1, -1, -1), returns, after)


def _dominators(order: range, starts: set[int], before: list[list[int]]) -> list[int]:
    """For each block, as bits, those that every way to it from `starts` passes; all of them where there is no way."""
    everything = (1 << len(before)) - 1
    found = [1 << i if i in starts else everything for i in range(len(before))]
    changed = True
    while changed:
        changed = False
        for i in order:
            passed = reduce(int.__and__, (found[b] for b in before[i]), everything) | 1 << i
            if i not in starts and passed != found[i]:
                found[i] = passed
                changed = True
    return found
