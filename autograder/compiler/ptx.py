"""Inline PTX, as far as courses and samples need it.

Clang reads a statement, and checks its operands; in the IR it is a call of `asm`. What stands in the string is read
here: each instruction must be one of `_RULES`. A statement becomes a function, whose C++ is written here and compiled
before the text, and the call one of that function, which is always inlined. Addresses are generic or of global memory:
one of shared memory is another number on a GPU.

As on a GPU, a statement has its own registers: it reads each operand once, before all instructions, and writes the
outputs after them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .asm_statements import REGISTERS, AsmError, Operand, Statement, operands_of

_REFERENCE = re.compile(r"\$(?:\{(\d+)(?::\w+)?\}|(\d+)|([$()|]))")
_TYPES = ("f32", "f64", *(f"{kind}{bits}" for kind in "ubs" for bits in (8, 16, 32, 64)))
_OF_FLOAT = ("ex2", "lg2", "rcp", "rsqrt", "sqrt", "tanh", "sin", "cos")
_OF_TWO = {"add": "+", "sub": "-", "mul": "*", "mul.lo": "*", "and": "&", "or": "|", "xor": "^"}
_SPECIAL = (
    *("laneid", "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_ge", "lanemask_gt"),
    *("clock", "clock64", "globaltimer"),
    *(f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"),
)
_FENCES = {"cta": "BLOCK", "gl": "DEVICE", "gpu": "DEVICE", "sys": "DEVICE"}
#: Of `mma`: how the runtime numbers the elements (hooks/matrix_numbers.h), and their bits; and which k a type has.
_ELEMENTS = {"f16": (0, 16), "bf16": (1, 16), "tf32": (2, 32), "f32": (5, 32)}
_DEPTHS = {"f16": (8, 16), "bf16": (8, 16), "tf32": (4, 8)}
#: Bits of a type's fraction and exponent.
_HALVES = {"f16": "10, 5", "bf16": "7, 8"}
_CACHE = r"(?:\.global)?(?:\.(?P<cache>ca|cg|cs|cv|lu|nc|wb|wt))?"
_ORDER = r"\.(?P<order>relaxed|acquire|release)(?:\.global)?\.(?P<scope>cta|gpu|sys)(?:\.global)?"
#: A statement of which each instruction is done only if something holds.
_GUARDED = re.compile(
    r"\{ ?\.reg \.pred (?P<name>\w+) ?; ?setp\.(?P<how>eq|ne|lt|le|gt|ge)\.(?P<type>[usb](?:32|64)) (?P=name), ?"
    r"(?P<a>%\d+), ?(?P<b>%\d+|-?(?:0[xX][\da-fA-F]+|\d+)) ?;(?P<rest>(?: ?@(?P=name) [^{};@]*;)+) ?\}"
)
_COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


#: What makes a function one of the prelude that are always inlined; and that for a preprocessed text.
INLINE = "EMU_INLINE"
EXPANDED = 'inline __attribute__((device, always_inline, no_sanitize("array-bounds")))'


def functions_for(statements: Sequence[Statement], inline: str = INLINE) -> str:
    """C++ that defines a function for each statement, to precede or to follow the text.

    Raises:
        AsmError: there is anything in one that is not known here.
    """
    return "".join(f'\n#line {s.line} "asm"\n{_function(s, s.function, inline)}' for s in statements)


def _function(statement: Statement, name: str, inline: str) -> str:
    """The statement as a function of C++, on one line. Its parameters are the outputs' place and the inputs."""
    operands = operands_of(statement)
    template = _template(statement, len(operands))
    condition = ""
    if guarded := _GUARDED.fullmatch(template):
        a, b = (_as(guarded["type"], guarded[name]) for name in "ab")
        condition = f"if ({a} {_COMPARED[guarded['how']]} {b})"
        template = guarded["rest"].replace(f"@{guarded['name']} ", "")
    told = []
    for instruction in filter(None, map(str.strip, template.split(";"))):
        if (one := _told(instruction, operands)) is None:
            raise AsmError(statement.line, instruction)
        told.append(f"{one};")
    outputs = [i for i, operand in enumerate(operands) if operand.access]
    fields = " ".join(f"{REGISTERS[operands[i].constraint][0]} emu_{i};" for i in outputs)
    given, begun = [f"{name}_out* emu_out"] * bool(outputs), list[str]()
    for i, operand in enumerate(operands):
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
    words = [*begun, condition, "{", *told, "}", *ended]
    head = f'extern "C" __attribute__((used)) {inline} void {name}({", ".join(given)})'
    return f"{struct}{head} {{ {' '.join(filter(None, words))} }}"


