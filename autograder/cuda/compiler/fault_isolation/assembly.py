"""Reads x86-64 assembly as clang prints it. What is not known here is not read."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from ..verifier import UnprovenError


class Does(Enum):
    """What an instruction does to its operands."""

    READ = auto()
    CHANGE = auto()  # its last operand, and nothing else
    MORE = auto()  # that, and registers that it does not name
    EXCHANGE = auto()  # two operands
    PUSH = auto()
    POP = auto()
    CALL = auto()
    JUMP = auto()
    BRANCH = auto()
    END = auto()


_QUIET = (Does.READ, Does.CHANGE, Does.MORE)


class Memory(NamedTuple):
    """A memory operand, as text: `segment:displacement(base,index,scale)`; what is missing is empty."""

    segment: str  # "gs"
    displacement: str  # a number, a symbol, or both: "array+16"
    base: str  # "%rax"
    second: str  # the index
    scale: str

    @property
    def is_wide(self) -> bool:
        """Whether the address is one of 64 bits, and not of 32."""
        return not any(register.startswith("%e") or register.endswith("d") for register in (self.base, self.second))

    def text(self) -> str:
        registers = ",".join(filter(None, [self.base or " ", self.second, self.scale])).strip()
        segment = f"%{self.segment}:" if self.segment else ""
        return f"{segment}{self.displacement}" + (f"({registers})" if registers else "")


class Instruction(NamedTuple):
    prefix: str  # "lock", "rep"
    mnemonic: str
    does: Does
    operands: tuple[str | Memory, ...]
    #: The numbers of the operands in memory that it writes.
    written: tuple[int, ...]
    #: It names the stack's or the frame's pointer in another way than to access what is there.
    names_stack: bool

    @property
    def is_quiet(self) -> bool:
        """Whether it writes no memory, sends control nowhere, and has nothing to do with the stack's pointer."""
        return self.does in _QUIET and not (self.written or self.names_stack or self.prefix)

    def text(self) -> str:
        prefix = f"\t{self.prefix}\t" if self.prefix else ""
        operands = (given.text() if isinstance(given, Memory) else given for given in self.operands)
        return f"{prefix}\t{self.mnemonic}\t{', '.join(operands)}"


_CONDITION = "n?[oesp]|[abgl]e?"
_MNEMONICS = {
    Does.READ: r"(?:cmp|test|bt)[bwlq]|u?comis[sd]|ldmxcsr|prefetch\w+|nop[wl]?|[lms]fence|pause",
    Does.CHANGE: r"mov[bwlq]|movabsq|mov[sz][bw][wlq]|movslq|lea[lq]|(?:add|sub|and|x?or|adc|sbb|inc|dec|neg|not)[bwlq]"
    rf"|(?:sh|sa|ro|rc)[lr][bwlq]|sh[lr]d[wlq]|set(?:{_CONDITION})|cmov(?:{_CONDITION})[wlq]|bswap[lq]|bs[fr][wlq]|stmxcsr"
    r"|mov(?:d|[au]p[sd]|dq[au]|[lh]p[sd]|hlps|lhps|nt(?:i[lq]?|p[sd]|dq)|mskp[sd]|s[sd])|pmovmskb|cvt\w+"
    r"|(?:add|sub|mul|div|sqrt|min|max|rcp|rsqrt|cmp\w+)[sp][sd]|(?:andn?|x?or|shuf|unpck[lh])p[sd]"
    r"|p(?:add|sub)u?s?[bwdq]|pmul(?:[lh]|hu)w|pmuludq|pmaddwd|pcmp(?:eq|gt)[bwd]|p(?:andn?|x?or)|ps[lr]l(?:[wdq]|dq)|psra[wd]"
    r"|pshuf(?:d|[hl]w)|punpck[lh](?:bw|wd|dq|qdq)|pack[su]s(?:wb|dw)|p(?:min|max)(?:sw|ub)|pavg[bw]|psadbw|p(?:ins|ext)rw",
    Does.MORE: r"i?mul[bwlq]|i?div[bwlq]|cltq|cwtl|cltd|cqto|cwtd|cbtw|cmpxchg[bwlq]",
    Does.EXCHANGE: r"x(?:chg|add)[bwlq]",
    Does.PUSH: "pushq",
    Does.POP: "popq",
    Does.CALL: "callq",
    Does.JUMP: "jmp",
    Does.BRANCH: rf"j(?:{_CONDITION})",
    Does.END: "retq|ud2",
}
_KNOWN = re.compile("|".join(f"(?P<{does.name}>{names})" for does, names in _MNEMONICS.items()))
_SECTION = re.compile(r"\n\t\.(?:section|text|t?data|t?bss|rodata|popsection|previous|pushsection|subsection)\b")
_SECTION_LINE = re.compile(r'\t\.(?:section\t(?:[^",;/#]+|"[^"\\;]+"),"(\w*)"[^;/#\n]*|text|data|bss)')
_INSTRUCTION = re.compile(r"\t(?:(lock|rep)(?:\t\t?|;))?([a-z]\w*)(?:[\t ](.+))?")
#: With which the labels begin that are jumped to. Others are for debuggers.
BLOCK = ".LBB"
#: The stack's and the frame's pointer.
STACK = ("%rsp", "%rbp")
#: A name, as the assembler wants it.
NAME = r'(?:[A-Za-z_.$][\w.$]*|"[^"\\\n;]*")'
_OPERAND = re.compile(
    rf"(%[a-z]\w*+)(?!:)|\$(?:-?\d+|{NAME}(?:[+-]\d+)?)|(?:%([c-gs]s):)?(-?\d+|{NAME}(?:[+-]\d+)?(?:@\w+)?|)"
    r"(?:\((%\w+)?(?:,(%\w+)(?:,([1248]))?)?\))?"
)
_NAMES_STACK = re.compile(r"(?<!\()%(?:[re]?[sb]p|[sb]pl)\b|\tlea.*%r[sb]p")
_SINGLE = re.compile(r"i?mul|i?div")
_REGISTERS = {f"%r{name}": f"%e{name}" for name in "ax bx cx dx si di bp sp ip".split()}
_REGISTERS |= {f"%r{n}": f"%r{n}d" for n in range(8, 16)}


