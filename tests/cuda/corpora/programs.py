"""The whole programs of the corpora: what each is made of, and how it is started."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gathered import gather
from texts import Corpus

from autograder.cuda.source.text import blank

_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c")
_LIST = Path(__file__).with_name("programs.toml")
#: What a program may ask for that the emulator does not claim to have, by what its files include or call.
_NEEDS = {
    "graphics": r"#\s*include\s*[<\"](?:GL/|helper_gl|rendercheck_gl|cuda_gl_interop|vulkan|d3d|EGL/|cudaEGL|Dynamic)",
    "cuSOLVER": r"#\s*include\s*[<\"](?:cusolver|helper_cusolver)",
    "NPP or nvJPEG": r"#\s*include\s*[<\"](?:npp|nvjpeg)",
    "another library": r"#\s*include\s*[<\"](?:nvJitLink|cudnn|cutensor|nvml|nvsci|cute/|cutlass|FreeImage|rmm|boost"
    r"|gsl|hdf5|opencv)",
    "several processes or MPI": r"#\s*include\s*[<\"](?:mpi\.h|helper_multiprocess)",
    "an older CUDA": r"\bcudaBindTexture\s*\(",
    "cuBLAS or cuFFT on several GPUs": r"\b(?:cufftXtSetGPUs|cublasXt\w+)\s*\(",
}


@dataclass(frozen=True)
class WholeProgram:
    """A program of a corpus.

    Attributes:
        folder: where it is made and started.
        words: sources and options, as for nvcc.
        arguments: what it is started with.
        gpu: the one that it sees: where a program's grid follows from its GPU, one on which fewer blocks fit.
        gpus: how many of them it sees.
        needs: what it asks for beyond a GPU and CUDA's runtime; empty if nothing.
    """

    corpus: str
    name: str
    folder: Path
    words: tuple[str, ...]
    arguments: tuple[str, ...]
    gpu: str
    gpus: int
    needs: str


def whole_programs(corpus: Corpus, top: Path, folders: Sequence[Path]) -> Iterator[WholeProgram]:
    """The programs in these folders of a corpus that lies unpacked at `top`, in order."""
    listed = _listed().get(corpus.name, {})
    for folder in folders:
        made = _made(folder)
        for title, words, arguments in made:
            sources = [folder / word for word in words if word.endswith(_SOURCES)]
            if not any(map(_is_cuda, sources)):
                continue
            folders = [top / header for header in corpus.headers]
            key = folder.name if len(made) == 1 else f"{folder.name}/{title}"
            given = listed[key].split() if key in listed else arguments
            every = (*words, *(f"-I{header}" for header in folders))
            needs = _needs(sources, [folder / word[2:] for word in every if word.startswith("-I")])
            if not needs and key in listed.get("without_data", ()):
                needs = "data that is not there"
            gpu = listed.get("gpu", {}).get(key, "H200")
            gpus = listed.get("gpus", {}).get(key, 1)
            yield WholeProgram(corpus.name, key, folder, every, tuple(given), gpu, gpus, needs)


@cache
def _listed() -> dict[str, dict[str, Any]]:
    return tomllib.loads(_LIST.read_text(encoding="utf-8"))


def _made(folder: Path) -> list[tuple[str, list[str], list[str]]]:
    """The title, the words for nvcc and the arguments of each program of a folder: by its Makefile, by its
    CMakeLists.txt, or one for each file with a `main`."""
    makefile = next((folder / name for name in ("Makefile", "makefile") if (folder / name).exists()), None)
    if makefile and (words := _of_make(folder)):
        mains = [word for word in words if word.endswith(_SOURCES) and _has_main(folder / word)]
        parts = [[word for word in words if word == main or word not in mains] for main in mains]
        return [(Path(main).stem, part, _started(folder)) for main, part in zip(mains, parts, strict=True)]
    cmake = folder / "CMakeLists.txt"
    if cmake.exists() and (targets := _of_cmake(cmake)):
        return [(title, words, []) for title, words in targets]
    return [(file.stem, [file.name], []) for file in sorted(folder.glob("*.cu")) if _has_main(file)]


def _has_main(file: Path) -> bool:
    return file.is_file() and bool(re.search(r"\bmain\s*\([^;]*?\{", blank(file.read_text("utf-8", "replace"))))


def _of_make(folder: Path) -> list[str]:
    """Sources and options of all compilers' commands that `make` would give."""
    words: dict[str, None] = {}
    for line in _dry(folder, []):
        for command in re.split(r"&&|;", line):
            try:
                parts = shlex.split(command)
            except ValueError:
                continue
            if not parts or Path(parts[0]).name not in ("nvcc", "g++", "gcc", "cc", "clang++", "c++"):
                continue
            rest = iter(parts[1:])
            for word in rest:
                if word in ("-o", "-L", "-l", "-arch", "-Xcompiler", "-MF", "-MT"):
                    value = next(rest, "")
                    if word == "-Xcompiler" and "openmp" in value:
                        words["-Xcompiler=-fopenmp"] = None
                elif word in ("-D", "-I"):
                    words[word + next(rest, "")] = None
                elif word.startswith(("-D", "-I", "-std", "-l", "-rdc", "-fopenmp", "-dc")) or word.endswith(_SOURCES):
                    words["-rdc=true" if word == "-dc" else word] = None
    return list(words)


def _started(folder: Path) -> list[str]:
    for line in _dry(folder, ["run"]):
        if found := re.match(r"\s*\./\S+(.*)$", line):
            try:
                return shlex.split(re.split(r"[|&>;]", found[1])[0])
            except ValueError:
                continue
    return []


def _dry(folder: Path, target: Sequence[str]) -> list[str]:
    command = ["make", "-n", "-B", "-k", "CC=nvcc", "NVCC=nvcc", "CUDA_DIR=/cuda", *target]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=20)
    return re.sub(r"\\\n", " ", done.stdout).split("\n")


def _of_cmake(file: Path) -> Iterator[tuple[str, list[str]]]:
    text = re.sub(r"#.*", "", file.read_text(encoding="utf-8", errors="replace"))
    named = " ".join(re.findall(r"include_directories\s*\(([^)]*)\)", text)).replace("${CMAKE_CURRENT_SOURCE_DIR}/", "")
    folders = [f"-I{word}" for word in dict.fromkeys(named.split()) if (file.parent / word).is_dir()]
    libraries = dict(re.findall(r"add_library\s*\(\s*(\S+)([^)]*)\)", text))
    linked = dict(re.findall(r"target_link_libraries\s*\(\s*(\S+)([^)]*)\)", text))
    for title, files in re.findall(r"add_executable\s*\(\s*(\S+)([^)]*)\)", text):
        parts = [files, *(libraries.get(name, "") for name in linked.get(title, "").split())]
        properties = "".join(re.findall(rf"set_target_properties\s*\(\s*{re.escape(title)}\b([^)]*)\)", text))
        shared = ["-rdc=true"] if re.search(r"CUDA_SEPARABLE_COMPILATION\s+ON", properties) else []
        yield title, [*(name for part in parts for name in part.split() if name.endswith(_SOURCES)), *folders, *shared]


def _is_cuda(file: Path) -> bool:
    return file.suffix == ".cu" or (file.is_file() and "<cuda_runtime" in file.read_text("utf-8", "replace"))


def _needs(sources: Sequence[Path], folders: Sequence[Path]) -> str:
    text = "\n".join(_with_headers(file, folders) for file in sources if file.is_file())
    return next((need for need, pattern in _NEEDS.items() if re.search(pattern, text)), "")


def _with_headers(file: Path, folders: Sequence[Path]) -> str:
    return gather(file, folders).text
