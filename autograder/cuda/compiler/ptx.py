"""Inline PTX, as far as courses and samples need it.

Clang reads a statement, and checks its operands; in the IR it is a call of `asm`. What stands in the string is read
here: each instruction must have a rule (`ptx_numbers.py`, `ptx_threads.py`). A statement becomes a function, whose C++
is written here and compiled before the text, and the call one of that function, which is always inlined.

As on a GPU, a statement has local registers: it reads each operand once, before all instructions, and writes the
outputs after them; those that it declares are numbered after its operands. Its labels are those of the function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..core.refusal import Refusal
from .asm_statements import REGISTERS, AsmError, Statement, operands_of, template_of
from .ptx_bulk import BULK
from .ptx_numbers import NUMBERS
from .ptx_threads import THREADS, with_ordered_modifiers
from .ptx_wgmma import WARPGROUPS, registers_of

_PIECE = re.compile(r" ?([{};]|[A-Za-z_]\w* ?:(?!:)|[^;]*;)")
_DECLARATION = re.compile(r"\.reg ?\.(\w+) (.*)")
_DECLARED = re.compile(r"(%?[A-Za-z_]\w*)(?: ?< ?(\d{1,2}) ?>)?")
_BRANCH = re.compile(r"bra(?:\.uni)? ([A-Za-z_]\w*)")
_GUARD = re.compile(r"@ ?(! ?)?([%\w]+) (.*)")
_NAME = re.compile(r"(?<![\w.%$])%?[A-Za-z_]\w*")
#: By the type that a declaration names, that of C++.
_TYPES = {
    **{f"{kind}{bits}": f"emu_u{bits}" for kind in "bus" for bits in (8, 16, 32, 64)},
    **{kind: f"emu_{kind}" for kind in ("f32", "f64", "pred")},
    **{kind: f"emu_u{bits}" for kind, bits in (("f16", 16), ("bf16", 16), ("f16x2", 32), ("bf16x2", 32))},
}


_CARRY = "bool emu_carry = false;"
#: What makes a function one of the prelude that are always inlined; and that for a preprocessed text.
INLINE = "EMU_INLINE"
EXPANDED = 'inline __attribute__((device, always_inline, no_sanitize("array-bounds")))'


def functions_for(statements: Sequence[Statement], inline: str = INLINE) -> str:
    """C++ that defines a function for each statement, to precede or to follow the text.

    Raises:
        AsmError: there is anything in one that is not known here, or not known outside of whole programs.
    """
    if inline == INLINE and (exits := next((s for s in statements if re.search(r"\bexit\b", s.text)), None)):
        raise AsmError(exits.line, "exit", Refusal.INSTRUCTION)
    return "".join(f'\n#line {s.line} "asm"\n{_function(s, s.function, inline)}' for s in statements)


def _function(statement: Statement, name: str, inline: str) -> str:
    """Return the statement as a function of C++, on one line. Its parameters are the outputs' place and the inputs."""
    operands = operands_of(statement)
    template = template_of(statement, len(operands))
    sums = registers_of(statement, template).sums
    in_sums = {*sums, *(operands[i].initial for i in sums)}
    outputs = [i for i, operand in enumerate(operands) if operand.access and i not in in_sums]
    body = _Body(statement, len(operands), set(outputs), frozenset(sums))
    body.read(template)
    fields = " ".join(f"{REGISTERS[operands[i].constraint][0]} emu_{i};" for i in outputs)
    given, begun = [f"{name}_out* emu_out"] * bool(outputs), list[str]()
    for i, operand in enumerate(operands):
        if i in in_sums:
            continue
        if operand.constraint == "n":
            begun.append(f"constexpr emu_immediate emu_{i}(({operand.value}));")
            continue
        register = REGISTERS[operand.constraint][0]
        if not operand.access:
            given.append(f"{'const void*' if operand.type == 'ptr' else register} emu_in{i}")
            begun.append(f"const {register} emu_{i} = ({register})emu_in{i};")
        elif operand.initial < 0:
            begun.append(f"{register} emu_{i} = emu_unset<{register}>();")
        else:
            begun.append(f"{register} emu_{i} = ({register})emu_in{operand.initial};")
    ended = [f"emu_out->emu_{i} = emu_{i};" for i in outputs]
    struct = f"struct {name}_out {{ {fields} }}; " if outputs else ""
    head = f'extern "C" __attribute__((used)) {inline} void {name}({", ".join(given)})'
    return f"{struct}{head} {{ {' '.join([*begun, *body.declared, *body.emitted, *ended])} }}"


