"""Calls NVRTC, NVIDIA's own compiler, through ctypes: real messages, machine code, registers. Needs no GPU."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..compiler.entry import expression
from ..errors import GraderFault, MachineFault, UsageError
from ..source.generation import target
from ..source.text import CUDA_HEADERS, library_headers
from . import packages
from .headers import FILE_NAME, PRELUDE_NAME, headers

#: Every kernel of the course compiles for these: Turing (Colab's T4), Ampere (A100), Hopper.
ARCHS = ("sm_75", "sm_80", "sm_90")
#: Most static shared memory per block, on every GPU (CUDA C++ Programming Guide, "Technical
#: Specifications per Compute Capability").
MAX_STATIC_SHARED = 48 * 1024
#: NVRTC's options for every text, besides the architecture and the header folders.
OPTIONS = (
    f"--pre-include={PRELUDE_NAME}",
    "--no-source-include",  # otherwise it also looks for headers in the current directory
    "--ptxas-options=-v",  # reports registers and shared memory in the log
    # Like nvcc, accept host code that no kernel uses, such as a constexpr function in the size of an array.
    # `host_code` rejects host code that a kernel does use.
    "-default-device",
)
#: The functions of NVRTC that we call.
_FUNCTIONS = tuple(
    f"nvrtc{name}"
    for name in """
AddNameExpression CompileProgram CreateProgram DestroyProgram GetCUBIN GetCUBINSize GetErrorString GetLoweredName
GetNumSupportedArchs GetPTX GetPTXSize GetProgramLog GetProgramLogSize GetSupportedArchs Version
""".split()
)
_COMPILATION_FAILED, _NO_BUILTINS = 6, 7  # NVRTC_ERROR_COMPILATION, NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
#: From this version on, NVRTC caches its results in the home folder of a machine with a GPU. A cached
#: result comes with an empty log, and so without the number of registers.
_CACHES = (12, 9)

Message = tuple[int, int, str]


@dataclass(frozen=True)
class NvrtcResult:
    """NVRTC's result for a kernel.

    `messages` are its errors as (line, column, text), counted from 1 in the source; 0 if NVRTC gives no
    location. `log` is its entire output. The rest is set only if `ok`: `cubin` is the machine code, `ptx` what it was
    made from, `entry` the kernel's name in it, `registers` are per thread, `static_shared` bytes per block, and
    `local` bytes per thread that did not fit in registers or are indexed at run time; `spill_stores` and `spill_loads`
    are bytes that the code moves because it is short of registers; `cooperative` says whether the kernel
    waits for the whole grid, and so needs a cooperative launch.
    """

    ok: bool
    arch: str
    log: str
    messages: tuple[Message, ...] = ()
    cubin: bytes = b""
    entry: str = ""
    registers: int = 0
    static_shared: int = 0
    local: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    cooperative: bool = False
    ptx: str = ""


@functools.cache
def problem() -> str | None:
    """Why NVRTC can't be used here, in one sentence that says what to do; None if it can."""
    try:
        _library()
    except (UsageError, MachineFault) as error:
        return str(error)
    return None


def missing(cuda: packages.Cuda) -> UsageError:
    """The error where NVRTC is missing; it says how to install the NVRTC that fits the driver, with CUDA's headers."""
    return UsageError(f"NVRTC, NVIDIA's compiler, is not installed: {cuda.install_toolkit('nvrtc', 'cudart')}.")


def damaged(cuda: packages.Cuda, why: str) -> MachineFault:
    """The error where NVRTC is installed but cannot be used; it says how to install it again."""
    again = cuda.install_toolkit("nvrtc", "cudart", major=cuda.nvrtc, anew=True)
    return MachineFault(f"NVRTC, NVIDIA's compiler, is damaged ({why}): {again}.")


