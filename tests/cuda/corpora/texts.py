"""The texts that nobody of ours wrote: which files of which repositories, and their kernels."""

from __future__ import annotations

import ctypes
import io
import random
import re
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from gathered import gather
from kernel_names import kernel_names

from autograder.cuda.compiler.elf import read_elf
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.programs.building.unit import Options, compile_unit, expand
from autograder.cuda.programs.launches.kernels import UNNAMED
from autograder.cuda.source.text import blank

_SUFFIXES = (".cu", ".cuh", ".h", ".hpp")
_INCLUDED = (*_SUFFIXES, ".inl", ".inc", ".c", ".cpp")
_CONSTANT = re.compile(r"\b(?:const|constexpr)\b[\w\s:]*?\b(\w+)\s*[={]\s*([^;{}]*?)\s*\}?\s*;")
#: What clang puts before a kernel's name, of the function that launches it.
_STUB = "__device_stub__"
_LIST = Path(__file__).with_name("corpora.toml")


@dataclass(frozen=True)
class Corpus:
    """Folders of one commit of a repository, in the notation of `corpora.toml`."""

    name: str
    repository: str
    commit: str
    folders: tuple[str, ...]
    headers: tuple[str, ...] = ()
    drawn: int = 0
    seed: int = 0

    def unpack(self, clones: Path, target: Path) -> list[Path]:
        """Put the repository's texts into `target`, and return those that may hold kernels, in order. `clones` holds a
        clone of each repository, by its name; a text that a partial clone lacks is left out."""
        listing = self._listing(clones)
        there = self._write([name for name in listing if name.endswith(_INCLUDED)], clones, target)
        chosen = self._chosen(listing)
        mine = (name for name in there if any(_lies_in(name, folder) for folder in chosen))
        return [target / name for name in mine if name.endswith(_SUFFIXES)]

    def unpack_whole(self, clones: Path, target: Path) -> list[Path]:
        """Put all files of the repository into `target`, and return the corpus's folders."""
        listing = self._listing(clones)
        self._write(listing, clones, target)
        return [target / folder for folder in self._chosen(listing)]

    def _listing(self, clones: Path) -> list[str]:
        return _git(self._clone(clones), ["ls-tree", "-r", "--name-only", self.commit]).decode().splitlines()

    def _clone(self, clones: Path) -> str:
        return str(clones / self.repository.rpartition("/")[2])

    def _write(self, names: Sequence[str], clones: Path, target: Path) -> list[str]:
        requested = "".join(f"{self.commit}:{name}\n" for name in names).encode()
        stream = io.BytesIO(_git(self._clone(clones), ["cat-file", "--batch"], requested))
        there = []
        for name in names:
            head = stream.readline().decode().split()
            if head[-1] == "missing":
                continue
            file = target / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(stream.read(int(head[-1]) + 1)[:-1])
            there.append(name)
        return there

    def _chosen(self, names: list[str]) -> list[str]:
        parents = {parent.as_posix() for name in names for parent in Path(name).parents}
        fitting = sorted(p for p in parents if any(_fits(p, pattern) for pattern in self.folders))
        return random.Random(self.seed).sample(fitting, self.drawn) if self.drawn else fitting


def corpora() -> list[Corpus]:
    """All corpora, in the order of `corpora.toml`."""
    tables = tomllib.loads(_LIST.read_text(encoding="utf-8"))
    return [Corpus(name, **{key: _frozen(v) for key, v in table.items()}) for name, table in tables.items()]


def _frozen(value: object) -> Any:
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class Task:
    """A kernel, defined in `file`, and the texts through which a compiler may come to it: the files that include it,
    or itself. Paths; `folders` are those of the corpus's headers."""

    file: Path
    kernel: str
    texts: tuple[Path, ...]
    folders: tuple[Path, ...]


