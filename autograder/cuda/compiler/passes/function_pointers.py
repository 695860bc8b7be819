"""Lets a pointer reach only the module's own functions.

Each call through a pointer becomes the call of a function that compares the pointer with each function whose address is
taken and whose type is the call's, and calls that one by its name. So no address that a text computes or writes into
memory is ever a target. A pointer to a function is a number made of its name, which is the same in each kernel of a
program: the host may take it from a variable on the GPU and hand it to another kernel.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator

from ..ir import Call, Global, Instruction, Module, read_instruction, read_module, string_constant, symbols
from ..ir.operands import NAME
from ..ir.signatures import read_signature, type_of_call

#: Its words are in cuda/report/endings.py.
_REASON = "function pointer"
_REASON_AT = "@emu.no_function"
#: Of the functions that choose.
_ATTRIBUTES = (
    'convergent noduplicate noinline nounwind null_pointer_is_valid "frame-pointer"="all" "probe-stack"="inline-asm"'
)
_DECLARATIONS = {
    "@emu_misuse": "declare void @emu_misuse(ptr, ptr)",
    "@llvm.returnaddress": "declare ptr @llvm.returnaddress(i32 immarg)",
}
#: The first of the addresses that pointers to functions have: none of memory.
_FIRST = 0x7E00_0000_0000
#: A list of functions of which a pointer may come from elsewhere.
_POINTED = "@emu.pointed"
_SYMBOL = re.compile(rf"@{NAME}")


def call_by_name(module: Module) -> None:
    """Replace each call through a pointer. Run this after the passes that look for direct calls."""
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

    taken = sorted(functions_with_addresses(module))
    module.items = [item for item in module.items if not (isinstance(item, Global) and item.name == _POINTED)]
    for function in functions.values():
        function.rewrite(change)
        function.rewrite(lambda instruction: (_with_pointers(instruction, taken),))
    for variable in module.globals.values():
        if variable.kind not in ("alias", "ifunc"):
            variable.value = with_pointers(variable.value, taken)

    def written(group: str) -> Iterator[str]:
        for (type_, *_), (name, call) in choosers.items():
            yield from _chooser(name, call, [function for function in taken if types[function] == type_], group)

    if choosers:
        add_functions(module, written, _REASON_AT, _REASON)


def add_functions(module: Module, written: Callable[[str], Iterable[str]], reason_at: str, reason: str) -> None:
    """Add functions, `written` for a group of attributes, that end by `refusal(reason_at)` where nothing fits."""
    group = f"#{1 + max((int(name[1:]) for name in module.attributes), default=-1)}"
    added = read_module("\n".join([f"attributes {group} = {{ {_ATTRIBUTES} }}", *written(group), ""]))
    module.items += [Global(reason_at, "private ", "constant", *string_constant(reason), []), *added.items]
    module.attributes |= added.attributes
    module.declare(_DECLARATIONS)


def refusal(reason_at: str) -> Iterator[str]:
    """Yield the last lines of such a function."""
    yield "  %site = call ptr @llvm.returnaddress(i32 0)"
    yield f"  call void @emu_misuse(ptr {reason_at}, ptr %site)"
    yield "  unreachable"
    yield "}"


def calls_pointers(module: Module) -> bool:
    """Return whether a function of a module calls one through a pointer."""
    calls = (i for function in module.functions.values() for i in function.instructions() if isinstance(i, Call))
    return any(not call.is_direct and not call.callee.startswith("asm") for call in calls)


def point_to(module: Module, functions: Collection[str]) -> None:
    """Let a module take pointers of functions, which its calls may then reach."""
    if functions:
        listed = ", ".join(f"ptr {name}" for name in sorted(functions))
        module.items.append(Global(_POINTED, "private ", "constant", f"[{len(functions)} x ptr]", f"[{listed}]", []))


def pointer_value(function: str) -> int:
    """Return the number that is a pointer to a function."""
    return _FIRST + (zlib.crc32(function.encode()) << 4)


def pointer_to(function: str) -> str:
    """Return what a pointer to a function is in LLVM IR."""
    return f"inttoptr (i64 {pointer_value(function)} to ptr)"


def with_pointers(text: str, taken: Iterable[str]) -> str:
    """Return the text with pointers instead of the names of functions."""
    if "@" not in text:
        return text
    names = set(taken)
    return _SYMBOL.sub(lambda found: pointer_to(found[0]) if found[0] in names else found[0], text)


def _with_pointers(instruction: Instruction, taken: list[str]) -> Instruction:
    if "@" not in instruction.text or not any(function in instruction.text for function in taken):
        return instruction
    if isinstance(instruction, Call) and instruction.is_direct:
        changed = f"{instruction.before_callee}{instruction.callee}{with_pointers(instruction.after_callee, taken)}"
    else:
        changed = with_pointers(instruction.text, taken)
    return read_instruction(changed)


def functions_with_addresses(module: Module) -> set[str]:
    """Return the functions of a module of which a pointer is taken."""
    found: set[str] = set()
    for function in module.functions.values():
        for instruction in function.instructions():
            if "@" in instruction.text:
                names = symbols(instruction.text)
                if isinstance(instruction, Call) and instruction.is_direct:
                    names.remove(instruction.callee)
                found.update(names)
    for name, variable in module.globals.items():
        if not name.startswith(("@llvm.", "@__clang_gpu_used")):  # (lists of what has marks, or is kept)
            found.update(symbols(variable.value))
    return found & module.functions.keys()


def _without_type(call: Call) -> str:
    """Return what stands before the callee, if that were not variadic."""
    if not call.function_type:
        return call.before_callee
    return f"{call.before_callee.removesuffix(call.function_type + ' ')}{call.returns} "


def _chooser(name: str, call: Call, reached: list[str], group: str) -> Iterator[str]:
    """Yield a function that calls the one of `reached` that its first argument points to, with its other arguments."""
    typed, returned = (text.partition("call ")[2] for text in (call.before_callee, _without_type(call)))
    parts = (f"{given.type} {given.attributes} %{n}" for n, given in enumerate(call.arguments, 1))
    given = ", ".join(part.replace("  ", " ") for part in parts)
    yield f"define internal {returned}{name}(ptr %0{', ' if given else ''}{given}) {group} {{"
    for n, function in enumerate(reached):
        yield f"  %is.{n} = icmp eq ptr %0, {pointer_to(function)}"
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
    yield from refusal(_REASON_AT)
