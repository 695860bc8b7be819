"""Inline PTX, as far as courses and samples need it: read here and put into C++, so that none reaches the compiler.

A statement is `asm("...": outputs : inputs : clobbers)`. Each instruction in it must be one of `_RULES`, or all of it
is refused by `forbidden.py`. The operands stay the text's own expressions, and are checked as any other code. Addresses
are generic or of global memory: one of shared memory is another number on a GPU.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

#: What may not be written twice, or left out.
_ONCE = re.compile(r"\+\+|--|=|[\w>\])]\s*\(", re.ASCII)
_HEAD = re.compile(r"asm\s*(?:(?:__)?volatile(?:__)?\s*)?\(\s*((?:\"(?:[^\"\\\n]|\\[nt])*\"\s*)+)", re.ASCII)
_PIECE = re.compile(r"\"([^\"]*)\"")
_OPERAND = re.compile(r"\s*\"([=+]?)[rlfdhn]\"\s*\(")
_TYPES = {
    "f32": "float",
    "f64": "double",
    **{f"{kind}{bits}": f"uint{bits}_t" for kind in "ub" for bits in (8, 16, 32, 64)},
    **{f"s{bits}": f"int{bits}_t" for bits in (8, 16, 32, 64)},
}
_OF_FLOAT = {
    "ex2": "exp2f",
    "lg2": "log2f",
    "rcp": "1.0f / ",
    "rsqrt": "rsqrtf",
    "sqrt": "sqrtf",
    "tanh": "tanhf",
    "sin": "sinf",
    "cos": "cosf",
}
_OF_TWO = {"add": "+", "sub": "-", "mul": "*", "mul.lo": "*", "and": "&", "or": "|", "xor": "^"}
_SPECIAL = {
    "laneid": "emu_lane()",
    "lanemask_eq": "(1u << emu_lane())",
    "lanemask_lt": "((1u << emu_lane()) - 1u)",
    "lanemask_le": "((2u << emu_lane()) - 1u)",
    "lanemask_ge": "(~0u << emu_lane())",
    "lanemask_gt": "(~1u << emu_lane())",
    "clock": "(unsigned)clock64()",
    "clock64": "clock64()",
    "globaltimer": "clock64()",
    **{
        f"{short}.{axis}": f"{name}.{axis}"
        for short, name in {"tid": "threadIdx", "ntid": "blockDim", "ctaid": "blockIdx", "nctaid": "gridDim"}.items()
        for axis in "xyz"
    },
}
_FENCES = {
    "cta": "__threadfence_block()",
    "gl": "__threadfence()",
    "gpu": "__threadfence()",
    "sys": "__threadfence_system()",
}
_SHUFFLES = {"idx": "", "up": "_up", "down": "_down", "bfly": "_xor"}
#: Of `mma`: how the runtime numbers the elements (hooks/matrix_numbers.h), and their bits; and which k a type has.
_ELEMENTS = {"f16": (0, 16), "bf16": (1, 16), "tf32": (2, 32), "f32": (5, 32)}
_DEPTHS = {"f16": (8, 16), "bf16": (8, 16), "tf32": (4, 8)}
_HALVES = {"f16": "half", "bf16": "bfloat16"}
_CACHE = r"(?:\.global)?(?:\.(?:ca|cg|cs|cv|lu|nc|wb|wt))?"
_SCOPES = {"cta": "EMU_SCOPE_BLOCK", "gpu": "EMU_SCOPE_DEVICE", "sys": "EMU_SCOPE_DEVICE"}
_ORDER = r"\.(?P<order>relaxed|acquire|release)(?:\.global)?\.(?P<scope>cta|gpu|sys)(?:\.global)?"
#: A statement of which each instruction is done only if something holds.
_GUARDED = re.compile(
    r"\{ ?\.reg \.pred (?P<name>\w+) ?; ?setp\.(?P<how>eq|ne|lt|le|gt|ge)\.(?P<type>[usb](?:32|64)) (?P=name), ?"
    r"(?P<a>%\d+), ?(?P<b>%\d+|-?(?:0[xX][\da-fA-F]+|\d+)) ?;(?P<rest>(?: ?@(?P=name) [^{};@]*;)+) ?\}"
)
_COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


@dataclass(frozen=True)
class Statement:
    """An asm statement in a text, from `start` to `end`, and the expression that takes its place."""

    start: int
    end: int
    expression: str


def read_asm(text: str, start: int) -> Statement | None:
    """The statement whose `asm` stands at `start`; None if there is anything in it that is not known here."""
    head = _HEAD.match(text, start)
    if head is None:
        return None
    parts = _parts(text, head.end())
    if parts is None:
        return None
    end, operands = parts
    template = "".join(_PIECE.findall(head[1])).replace("\\n", " ").replace("\\t", " ")
    used = re.findall(r"%(\d+)", template)
    if any(used.count(str(i)) != 1 and _ONCE.search(operand) for i, operand in enumerate(operands)):
        return None
    template = " ".join(template.split())
    condition = ""
    if guarded := _GUARDED.fullmatch(template):
        if any(map(_ONCE.search, operands)) or _number_too_large(guarded["a"] + guarded["b"], operands):
            return None
        condition = _condition(guarded, operands)
        template = guarded["rest"].replace(f"@{guarded['name']} ", "")
    told = [_told(one.strip(), operands) for one in template.split(";") if one.strip()]
    if any(expression is None for expression in told):
        return None
    expression = f"({', '.join([*filter(None, told), '(void)0'])})"
    return Statement(start, end, f"({condition} ? {expression} : (void)0)" if condition else f"({expression})")


def _condition(guarded: re.Match[str], operands: Sequence[str]) -> str:
    kind = _TYPES[guarded["type"].replace("b", "u")]
    a, b = (f"({kind}){_value(guarded[name], operands)}" for name in "ab")
    return f"{a} {_COMPARED[guarded['how']]} {b}"


def _value(word: str, operands: Sequence[str]) -> str:
    return f"({operands[int(word[1:])]})" if word.startswith("%") else word


def _number_too_large(instruction: str, operands: Sequence[str]) -> bool:
    return any(int(number) >= len(operands) for number in re.findall(r"%(\d+)", instruction))


def _parts(text: str, at: int) -> tuple[int, list[str]] | None:
    """Where the statement's bracket is closed, and its operands' expressions."""
    operands: list[str] = []
    for section in range(3):
        if text[at : at + 1] == ")":
            return at + 1, operands
        if text[at : at + 1] != ":":
            return None
        at += 1
        if section == 2:
            clobbers = re.compile(r"\s*\"memory\"\s*\)").match(text, at)
            return (clobbers.end(), operands) if clobbers else None
        while found := _OPERAND.match(text, at):
            closed = _close(text, found.end())
            if closed is None or (found[1] != "") != (section == 0):
                return None
            operands.append(text[found.end() : closed - 1].strip())
            at = re.compile(r"\s*,?").match(text, closed).end()  # type: ignore[union-attr]
        at = re.compile(r"\s*").match(text, at).end()  # type: ignore[union-attr]
    return (at + 1, operands) if text[at : at + 1] == ")" else None


def _close(text: str, at: int) -> int | None:
    """Behind the bracket that closes an operand, whose expression has no comments, literals or semicolons."""
    depth = 1
    for sign in re.compile(r"[()\"';#]|//|/\*").finditer(text, at):
        if sign[0] not in "()":
            return None
        depth += 1 if sign[0] == "(" else -1
        if depth == 0:
            return sign.end()
    return None


def _told(instruction: str, operands: Sequence[str]) -> str | None:
    """One instruction as an expression; None if it is not known."""
    for pattern, tell in _RULES:
        if found := re.fullmatch(pattern, instruction):
            known = not _number_too_large(instruction, operands)
            return tell(found, lambda word: _value(word, operands)) if known else None
    return None


_Value = Callable[[str], str]
_Tell = Callable[["re.Match[str]", _Value], "str | None"]


def _set(m: re.Match[str], value: _Value, expression: str) -> str:
    return f"{value(m['to'])} = {expression}"


def _shuffle(m: re.Match[str], value: _Value) -> str:
    call = f"__shfl{_SHUFFLES[m['how']]}_sync({value(m['mask'])}, {value(m['a'])}, {value(m['b'])})"
    return _set(m, value, call)


def _binary(m: re.Match[str], value: _Value) -> str:
    kind, a, b = _TYPES[m["type"].replace("b", "u")], value(m["a"]), value(m["b"])
    if m["how"] in ("min", "max"):
        return _set(m, value, f"{m['how']}(({kind}){a}, ({kind}){b})")
    return _set(m, value, f"({kind}){a} {_OF_TWO[m['how']]} ({kind}){b}")


def _words(m: re.Match[str], name: str, value: _Value) -> list[str]:
    return [value(word.strip()) for word in m[name].split(",")]


def _multiply(m: re.Match[str], value: _Value) -> str | None:
    k, (factor, bits), (total, total_bits) = int(m["k"]), _ELEMENTS[m["factor"]], _ELEMENTS[m["sum"]]
    registers = [_words(m, name, value) for name in "dabc"]
    own = 16 * 8 * total_bits // 1024
    if [len(r) for r in registers] != [own, 16 * k * bits // 1024, 8 * k * bits // 1024, own]:
        return None
    if k not in _DEPTHS[m["factor"]] or (m["sum"] == "f16" and m["factor"] != "f16"):
        return None
    d, *given = (", ".join(r) for r in registers)
    told = ", ".join(f"emu_registers({r})" for r in given)
    return f"emu_set(emu_mma<{factor}, {total}, {k}>({told}), {d})"


def _load_rows(m: re.Match[str], value: _Value) -> str | None:
    to = _words(m, "d", value)
    turned = 1 if m["trans"] else 0
    if len(to) != int(m["count"]):
        return None
    return f"emu_set(emu_ldmatrix<{len(to)}, {turned}>({value(m['a'])}), {', '.join(to)})"


def _ordered(m: re.Match[str]) -> str:
    return f"{_SCOPES[m['scope']]}, {str(m['order'] != 'relaxed').lower()}"


def _wide(m: re.Match[str], value: _Value) -> str | None:
    """Of two or four words at once."""
    words = _words(m, "d", value)
    if len(words) != int(m["count"]):
        return None
    at = f"*(uint{m['count']}*){value(m['a'])}"
    if m["how"] == "ld":
        return f"emu_set(emu_registers({at}), {', '.join(words)})"
    return f"emu_wide(emu_registers({', '.join(words)}), {at})"


def _copy_async(m: re.Match[str], value: _Value) -> str:
    given = [value(m[name]) for name in ("a", "b", "size") if m[name]]
    return f"emu_cp_async<{value(m['c'])}, {str(m['cache'] == 'cg').lower()}>({', '.join(given)})"


def _braced(name: str) -> str:
    return rf"\{{ ?(?P<{name}>%\d+(?: ?, ?%\d+)*) ?\}}"


_TO = r"(?P<to>%\d+)"
_A, _B, _C = (rf"(?P<{name}>%\d+|-?(?:0[xX][\da-fA-F]+|\d+))" for name in "abc")
_MASK = r"(?P<mask>%\d+|0[xX][\da-fA-F]+|-1)"
_RULES: tuple[tuple[str, _Tell], ...] = (
    (
        rf"mov\.[ub](?:32|64) {_TO}, ?%?%(?P<word>{'|'.join(map(re.escape, _SPECIAL))})",
        lambda m, v: _set(m, v, _SPECIAL[m["word"]]),
    ),
    (r"(?:bar|barrier)\.sync(?:\.aligned)? 0", lambda m, v: "__syncthreads()"),
    (rf"bar\.warp\.sync {_MASK}", lambda m, v: f"__syncwarp({v(m['mask'])})"),
    (
        rf"(?:membar|fence(?:\.acq_rel|\.sc))\.(?P<scope>{'|'.join(_FENCES)})",
        lambda m, v: _FENCES[m["scope"]],
    ),
    (
        rf"(?P<name>{'|'.join(_OF_FLOAT)})\.(?:approx|rn)(?:\.ftz)?\.f32 {_TO}, ?{_A}",
        lambda m, v: _set(m, v, f"{_OF_FLOAT[m['name']]}({v(m['a'])})"),
    ),
    (rf"(?P<how>add|sub|mul)(?:\.rn)?(?:\.ftz)?\.(?P<type>f32|f64) {_TO}, ?{_A}, ?{_B}", _binary),
    (
        rf"(?P<how>add|sub|mul\.lo|and|or|xor|min|max)\.(?P<type>[usb](?:32|64)) {_TO}, ?{_A}, ?{_B}",
        _binary,
    ),
    (
        rf"fma\.rn(?:\.ftz)?\.f(?:32|64) {_TO}, ?{_A}, ?{_B}, ?{_C}",
        lambda m, v: _set(m, v, f"fma({v(m['a'])}, {v(m['b'])}, {v(m['c'])})"),
    ),
    (
        rf"mad\.lo\.[us](?:32|64) {_TO}, ?{_A}, ?{_B}, ?{_C}",
        lambda m, v: _set(m, v, f"{v(m['a'])} * {v(m['b'])} + {v(m['c'])}"),
    ),
    (
        rf"lop3\.b32 {_TO}, ?{_A}, ?{_B}, ?{_C}, ?(?P<table>0[xX][\da-fA-F]{{1,2}})",
        lambda m, v: _set(m, v, f"emu_lop3({v(m['a'])}, {v(m['b'])}, {v(m['c'])}, {m['table']})"),
    ),
    (rf"bfind\.u32 {_TO}, ?{_A}", lambda m, v: _set(m, v, f"31 - __clz({v(m['a'])})")),
    (rf"shfl\.sync\.(?P<how>up)\.b32 {_TO}, ?{_A}, ?{_B}, ?(?:0x0|0), ?{_MASK}", _shuffle),
    (rf"shfl\.sync\.(?P<how>idx|down|bfly)\.b32 {_TO}, ?{_A}, ?{_B}, ?(?:0x1f|31), ?{_MASK}", _shuffle),
    (
        rf"ld(?P<volatile>\.volatile)?{_CACHE}\.(?P<type>{'|'.join(_TYPES)}) {_TO}, ?\[(?P<a>%\d+)\]",
        lambda m, v: _set(m, v, f"*(const {'volatile ' * bool(m['volatile'])}{_TYPES[m['type']]}*){v(m['a'])}"),
    ),
    (
        rf"st(?P<volatile>\.volatile)?{_CACHE}\.(?P<type>{'|'.join(_TYPES)}) \[(?P<a>%\d+)\], ?{_B}",
        lambda m, v: f"*({'volatile ' * bool(m['volatile'])}{_TYPES[m['type']]}*){v(m['a'])} = {v(m['b'])}",
    ),
    (
        rf"ld(?!\.release){_ORDER}\.(?P<type>{'|'.join(_TYPES)}) {_TO}, ?\[(?P<a>%\d+)\]",
        lambda m, v: _set(m, v, f"emu_ptx_load<{_TYPES[m['type']]}>({v(m['a'])}, {_ordered(m)})"),
    ),
    (
        rf"st(?!\.acquire){_ORDER}\.(?P<type>{'|'.join(_TYPES)}) \[(?P<a>%\d+)\], ?{_B}",
        lambda m, v: f"emu_ptx_store<{_TYPES[m['type']]}>({v(m['a'])}, {v(m['b'])}, {_ordered(m)})",
    ),
    (rf"(?P<how>ld){_CACHE}\.v(?P<count>[24])\.[usbf]32 {_braced('d')}, ?\[ ?(?P<a>%\d+) ?\]", _wide),
    (rf"(?P<how>st){_CACHE}\.v(?P<count>[24])\.[usbf]32 \[ ?(?P<a>%\d+) ?\], ?{_braced('d')}", _wide),
    (
        r"cp\.async\.(?P<cache>ca|cg)\.shared\.global(?:\.L2::(?:64|128|256)B)? "
        rf"\[(?P<a>%\d+)\], ?\[(?P<b>%\d+)\], ?{_C}(?:, ?(?P<size>%\d+|\d+))?",
        _copy_async,
    ),
    (r"cp\.async\.commit_group", lambda m, v: "emu_async_commit()"),
    (rf"cp\.async\.wait_group {_A}", lambda m, v: f"emu_cp_wait({v(m['a'])})"),
    (r"cp\.async\.wait_all", lambda m, v: "emu_async_commit(), emu_cp_wait(0)"),
    (
        rf"vabsdiff4\.u32\.u32\.u32\.add {_TO}, ?{_A}, ?{_B}, ?{_C}",
        lambda m, v: _set(m, v, f"__vsadu4({v(m['a'])}, {v(m['b'])}) + {v(m['c'])}"),
    ),
    (
        rf"(?P<how>ex2|tanh)\.approx\.(?:ftz\.)?(?P<type>b?f16)(?P<two>x2)? {_TO}, ?{_A}",
        lambda m, v: _set(m, v, f"emu_{'two_' * bool(m['two'])}{m['how']}_{_HALVES[m['type']]}({v(m['a'])})"),
    ),
    (
        r"mma\.sync\.aligned\.m16n8k(?P<k>16|8|4)\.row\.col\.(?P<sum>f32|f16)\.(?P<factor>b?f16|tf32)"
        rf"\.(?P=factor)\.(?P=sum) {', ?'.join(map(_braced, 'dabc'))}",
        _multiply,
    ),
    (
        r"ldmatrix\.sync\.aligned\.m8n8\.x(?P<count>[124])(?P<trans>\.trans)?\.shared\.b16 "
        rf"{_braced('d')}, ?\[ ?(?P<a>%\d+) ?\]",
        _load_rows,
    ),
    (r"trap", lambda m, v: "__trap()"),
)
