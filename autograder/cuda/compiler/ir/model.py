"""Represents LLVM IR as plain data: a module, its globals, its functions, their blocks and instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Operand(NamedTuple):
    """A typed value. All three fields are IR text; a value is a name such as `%5`, or a constant."""

    type: str
    value: str
    attributes: str = ""  # of a call's argument: "noundef align 4"

    @property
    def align(self) -> int:
        """Alignment in bytes of what a pointer points to: 1 unless the attributes say more."""
        _, found, after = self.attributes.partition("align ")
        return int(after.partition(" ")[0]) if found else 1

    @property
    def text(self) -> str:
        return " ".join(filter(None, (self.type, self.attributes, self.value)))


@dataclass(slots=True)
class Instruction:
    """One instruction; this class itself stands for those without a class of their own."""

    text: str  # without the newline; of a `switch`, several lines
    result: str  # "%5"; empty if there is none
    opcode: str
    attachments: str  # its metadata, ", !dbg !5, !nosanitize !6"

    def attachment(self, kind: str) -> str:
        """Return the metadata node of this kind, "!5"; empty if there is none."""
        _, found, after = self.attachments.partition(f", !{kind} ")
        return after.partition(",")[0] if found else ""

    @property
    def line(self) -> str:
        """The attachment with the source location, ", !dbg !5"; empty if there is none."""
        node = self.attachment("dbg")
        return f", !dbg {node}" if node else ""

    @property
    def names_address_space(self) -> bool:
        """Whether the instruction names an address space other than the default."""
        return "addrspace(" in self.text


@dataclass(slots=True)
class Alloca(Instruction):
    """Memory that belongs to the function."""

    type: str
    count: Operand | None
    align: int


@dataclass(slots=True)
class Load(Instruction):
    type: str
    pointer: Operand
    align: int
    volatile: bool
    ordering: str  # of an atomic one; empty if it is plain


@dataclass(slots=True)
class Store(Instruction):
    value: Operand
    pointer: Operand
    align: int
    volatile: bool
    ordering: str

    @property
    def type(self) -> str:
        return self.value.type


@dataclass(slots=True)
class AddressStep(Instruction):
    """A `getelementptr` instruction."""

    type: str  # of what the base points to, as far as this instruction goes
    base: Operand
    indices: tuple[Operand, ...]


@dataclass(slots=True)
class Atomic(Instruction):
    """An `atomicrmw` or a `cmpxchg`."""

    pointer: Operand


@dataclass(slots=True)
class Call(Instruction):
    returns: str  # type
    function_type: str  # where the call says it, as for a variadic function; else empty
    callee: str  # a name, or a constant; "asm ..." for inline assembly
    callee_at: int  # where in the text the callee begins
    arguments: tuple[Operand, ...]
    bundles: tuple[str, ...]  # tags of the operand bundles, such as "kcfi"

    @property
    def is_direct(self) -> bool:
        return self.callee.startswith("@")

    @property
    def before_callee(self) -> str:
        return self.text[: self.callee_at]

    @property
    def after_callee(self) -> str:
        """From the parenthesis that opens the arguments."""
        return self.text[self.callee_at + len(self.callee) :]


@dataclass(slots=True)
class Terminator(Instruction):
    """An instruction that ends a block: `br`, `switch`, `indirectbr`, `ret`, or `unreachable`."""

    labels: tuple[str, ...]  # "%41", in the order of the text


@dataclass(slots=True)
class DebugRecord(Instruction):
    """A `#dbg_declare`: says that a variable of the source is in memory, and where it is declared."""

    pointer: Operand
    variable: str  # a metadata node
    location: str  # a metadata node


@dataclass(slots=True)
class Block:
    head: tuple[str, ...]  # the lines before the first instruction: an empty one and the label's
    label: str  # "%41"; empty for an entry without one
    instructions: list[Instruction]

    def lines(self) -> Iterator[str]:
        yield from self.head
        for instruction in self.instructions:
            yield instruction.text


@dataclass(slots=True)
class Function:
    head: str  # the line that begins with `define`
    name: str  # with its "@"
    groups: tuple[str, ...]  # of attributes, "#0"
    debug: str  # its DISubprogram, a metadata node; empty if there is none
    blocks: list[Block]

    def instructions(self) -> Iterator[Instruction]:
        for block in self.blocks:
            yield from block.instructions

    def rewrite(self, change: Callable[[Instruction], Iterable[Instruction]]) -> None:
        """Replace each instruction with the result of `change`."""
        for block in self.blocks:
            block.instructions = [new for old in block.instructions for new in change(old)]

    def text(self) -> str:
        return "\n".join([self.head, *(line for block in self.blocks for line in block.lines()), "}"])


@dataclass(slots=True)
class Global:
    """A variable, or an alias of one."""

    name: str  # with its "@"
    linkage: str  # and all else before the kind: "private unnamed_addr "
    kind: str  # "global", "constant", "alias" or "ifunc"
    type: str
    value: str  # as it is initialized; of an alias, an operand; empty if it is defined elsewhere
    properties: list[str]  # 'section ".bss"', "align 4", "!dbg !5"

    @property
    def section(self) -> str:
        return self._property("section ").strip('"')

    @section.setter
    def section(self, name: str) -> None:
        self.properties = [f'section "{name}"', *(p for p in self.properties if not p.startswith("section "))]

    @property
    def debug(self) -> str:
        """The variable's debug metadata node; empty if there is none."""
        return self._property("!dbg ")

    def _property(self, word: str) -> str:
        return next((p.removeprefix(word) for p in self.properties if p.startswith(word)), "")

    def text(self) -> str:
        between = ", " if self.kind in ("alias", "ifunc") else " " if self.value else ""
        return f"{self.name} = {self.linkage}{self.kind} {self.type}" + ", ".join(
            [between + self.value, *self.properties]
        )


@dataclass(slots=True)
class Module:
    items: list[str | Function | Global]  # in the order of the text; lines of no other class as they are
    attributes: dict[str, frozenset[str]]  # by group, "#0"
    declarations: dict[str, str]  # the line of each function that is defined elsewhere, by name
    metadata: dict[str, str]  # the text of each node, by "!5"

    @property
    def functions(self) -> dict[str, Function]:
        """The module's functions, by name."""
        return {item.name: item for item in self.items if isinstance(item, Function)}

    @property
    def globals(self) -> dict[str, Global]:
        """The module's variables and aliases, by name."""
        return {item.name: item for item in self.items if isinstance(item, Global)}

    def has_attribute(self, function: Function, word: str) -> bool:
        return any(word in self.attributes[group] for group in function.groups)

    def declare(self, lines: Mapping[str, str]) -> None:
        """Declare functions that are defined elsewhere, by name, unless the module has them."""
        missing = {name: line for name, line in lines.items() if name not in self.declarations}
        self.declarations |= missing
        self.items += [*missing.values(), ""]

    def text(self) -> str:
        return "\n".join(item if isinstance(item, str) else item.text() for item in self.items)
