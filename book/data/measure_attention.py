"""How fast are softmax and attention, rung by rung, beside PyTorch?

Run it on a machine with an NVIDIA GPU, CuPy and PyTorch: `python book/data/measure_attention.py`. It takes some minutes
and writes beside itself, for this GPU:

  softmax_<gpu>.csv            the two kernels of softmax, and PyTorch's, on 2^27 floats in rows of n; gbps counts each
                               float once as read and once as written
  attention_<gpu>.csv          attention in three launches and in one, in 32 heads of n queries, keys and values of 64
                               elements, beside PyTorch's `scaled_dot_product_attention` by each library that it has for
                               them; tflops counts the multiplications and additions of both products
  attention_without_<gpu>.csv  the fused kernels with parts of their loops left out: the results are wrong then, but the
                               times say what those parts cost

Before each timed call more memory is written than the L2 cache holds. What is compared alternates, so that it is timed
in one minute. Before that, each result is compared with one in FP64: `error` is the largest difference. Spread is the
interquartile range.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import cupy as cp
import numpy as np
from measuring import Cell, Loaded, Row, Timer, compiled, machine, random, summary, write
from places import KERNELS

HEADS, D = 32, 64
SIDES = {1024: 40, 2048: 30, 4096: 20, 8192: 10}  # n: how many calls of each are timed
#: The warps of a block, and the queries of a warp.
WARPS = ((4, 16), (8, 16), (4, 32), (8, 32))
#: The largest difference from the result in FP64 that each type may have: an FP16 result near 1 is rounded by up to
#: 0.0005, and so are the weights. PyTorch decides for itself what it rounds.
MOST = {"FP32": 1e-4, "FP16": 2e-3, "PyTorch": 1e-2}
_EXPONENTIALS = ('asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));', "y = x < -1000.0f ? 0.0f : 1.0f;")
_COPIES = ("if (first + TILE < n) begin_copy", "if (first == 0 && TILE < n) begin_copy")
#: What a loop does without, by the lines that are changed for it.
LEFT_OUT = {
    "nothing": (),
    "exponentials": (_EXPONENTIALS,),
    "copies": (_COPIES,),
    "both": (_EXPONENTIALS, _COPIES),
}

Call = Callable[[], object]


@dataclass(frozen=True)
class Way:
    """A way to compute attention, and what its rows of the CSV say about it.

    `prepare` takes q, k, v and a place for the result, each of shape (heads, n, D), and returns the call to be timed.
    That returns the result if it is somewhere else.
    """

    type: str
    kernel: str
    prepare: Callable[[cp.ndarray, cp.ndarray, cp.ndarray, cp.ndarray], Call]
    warps: Cell = ""
    queries_of_a_warp: Cell = ""
    registers: Cell = ""


def pytorch() -> Any:
    try:
        return importlib.import_module("torch")
    except ImportError:
        sys.exit("This script compares with PyTorch, which is not installed here: install it (pip install torch).")


def exact(q: cp.ndarray, k: cp.ndarray, v: cp.ndarray) -> cp.ndarray:
    """Attention of one head, in FP64."""
    q, k, v = (x.astype(cp.float64) for x in (q, k, v))
    scores = q @ k.T / D**0.5
    weights = cp.exp(scores - scores.max(axis=1, keepdims=True))
    return weights @ v / weights.sum(axis=1, keepdims=True)


def inputs(kind: str, heads: int, n: int) -> list[cp.ndarray]:
    return [random(heads, n, D).astype(cp.float16 if kind == "FP16" else cp.float32) for _ in range(3)]


def three_launches() -> Way:
    files = ("03_scores", "02_softmax_online", "03_values")
    scores, softmax, values = (Loaded(f"attention/{file}.cu") for file in files)

    def prepare(q: cp.ndarray, k: cp.ndarray, v: cp.ndarray, out: cp.ndarray) -> Call:
        heads, n, _ = q.shape
        s, tiles, rows, length = cp.empty((heads, n, n), cp.float32), -(-n // 64), np.int32(heads * n), np.int32(n)

        def call() -> None:
            scores((tiles, tiles, heads), (256,), (q, k, s, length))
            softmax((-(-heads * n // 8),), (256,), (s, s, rows, length))
            values((tiles, heads), (256,), (s, v, out, length))

        return call

    return Way("FP32", "03 three launches", prepare, 8, 8)


def fused() -> Way:
    kernel = Loaded("attention/04_fused.cu")

    def prepare(q: cp.ndarray, k: cp.ndarray, v: cp.ndarray, out: cp.ndarray) -> Call:
        heads, n, _ = q.shape
        args, shared = (q, k, v, out, np.int32(n)), 4 * 64 * (3 * 68 + 64)
        return lambda: kernel((-(-n // 64), heads), (256,), args, shared_mem=shared)

    return Way("FP32", "04_fused", prepare, 8, 8, kernel.result.registers)


def on_tensor_cores(file: str, warps: int, queries: int, changes: tuple[tuple[str, str], ...] = ()) -> Way:
    """A kernel whose warps multiply matrices.

    Raises:
        AssertionError: a line to be changed is not there once, or the kernel does not compile.
    """
    source = (KERNELS / f"attention/{file}.cu").read_text()
    for old, new in (("WARPS = 4, WM = 16", f"WARPS = {warps}, WM = {queries}"), *changes):
        assert source.count(old) == 1, f"{file} has {old!r} {source.count(old)} times"
        source = source.replace(old, new)
    result, function = compiled(source, {"05_mma": "attention_mma", "06_async": "attention_async"}[file])

    def prepare(q: cp.ndarray, k: cp.ndarray, v: cp.ndarray, out: cp.ndarray) -> Call:
        heads, n, _ = q.shape
        args = (q, k, v, out, np.int32(n))
        return lambda: function((-(-n // (warps * queries)), heads), (32 * warps,), args)

    return Way("FP16", file, prepare, warps, queries, result.registers)


def library(torch: Any, kind: str, backend: str) -> Way | None:
    """PyTorch's attention by one of its libraries; None, and a line that says why, if it has none here."""
    attention = importlib.import_module("torch.nn.attention")
    chosen = getattr(attention.SDPBackend, backend.upper() + "_ATTENTION", None)

    def prepare(q: cp.ndarray, k: cp.ndarray, v: cp.ndarray, out: cp.ndarray) -> Call:
        theirs = [torch.from_dlpack(x)[None] for x in (q, k, v)]

        def call() -> Any:
            with attention.sdpa_kernel(chosen):
                return torch.nn.functional.scaled_dot_product_attention(*theirs)[0]

        return call

    way = Way(kind, f"PyTorch {backend}", prepare)
    try:
        assert chosen is not None, "this version does not name it"
        error(way, *inputs(kind, HEADS, 1024))
    except (RuntimeError, AssertionError) as why:
        print(f"PyTorch {torch.__version__} has no attention by {backend} for {kind} here: {why}", flush=True)
        return None
    return way


