"""The programs of the suites, each with the label that its suite gives it."""

from __future__ import annotations

import io
import random
import re
import subprocess
import tarfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RACY, FREE = "racy", "free"
_HERE = Path(__file__).parent
_LIST = _HERE / "suites.toml"
#: A kernel's launch where its text does not say what it is verified for, and how many blocks and threads it may have.
_BLOCKS, _THREADS = "1", "64"
_MOST_BLOCKS, _MOST_THREADS = 4, 1024
#: How many of one suite are compiled as one program.
_TOGETHER = 8
_MAIN = "int main(int argc, char** argv)"
#: How many columns of DRACC's tables have violations of atomicity and of order; they stand last.
_VIOLATIONS = {"Error_Patterns_On_ACC.tex": 4, "Error_Patterns_Between_Host_and_ACC.tex": 2}


@dataclass(frozen=True)
class Case:
    """A program of a suite. `words` are sources and options, as for nvcc; `run` has its arguments, and after "<" what
    it reads from its standard input."""

    suite: str
    name: str
    label: str
    words: tuple[str, ...]
    run: str = ""


def cases(clones: Path, work: Path) -> Iterator[Case]:
    """All programs of all suites. `clones` holds a clone of each repository, by its name; texts go into `work`."""
    for suite, reported in tomllib.loads(_LIST.read_text(encoding="utf-8")).items():
        top = work / suite
        _unpack(clones / reported["repository"].rpartition("/")[2], reported["commit"], reported["paths"], top)
        for name, label, words, run in _READERS[suite](top, reported):
            yield Case(suite, name, label, tuple(map(str, words)), run)


def _unpack(clone: Path, commit: str, paths: Sequence[str], target: Path) -> None:
    packed = subprocess.run(["git", "-C", clone, "archive", commit, *paths], check=True, stdout=subprocess.PIPE)
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(target, filter="data")


#: A program's name, its label, what it is compiled of, and its run.
_Read = Iterator[tuple[str, str, Sequence[object], str]]


def _hirace(top: Path, reported: Mapping[str, Any]) -> _Read:
    """Planted bugs stand in a name, and each but the one of bounds is a race, as the authors count them. To compile
    takes longest, so some are compiled as one program, each in a namespace, and the first argument says which runs."""
    files = sorted(top.glob("indigo/indigo_sources/*/*.cu"))
    for first in range(0, len(files), _TOGETHER):
        together = files[first : first + _TOGETHER]
        unit = top / f"from_{together[0].stem}.cu"
        spaces = "".join(f'namespace p{i} {{\n#include "{file}"\n}}\n' for i, file in enumerate(together))
        mains = ", ".join(f"p{i}::main" for i in range(len(together)))
        main = f"int (*mains[])(int, char**) = {{{mains}}};\n  return mains[atoi(argv[1])](argc - 1, argv + 1);"
        unit.write_text(f"#include <cuda.h>\n#include <cstdlib>\n#include <cstdio>\n{spaces}{_MAIN} {{\n  {main}\n}}\n")
        for i, file in enumerate(together):
            bugs = {part for part in file.stem.split("_") if part.endswith("Bug")}
            run = reported["run_of_bounds" if "boundsBug" in bugs else "run"]
            label = RACY if bugs - {"boundsBug"} else FREE
            yield file.stem, label, [unit, f"-I{top}/indigo/indigo_include"], f"{i} {top}/indigo/input/{run}"


def _scor(top: Path, reported: Mapping[str, Any]) -> _Read:
    """A microbenchmark's name has its label; of the others, the Makefiles make one of each kind."""
    for file in sorted(top.glob("microbenchmarks/src/*.cu")):
        yield file.stem, FREE if file.stem.startswith("norace") else RACY, [file], ""
    for name, mine in reported["programs"].items():
        folder = top / "benchmarks" / name
        (files,) = re.findall(r"^FILES\s*:=(.*)", (folder / "Makefile").read_text(), re.MULTILINE)
        words = [*(folder / file for file in files.split()), f"-I{folder}", *mine["macros"].split()]
        run = _filled(mine["input"])
        yield name, FREE, words, run
        yield f"{name} RACEY", RACY, [*words, "-DRACEY"], run


