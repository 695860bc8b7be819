"""Makes a program of a CUDA file for this machine: the host's half by clang's own CUDA front end, linked with our
runtime. Kernels are only named in it: their texts go to the emulator at their first launch."""

from __future__ import annotations

import itertools
import json
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from ..compiler import dwarf
from ..compiler.cache import cache_folder, digest, keeping, lock, place_of, publish, workplace
from ..compiler.clang import ERROR
from ..compiler.elf import read_elf
from ..compiler.emulator_runtime import build_runtime
from ..compiler.zig import executable, run
from ..errors import GraderFault, UsageError
from .cpp_library import build_library, compile_parts, header_flags, system_libraries
from .device_bodies import host_part

HERE = Path(__file__).parent
#: Processor time for one step.
_SECONDS = 120
_COMMON = [
    *"-target x86_64-linux-gnu -std=c++17 -fgnuc-version=4.2.1 -fno-pie -w -fno-color-diagnostics".split(),
    *"-fno-caret-diagnostics -ferror-limit=3".split(),
]
# -O1 keeps lines; a call by a jump would have none.
_CODE = "-O1 -gdwarf-4 -fno-omit-frame-pointer -fno-optimize-sibling-calls -c".split()
_LINK = [
    *"ld.lld --gc-sections --eh-frame-hdr --as-needed -z relro -z now -z noexecstack".split(),
    *"--dynamic-linker /lib64/ld-linux-x86-64.so.2".split(),
]
_CUDA = "--cuda-host-only -nocudainc -nocudalib -Wno-unknown-cuda-version".split()
#: Headers of CUDA's that have nothing but what cuda_runtime.h has.
_SAME = """
builtin_types.h crt/device_functions.h crt/host_defines.h cuda.h cuda_device_runtime_api.h cuda_profiler_api.h
device_atomic_functions.h device_functions.h device_launch_parameters.h device_types.h host_defines.h math_functions.h
sm_20_intrinsics.h sm_30_intrinsics.h surface_types.h texture_types.h vector_functions.h
""".split()


@dataclass(frozen=True)
class Program:
    """A built program, of the text's own `files`. `lines` say where their code lies: (address, file's name, line), line
    0 behind its end."""

    path: Path
    files: tuple[Path, ...]

    @cached_property
    def lines(self) -> list[tuple[int, str, int]]:
        return [(at, name, line) for at, name, line in json.loads(self.path.with_name("lines.json").read_text())]


def build_program(file: Path, folders: Sequence[Path] = ()) -> Program:
    """Make a program of `file`.

    Args:
        folders: where headers of the file's own lie, besides beside it.

    Raises:
        UsageError: the host's half does not compile; the message says where and why.
        GraderFault: the compiler failed.
    """
    build_runtime()
    home = _runtime()
    includes = ["-isystem", str(home / "include")]
    own = [f"-I{folder.resolve()}" for folder in (file.parent, *folders)]
    with workplace() as folder:
        flags = [*_COMMON, *_CUDA, *includes, *header_flags(), *own]
        expanded = folder / "program.cui"
        top = ["-include", "cuda_runtime.h", "-x", "cuda", str(file.resolve())]
        _clang([*flags, "-E", *top, "-o", str(expanded)], folder, file)
        text = host_part(expanded.read_text(encoding="utf-8", errors="replace"))
        target = place_of("programs", digest(home.name, platform.libc_ver()[1], text))
        if not (target / "lines.json").exists():
            expanded.write_text(text, encoding="utf-8")
            (folder / "gpu").write_bytes(b"none")  # what clang would register the kernels' machine code with
            gpu = ["-Xclang", "-fcuda-include-gpubinary", "-Xclang", "gpu"]
            _clang([*_COMMON, *_CUDA, *_CODE, *gpu, "-x", "cuda-cpp-output", "program.cui"], folder, file)
            kept = folder / "kept"
            kept.mkdir()
            _link(folder / "program.o", home, kept / "program", file)
            (kept / "lines.json").write_text(json.dumps(_lines(kept / "program", text)))
            publish(kept, target)
            (target / "program").chmod(0o755)
    return Program(target / "program", tuple(_own_files(text)))