def error(way: Way, q: cp.ndarray, k: cp.ndarray, v: cp.ndarray) -> float:
    """The largest difference from the result in FP64, in the first head and the last one.

    Raises:
        AssertionError: it is too large.
    """
    out = cp.full(q.shape, cp.nan, q.dtype)
    elsewhere = way.prepare(q, k, v, out)()
    found = out if elsewhere is None else cp.from_dlpack(elsewhere.contiguous())  # type: ignore[attr-defined]
    worst = max(float(cp.abs(found[head] - exact(q[head], k[head], v[head])).max()) for head in (0, -1))
    most = MOST["PyTorch" if "PyTorch" in way.kernel else way.type]
    assert worst <= most, f"{way.kernel} is wrong by {worst} in {q.shape}"  # a NaN is not below it, either
    return worst


def check(ways: list[Way]) -> None:
    """Try sizes at, below and beyond a tile's end, small scores and large ones, whose exponentials are infinite."""
    for way in ways:
        for n in (1, 2, 17, 63, 64, 65, 100, 128, 129, 200, 333):
            for times in (1, 30):
                q, k, v = inputs(way.type, 3, n)
                error(way, q * q.dtype.type(times), k, v)


def timed(timer: Timer, ways: list[Way], n: int) -> list[Row]:
    """For each of `ways` the columns that say what it is, and how long it takes."""
    calls = []
    for way in ways:
        q, k, v = inputs(way.type, HEADS, n)
        calls.append(way.prepare(q, k, v, cp.empty_like(q)))
    return [
        {
            "type": way.type,
            "kernel": way.kernel,
            "n": n,
            "warps": way.warps,
            "queries_of_a_warp": way.queries_of_a_warp,
            "registers": way.registers,
            **summary(times),
            "tflops": f"{4 * HEADS * n * n * D / 1e9 / np.median(times):.1f}",
        }
        for way, times in zip(ways, timer.series(SIDES[n], *calls), strict=True)
    ]