def _filled(text: str) -> str:
    """A program's input, with n ones for `{ones:n}`, and e random edges between v vertices for `{edges:v:e}`."""

    def fill(found: re.Match[str]) -> str:
        what, *numbers = found[1].split(":")
        if what == "ones":
            return " ".join("1" * int(numbers[0]))
        vertices, edges = map(int, numbers)
        rng = random.Random(1)
        return " ".join(f"{u} {v}" for u, v in (rng.sample(range(vertices), 2) for _ in range(edges)))

    return f"< {re.sub(r'{([^}]*)}', fill, text)}"


def _dracc(top: Path, reported: Mapping[str, Any]) -> _Read:
    """The suite's tables say which of its programs violate atomicity or order. Its other errors are no races."""
    racy = {number for name, columns in _VIOLATIONS.items() for number in _numbers((top / name).read_text(), columns)}
    for file in sorted(top.glob("CUDA/src/*.cu")):
        _replace(file, reported["replaced"])
        yield file.stem, RACY if int(file.stem.split("_")[2]) in racy else FREE, [file], ""


def _replace(file: Path, replaced: Mapping[str, str]) -> None:
    text = file.read_text()
    for line, instead in replaced.items():
        text = text.replace(line, instead)
    file.write_text(text)


def _numbers(table: str, columns: int) -> set[int]:
    (row,) = re.findall(r"^CUDA\s*&(.*)\\\\", table, re.MULTILINE)
    cells = re.sub(r"\\multicolumn{\d}{[^}]*}", "", row).split("&")[-columns:]
    return {int(number) for cell in cells for number in re.findall(r"\d+", cell)}


def _faial(top: Path, reported: Mapping[str, Any]) -> _Read:
    for file in sorted([*top.glob("examples/drf/drf-*.cu"), *top.glob("examples/drf/racy-*.cu")]):
        yield from _kernel(top, file.stem, FREE if file.stem.startswith("drf") else RACY, file, reported)


def _gpuverify(top: Path, reported: Mapping[str, Any]) -> _Read:
    """A text's first lines say whether it is verified. Of those that are not, only those are taken that say that it is
    for a race; and none that is verified for divergence alone."""
    tests = top / "testsuite/CUDA"
    for file in sorted(tests.rglob("kernel.cu")):
        name = file.parent.relative_to(tests).as_posix()
        head = _head(file)
        if "--only-divergence" in head:
            continue
        if re.search(r"^//pass|not-racy", head, re.IGNORECASE | re.MULTILINE):
            yield from _kernel(top, name, FREE, file, reported)
        elif re.search(r"rac[ey]|Write by thread", f"{name}\n{head}"):
            yield from _kernel(top, name, RACY, file, reported)


def _head(file: Path) -> str:
    (head,) = re.findall(r"\A(?:\s*//.*\n)*", file.read_text(errors="replace"))
    return str(head)


def _kernel(top: Path, name: str, label: str, file: Path, reported: Mapping[str, Any]) -> _Read:
    """A kernel, with a main function that launches it."""
    head, text, mine = _head(file), file.read_text(errors="replace"), reported.get("kernels", {}).get(name, {})
    headers = ["cooperative_groups.h"] if "cooperative_groups" in text else []  # as GPUVerify's own cuda.h
    includes = [*headers, _HERE / "annotations.h", file, _HERE / "launch.h"]
    kernels = re.findall(r"__global__\s+(?:static\s+)?void\s+(\w+)", text)
    launched = mine.get("launched") or f"races::launch({kernels[-1]})"
    main = top / "launched" / f"{name}.cu"
    main.parent.mkdir(parents=True, exist_ok=True)
    main.write_text("".join(f'#include "{name}"\n' for name in includes) + f"int main() {{ return {launched}; }}\n")
    grid = _size("gridDim", head, _BLOCKS, _MOST_BLOCKS)
    block = mine.get("block") or _size("blockDim", head, _THREADS, _MOST_THREADS)
    macros = [f"-D{macro}" for macro in re.findall(r"-D(\w+=\w+)", head)]
    yield name, label, [main, f"-DGRID={grid}", f"-DBLOCK={block}", *macros], ""


def _size(option: str, head: str, default: str, most: int) -> str:
    """The size of a launch, in each dimension; this many blocks or threads at most, first in x."""
    found = re.search(rf"--{option}=\[?([\d,]+)", head)
    sizes = []
    for requested in (found[1] if found else default).split(","):
        sizes.append(min(int(requested), most))
        most //= sizes[-1]
    return ",".join(map(str, sizes))


_READERS = {"HiRace": _hirace, "ScoR": _scor, "DRACC": _dracc, "Faial": _faial, "GPUVerify": _gpuverify}
