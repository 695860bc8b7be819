"""Makes a program of CUDA files for this machine: the host's half by clang's CUDA front end, linked with our
runtime. Kernels are only named in it, and their texts lie beside it: they go to the emulator at their first launch."""

from __future__ import annotations

import itertools
import platform
import re
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ...compiler import dwarf
from ...compiler.cache import cache_folder, digest, is_whole, open_cache, private_place_of, publish, workplace
from ...compiler.canary import machine_fault
from ...compiler.elf import Elf, read_elf
from ...compiler.emulator_runtime import build_runtime
from ...compiler.machine_code import MADE
from ...compiler.zig import executable, require_share, run
from ...errors import GraderFault, UsageError
from ..memory.managed import places
from .cpp_library import build_library, growing_library, library_is_begun, system_libraries
from .device_link import describe_device_problem, is_device_problem
from .nvidia_headers import with_libraries
from .refusals import RefusedError
from .runtime_build import SECONDS, runtime
from .stored_unit import SECTION, Unit, read_units
from .unit import DEFAULTS, Options, build_first_headers, compile_unit, expand

#: What an ELF file says that is no object and no library.
_EXECUTABLE = 2
#: Bytes of an answer's program, and of its table of lines, which we read.
_MOST, _MOST_LINES = 32 << 20, 2 << 20
_LINK = [
    *"ld.lld --error-limit=0 --gc-sections --eh-frame-hdr --as-needed -z relro -z now -z noexecstack".split(),
    *"--dynamic-linker /lib64/ld-linux-x86-64.so.2".split(),
]
#: A program that is right.
_CANARY = """
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void scale(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }
int main(int argc, char** argv) {
    std::vector<float> host(argc > 1 ? atoi(argv[1]) : 32, std::sqrt(4.0f));
    size_t bytes = host.size() * sizeof(float);
    float* x;
    if (cudaMalloc(&x, bytes) != cudaSuccess) return 1;
    cudaMemcpy(x, host.data(), bytes, cudaMemcpyHostToDevice);
    scale<<<1, 32>>>(x, host.size());
    if (cudaError_t error = cudaGetLastError()) fprintf(stderr, "%s\\n", cudaGetErrorString(error));
    cudaMemcpy(host.data(), x, bytes, cudaMemcpyDeviceToHost);
    for (float number : host) printf("%g\\n", number);
    return cudaFree(x) != cudaSuccess;
}
"""
#: With these, what is missing or there twice does not stop the linker.
_LENIENT = ["--unresolved-symbols=ignore-all", "-z", "muldefs"]
#: What the linker says where objects hold too much; and of what they hold, without their paths, not that it cannot read
#: or write a file.
_TOO_LARGE = re.compile(r"File too large|out of memory")
_REFUSED = re.compile(r"error: (?!cannot |failed |could not |unknown )(?:/\S*: *)?(.*)")


class NoMainError(RefusedError):
    """A program has no main function."""


@dataclass(frozen=True)
class Program:
    """A built program."""

    path: Path

    @cached_property
    def _elf(self) -> Elf:
        return read_elf(self.path.read_bytes())

    @cached_property
    def units(self) -> dict[str, Unit]:
        """What it was made of. Raises UsageError: another version of this package has made it."""
        return read_units(_units_in(self._elf))

    @property
    def files(self) -> tuple[Path, ...]:
        """The user's files."""
        return tuple(dict.fromkeys(path for unit in self.units.values() for path in unit.gathered.files))

    @property
    def texts(self) -> dict[tuple[str, int], str]:
        """The user's lines as they were when it was made, by the file's name and the line's number."""
        every = [unit.gathered for unit in self.units.values()]
        pairs = [pair for text in every for pair in zip(text.lines, text.text.split("\n"), strict=True)]
        return dict(pairs)

    @cached_property
    def lines(self) -> list[tuple[int, str, int, int]]:
        """Where the code of the user's files is: (address, file's name, line, column), line 0 after its end."""
        files = [str(path) for path in self.files]
        table = dwarf.read_lines(self._elf.bytes_of(self._elf.by_name[".debug_line"]))
        rows = sorted(table, key=lambda row: (row.address, not row.end))
        # The table names a file by the end of its path.
        names = {row.file: next((p for p in files if p.endswith("/" + row.file)), "") for row in rows}
        found, then = list[tuple[int, str, int, int]](), ("", 0, 0)
        for row in reversed(rows):
            if row.end:
                then = ("", 0, 0)
            elif row.line:  # else the compiler has made it for several lines: it leads to the next one
                then = (Path(names[row.file]).name, row.line, row.column) if names[row.file] else ("", 0, 0)
            found.append((row.address, *then))
        found.reverse()
        return [next(same) for _, same in itertools.groupby(found, key=lambda row: row[1:] if row[2] else None)]


def _units_in(program: Elf) -> bytes:
    return program.bytes_of(program.by_name[SECTION])


def is_program(file: Path) -> bool:
    """Whether `link` has made this file."""
    try:
        content = file.read_bytes()
        return content[:4] == b"\x7fELF" and content[16] == _EXECUTABLE and SECTION in read_elf(content).by_name
    except (OSError, ValueError):
        return False


def build_parts() -> None:
    """Build what is linked into each program, and what runs it, for processes that must not write to the cache.

    Raises:
        MachineFault: this machine cannot emulate. GraderFault: the build failed.
    """
    with building():
        runtime()
        build_first_headers()
    build_library()


