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
_COMPARED = {
    "eq|ne": "[bus](?:16|32|64)",
    "lt|le|gt|ge": "[us](?:16|32|64)",
    "lo|ls|hi|hs": "u(?:16|32|64)",
    "(?:eq|ne|lt|le|gt|ge)u?|num|nan": "f32|f64",
}
_UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def _compare(m: re.Match[str]) -> str:
    given = [taken(m["type"], m[name]) for name in "ab"]
    if m["ftz"]:
        given = [f"emu_ftz({one})" for one in given]
    return put_two(m, "pred", f"emu_either(emu_ptx_{_UNSIGNED.get(m['how'], m['how'])}({', '.join(given)}))")


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
    told = [put(word, f"b{part}", f"emu_u{part}(emu_all >> {part * i})") for i, word in enumerate(words) if word != "_"]
    return f"auto emu_all = {taken(f'b{whole}', m['a'])}; {'; '.join(told)}"


def _floating(m: re.Match[str]) -> str:
    function = f"__{'u' * m['s'].startswith('u')}ll2{'float' if m['t'] == 'f32' else 'double'}_{_MODES[m['how']]}"
    return put(m["to"], m["t"], f"{function}({taken(m['s'], m['a'], part=True)})")


def _two_halves(m: re.Match[str]) -> str:
    high, low = (f"unsigned(emu_narrow({taken('f32', m[name])}, {HALVES[m['t']]}, EMU_RN))" for name in "ab")
    return put(m["to"], "b32", f"{high} << 16 | {low}")


def _of_halves() -> Iterator[Rule]:
    for type_, parts in HALVES.items():
        yield op(rf"cvt\.f32\.{type_}", f"float(emu_widen({{0}}, {parts}))", "f32", "b16")
        yield op(rf"cvt\.rn\.{type_}\.f32", f"emu_narrow({{0}}, {parts}, EMU_RN)", "b16", "f32")
        for x2, function, bits in (("", "half", "b16"), ("x2", "two", "b32")):
            name = rf"(?P<f>ex2|tanh)\.approx\.(?:ftz\.)?{type_}{x2}"
            yield op(name, f"emu_{function}_{{f}}<{parts}>", bits, bits)


def _wide(bits: int) -> Iterator[Rule]:
    one, twice = f"{{s}}{bits}", f"{{s}}{2 * bits}"
    yield op(rf"mul\.wide\.(?P<s>[us]){bits}", f"emu_ptx_mul_wide<emu_{twice}>", twice, one, one)
    yield op(rf"mad\.wide\.(?P<s>[us]){bits}", f"emu_ptx_mad_wide<emu_{twice}>", twice, one, one, twice)


_T = "{t}"
NUMBERS: tuple[Rule, ...] = (
    op(rf"(?P<f>ex2|lg2|rsqrt|tanh|sin|cos|rcp|sqrt)\.approx{FTZ}\.f32", "emu_ptx_{f}", "f32", "f32"),
    # (as cuRAND's headers write it)
    op(r"(?P<f>ex2|lg2|rsqrt|rcp)\.approx\.f32(?P<ftz>\.ftz)", "emu_ptx_{f}", "f32", "f32"),
    op(rf"(?P<f>rcp|sqrt)\.rn{FTZ}\.{_FLOATS}", "emu_ptx_{f}", _T, _T),
    op(rf"div\.(?:rn|full|approx){FTZ}\.f32", "emu_ptx_div", "f32", "f32", "f32"),
    op(r"div\.rn\.f64", "emu_ptx_div", "f64", "f64", "f64"),
    op(rf"(?P<f>add|sub|mul)(?:\.rn)?{FTZ}\.{_FLOATS}", "emu_ptx_{f}", _T, _T, _T),
    op(rf"fma\.rn{FTZ}\.{_FLOATS}", "emu_ptx_fma", _T, _T, _T, _T),
    op(rf"(?P<f>min|max){FTZ}(?P<nan>\.NaN(?=\.f32))?\.{_FLOATS}", "emu_ptx_{f}{nan}", _T, _T, _T),
    op(rf"(?P<f>abs|neg){FTZ}\.(?P<t>f32|f64|s16|s32|s64)", "emu_ptx_{f}", _T, _T),
    op(rf"(?P<f>add|sub|mul\.lo|mul\.hi|div|rem|min|max)\.{_INTEGERS}", "emu_ptx_{f}", _T, _T, _T),
    op(rf"(?P<f>mad\.lo|mad\.hi|sad)\.{_INTEGERS}", "emu_ptx_{f}", _T, _T, _T, _T),
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
    # predicates
    *((rf"setp\.(?P<how>{f}){FTZ}\.(?P<type>{t}) {ONE_OR_TWO},{A},{B}", _compare) for f, t in _COMPARED.items()),
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
    (rf"cvt\.rn\.(?P<t>b?f16)x2\.f32 {TO},{A},{B}", _two_halves),
)