def sections(assembly: str) -> Iterator[tuple[bool, str]]:
    """Yield the text in parts, each of which ends before the line that begins another section, and whether it is code.
    The first line of each but the first is that line.

    Raises:
        UnprovenError: a section's line can't be read.
    """
    text = "\n" + assembly
    starts = [0, *(found.start() for found in _SECTION.finditer(text)), len(text)]
    for start, end in itertools.pairwise(starts):
        part = text[start + 1 : end + 1]
        head = part.partition("\n")[0]
        found = _SECTION_LINE.fullmatch(head)
        if start and not found:
            raise unproven(head)
        yield found is not None and (".text" in head or "x" in (found[1] or "")), part


@lru_cache(maxsize=8192)
def instruction(line: str) -> Instruction:
    """Return the instruction in a line.

    Raises:
        UnprovenError: it is none that is known.
    """
    found = _INSTRUCTION.fullmatch(line)
    known = found and _KNOWN.fullmatch(found[2])
    if not found or not known:
        raise unproven(line)
    prefix, mnemonic, text = found.groups()
    does, operands = Does[known.lastgroup or ""], tuple(_operands(text or ""))
    if does is Does.MORE and len(operands) > 1 and mnemonic.startswith("imul"):
        does = Does.CHANGE
    first = {Does.READ: len(operands), Does.EXCHANGE: 0}.get(does, len(operands) - 1)
    if does in (Does.PUSH, Does.CALL, Does.JUMP, Does.BRANCH) or (does is Does.MORE and _SINGLE.match(mnemonic)):
        first = len(operands)
    written = tuple(n for n, given in enumerate(operands) if n >= first and isinstance(given, Memory))
    return Instruction(prefix or "", mnemonic, does, operands, written, _NAMES_STACK.search(line) is not None)


def _operands(text: str) -> Iterator[str | Memory]:
    at = 0
    while text:
        found = _OPERAND.match(text, at)
        assert found  # it matches nothing, too
        end = found.end()
        if end == at or text[end : end + 2] not in ("", ", "):
            raise unproven(text)
        if found[1] or text[at] == "$":
            yield found[0]
        else:
            yield Memory(*(part or "" for part in found.groups()[1:]))
        if end == len(text):
            return
        at = end + 2


def half(register: str) -> str:
    """Return the lower 32 bits of a register: `%edi` of `%rdi`; nothing of nothing."""
    return _REGISTERS[register] if register else ""


def unproven(what: str) -> UnprovenError:
    """Return what to raise where machine code can't be shown to keep within the window."""
    return UnprovenError(f"machine code: {what.strip()}", 0, "")
