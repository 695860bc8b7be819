"""Does the emulator round the products of `nvcuda::wmma` and of `mma.sync` as a GPU does?

On a machine with an NVIDIA GPU, CuPy and the CUDA toolkit, `python book/data/measure_wmma.py` multiplies matrices of
each type of fragment: random ones, large and small numbers mixed, sums that cancel, subnormal numbers, overflow,
zeros, infinities and NaN, any bits. It needs nothing of this repository, and writes the results, bit by bit, as
wmma_<gpu>.npz, mma_<gpu>.npz and dmma_<gpu>.npz (of doubles). Without a GPU it reads these files, multiplies the same
matrices on the emulator, and prints, for each type and case, how many elements differ, by how many units in the last
place, and the first one.
"""

import hashlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
TILES = 8
TEXT = """#include <mma.h>
using namespace nvcuda;
__global__ void product(const {stored}* a, const {stored}* b, const {c}* c, {d}* d)
{{
    a += blockIdx.x * {m} * {k}, b += blockIdx.x * {n} * {k}, c += blockIdx.x * {m} * {n}, d += blockIdx.x * {m} * {n};
    wmma::fragment<wmma::matrix_a, {m}, {n}, {k}, {type}, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, {m}, {n}, {k}, {type}, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, {m}, {n}, {k}, {c}> start;
    wmma::fragment<wmma::accumulator, {m}, {n}, {k}, {d}> sum;
    wmma::load_matrix_sync(x, a, {k});
    wmma::load_matrix_sync(y, b, {k});
    wmma::load_matrix_sync(start, c, {n}, wmma::mem_row_major);
    wmma::mma_sync(sum, x, y, start);
    wmma::store_matrix_sync(d, sum, {n}, wmma::mem_row_major);
}}
"""
#: The same by an instruction. A row of a factor has {words} words; a lane holds every fourth one of some rows.
INSTRUCTION = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void product(const {stored}* a, const {stored}* b, const {c}* c, {d}* d)
{{
    a += blockIdx.x * {m} * {k}, b += blockIdx.x * {n} * {k}, c += blockIdx.x * {m} * {n}, d += blockIdx.x * {m} * {n};
    int row = threadIdx.x / 4, at = threadIdx.x % 4;
    unsigned x[{of_a}], y[{of_b}];
    {register} sum[{of_c}];
    for (int i = 0; i < {of_a}; i++) x[i] = ((const unsigned*)a)[(row + i % 2 * 8) * {words} + at + i / 2 * 4];
    for (int i = 0; i < {of_b}; i++) y[i] = ((const unsigned*)b)[row * {words} + at + i * 4];
    for (int i = 0; i < {of_c}; i++) sum[i] = ((const {register}*)c)[{place}];
    asm volatile("mma.sync.aligned.m{m}n{n}k{k}.row.col.{type} {{{list_d}}}, {{{list_a}}}, {{{list_b}}}, {{{list_d}}};"
                 : {outputs} : {inputs});
    for (int i = 0; i < {of_c}; i++) (({register}*)d)[{place}] = sum[i];
}}
"""


@dataclass(frozen=True)
class Format:
    """A type of numbers: bits of its exponent and fraction, and of what is stored behind these; no exponent: whole."""

    name: str
    exponent: int
    fraction: int
    unused: int = 0
    bytes: int = 4

    @property
    def dtype(self) -> str:
        return f"uint{8 * self.bytes}" if self.exponent else self.name

    @property
    def memory(self) -> str:
        """The type of an array that a kernel takes for such numbers."""
        return {"half": "float16", "double": "float64"}.get(
            self.name, "float32" if self.bytes == 4 and self.exponent else self.dtype
        )

    def bits(self, values: np.ndarray) -> np.ndarray:
        """The numbers in this format, cut off where it ends."""
        if not self.exponent:
            return values.astype(self.name)
        if self.name == "half":
            return values.astype(np.float16).view(np.uint16)
        if self.name == "double":
            return values.astype(float).view(np.uint64)
        words = values.astype(np.float32).view(np.uint32)
        cut = 23 - self.fraction
        return (words >> cut << (0 if self.bytes == 2 else cut)).astype(self.dtype)

    def values(self, bits: np.ndarray) -> np.ndarray:
        if not self.exponent:
            return bits.astype(float)
        if self.name == "half":
            return bits.view(np.float16).astype(float)
        if self.name == "double":
            return bits.view(float)
        shift = 16 if self.bytes == 2 else 0
        return (bits.astype(np.uint32) << shift).view(np.float32).astype(float)


HALF, BFLOAT16 = Format("half", 5, 10, bytes=2), Format("__nv_bfloat16", 8, 7, bytes=2)
TF32, FLOAT = Format("wmma::precision::tf32", 8, 10, 13), Format("float", 8, 23)
DOUBLE = Format("double", 11, 52, bytes=8)
SIGNED, UNSIGNED, INT = Format("int8", 0, 7, bytes=1), Format("uint8", 0, 8, bytes=1), Format("int32", 0, 31)
_CPP = {"int8": "signed char", "uint8": "unsigned char", "int32": "int", "wmma::precision::tf32": "float"}


@dataclass(frozen=True)
class Product:
    """A type of factors, and those of c and d, and a shape."""

    factors: Format
    c: Format
    d: Format
    m: int = 16
    n: int = 16
    k: int = 16

    @property
    def name(self) -> str:
        kinds = (self.factors.name.split("::")[-1].strip("_"), self.c.name, self.d.name)
        return f"{'-'.join(kinds)}-m{self.m}n{self.n}k{self.k}"

    @property
    def text(self) -> str:
        stored, c, d = (_CPP.get(f.name, f.name) for f in (self.factors, self.c, self.d))
        name = self.factors.name if self.factors is TF32 else stored
        return TEXT.format(stored=stored, type=name, c=c, d=d, m=self.m, n=self.n, k=self.k)


@dataclass(frozen=True)
class Instruction(Product):
    """A product by `mma.sync`, whose c and d have one type."""

    n: int = 8

    @property
    def text(self) -> str:
        short = {HALF: "f16", BFLOAT16: "bf16", TF32: "tf32", FLOAT: "f32"}
        words, of_c = self.k * self.factors.bytes // 4, self.d.bytes
        of_a, of_b = words // 2, words // 4
        names = [f"%{i}" for i in range(of_c + of_a + of_b)]
        is_float = self.d is FLOAT
        stored, c, d = (_CPP.get(f.name, f.name) for f in (self.factors, self.c, self.d))
        return INSTRUCTION.format(
            **{"stored": stored, "c": c, "d": d, "m": self.m, "n": self.n, "k": self.k},
            **{"of_a": of_a, "of_b": of_b, "of_c": of_c, "words": words},
            register="float" if is_float else "unsigned",
            place="(row + i / 2 * 8) * 8 + at * 2 + i % 2" if is_float else "(row + i * 8) * 4 + at",
            type=".".join(short[f] for f in (self.d, self.factors, self.factors, self.c)),
            list_d=", ".join(names[:of_c]),
            list_a=", ".join(names[of_c : of_c + of_a]),
            list_b=", ".join(names[of_c + of_a :]),
            outputs=", ".join(f'"+{"f" if is_float else "r"}"(sum[{i}])' for i in range(of_c)),
            inputs=", ".join(f'"r"({v}[{i}])' for v, count in (("x", of_a), ("y", of_b)) for i in range(count)),
        )


PRODUCTS = (
    Product(HALF, FLOAT, FLOAT),
    Product(HALF, HALF, HALF),
    Product(HALF, HALF, FLOAT),
    Product(HALF, FLOAT, HALF),
    Product(BFLOAT16, FLOAT, FLOAT),
    Product(TF32, FLOAT, FLOAT, k=8),
    Product(SIGNED, INT, INT),
    Product(UNSIGNED, INT, INT),
    Product(HALF, FLOAT, FLOAT, m=32, n=8),
    Product(BFLOAT16, FLOAT, FLOAT, m=8, n=32),
)
INSTRUCTIONS = (
    *(Instruction(HALF, FLOAT, FLOAT, k=k) for k in (16, 8)),
    *(Instruction(HALF, HALF, HALF, k=k) for k in (16, 8)),
    *(Instruction(BFLOAT16, FLOAT, FLOAT, k=k) for k in (16, 8)),
    *(Instruction(TF32, FLOAT, FLOAT, k=k) for k in (8, 4)),
)
#: What the files hold, by the first word of their names.
FILES: dict[str, tuple[Product, ...]] = {
    "wmma": PRODUCTS,
    "mma": INSTRUCTIONS,
    "dmma": (Product(DOUBLE, DOUBLE, DOUBLE, m=8, n=8, k=4),),
}
Matrices = tuple[np.ndarray, np.ndarray, np.ndarray]  # a: (tiles, m, k), b: (tiles, n, k), c: (tiles, m, n)


def _spread(random: np.random.Generator, shape: tuple[int, ...], least: float, most: float) -> np.ndarray:
    # (exact, and so alike on every machine)
    sizes = np.ldexp(1 + random.random(shape), random.integers(int(least), int(most), shape))
    return random.choice([-1.0, 1.0], shape) * sizes


def cases(of: Product, seed: int) -> Iterator[tuple[str, Matrices]]:
    """The matrices of each case, bit by bit."""
    random = np.random.default_rng(seed)
    shapes = [(TILES, of.m, of.k), (TILES, of.n, of.k), (TILES, of.m, of.n)]
    formats = (of.factors, of.factors, of.c)
    if not of.factors.exponent:
        ranges = [np.iinfo(f.name) for f in formats]
        pairs = zip(formats, shapes, ranges, strict=True)
        whole = [random.integers(r.min, r.max, s, f.name, endpoint=True) for f, s, r in pairs]
        yield "random", (whole[0], whole[1], whole[2] // 2**12)
        yield "wraps", (whole[0], whole[1], whole[2] | np.int32(0x7FFFF000))
        return

    def made(make: Callable[[int, tuple[int, ...]], np.ndarray]) -> Matrices:
        a, b, c = (f.bits(make(i, s)) for i, (f, s) in enumerate(zip(formats, shapes, strict=True)))
        return a, b, c

    low, high = 2 - 2 ** (of.factors.exponent - 1), 2 ** (of.factors.exponent - 1) - 1
    least = 2 - 2 ** (of.c.exponent - 1)
    yield "random", made(lambda i, s: 4 * random.random(s) - 2)
    yield "mixed", made(lambda i, s: _spread(random, s, *((-6, 6) if i < 2 else (-8, 8))))
    yield "far apart", made(lambda i, s: _spread(random, s, *((-14, 7) if i < 2 else (-24, 14))))
    a, b, _ = made(lambda i, s: _spread(random, s, -4, 4))
    x, y = of.factors.values(a), of.factors.values(b)
    sums = np.zeros(shapes[2])
    for k in range(of.k):  # (in one order, and so alike on every machine)
        sums += x[:, :, None, k] * y[:, None, :, k]
    yield "cancels", (a, b, of.c.bits(-sums))
    yield (
        "subnormal",
        made(lambda i, s: _spread(random, s, *((low - of.factors.fraction, 2) if i < 2 else (least - 20, least + 2)))),
    )
    yield (
        "tiny",
        made(lambda i, s: _spread(random, s, *((low / 2 - 8, low / 2 + 4) if i < 2 else (least - 12, least + 12)))),
    )
    yield "overflow", made(lambda i, s: _spread(random, s, *((high / 2 - 4, high / 2) if i < 2 else (high - 3, high))))
    zeros = made(
        lambda i, s: _spread(random, s, *((-2, 12) if i < 2 else (-30, 2))) * (i == 2 or random.random(s) < 0.1)
    )
    yield "zeros", zeros

    def special(i: int, s: tuple[int, ...]) -> np.ndarray:
        some = random.choice([0.0, -0.0, np.inf, -np.inf, np.nan], s)
        return np.where(random.random(s) < 0.02, some, random.random(s))

    yield "special", made(special)
    anything = [random.integers(0, 2 ** (8 * f.bytes), s, np.uint64) for f, s in zip(formats, shapes, strict=True)]
    # (without most infinities and NaN, which would decide nearly all)
    finite = [
        np.where(random.random(x.shape) < 0.001, x, x & ~np.uint64(1 << (f.fraction + f.unused))).astype(f.dtype)
        for f, x in zip(formats, anything, strict=True)
    ]
    yield "any bits", (finite[0], finite[1], finite[2])
    if isinstance(of, Instruction):
        # In each row of a, two large numbers that cancel, at any places: what small ones lose shows what is added at
        # once, and with how many bits.
        a, b, c = ((1 + random.random(s)) / 2**8 for s in shapes)
        for tile, row in np.ndindex(TILES, of.m):
            first, second = random.choice(of.k, 2, replace=False)
            a[tile, row, [first, second]] = np.ldexp([1, -1], random.integers(4, 15))
        b[:, :4] = 1  # (else the products of the two differ)
        yield "pairs", (of.factors.bits(a), of.factors.bits(b), of.c.bits(c))


@np.errstate(all="ignore")
def products(
    which: tuple[Product, ...], multiply: Callable[[Product, Matrices, np.ndarray], np.ndarray]
) -> dict[str, np.ndarray]:
    """The bits of each d, shape (tiles, m, n), by "product, case"; and a digest of what was multiplied."""
    out, given = {}, hashlib.sha256()
    for seed, of in enumerate(which):
        for case, matrices in cases(of, seed):
            out[f"{of.name}, {case}"] = multiply(of, matrices, np.zeros((TILES, of.m, of.n), of.d.dtype))
            given.update(b"".join(x.tobytes() for x in matrices))
    return out | {"given": np.frombuffer(given.digest(), np.uint8)}


def measure(home: Path) -> None:
    import cupy as cp

    def on_gpu(of: Product, matrices: Matrices, d: np.ndarray) -> np.ndarray:
        options = ("-std=c++17", "-default-device", "-I/usr/local/cuda/include")
        kernel = cp.RawModule(code=of.text, options=options, name_expressions=["product"]).get_function("product")
        arrays = [cp.asarray(x) for x in (*matrices, d)]
        kernel((TILES,), (32,), tuple(arrays))
        found: np.ndarray = cp.asnumpy(arrays[3])
        return found

    gpu = cp.cuda.runtime.getDeviceProperties(0)["name"].decode().lower().replace(" ", "_")
    for word, which in FILES.items():
        np.savez_compressed(home / f"{word}_{gpu}.npz", allow_pickle=False, **products(which, on_gpu))


def emulated(of: Product, matrices: Matrices, d: np.ndarray) -> np.ndarray:
    """The bits of d as the emulator has them."""
    from autograder import Kernel

    formats = (of.factors, of.factors, of.c, of.d)
    arrays = [x.view(f.memory) for f, x in zip(formats, (*matrices, d), strict=True)]
    run = Kernel(of.text, "product").emulate(TILES, 32, arrays, checks=False)
    assert run.completed, run.findings
    return run.outputs[3].view(of.d.dtype)


def differing(of: Format, ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Which elements differ; one NaN is as good as another."""
    differ: np.ndarray = ours != theirs
    if of.exponent:
        differ &= ~(np.isnan(of.values(ours)) & np.isnan(of.values(theirs)))
    return differ


