"""The instructions of PTX for barriers in memory, clusters and bulk copies that are known here
(cuda/emulator/prelude_bulk.h)."""

from __future__ import annotations

import re

from .ptx_operands import OPERAND, TO, A, B, Rule, address_of, number_of, op, place, put, taken, value, words_of

_SPACE = r"(?:\.(?P<space>shared)(?:::(?:cta|cluster))?)?"
_HOW = r"(?:\.(?:release|(?P<relaxed>relaxed)))?(?:\.(?:cta|cluster))?"
_WAIT = r"(?:\.(?:acquire|(?P<relaxed>relaxed)))?(?:\.(?:cta|cluster))?"
_FROM_GLOBAL = r"\.shared::(?:cta|cluster)\.global"
_AT_MBARRIER = r"\.mbarrier::complete_tx::bytes(?P<multicast>\.multicast::cluster)?(?P<hint>\.L2::cache_hint)?"
_IN_GROUP = r"\.bulk_group(?P<hint>\.L2::cache_hint)?"
#: What follows the mbarrier: the blocks, where there are several, and a hint for the cache.
_BLOCKS = rf"(?(multicast),(?P<blocks>{OPERAND}))"
_POLICY = rf"(?(hint),(?P<policy>{OPERAND}))"
_TILE = rf"\[(?P<map>%\d+),\{{(?P<at>(?:{OPERAND})(?:,(?:{OPERAND})){{0,4}})\}}\]"
_TENSOR = r"\.tensor\.(?P<rank>[1-5])d"
#: By operation and type, as scheduling/bulk_copies.h numbers them.
_REDUCTIONS = {
    **{("add", "u32"): 1, ("add", "s32"): 1, ("add", "u64"): 2, ("add", "f32"): 3},
    **{("min", "u32"): 4, ("max", "u32"): 5, ("min", "s32"): 6, ("max", "s32"): 7},
    **{("and", "b32"): 8, ("or", "b32"): 9, ("xor", "b32"): 10},
}
#: Of `tensormap.replace`, as hooks/bulk_copies.h numbers them: the fields, and those with an axis.
_FIELDS = ("global_address", "rank", "elemtype", "interleave_layout", "swizzle_mode", "fill_mode")
_FIELDS_OF_AXES = ("box_dim", "global_dim", "global_stride", "element_stride")
_MAP = r"(?:\.(?P<space>global|shared)(?:::cta)?)?\.b1024\.(?P<type>b32|b64)"
_WIDE_FIELDS = ("global_address", "global_stride")
#: EMU_RELAXED, EMU_DROPS, EMU_ONLY_BYTES and EMU_BY_PARITY.
_RELAXED, _DROPS, _ONLY_BYTES, _BY_PARITY = 2, 4, 8, 16


def _how(m: re.Match[str], *more: tuple[str, int]) -> int:
    named = m.groupdict()
    return sum(bit for name, bit in (("relaxed", _RELAXED), *more) if named.get(name))


def _arrive(m: re.Match[str]) -> str | None:
    count, bytes_ = ("1", m["b"]) if m["expects"] else (m["b"] or "1", "0")
    if m["expects"] and not m["b"]:
        return None
    given = f"{taken('u32', count)}, {taken('u32', bytes_)}, {_how(m, ('drops', _DROPS))}"
    result = f"emu_ptx_mbarrier_arrive({address_of(m, 'a')}, {given})"
    return result if m["to"] == "_" else put(m["to"], "b64", result)


def _change_bytes(m: re.Match[str]) -> str:
    sign = "-" if m["how"] == "complete" else ""
    given = f"0, {sign}{taken('u32', m['b'])}, {_how(m) | _ONLY_BYTES}"
    return f"emu_ptx_mbarrier_arrive({address_of(m, 'a')}, {given})"


def _test(m: re.Match[str]) -> str:
    token = taken("u32" if m["parity"] else "b64", m["b"])
    result = f"emu_ptx_mbarrier_test({address_of(m, 'a')}, {token}, {_how(m, ('parity', _BY_PARITY))})"
    return put(m["to"], "pred", result)


def _shared(m: re.Match[str], name: str) -> str:
    return f"emu_at_shared({number_of(m, name, 'shared')})"


def _global(m: re.Match[str], name: str) -> str:
    return f"emu_at_global({number_of(m, name, 'global')})"


def _blocks(m: re.Match[str]) -> str:
    return taken("u16", m["blocks"], part=True) if m["multicast"] else "0"


def _load(m: re.Match[str]) -> str:
    given = [_shared(m, "a"), _global(m, "b"), taken("u32", m["size"]), _shared(m, "c"), _blocks(m)]
    return f"emu_ptx_bulk_load({', '.join(given)})"