def attention(timer: Timer, own: list[Way], others: list[Way]) -> Iterator[Row]:
    check(own)
    for n in SIDES:
        errors = [f"{error(way, *inputs(way.type, HEADS, n)):.1e}" for way in own + others]
        for row, wrong in zip(timed(timer, own + others, n), errors, strict=True):
            yield {**row, "error": wrong}


def without(timer: Timer) -> Iterator[Row]:
    for warps, queries in WARPS:
        ways = [on_tensor_cores("06_async", warps, queries, changes) for changes in LEFT_OUT.values()]
        for n in (2048, 8192):
            for what, row in zip(LEFT_OUT, timed(timer, ways, n), strict=True):
                yield {"left_out": what, **row}


def softmax(timer: Timer, torch: Any) -> Iterator[Row]:
    kernels = {file: Loaded(f"attention/{file}.cu") for file in ("01_softmax", "02_softmax_online")}

    def launch(kernel: Loaded, x: cp.ndarray, out: cp.ndarray) -> Call:
        rows, n = x.shape
        return lambda: kernel((rows // 8,), (256,), (x, out, np.int32(rows), np.int32(n)))

    def theirs(x: cp.ndarray) -> Call:
        there = torch.from_dlpack(x)
        return lambda: torch.softmax(there, 1)

    for n in (128, 512, 2048, 8192, 32768):
        x = random(2**27 // n, n)
        out = cp.empty_like(x)
        calls = {file: launch(kernel, x, out) for file, kernel in kernels.items()}
        want = cp.exp(x[:64].astype(cp.float64))
        want /= want.sum(axis=1, keepdims=True)
        for file, call in calls.items():
            out.fill(cp.nan)
            call()
            assert cp.allclose(out[:64], want, rtol=1e-5, atol=0), f"{file} is wrong at n={n}"
            assert cp.allclose(out.sum(axis=1), 1, rtol=1e-4), f"{file} is wrong at n={n}"
        calls["PyTorch"] = theirs(x)
        for file, times in zip(calls, timer.series(15, *calls.values()), strict=True):
            gbps = f"{8 * x.size / 1e6 / np.median(times):.0f}"
            yield {"kernel": file, "rows": len(x), "n": n, **summary(times), "gbps": gbps}


def main() -> None:
    torch = pytorch()
    timer, where = Timer(flush=40), machine() | {"torch": torch.__version__}
    found = [library(torch, *of) for of in (("FP32", "efficient"), ("FP16", "flash"), ("FP16", "cudnn"))]
    own = [three_launches(), fused()]
    own += [on_tensor_cores(file, *of) for file in ("05_mma", "06_async") for of in WARPS]
    write("softmax", softmax(timer, torch), where)
    write("attention", attention(timer, own, [way for way in found if way]), where)
    write("attention_without", without(timer), where)


if __name__ == "__main__":
    main()
