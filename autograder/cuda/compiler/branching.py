"""Counts the branches in a kernel's loops: places where the data decide what is done, and not only which value is used.

They are read from the compiler's IR, where all spellings are one: an `if`, a `switch`, a `goto`, a `?:` or `&&` with
something to do after it, a loop that goes round as often as the data say; in a loop itself, or in what it calls.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache

from .ir import AddressStep, Alloca, Atomic, Block, Call, Function, Instruction, Load, Module, Store, Terminator
from .ir.flow import find_loops, meeting_points, reached, successors
from .toolchain import kernel_ir
from .verifier.rules import is_in_text

_VALUE = re.compile(r"%[\w.]+")
#: The prelude's threadIdx and its like, which are no data.
_INDEX = "__cuda_builtin_"


@lru_cache(maxsize=16)  # a check asks again for each case
def count_branches(source: str, name: str) -> int:
    """Return how many branches the loops of kernel `name` have, with those of functions that a loop calls. The text
    must compile."""
    return _Program(kernel_ir(source, name)).count()


class _Program:
    """All functions of a module, and what they do."""

    def __init__(self, module: Module) -> None:
        self.module, self.functions = module, module.functions
        self.called = {name: _callees(function.instructions()) for name, function in self.functions.items()}
        self.variables = {name: _variables_of(function) for name, function in self.functions.items()}
        # Functions that change, or read, data other than their variables.
        self.writing = self._all_that(lambda i, variables: isinstance(i, Store) and i.pointer.value not in variables)
        self.reading = self._all_that(
            lambda i, variables: isinstance(i, Load) and self.is_data(i.pointer.value, variables)
        )
        self.reading -= {name for name in self.functions if _INDEX in name}

    def count(self) -> int:
        kernel = self._and_called({"@emu_entry"})
        repeated = self._repeated(kernel)
        return sum(
            _count_in(self, self.functions[name], name in repeated)
            for name in kernel
            if (debug := self.functions[name].debug) and is_in_text(debug, self.module.metadata)
        )

    def is_data(self, pointer: str, variables: dict[str, str]) -> bool:
        """Return whether a pointer leads to data that is neither the function's nor constant."""
        variable = self.module.globals.get(pointer)
        return pointer not in variables and not (
            variable and (variable.kind == "constant" or variable.name == "@warpSize")
        )

    def does_something(self, block: Block) -> bool:
        """Return whether a block changes anything."""
        return any(
            isinstance(i, Store | Atomic)
            or (isinstance(i, Call) and (i.callee in self.writing or i.callee.startswith("@llvm.mem")))
            for i in block.instructions
        )

    def _all_that(self, does: Callable[[Instruction, dict[str, str]], bool]) -> set[str]:
        """Return the functions with such an instruction, an atomic, or a call of the runtime's; and those that call
        them."""
        found = {callee for called in self.called.values() for callee in called if callee.startswith("@emu_")}
        for name, function in self.functions.items():
            if any(isinstance(i, Atomic) or does(i, self.variables[name]) for i in function.instructions()):
                found.add(name)
        while more := {name for name, called in self.called.items() if name not in found and called & found}:
            found |= more
        return found

    def _and_called(self, names: set[str]) -> set[str]:
        """These functions of the module, and all that they call; any, if they call by a pointer."""
        found, ahead = set[str](), set(names)
        while ahead:
            found |= ahead
            called = set[str]().union(*(self.called[name] for name in ahead))
            if any(not callee.startswith("@") for callee in called):
                return set(self.functions)
            ahead = (called & self.functions.keys()) - found
        return found

    def _repeated(self, kernel: set[str]) -> set[str]:
        """Return the functions that a loop calls, or that call themselves."""
        starts = set[str]()
        for name in kernel:
            function = self.functions[name]
            loops = find_loops(function)
            within = range(len(function.blocks)) if loops is None else {i for loop in loops for i in loop.body}
            called = _callees(i for at in within for i in function.blocks[at].instructions)
            if any(not callee.startswith("@") for callee in called):
                return kernel
            starts |= called & self.functions.keys()
            if name in self._and_called(self.called[name] & self.functions.keys()):
                starts.add(name)
        return self._and_called(starts)