def version() -> tuple[int, int]:
    """NVRTC's version, for example (12, 9).

    Raises:
        UsageError: NVRTC is missing. MachineFault: it is damaged.
    """
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(_library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    return major.value, minor.value


def supported_archs() -> tuple[str, ...]:
    """The architectures that this NVRTC supports, oldest first: ("sm_75", "sm_80", ...).

    Raises:
        UsageError: NVRTC is missing. MachineFault: it is damaged.
    """
    count = ctypes.c_int()
    _check(_library().nvrtcGetNumSupportedArchs(ctypes.byref(count)))
    archs = (ctypes.c_int * count.value)()
    _check(_library().nvrtcGetSupportedArchs(archs))
    return tuple(f"sm_{arch}" for arch in archs)


def compile_for(source: str, name: str, arch: str, standard: str = "c++17") -> NvrtcResult:
    """Compile the kernel `name` of `source` for `arch`.

    The text must have passed `forbidden.find_forbidden`, or come from `host.nvrtc_source`, because NVRTC reads the
    files that a text includes.

    Args:
        source: CUDA C++ text.
        name: a kernel in it; may be a template instance, such as "blur<128>".
        arch: an architecture such as "sm_80".
        standard: the C++ standard.

    Raises:
        UsageError: NVRTC is missing or doesn't know `arch`.
        MachineFault: it is damaged. GraderFault: NVRTC itself failed.
    """
    library = _library()
    kernel = expression(name).encode()
    if arch not in supported_archs():
        known = ", ".join(supported_archs())
        raise UsageError(f"NVRTC {version()[0]}.{version()[1]} does not compile for {arch}, but for {known}.")
    program = ctypes.c_void_p()
    _check(
        library.nvrtcCreateProgram(
            ctypes.byref(program),
            source.encode(),
            FILE_NAME.encode(),
            len(headers()),
            _strings(headers().values()),
            _strings(headers()),
        )
    )
    try:
        _check(library.nvrtcAddNameExpression(program, kernel))
        options = (
            *OPTIONS,
            f"--std={standard}",
            f"--gpu-architecture={target(source, arch)}",
            *_include_options(source),
        )
        if version() >= _CACHES:
            options += ("--no-cache",)
        status = library.nvrtcCompileProgram(program, len(options), _strings(options))
        log = _text(_output(program, "ProgramLog"))
        if status == _COMPILATION_FAILED:
            return NvrtcResult(False, arch, log, messages=parse_log(log, source, name))
        _check(status)
        lowered = ctypes.c_char_p()
        _check(library.nvrtcGetLoweredName(program, kernel, ctypes.byref(lowered)))
        entry = (lowered.value or b"").decode()
        usage = _resources(log, entry)
        ptx = _text(_output(program, "PTX"))
        cooperative = _waits_for_grid(ptx, entry)
        return NvrtcResult(True, arch, log, (), _output(program, "CUBIN"), entry, *usage, cooperative, ptx)
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def _include_options(source: str) -> list[str]:
    """NVRTC's options for the CUDA headers that `source` includes."""
    if not _included_headers(source):
        return []
    if missing := missing_headers(source):
        command = packages.here().install_toolkit("cudart", "cccl", "nvcc", major=version()[0])
        raise GraderFault(f"CUDA's own header {missing[0]} is not on this machine: {command}.")
    folders = header_folders()
    # CUDA's headers name their neighbors without the folder, and --no-source-include stops NVRTC from looking there.
    within = [f / part for f in folders for part in ("cooperative_groups", "cooperative_groups/details", "crt")]
    return ["--define-macro=EMU_INT64=long long", *(f"--include-path={f}" for f in [*folders, *within])]


def missing_headers(source: str) -> list[str]:
    """CUDA's own headers that `source` includes but this machine lacks; see `header_folders`."""
    headers = _included_headers(source)
    if "mma.h" in headers:
        headers.append("crt/mma.h")  # all that is in the other, and in another wheel
    if {"cooperative_groups.h", "cuda_fp16.h", "cuda_bf16.h"} & set(headers):
        headers.append("nv/target")  # which they include, and which comes with libcu++
    return [h for h in headers if not any((folder / h).is_file() for folder in header_folders())]


def _included_headers(source: str) -> list[str]:
    return sorted(CUDA_HEADERS.intersection(library_headers(source)))


@functools.cache
def header_folders() -> tuple[Path, ...]:
    """The folders with CUDA's own headers (`cuda_fp16.h`, `cuda/barrier`, ...); empty if there are none.

    NVRTC itself has none of them. They come with the parts `cudart`, `cccl` and (`crt/mma.h`) `nvcc` of the package
    `cuda-toolkit`, or with a CUDA toolkit; CuPy includes the second set (libcu++ and CUB) too. CUDA 12 has a folder
    for each part, CUDA 13 one for all, with libcu++ and CUB in `cccl` below it. We skip a toolkit whose major version
    differs from NVRTC's, because the two are incompatible.
    """
    try:
        from cuda.pathfinder import find_nvidia_header_directory
    except ImportError:
        return ()
    out = []
    runtime = find_nvidia_header_directory("cudart")
    fits = runtime is not None and _header_version(Path(runtime)) == version()[0]
    if runtime is not None and fits:
        out.append(Path(runtime))
    cupy = importlib.util.find_spec("cupy")
    if cupy is not None and cupy.origin is not None:
        cccl = Path(cupy.origin).parent / "_core" / "include" / "cupy" / "_cccl"
        out += [cccl / part for part in ("libcudacxx", "cub", "thrust")]  # (CUB includes some of Thrust)
    elif fits and (found := find_nvidia_header_directory("cccl")):
        out.append(Path(found))
    nvcc = find_nvidia_header_directory("nvcc")
    if fits and nvcc is not None and _header_version(Path(nvcc)) in (0, version()[0]):
        out.append(Path(nvcc))
    return tuple(out)


def _header_version(folder: Path) -> int:
    """The major version of the CUDA runtime that these headers belong to; 0 if they don't say."""
    if not (folder / "cuda_runtime_api.h").is_file():
        return 0
    text = (folder / "cuda_runtime_api.h").read_text(errors="replace")
    found = re.search(r"#define\s+CUDART_VERSION\s+(\d+)", text)
    return int(found[1]) // 1000 if found else 0


_PLACED = re.compile(rf"{re.escape(FILE_NAME)}\((\d+)\): (?:catastrophic )?error(?: #[\d-]+D?)?: (.*)")
_AT_END = re.compile(r"At end of source: (?:catastrophic )?error(?: #[\d-]+D?)?: (.*)")
_NO_NAME = re.compile(r"__nv_name_map\(\d+\): error")
_PTXAS = re.compile(r"ptxas .*?\b(?:error|fatal)\s*: (.*)")
_CARET = re.compile(r"  \s*\^")
_INDENT = 2  # NVRTC indents a source line by two spaces


def parse_log(log: str, source: str, name: str) -> tuple[Message, ...]:
    """Read the errors in the log of a failed NVRTC compilation; never empty."""
    found: list[Message] = []
    lines = log.splitlines()
    for i, line in enumerate(lines):
        if placed := _PLACED.match(line):
            # The caret is below the location, at least two lines down: some messages take a line or two more.
            caret = next((c for c in lines[i + 1 : i + 8] if _CARET.fullmatch(c)), "")
            found.append((int(placed[1]), max(0, len(caret) - _INDENT), placed[2].strip()))
        elif at_end := _AT_END.match(line):
            found.append((len(source.splitlines()), 0, at_end[1].strip()))
        elif ptxas := _PTXAS.match(line):
            found.append((0, 0, ptxas[1].strip()))
    if not found and any(_NO_NAME.match(line) for line in lines):
        found.append((0, 0, f'"{name}" names no kernel of this text'))
    if not found:
        shared = max((int(n) for n in re.findall(r"(\d+) bytes smem", log)), default=0)
        if shared > MAX_STATIC_SHARED:
            most = f"a block can have at most {MAX_STATIC_SHARED} bytes of them"
            found.append((0, 0, f"the __shared__ arrays take {shared} bytes, and {most}"))
    return tuple(found) or ((0, 0, lines[-1] if lines else "NVRTC gave no reason"),)


def _resources(log: str, entry: str) -> tuple[int, int, int, int, int]:
    """(registers, static shared bytes, local bytes, spill store bytes, spill load bytes) of the kernel
    `entry`, from ptxas's part of a log."""
    block = log.partition(f"Compiling entry function '{entry}'")[2].partition("Compiling entry")[0]

    def number(pattern: str) -> int:
        match = re.search(pattern, block)
        return int(match[1]) if match else 0

    return (
        number(r"Used (\d+) registers"),
        number(r"(\d+) bytes smem"),
        number(r"(\d+) bytes stack frame"),
        number(r"(\d+) bytes spill stores"),
        number(r"(\d+) bytes spill loads"),
    )


@functools.cache
def _library() -> ctypes.CDLL:
    try:
        from cuda import pathfinder
    except ImportError:
        raise missing(packages.here()) from None
    try:
        # CuPy calls the same function, so both use the same NVRTC.
        library = ctypes.CDLL(pathfinder.load_nvidia_dynamic_lib("nvrtc").abs_path)
        for function in _FUNCTIONS:
            getattr(library, function)
    except pathfinder.DynamicLibNotFoundError:
        raise missing(packages.here()) from None
    except (OSError, RuntimeError, AttributeError) as error:  # not readable, no library, or another one
        raise damaged(packages.here(), str(error).rstrip(".")) from None
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    return library


def _check(status: int) -> None:
    if status == _NO_BUILTINS:
        raise damaged(packages.here(), "its second library, libnvrtc-builtins, is missing or damaged")
    if status:
        raise GraderFault(f"NVRTC failed: {_library().nvrtcGetErrorString(status).decode()}.")


def _strings(texts: Iterable[str]) -> ctypes.Array[ctypes.c_char_p]:
    encoded = [text.encode() for text in texts]
    return (ctypes.c_char_p * len(encoded))(*encoded)


def _output(program: ctypes.c_void_p, what: str) -> bytes:
    """Get one of NVRTC's results: "ProgramLog", "PTX", or "CUBIN"."""
    size = ctypes.c_size_t()
    _check(getattr(_library(), f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    made = ctypes.create_string_buffer(size.value)
    _check(getattr(_library(), f"nvrtcGet{what}")(program, made))
    return made.raw


def _text(made: bytes) -> str:
    return made.partition(b"\0")[0].decode(errors="replace")


_FUNCTION = re.compile(r"^(?=(?:\.\w+ )*\.(?:entry|func)\b)", re.M)


def _waits_for_grid(ptx: str, entry: str) -> bool:
    """Whether the kernel `entry` looks up the memory through which a grid's blocks meet, as `grid.sync()` does."""
    functions = _FUNCTION.split(ptx)[1:]
    others = [f for f in functions if ".entry" in f.partition("(")[0] and entry not in f.partition("(")[0]]
    return any("%envreg" in function for function in functions if function not in others)