def _template(statement: Statement, count: int) -> str:
    """The instructions with their operands as %0, %1, ..., on one line."""

    def plain(found: re.Match[str]) -> str:
        if found[3]:
            return {"(": "{", ")": "}", "|": "|", "$": "$"}[found[3]]
        number = found[1] or found[2]
        if len(number) > 2 or int(number) >= count:
            raise AsmError(statement.line, f"%{number}")
        return f"%{number}"

    return " ".join(_REFERENCE.sub(plain, statement.text).split())


def _told(instruction: str, operands: Sequence[Operand]) -> str | None:
    """One instruction as an expression; None if it is not known."""
    for pattern, tell in _RULES:
        if found := re.fullmatch(pattern, instruction):
            named = found.groupdict()
            written = re.findall(r"%(\d+)", f"{named.get('to')} {named.get('d')}")
            return tell(found) if all(operands[int(number)].access for number in written) else None
    return None


_Tell = Callable[["re.Match[str]"], "str | None"]


def _value(word: str) -> str:
    """A register, or a number."""
    return f"emu_{word[1:]}" if word.startswith("%") else f"emu_immediate({word})"


def _type(type_: str) -> str:
    """The type of C++, and whether a register of any type has such bits."""
    return f"emu_{type_.replace('b', 'u')}, {str(type_.startswith('b')).lower()}"


def _as(type_: str, word: str) -> str:
    return f"emu_as<{_type(type_)}>({_value(word)})"


def _put(to: str, type_: str, expression: str, part: bool = False) -> str:
    register = _value(to)
    return f"{register} = emu_result<decltype({register}), {_type(type_)}, {str(part).lower()}>({expression})"


def _put_all(to: Sequence[str], expression: str) -> str:
    parts = [_put(word, "b32", f"emu_all.emu_x[{i}]") for i, word in enumerate(to)]
    return f"{{ auto emu_all = {expression}; {'; '.join(parts)}; }}"


def _set(m: re.Match[str], type_: str, expression: str) -> str:
    return _put(m["to"], type_, expression)


def _call(m: re.Match[str], type_: str, function: str, names: str) -> str:
    return _set(m, type_, f"{function}({', '.join(_as(type_, m[name]) for name in names)})")


def _shuffle(m: re.Match[str]) -> str:
    return _set(m, "b32", f"emu_ptx_{m['how']}({_as('u32', m['mask'])}, {_as('b32', m['a'])}, {_as('u32', m['b'])})")


def _binary(m: re.Match[str]) -> str:
    if m["how"] in ("min", "max"):
        return _call(m, m["type"], f"emu_ptx_{m['how']}", "ab")
    type_ = m["type"].replace("s", "u")  # what overflows wraps around
    return _set(m, type_, f"{_as(type_, m['a'])} {_OF_TWO[m['how']]} {_as(type_, m['b'])}")


def _words(m: re.Match[str], name: str) -> list[str]:
    return [word.strip() for word in m[name].split(",")]


def _registers(words: Sequence[str]) -> str:
    return f"emu_registers({', '.join(map(_value, words))})"


