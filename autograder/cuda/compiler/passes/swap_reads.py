"""Makes the reads atomic by which threads get the value that they then compare and swap.

The CUDA C++ Programming Guide begins such a loop with a plain read of the element. Other threads change the element by
atomic operations meanwhile, so by the letter it is a race; but a value that is out of date does no harm, since the swap
then fails. Where the value that a plain read gives goes, through variables and casts alone, to the comparison of a
compare-and-swap at the same address, the thread loads it as by an atomic operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir import AddressStep, Call, Function, Instruction, Load, Module, Store, read_instruction, variables
from .cells import is_fill, own_variables

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
        if any(isinstance(one, Call) and one.callee == _SWAPS for one in function.instructions())
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
        self._made = {one.result: one for one in self._instructions if one.result}
        self._own = own_variables(function)
        stores = (one for one in self._instructions if isinstance(one, Store) and not is_fill(one))
        stored = [one for one in stores if one.pointer.value in self._own]
        targets = [one.pointer.value for one in stored]
        #: What variables hold that are set in one place only.
        self._held = {one.pointer.value: one.value.value for one in stored if targets.count(one.pointer.value) == 1}

    def reads(self, swaps: dict[str, Function]) -> dict[str, tuple[str, str]]:
        """The function of `swaps` that compares with each such read, by the read's result, and its number's type."""
        calls = [one for one in self._instructions if isinstance(one, Call) and one.callee in swaps]
        plain = [one for one in self._instructions if calls and self._is_plain(one)]
        return {
            read.result: (call.callee, call.arguments[1].type)
            for read in plain
            if isinstance(read, Load)
            for derived in [self._derived(read.result)]
            for call in calls
            if call.arguments[1].value in derived and self._is_same(call.arguments[0].value, read.pointer.value)
        }

    def _is_plain(self, one: Instruction) -> bool:
        return isinstance(one, Load) and not one.volatile and not one.ordering and one.pointer.value not in self._own

    def _derived(self, result: str) -> set[str]:
        """What holds the value `result`, or one with the same bits."""
        derived, before = {result}, 0
        while len(derived) > before:
            before = len(derived)
            for one in self._instructions:
                if isinstance(one, Store) and one.value.value in derived and one.pointer.value in self._own:
                    derived.add(one.pointer.value)
                elif (isinstance(one, Load) and one.pointer.value in derived & self._own.keys()) or (
                    _keeps_bits(one) and derived & (variables(one.text) - {one.result})
                ):
                    derived.add(one.result)
        return derived

    def _is_same(self, a: str, b: str) -> bool:
        """Whether two addresses, or numbers in them, are the same, if no variable changes between."""
        x, y = self._origin(a), self._origin(b)
        if x == y:
            return True
        one, other = self._made.get(x), self._made.get(y)
        if isinstance(one, Load) and isinstance(other, Load):
            return self._is_same(one.pointer.value, other.pointer.value)
        if isinstance(one, AddressStep) and isinstance(other, AddressStep):
            parts: Sequence[tuple[str, str]] = [
                (p.value, q.value) for p, q in zip((one.base, *one.indices), (other.base, *other.indices), strict=False)
            ]
            alike = one.type == other.type and len(one.indices) == len(other.indices)
            return alike and all(self._is_same(p, q) for p, q in parts)
        if one and other and one.opcode == other.opcode and one.opcode in _CASTS:
            (p,), (q,) = (variables(each.text) - {each.result} for each in (one, other))
            return self._is_same(p, q)
        return False

    def _origin(self, value: str) -> str:
        """What `value` was before it was put into variables that are set only once."""
        one = self._made.get(value)
        while isinstance(one, Load) and one.pointer.value in self._held:
            value = self._held[one.pointer.value]
            one = self._made.get(value)
        return value


def _keeps_bits(one: Instruction) -> bool:
    return one.opcode == "bitcast" or (isinstance(one, Call) and "_as_" in one.callee)


def _load_like(swap: Function) -> Function:
    """The prelude's function `swap` up to where it has loaded the number, as an atomic load."""

    def instructions() -> Iterator[Instruction]:
        for one in swap.blocks[0].instructions:
            if one.opcode == "icmp":
                break
            if isinstance(one, Call) and one.callee == _SWAPS:
                continue
            text = one.text.replace(f"{_ATOMIC}(", f"{_ATOMIC_LOAD}(") if isinstance(one, Call) else one.text
            if not text.lstrip().startswith("#dbg"):
                yield read_instruction(text.split(", !dbg")[0])

    body = list(instructions())
    number = next(one for one in body if isinstance(one, Load) and one.type != "ptr")
    body.append(read_instruction(f"  ret {number.type} {number.result}"))
    name = f"{swap.name}.load"
    head = swap.head.replace(swap.name, name, 1).replace(f" !dbg {swap.debug}", "")
    block = swap.blocks[0]
    return Function(head, name, swap.groups, "", [type(block)(block.head, block.label, body)])


def _call(function: Function, loads: dict[str, tuple[str, str]]) -> None:
    def change(one: Instruction) -> Iterator[str]:
        if not isinstance(one, Load) or one.result not in loads:
            yield one.text
            return
        name, type_ = loads[one.result]
        result = one.result if one.type == type_ else f"%emu.read.{one.result[1:]}"
        unused = f"{type_} 0, {type_} 0"
        yield f"  {result} = call {type_} {name}(ptr {one.pointer.value}, {unused}){one.line}"
        if one.type != type_:
            yield f"  {one.result} = bitcast {type_} {result} to {one.type}"

    if loads:
        function.rewrite(lambda one: map(read_instruction, change(one)))
