"""In every kernel of tests/cuda/kernels, the emulator finds what the first lines say, and nothing else.

A kernel's header is a block of `//` lines at the top of its file:

    // kernel: tile_sum   grid: 2   block: 16,16   shared_mem: 0
    // args: in float32[128] random, out float32[128] poison, n int32 128
    // expect: Race lines=1,2 array=tile hazard=read-after-write
    // check: out == in_.reshape(2, 64).sum(axis=1)

`args` binds numpy arrays (filled as `autograder run` does: random, zeros, ones, arange, poison; or empty:
it has no values yet; or `tiles 8x16`: a tensor map with that box, and after it its array) and numbers to
the kernel's parameters. There is one `expect` for each finding, or
one `nothing`; `lines` are marks, and mark 1 is the line that ends in `// (1)`; `between` is the same
for two lines in either order. Every other `key=value` must equal the access's field or the finding's
field of that name. `check` compares an array after the launch (or what was `printed`) with an expression
over numpy (`np`) and the arguments before the launch (`in` is spelled `in_`).
"""

from __future__ import annotations

import keyword
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.commands.arguments import ArrayWords
from autograder.cuda.compiler.forbidden import find_forbidden
from autograder.cuda.core import findings
from autograder.cuda.core.findings import CompileError, Finding, ForbiddenCode, Kind
from autograder.cuda.core.run import Run
from autograder.cuda.core.tensor_map import tensor_map
from autograder.cuda.kernel import Kernel
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.report.compile_errors import in_words
from autograder.cuda.source.generation import runs_on

pytestmark = inputs.emulation

FOLDER = Path(__file__).parents[1] / "kernels"
FILES = sorted(FOLDER.glob("*/*.cu"))
NOT_CUDA = ("compile_error", "forbidden_code")


@dataclass(frozen=True)
class Expected:
    kind: Kind
    lines: tuple[int, ...]
    values: tuple[tuple[str, str], ...]
    ordered: bool = True

    def matches(self, finding: Finding) -> bool:
        lines = _lines(finding)
        if finding.kind != self.kind or (self.lines and self.lines not in (lines, lines[:: 1 if self.ordered else -1])):
            return False
        return all(value in _values(finding, key) for key, value in self.values)


@dataclass(frozen=True)
class Header:
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared_mem: int
    args: dict[str, np.ndarray | np.generic]
    empty: tuple[str, ...]
    expected: tuple[Expected, ...]
    checks: tuple[str, ...]


def read_header(text: str) -> Header:
    lines = [line.removeprefix("//").strip() for line in text.splitlines() if line.startswith("//")]
    given = [tuple(part.strip() for part in line.split(":", 1)) for line in lines if ":" in line]
    launch = dict(re.findall(r"(\w+): *(\S+)", next(line for line in lines if line.startswith("kernel:"))))
    written = ", ".join(value for key, value in given if key == "args")
    arguments = written.split(", ") if written else []
    expected = [_expected(value, text) for key, value in given if key == "expect" and value != "nothing"]
    assert any(key == "expect" for key, _ in given), "no line says what to expect"
    return Header(
        launch["kernel"],
        tuple(int(n) for n in launch["grid"].split(",")),
        tuple(int(n) for n in launch["block"].split(",")),
        int(launch.get("shared_mem", 0)),
        dict(_argument(arg) for arg in arguments),
        tuple(arg.split()[0] for arg in arguments if arg.endswith(" empty")),
        tuple(expected),
        tuple(value for key, value in given if key == "check"),
    )


def _argument(text: str) -> tuple[str, np.ndarray | np.generic]:
    name, kind, value = text.split(maxsplit=2)
    array = re.fullmatch(r"(\w+)\[([\dx]+)\]", kind)
    if array is None:
        return name, np.dtype(kind).type(float(value))
    shape = tuple(int(n) for n in array[2].split("x"))
    if tiles := re.fullmatch(r"tiles ([\dx]+)", value):
        given = ArrayWords("random", array[1], shape).make(np.random.default_rng(7))
        return name, tensor_map(given, [int(n) for n in tiles[1].split("x")])
    fill = "poison" if value == "empty" else value
    return name, ArrayWords(fill, array[1], shape).make(np.random.default_rng(7))


def _expected(text: str, source: str) -> Expected:
    kind, *pairs = shlex.split(text)
    values = [tuple(pair.split("=", 1)) for pair in pairs]
    marks = [m for key, value in values if key in ("lines", "between") for m in value.split(",")]
    lines = tuple(_marked(source, mark) for mark in marks)
    rest = tuple((k, v) for k, v in values if k not in ("lines", "between"))
    return Expected(Kind(kind), lines, rest, ordered=all(key != "between" for key, _ in values))


def _marked(source: str, mark: str) -> int:
    found = [i for i, line in enumerate(source.splitlines(), 1) if line.endswith(f"// ({mark})")]
    assert len(found) == 1, f"mark ({mark}) stands on {len(found)} lines"
    return found[0]


def _lines(finding: Finding) -> tuple[int, ...]:
    if isinstance(finding, CompileError):
        return tuple(dict.fromkeys(message.line for message in finding.messages))
    if isinstance(finding, ForbiddenCode):
        return (finding.line,)
    return tuple(access.line for access in finding.accesses)


