"""Puts calls of the functions that `ptx.py` writes in place of asm statements.

A product of a warpgroup goes on when its statement is over, so the sums have no value there. The runtime is given the
places where the thread keeps them instead, before the call: those that the statement would read and write. Neither
happens then, nor do the reads and writes of a statement without instructions, which would only keep a compiler from
moving these registers.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..core.refusal import Refusal
from .asm_statements import MAX_OPERANDS, AsmError, Statement, returned_types, statement_of, template_of
from .ir import Call, Function, Instruction, Load, Module, Store, read_instruction
from .ptx_wgmma import registers_of

_EXTRACTED = re.compile(r"  (%\S+) = extractvalue (?:\{.*?\}) (%\S+), (\d+)")
_BYTES = {"i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8, "ptr": 8}
_REGISTER = "@emu_warpgroup_register"
_DECLARATION = {_REGISTER: f"declare void {_REGISTER}(ptr, i32)"}


def call_functions(module: Module, statements: Sequence[Statement]) -> None:
    """Call the functions that `ptx.functions_for` has defined, in a module of the text with them.

    Raises:
        AsmError: what a product adds to, or what a statement without instructions passes on, is no variable.
    """
    known = {statement.key: f"@{statement.function}" for statement in statements}
    has_products = any("wgmma." in statement.text for statement in statements)
    for function in module.functions.values():
        if any(isinstance(i, Call) and i.callee.startswith("asm") for i in function.instructions()):
            places = _find_places(module, function) if has_products else _Places({}, set())
            _call_in(module, function, known, places)
    if has_products:
        module.declare(_DECLARATION)


@dataclass(frozen=True)
class _Places:
    """By the call of a product's statement, where the thread keeps its registers; and the instructions that go."""

    of_products: dict[int, list[str]]
    gone: set[int]


def _find_places(module: Module, function: Function) -> _Places:
    loads = {load.result: load for load in function.instructions() if isinstance(load, Load)}
    stores = {store.value.value: store for store in function.instructions() if isinstance(store, Store)}
    extracts: dict[str, dict[int, Instruction]] = {}
    for extract in function.instructions():
        if found := _EXTRACTED.match(extract.text):
            extracts.setdefault(found[2], {})[int(found[3])] = extract
    places = _Places({}, set())
    for call in function.instructions():
        if not (isinstance(call, Call) and call.callee.startswith("asm")):
            continue
        statement = statement_of(module, call)
        registers = registers_of(statement, template_of(statement, MAX_OPERANDS))
        outputs = len(statement.outputs)
        passed_on = {c: a.value for c, a in zip(statement.inputs, call.arguments, strict=True) if c.isdigit()}
        is_idle = not statement.text.strip() and outputs == len(passed_on)
        if not registers.sums and not is_idle:
            continue
        results = [extracts[call.result][k] for k in range(outputs)] if outputs > 1 else [call] * outputs
        written = [stores[result.result] for result in results if result.result in stores]
        read = [loads[value] for value in passed_on.values() if value in loads]
        if len(written) < outputs or len(read) < len(passed_on):
            raise AsmError(statement.line, statement.text.partition(" ")[0], Refusal.INSTRUCTION)
        places.gone.update(map(id, (*results, *written, *read)))
        if registers.sums:
            factors = [loads.get(call.arguments[n - outputs].value) for n in registers.factors]
            sums = [written[k].pointer.value for k in registers.sums]
            places.of_products[id(call)] = sums + [factor.pointer.value if factor else "null" for factor in factors]
        else:
            places.gone.add(id(call))
    return places


def _call_in(module: Module, function: Function, known: dict[tuple[object, ...], str], places: _Places) -> None:
    variables, numbers = list[Instruction](), itertools.count()
    results: dict[str, tuple[str, str]] = {}  # of a call, where its results are, and their types

    def change(old: Instruction) -> Iterator[Instruction]:
        if id(old) in places.gone:
            return
        if isinstance(old, Call) and old.callee.startswith("asm"):
            statement = statement_of(module, old)
            of_product = places.of_products.get(id(old), [])
            types = [] if of_product else returned_types(statement.returns)
            given = [
                f"{a.type} {a.value}"
                for a, t, c in zip(old.arguments, statement.types, statement.inputs, strict=True)
                if " " not in t and not (of_product and c.isdigit())
            ]
            for i, place in enumerate(of_product):
                yield read_instruction(f"  call void {_REGISTER}(ptr {place}, i32 {i}){old.line}")
            if types:
                name = f"%emu.asm.{len(variables)}"
                returned = f"{{ {', '.join(types)} }}"
                variables.append(read_instruction(f"  {name} = alloca {returned}, align 8"))
                given.insert(0, f"ptr {name}")
                results[old.result] = name, returned
            yield read_instruction(f"  call void {known[statement.key]}({', '.join(given)}){old.line}")
            if types and not statement.returns.startswith("{"):
                yield read_instruction(f"  {old.result} = load {types[0]}, ptr {name}, align 8{old.line}")
        elif (found := _EXTRACTED.match(old.text)) and found[2] in results:
            name, returned = results[found[2]]
            at = f"%emu.out.{next(numbers)}"
            yield read_instruction(
                f"  {at} = getelementptr inbounds {returned}, ptr {name}, i32 0, i32 {found[3]}{old.line}"
            )
            type_ = returned_types(returned)[int(found[3])]
            yield read_instruction(f"  {found[1]} = load {type_}, ptr {at}, align {_BYTES[type_]}{old.line}")
        else:
            yield old

    function.rewrite(change)
    function.blocks[0].instructions[:0] = variables
