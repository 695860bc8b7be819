"""Arithmetic with intervals of integers, and what the types of C++ hold. None is what may be anything."""

from __future__ import annotations

Span = tuple[int, int]
#: More than any variable holds that an answer counts with, and few enough that nothing overflows.
MOST = (1 << 31) - 1
SIGNED = {"int": (-MOST, MOST), "short": (-(1 << 15), (1 << 15) - 1), "signed char": (-128, 127)}
UNSIGNED = {
    **dict.fromkeys(("unsigned int", "unsigned", "size_t", "unsigned long long"), (0, MOST)),
    "unsigned short": (0, (1 << 16) - 1),
    "unsigned char": (0, 255),
}
#: Types of 32 bits.
WORDS = ("int", "unsigned int", "unsigned")


def compute(operator: str, left: Span | None, right: Span | None, unsigned: bool) -> Span | None:
    """What `left operator right` may be; `unsigned` if it may be of an unsigned type."""
    if left is None or right is None:
        return None
    (a, b), (c, d) = left, right
    natural = a >= 0 and c >= 0
    match operator:
        case "+":
            span = a + c, b + d
        case "-":
            span = a - d, b - c
        case "*":
            products = (a * c, a * d, b * c, b * d)
            span = min(products), max(products)
        case "/" if natural and c > 0:
            span = a // d, b // c
        case "%" if natural and c > 0:
            span = 0, min(b, d - 1)
        case "%" if c > 0 and not unsigned:
            span = 1 - d, d - 1
        case "&" if natural:
            span = 0, min(b, d)
        case "|" | "^" if natural:
            span = 0, (1 << max(b, d).bit_length()) - 1
        case ">>" if natural:
            span = a >> min(d, 32), b >> c
        case "<<" if natural and d < 32:
            span = a << c, b << d
        case _:
            return None
    return None if unsigned and span[0] < 0 else span


def fits(span: Span, limits: Span) -> bool:
    """Whether all numbers of `span` lie within `limits`."""
    return limits[0] <= span[0] and span[1] <= limits[1]


def join(former: Span | None, latter: Span | None) -> Span | None:
    """What is one or the other may be."""
    return (min(former[0], latter[0]), max(former[1], latter[1])) if former and latter else None
