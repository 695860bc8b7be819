"""`wgmma` in inline PTX: all types, ways to store a factor, and signs, against numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.backends import gpu
from autograder.cuda.core.run import Run

pytestmark = pytest.mark.cached(*inputs.EMULATION)

#: Bits of an element, and of its fraction and exponent.
FORMATS = {"f16": (16, 10, 5), "bf16": (16, 7, 8), "tf32": (32, 10, 8), "e4m3": (8, 3, 4), "e5m2": (8, 2, 5)}
WHOLE = {"s8": np.int8, "u8": np.uint8}
BYTES = {**{name: bits // 8 for name, (bits, _, _) in FORMATS.items()}, "s8": 1, "u8": 1}
SPANS = {0: 16, 1: 128, 2: 64, 3: 32}  # bytes of a row, by the descriptor's number for a swizzle
TILE = 32768  # bytes that each factor has in shared memory

#: A warpgroup multiplies once. `tile` has both factors as they are to be in shared memory; `first`, four registers of
#: each thread; `sums`, their first values.
TEXT = """__global__ void multiply(const uint4* tile, const unsigned* first, TYPE* sums, unsigned long long a,
                         unsigned long long b, int add)
{
    extern __shared__ __align__(1024) uint4 both[];
    for (int i = threadIdx.x; i < SIZE / 16; i += 128) both[i] = tile[i];
    TYPE sum[COUNT];
    unsigned x[4];
    for (int i = 0; i < COUNT; i++) sum[i] = sums[threadIdx.x * COUNT + i];
    for (int i = 0; i < 4; i++) x[i] = first[threadIdx.x * 4 + i];
    unsigned long long start = __cvta_generic_to_shared(both) / 16;
    a += start, b += start + TILE / 16;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, ADD, 0; INSTRUCTION {SUMS}, FACTORS, pREST; }"
                 : OUTPUTS : FIRST, "l"(b), "r"(add));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < COUNT; i++) sums[threadIdx.x * COUNT + i] = sum[i];
}
"""


@dataclass(frozen=True)
class Product:
    a: str
    b: str
    sum: str
    n: int
    swizzle: tuple[int, int] = (0, 0)  # of each factor, as a descriptor numbers it
    turned: tuple[int, int] = (0, 0)
    signs: tuple[int, int] = (1, 1)
    in_registers: bool = False
    limits: bool = False

    @property
    def k(self) -> int:
        return 32 // BYTES[self.a]

    @property
    def count(self) -> int:
        return self.n // (4 if self.sum == "f16" else 2)

    @property
    def text(self) -> str:
        register, type_ = ("f", "float") if self.sum == "f32" else ("r", "unsigned")
        rest = [*self.signs] if self.sum != "s32" else []
        if self.a in ("f16", "bf16"):
            rest += self.turned[self.in_registers :]
        n = self.count
        factors = [f"%{n + i}" for i in range(4)] if self.in_registers else [f"%{n}"]
        shape = f"m64n{self.n}k{self.k}{'.satfinite' * self.limits}.{self.sum}.{self.a}.{self.b}"
        first = '"r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3])' if self.in_registers else '"l"(a)'
        words = {
            "INSTRUCTION": f"wgmma.mma_async.sync.aligned.{shape}",
            "FACTORS": f"{'{' + ', '.join(factors) + '}' if self.in_registers else factors[0]}, %{n + len(factors)}",
            "ADD": f"%{n + len(factors) + 1}",
            "REST": "".join(f", {number}" for number in rest),
            "OUTPUTS": ", ".join(f'"+{register}"(sum[{i}])' for i in range(n)),
            "SUMS": ", ".join(f"%{i}" for i in range(n)),
            "FIRST": first,
            "COUNT": str(n),
            "TYPE": type_,
            "TILE": str(TILE),
            "SIZE": str(2 * TILE),
        }
        text = TEXT
        for word, value in words.items():
            text = text.replace(word, value)
        return text


def values(bits: np.ndarray, type_: str) -> np.ndarray:
    """The numbers that elements of a type are."""
    if type_ in WHOLE:
        return bits.astype(WHOLE[type_]).astype(np.int64)
    width, fraction, exponent = FORMATS[type_]
    bits = bits.astype(np.int64) >> (13 if type_ == "tf32" else 0)
    width -= 13 if type_ == "tf32" else 0
    sign = np.where(bits >> (width - 1) & 1, -1.0, 1.0)
    e, m = bits >> fraction & (1 << exponent) - 1, bits & (1 << fraction) - 1
    significand = np.where(e > 0, m + (1 << fraction), m)
    found: np.ndarray = sign * significand * 2.0 ** (np.maximum(e, 1) - (1 << exponent - 1) + 1 - fraction)
    return found


def random_bits(rng: np.random.Generator, shape: tuple[int, ...], type_: str, spread: int = 2) -> np.ndarray:
    """Elements of a type, of exponents around 0."""
    if type_ in WHOLE:
        return rng.integers(0, 256, shape).astype(np.uint32)
    _, fraction, exponent = FORMATS[type_]
    middle = (1 << exponent - 1) - 1
    low = 13 if type_ == "tf32" else 0
    e = rng.integers(middle - spread, middle + spread, shape)
    m, sign, ignored = (rng.integers(0, 1 << n, shape) for n in (fraction, 1, low))
    return (((sign << exponent | e) << fraction | m) << low | ignored).astype(np.uint32)


def stored(bits: np.ndarray, type_: str, swizzle: int, turned: int) -> tuple[np.ndarray, int]:
    """A factor, by rows of which each is along k, as bytes of shared memory; and its descriptor without an address."""
    rows, size, span = len(bits), BYTES[type_], SPANS[swizzle]
    memory = np.zeros(TILE, np.uint8)
    data = bits.astype("<u4").view(np.uint8).reshape(*bits.shape, 4)[..., :size]
    row, k = np.meshgrid(np.arange(rows), np.arange(bits.shape[1]), indexing="ij")
    # What an inner row of the memory has: along k, or if it is turned, along the rows.
    inner, outer = (row, k) if turned else (k, row)
    # From one span to the next along an inner row, and from eight outer rows to the next eight. Without a swizzle, none
    # of these follow each other closely.
    step, stride = (span * 16, span * 8) if swizzle else (144, 4624 if turned else 272)
    place = inner * size % span + inner * size // span * step + outer % 8 * span + outer // 8 * stride
    leading = step
    if turned and not swizzle:
        leading, stride = stride, leading
    if swizzle:
        place ^= (place >> 7 & span // 16 - 1) << 4
    for i in range(size):
        memory[place + i] = data[..., i]
    return memory, leading // 16 << 16 | stride // 16 << 32 | swizzle << 62


def in_fragments(a: np.ndarray, type_: str) -> np.ndarray:
    """The first factor as four registers of each of 128 threads."""
    words = a.astype(f"<u{BYTES[type_]}").view("<u4")
    out = np.zeros((128, 4), np.uint32)
    for t in range(128):
        for r in range(4):
            out[t, r] = words[t // 32 * 16 + t % 32 // 4 + r % 2 * 8, t % 4 + r // 2 * 4]
    return out


def by_thread(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the sums of each thread."""
    t, i = np.meshgrid(np.arange(128), np.arange(n // 2), indexing="ij")
    return t // 32 * 16 + t % 32 // 4 + i % 4 // 2 * 8, i // 4 * 8 + t % 4 * 2 + i % 2


@dataclass(frozen=True)
class Case:
    """A product's factors as bits, its first sums, and the launch's arguments."""

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    args: list[Any]

    def sums(self, done: Run) -> np.ndarray:
        rows, columns = by_thread(len(self.b))
        got = np.zeros_like(self.c)
        got[rows, columns] = done.outputs[2].view(self.c.dtype).reshape(128, -1)
        return got


def case_of(p: Product, add: int = 1, spread: int = 2) -> Case:
    rng = np.random.default_rng(7)
    a, b = random_bits(rng, (64, p.k), p.a, spread), random_bits(rng, (p.n, p.k), p.b, spread)
    (of_a, first), (of_b, second) = stored(a, p.a, p.swizzle[0], p.turned[0]), stored(b, p.b, p.swizzle[1], p.turned[1])
    rows, columns = by_thread(p.n)
    if p.sum == "s32":
        c = rng.integers(-1000, 1000, (64, p.n)).astype(np.int32)
    else:
        c = rng.standard_normal((64, p.n)).astype(np.float32 if p.sum == "f32" else np.float16)
    sums = np.ascontiguousarray(c[rows, columns]).view(np.float32 if p.sum == "f32" else np.uint32)
    tiles = np.concatenate([of_a, of_b]).view(np.uint32)
    fragments = in_fragments(a, p.a).ravel()
    return Case(a, b, c, [tiles, fragments, sums.ravel(), np.uint64(first), np.uint64(second), add])


def emulate(p: Product, case: Case) -> Run:
    return Kernel(p.text, "multiply").emulate(1, 128, case.args, shared_mem=2 * TILE)


def wanted(p: Product, case: Case, add: int = 1) -> np.ndarray:
    want: np.ndarray = p.signs[0] * p.signs[1] * values(case.a, p.a) @ values(case.b, p.b).T + add * case.c
    return want


PRODUCTS = [
    *(Product(t, t, "f32", 64, (s, s)) for t in ("f16", "bf16", "tf32", "e4m3") for s in range(4)),
    *(Product("f16", "f16", "f32", 128, (s, s), (i, j)) for s in range(4) for i, j in ((0, 1), (1, 0), (1, 1))),
    Product("bf16", "bf16", "f32", 256, (1, 1), (1, 1)),
    Product("f16", "f16", "f16", 64, (1, 2)),
    Product("f16", "f16", "f16", 8),
    Product("f16", "f16", "f32", 24, (3, 1), signs=(-1, 1)),
    Product("f16", "f16", "f32", 40, (0, 1), (0, 1), (1, -1), in_registers=True),
    Product("f16", "f16", "f16", 256, (0, 1), signs=(-1, -1), in_registers=True),
    Product("bf16", "bf16", "f32", 16, (0, 2), in_registers=True),
    Product("tf32", "tf32", "f32", 256, (0, 1), in_registers=True),
    Product("tf32", "tf32", "f32", 8, (2, 3), signs=(-1, 1)),
    Product("e5m2", "e5m2", "f32", 32, (1, 1)),
    Product("e4m3", "e5m2", "f32", 64, (1, 3), in_registers=True),
    Product("e5m2", "e4m3", "f16", 96, (1, 1)),
    Product("s8", "s8", "s32", 64, (1, 1)),
    Product("s8", "u8", "s32", 224, (1, 0)),
    Product("u8", "s8", "s32", 8, (0, 1), in_registers=True),
    Product("u8", "u8", "s32", 24, (2, 2), limits=True),
]


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("p", PRODUCTS, ids=str)
def test_a_product_is_as_numpy_has_it(p: Product) -> None:
    case = case_of(p)
    done = emulate(p, case)
    assert done.completed and not done.findings
    assert done.counts is not None and done.counts.matrix_products == 4
    fp8 = p.a in ("e4m3", "e5m2")
    tolerance = 0 if p.sum == "s32" else 2e-2 if p.sum == "f16" else 1e-2 if fp8 else 1e-5
    np.testing.assert_allclose(case.sums(done).astype(float), wanted(p, case), tolerance, tolerance)


@pytest.mark.parametrize("sum_", ["f32", "f16", "s32"])
def test_a_false_predicate_leaves_the_sums_out(sum_: str) -> None:
    kind = "s8" if sum_ == "s32" else "f16"
    p = Product(kind, kind, sum_, 16)
    case = case_of(p, add=0)
    done = emulate(p, case)
    assert not done.findings
    np.testing.assert_allclose(case.sums(done).astype(float), wanted(p, case, add=0), 1e-2, 1e-2)


#: The same by four warps: the words of b are a row's, each thread's from its own on.
WARPS = """__global__ void multiply(const unsigned* a, const unsigned* b, TYPE* sums)
{
    int t = threadIdx.x, lane = t % 32;
    a += 4 * t;
    b += lane / 4 * 8 + lane % 4;
    sums += COUNT * t;
    asm volatile("mma.sync.aligned.m16n8kDEPTH.row.col.SUM.FACTOR.FACTOR.SUM {LIST}, {FIRST}, {SECOND}, {LIST};"
                 : OUTPUTS : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[4]));
}
"""


@pytest.mark.parametrize(
    "p", [Product(t, t, s, 8) for t, s in (("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("tf32", "f32"))], ids=str
)
def test_a_product_has_the_bits_of_mma(p: Product) -> None:
    """What `mma.sync` has here is what an H200 has (`book/data/measure_wmma.py`)."""
    case = case_of(p, spread=6)
    register, type_ = ("f", "float") if p.sum == "f32" else ("r", "unsigned")
    lists = np.split(np.arange(p.count + 6), [p.count, p.count + 4])
    words = {
        "DEPTH": p.k,
        "FACTOR": p.a,
        "TYPE": type_,
        "COUNT": p.count,
        "OUTPUTS": ", ".join(f'"+{register}"(sums[{i}])' for i in range(p.count)),
        **{
            word: ", ".join(f"%{i}" for i in list_)
            for word, list_ in zip(("LIST", "FIRST", "SECOND"), lists, strict=True)
        },
        "SUM": p.sum,
    }
    text = WARPS
    for word, value in words.items():
        text = text.replace(word, str(value))
    b = np.ascontiguousarray(case.b.astype(f"<u{BYTES[p.a]}")).view(np.uint32).ravel()
    by_warps = Kernel(text, "multiply").emulate(1, 128, [case.args[1], b, case.args[2]])
    done = emulate(p, case)
    assert not done.findings and not by_warps.findings
    np.testing.assert_array_equal(done.outputs[2].view(np.uint32), by_warps.outputs[2].view(np.uint32))


@pytest.mark.skipif(gpu.problem() is not None, reason="no GPU")
@pytest.mark.parametrize("p", PRODUCTS, ids=str)
def test_a_product_has_the_bits_of_a_gpu(p: Product) -> None:
    if gpu.is_too_old_for(p.text):
        pytest.skip("the GPU has no warpgroups")
    case = case_of(p, spread=3)
    there = Kernel(p.text, "multiply").run_on_gpu(1, 128, case.args, 2 * TILE)
    np.testing.assert_array_equal(emulate(p, case).outputs[2].view(np.uint32), there.outputs[2].view(np.uint32))