def _values(finding: Finding, key: str) -> list[str]:
    """What `key=` of an expectation may equal."""
    if key == "count":
        return [str(finding.count)]
    if key == "message" and isinstance(finding, CompileError):
        return [word for _, _, text in in_words(finding.messages) for word in text.split()]
    if hasattr(finding, key):
        return [_plain(getattr(finding, key))]
    return [_plain(getattr(access, key)) for access in finding.accesses if hasattr(access, key)]


def _plain(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def run_file(path: Path, schedule: str = "forward", *, trace: bool = False, checks: bool = True) -> tuple[Header, Run]:
    text = path.read_text()
    header = read_header(text)
    kernel = Kernel(text, header.kernel)
    values = [v.copy() if isinstance(v, np.ndarray) else v for v in header.args.values()]
    return header, kernel.emulate(
        header.grid,
        header.block,
        values,
        header.shared_mem,
        trace=trace,
        schedule=schedule,
        empty=header.empty,
        checks=checks,
    )


@pytest.mark.sampled(by=lambda path: path.parent.name, one_in=2)
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_finds_what_its_header_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "reason=spin" not in path.read_text():  # finding out that nothing will end a wait takes its time
        monkeypatch.setattr(emulator, "MAX_BLOCK_STEPS", 1_000_000)  # so that endless loops end soon
    if path.stem == "bad_endless_without_memory":  # it takes no steps
        monkeypatch.setattr(emulator, "IDLE_SECONDS", 1)
    header, run = run_file(path)
    assert path.stem.startswith("good_") == (not header.expected), "a good kernel expects nothing, a bad one something"
    for finding in run.findings:
        assert any(e.matches(finding) for e in header.expected), f"unexpected: {finding}"
    for expected in header.expected:
        assert any(expected.matches(f) for f in run.findings), f"missing: {expected} in {run.findings}"
    assert run.completed == (not any(f.stops for f in run.findings))
    names = [name for name, value in header.args.items() if isinstance(value, np.ndarray)]
    after = dict(zip(names, run.outputs, strict=True))
    for check in header.checks:
        name, wanted = check.split(" == ", 1)
        # In the expression an argument is as it was before the launch; `in` is a word of Python.
        before = {name + "_" * keyword.iskeyword(name): value for name, value in header.args.items()}
        want = eval(wanted, {"np": np, **before})
        if name == "printed":
            assert run.printed == want
        else:
            got = after[name]
            np.testing.assert_allclose(got, np.asarray(want).reshape(got.shape), rtol=1e-5, err_msg=check)


def _cuda() -> list[pytest.ParameterSet]:
    # CUDA's own headers take NVRTC many times as long as the rest of a text.
    slow = {path: [pytest.mark.rare] for path in FILES if "#include" in path.read_text()}
    texts = [path for path in FILES if path.parent.name not in NOT_CUDA]
    return [pytest.param(path, id=path.stem, marks=slow.get(path, [])) for path in texts]


@pytest.mark.sampled(by=lambda path: path.parent.name, one_in=4)
@inputs.nvrtc
@pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")
@pytest.mark.parametrize("path", _cuda())
def test_is_real_cuda(path: Path) -> None:
    """NVIDIA's own compiler takes the text, so the emulator's findings are about a CUDA kernel."""
    text = path.read_text()
    if find_forbidden(text):
        pytest.skip("forbidden here")
    if missing := nvrtc.missing_headers(text):
        pytest.skip(f"no {missing[0]}")
    arch = "sm_80" if runs_on(text, "sm_80") else "sm_90"
    result = nvrtc.compile_for(text, read_header(text).kernel, arch)
    assert result.ok, result.messages


def test_corpus_covers_every_kind_of_finding_from_a_run() -> None:
    kinds = {e.kind for path in FILES for e in read_header(path.read_text()).expected}
    from_runs = {cls.kind for cls in Finding.__subclasses__() if cls.__module__ == findings.__name__}
    from_runs -= {Kind.MISMATCH}  # what `run --expect` compares afterwards
    assert not from_runs - kinds, f"no kernel of tests/cuda/kernels expects {from_runs - kinds}"
    assert not kinds - from_runs


def test_a_wrong_expectation_does_not_match() -> None:
    text = "// kernel: k grid: 1 block: 1\n// expect: Race lines=1,2 array=a\nx // (1)\ny // (2)\n"
    (expected,) = read_header(text).expected
    race = run_file(FOLDER / "race" / "bad_missing_barrier.cu")[1].findings[0]
    lines = tuple(access.line for access in race.accesses)
    good = Expected(Kind.RACE, lines, (("array", "tile"), ("hazard", "read-after-write")))
    assert good.matches(race)
    assert not expected.matches(race)
    assert not Expected(Kind.RACE, lines[::-1], ()).matches(race)
    assert Expected(Kind.RACE, lines[::-1], (), ordered=False).matches(race)
    assert not Expected(Kind.RACE, lines[:1] * 2, (), ordered=False).matches(race)
    assert not Expected(Kind.RACE, lines, (("array", "other"),)).matches(race)
    assert not Expected(Kind.OUT_OF_BOUNDS, lines, ()).matches(race)