def compare(path: Path) -> Iterator[tuple[str, int, str]]:
    """For each product and case: its name, how many elements differ, and the same in words."""
    which = FILES[path.name.partition("_")[0]]
    theirs, ours = np.load(path), products(which, emulated)
    assert (theirs["given"] == ours.pop("given")).all(), "the matrices are not those that the GPU multiplied"
    by_name = {of.name: of for of in which}
    for key, bits in ours.items():
        of = by_name[key.split(", ")[0]]
        wrong = differing(of.d, bits, theirs[key])
        line = f"{key:45} {wrong.sum():5} of {wrong.size}"
        if wrong.any():
            places = np.abs(bits.astype(np.int64) - theirs[key].astype(np.int64))[wrong]
            at = tuple(int(i) for i in np.argwhere(wrong)[0])
            got, want = (of.d.values(np.array([x[at]]))[0] for x in (bits, theirs[key]))
            line += f", up to {places.max()} units: at {at} {got!r}, GPU {want!r}"
        yield key, int(wrong.sum()), line


if __name__ == "__main__":
    try:
        import cupy

        has_gpu = cupy.cuda.runtime.getDeviceCount() > 0
    except Exception:  # no CuPy, or no driver
        has_gpu = False
    if has_gpu:
        measure(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
    else:
        for file in sorted(HERE.glob("*mma_*.npz")):
            print(file.name, *(line for _, _, line in compare(file)), sep="\n")
