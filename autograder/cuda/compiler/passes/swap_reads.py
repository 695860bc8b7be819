"""Makes the reads atomic by which threads get the value that they then compare and swap.

The CUDA C++ Programming Guide begins such a loop with a plain read of the element. Other threads change the element by
atomic operations meanwhile, so by the letter it is a race; but a value that is out of date does no harm, since the swap
then fails. Where the value that a plain read gives goes, through variables and casts alone, to the comparison of a
compare-and-swap at the same address, the thread loads it as by an atomic operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir import AddressStep, Call, Function, Instruction, Load, Module, Store, read_instruction, variables
from .cells import is_fill, private_variables

_SWAPS = "@emu_compare_and_swap"
_ATOMIC, _ATOMIC_LOAD = "@emu_atomic", "@emu_atomic_load"
#: What an index may go through.
_CASTS = frozenset({"sext", "zext", "trunc"})


def read_atomically_for_swaps(module: Module) -> None:
    """Replace such reads in the functions of the text by calls."""
    functions = module.functions
    swaps = {
        name: function
        for name, function in functions.items()
        if any(isinstance(instr, Call) and instr.callee == _SWAPS for instr in function.instructions())
    }
    made: dict[str, Function] = {}
    for function in functions.values():
        if module.has_attribute(function, "sanitize_thread"):
            reads = _Function(function).reads(swaps)
            for swap in {swap for swap, _ in reads.values()} - made.keys():
                made[swap] = _load_like(functions[swap])
            _call(function, {read: (made[swap].name, type_) for read, (swap, type_) in reads.items()})
    if made:
        module.items += [item for load in made.values() for item in (load, "")]
        module.declare({_ATOMIC_LOAD: f"declare void {_ATOMIC_LOAD}(ptr, i32, i32, ptr)"})


class _Function:
    def __init__(self, function: Function) -> None:
        self._instructions = tuple(function.instructions())
        self._made = {instr.result: instr for instr in self._instructions if instr.result}
        self._private = private_variables(function)
        stores = (instr for instr in self._instructions if isinstance(instr, Store) and not is_fill(instr))
        stored = [instr for instr in stores if instr.pointer.value in self._private]
        targets = [instr.pointer.value for instr in stored]
        #: What variables hold that are set in one place only.
        self._held = {
            instr.pointer.value: instr.value.value for instr in stored if targets.count(instr.pointer.value) == 1
        }

    def reads(self, swaps: dict[str, Function]) -> dict[str, tuple[str, str]]:
        """Return the function of `swaps` that compares with each such read, by the read's result, and its number's
        type."""
        calls = [instr for instr in self._instructions if isinstance(instr, Call) and instr.callee in swaps]
        plain = [instr for instr in self._instructions if calls and self._is_plain(instr)]
        return {
            read.result: (call.callee, call.arguments[1].type)
            for read in plain
            if isinstance(read, Load)
            for derived in [self._derived(read.result)]
            for call in calls
            if call.arguments[1].value in derived and self._is_same(call.arguments[0].value, read.pointer.value)
        }

    def _is_plain(self, instr: Instruction) -> bool:
        return (
            isinstance(instr, Load)
            and not instr.volatile
            and not instr.ordering
            and instr.pointer.value not in self._private
        )

    def _derived(self, result: str) -> set[str]:
        """Return what holds the value `result`, or a value with the same bits."""
        derived, before = {result}, 0
        while len(derived) > before:
            before = len(derived)
            for instr in self._instructions:
                if isinstance(instr, Store) and instr.value.value in derived and instr.pointer.value in self._private:
                    derived.add(instr.pointer.value)
                elif (isinstance(instr, Load) and instr.pointer.value in derived & self._private.keys()) or (
                    _keeps_bits(instr) and derived & (variables(instr.text) - {instr.result})
                ):
                    derived.add(instr.result)
        return derived

    def _is_same(self, a: str, b: str) -> bool:
        """Return whether two addresses, or numbers in them, are the same, if no variable changes between."""
        x, y = self._origin(a), self._origin(b)
        if x == y:
            return True
        first, other = self._made.get(x), self._made.get(y)
        if isinstance(first, Load) and isinstance(other, Load):
            return self._is_same(first.pointer.value, other.pointer.value)
        if isinstance(first, AddressStep) and isinstance(other, AddressStep):
            parts: Sequence[tuple[str, str]] = [
                (p.value, q.value)
                for p, q in zip((first.base, *first.indices), (other.base, *other.indices), strict=False)
            ]
            alike = first.type == other.type and len(first.indices) == len(other.indices)
            return alike and all(self._is_same(p, q) for p, q in parts)
        if first and other and first.opcode == other.opcode and first.opcode in _CASTS:
            (p,), (q,) = (variables(each.text) - {each.result} for each in (first, other))
            return self._is_same(p, q)
        return False

    def _origin(self, value: str) -> str:
        """Return what `value` was before it was put into variables that are set only once."""
        instr = self._made.get(value)
        while isinstance(instr, Load) and instr.pointer.value in self._held:
            value = self._held[instr.pointer.value]
            instr = self._made.get(value)
        return value


def _keeps_bits(instr: Instruction) -> bool:
    return instr.opcode == "bitcast" or (isinstance(instr, Call) and "_as_" in instr.callee)


def _load_like(swap: Function) -> Function:
    """Return the prelude's function `swap` up to where it has loaded the number, as an atomic load."""

    def instructions() -> Iterator[Instruction]:
        for instr in swap.blocks[0].instructions:
            if instr.opcode == "icmp":
                break
            if isinstance(instr, Call) and instr.callee == _SWAPS:
                continue
            text = instr.text.replace(f"{_ATOMIC}(", f"{_ATOMIC_LOAD}(") if isinstance(instr, Call) else instr.text
            if not text.lstrip().startswith("#dbg"):
                yield read_instruction(text.split(", !dbg")[0])

    body = list(instructions())
    number = next(instr for instr in body if isinstance(instr, Load) and instr.type != "ptr")
    body.append(read_instruction(f"  ret {number.type} {number.result}"))
    name = f"{swap.name}.load"
    head = swap.head.replace(swap.name, name, 1).replace(f" !dbg {swap.debug}", "")
    block = swap.blocks[0]
    return Function(head, name, swap.groups, "", [type(block)(block.head, block.label, body)])


def _call(function: Function, loads: dict[str, tuple[str, str]]) -> None:
    def change(read: Instruction) -> Iterator[str]:
        if not isinstance(read, Load) or read.result not in loads:
            yield read.text
            return
        name, type_ = loads[read.result]
        result = read.result if read.type == type_ else f"%emu.read.{read.result[1:]}"
        unused = f"{type_} 0, {type_} 0"
        yield f"  {result} = call {type_} {name}(ptr {read.pointer.value}, {unused}){read.line}"
        if read.type != type_:
            yield f"  {read.result} = bitcast {type_} {result} to {read.type}"

    if loads:
        function.rewrite(lambda read: map(read_instruction, change(read)))
