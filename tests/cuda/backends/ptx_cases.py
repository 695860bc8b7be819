"""Instructions of inline PTX for numbers, each with what it computes as the PTX ISA's text says it, in Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LETTERS = {16: "h", 32: "r", 64: "l"}
WIDTHS = {"h": 16, "r": 32, "l": 64}
C_TYPES = {"h": "unsigned short", "r": "unsigned", "l": "unsigned long long", "f": "float", "d": "double"}
FLOATS = {"f32": ("f", np.float32), "f64": ("d", np.float64)}


@dataclass(frozen=True)
class Case:
    """A statement; the letters of its output and of its inputs; and its result, of inputs that are unsigned numbers or
    numpy's floats."""

    text: str
    letters: str
    model: Callable[..., Any]

    @property
    def statement(self) -> str:
        """C++ that computes it from x[0], x[1], ..., bits, and leaves the bits of the result in `r`."""
        to, given = self.letters[0], self.letters[1:]
        inputs = ", ".join(f'"{letter}"(as_{letter}({letter_pool(letter)}[{i}]))' for i, letter in enumerate(given))
        text = self.text.replace("%p", "%%p").replace("%q", "%%q").replace("%tid", "%%tid")
        return f'{C_TYPES[to]} y; asm("{text}" : "={to}"(y) : {inputs}); r = bits(y);'


def letter_pool(letter: str) -> str:
    return letter if letter in "fd" else "x"


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def read(type_: str, value: int) -> int:
    """A register's bits as a type has them, the lower ones if it is narrower."""
    bits = int(type_[1:])
    return signed(value, bits) if type_[0] == "s" else value & ((1 << bits) - 1)


def limits(type_: str) -> tuple[int, int]:
    bits = int(type_[1:])
    return (-1 << bits - 1, (1 << bits - 1) - 1) if type_[0] == "s" else (0, (1 << bits) - 1)


def clamped(type_: str, value: int) -> int:
    least, most = limits(type_)
    return min(max(value, least), most)


# ---- what the ISA says -----------------------------------------------------------------------------------------
def toward_zero(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def bfe(type_: str, a: int, b: int, c: int) -> int:
    most, pos, length = int(type_[1:]) - 1, b & 255, c & 255
    sign = 0 if type_[0] == "u" or not length else a >> min(pos + length - 1, most) & 1
    return sum((a >> (pos + i) & 1 if i < length and pos + i <= most else sign) << i for i in range(most + 1))


def bfi(bits: int, a: int, b: int, c: int, d: int) -> int:
    for i in range(d & 255):
        if (c & 255) + i < bits:
            at = 1 << ((c & 255) + i)
            b = b & ~at | at * (a >> i & 1)
    return b


def prmt(mode: str, a: int, b: int, c: int) -> int:
    both, out, s = b << 32 | a, 0, c & 3
    tables = {  # the bytes of d, from the most significant one on
        ".f4e": ["3210", "4321", "5432", "6543"],
        ".b4e": ["5670", "6701", "7012", "0123"],
        ".rc8": ["0000", "1111", "2222", "3333"],
        ".ecl": ["3210", "3211", "3222", "3333"],
        ".ecr": ["0000", "1110", "2210", "3210"],
        ".rc16": ["1010", "3232", "1010", "3232"],
    }
    for i in range(4):
        control = int(tables[mode][s][3 - i]) if mode else c >> 4 * i & 15
        byte = both >> 8 * (control & 7) & 255
        out |= (255 * (byte >> 7) if control & 8 else byte) << 8 * i
    return out


def bfind(type_: str, a: int, shiftamt: bool) -> int:
    value, most = read(type_, a), int(type_[1:]) - 1
    found = (~value if value < 0 else value).bit_length() - 1
    return found if found < 0 or not shiftamt else most - found


def flushed(v: Any) -> Any:
    return np.float32(math.copysign(0.0, v)) if v == v and abs(v) < np.finfo(np.float32).tiny else v


def extreme(how: str, a: Any, b: Any) -> Any:
    if a != a or b != b:
        return a if b != b else b
    if a == b == 0:  # +0 is larger
        a_wins = (math.copysign(1, a) < math.copysign(1, b)) == (how == "min")
        return a if a_wins else b
    return min(a, b) if how == "min" else max(a, b)


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a < b or a > b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
ROUND: dict[str, Callable[[Any], int]] = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}