def _count_in(program: _Program, function: Function, repeated: bool) -> int:
    """Return how many branches a function of the text has in its loops; or anywhere, if it is repeated itself."""
    blocks, loops = function.blocks, find_loops(function)
    choices = [i for i, b in enumerate(blocks) if len(_labels(b.instructions[-1])) > 1 and not _is_check(b)]
    if loops is None:  # a goto into a loop, or very many blocks
        return len(choices)
    after, meeting, count = successors(function), meeting_points(function), 0
    outer, inner = (_Data(program, function, repeated, known) for known in (False, True))
    doing = {i for i, block in enumerate(blocks) if program.does_something(block)}
    for i in choices:
        around = sorted((loop.body for loop in loops if i in loop.body), key=len)
        if around and not around[0].issuperset(after[i]):  # the loop's condition, or a way out of it
            count += (inner if repeated or len(around) > 1 else outer).decides(blocks[i])
        elif around or repeated:
            arms = reached(after[i], after, {met for met in meeting[i : i + 1] if met is not None})
            count += not arms.isdisjoint(doing)
    return count


def _is_check(block: Block) -> bool:
    """Return whether a block ends with a check of the compiler's."""
    return bool(block.instructions[-1].attachment("nosanitize"))


class _Data:
    """Which values and variables of a function depend on what it loads.

    Args:
        repeated: its parameters may, too, since a loop calls it.
        known: so may variables whose address others know.
    """

    def __init__(self, program: _Program, function: Function, repeated: bool, known: bool) -> None:
        self._program, self._variables, self._known = program, program.variables[function.name], known
        # What follows from a value; and from the empty one, what depends on data by itself.
        self._follows = defaultdict[str, list[str]](list)
        if repeated:
            self._follows[""] += _VALUE.findall(function.head.partition("(")[2])
        for block, meeting in zip(function.blocks, meeting_points(function), strict=True):
            for i in block.instructions:
                self._add(i)
            if len(_labels(block.instructions[-1])) > 1 and meeting is not None:
                chosen = [i.result for i in function.blocks[meeting].instructions if i.opcode == "phi"]
                self._follow(_condition(block), chosen)
        self._values, ahead = set[str](), [""]
        while ahead:
            more = set(self._follows.pop(ahead.pop(), ())) - self._values
            self._values |= more
            ahead += more

    def decides(self, block: Block) -> bool:
        """Return whether data decide where a block leads."""
        return not self._values.isdisjoint(_condition(block))

    def _follow(self, causes: Iterable[str], effects: Iterable[str]) -> None:
        for cause in causes:
            self._follows[cause] += effects

    def _add(self, i: Instruction) -> None:
        if isinstance(i, Store):
            if at := self._variables.get(i.pointer.value):
                self._follow(_VALUE.findall(i.value.value), [at])
            if self._known and i.value.value in self._variables:
                self._follow([""], [self._variables[i.value.value]])
        elif isinstance(i, Call):
            self._add_call(i)
        elif isinstance(i, Load) and i.pointer.value in self._variables:
            self._follow([self._variables[i.pointer.value]], [i.result])
        elif isinstance(i, Atomic) or (isinstance(i, Load) and self._program.is_data(i.pointer.value, self._variables)):
            self._follow([""], [i.result])
        elif i.result:
            self._follow(_VALUE.findall(i.text.partition(" = ")[2]), [i.result])

    def _add_call(self, i: Call) -> None:
        given = [self._variables.get(a.value, a.value) for a in i.arguments]
        if i.callee.startswith("@llvm.mem"):  # to the first argument, from the second
            self._follow(["" if self._program.is_data(i.arguments[1].value, self._variables) else given[1]], given[:1])
            return
        reads = i.callee in self._program.reading or not i.callee.startswith("@")
        self._follow(["", *given] if reads else given, [i.result])
        if self._known and i.callee in self._program.writing:
            self._follow([""], [self._variables[a.value] for a in i.arguments if a.value in self._variables])


def _variables_of(function: Function) -> dict[str, str]:
    """Return the function's variables, by each value that points into one."""
    variables: dict[str, str] = {}
    for i in function.instructions():
        if isinstance(i, Alloca):
            variables[i.result] = i.result
        elif isinstance(i, AddressStep) and i.base.value in variables:
            variables[i.result] = variables[i.base.value]
    return variables


def _callees(instructions: Iterable[Instruction]) -> set[str]:
    """Return what is called, but for what instruments and describes."""
    callees = {i.callee for i in instructions if isinstance(i, Call)}
    return {callee for callee in callees if not callee.startswith(("@llvm.", "@__ubsan_"))}


def _condition(block: Block) -> list[str]:
    """Return the values that decide where a block leads."""
    return _VALUE.findall(block.instructions[-1].text.partition(",")[0])


def _labels(end: Instruction) -> set[str]:
    return set(end.labels) if isinstance(end, Terminator) else set()