def _hand_over(m: re.Match[str]) -> str:
    given = [_shared(m, "a"), _shared(m, "b"), taken("u32", m["size"]), _shared(m, "c"), "1 << 16"]
    return f"emu_ptx_bulk_load({', '.join(given)})"


def _reduction(m: re.Match[str]) -> int | None:
    named = m.groupdict()
    return _REDUCTIONS.get((named["how"], named["type"])) if "how" in named else 0


def _store(m: re.Match[str]) -> str | None:
    reduction = _reduction(m)
    if reduction is None:
        return None
    return f"emu_ptx_bulk_store({_global(m, 'a')}, {_shared(m, 'b')}, {taken('u32', m['size'])}, {reduction})"


def _tile(m: re.Match[str]) -> str | None:
    at = words_of(m, "at")
    return f"emu_tile({', '.join(taken('s32', word) for word in at)})" if len(at) == int(m["rank"]) else None


def _load_tile(m: re.Match[str]) -> str | None:
    tile = _tile(m)
    given = [_shared(m, "a"), taken("u64", m["map"]), str(tile), _shared(m, "c"), _blocks(m)]
    return tile and f"emu_ptx_bulk_load_tile({', '.join(given)})"


def _store_tile(m: re.Match[str]) -> str | None:
    tile, adds = _tile(m), int(bool(m.groupdict().get("adds")))
    return tile and f"emu_ptx_bulk_store_tile({taken('u64', m['map'])}, {tile}, {_shared(m, 'b')}, {adds})"


def _replace(m: re.Match[str]) -> str | None:
    field = m["field"]
    axis = value(m["axis"]) if "axis" in m.groupdict() else "0"
    if m["type"] != ("b64" if field in _WIDE_FIELDS else "b32"):
        return None
    number = (*_FIELDS, *_FIELDS_OF_AXES).index(field)
    return f"emu_ptx_map_replace({address_of(m, 'a')}, {number}, {axis}, {taken(m['type'], m['b'])})"


def _fence(m: re.Match[str]) -> str:
    return f"emu_ptx_bulk_fence({ {'shared': 1, 'global': 2}.get(m['space'] or '', 3) })"