def _multiply(m: re.Match[str]) -> str | None:
    k, (factor, bits), (total, total_bits) = int(m["k"]), _ELEMENTS[m["factor"]], _ELEMENTS[m["sum"]]
    registers = [_words(m, name) for name in "dabc"]
    own = 16 * 8 * total_bits // 1024
    if [len(r) for r in registers] != [own, 16 * k * bits // 1024, 8 * k * bits // 1024, own]:
        return None
    if k not in _DEPTHS[m["factor"]] or (m["sum"] == "f16" and m["factor"] != "f16"):
        return None
    d, *given = registers
    return _put_all(d, f"emu_mma<{factor}, {total}, {k}>({', '.join(map(_registers, given))})")


def _load_rows(m: re.Match[str]) -> str | None:
    to = _words(m, "d")
    turned = 1 if m["trans"] else 0
    if len(to) != int(m["count"]):
        return None
    return _put_all(to, f"emu_ldmatrix<{len(to)}, {turned}>(emu_shared_at({_value(m['a'])}))")


def _address(m: re.Match[str], name: str = "a") -> str:
    at = f"emu_address({_value(m[name])})"
    return f"emu_global_at({at})" if ".global" in m[0] else at


def _widened(m: re.Match[str], expression: str) -> str:
    return _put(m["to"], m["type"], expression, part=True)


def _load(m: re.Match[str]) -> str:
    how = "_volatile" if m["volatile"] else _read_only(m)
    return _widened(m, f"emu_ptx_ld{how}<{_type(m['type'])}>({_address(m)})")


def _read_only(m: re.Match[str]) -> str:
    return "_nc" * (m["cache"] == "nc")


def _store(m: re.Match[str]) -> str:
    volatile = "_volatile" * bool(m["volatile"])
    return f"emu_ptx_st{volatile}({_address(m)}, {_narrowed(m)})"


def _narrowed(m: re.Match[str]) -> str:
    return f"emu_as<{_type(m['type'])}, true>({_value(m['b'])})"


def _ordered(m: re.Match[str]) -> str:
    return f"EMU_SCOPE_{_FENCES[m['scope']]}, {str(m['order'] != 'relaxed').lower()}"


def _load_ordered(m: re.Match[str]) -> str:
    return _widened(m, f"emu_ptx_load<{_type(m['type'])}>({_address(m)}, {_ordered(m)})")


def _load_wide(m: re.Match[str]) -> str | None:
    """Two or four words at once."""
    words = _words(m, "d")
    if len(words) != int(m["count"]):
        return None
    return _put_all(words, f"emu_ptx_ld_wide{_read_only(m)}<{len(words)}>({_address(m)})")


def _store_wide(m: re.Match[str]) -> str | None:
    words = _words(m, "b")
    if len(words) != int(m["count"]):
        return None
    return f"emu_ptx_st_wide({_address(m)}, {_registers(words)})"


def _copy_async(m: re.Match[str]) -> str:
    given = [f"emu_shared_at({_value(m['a'])})", f"emu_address({_value(m['b'])})"]
    if m["size"]:
        given.append(_as("u32", m["size"]))
    return f"emu_cp_async<{_value(m['c'])}, {str(m['cache'] == 'cg').lower()}>({', '.join(given)})"


def _braced(name: str) -> str:
    return rf"\{{ ?(?P<{name}>%\d+(?: ?, ?%\d+)*) ?\}}"


_TO = r"(?P<to>%\d+)"
_A, _B, _C = (rf"(?P<{name}>%\d+|-?(?:0[xX][\da-fA-F]+|\d+))" for name in "abc")
_MASK = r"(?P<mask>%\d+|0[xX][\da-fA-F]+|-1)"
_RULES: tuple[tuple[str, _Tell], ...] = (
    (
        rf"mov\.(?P<type>[ub](?:32|64)) {_TO}, ?%?%(?P<word>{'|'.join(map(re.escape, _SPECIAL))})",
        lambda m: _set(m, m["type"], f"emu_ptx_{m['word'].replace('.', '_')}()"),
    ),
    (r"(?:bar|barrier)\.sync(?:\.aligned)? 0", lambda m: "emu_ptx_barrier()"),
    (rf"bar\.warp\.sync {_MASK}", lambda m: f"emu_ptx_warp_barrier({_as('u32', m['mask'])})"),
    (
        rf"(?:membar|fence(?:\.acq_rel|\.sc))\.(?P<scope>{'|'.join(_FENCES)})",
        lambda m: f"emu_fence(EMU_SCOPE_{_FENCES[m['scope']]}, nullptr)",
    ),
    (
        rf"(?P<name>{'|'.join(_OF_FLOAT)})\.(?:approx|rn)(?:\.ftz)?\.f32 {_TO}, ?{_A}",
        lambda m: _call(m, "f32", f"emu_ptx_{m['name']}", "a"),
    ),
    (rf"(?P<how>add|sub|mul)(?:\.rn)?(?:\.ftz)?\.(?P<type>f32|f64) {_TO}, ?{_A}, ?{_B}", _binary),
    (
        rf"(?P<how>add|sub|mul\.lo|and|or|xor|min|max)\.(?P<type>[usb](?:32|64)) {_TO}, ?{_A}, ?{_B}",
        _binary,
    ),
    (
        rf"fma\.rn(?:\.ftz)?\.(?P<type>f32|f64) {_TO}, ?{_A}, ?{_B}, ?{_C}",
        lambda m: _call(m, m["type"], "emu_ptx_fma", "abc"),
    ),
    (
        rf"mad\.lo\.[us](?P<bits>32|64) {_TO}, ?{_A}, ?{_B}, ?{_C}",
        lambda m: _call(m, f"u{m['bits']}", "emu_ptx_mad", "abc"),
    ),
    (
        rf"lop3\.b32 {_TO}, ?{_A}, ?{_B}, ?{_C}, ?(?P<table>%\d+|0[xX][\da-fA-F]{{1,2}})",
        lambda m: _call(m, "b32", f"emu_lop3<{_value(m['table'])}>", "abc"),
    ),
    (rf"bfind\.u32 {_TO}, ?{_A}", lambda m: _call(m, "u32", "emu_ptx_bfind", "a")),
    (rf"shfl\.sync\.(?P<how>up)\.b32 {_TO}, ?{_A}, ?{_B}, ?(?:0x0|0), ?{_MASK}", _shuffle),
    (rf"shfl\.sync\.(?P<how>idx|down|bfly)\.b32 {_TO}, ?{_A}, ?{_B}, ?(?:0x1f|31), ?{_MASK}", _shuffle),
    (rf"ld(?P<volatile>\.volatile)?{_CACHE}\.(?P<type>{'|'.join(_TYPES)}) {_TO}, ?\[(?P<a>%\d+)\]", _load),
    (rf"st(?P<volatile>\.volatile)?{_CACHE}\.(?P<type>{'|'.join(_TYPES)}) \[(?P<a>%\d+)\], ?{_B}", _store),
    (rf"ld(?!\.release){_ORDER}\.(?P<type>{'|'.join(_TYPES)}) {_TO}, ?\[(?P<a>%\d+)\]", _load_ordered),
    (
        rf"st(?!\.acquire){_ORDER}\.(?P<type>{'|'.join(_TYPES)}) \[(?P<a>%\d+)\], ?{_B}",
        lambda m: f"emu_ptx_store({_address(m)}, {_narrowed(m)}, {_ordered(m)})",
    ),
    (rf"ld{_CACHE}\.v(?P<count>[24])\.[usbf]32 {_braced('d')}, ?\[ ?(?P<a>%\d+) ?\]", _load_wide),
    (rf"st{_CACHE}\.v(?P<count>[24])\.[usbf]32 \[ ?(?P<a>%\d+) ?\], ?{_braced('b')}", _store_wide),
    (
        r"cp\.async\.(?P<cache>ca|cg)\.shared\.global(?:\.L2::(?:64|128|256)B)? "
        rf"\[(?P<a>%\d+)\], ?\[(?P<b>%\d+)\], ?{_C}(?:, ?(?P<size>%\d+|\d+))?",
        _copy_async,
    ),
    (r"cp\.async\.commit_group", lambda m: "emu_async_commit()"),
    (rf"cp\.async\.wait_group {_A}", lambda m: f"emu_cp_wait<{_value(m['a'])}>()"),
    (r"cp\.async\.wait_all", lambda m: "emu_async_commit(), emu_cp_wait<0>()"),
    (
        rf"vabsdiff4\.u32\.u32\.u32\.add {_TO}, ?{_A}, ?{_B}, ?{_C}",
        lambda m: _call(m, "u32", "emu_ptx_vabsdiff4", "abc"),
    ),
    (
        rf"(?P<how>ex2|tanh)\.approx\.(?:ftz\.)?(?P<type>b?f16) {_TO}, ?{_A}",
        lambda m: _call(m, "b16", f"emu_half_{m['how']}<{_HALVES[m['type']]}>", "a"),
    ),
    (
        rf"(?P<how>ex2|tanh)\.approx\.(?:ftz\.)?(?P<type>b?f16)x2 {_TO}, ?{_A}",
        lambda m: _call(m, "b32", f"emu_two_{m['how']}<{_HALVES[m['type']]}>", "a"),
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
    (r"trap", lambda m: "emu_ptx_trap()"),
)
