"""What a module may consist of, apart from its accesses: calls, jumps, functions, and variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...core.protocol import CONSTANTS
from ..ir import Alloca, Block, Call, Function, Global, Instruction, Load, Module, Store, Terminator, field
from ..ir.signatures import read_signature, type_of_call
from .places import COPIES, QUIET, Surroundings
from .promises import broken_promise, broken_promise_of_call, is_plainly_attached

#: All others are refused, such as atomics, which the runtime does, and jumps to computed places.
_OPCODES = frozenset(
    "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem fneg "
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast "
    "icmp fcmp phi select freeze extractvalue insertvalue extractelement insertelement shufflevector "
    "fence getelementptr load store alloca call br switch ret unreachable #dbg_value #dbg_declare #dbg_label".split()
)
#: A copy knows its caller's frame by its pointer; and no frame may skip the page that guards a stack.
_NEEDED_ATTRIBUTES = frozenset(['"frame-pointer"="all"', '"probe-stack"="inline-asm"'])
_NO_PLAIN_CODE = re.compile(r"(?:section|partition|prefix|prologue|personality|gc) ")
#: What would let the optimizer leave out or move the call of a hook.
_WITHOUT_EFFECT = re.compile(r"\b(?:memory\(|readnone|readonly|speculatable|willreturn|nosync)")
_TAIL = re.compile(r"  (?:%\S+ = )?(?:tail|musttail|notail) ")
_GROUP = re.compile(r" (#\d+)(?= |$)")
_LOOP_HASH = f"ptr addrspace(256) inttoptr (i64 -{CONSTANTS['RUNNING_BEFORE']} to ptr addrspace(256))"
#: Variables of the runtime.
_RUNTIME_VARIABLES = ("@emu_index", "@emu_shape")
#: Lists that only the linker reads.
_LISTS = ("@llvm.used", "@llvm.compiler.used")
_EARLY = ("@llvm.global_ctors", "@llvm.global_dtors")
_SECTIONS = re.compile(r"|\.data|\.bss|\.bss\.emu_shared\.\d+|\.emu_constant\.\d+|llvm\.metadata")
_BUFFER = ("@emu_dynamic", ".bss.emu_dynamic")
_RUNTIME_NAME = re.compile(r"@\"?(?:__tsan_|__ubsan_|emu_)")
_PAGE = 4096
_OUTSIDE_CALL = "a call to the outside"
_CALLED_BY_RUNTIME = "@emu_entry"
#: The optimizer knows what a library's functions do, and the code generator does, by their names alone.
_MODULES_NAME = re.compile(r'@"?(?:kernel\.|emu\.(?:choose|virtual)\.|emu_entry$)')
#: What stands with such a name in each module, see `toolchain` and `passes`.
EXPECTED = (_CALLED_BY_RUNTIME, "@emu_parameters", "@emu_dynamic", "@emu_data", "@emu_bss", "@emu_accesses")


class Fault(NamedTuple):
    """What must not be, in a few words; the instruction, if it is one; the name that is not the module's own, if that
    is why; the debug information of a variable, if it is one."""

    what: str
    instruction: Instruction | None = None
    symbol: str = ""
    debug: str = ""


def faults_of_module(around: Surroundings) -> Iterator[Fault]:
    """Yield what a module must not have outside of its functions."""
    if any(isinstance(item, str) and item.startswith("module asm") for item in around.module.items):
        yield Fault("assembly")
    for name, variable in around.globals.items():
        yield from _faults_of_variable(name, variable, around)
    aliases = (name for name, variable in around.globals.items() if variable.kind == "alias")
    for name in [*around.functions, *aliases]:
        if not _MODULES_NAME.match(name) and not _RUNTIME_NAME.match(name):
            yield Fault("a function by a name that a library may have")
    for name in [*around.functions, *around.globals]:
        if _RUNTIME_NAME.match(name) and name not in EXPECTED and not _is_runtime_variable(name, around):
            yield Fault("a name of the runtime's", symbol=name)


def _is_runtime_variable(name: str, around: Surroundings) -> bool:
    return name in _RUNTIME_VARIABLES and not around.globals[name].value


def _faults_of_variable(name: str, variable: Global, around: Surroundings) -> Iterator[Fault]:
    if name.startswith("@llvm.") and name not in _LISTS:
        yield Fault("a list of the compiler's", symbol=name if name in _EARLY else "")
    if variable.kind == "ifunc":
        yield Fault("a function chosen at loading")
    if variable.kind == "alias" and not _is_defined(variable.value.removeprefix("ptr "), around):
        yield Fault("another name for something outside")
    in_place = _SECTIONS.fullmatch(variable.section) or (name, variable.section) == _BUFFER
    if not in_place or "thread_local" in variable.linkage:
        yield Fault("a variable in an unusual place", debug=variable.debug)
    if _CALLED_BY_RUNTIME in variable.value:
        yield Fault("an entry of the kernel")


def _is_defined(name: str, around: Surroundings) -> bool:
    return name in around.functions or (name in around.globals and bool(around.globals[name].value))


def faults_of_function(function: Function, around: Surroundings) -> Iterator[Fault]:
    """Yield what a function must not have."""
    attributes = _attributes(function.head, around.module)
    if promise := broken_promise(function, attributes):
        yield Fault(f"the attribute {promise}")
    if missing := sorted(_NEEDED_ATTRIBUTES - attributes):
        yield Fault(f"a function without {missing[0]}")
    if "sanitize_thread" not in attributes and is_in_text(function.debug, around.module.metadata):
        yield Fault("a function that nobody watches")
    if _NO_PLAIN_CODE.search(function.head, function.head.rindex(")")):
        yield Fault("a function that is not plain code")
    labels = {block.label for block in function.blocks}
    for n, block in enumerate(function.blocks):
        yield from _faults_of_block(block, is_first=n == 0)
        for instruction in block.instructions:
            if isinstance(instruction, Terminator) and not labels.issuperset(instruction.labels):
                yield Fault("a jump out of the function", instruction)
            if isinstance(instruction, Call) and (what := _fault_of_call(instruction, around)):
                yield Fault(what, instruction, instruction.callee if what == _OUTSIDE_CALL else "")
            if _CALLED_BY_RUNTIME in instruction.text:
                yield Fault("an entry of the kernel", instruction)


def is_in_text(node: str, nodes: Mapping[str, str]) -> bool:
    """Return whether a node of debug information is about the student's text."""
    return nodes.get(field(nodes.get(node, ""), "file"), "").startswith('!DIFile(filename: "kernel.cu"')


