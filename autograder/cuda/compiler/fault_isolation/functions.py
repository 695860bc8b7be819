"""What one function of a kernel's machine code does to the stack, and where control goes in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from ...core.protocol import CONSTANTS
from .assembly import BLOCK, STACK, Does, Instruction, Memory, unproven

_HASH, _VARIABLES = (str(-CONSTANTS[f"{name}_BEFORE"]) for name in ("RUNNING", "VARIABLES"))
_STEP = re.compile(r"\t(?:(sub|add|and)q\t\$(-?\d+), %rsp|leaq\t(-?\d+)\((%r[bs]p)\), %rsp)")
#: How many bytes an instruction writes, by its name. Others write 16.
_BYTES = {
    1: re.compile(r"set\w+|\w+b"),
    2: re.compile(r"\w+w"),
    4: re.compile(r"\w+l|movss|movd|stmxcsr"),
    8: re.compile(r"(?!movntdq)\w+q|movsd|mov[lh]p[sd]"),
}
#: Below the stack's pointer, where a function that calls none may write.
_RED_ZONE = 128
#: Bytes of the page that guards a stack.
_GUARD = 4096


@dataclass
class Calls:
    """Which functions a module has and calls."""

    defined: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)

    def prove(self) -> None:
        """What is called by the linker's table is a function of the runtime's, or one here, too.

        Raises:
            UnprovenError: another call goes to no function.
        """
        for name in self.called - self.defined:
            if not name.endswith("@PLT"):
                raise unproven(f"a call of {name}")


class _Stack(NamedTuple):
    """Where the stack's pointer is, at one place of a function."""

    #: Bytes below where the caller's frame pointer is saved; at least that many if it was aligned.
    depth: int = -8
    is_aligned: bool = False
    #: The frame's pointer is where the caller's is saved.
    has_frame: bool = False
    #: Down to where the function's first instructions have certainly used the stack, counted as its depth.
    touched: int = -8


