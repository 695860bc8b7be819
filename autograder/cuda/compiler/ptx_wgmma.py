"""The instructions of PTX for warpgroups that are known here (cuda/emulator/prelude_wgmma.h)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.refusal import Refusal
from .asm_statements import AsmError, Statement
from .ptx_operands import OPERAND, Rule, braced, taken, value, words_of

_FLOATS, _INTEGERS = ("e4m3", "e5m2"), ("s8", "u8")
#: As the runtime numbers the elements (hooks/matrix_numbers.h).
_NUMBERS = {"f16": 0, "bf16": 1, "tf32": 2, "s8": 3, "u8": 4, "f32": 5, "s32": 6, "e4m3": 8, "e5m2": 9}
_SIGNS, _TURNS = ("negate_a", "negate_b"), ("turn_a", "turn_b")
#: By the types of the sums and of the factors: the factors' common side, and which numbers the instruction ends with.
_KINDS = {
    **{(total, "f16", "f16"): (16, (*_SIGNS, *_TURNS)) for total in ("f32", "f16")},
    ("f32", "bf16", "bf16"): (16, (*_SIGNS, *_TURNS)),
    ("f32", "tf32", "tf32"): (8, _SIGNS),
    **{(total, a, b): (32, _SIGNS) for total in ("f32", "f16") for a in _FLOATS for b in _FLOATS},
    **{("s32", a, b): (32, ()) for a in _INTEGERS for b in _INTEGERS},
}
_MOST_OF_INTEGERS = 32  # columns, from which on there must be a multiple of 16
_SUM_BITS = {"f32": 32, "f16": 16, "s32": 32}

#: A product: its sums, and the first factor if that is in registers. Of the sums, no instruction has a value: the
#: runtime knows where the thread keeps them.
_PRODUCT = re.compile(
    r"wgmma\.mma_async\.sync\.aligned\.m64n(?P<n>\d+)k(?P<k>\d+)(?P<limits>\.satfinite)?\.(?P<sum>f32|f16|s32)"
    r"\.(?P<a_type>\w+)\.(?P<b_type>\w+) "
    rf"{braced('sums')},(?:{braced('as')}|(?P<a>%\d+)),(?P<b>%\d+),(?P<add>!?%\d+|[01])(?P<rest>(?:,(?:%\d+|-?[01]))*)"
)
_FLOAT_SUMS = re.compile(r"[\w.]*?k\d+\.f32\.")
_OPERANDS = re.compile(r"wgmma\.mma_async[^;{]*\{([^}]*)\} ?, ?(?:\{([^}]*)\})?")


@dataclass(frozen=True)
class Registers:
    """Of a product, the numbers of its statement's operands that are its sums, and those of its first factor, if that
    is in registers; empty where there is no product."""

    sums: tuple[int, ...] = ()
    factors: tuple[int, ...] = ()


def registers_of(statement: Statement, template: str) -> Registers:
    """Return the registers of the product in a statement, whose instructions are `template`.

    Raises:
        AsmError: there are several; or its sums are not just the statement's outputs.
    """
    found = list(_OPERANDS.finditer(template))
    if not found:
        return Registers()
    sums, factors = (tuple(int(n) for n in re.findall(r"%(\d+)", list_ or "")) for list_ in found[0].groups())
    outputs = [c[1:].removeprefix("&") for c in statement.outputs]
    letter = "f" if _FLOAT_SUMS.match(found[0][0]) else "r"
    if len(found) > 1 or sorted(sums) != list(range(len(outputs))) or {letter} != set(outputs):
        raise AsmError(statement.line, found[0][0].partition(" ")[0], Refusal.INSTRUCTION)
    return Registers(sums, factors)


def _multiply(m: re.Match[str]) -> str | None:
    n, kind = int(m["n"]), _KINDS.get((m["sum"], m["a_type"], m["b_type"]))
    integers = m["sum"] == "s32"
    if kind is None or n % 8 or not 8 <= n <= 256 or int(m["k"]) != kind[0] or (m["limits"] and not integers):
        return None
    if integers and n > _MOST_OF_INTEGERS and n % 16:
        return None
    sums, factors = words_of(m, "sums"), words_of(m, "as") if m["as"] else []
    if len(sums) != n * _SUM_BITS[m["sum"]] // 64 or (factors and len(factors) != 4):
        return None
    rest = m["rest"].split(",")[1:]
    names = [name for name in kind[1] if name != "turn_a" or not factors]
    if len(rest) != len(names):
        return None
    given = {name: f"long({value(word)})" for name, word in zip(names, rest, strict=True)}
    options = [given.get(name, "1") for name in _SIGNS] + [given.get(name, "0") for name in _TURNS]
    types = [str(_NUMBERS[m[name]]) for name in ("a_type", "b_type", "sum")]
    template = ", ".join([str(n), *types, str(bool(m["limits"])).lower(), *options])
    a = f"emu_registers({', '.join(taken('b32', word) for word in factors)})" if factors else taken("u64", m["a"])
    adds = f"{'!' * m['add'].startswith('!')}emu_adds({value(m['add'].lstrip('!'))})"
    return f"emu_wgmma<{template}>({a}, {taken('u64', m['b'])}, {adds})"


WARPGROUPS: tuple[Rule, ...] = (
    (_PRODUCT.pattern, _multiply),
    (r"wgmma\.fence\.sync\.aligned", lambda m: "emu_wgmma_fence()"),
    (r"wgmma\.commit_group\.sync\.aligned", lambda m: "emu_wgmma_commit()"),
    (rf"wgmma\.wait_group\.sync\.aligned (?P<a>{OPERAND})", lambda m: f"emu_wgmma_wait<{value(m['a'])}>()"),
    (
        rf"setmaxnreg\.(?:inc|dec)\.sync\.aligned\.u32 (?P<a>{OPERAND})",
        lambda m: f"emu_setmaxnreg<{value(m['a'])}>()",
    ),
)