def _attributes(line: str, module: Module) -> set[str]:
    """Return the attributes of a declaration, a definition or a call, as far as they stand in groups."""
    return {word for group in _GROUP.findall(line) for word in module.attributes.get(group, ("unknown",))}


def _faults_of_block(block: Block, *, is_first: bool) -> Iterator[Fault]:
    code = [i for i in block.instructions if not i.opcode.startswith("#")]
    if not code or not isinstance(code[-1], Terminator) or any(isinstance(i, Terminator) for i in code[:-1]):
        yield Fault("a block without one end", code[-1] if code else None)
    elif code[-1].opcode == "unreachable" and not (len(code) > 1 and _is_trap(code[-2])):
        yield Fault("an end without a trap", code[-1])
    for instruction in block.instructions:
        if instruction.opcode not in _OPCODES:
            yield Fault(f"the instruction {instruction.opcode}", instruction)
        if isinstance(instruction, Alloca) and (not is_first or instruction.count):
            yield Fault("memory of unknown size", instruction)
        # A frame moves down by up to as much, and must not move past the page that guards a stack.
        if isinstance(instruction, Alloca) and instruction.align > _PAGE:
            yield Fault("memory that is aligned to more than a page", instruction)
        if instruction.names_address_space and not _is_of_loop_hash(instruction):
            yield Fault("an address space", instruction)
        if not is_plainly_attached(instruction):
            yield Fault("a promise to the optimizer", instruction)


def _is_trap(instruction: Instruction) -> bool:
    return isinstance(instruction, Call) and instruction.callee == "@llvm.trap"


def _is_of_loop_hash(instruction: Instruction) -> bool:
    if not isinstance(instruction, Load | Store) or instruction.type != "i64":
        return False
    return f"{instruction.pointer.type} {instruction.pointer.value}" == _LOOP_HASH


def _fault_of_call(call: Call, around: Surroundings) -> str:
    if call.bundles or _TAIL.match(call.text):
        return "an unusual kind of call"
    if not call.is_direct:
        return "assembly" if call.callee.startswith("asm") else "a call through a pointer"
    if call.callee == "@llvm.returnaddress" and [a.value for a in call.arguments] != ["0"]:
        return "a look into others' frames"
    if call.callee in COPIES and len(call.arguments) != 4:
        return "a call by another type"
    if call.callee.startswith("@llvm.") and call.callee not in around.entries:
        return "" if QUIET.match(call.callee) or call.callee in COPIES else "a call of the compiler's"
    alias = around.globals.get(call.callee)
    callee = alias.value.removeprefix("ptr ") if alias else call.callee
    if callee in around.functions:
        type_ = read_signature(around.functions[callee].head).type
    elif callee in around.entries:
        type_ = around.entries[callee].type
        if what := _fault_of_declaration(call, around):
            return what
    else:
        return _OUTSIDE_CALL
    attributes = _attributes(call.after_callee, around.module)
    if promise := broken_promise_of_call(call, attributes, is_users=callee in around.functions):
        return f"the attribute {promise}"
    return "" if type_of_call(call) == type_ else "a call by another type"


def _fault_of_declaration(call: Call, around: Surroundings) -> str:
    if (line := around.module.declarations.get(call.callee)) is None:
        return "an undeclared call"
    if read_signature(line).type != around.entries[call.callee].type:
        return "a declaration by another type"
    attributes = _attributes(line, around.module) | _attributes(call.after_callee, around.module)
    if broken_promise_of_call(call, attributes, is_users=False):
        return "a declaration with promises"
    if around.entries[call.callee].hooks and _WITHOUT_EFFECT.search(" ".join([line, call.after_callee, *attributes])):
        return "a hook without effect"
    return ""