def tasks(files: Sequence[Path], folders: Sequence[Path]) -> list[Task]:
    """Each kernel of these files, once."""
    gathered = {file: gather(file, folders) for file in files}
    through: dict[Path, list[Path]] = {}
    for file in files:
        if file.suffix == ".cu":
            for part in gathered[file].files[1:]:
                through.setdefault(part, []).append(file)
    named = {file: kernels(gather_alone(file)) for file in files}
    return [
        Task(file, kernel, tuple(through.get(file, [file])), tuple(folders)) for file in files for kernel in named[file]
    ]


def gather_alone(file: Path) -> str:
    """A file's text without its headers."""
    original = gather(file)
    return "\n".join(
        line for line, (name, _) in zip(original.text.split("\n"), original.lines, strict=True) if name == file.name
    )


def kernels(text: str) -> tuple[str, ...]:
    """The kernels that a text defines."""
    return kernel_names(text) if "__global__" in text else ()


@cache
def launched(text: Path, folders: Sequence[Path]) -> tuple[str, ...]:
    """The kernels, of templates their instances, that a file's host code launches, as a compiler finds them; none if
    that code does not compile here."""
    with tempfile.TemporaryDirectory() as folder, suppress(UsageError, GraderFault):
        options = Options(folders=tuple(folders))
        made = compile_unit(expand(text, Path(folder), options), Path(folder), options)
        elf = read_elf(made.read_bytes())
        names = [symbol.name for symbol in elf.symbols(elf.by_name[".symtab"]) if _STUB in symbol.name]
        declared = filter(None, map(_demangled, names))
        return tuple(_kernel_name(declaration.replace(_STUB, "")) for declaration in declared)
    return ()


def _kernel_name(declared: str) -> str:
    """The name in "void blur<float, 128>(float*, int)"."""
    depth, at = 0, len(declared)
    while at and (depth or at == len(declared)):
        at -= 1
        depth += {")": 1, "(": -1}.get(declared[at], 0)
    # A template's declaration begins with what it returns.
    return re.sub(r"(?<=\d)(?:u|ul|l|ull|ll)\b", "", declared[:at].replace(UNNAMED, "").removeprefix("void "))


def _demangled(symbol: str) -> str:
    """The declaration that a symbol's name stands for, from the C++ library that every system has; empty where that is
    older than the name."""
    library = ctypes.CDLL("libstdc++.so.6")
    library.__cxa_demangle.restype = ctypes.c_void_p
    status = ctypes.c_int()
    text = library.__cxa_demangle(symbol.encode(), None, None, ctypes.byref(status))
    if not text:
        return ""
    declaration = ctypes.string_at(text).decode()
    ctypes.CDLL(None).free(ctypes.c_void_p(text))
    return declaration


def instances(text: str, kernel: str) -> Iterator[str]:
    """Template arguments for `kernel` that the text itself writes, in launches and explicit instances, with constants
    of the function around by their values."""
    function = kernel.rpartition("::")[2]
    code = blank(text)
    types = "<[^<>;(){}]+(?:<[^<>;(){}]*>)?>"
    for found in re.finditer(rf"\b{function}\s*({types})\s*(?:<<<|\()", code):
        constants = dict(_CONSTANT.findall(code, max(0, found.start() - 4000), found.start()))
        types_around = re.findall(r"template\s*<\s*(?:typename|class)\s+(\w+)", code[: found.start()])
        constants |= dict.fromkeys(types_around[-1:], "float")
        reported = found[1][1:-1]
        for _ in range(3):  # a constant of constants
            reported = "".join(str(constants.get(word, word)) for word in re.split(r"\b", reported))
        yield from dict.fromkeys(" ".join(t.split()) for t in (reported, found[1][1:-1]))


def _git(clone: str, arguments: list[str], given: bytes = b"") -> bytes:
    command = ["git", "-C", clone, *arguments]
    return subprocess.run(command, input=given, check=True, capture_output=True).stdout


def _fits(path: str, pattern: str) -> bool:
    parts, patterns = path.split("/"), pattern.split("/")
    return len(parts) == len(patterns) and all(map(fnmatchcase, parts, patterns))


def _lies_in(name: str, folder: str) -> bool:
    return folder == "." or name.startswith(f"{folder}/")
