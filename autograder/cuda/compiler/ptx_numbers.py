"""The instructions of PTX for numbers, bits and predicates that are known here (emulator/prelude_ptx_numbers.h)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .ptx_operands import (
    FTZ,
    HALVES,
    ONE_OR_TWO,
    OPERAND,
    READ,
    TO,
    A,
    B,
    C,
    Rule,
    braced,
    op,
    put,
    put_two,
    taken,
    value,
    words_of,
)

_INTEGERS = r"(?P<t>[us](?:16|32|64))"
_BITS = r"(?P<t>b16|b32|b64)"
_FLOATS = r"(?P<t>f32|f64)"
_ANY = r"(?P<t>[bus](?:16|32|64)|f32|f64)"
_WHOLES = r"[us](?:8|16|32|64)"
_WHOLE = r"(?P<f>rni|rzi|rmi|rpi)"
_MODES = {"rn": "rn", "rz": "rz", "rm": "rd", "rp": "ru"}
#: A result of 0 to 1.
_SAT = r"(?P<sat>\.sat(?=\.f32))?"
_COMPARED = {
    "eq|ne": "[bus](?:16|32|64)",
    "lt|le|gt|ge": "[us](?:16|32|64)",
    "lo|ls|hi|hs": "u(?:16|32|64)",
    "(?:eq|ne|lt|le|gt|ge)u?|num|nan": "f32|f64",
}
_UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def _compared(m: re.Match[str]) -> str:
    given = [taken(m["type"], m[name]) for name in "ab"]
    if m["ftz"]:
        given = [f"emu_ftz({value})" for value in given]
    return f"emu_ptx_{_UNSIGNED.get(m['how'], m['how'])}({', '.join(given)})"


def _compare(m: re.Match[str]) -> str:
    second = f", {taken('pred', m['c'])}" if m["and"] else ""
    return put_two(m, "pred", f"emu_either{'_' * bool(second)}{m['and'] or ''}({_compared(m)}{second})")


def _set(m: re.Match[str]) -> str:
    """Return a comparison whose result is a number: of all bits, or 1.0."""
    true = "1.0f" if m["t"] == "f32" else f"emu_{m['t']}(-1)"
    return put(m["to"], m["t"], f"emu_{m['t']}({_compared(m)} ? {true} : 0)")


def _comparisons() -> Iterator[Rule]:
    for how, types in _COMPARED.items():
        compared = rf"(?P<how>{how})(?:\.(?P<and>and|or|xor))?{FTZ}"
        yield rf"setp\.{compared}\.(?P<type>{types}) {ONE_OR_TWO},{A},{B}(?(and),(?P<c>!?%[0-9]+))", _compare
        yield rf"set\.(?P<how>{how}){FTZ}\.(?P<t>[us]32|f32)\.(?P<type>{types}) {TO},{A},{B}", _set


def _carried(m: re.Match[str]) -> str:
    """Return a sum or difference that reads the carry, or writes it, or both."""
    word, bits = m["f"], f"u{m['bits']}"
    takes, gives = str(word.endswith("c")).lower(), str(bool(m["cc"])).lower()
    given = [taken(f"{m['sign']}{m['bits']}", m[name]) for name in "ab"]
    if word.startswith("mad"):
        given = [f"emu_ptx_mul_{m['part']}({', '.join(given)})", taken(bits, m["c"])]
    how = "borrow" if word.startswith("sub") else "carry"
    numbers = ", ".join(f"emu_{bits}({value})" for value in given)
    return put(m["to"], bits, f"emu_with_{how}<{takes}, {gives}>({numbers}, emu_carry)")


def _carries() -> Iterator[Rule]:
    kind = r"(?P<sign>[us])(?P<bits>32|64)"
    for cc, sums, products in ((r"(?P<cc>\.cc)", "addc?|subc?", "madc?"), (r"(?P<cc>)", "addc|subc", "madc")):
        yield rf"(?P<f>{sums}){cc}\.{kind} {TO},{A},{B}", _carried
        yield rf"(?P<f>{products})\.(?P<part>lo|hi){cc}\.{kind} {TO},{A},{B},{C}", _carried


def _pack(m: re.Match[str]) -> str | None:
    words, whole = words_of(m, "parts"), int(m["bits"])
    part = whole // len(words)
    if part not in (16, 32):
        return None
    parts = (f"emu_u{whole}({taken(f'b{part}', word)}) << {part * i}" for i, word in enumerate(words))
    return put(m["to"], f"b{whole}", " | ".join(parts))


def _unpack(m: re.Match[str]) -> str | None:
    words, whole = words_of(m, "list"), int(m["bits"])
    part = whole // len(words)
    if part not in (16, 32):
        return None
    results = [
        put(word, f"b{part}", f"emu_u{part}(emu_all >> {part * i})") for i, word in enumerate(words) if word != "_"
    ]
    return f"auto emu_all = {taken(f'b{whole}', m['a'])}; {'; '.join(results)}"


def _floating(m: re.Match[str]) -> str:
    function = f"__{'u' * m['s'].startswith('u')}ll2{'float' if m['t'] == 'f32' else 'double'}_{_MODES[m['how']]}"
    return put(m["to"], m["t"], f"{function}({taken(m['s'], m['a'], part=True)})")


def _two_halves(m: re.Match[str]) -> str:
    mode = f"EMU_{m['how'].upper()}"
    given = (f"fmaxf({taken('f32', m[n])}, 0.0f)" if m["relu"] else taken("f32", m[n]) for n in "ab")
    high, low = (f"unsigned(emu_narrow({value}, {HALVES[m['t']]}, {mode}))" for value in given)
    return put(m["to"], "b32", f"{high} << 16 | {low}")


def _of_halves() -> Iterator[Rule]:
    for type_, parts in HALVES.items():
        yield op(rf"cvt\.f32\.{type_}", f"float(emu_widen({{0}}, {parts}))", "f32", "b16")
        yield op(rf"cvt\.f64\.{type_}", f"emu_widen({{0}}, {parts})", "f64", "b16")
        wide = f"emu_widen({{0}}, {parts})"
        yield op(rf"cvt\.rn\.{type_}\.(?P<s>[us](?:8|16|32))", f"emu_narrow({{0}}, {parts}, EMU_RN)", "b16", "part {s}")
        into = rf"cvt\.{_WHOLE}(?:\.ftz)?\.(?P<t>[us](?:8|16|32))\.{type_}"
        yield op(into, f"emu_whole<emu_{{t}}>(emu_ptx_{{f}}({wide}), false)", "part {t}", "b16")
        yield op(
            rf"cvt\.{_WHOLE}(?:\.ftz)?\.{type_}\.{type_}",
            f"emu_narrow(emu_ptx_{{f}}({wide}), {parts}, EMU_RN)",
            "b16",
            "b16",
        )
        for mode in ("rn", "rz"):
            yield op(rf"cvt\.{mode}\.{type_}\.f32", f"emu_narrow({{0}}, {parts}, EMU_{mode.upper()})", "b16", "f32")
        for x2, bits in (("", "b16"), ("x2", "b32")):
            for names, more in (("add|sub|mul", 1), ("min|max", 1), ("neg|abs", 0), ("fma", 2)):
                rn = r"\.rn" if names == "fma" else r"(?:\.rn)?" if names.startswith("add") else ""
                name = rf"(?P<f>{names}){rn}(?:\.ftz)?\.{type_}{x2}"
                yield op(name, f"emu_halves_{{f}}<{parts}>", bits, *[bits] * (1 + more))
        for x2, function, bits in (("", "half", "b16"), ("x2", "two", "b32")):
            name = rf"(?P<f>ex2|tanh)\.approx\.(?:ftz\.)?{type_}{x2}"
            yield op(name, f"emu_{function}_{{f}}<{parts}>", bits, bits)


def _wide(bits: int) -> Iterator[Rule]:
    value, twice = f"{{s}}{bits}", f"{{s}}{2 * bits}"
    yield op(rf"mul\.wide\.(?P<s>[us]){bits}", f"emu_ptx_mul_wide<emu_{twice}>", twice, value, value)
    yield op(rf"mad\.wide\.(?P<s>[us]){bits}", f"emu_ptx_mad_wide<emu_{twice}>", twice, value, value, twice)


def _directed() -> Iterator[Rule]:
    """Arithmetic that rounds down, up or to zero."""
    for type_, letter, fma in (("f32", "f", "fmaf"), ("f64", "d", "fma")):
        for ptx, name in _MODES.items():
            if ptx != "rn":
                for f, count in (("add|sub|mul|div", 2), ("rcp|sqrt", 1)):
                    opcode = rf"(?P<f>{f})\.{ptx}{FTZ}\.{type_}"
                    yield op(opcode, f"__{letter}{{f}}_{name}", type_, *[type_] * count)
                yield op(rf"(?:fma|mad)\.{ptx}{FTZ}\.{type_}", f"__{fma}_{name}", type_, type_, type_, type_)


_T = "{t}"
NUMBERS: tuple[Rule, ...] = (
    op(rf"(?P<f>ex2|lg2|rsqrt|tanh|sin|cos|rcp|sqrt)\.approx{FTZ}\.f32", "emu_ptx_{f}", "f32", "f32"),
    # (as cuRAND's headers write it)
    op(r"(?P<f>ex2|lg2|rsqrt|rcp)\.approx\.f32(?P<ftz>\.ftz)", "emu_ptx_{f}", "f32", "f32"),
    op(rf"(?P<f>rcp|sqrt)\.rn{FTZ}\.{_FLOATS}", "emu_ptx_{f}", _T, _T),
    *_directed(),
    op(rf"div\.(?:rn|full|approx){FTZ}\.f32", "emu_ptx_div", "f32", "f32", "f32"),
    op(r"div\.rn\.f64", "emu_ptx_div", "f64", "f64", "f64"),
    op(rf"(?P<f>add|sub|mul)(?:\.rn)?{FTZ}{_SAT}\.{_FLOATS}", "emu_ptx{sat}(emu_ptx_{f}({0}, {1}))", _T, _T, _T),
    op(
        rf"(?:fma\.rn|mad(?:\.rn)?){FTZ}{_SAT}\.{_FLOATS}",
        "emu_ptx{sat}(emu_ptx_fma({0}, {1}, {2}))",
        _T,
        _T,
        _T,
        _T,
    ),
    op(rf"(?P<f>min|max){FTZ}(?P<nan>\.NaN(?=\.f32))?\.{_FLOATS}", "emu_ptx_{f}{nan}", _T, _T, _T),
    op(rf"(?P<f>abs|neg){FTZ}\.(?P<t>f32|f64|s16|s32|s64)", "emu_ptx_{f}", _T, _T),
    op(rf"(?P<f>add|sub|mul\.lo|mul\.hi|div|rem|min|max)\.{_INTEGERS}", "emu_ptx_{f}", _T, _T, _T),
    op(rf"(?P<f>mad\.lo|mad\.hi|sad)\.{_INTEGERS}", "emu_ptx_{f}", _T, _T, _T, _T),
    *_carries(),
    op(
        r"(?P<f>add|sub)\.sat\.s32",
        "emu_saturated<emu_s32>(emu_ptx_{f}(emu_s64({0}), emu_s64({1})))",
        "s32",
        "s32",
        "s32",
    ),
    op(r"mul24\.lo\.(?P<t>[us]32)", "emu_ptx_mul24", _T, _T, _T),
    op(r"mad24\.lo\.(?P<t>[us]32)", "emu_ptx_mul24({0}, {1}) + {2}", _T, _T, _T, _T),
    *_wide(16),
    *_wide(32),
    op(r"dp4a\.(?P<t>[us]32)\.(?P=t)", "__dp4a", _T, _T, _T, _T),
    op(r"vabsdiff4\.u32\.u32\.u32\.add", "emu_ptx_vabsdiff4", "u32", "u32", "u32", "u32"),
    # bits
    op(rf"(?P<f>and|or|xor)\.{_BITS}", "emu_ptx_{f}", _T, _T, _T),
    op(rf"not\.{_BITS}", "emu_ptx_not", _T, _T),
    op(rf"shl\.{_BITS}", "emu_ptx_shl", _T, _T, "u32"),
    op(r"shr\.(?P<t>[bus](?:16|32|64))", "emu_ptx_shr", _T, _T, "u32"),
    op(r"shf\.(?P<f>[lr])\.wrap\.b32", "__funnelshift_{f}", "b32", "b32", "b32", "u32"),
    op(r"shf\.(?P<f>[lr])\.clamp\.b32", "__funnelshift_{f}c", "b32", "b32", "b32", "u32"),
    op(r"(?P<f>popc|clz)\.(?P<t>b32|b64)", "emu_ptx_{f}", "u32", _T),
    op(r"brev\.(?P<t>b32|b64)", "emu_ptx_brev", _T, _T),
    op(r"bfind(?P<f>\.shiftamt)?\.(?P<t>[us](?:32|64))", "emu_ptx_bfind{f}", "u32", _T),
    op(r"bfe\.(?P<t>[us](?:32|64))", "emu_ptx_bfe", _T, _T, "u32", "u32"),
    op(r"bfi\.(?P<t>b32|b64)", "emu_ptx_bfi", _T, _T, _T, "u32", "u32"),
    op(r"prmt\.b32(?P<f>\.(?:f4e|b4e|rc8|ecl|ecr|rc16))?", "emu_ptx_prmt{f}", "b32", "b32", "b32", "u32"),
    (
        rf"lop3\.b32 {TO},{A},{B},{C},(?P<table>{OPERAND})",
        lambda m: put(m["to"], "b32", f"emu_lop3<{value(m['table'])}>({', '.join(taken('b32', m[n]) for n in 'abc')})"),
    ),
    op(r"cnot\.(?P<t>b16|b32|b64)", "decltype({0})({0} == 0)", _T, _T),
    op(rf"slct{FTZ}\.(?P<t>[bus](?:16|32|64)|f32|f64)\.(?P<s>s32|f32)", "({2} >= 0 ? {0} : {1})", _T, _T, _T, "{s}"),
    op(r"copysign\.(?P<t>f32|f64)", "copysign({1}, {0})", _T, _T, _T),
    # predicates
    op(
        r"testp\.(?P<f>finite|infinite|number|notanumber|normal|subnormal)\.(?P<t>f32|f64)", "emu_testp_{f}", "pred", _T
    ),
    *_comparisons(),
    op(rf"selp\.{_ANY}", "emu_ptx_selp", _T, _T, _T, "pred"),
    op(r"(?P<f>and|or|xor)\.pred", "emu_ptx_{f}", "pred", "pred", "pred"),
    op(r"(?P<f>not|mov)\.pred", "emu_ptx_{f}", "pred", "pred"),
    # moves and conversions
    (rf"mov\.{_ANY} {TO},{READ}", lambda m: put(m["to"], m["t"], taken(m["t"], m["a"]))),
    (rf"mov\.b(?P<bits>32|64) {TO},{braced('parts', OPERAND)}", _pack),
    (rf"mov\.b(?P<bits>32|64) {braced('list', r'%[0-9]+|_')},{A}", _unpack),
    (
        rf"cvt\.(?P<t>{_WHOLES})\.(?P<s>{_WHOLES}) {TO},{READ}",
        lambda m: put(m["to"], m["t"], f"emu_{m['t']}({taken(m['s'], m['a'], part=True)})", part=True),
    ),
    op(rf"cvt\.sat\.(?P<t>{_WHOLES})\.(?P<s>{_WHOLES})", "emu_saturated<emu_{t}>", "part {t}", "part {s}"),
    op(
        rf"cvt\.{_WHOLE}{FTZ}(?:\.sat)?\.(?P<t>{_WHOLES})\.(?P<s>f32|f64)",
        "emu_whole<emu_{t}>(emu_ptx_{f}({0}), sizeof(emu_{s}) == 8)",
        "part {t}",
        "{s}",
    ),
    op(rf"cvt\.{_WHOLE}{FTZ}\.{_FLOATS}\.(?P=t)", "emu_{t}(emu_ptx_{f}({0}))", _T, _T),
    (rf"cvt\.(?P<how>rn|rz|rm|rp)\.{_FLOATS}\.(?P<s>{_WHOLES}) {TO},{READ}", _floating),
    *(op(rf"cvt\.{ptx}{FTZ}\.f32\.f64", f"__double2float_{name}", "f32", "f64") for ptx, name in _MODES.items()),
    op(r"cvt\.f64\.f32", "emu_f64", "f64", "f32"),
    *_of_halves(),
    (rf"cvt\.(?P<how>rn|rz)(?P<relu>\.relu)?\.(?P<t>b?f16)x2\.f32 {TO},{A},{B}", _two_halves),
    op(r"cvt\.rna\.tf32\.f32", "emu_tf32", "b32", "f32"),
    op(r"cvt\.sat\.f32\.f32", "__saturatef", "f32", "f32"),
    op(
        r"cvt\.pack\.sat\.(?P<t>[us]8)\.s32\.b32",
        "emu_u32({2}) << 16 | emu_u32(emu_u8(emu_saturated<emu_{t}>({0}))) << 8 | emu_u8(emu_saturated<emu_{t}>({1}))",
        "b32",
        "s32",
        "s32",
        "b32",
    ),
    op(
        r"cvt\.pack\.sat\.(?P<t>[us]16)\.s32",
        "emu_u32(emu_u16(emu_saturated<emu_{t}>({0}))) << 16 | emu_u16(emu_saturated<emu_{t}>({1}))",
        "b32",
        "s32",
        "s32",
    ),
)