def _runtime() -> Path:
    """The folder of our runtime's objects and headers, built once for each version of them."""
    parts = sorted(p for p in HERE.rglob("*") if p.is_file() and p.suffix in (".h", ".cpp", ".py"))
    home = cache_folder() / "host" / digest(*(p.read_bytes() for p in parts), version("ziglang"))
    if not (home / "ready").exists():
        with keeping(), lock(cache_folder() / "host.lock"):
            if not (home / "ready").exists():
                _build_runtime(home)
    return home


def _build_runtime(home: Path) -> None:
    include = home / "include"
    for header in (HERE / "include").rglob("*"):
        if header.is_file():
            copy = include / header.relative_to(HERE / "include")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(header.read_bytes())
    for name in _SAME:
        (include / name).parent.mkdir(parents=True, exist_ok=True)
        (include / name).write_text('#include "cuda_runtime.h"\n')
    flags: list[str | Path] = ["clang", *_COMMON, "-isystem", include, *header_flags(), *_CODE, "-x", "c++"]
    parts = (HERE / "runtime").glob("*.cpp")
    compile_parts([[*flags, part, "-o", f"{part.stem}.o"] for part in parts], home)
    (home / "ready").touch()


def _clang(arguments: Sequence[str], folder: Path, file: Path) -> None:
    done = run([executable(), "clang", *arguments], folder, seconds=_SECONDS)
    if done.returncode:
        raise _told(done.stderr, file)


def _link(program: Path, home: Path, target: Path, file: Path) -> None:
    parts = [program, *sorted(home.glob("*.o")), *build_library(), *system_libraries()]
    done = run([executable(), *_LINK, *parts, "-o", target], program.parent, seconds=_SECONDS)
    if done.returncode:
        missing = list(dict.fromkeys(re.findall(r"undefined symbol: (.*)", done.stderr)))
        if not missing:
            raise GraderFault(f"The program cannot be linked: {done.stderr.strip()[-2000:]}")
        raise UsageError(f"{file.name} calls {missing[0]}, which is defined in no file that is given.")


def _told(log: str, file: Path) -> Exception:
    found = ERROR.search(log)
    if found is None:
        return GraderFault(f"The compiler failed on {file.name}: {log.strip()[-2000:]}")
    where = f"{Path(found['file']).name} line {found['line']}"
    text = found["text"].split(" [-W")[0]
    if header := re.match(r"'([^']*)' file not found", text):
        return UsageError(
            f"{where} includes {header[1]}, which is not there: give its folder by -I; libraries of CUDA's "
            "besides its runtime are not emulated."
        )
    name = re.search(r"'((?:cuda|cu|curand|cublas|cufft|cusparse|cusolver|nvrtc|nvml|nvtx)[A-Z]\w*)'", text)
    if name and ("undeclared" in text or "unknown type" in text):
        return UsageError(f"{where} uses {name[1]}, which the emulated runtime does not have.")
    return UsageError(f"{where} does not compile for the host: {text}.")


def _lines(program: Path, text: str) -> list[tuple[int, str, int]]:
    """The rows of the line table that are about the text's own files."""
    own = [str(path) for path in _own_files(text)]
    elf = read_elf(program.read_bytes())
    table = dwarf.read_lines(elf.bytes_of(elf.by_name[".debug_line"]))
    rows = sorted(table, key=lambda row: (row.address, not row.end))
    # The table names a file by the end of its path.
    names = {row.file: next((p for p in own if p.endswith("/" + row.file)), "") for row in rows}
    lines = ((r.address, Path(names[r.file]).name, r.line if names[r.file] and not r.end else 0) for r in rows)
    return [next(same) for _, same in itertools.groupby(lines, key=lambda row: row[1:] if row[2] else None)]


def _own_files(text: str) -> list[Path]:
    markers = re.finditer(r'^# \d+ "([^"<]*)"((?: \d)*)$', text, re.MULTILINE)
    return list(dict.fromkeys(Path(marker[1]) for marker in markers if "3" not in marker[2]))
