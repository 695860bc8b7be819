"""Lets a pointer reach only the module's own functions.

Each call through a pointer becomes the call of a function that compares the pointer with each function whose address is
taken and whose type is the call's, and calls that one by its name. So no address that a text computes or writes into
memory is ever a target.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir import Call, Global, Instruction, Module, read_instruction, read_module, string_constant, symbols
from ..ir.signatures import read_signature, type_of_call

#: Its words are in report/endings.py.
_REASON = "function pointer"
_REASON_AT = "@emu.no_function"
_ATTRIBUTES = "convergent noduplicate noinline nounwind null_pointer_is_valid"
_DECLARATIONS = {
    "@emu_misuse": "declare void @emu_misuse(ptr, ptr)",
    "@llvm.returnaddress": "declare ptr @llvm.returnaddress(i32 immarg)",
}
_FRAME = '"frame-pointer"="all" "probe-stack"="inline-asm"'


def call_by_name(module: Module) -> None:
    """Replace each call through a pointer. Run this behind the passes that ask which calls are direct."""
    functions = module.functions
    types = {name: read_signature(function.head).type for name, function in functions.items()}
    choosers: dict[tuple[str, ...], tuple[str, Call]] = {}

    def change(call: Instruction) -> Iterable[Instruction]:
        if not isinstance(call, Call) or call.callee.startswith("asm"):
            return (call,)
        type_ = type_of_call(call)
        if call.is_direct and types.get(call.callee, type_) == type_:
            return (call,)
        # Of a variadic call, each list of arguments has its own.
        key = (type_, *(argument.type for argument in call.arguments))
        name, _ = choosers.setdefault(key, (f"@emu.choose.{len(choosers)}", call))
        between = ", " if call.arguments else ""
        return (read_instruction(f"{_without_type(call)}{name}(ptr {call.callee}{between}{call.after_callee[1:]}"),)

    taken = sorted(_functions_with_addresses(module))
    for function in functions.values():
        function.rewrite(change)
    if not choosers:
        return
    group = f"#{1 + max((int(name[1:]) for name in module.attributes), default=-1)}"
    lines = [f"attributes {group} = {{ {_ATTRIBUTES} {_FRAME} }}"]
    for (type_, *_), (name, call) in choosers.items():
        reached = [function for function in taken if types[function] == type_]
        lines += _chooser(name, call, reached, group)
    added = read_module("\n".join([*lines, ""]))
    module.items += [Global(_REASON_AT, "private ", "constant", *string_constant(_REASON), []), *added.items]
    module.attributes |= added.attributes
    module.declare(_DECLARATIONS)


def _functions_with_addresses(module: Module) -> set[str]:
    found: set[str] = set()
    for function in module.functions.values():
        for instruction in function.instructions():
            if "@" in instruction.text:
                names = symbols(instruction.text)
                if isinstance(instruction, Call) and instruction.is_direct:
                    names.remove(instruction.callee)
                found.update(names)
    for variable in module.globals.values():
        found.update(symbols(variable.value))
    return found & module.functions.keys()


def _without_type(call: Call) -> str:
    """What stands before the callee, if that were not variadic."""
    if not call.function_type:
        return call.before_callee
    return f"{call.before_callee.removesuffix(call.function_type + ' ')}{call.returns} "


def _chooser(name: str, call: Call, reached: list[str], group: str) -> Iterator[str]:
    """A function that calls the one of `reached` that its first argument points to, with its other arguments."""
    typed, returned = (text.partition("call ")[2] for text in (call.before_callee, _without_type(call)))
    parts = (f"{given.type} {given.attributes} %{n}" for n, given in enumerate(call.arguments, 1))
    given = ", ".join(part.replace("  ", " ") for part in parts)
    yield f"define internal {returned}{name}(ptr %0{', ' if given else ''}{given}) {group} {{"
    for n, function in enumerate(reached):
        yield f"  %is.{n} = icmp eq ptr %0, {function}"
        yield f"  br i1 %is.{n}, label %call.{n}, label %next.{n}"
        yield ""
        yield f"call.{n}:"
        if call.returns == "void":
            yield f"  call {typed}{function}({given})"
            yield "  ret void"
        else:
            yield f"  %value.{n} = call {typed}{function}({given})"
            yield f"  ret {call.returns} %value.{n}"
        yield ""
        yield f"next.{n}:"
    yield "  %site = call ptr @llvm.returnaddress(i32 0)"
    yield f"  call void @emu_misuse(ptr {_REASON_AT}, ptr %site)"
    yield "  unreachable"
    yield "}"
