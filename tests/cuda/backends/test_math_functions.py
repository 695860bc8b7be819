"""The WebAssembly engine has every mathematical function that the prelude declares, with the native one's values."""

from __future__ import annotations

import re

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.compiler import engine
from autograder.cuda.compiler.emulator_runtime import EMULATOR
from autograder.cuda.core.run import Run

pytestmark = inputs.emulation

PRELUDE = (EMULATOR / "prelude_math.h").read_text()
UNARY = re.findall(r"EMU_M1\((?!name)(\w+)\)", PRELUDE)
BINARY = re.findall(r"EMU_M2\((?!name)(\w+)\)", PRELUDE)
#: Functions that also have, or give, an integer.
OTHERS = {
    "fma": "f(x, y, y)",
    "ldexp": "f(x, int(y))",
    "scalbn": "f(x, int(y))",
    "scalbln": "f(x, int(y))",
    "jn": "f(3, x)",
    "yn": "f(2, x)",
    "ilogb": "f(x)",
    "lrint": "f(x)",
    "lround": "f(x)",
    "fmin": "f(x, y)",
    "fmax": "f(x, y)",
}
CALLS = {name: "f(x)" for name in UNARY} | {name: "f(x, y)" for name in BINARY} | OTHERS
NUMBERS = [
    0.0,
    -0.0,
    1e-310,
    1e-40,
    1e-5,
    0.3,
    -0.7,
    1.0,
    1.5,
    2.5,
    -3.0,
    10.1,
    33.3,
    700.0,
    1e17,
    1e30,
    np.inf,
    np.nan,
]
#: By how many of the last places musl's and glibc's values of these differ at most.
PLACES = 4


def values(type_: str, engine_: str, monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    """What each of CALLS gives for each pair of neighboring NUMBERS."""
    suffix = "f" if type_ == "float" else ""
    lines = [
        f"o[{i} * n + i] = {call.replace('f(', f'{name}{suffix}(')};" for i, (name, call) in enumerate(CALLS.items())
    ]
    text = (
        f"__global__ void k(const {type_}* in, {type_}* o, int n) {{\n"
        f"    int i = threadIdx.x;\n    {type_} x = in[i], y = in[(i + 1) % n];\n    " + "\n    ".join(lines) + "\n}\n"
    )
    monkeypatch.setenv(engine.VARIABLE, engine_)
    numbers = np.array(NUMBERS).astype("f4" if type_ == "float" else "f8")
    out = np.zeros((len(CALLS), len(numbers)), numbers.dtype)
    done = Kernel(text, "k").emulate((1,), (len(numbers),), (numbers, out, np.int32(len(numbers))))
    assert isinstance(done, Run) and not done.findings
    return np.asarray(done.outputs[1])


def test_every_declared_function_is_called() -> None:
    declared = re.findall(r"EMU_C\((?!type)\w+, (\w+),", PRELUDE)
    assert {name.removesuffix("f") for name in declared} | {"lrint", "lround", "fmin", "fmax"} == set(OTHERS)
    assert len(UNARY) > 30 and len(BINARY) > 5


@pytest.mark.parametrize("type_", ["float", "double"])
def test_both_engines_have_the_same_functions(type_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    native, other = (values(type_, which, monkeypatch) for which in ("native", "webassembly"))
    for name, expected, got in zip(CALLS, native, other, strict=True):
        same = (expected == got) | (np.isnan(expected) & np.isnan(got))
        place = np.spacing(np.abs(expected[~same]))
        assert (np.abs(expected[~same] - got[~same]) <= PLACES * place).all(), name


@pytest.mark.parametrize("which", list(engine.Engine))
def test_minus_zero_is_less_than_zero(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on an H200."""
    monkeypatch.setenv(engine.VARIABLE, which)
    text = """__global__ void k(float z, double* o) {
    o[0] = fminf(z, -z); o[1] = fmin((double)-z, (double)z); o[2] = max(z, -z); o[3] = fmaxf(-z, z);
}"""
    run = Kernel(text, "k").emulate((1,), (1,), (np.float32(0), np.ones(4)))
    assert not run.findings
    assert np.signbit(run.outputs[0]).tolist() == [True, True, False, False]