@dataclass
class _Body:
    """The instructions of a statement in C++, and the registers that they declare: in each scope by name, and the
    numbers of those that may be written."""

    statement: Statement
    count: int
    written: set[int]
    sums: frozenset[int]  # of a warpgroup's product, which no other instruction may name
    declared: list[str] = field(default_factory=list)
    emitted: list[str] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)
    scopes: list[dict[str, int]] = field(default_factory=lambda: [{}])

    def read(self, template: str) -> None:
        pieces = [piece[1] for piece in _PIECE.finditer(template)]
        self.labels = {piece.rstrip(" :") for piece in pieces if piece.endswith(":")}
        at = 0
        while piece := _PIECE.match(template, at):
            at = piece.end()
            if piece[1] == "{":
                self.scopes.append({})
            elif piece[1] == "}" and len(self.scopes) > 1:
                self.scopes.pop()
            elif piece[1].endswith(":"):
                self.emitted.append(f"emu_at_{piece[1].rstrip(' :')}:;")
            elif instruction := piece[1].removesuffix(";").strip():
                self._translate(instruction)
        if rest := template[at:].strip():
            raise self._unknown(f"{rest} (no semicolon)")
        if len(self.scopes) > 1:
            raise self._unknown("{")

    def _unknown(self, instruction: str) -> AsmError:
        return AsmError(self.statement.line, instruction, Refusal.INSTRUCTION)

    def _translate(self, instruction: str) -> None:
        if declaration := _DECLARATION.fullmatch(instruction):
            self._declare(instruction, *declaration.groups())
            return
        condition, plain = "", instruction
        if guard := _GUARD.fullmatch(instruction):
            number = self._numbered(guard[2]).removeprefix("%")
            if not number.isdigit():
                raise self._unknown(instruction)
            condition, plain = f"if ({'!' * bool(guard[1])}emu_as<emu_pred, false>(emu_{number})) ", guard[3]
        if (branch := _BRANCH.fullmatch(plain)) and branch[1] in self.labels:
            self.emitted.append(f"{condition}goto emu_at_{branch[1]};")
            return
        opcode, _, words = plain.partition(" ")
        words = _NAME.sub(lambda name: self._numbered(name[0]), re.sub(r" ?([,|+{}\[\]]) ?", r"\1", words))
        translated = _expression(f"{with_ordered_modifiers(opcode)} {words}".strip(), self.written)
        of_sums = self.sums.intersection(map(int, re.findall(r"%(\d+)", words)))
        if translated is None or (of_sums and not opcode.startswith("wgmma.mma_async")):
            raise self._unknown(instruction)
        if "emu_carry" in translated and _CARRY not in self.declared:
            if "_carry<true" in translated or "_borrow<true" in translated:  # the carry of another statement
                raise self._unknown(instruction)
            self.declared.append(_CARRY)
        self.emitted.append(f"{condition}{{ {translated}; }}")

    def _numbered(self, name: str) -> str:
        """Return a register's number in place of its name; any other word stays."""
        return next((f"%{scope[name]}" for scope in reversed(self.scopes) if name in scope), name)

    def _declare(self, instruction: str, type_: str, names: str) -> None:
        for name in names.split(","):
            found = _DECLARED.fullmatch(name.strip())
            if not found or type_ not in _TYPES:
                raise self._unknown(instruction)
            for register in [f"{found[1]}{i}" for i in range(int(found[2]))] if found[2] else [found[1]]:
                if register in self.scopes[-1]:
                    raise self._unknown(instruction)
                self.scopes[-1][register] = self.count
                self.written.add(self.count)
                self.declared.append(f"{_TYPES[type_]} emu_{self.count} = emu_unset<{_TYPES[type_]}>();")
                self.count += 1


def _expression(instruction: str, written: set[int]) -> str | None:
    """Return an instruction in C++; None if it is not known, or writes a register that is not among `written`."""
    for pattern, translate in (*NUMBERS, *THREADS, *BULK, *WARPGROUPS):
        if found := re.fullmatch(pattern, instruction):
            named = found.groupdict()
            to = re.findall(r"%(\d+)", " ".join(named.get(name) or "" for name in ("to", "also", "list")))
            return translate(found) if all(int(number) in written for number in to) else None
    return None
