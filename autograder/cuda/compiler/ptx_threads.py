"""The instructions of PTX for memory and for threads together that are known here (cuda/emulator/prelude_ptx.h)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .ptx_operands import (
    HALVES,
    ONE_OR_TWO,
    OPERAND,
    TO,
    TWO,
    A,
    B,
    C,
    Rule,
    address_of,
    braced,
    cpp_type,
    number_of,
    op,
    place,
    put,
    put_all,
    put_two,
    taken,
    value,
    words_of,
)

_FENCES = {"cta": "BLOCK", **dict.fromkeys(("cluster", "gl", "gpu", "sys"), "DEVICE")}
_TYPES = "|".join(("f32", "f64", *(f"{kind}{bits}" for kind in "ubs" for bits in (8, 16, 32, 64))))
_SPACE = r"(?:\.(?P<space>global|shared)(?:::(?:cta|cluster))?)?"
_CACHE = r"(?:\.(?P<cache>ca|cg|cs|cv|lu|nc|wb|wt))?"
_EVICT = r"evict_(?:normal|unchanged|first|last)"
_HINTS = rf"(?:\.L1::(?:{_EVICT}|no_allocate))?(?:\.L2::{_EVICT})?(?P<hint>\.L2::cache_hint)?(?:\.L2::(?:64|128|256)B)?"
#: A hint, after all other operands.
_POLICY = rf"(?(hint),(?P<policy>{OPERAND}))"
_WEAK = rf"(?:\.weak|(?P<volatile>\.volatile))?{_SPACE}{_CACHE}{_HINTS}(?:\.v(?P<count>[24]))?\.(?P<type>{_TYPES})"
_SCOPE = rf"\.(?P<scope>cta|cluster|gpu|sys){_SPACE}{_HINTS}(?:\.v(?P<count>[24]))?\.(?P<type>{_TYPES})"
_UPDATED = {"and|or|xor|exch": "b32|b64", "add": "[us]32|u64|f32|f64", "min|max": "[us](?:32|64)", "inc|dec": "u32"}
#: In this order the rules below have the modifiers of loads, stores and atomics; ptxas takes any.
_ORDER = (
    *(
        "ld|st|atom|red",
        "weak|volatile|relaxed|acquire|release|acq_rel",
        "cta|cluster|gpu|sys",
        "global|shared(?:::(?:cta|cluster))?",
    ),
    *("ca|cg|cs|cv|lu|nc|wb|wt", "L1::.*", "L2::.*", "v[24]", "add|min|max|and|or|xor|exch|cas|inc|dec", _TYPES),
)
#: Of `mma`: how the runtime numbers the elements (hooks/matrix_numbers.h), and their bits; and which k a type has.
_ELEMENTS = {
    "f16": (0, 16),
    "bf16": (1, 16),
    "tf32": (2, 32),
    "s8": (3, 8),
    "u8": (4, 8),
    "f32": (5, 32),
    "s32": (6, 32),
}
_DEPTHS = {"f16": (8, 16), "bf16": (8, 16), "tf32": (4, 8), "s8": (16, 32), "u8": (16, 32)}


def with_ordered_modifiers(opcode: str) -> str:
    parts = opcode.split(".")
    if parts[0] not in ("ld", "st", "atom", "red"):
        return opcode

    def rank(part: str) -> int:
        return next((i for i, known in enumerate(_ORDER) if re.fullmatch(known, part)), len(_ORDER))

    return ".".join(sorted(parts, key=rank))


_WRITTEN = r"%[0-9]+|_"


def _some(name: str, part: str) -> str:
    """One operand, or those of a vector in braces."""
    return rf"(?(count)\{{)(?P<{name}>(?:{part})(?:,(?:{part}))*)(?(count)\}})"


def _load(m: re.Match[str]) -> str | None:
    if m["cache"] == "nc" and m["space"] != "global":
        return None
    type_, count = m["type"], int(m["count"] or 1)
    how = "_volatile" if m["volatile"] else "_nc" if m["cache"] == "nc" else ""
    to = words_of(m, "list")
    if len(to) != count or count * int(type_[1:]) > 128:
        return None
    kind = cpp_type(type_).partition(",")[0]
    return put_all(to, type_, f"emu_ptx_ld{how}<{kind}, {count}>({address_of(m, 'a')})", part=True)


def _store(m: re.Match[str]) -> str | None:
    type_, count, given = m["type"], int(m["count"] or 1), words_of(m, "given")
    if len(given) != count or count * int(type_[1:]) > 128:
        return None
    values = ", ".join(taken(type_, word, part=True) for word in given)
    return f"emu_ptx_st{'_volatile' * bool(m['volatile'])}({address_of(m, 'a')}, emu_registers({values}))"


def _ordered(m: re.Match[str]) -> str:
    order, scope = m["order"] or "", _FENCES[m["scope"] or "gpu"]
    acquires, releases = order in ("acquire", "acq_rel"), order in ("release", "acq_rel")
    return f"{address_of(m, 'a')}, EMU_SCOPE_{scope}, {str(acquires).lower()}, {str(releases).lower()}"


def _load_ordered(m: re.Match[str]) -> str | None:
    type_, to = m["type"], words_of(m, "list")
    if len(to) != int(m["count"] or 1):
        return None
    result = f"emu_ptx_load<emu_{type_.replace('b', 'u')}, {len(to)}>({_ordered(m)})"
    return put_all(to, type_, result, part=True)


def _store_ordered(m: re.Match[str]) -> str | None:
    given = words_of(m, "given")
    if len(given) != int(m["count"] or 1):
        return None
    values = ", ".join(taken(m["type"], word, part=True) for word in given)
    return f"emu_ptx_store({_ordered(m)}, emu_registers({values}))"


def _update(m: re.Match[str]) -> str:
    """Return an `atom` or `red`."""
    named = m.groupdict()
    values = ", ".join(taken(m["type"], m[name]) for name in "bc" if named.get(name))
    result = f"emu_atom_{m['how']}({_ordered(m)}, {values})"
    return put(m["to"], m["type"], result) if named.get("to", "_") != "_" else result


def _add_each(m: re.Match[str]) -> str | None:
    """Return an `atom.add` or `red.add` that is atomic for each number alone."""
    type_, given, to = m["type"], words_of(m, "given"), (m.groupdict().get("list") or "").split(",")
    if len(given) != int(m["count"] or 1) or len(to) not in (len(given), 1) or (type_ == "f32") == bool(m["noftz"]):
        return None
    parts, register = (
        ("23, 8", "f32") if type_ == "f32" else (HALVES[type_[:-2] if type_.endswith("x2") else type_], "")
    )
    register = register or ("b32" if type_.endswith("x2") else "b16")
    values = ", ".join(taken(register, word) for word in given)
    result = f"emu_atom_add_each<{parts}>({_ordered(m)}, emu_registers({values}))"
    return put_all(to, register, result) if to[0] else result


def _updates() -> Iterator[Rule]:
    order = rf"(?:\.(?P<order>relaxed|acquire|release|acq_rel))?(?:\.(?P<scope>cta|cluster|gpu|sys))?{_SPACE}"
    to = rf"(?P<to>%\d+|_),{place('a')},{B}"
    for how, types in _UPDATED.items():
        name = rf"{order}\.(?P<how>{how})\.(?P<type>{types})"
        yield rf"atom{name} {to}", _update
        if "exch" not in how:
            yield rf"red{name} {place('a')},{B}", _update
    yield rf"red{order}\.(?P<how>and|or|xor)\.(?P<type>b32|b64) {place('a')},{B}", _update
    yield rf"atom{order}\.(?P<how>cas)\.(?P<type>b16|b32|b64) {to},{C}", _update
    each = rf"{order}(?:\.v(?P<count>[24]))?\.add(?P<noftz>\.noftz)?\.(?P<type>f32|b?f16(?:x2)?)"
    yield rf"atom{each} {_some('list', _WRITTEN)},{place('a')},{_some('given', OPERAND)}", _add_each
    yield rf"red{each} {place('a')},{_some('given', OPERAND)}", _add_each


def _copy_async(m: re.Match[str]) -> str:
    given = [number_of(m, "a", "shared"), number_of(m, "b", "global")]
    if m["size"]:
        given.append(taken("u32", m["size"]))
    return f"emu_cp_async<{value(m['c'])}, {str(m['cache'] == 'cg').lower()}>({', '.join(given)})"


def _multiply(m: re.Match[str]) -> str | None:
    k, (factor, bits), (total, total_bits) = int(m["k"]), _ELEMENTS[m["factor"]], _ELEMENTS[m["sum"]]
    other, saturates = (m["other"], m["sat"]) if m["sum"] == "s32" else (m["factor"], None)
    registers = [words_of(m, name) for name in ("list", "as", "bs", "cs")]
    elements = 16 * 8 * total_bits // 1024
    if [len(r) for r in registers] != [elements, 16 * k * bits // 1024, 8 * k * bits // 1024, elements]:
        return None
    if k not in _DEPTHS[m["factor"]] or (m["sum"] == "f16" and m["factor"] != "f16"):
        return None
    to, *given = registers
    matrices = (f"emu_registers({', '.join(taken('b32', word) for word in words)})" for words in given)
    kinds = f"{factor}, {_ELEMENTS[other][0]}, {total}, {k}, {2 + bool(saturates)}"
    return put_all(to, "b32", f"emu_mma<{kinds}>({', '.join(matrices)})")


#: Of some matrices of 8 rows; ptxas takes the size before or after their number.
_ROWS = r"(?P<size>\.m8n8)?\.x(?P<count>[124])(?P<trans>\.trans)?(?(size)|\.m8n8)\.shared(?:::cta)?\.b16"


def _load_rows(m: re.Match[str]) -> str | None:
    to = words_of(m, "list")
    if len(to) != int(m["count"]):
        return None
    return put_all(to, "b32", f"emu_ldmatrix<{len(to)}, {int(bool(m['trans']))}>({number_of(m, 'a', 'shared')})")


def _store_rows(m: re.Match[str]) -> str | None:
    given = words_of(m, "given")
    if len(given) != int(m["count"]):
        return None
    values = ", ".join(taken("b32", word) for word in given)
    return (
        f"emu_stmatrix<{len(given)}, {int(bool(m['trans']))}>({number_of(m, 'a', 'shared')}, emu_registers({values}))"
    )


def _shuffle(m: re.Match[str]) -> str:
    given = [taken("u32", m["mask"]), taken("b32", m["a"]), taken("u32", m["b"]), taken("u32", m["c"])]
    return put_two(m, "b32", f"emu_shfl_{m['how']}({', '.join(given)})")


_T = "{t}"
_FOUR = ",".join(map(braced, ("list", "as", "bs", "cs")))
THREADS: tuple[Rule, ...] = (
    # barriers, fences, warps
    (r"(?:bar|barrier)(?:\.cta)?\.sync(?:\.aligned)? 0", lambda m: "emu_ptx_barrier()"),
    (
        rf"(?:bar|barrier)(?:\.cta)?\.sync(?:\.aligned)? {A}(?:,{B})?",
        lambda m: f"emu_ptx_named_sync({taken('u32', m['a'])}, {taken('u32', m['b'] or '0')})",
    ),
    *(
        (
            rf"(?:bar|barrier)(?:\.cta)?\.red\.{how}(?:\.aligned)?\.{type_} {TO},0,(?P<a>!?%[0-9]+)",
            lambda m, call=call, type_=type_: put(m["to"], type_, f"{call}({taken('pred', m['a'])})"),
        )
        for how, type_, call in (
            ("popc", "u32", "emu_ptx_count"),
            ("and", "pred", "emu_ptx_every"),
            ("or", "pred", "emu_ptx_some"),
        )
    ),
    op(r"(?:bar|barrier)(?:\.cta)?\.arrive(?:\.aligned)?", "emu_ptx_named_arrive", "", "u32", "u32"),
    op(r"bar\.warp\.sync", "emu_ptx_warp_barrier", "", "u32"),
    (
        r"(?:membar(?=\.cta|\.gl|\.sys)|fence(?:\.acq_rel|\.sc)(?!\.gl))\.(?P<scope>cta|cluster|gl|gpu|sys)",
        lambda m: f"emu_fence(EMU_SCOPE_{_FENCES[m['scope']]}, nullptr)",
    ),
    (
        rf"shfl\.sync\.(?P<how>idx|up|down|bfly)\.b32 (?!_){ONE_OR_TWO},{A},{B},{C},(?P<mask>{OPERAND})",
        _shuffle,
    ),
    op(r"vote\.sync\.(?P<f>all|any|uni)\.pred", "__{f}_sync({1}, {0}) != 0", "pred", "pred", "u32"),
    op(r"vote\.(?:sync\.ballot|ballot\.sync)\.b32", "__ballot_sync({1}, {0})", "b32", "pred", "u32"),
    op(r"activemask\.b32", "__activemask", "b32"),
    op(r"match\.any\.sync\.(?P<t>b32|b64)", "__match_any_sync({1}, {0})", "b32", _T, "u32"),
    (
        rf"match\.all\.sync\.(?P<type>b32|b64) {ONE_OR_TWO},{A},{B}",
        lambda m: put_two(m, "b32", f"emu_ptx_match_all({taken('u32', m['b'])}, {taken(m['type'], m['a'])})"),
    ),
    op(r"redux\.sync\.(?P<f>add|min|max)\.(?P<t>[us]32)", "__reduce_{f}_sync({1}, {0})", _T, _T, "u32"),
    op(r"redux\.sync\.(?P<f>and|or|xor)\.b32", "__reduce_{f}_sync({1}, {0})", "b32", "b32", "u32"),
    (rf"elect\.sync {TWO},{A}", lambda m: put_two(m, "b32", f"emu_ptx_elect({taken('u32', m['a'])})")),
    # memory
    (rf"ld{_WEAK} {_some('list', _WRITTEN)},{place('a')}{_POLICY}", _load),
    (rf"st{_WEAK} {place('a')},{_some('given', OPERAND)}{_POLICY}", _store),
    (rf"ld\.(?P<order>relaxed|acquire){_SCOPE} {_some('list', _WRITTEN)},{place('a')}{_POLICY}", _load_ordered),
    (rf"st\.(?P<order>relaxed|release){_SCOPE} {place('a')},{_some('given', OPERAND)}{_POLICY}", _store_ordered),
    *_updates(),
    *(
        op(rf"isspacep\.{space}", f"emu_space_of((const void*){{0}}) == EMU_IN_{space.upper()}", "pred", "u64")
        for space in ("global", "shared", "local", "const")
    ),
    op(r"cvta\.to\.shared(?:::cta)?\.u64", "emu_to_shared", "u64", "u64"),
    op(r"cvta\.shared(?:::cta)?\.u64", "emu_at_shared(unsigned({0}))", "u64", "u64"),
    op(r"cvta(?:\.to)?\.global\.u64", "emu_at_generic", "u64", "u64"),
    (
        rf"prefetchu?(?:\.global)?\.L[12](?:::evict_(?:last|normal))? {place('a')}",
        lambda m: f"(void){number_of(m, 'a', 'global')}",
    ),
    (
        r"cp\.async\.(?P<cache>ca|cg)\.shared(?:::cta)?\.global(?P<hint>\.L2::cache_hint)?(?:\.L2::(?:64|128|256)B)? "
        rf"{place('a')},{place('b')},{C}(?:,(?P<size>{OPERAND}))?{_POLICY}",
        _copy_async,
    ),
    (r"cp\.async\.commit_group", lambda m: "emu_async_commit()"),
    (rf"cp\.async\.wait_group {A}", lambda m: f"emu_cp_wait<{value(m['a'])}>()"),
    (r"cp\.async\.wait_all", lambda m: "emu_async_commit(), emu_cp_wait<0>()"),
    # a warp's matrices
    (
        r"mma\.sync\.aligned\.m16n8k(?P<k>16|8|4)\.row\.col\.(?P<sum>f32|f16)\.(?P<factor>b?f16|tf32)"
        rf"\.(?P=factor)\.(?P=sum) {_FOUR}",
        _multiply,
    ),
    (
        r"mma\.sync\.aligned\.m16n8k(?P<k>16|32)\.row\.col(?P<sat>\.satfinite)?\.(?P<sum>s32)\.(?P<factor>[us]8)"
        rf"\.(?P<other>[us]8)\.s32 {_FOUR}",
        _multiply,
    ),
    (
        rf"ldmatrix\.sync\.aligned{_ROWS} {braced('list')},{place('a')}",
        _load_rows,
    ),
    (
        rf"stmatrix\.sync\.aligned{_ROWS} {place('a')},{braced('given')}",
        _store_rows,
    ),
    op(r"movmatrix\.sync\.aligned\.m8n8\.trans\.b16", "emu_movmatrix", "b32", "b32"),
    # the rest
    (r"trap", lambda m: "emu_ptx_trap()"),
    (r"exit", lambda m: "emu_exit()"),
    op(r"nanosleep\.u32", "__nanosleep", "", "u32"),
    (
        rf"applypriority(?:\.global)?\.L2::evict_normal {place('a')},128",
        lambda m: f"(void){number_of(m, 'a', 'global')}",
    ),
    (r"griddepcontrol\.wait", lambda m: "emu_grid_wait()"),
    (r"griddepcontrol\.launch_dependents", lambda m: "emu_grid_trigger()"),
)
