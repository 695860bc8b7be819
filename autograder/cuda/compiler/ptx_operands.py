"""How the operands of PTX's instructions are written, in PTX and in C++: for the tables of rules.

A rule is a pattern and what tells the C++ of an instruction that it matches, or None if that is not known after all.
A pattern sees registers as numbers, %0 or %12, and no blanks but one after the instruction's name. Its groups `to`,
`also` and `list` are what the instruction writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Rule = tuple[str, Callable[["re.Match[str]"], "str | None"]]

_SPECIAL = (
    *("laneid", "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_ge", "lanemask_gt"),
    *("clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi", "warpid", "smid"),
    *("cluster_ctarank", "cluster_nctarank"),
    *(
        f"{name}.{axis}"
        for name in ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid")
        for axis in "xyz"
    ),
)
_BITS = r"0[fF][\da-fA-F]{8}|0[dD][\da-fA-F]{16}"
_DECIMAL = r"-?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?"
WHOLE = r"-?(?:0[xX][\da-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)U?|WARP_SZ"
OPERAND = rf"%\d+|{_BITS}|{_DECIMAL}|{WHOLE}"
A, B, C = (rf"(?P<{name}>{OPERAND})" for name in "abc")
#: What is moved or converted may be a special register.
READ = rf"(?P<a>{OPERAND}|%?%(?:{'|'.join(map(re.escape, _SPECIAL))}))"
TO = r"(?P<to>%\d+)"
#: A result and a predicate, either of which may be left out.
TWO = r"(?P<to>%\d+|_)\|(?P<also>%\d+|_)"
ONE_OR_TWO = r"(?P<to>%\d+|_)(?:\|(?P<also>%\d+|_))?"
#: Of instructions for floats: subnormal numbers are zeros to it.
FTZ = r"(?P<ftz>\.ftz(?=[\w.]*f32))?"
#: Bits of a type's fraction and exponent.
HALVES = {"f16": "10, 5", "bf16": "7, 8"}


def braced(name: str, part: str = r"%\d+") -> str:
    return rf"\{{(?P<{name}>(?:{part})(?:,(?:{part}))*)\}}"


def place(name: str) -> str:
    """Return an address in memory, with what is added to it."""
    return rf"\[(?P<{name}>%\d+)(?:\+(?P<{name}_more>%\d+|{WHOLE}))?\]"


def number_of(m: re.Match[str], name: str, space: str) -> str:
    """Return an address with its offset; an address of shared memory is a separate kind of number."""
    return f"emu_{space}_place({value(m[name])}, {value(m[f'{name}_more'] or '0')})"


def address_of(m: re.Match[str], name: str) -> str:
    """Return the pointer that an address is, in the space that the instruction names."""
    space = m["space"] or "generic"
    return f"emu_at_{space}({number_of(m, name, space)})"


def words_of(m: re.Match[str], name: str) -> list[str]:
    found: str = m[name]
    return found.split(",")


def value(word: str) -> str:
    """Return a register, or a number."""
    if found := re.fullmatch(r"%?%([a-z]\w*(?:\.[xyz])?)", word):
        return f"emu_ptx_{found[1].replace('.', '_')}()"
    if word.startswith("%"):
        return f"emu_{word[1:]}"
    if re.fullmatch(_BITS, word):
        return f"__builtin_bit_cast({'float' if word[1] in 'fF' else 'double'}, 0x{word[2:]})"
    if re.fullmatch(_DECIMAL, word):
        return f"emu_decimal{{{word}}}"
    return f"emu_immediate({word.replace('WARP_SZ', '32')})"


def cpp_type(type_: str) -> str:
    """Return the type of C++, and whether a register of any type has such bits."""
    return f"emu_{type_.replace('b', 'u')}, {str(type_.startswith('b')).lower()}"


def taken(type_: str, word: str, part: bool = False) -> str:
    """Return an operand as an instruction takes it. `part`: its register may be wider than that."""
    return f"{'!' * word.startswith('!')}emu_as<{cpp_type(type_)}{', true' * part}>({value(word.lstrip('!'))})"


def put(to: str, type_: str, result: str, part: bool = False) -> str:
    register = value(to)
    return f"{register} = emu_result<decltype({register}), {cpp_type(type_)}, {str(part).lower()}>({result})"


def put_all(to: Sequence[str], type_: str, result: str, part: bool = False) -> str:
    """Return what has an array of results, each in a register or, for "_", in none."""
    results = [put(word, type_, f"emu_all.emu_x[{i}]", part) for i, word in enumerate(to) if word != "_"]
    return f"auto emu_all = {result}; {'; '.join(results)}"


def put_two(m: re.Match[str], type_: str, result: str) -> str:
    """Return what has an EmuTwo of results."""
    parts = [(m["to"], type_, "emu_first"), (m["also"], "pred", "emu_second")]
    results = [put(word, kind, f"emu_all.{part}") for word, kind, part in parts if word and word != "_"]
    return f"auto emu_all = {result}; {'; '.join(results)}"


def op(opcode: str, function: str, to: str = "", *given: str) -> Rule:
    """Return an instruction that a function of C++ computes. In all of these, a group of the opcode stands in braces.

    Args:
        opcode: the pattern of the instruction's name.
        function: its name, for a call with the operands in their order; or an expression of {0}, {1}, ...
        to, given: the types of the result ("": none) and of the operands; with a "part ", the register may be wider.
    """
    words = ["!?%[0-9]+" if type_ == "pred" else OPERAND for type_ in given]
    operands = [rf"(?P<{name}>{word})" for name, word in zip("abcd", words, strict=False)]
    call = function if "(" in function else f"{function}({', '.join(f'{{{i}}}' for i in range(len(given)))})"

    def translate(m: re.Match[str]) -> str:
        named = {name: (part or "").replace(".", "_") for name, part in m.groupdict().items()}
        types = [type_.format_map(named) for type_ in (to, *given)]
        parts = [type_.startswith("part ") for type_ in types]
        types = [type_.removeprefix("part ") for type_ in types]
        values = [taken(t, m[n], part) for t, n, part in zip(types[1:], "abcd", parts[1:], strict=False)]
        if named.get("ftz"):
            values = [
                f"emu_ftz({operand})" if t == "f32" else operand for t, operand in zip(types[1:], values, strict=True)
            ]
        result = call.format(*values, **named)
        if named.get("ftz") and types[0] == "f32":
            result = f"emu_ftz({result})"
        return put(m["to"], types[0], result, parts[0]) if to else result

    return f"{opcode} {','.join([TO] * bool(to) + operands)}".strip(), translate
