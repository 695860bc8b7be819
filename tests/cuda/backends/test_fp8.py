"""Floating types of 8 bits (cuda_fp8.h): each of their numbers, and what rounds to it."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.core.run import Run

pytestmark = inputs.emulation


@dataclass(frozen=True)
class Kind:
    """A type: what the header calls it, bits of its fraction, its bias, the bits of its largest finite number."""

    name: str
    fraction: int
    bias: int
    largest: int
    beyond: float  # what is too large becomes, where nothing saturates

    def value(self, bits: int) -> Fraction:
        """Of the bits of a finite number without its sign."""
        exponent, fraction = bits >> self.fraction, bits % (1 << self.fraction)
        whole = fraction + (1 << self.fraction) if exponent else fraction
        return whole * Fraction(2) ** (max(exponent, 1) - self.bias - self.fraction)

    @cached_property
    def values(self) -> list[Fraction]:
        """All finite numbers without a sign, and the one after them if there were one."""
        return [self.value(bits) for bits in range(self.largest + 2)]

    def rounded(self, x: float, saturates: bool) -> int:
        """The bits that `x` becomes: to the nearest, of two the even one."""
        if np.isnan(x):
            return 0x7F
        sign, values = 0x80 if np.signbit(x) else 0, self.values
        bits = self.largest + 1
        if not np.isinf(x) and (exact := abs(Fraction(float(x)))) <= values[-1]:
            above = bisect_left(values, exact)
            below = max(above - 1, 0)
            nearer = (exact - values[below]) - (values[above] - exact)
            bits = above if nearer > 0 or (nearer == 0 and above % 2 == 0) else below
        return sign | (self.largest if bits > self.largest and saturates else bits)


E4M3, E5M2 = Kind("e4m3", 3, 7, 0x7E, np.nan), Kind("e5m2", 2, 15, 0x7B, np.inf)
KINDS = pytest.mark.parametrize("kind", [E4M3, E5M2], ids=lambda kind: kind.name)


def run(body: str, parameters: str, arrays: list[np.ndarray]) -> Run:
    text = f"#include <cuda_fp8.h>\n__global__ void k({parameters}) {{ int i = blockIdx.x * 64 + threadIdx.x; {body} }}"
    return Kernel(text, "k").emulate(len(arrays[0]) // 64, 64, arrays)


@KINDS
def test_each_number_is_what_its_bits_say_and_comes_back(kind: Kind) -> None:
    bits = np.arange(256, dtype=np.uint8)
    body = f"""
    __nv_fp8_{kind.name} x;
    x.__x = bits[i];
    f[i] = float(x);
    h[i] = __half(__nv_cvt_fp8_to_halfraw(bits[i], __NV_{kind.name.upper()}));
    back[i] = __nv_fp8_{kind.name}(f[i]).__x;"""
    parameters = "const unsigned char* bits, float* f, __half* h, unsigned char* back"
    empty = [np.zeros(256, kind) for kind in (np.float32, np.float16, np.uint8)]
    done = run(body, parameters, [bits, *empty])
    assert not done.findings
    magnitudes = [float(v) for v in kind.values[:-1]]
    magnitudes += [kind.beyond] + [np.nan] * (0x7F - kind.largest - 1)
    want = np.array([*magnitudes, *(-v for v in magnitudes)], np.float32)
    np.testing.assert_array_equal(done.outputs[1], want)
    np.testing.assert_array_equal(done.outputs[2].astype(np.float32), want)
    # No infinity comes back, and of NaN one.
    same = np.where(np.isnan(want), 0x7F, np.where(np.isinf(want), bits & 0x80 | kind.largest, bits))
    np.testing.assert_array_equal(done.outputs[3], same)


def floats_around(kind: Kind) -> np.ndarray:
    """All numbers of `kind`, what lies halfway between them, and their neighbors; what is too large; and any others."""
    values = np.array([float(v) for v in kind.values], np.float32)
    middle = (values[1:] + values[:-1]) / 2
    exact = np.concatenate([values, middle])
    near = np.concatenate([exact, np.nextafter(exact, np.float32(np.inf)), np.nextafter(exact, np.float32(-1))])
    random = np.random.default_rng(4)
    other = random.integers(0, 2**32, 3000, np.uint32).view(np.float32)
    scaled = np.ldexp(1 + random.random(3000), random.integers(-20, 18, 3000)).astype(np.float32)
    special = np.array([np.inf, np.nan, 1e30, 1e-40, 0], np.float32)
    all_ = np.concatenate([near, other, scaled, special])
    both = np.concatenate([all_, -all_])
    return np.resize(both, -(-len(both) // 64) * 64)


@KINDS
@pytest.mark.parametrize("saturation", ["__NV_SATFINITE", "__NV_NOSAT"])
def test_a_number_is_rounded_to_the_nearest(kind: Kind, saturation: str) -> None:
    x = floats_around(kind)
    how = f"{saturation}, __NV_{kind.name.upper()}"
    body = f"""
    one[i] = __nv_cvt_float_to_fp8(x[i], {how});
    wide[i] = __nv_cvt_double_to_fp8(x[i], {how});
    two[i] = __nv_cvt_float2_to_fp8x2(make_float2(x[i], 1.0f), {how});"""
    parameters = "const float* x, unsigned char* one, unsigned char* wide, unsigned short* two"
    done = run(body, parameters, [x, *(np.zeros(len(x), kind) for kind in (np.uint8, np.uint8, np.uint16))])
    want = np.array([kind.rounded(v, saturation == "__NV_SATFINITE") for v in x])
    np.testing.assert_array_equal(done.outputs[1], want)
    np.testing.assert_array_equal(done.outputs[2], want)
    np.testing.assert_array_equal(done.outputs[3], want | kind.rounded(1, True) << 8)


@KINDS
def test_types_convert_into_each_other(kind: Kind) -> None:
    x = np.random.default_rng(5).normal(0, 30, 256).astype(np.float32)
    body = f"""
    using Two = __nv_fp8x2_{kind.name};
    using Four = __nv_fp8x4_{kind.name};
    float4 v = {{x[i], x[i ^ 1], x[i ^ 2], x[i ^ 3]}}, four = float4(Four(v));
    float2 two = float2(Two(make_float2(v.x, v.y))), halves = __half22float2(__half2(Two(__floats2half2_rn(v.x, v.y))));
    __nv_fp8_{kind.name} one{{x[i]}}, of_int{{int(x[i])}}, of_half{{__half(x[i])}}, of_bfloat{{__nv_bfloat16(x[i])}};
    float all[12] = {{four.x, four.y, four.z, four.w, two.x, two.y, halves.x, halves.y,
                     float(of_int), float(of_half), float(of_bfloat), float(int(one))}};
    for (int j = 0; j < 12; j++) out[12 * i + j] = all[j];"""
    done = run(body, "const float* x, float* out", [x, np.zeros((256, 12), np.float32)])
    assert not done.findings

    def fp8(values: np.ndarray) -> np.ndarray:
        bits = [kind.rounded(v, True) for v in values]
        return np.array([float(kind.value(b & 0x7F)) * (-1 if b & 0x80 else 1) for b in bits], np.float32)

    # (Rounded to bfloat16 first, which must be even in a tie.)
    words = x.view(np.uint32).astype(np.uint64)
    bfloat = ((words + 0x7FFF + (words >> 16 & 1)) >> 16 << 16).astype(np.uint32).view(np.float32)
    i, halves = np.arange(256), x.astype(np.float16).astype(np.float32)
    singles = [fp8(x[i ^ j]) for j in range(4)]
    pairs = [fp8(x), fp8(x[i ^ 1]), fp8(halves), fp8(halves[i ^ 1])]
    rest = [fp8(np.trunc(x)), fp8(halves), fp8(bfloat), np.trunc(fp8(x))]
    np.testing.assert_array_equal(done.outputs[1].T, np.array([*singles, *pairs, *rest]))