BULK: tuple[Rule, ...] = (
    (
        rf"mbarrier\.init{_SPACE}\.b64 {place('a')},{B}",
        lambda m: f"emu_ptx_mbarrier_init({address_of(m, 'a')}, {taken('u32', m['b'])})",
    ),
    (rf"mbarrier\.inval{_SPACE}\.b64 {place('a')}", lambda m: f"emu_ptx_mbarrier_inval({address_of(m, 'a')})"),
    (
        rf"mbarrier\.arrive(?P<drops>_drop)?(?P<expects>\.expect_tx)?{_HOW}{_SPACE}\.b64 "
        rf"(?P<to>%\d+|_),{place('a')}(?:,{B})?",
        _arrive,
    ),
    (rf"mbarrier\.(?P<how>expect|complete)_tx{_HOW}{_SPACE}\.b64 {place('a')},{B}", _change_bytes),
    (
        rf"mbarrier\.(?:test|try)_wait(?P<parity>\.parity)?{_WAIT}{_SPACE}\.b64 "
        rf"{TO},{place('a')},{B}(?:,(?:{OPERAND}))?",
        _test,
    ),
    op(r"mbarrier\.pending_count\.b64", "emu_ptx_pending_count", "u32", "b64"),
    (
        rf"cp\.async\.mbarrier\.arrive(?P<noinc>\.noinc)?{_SPACE}\.b64 {place('a')}",
        lambda m: f"emu_ptx_copies_arrive({address_of(m, 'a')}, {str(bool(m['noinc'])).lower()})",
    ),
    # clusters
    op(r"mapa\.shared::cluster\.u32", "emu_ptx_mapa_shared", "u32", "u32", "u32"),
    op(r"mapa\.u64", "emu_ptx_mapa", "u64", "u64", "u32"),
    op(r"getctarank\.u64", "emu_ptx_getctarank", "u32", "u64"),
    op(r"getctarank\.shared::cluster\.u32", "emu_ptx_getctarank(emu_at_shared({0}))", "u32", "u32"),
    (r"barrier\.cluster\.arrive(?:\.release|\.relaxed)?(?:\.aligned)?", lambda m: "emu_ptx_cluster_arrive()"),
    (r"barrier\.cluster\.wait(?:\.acquire)?(?:\.aligned)?", lambda m: "emu_ptx_cluster_wait()"),
    # bulk copies
    (
        rf"cp\.async\.bulk{_FROM_GLOBAL}{_AT_MBARRIER} "
        rf"{place('a')},{place('b')},(?P<size>{OPERAND}),{place('c')}{_BLOCKS}{_POLICY}",
        _load,
    ),
    (
        r"cp\.async\.bulk\.shared::cluster\.shared::cta\.mbarrier::complete_tx::bytes "
        rf"{place('a')},{place('b')},(?P<size>{OPERAND}),{place('c')}",
        _hand_over,
    ),
    (
        rf"cp\.async\.bulk\.global\.shared::cta{_IN_GROUP} {place('a')},{place('b')},(?P<size>{OPERAND}){_POLICY}",
        _store,
    ),
    (
        rf"cp\.reduce\.async\.bulk\.global\.shared::cta{_IN_GROUP}\.(?P<how>add|min|max|and|or|xor)\.(?P<type>\w+) "
        rf"{place('a')},{place('b')},(?P<size>{OPERAND}){_POLICY}",
        _store,
    ),
    (
        rf"cp\.async\.bulk{_TENSOR}{_FROM_GLOBAL}(?:\.tile)?{_AT_MBARRIER} "
        rf"{place('a')},{_TILE},{place('c')}{_BLOCKS}{_POLICY}",
        _load_tile,
    ),
    (
        rf"cp\.async\.bulk{_TENSOR}\.global\.shared::cta(?:\.tile)?{_IN_GROUP} {_TILE},{place('b')}{_POLICY}",
        _store_tile,
    ),
    (
        rf"cp\.reduce\.async\.bulk{_TENSOR}\.global\.shared::cta\.(?P<adds>add)(?:\.tile)?{_IN_GROUP} "
        rf"{_TILE},{place('b')}{_POLICY}",
        _store_tile,
    ),
    (r"cp\.async\.bulk\.commit_group", lambda m: "emu_bulk_commit()"),
    (
        rf"cp\.async\.bulk\.wait_group(?P<read>\.read)? {A}",
        lambda m: f"emu_ptx_bulk_wait<{value(m['a'])}>({str(bool(m['read'])).lower()})",
    ),
    (rf"prefetch(?:\.param)?\.tensormap {place('a')}", lambda m: f"(void){number_of(m, 'a', 'generic')}"),
    (
        rf"cp\.async\.bulk\.prefetch\.L2\.global(?P<hint>\.L2::cache_hint)? {place('a')},{B}{_POLICY}",
        lambda m: f"(void){number_of(m, 'a', 'global')}",
    ),
    (
        rf"cp\.async\.bulk\.prefetch{_TENSOR}\.L2\.global(?:\.tile)?(?P<hint>\.L2::cache_hint)? {_TILE}{_POLICY}",
        lambda m: _tile(m) and f"(void){taken('u64', m['map'])}",
    ),
    (
        r"createpolicy\.fractional\.L2::evict_(?:last|normal|first|unchanged)(?:\.L2::evict_(?:first|unchanged))?\.b64 "
        rf"{TO}(?:,{A})?",
        lambda m: put(m["to"], "b64", f"emu_u64({taken('f32', m['a'] or '1.0')})"),
    ),
    (r"fence\.proxy\.async(?:\.(?P<space>global|shared)(?:::(?:cta|cluster))?)?", _fence),
    (rf"tensormap\.replace\.tile\.(?P<field>{'|'.join(_FIELDS)}){_MAP} {place('a')},{B}", _replace),
    (
        rf"tensormap\.replace\.tile\.(?P<field>{'|'.join(_FIELDS_OF_AXES)}){_MAP} {place('a')},(?P<axis>{OPERAND}),{B}",
        _replace,
    ),
    (
        r"tensormap\.cp_fenceproxy\.global\.shared::cta\.tensormap::generic\.release\.(?:cta|cluster|gpu|sys)"
        rf"\.sync\.aligned {place('a')},{place('b')},128",
        lambda m: f"emu_ptx_map_publish({_global(m, 'a')}, {_shared(m, 'b')})",
    ),
    (r"fence\.proxy\.tensormap::generic\.release\.(?:cta|cluster|gpu|sys)", lambda m: "emu_ptx_map_fence(false)"),
    (
        rf"fence\.proxy\.tensormap::generic\.acquire\.(?:cta|cluster|gpu|sys) {place('a')},128",
        lambda m: f"(void){number_of(m, 'a', 'generic')}, emu_ptx_map_fence(true)",
    ),
    (r"fence\.mbarrier_init\.release\.cluster", lambda m: "(void)0"),
)