@contextmanager
def building() -> Iterator[None]:
    """Build what runs a program; and on a machine without it, what each is linked with, while the block compiles one.

    Raises:
        MachineFault: this machine cannot emulate. GraderFault: the build failed.
    """
    if library_is_begun():
        build_runtime()
        yield
        return
    open_cache(cache_folder())
    with ThreadPoolExecutor(2) as beside:
        parts: list[Future[Any]] = [beside.submit(build_runtime), beside.submit(next, growing_library())]
        yield
        for part in parts:
            part.result()


def build_program(file: Path, options: Options = DEFAULTS) -> Program:
    """Make a program of one file, unless it is in the cache.

    Raises:
        UsageError: the host's half does not compile; the message says where and why.
        MachineFault: this machine has no program that would. GraderFault: the compiler failed.
    """
    with building(), blaming_text(options):
        return with_libraries(options, lambda options: _build_program(file, options))


def _build_program(file: Path, options: Options) -> Program:
    with workplace() as folder:
        expanded = expand(file, folder, options)
        key = digest(runtime().name, platform.libc_ver()[1], str(options.generation), expanded.name)
        target = private_place_of("programs", key)
        if not is_whole(target):
            made = folder / MADE / "program"
            made.parent.mkdir()
            link([compile_unit(expanded, folder, options)], made, file.name, untrusted=options.untrusted)
            if options.untrusted and _is_too_large(made):
                raise UsageError(_too_much(file.name))
            if options.untrusted and _units_in(read_elf(made.read_bytes())) != (folder / "unit").read_bytes():
                raise UsageError(f"{file.name} puts something into the section {SECTION}, which an answer may not.")
            publish(made.parent, target)
    return Program(target / "program")


@contextmanager
def blaming_text(options: Options) -> Iterator[None]:
    """Let a text be to blame for what the compiler or the linker refuses, unless they refuse a program that is right.

    Raises:
        UsageError: as what happens in it. MachineFault: it is this machine's fault.
    """
    try:
        yield
    except RefusedError:
        require_compiler(runtime(), options.untrusted)
        raise


@cache
def require_compiler(runtime: Path, untrusted: bool) -> None:
    """Check that this machine makes a program of a text that is right. Where it does, that holds for this process.

    Raises:
        MachineFault: it does not.
    """
    options = Options(untrusted=untrusted)
    with workplace() as folder:
        file = folder / "canary.cu"
        file.write_text(_CANARY, encoding="utf-8")
        try:
            made = compile_unit(expand(file, folder, options), folder, options)
            link([made], folder / "program", file.name, untrusted=untrusted)
        except RefusedError as error:
            raise machine_fault(str(error)) from None


def _too_much(name: str) -> str:
    return f"{name} becomes too much code."


def _is_too_large(made: Path) -> bool:
    if made.stat().st_size > _MOST:
        return True
    return any(s.name == ".debug_line" and s.size > _MOST_LINES for s in read_elf(made.read_bytes()).sections)


def link(objects: Sequence[Path], target: Path, name: str, *, untrusted: bool = False) -> None:
    """Link a program of objects and archives of objects.

    Args:
        name: what messages call it.
        untrusted: whether what the linker refuses is this program's fault, since all that it is linked with is ours
            and fits together.

    Raises:
        UsageError: something is defined nowhere, or twice, or another compiler has made an object.
        GraderFault: the linker failed.
    """
    ours = sorted(runtime().glob("*.o/*.o"))
    for library in growing_library():
        files: list[str | Path] = [*objects, *ours, "--start-lib", *library, "--end-lib", *system_libraries()]
        done = run([executable(), *_LINK, *files, "-o", target], target.parent, seconds=SECONDS)
        if placed := list(places(done.stderr)):
            done = run([executable(), *_LINK, *placed, *files, "-o", target], target.parent, seconds=SECONDS)
        if "undefined symbol" not in done.stderr or is_device_problem(done.stderr):
            break
    if done.returncode and is_device_problem(done.stderr):
        lenient = run([executable(), *_LINK, *_LENIENT, *files, "-o", target], target.parent, seconds=SECONDS)
        if lenient.returncode == 0:
            raise RefusedError(describe_device_problem(done.stderr, Program(target).units.values()))
    if done.returncode:
        foreign = [file.name for file in objects if SECTION.encode() not in file.read_bytes()]
        if missing := re.search(r"undefined symbol: (.*)", done.stderr):
            error = NoMainError if missing[1] == "main" else RefusedError
            more = f" ({', '.join(foreign)} may need another compiler's library.)" if foreign else ""
            verb = "calls"
            if "(" not in missing[1] and missing[1] != "main":  # a variable, or a function of C
                verb = "uses"
                more += " (If it is a variable on the GPU, compile both files with -rdc=true.)"
            raise error(f"{name} {verb} {missing[1]}, which is defined in no file that is given.{more}")
        if twice := re.search(r"duplicate symbol: (.*)", done.stderr):
            raise RefusedError(f"{name} has two definitions of {twice[1]}.")
        require_share(done.returncode, target.parent)
        if foreign:
            why = re.sub(r".*?error: (?:/\S*: *)?", "", done.stderr.strip().split("\n")[0])
            raise RefusedError(
                f"{', '.join(foreign)}: `autograder cc` has not made it, and it cannot be linked: {why}."
            )
        if untrusted and (done.returncode == -signal.SIGXFSZ or _TOO_LARGE.search(done.stderr)):
            raise RefusedError(_too_much(name))
        if untrusted and (refused := _REFUSED.search(done.stderr)):
            raise RefusedError(f"{name} cannot be linked, as with variables that are too large: {refused[1]}.")
        raise GraderFault(f"The program cannot be linked: {done.stderr.strip()[-2000:]}")
