"""Reads one instruction of LLVM IR."""

from __future__ import annotations

import re
from collections.abc import Callable

from .model import AddressStep, Alloca, Atomic, Call, DebugRecord, Instruction, Load, Store, Terminator
from .operands import (
    NAME,
    end_of_attributes,
    end_of_brackets,
    end_of_type,
    end_of_value,
    expect,
    read_operand,
    read_operands,
    read_until,
    unreadable,
)

_HEAD = re.compile(rf"  (?:(%{NAME}) = )?(?:(?:tail|musttail|notail) )?([a-z_]+)\b ?")
_ATTACHMENTS = re.compile(r"(?:, ![\w.]+ !\d+)+$")
_RECORD = re.compile(r"    (#dbg_[a-z]+)\(")
_RECORD_END = re.compile(r", (!\d+), !DIExpression\([^()]*\), (!\d+)\)$")
_ACCESS = re.compile(r"(atomic )?(volatile )?")
_ORDER = re.compile(r'((?: syncscope\("[^"]*"\))?(?: (?:unordered|monotonic|acquire|release|seq_cst))?), align (\d+)')
_ALIGN = re.compile(r", align (\d+)")
_ATOMIC = re.compile(r"(?:weak )?(?:volatile )?(?:[a-z_]+ )?(?=ptr)")
_FLAGS = re.compile(r"(?:(?:inbounds|nuw|nusw|inrange\([-\d, ]*\)) )*")
_LABEL = re.compile(rf"label (%{NAME})")
_BUNDLE = re.compile(r'"([^"]*)"\(')
_AFTER_CALL = re.compile(r"(?: (?:#\d+|[a-z_]+(?:\([^()]*\))?))*(?: \[ )?")
#: Opcodes whose operands we don't parse.
_PLAIN = frozenset(
    "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem fneg "
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast addrspacecast "
    "icmp fcmp phi select freeze extractvalue insertvalue extractelement insertelement shufflevector "
    "fence va_arg".split()
)

#: Takes an instruction's text, result, and opcode, and where its operands begin and end.
_Reader = Callable[[str, str, str, int, int], Instruction]


def read_instruction(text: str) -> Instruction:
    """Parse one instruction as it appears in a block: with its indent, without a newline at its end.

    Raises:
        GraderFault: the instruction is unknown.
    """
    head = _HEAD.match(text)
    if head is None:
        return _read_record(text)
    result, opcode, at = head[1] or "", head[2], head.end()
    end = len(text)
    maybe = text.find(", !", at)
    if maybe >= 0 and (attachments := _ATTACHMENTS.search(text, maybe)):
        end = attachments.start()
    if opcode in _PLAIN:
        return Instruction(text, result, opcode, text[end:])
    reader = _READERS.get(opcode)
    if reader is None:
        raise unreadable(text)
    return reader(text, result, opcode, at, end)


def _read_alloca(text: str, result: str, opcode: str, at: int, end: int) -> Alloca:
    at = end_of_attributes(text, at)
    type_end = end_of_type(text, at)
    kind, count, at = text[at:type_end], None, type_end
    align = _ALIGN.match(text, at)
    if align is None:
        count, at = read_operand(text, expect(text, at, ", "))
        align = _ALIGN.match(text, at)
    if align is None or align.end() != end:
        raise unreadable(text)
    return Alloca(text, result, opcode, text[end:], kind, count, int(align[1]))


def _read_load(text: str, result: str, opcode: str, at: int, end: int) -> Load:
    words = _ACCESS.match(text, at)
    assert words  # it may be empty
    type_end = end_of_type(text, words.end())
    pointer, at = read_operand(text, expect(text, type_end, ", "))
    order = _ORDER.match(text, at)
    if order is None or order.end() != end:
        raise unreadable(text)
    kind = text[words.end() : type_end]
    return Load(text, result, opcode, text[end:], kind, pointer, int(order[2]), bool(words[2]), order[1].strip())


def _read_store(text: str, result: str, opcode: str, at: int, end: int) -> Store:
    words = _ACCESS.match(text, at)
    assert words  # it may be empty
    value, at = read_operand(text, words.end())
    pointer, at = read_operand(text, expect(text, at, ", "))
    order = _ORDER.match(text, at)
    if order is None or order.end() != end:
        raise unreadable(text)
    return Store(text, result, opcode, text[end:], value, pointer, int(order[2]), bool(words[2]), order[1].strip())


def _read_address_step(text: str, result: str, opcode: str, at: int, end: int) -> AddressStep:
    flags = _FLAGS.match(text, at)
    assert flags  # it may be empty
    type_end = end_of_type(text, flags.end())
    operands = read_until(text, expect(text, type_end, ", "), end)
    return AddressStep(text, result, opcode, text[end:], text[flags.end() : type_end], operands[0], operands[1:])


def _read_atomic(text: str, result: str, opcode: str, at: int, end: int) -> Atomic:
    words = _ATOMIC.match(text, at)
    if words is None:
        raise unreadable(text)
    pointer, _ = read_operand(text, words.end())
    return Atomic(text, result, opcode, text[end:], pointer)


def _read_call(text: str, result: str, opcode: str, at: int, end: int) -> Call:
    at = end_of_attributes(text, at)
    type_end = end_of_type(text, at)
    returns, at = text[at:type_end], expect(text, type_end, " ")
    function_type = ""
    if text[at] == "(":
        type_end = end_of_brackets(text, at)
        function_type, at = f"{returns} {text[at:type_end]}", expect(text, type_end, " ")
    callee_end = end_of_value(text, at)
    callee, callee_at = text[at:callee_end], at
    arguments, at = read_operands(text, expect(text, callee_end, "("), ")")
    bundles: tuple[str, ...] = ()
    if at != end:
        bundles = _read_bundles(text, at, end)
    return Call(text, result, opcode, text[end:], returns, function_type, callee, callee_at, arguments, bundles)


def _read_bundles(text: str, at: int, end: int) -> tuple[str, ...]:
    words = _AFTER_CALL.match(text, at)
    assert words  # it may be empty
    at, tags = words.end(), []
    while at != end:
        bundle = _BUNDLE.match(text, at)
        if bundle is None:
            raise unreadable(text)
        tags.append(bundle[1])
        _, at = read_operands(text, bundle.end(), ")")
        at = end if text.startswith(" ]", at) and at + 2 == end else expect(text, at, ", ")
    return tuple(tags)


def _read_terminator(text: str, result: str, opcode: str, at: int, end: int) -> Terminator:
    return Terminator(text, result, opcode, text[end:], tuple(_LABEL.findall(text, at, end)))


def _read_record(text: str) -> Instruction:
    """Read the compiler's record about a variable, which appears between instructions."""
    head = _RECORD.match(text)
    if head is None:
        raise unreadable(text)
    if head[1] != "#dbg_declare":
        return Instruction(text, "", head[1], "")
    pointer, at = read_operand(text, head.end())
    nodes = _RECORD_END.match(text, at)
    if nodes is None:
        raise unreadable(text)
    return DebugRecord(text, "", head[1], "", pointer, nodes[1], nodes[2])


_READERS: dict[str, _Reader] = {
    "alloca": _read_alloca,
    "load": _read_load,
    "store": _read_store,
    "getelementptr": _read_address_step,
    "atomicrmw": _read_atomic,
    "cmpxchg": _read_atomic,
    "call": _read_call,
    **dict.fromkeys(("br", "switch", "indirectbr", "ret", "unreachable"), _read_terminator),
}