def whole(how: str, to: str, source: str, value: Any) -> int:
    bits, (least, most) = int(to[1:]), limits(to)
    if value != value:
        return read(to, 1 << bits - 1) if source == "f64" or bits == 64 else 0
    if math.isinf(value):
        return least if value < 0 else most
    return clamped(to, ROUND[how](float(value)))


# ---- the cases -------------------------------------------------------------------------------------------------
def integer_cases() -> Iterator[Case]:
    operators: dict[str, Callable[[int, int], int]] = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul.lo": lambda a, b: a * b,
        "min": min,
        "max": max,
    }
    for bits, letter in LETTERS.items():
        for sign in "us":
            t = f"{sign}{bits}"

            def of(function: Callable[..., int], t: str = t) -> Callable[..., int]:
                return lambda *given: function(*(read(t, item) for item in given))

            for name, function in operators.items():
                yield Case(f"{name}.{t} %0, %1, %2;", letter * 3, of(function))
            yield Case(f"mul.hi.{t} %0, %1, %2;", letter * 3, of(lambda a, b, n=bits: a * b >> n))
            yield Case(f"mad.lo.{t} %0, %1, %2, %3;", letter * 4, of(lambda a, b, c: a * b + c))
            yield Case(f"mad.hi.{t} %0, %1, %2, %3;", letter * 4, of(lambda a, b, c, n=bits: (a * b >> n) + c))
            yield Case(f"sad.{t} %0, %1, %2, %3;", letter * 4, of(lambda a, b, c: c + abs(a - b)))
            # (Of what has no result there is none: the divisor is not 0, and the other not the least number.)
            mine = f"{{ .reg .b{bits} n, d; shr.{t} n, %1, 1; or.b{bits} d, %2, 2;"
            yield Case(
                f"{mine} div.{t} %0, n, d; }}", letter * 3, of(lambda a, b, t=t: toward_zero(a >> 1, read(t, b | 2)))
            )
            yield Case(
                f"{mine} rem.{t} %0, n, d; }}",
                letter * 3,
                of(lambda a, b, t=t: (a >> 1) - toward_zero(a >> 1, read(t, b | 2)) * read(t, b | 2)),
            )
            yield Case(f"shr.{t} %0, %1, %2;", f"{letter}{letter}r", lambda a, b, t=t: read(t, a) >> min(b, 64))
            for how in ("eq", "ne", "lt", "le", "gt", "ge", *(("lo", "ls", "hi", "hs") if sign == "u" else ())):
                holds = COMPARE[{"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}.get(how, how)]
                text = f"{{ .reg .pred p, q; setp.{how}.{t} p|q, %1, %2; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }}"
                yield Case(text, f"r{letter}{letter}", of(lambda a, b, f=holds: 1 if f(a, b) else 2))
            if bits < 64:
                wide = LETTERS[2 * bits]
                yield Case(f"mul.wide.{t} %0, %1, %2;", wide + letter * 2, of(lambda a, b: a * b))
                yield Case(
                    f"mad.wide.{t} %0, %1, %2, %3;",
                    wide + letter * 2 + wide,
                    lambda a, b, c, t=t: read(t, a) * read(t, b) + c,
                )
            if sign == "s":
                yield Case(f"abs.{t} %0, %1;", letter * 2, of(abs))
                yield Case(f"neg.{t} %0, %1;", letter * 2, of(lambda a: -a))
            if bits > 16:
                yield Case(f"bfe.{t} %0, %1, %2, %3;", f"{letter}{letter}rr", lambda a, b, c, t=t: bfe(t, a, b, c))
                for shift in ("", ".shiftamt"):
                    yield Case(f"bfind{shift}.{t} %0, %1;", f"r{letter}", lambda a, t=t, s=shift: bfind(t, a, bool(s)))


def bit_cases() -> Iterator[Case]:
    for bits, letter in LETTERS.items():
        t = f"b{bits}"
        yield Case(f"and.{t} %0, %1, %2;", letter * 3, lambda a, b: a & b)
        yield Case(f"or.{t} %0, %1, %2;", letter * 3, lambda a, b: a | b)
        yield Case(f"xor.{t} %0, %1, %2;", letter * 3, lambda a, b: a ^ b)
        yield Case(f"not.{t} %0, %1;", letter * 2, lambda a: ~a)
        yield Case(f"shl.{t} %0, %1, %2;", f"{letter}{letter}r", lambda a, b: a << min(b, 64))
        yield Case(f"shr.{t} %0, %1, %2;", f"{letter}{letter}r", lambda a, b: a >> min(b, 64))
        yield Case(
            f"selp.{t} %0, %1, 7, %p;".join(("{ .reg .pred %p; setp.ne.u32 %p, %2, 0; ", " }")),
            f"{letter}{letter}r",
            lambda a, b: a if b else 7,
        )
        if bits == 16:
            continue
        yield Case(f"popc.{t} %0, %1;", f"r{letter}", lambda a: a.bit_count())
        yield Case(f"clz.{t} %0, %1;", f"r{letter}", lambda a, n=bits: n - a.bit_length())
        yield Case(f"brev.{t} %0, %1;", letter * 2, lambda a, n=bits: int(f"{a:0{n}b}"[::-1], 2))
        yield Case(f"bfi.{t} %0, %1, %2, %3, %4;", f"{letter}{letter}{letter}rr", lambda *x, n=bits: bfi(n, *x))
    for mode in ("", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"):
        yield Case(f"prmt.b32{mode} %0, %1, %2, %3;", "rrrr", lambda a, b, c, m=mode: prmt(m, a, b, c))
    for how, amount in (("wrap", lambda c: c & 31), ("clamp", lambda c: min(c, 32))):
        yield Case(f"shf.l.{how}.b32 %0, %1, %2, %3;", "rrrr", lambda a, b, c, f=amount: (b << 32 | a) << f(c) >> 32)
        yield Case(f"shf.r.{how}.b32 %0, %1, %2, %3;", "rrrr", lambda a, b, c, f=amount: (b << 32 | a) >> f(c))
    yield Case("lop3.b32 %0, %1, %2, %3, 0b10010110;", "rrrr", lambda a, b, c: a ^ b ^ c)
    for t in ("u32", "s32"):
        byte = f"{t[0]}8"
        yield Case(
            f"dp4a.{t}.{t} %0, %1, %2, %3;",
            "rrrr",
            lambda a, b, c, t=byte: c + sum(read(t, a >> 8 * i) * read(t, b >> 8 * i) for i in range(4)),
        )


def predicate_cases() -> Iterator[Case]:
    begin = "{ .reg .pred %p<3>; setp.lt.u32 %p0, %1, 256; setp.lt.u32 %p1, %2, 256; "
    end = " selp.b32 %0, 1, 0, %p2; }"
    for name, function in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
        yield Case(f"{begin}{name}.pred %p2, %p0, %p1;{end}", "rrr", lambda a, b, f=function: f(a < 256, b < 256))
    yield Case(f"{begin}not.pred %p2, %p1;{end}", "rrr", lambda a, b: b >= 256)
    yield Case(f"{begin}mov.pred %p2, %p1; @!%p0 mov.pred %p2, %p0;{end}", "rrr", lambda a, b: a < 256 and b < 256)


def conversion_cases() -> Iterator[Case]:
    wholes = [f"{sign}{bits}" for sign in "us" for bits in (8, 16, 32, 64)]
    for to in wholes:
        wide = LETTERS[max(int(to[1:]), 32)]
        for source in wholes:
            letter = LETTERS[max(int(source[1:]), 32)]
            yield Case(f"cvt.{to}.{source} %0, %1;", wide + letter, lambda a, t=to, s=source: read(t, read(s, a)))
            (least, most), (low, high) = limits(to), limits(source)
            if low < least or most < high:
                text = f"cvt.sat.{to}.{source} %0, %1;"
                yield Case(text, wide + letter, lambda a, s=source, t=to: clamped(t, read(s, a)))
        for source, (letter, _) in FLOATS.items():
            for how in ROUND:
                text = f"cvt.{how}.{to}.{source} %0, %1;"
                yield Case(text, wide + letter, lambda v, h=how, t=to, s=source: whole(h, t, s, v))
        letter = LETTERS[max(int(to[1:]), 32)]
        yield Case(f"cvt.rn.f64.{to} %0, %1;", f"d{letter}", lambda a, t=to: np.float64(read(t, a)))
        yield Case(f"cvt.rn.f32.{to} %0, %1;", f"f{letter}", lambda a, t=to: to_float(read(t, a), "rn"))
        yield Case(f"cvt.rz.f32.{to} %0, %1;", f"f{letter}", lambda a, t=to: to_float(read(t, a), "rz"))
    for how, function in (("rni", np.rint), ("rzi", np.trunc), ("rmi", np.floor), ("rpi", np.ceil)):
        for t, (letter, _) in FLOATS.items():
            yield Case(f"cvt.{how}.{t}.{t} %0, %1;", letter * 2, function)
    yield Case("cvt.f64.f32 %0, %1;", "df", np.float64)
    yield Case("cvt.rn.f32.f64 %0, %1;", "fd", np.float32)
    yield Case("cvt.f32.f16 %0, %1;", "fh", lambda a: np.float32(np.uint16(a).view(np.float16)))
    yield Case("cvt.rn.f16.f32 %0, %1;", "hf", half_bits)
    yield Case("cvt.rn.f16x2.f32 %0, %1, %2;", "rff", lambda a, b: half_bits(a) << 16 | half_bits(b))


def half_bits(value: Any) -> int:
    return 0x7FFF if value != value else int(np.float16(value).view(np.uint16))


def to_float(value: int, mode: str) -> Any:
    """The nearest float (of two as near the even one), or the next one toward zero."""
    drop = max(abs(value).bit_length() - 24, 0)
    stored, rest = abs(value) >> drop, abs(value) & ((1 << drop) - 1)
    half = 1 << drop >> 1
    up = mode == "rn" and drop and (rest > half or (rest == half and stored & 1))
    return np.float32(math.copysign(float(stored + bool(up)) * 2.0**drop, value))


def move_cases() -> Iterator[Case]:
    yield Case("mov.b64 %0, {%1, %2};", "lrr", lambda a, b: b << 32 | a)
    yield Case("mov.b32 %0, {%1, %2};", "rhh", lambda a, b: b << 16 | a)
    yield Case(
        "{.reg .b32 lo, hi; mov.b64 {lo, hi}, %1; xor.b32 %0, lo, hi;}", "rl", lambda a: a >> 32 ^ a & 0xFFFFFFFF
    )
    yield Case("{.reg .b32 hi; mov.b64 {_, hi}, %1; mov.u32 %0, hi;}", "rl", lambda a: a >> 32)
    yield Case(
        "{.reg .b16 t<4>; mov.b64 {t0,t1,t2,t3}, %1; mov.b64 %0, {t3,t2,t1,t0};}",
        "ll",
        lambda a: sum((a >> 16 * i & 0xFFFF) << 16 * (3 - i) for i in range(4)),
    )
    yield Case("mov.b32 %0, %1;", "rf", lambda a: int(a.view(np.uint32)))
    yield Case("mov.f32 %0, 0fBFC00000;", "fr", lambda a: np.float32(-1.5))
    yield Case("add.f64 %0, %1, -2.5e-1;", "dd", lambda a: a - 0.25)
    yield Case("mov.b32 %0, -0x10;", "rr", lambda a: -16)
    yield Case("add.u32 %0, %1, 0x80000000U;", "rr", lambda a: a + 0x80000000)
    yield Case("add.u32 %0, %1, 0b101; add.u32 %0, %0, 010; add.u32 %0, %0, WARP_SZ;", "rr", lambda a: a + 5 + 8 + 32)
    # words of C++, and of what a statement becomes
    yield Case(
        "{ .reg .b32 return, emu_out, emu_0; mov.b32 emu_out, %1; add.u32 return, emu_out, 1; mov.b32 emu_0, 9;"
        " mov.b32 %0, return; }",
        "rr",
        lambda a: a + 1,
    )
    # names: a scope hides those around it, and an instruction's or a type's is one like any other
    yield Case(
        ".reg .u32 t, add; mov.u32 t, %1; { .reg.u32 t; mov.u32 t, 3; add.u32 add, t, 1; } mul.lo.u32 %0, t, add;",
        "rr",
        lambda a: a * 4,
    )


def float_cases() -> Iterator[Case]:
    for t, (letter, kind) in FLOATS.items():
        for name, function in (("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("div.rn", np.divide)):
            yield Case(f"{name}.{t} %0, %1, %2;", letter * 3, function)
        yield Case(f"sqrt.rn.{t} %0, %1;", letter * 2, np.sqrt)
        yield Case(f"rcp.rn.{t} %0, %1;", letter * 2, lambda a, k=kind: k(1) / a)
        yield Case(f"abs.{t} %0, %1;", letter * 2, abs)
        yield Case(f"neg.{t} %0, %1;", letter * 2, lambda a: -a)
        for how in ("min", "max"):
            yield Case(f"{how}.{t} %0, %1, %2;", letter * 3, lambda a, b, h=how: extreme(h, a, b))
        for how, holds in COMPARE.items():
            text = f"{{ .reg .pred p; setp.HOW.{t} p, %1, %2; selp.u32 %0, 1, 0, p; }}"
            yield Case(text.replace("HOW", how), f"r{letter}{letter}", lambda a, b, f=holds: f(a, b))
            text_u = text.replace("HOW", f"{how}u")
            yield Case(text_u, f"r{letter}{letter}", lambda a, b, f=holds: a != a or b != b or f(a, b))
        for how, nan in (("num", False), ("nan", True)):
            yield Case(text.replace("HOW", how), f"r{letter}{letter}", lambda a, b, n=nan: (a != a or b != b) == n)
        yield Case(
            f"selp.{t} %0, %1, %2, p;".join(("{.reg .pred p; setp.gt.s32 p, %3, 0; ", "}")),
            letter * 3 + "r",
            lambda a, b, c: a if signed(c, 32) > 0 else b,
        )
    yield Case(
        "min.NaN.f32 %0, %1, %2;", "fff", lambda a, b: np.float32("nan") if a != a or b != b else extreme("min", a, b)
    )
    yield Case("add.ftz.f32 %0, %1, %2;", "fff", lambda a, b: flushed(flushed(a) + flushed(b)))
    yield Case("mul.ftz.f32 %0, %1, %2;", "fff", lambda a, b: flushed(flushed(a) * flushed(b)))
    yield Case(
        "{ .reg .pred p; setp.eq.ftz.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }",
        "rff",
        lambda a, b: flushed(a) == flushed(b),
    )


def carry_cases() -> Iterator[Case]:
    """The upper word of numbers of two words, which the carry reaches."""
    for bits, letter in ((32, "r"), (64, "l")):
        u, s, whole = f"u{bits}", f"s{bits}", (1 << bits) - 1
        mine = f"{{ .reg .b{bits} t; "
        for name, sign in (("add", 1), ("sub", -1)):
            yield Case(
                f"{mine}{name}.cc.{u} t, %1, %2; {name}c.{s} %0, %3, %4; }}",
                letter * 5,
                lambda a, b, c, d, n=bits, k=sign: ((c << n | a) + k * (d << n | b)) >> n,
            )
            yield Case(
                f"{mine}{name}.cc.{s} t, %1, %2; {name}c.cc.{u} t, %3, %4; {name}c.{u} %0, 0, 0; }}",
                letter * 5,
                lambda a, b, c, d, n=bits, k=sign: ((c << n | a) + k * (d << n | b)) >> 2 * n,
            )
        yield Case(
            f"{mine}mad.lo.cc.{u} t, %1, %2, %3; madc.hi.{u} %0, %1, %2, %4; }}",
            letter * 5,
            lambda a, b, c, d, n=bits: (a * b + (d << n | c)) >> n,
        )
        yield Case(
            f"{mine}mad.hi.cc.{u} t, %1, %2, %3; madc.lo.cc.{u} t, %1, %4, %2; addc.{u} %0, 0, 7; }}",
            letter * 5,
            lambda a, b, c, d, n=bits, w=whole: 7 + (((a * d & w) + b + (((a * b >> n) + c) >> n)) >> n),
        )


def choice_cases() -> Iterator[Case]:
    yield Case("slct.b32.s32 %0, %1, %2, %3;", "rrrr", lambda a, b, c: a if signed(c, 32) >= 0 else b)
    yield Case("slct.u64.f32 %0, %1, %2, %3;", "lllf", lambda a, b, c: a if c >= 0 else b)
    for how in ("eq", "lt", "ge"):
        holds = COMPARE[how]
        yield Case(
            f"set.{how}.u32.s32 %0, %1, %2;",
            "rrr",
            lambda a, b, f=holds: -1 if f(signed(a, 32), signed(b, 32)) else 0,
        )
        yield Case(f"set.{how}.s32.f32 %0, %1, %2;", "rff", lambda a, b, f=holds: -1 if f(a, b) else 0)
        yield Case(f"set.{how}.f32.u32 %0, %1, %2;", "frr", lambda a, b, f=holds: np.float32(f(a, b)))
        for word, join in (("and", lambda a, b: a and b), ("or", lambda a, b: a or b), ("xor", lambda a, b: a != b)):
            yield Case(
                f"{{ .reg .pred p, q, r; setp.gt.u32 r, %3, 255; setp.{how}.{word}.u32 p|q, %1, %2, r;"
                " selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }",
                "rrrr",
                lambda a, b, c, f=holds, j=join: j(f(a, b), c > 255) + 2 * j(not f(a, b), c > 255),
            )
    for bits, letter in LETTERS.items():
        yield Case(f"cnot.b{bits} %0, %1;", letter * 2, lambda a: a == 0)
    for name, sign in (("add", 1), ("sub", -1)):
        yield Case(
            f"{name}.sat.s32 %0, %1, %2;",
            "rrr",
            lambda a, b, k=sign: clamped("s32", read("s32", a) + k * read("s32", b)),
        )
    for t in ("u32", "s32"):
        part = f"{t[0]}24"
        yield Case(f"mul24.lo.{t} %0, %1, %2;", "rrr", lambda a, b, t=part: read(t, a) * read(t, b))
        yield Case(f"mad24.lo.{t} %0, %1, %2, %3;", "rrrr", lambda a, b, c, t=part: read(t, a) * read(t, b) + c)
    for t in ("u8", "s8"):
        yield Case(
            f"cvt.pack.sat.{t}.s32.b32 %0, %1, %2, %3;",
            "rrrr",
            lambda a, b, c, t=t: c << 16 | (clamped(t, read("s32", a)) & 255) << 8 | (clamped(t, read("s32", b)) & 255),
        )
    for t, (letter, _) in FLOATS.items():
        yield Case(f"copysign.{t} %0, %1, %2;", letter * 3, lambda a, b: np.copysign(b, a))
        tiny: Any = np.finfo(np.float32 if t == "f32" else np.float64).tiny

        def is_normal(v: Any, least: Any = tiny) -> Any:
            return np.isfinite(v) and abs(v) >= least

        def is_subnormal(v: Any, least: Any = tiny) -> Any:
            return 0 < abs(v) < least

        classes: tuple[tuple[str, Callable[[Any], Any]], ...] = (
            ("finite", np.isfinite),
            ("infinite", np.isinf),
            ("number", lambda v: v == v),
            ("notanumber", np.isnan),
            ("normal", is_normal),
            ("subnormal", is_subnormal),
        )
        for name, is_one in classes:
            text = f"{{ .reg .pred p; testp.{name}.{t} p, %1; selp.u32 %0, 1, 0, p; }}"
            yield Case(text, f"r{letter}", is_one)
    yield Case("add.sat.f32 %0, %1, %2;", "fff", lambda a, b: saturated(a + b))
    yield Case("cvt.sat.f32.f32 %0, %1;", "ff", saturated)


def saturated(value: Any) -> Any:
    return np.float32(0) if value != value or value <= 0 else min(value, np.float32(1))


def half_cases() -> Iterator[Case]:
    functions: dict[str, Callable[..., Any]] = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "fma.rn": lambda a, b, c: a * b + c,
    }

    def of(bits: int) -> Any:  # exact, since the model's sums and products are doubles that hold them
        return np.float64(np.uint16(bits & 0xFFFF).view(np.float16))

    for name, function in functions.items():
        count = 3 if name == "fma.rn" else 2
        places = ", ".join(f"%{i}" for i in range(count + 1))
        yield Case(
            f"{name}.f16x2 {places};",
            "r" * (count + 1),
            lambda *x, f=function: half_bits(f(*map(of, x))) | half_bits(f(*(of(v >> 16) for v in x))) << 16,
        )
        yield Case(f"{name}.f16 {places};", "h" * (count + 1), lambda *x, f=function: half_bits(f(*map(of, x))))
    yield Case("cvt.f64.f16 %0, %1;", "dh", of)
    yield Case("cvt.rn.f16.s32 %0, %1;", "hr", lambda a: half_bits(np.float64(read("s32", a))))
    for how in ROUND:
        yield Case(f"cvt.{how}.s32.f16 %0, %1;", "rh", lambda a, h=how: whole(h, "s32", "f16", of(a)))


CASES: Sequence[Case] = (
    *integer_cases(),
    *bit_cases(),
    *predicate_cases(),
    *conversion_cases(),
    *move_cases(),
    *float_cases(),
    *carry_cases(),
    *choice_cases(),
    *half_cases(),
)