class Function:
    """One function, whose instructions and labels are passed by in the order of the text."""

    def __init__(self, name: str, calls: Calls, *, hooks: bool) -> None:
        self._name, self._calls, self._hooks = name, calls, hooks
        self._now, self._is_reached = _Stack(), True
        #: With a frame, and before any call and label.
        self._begins = False
        #: Down to where this block has used the stack.
        self._touched = self._now.touched
        #: By label: the stack wherever control comes from.
        self._at: dict[str, _Stack] = {}
        #: The same of a label that control reaches only from after it: a guess, which must hold there.
        self._guess = self._now
        self._labels: set[str] = set()

    def pass_label(self, name: str) -> None:
        if self._is_reached:
            self._go_to(name)
        self._is_reached |= name in self._at
        self._now = self._at.setdefault(name, self._guess)
        self._touched = self._now.touched
        self._labels.add(name)
        self._check()

    def end(self) -> None:
        """Raises:
        UnprovenError: control may leave it where it does not return.
        """
        if self._is_reached or self._at.keys() - self._labels:
            raise unproven(f"the end of {self._name}")
        self._calls.defined.add(self._name)

    def touch(self, size: int) -> None:
        """Let the stack grow by `size` bytes, each page of which is touched."""
        self._now = self._now._replace(depth=self._now.depth + size)
        self._use()

    def pass_by(self, given: Instruction, line: str) -> None:
        if given.is_quiet:
            self._is_reached = True
            return
        for n in given.written:
            at = given.operands[n]
            assert isinstance(at, Memory)
            if not self._may_write(given, at):
                raise unproven(line)
        if given.prefix == "rep" and not given.mnemonic.startswith("bs"):
            raise unproven(line)
        does = given.does
        if given.names_stack:
            self._move_stack(given, line)
        elif does is Does.PUSH:
            self._push()
        elif does is Does.POP:
            if isinstance(given.operands[0], Memory):
                raise unproven(line)
            self._move(-8)
        elif does is Does.CALL:
            self._call(_target(given, line))
        elif does in (Does.JUMP, Does.BRANCH):
            self._go_to(_target(given, line))
        if given.mnemonic == "retq" and (given.operands or self._now != _Stack()):
            raise unproven(line)
        self._is_reached = does not in (Does.JUMP, Does.END)

    def _go_to(self, label: str) -> None:
        """To a label; or to a function in place of a return, which has nothing on this one's stack then."""
        self._begins = False
        if self._now.has_frame:
            self._guess = self._now
        if not label.startswith(BLOCK) and self._now == _Stack():
            self._calls.called.add(label)
        elif self._at.setdefault(label, self._now) != self._now:
            raise unproven(f"the stack's pointer at {label}")

    def _call(self, name: str) -> None:
        self._calls.called.add(name)
        self._begins = False
        self._use()

    def _push(self) -> None:
        self._move(8)
        self._use()

    def _use(self) -> None:
        """What is at the stack's pointer is used."""
        self._touched = max(self._touched, self._now.depth)
        if self._begins:
            self._now = self._now._replace(touched=self._touched)

    def _move(self, by: int) -> None:
        self._now = self._now._replace(depth=self._now.depth + by)
        self._check()

    def _check(self) -> None:
        now = self._now
        if now.depth < (0 if now.has_frame else -8) or now.depth - self._touched > _GUARD:
            raise unproven(f"the stack of {self._name}")

    def _move_stack(self, given: Instruction, line: str) -> None:
        """Pass by an instruction that names the stack's or the frame's pointer."""
        now = self._now
        if line == "\tpushq\t%rbp":
            self._push()
        elif line == "\tpopq\t%rbp" and now[:3] == (0, False, True):
            self._now = _Stack()
        elif line == "\tmovq\t%rsp, %rbp" and now[:3] == (0, False, False):
            self._now, self._begins = now._replace(has_frame=True), True
            self._use()
        elif line == "\tmovq\t%rbp, %rsp" and now.has_frame:
            self._now = now._replace(depth=0, is_aligned=False)
        elif found := _STEP.fullmatch(line):
            self._step(found, line)
        elif given.does is not Does.READ:
            raise unproven(line)

    def _step(self, found: re.Match[str], line: str) -> None:
        now = self._now
        if found[1] == "and":
            alignment = -int(found[2])
            if alignment <= 0 or alignment & (alignment - 1):
                raise unproven(line)
            self._now = now._replace(is_aligned=True, touched=now.touched - alignment + 1)
            self._touched -= alignment - 1
            self._check()
        elif found[4] == "%rbp":
            if not now.has_frame or -int(found[3]) > now.depth:
                raise unproven(line)
            self._now = now._replace(is_aligned=False)
            self._move(-int(found[3]) - now.depth)
        else:
            self._move(-int(found[3]) if found[3] else int(found[2]) if found[1] == "sub" else -int(found[2]))

    def _may_write(self, given: Instruction, at: Memory) -> bool:
        if at.segment == "gs":
            if not at.is_wide:
                return True
            is_ours = at in (Memory("gs", _HASH, "", "", ""), Memory("gs", _VARIABLES, "", "", ""))
            return given.mnemonic.endswith("q") and (is_ours or (self._hooks and bool(at.base or at.second)))
        now, size = self._now, _bytes(given.mnemonic)
        is_number = re.fullmatch(r"-?\d*", at.displacement)
        if at.segment or at.second or not is_number or at.base not in (STACK if now.has_frame else STACK[:1]):
            return False
        distance = int(at.displacement or 0) - (now.depth if at.base == "%rsp" else 0)
        if distance == -now.depth and at.base == "%rsp":
            self._use()
        top = 0 if now.has_frame else 8
        return distance + size <= top and -distance <= min(now.depth + _RED_ZONE, self._touched + _GUARD)


@cache
def _bytes(mnemonic: str) -> int:
    return next((size for size, names in _BYTES.items() if names.fullmatch(mnemonic)), 16)


def _target(given: Instruction, line: str) -> str:
    to = given.operands[0] if len(given.operands) == 1 else None
    if not isinstance(to, Memory) or not to.displacement or to != Memory("", to.displacement, "", "", ""):
        raise unproven(line)
    return to.displacement
