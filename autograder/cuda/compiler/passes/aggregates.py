"""Passes structs from function to function as x86-64's calling convention does: small ones as numbers, in registers,
and large ones in the caller's memory.

For NVPTX, clang passes a pointer to each struct, of which others might keep a copy, and returns it as a value. The
first would let ThreadSanitizer's pass watch each temporary; of the second, the code generator for x86-64 would put
members into registers of several kinds, those of the old floating-point unit among them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from ..ir import AddressStep, Alloca, Call, Function, Instruction, Load, Module, Store, read_instruction
from ..ir.operands import NAME, end_of_type
from ..ir.signatures import copied_type, read_signature
from ..verifier import UnprovenError
from ..verifier.layout import Layout

_RESULT = "%emu.result"
_CONVENTION = re.compile(r"^(?:\w+cc|cc \d+) ")
_EXTRACTED = re.compile(rf"  (%{NAME}) = extractvalue .* (%{NAME}), (\d+)(?:, !.*)?$")
#: Bytes of a struct that is passed as numbers, and numbers that are returned, at most.
_SMALL, _RETURNED = 16, 2
#: A number, "i64", and where it lies in the struct.
_Pieces = Sequence[tuple[str, int]]


def pass_aggregates(module: Module) -> None:
    """Change all functions that take or return structs, and their calls."""
    layout = Layout(module)
    for function in module.functions.values():
        _change_calls(function, layout)
        _change_returns(function, layout)
        _change_parameters(function, layout)


def _pieces(type_: str, layout: Layout) -> _Pieces:
    """Return the numbers that a struct is passed as; none if it is too large."""
    size, at, found = layout.size(type_), 0, list[tuple[str, int]]()
    while at < size <= _SMALL:
        bytes_ = next(n for n in (8, 4, 2, 1) if n <= size - at)
        found.append((f"i{8 * bytes_}", at))
        at += bytes_
    return found


def _returned_pieces(type_: str, layout: Layout) -> _Pieces:
    pieces = _pieces(type_, layout)
    return pieces if len(pieces) <= _RETURNED else ()


def _returned_type(pieces: _Pieces) -> str:
    types = [type_ for type_, _ in pieces]
    return types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}"


def _is_aggregate(type_: str) -> bool:
    return type_[0] in "%{["


def _at(pointer: str, offset: int, name: str, line: str = "") -> tuple[str, list[str]]:
    """Return the address of a piece, and the instruction that computes it, if one is needed."""
    if not offset:
        return pointer, []
    return name, [f"  {name} = getelementptr inbounds i8, ptr {pointer}, i64 {offset}{line}"]


def _aligned(align: int, offset: int) -> int:
    return min(align, offset & -offset) if offset else align


# ---- parameters ----------------------------------------------------------------------------------------------


def _change_parameters(function: Function, layout: Layout) -> None:
    variables, code, renamed = list[str](), list[str](), dict[str, str]()
    parameters = read_signature(function.head).parameters
    for parameter in parameters:
        copied = copied_type(parameter)
        pieces = _pieces(copied, layout) if copied else ()
        if not pieces:
            continue
        stem = f"%emu.given.{parameter.value[1:]}"
        given = [f"{type_} {stem}.{offset}" for type_, offset in pieces]
        function.head = function.head.replace(parameter.text, ", ".join(given), 1)
        renamed[parameter.value] = stem
        variables.append(f"  {stem} = alloca {copied}, align {parameter.align}")
        for type_, offset in pieces:
            place, steps = _at(stem, offset, f"{stem}.at.{offset}")
            code += steps
            code.append(f"  store {type_} {stem}.{offset}, ptr {place}, align {_aligned(parameter.align, offset)}")
    if not renamed:
        return
    names = re.compile(rf"(?:{'|'.join(map(re.escape, renamed))})(?![\w.$-])")

    def rename(old: Instruction) -> Iterator[Instruction]:
        text = names.sub(lambda name: renamed[name[0]], old.text)
        yield old if text == old.text else read_instruction(text)

    function.rewrite(rename)
    first = function.blocks[0]
    at = max((i for i, instr in enumerate(first.instructions) if isinstance(instr, Alloca)), default=-1) + 1
    first.instructions[at:at] = map(read_instruction, code)  # after all variables: what fills these comes first
    first.instructions[:0] = map(read_instruction, variables)
    if not first.label:  # its number follows those of the parameters
        first.label, first.head = f"%{len(parameters)}", (f"{len(parameters)}:",)


# ---- results -------------------------------------------------------------------------------------------------


def _change_returns(function: Function, layout: Layout) -> None:
    signature = _CONVENTION.sub("", read_signature(function.head).type)  # (the verifier refuses others)
    returned = signature[: end_of_type(signature, 0)]
    if not _is_aggregate(returned):
        return
    variable = _returned_variable(function, returned)
    pieces = _returned_pieces(returned, layout)
    before, name, after = function.head.partition(f"{function.name}(")
    start = before.rindex(f" {returned} ")
    if pieces:
        function.head = f"{before[:start]} {_returned_type(pieces)} {name}{after}"
    else:
        separator = "" if after.startswith(")") else ", "
        given = f"ptr noalias sret({returned}) align {variable.align if variable else 1} {_RESULT}"
        function.head = f"{before[:start]} void {name}{given}{separator}{after}"
    if variable is None:
        return
    loads = {i.result for i in function.instructions() if isinstance(i, Load) and i.type == returned}
    numbers = itertools.count()

    def change(old: Instruction) -> Iterator[Instruction]:
        if old.opcode == "ret" and pieces:
            yield from map(read_instruction, _return(variable, pieces, next(numbers), old.attachments))
        elif old.opcode == "ret":
            yield read_instruction(f"  ret void{old.attachments}")
        elif old.result in loads or (not pieces and old is variable):
            return
        elif not pieces and variable.result in old.text:
            yield read_instruction(re.sub(rf"{re.escape(variable.result)}(?![\w.$-])", _RESULT, old.text))
        else:
            yield old

    function.rewrite(change)


def _return(variable: Alloca, pieces: _Pieces, number: int, line: str) -> Iterator[str]:
    values = list[str]()
    for type_, offset in pieces:
        stem = f"%emu.return.{number}.{offset}"
        place, steps = _at(variable.result, offset, f"{stem}.at", line)
        yield from steps
        yield f"  {stem} = load {type_}, ptr {place}, align {_aligned(variable.align, offset)}{line}"
        values.append(f"{type_} {stem}")
    if len(values) == 1:
        yield f"  ret {values[0]}{line}"
        return
    whole, returned = "poison", _returned_type(pieces)
    for i, value in enumerate(values):
        yield f"  %emu.return.{number}.with.{i} = insertvalue {returned} {whole}, {value}, {i}{line}"
        whole = f"%emu.return.{number}.with.{i}"
    yield f"  ret {returned} {whole}{line}"


def _returned_variable(function: Function, returned: str) -> Alloca | None:
    """Return the variable that the function returns: without an optimizer, each end loads the same; None if it has no
    end.

    Raises:
        UnprovenError: it returns another value.
    """
    loads = {i.result: i.pointer.value for i in function.instructions() if isinstance(i, Load) and i.type == returned}
    ends = (i.text.removesuffix(i.attachments).rpartition(" ")[2] for i in function.instructions() if i.opcode == "ret")
    names = {loads.get(value, "") for value in ends}
    found = [i for i in function.instructions() if isinstance(i, Alloca) and names == {i.result}]
    if names and not found:
        raise UnprovenError(f"{function.name}: a struct that is returned otherwise", 0, "")
    return found[0] if found else None


# ---- calls ---------------------------------------------------------------------------------------------------


def _change_calls(function: Function, layout: Layout) -> None:
    numbers, variables = itertools.count(), list[Instruction]()
    for block in function.blocks:
        out, at = list[Instruction](), 0
        while at < len(block.instructions):
            call = block.instructions[at]
            at += 1
            if not isinstance(call, Call) or call.callee.startswith(("asm", "@llvm.")):
                out.append(call)
                continue
            if any(map(copied_type, call.arguments)):
                *loads, call = _with_pieces(call, layout, next(numbers))
                out += loads
            assert isinstance(call, Call)
            if not _is_aggregate(call.returns):
                out.append(call)
                continue
            place, align, count = _stored(block.instructions[at:], call.result, call.returns)
            at += count
            number = next(numbers)
            if not place:
                place, align = f"%emu.returned.{number}", 16
                variables.append(read_instruction(f"  {place} = alloca {call.returns}, align {align}"))
            out += map(read_instruction, _with_result(call, place, align, layout, number))
        block.instructions = out
    function.blocks[0].instructions[:0] = variables


def _with_pieces(call: Call, layout: Layout, number: int) -> Iterator[Instruction]:
    """Yield the call with numbers for small structs, after the instructions that load these."""
    text = call.text
    for i, given in enumerate(call.arguments):
        copied = copied_type(given)
        pieces = _pieces(copied, layout) if copied else ()
        values = list[str]()
        for type_, offset in pieces:
            stem = f"%emu.pass.{number}.{i}.{offset}"
            place, steps = _at(given.value, offset, f"{stem}.at", call.line)
            steps.append(f"  {stem} = load {type_}, ptr {place}, align {_aligned(given.align, offset)}{call.line}")
            yield from map(read_instruction, steps)
            values.append(f"{type_} {stem}")
        if values:
            text = text.replace(given.text, ", ".join(values), 1)
    yield read_instruction(text)


def _with_result(call: Call, place: str, align: int, layout: Layout, number: int) -> Iterator[str]:
    """Yield a call whose result is at `place` afterwards."""
    before = call.before_callee.partition(" = ")[2] or call.before_callee.lstrip()
    if call.function_type:
        raise AssertionError("a variadic function that returns a struct")
    pieces = _returned_pieces(call.returns, layout)
    if not pieces:
        before = before.replace(f"{call.returns} ", "void ", 1)
        separator = "" if call.after_callee.startswith("()") else ", "
        given = f"(ptr sret({call.returns}) align {align} {place}{separator}{call.after_callee[1:]}"
        yield f"  {before}{call.callee}{given}"
        return
    returned, stem = _returned_type(pieces), f"%emu.result.{number}"
    yield f"  {stem} = {before.replace(f'{call.returns} ', f'{returned} ', 1)}{call.callee}{call.after_callee}"
    for i, (type_, offset) in enumerate(pieces):
        value = stem
        if len(pieces) > 1:
            value = f"{stem}.{i}"
            yield f"  {value} = extractvalue {returned} {stem}, {i}{call.line}"
        to, steps = _at(place, offset, f"{stem}.at.{i}", call.line)
        yield from steps
        yield f"  store {type_} {value}, ptr {to}, align {_aligned(align, offset)}{call.line}"


def _stored(code: Sequence[Instruction], value: str, returned: str) -> tuple[str, int, int]:
    """Return where the instructions after a call store all members of its value, with which alignment, and how many
    instructions do so; no place if it is not used."""
    if code and isinstance(first := code[0], Store) and first.value.value == value:
        return first.pointer.value, first.align, 1
    place, align, count = "", 1, 0
    while True:
        # Of a place that is a constant, no instruction computes the address of a member.
        step, rest = (code[count], count + 1) if isinstance(code[count], AddressStep) else (None, count)
        found, store = _EXTRACTED.match(code[rest].text), code[rest + 1] if rest + 1 < len(code) else None
        if not (found and found[2] == value and isinstance(store, Store)):
            return place, align, count
        assert store.value.value == found[1]
        if not count:
            assert found[3] == "0"
            place, align = step.base.value if isinstance(step, AddressStep) else store.pointer.value, store.align
        count = rest + 2
