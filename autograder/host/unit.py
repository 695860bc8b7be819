"""Makes an object of one file of a program. It holds the host's half as machine code and, for the emulator, the whole
text with its own headers: kernels are read from that at their first launch."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..compiler.cache import digest
from ..compiler.clang import ERROR, EXCEPTIONS
from ..compiler.system_headers import header_flags, header_folders
from ..compiler.zig import COMPILE_SECONDS, executable, require_share, run
from ..errors import GraderFault, UsageError
from ..source.gather import Gathered, gather
from .closures import name_closures
from .device_bodies import host_part
from .managed import share_managed
from .runtime_build import CODE, COMMON, SECONDS, runtime
from .untrusted import refuse, refuse_text

#: The section of an object, and of a program, that holds its units, each ended by a zero byte.
SECTION = ".autograder"
#: How clang calls a file's language, its options, and what it calls the language once preprocessed.
_Language = tuple[str, list[str], str]
_CXX = [*EXCEPTIONS, "-fdeprecated-macro"]
#: CUDA's version decides how a kernel is launched.
_CUDA_FLAGS = [
    *_CXX,
    *"-target-sdk-version=12.9 -aux-triple nvptx64-nvidia-cuda -fcuda-allow-variadic-functions".split(),
    *"--offload-new-driver -D__CUDA_ARCH_LIST__=520".split(),
]
_CUDA: _Language = "cuda", _CUDA_FLAGS, "cuda-cpp-output"
_CPP: _Language = "c++", _CXX, "c++-cpp-output"
#: What GCC only warns of, clang refuses.
_LENIENT = "-Wno-implicit-function-declaration -Wno-implicit-int -Wno-int-conversion".split()
_C: _Language = "c", ["-std=gnu17", *_LENIENT], "cpp-output"
#: Clang has pragmas that let it crash.
_STEADY = ["-disable-pragma-debug-crash"]
_LANGUAGES = {".cu": _CUDA, ".c": _C}


@dataclass(frozen=True)
class Options:
    """How a file is compiled: where headers of its own lie, besides beside it; macros as after -D; the C++ standard;
    options by which the preprocessor writes what a file includes, for make; and whether a file is CUDA C++ whatever it
    is called. A text that is `untrusted` is refused some constructs, and is what it is wherever it lies."""

    folders: tuple[Path, ...] = ()
    defined: tuple[str, ...] = ()
    standard: str = "c++17"
    dependencies: tuple[str, ...] = ()
    all_cuda: bool = False
    untrusted: bool = False

    @property
    def seconds(self) -> int:
        """Processor time for a step of the compiler."""
        return COMPILE_SECONDS if self.untrusted else SECONDS


DEFAULTS = Options()


class RefusedError(UsageError):
    """The compiler or the linker refuses a text. `build.blaming_text` says whether that is the text's fault."""


@dataclass(frozen=True)
class Unit:
    """A file of a program, by a name of its content: what its kernels are read from, and the files that the program's
    lines are in."""

    name: str
    gathered: Gathered
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Expanded:
    """A file as the compiler gets it: the host's half of its text, and what is put beside the code."""

    file: Path
    text: str
    unit: bytes


def expand(file: Path, folder: Path, options: Options) -> Expanded:
    """Preprocess `file` in the temporary `folder`.

    Raises:
        UsageError: the preprocessor refuses the text; the message says where and why.
        GraderFault: the compiler failed.
    """
    language = _language(file, options)
    folders = [folder.resolve() for folder in options.folders]
    flags = [*_flags(language, options), "-isystem", str(runtime() / "include"), *header_flags()]
    own = [f"-I{folder}" for folder in (file.resolve().parent, *folders)] + [f"-D{word}" for word in options.defined]
    first = [*(["-include", "cuda_runtime.h"] if language is _CUDA else []), "-x", language[0]]
    expanded = folder / "expanded"
    if options.untrusted:
        refuse_text(file)
    gathered = gather(file.resolve(), folders, options.defined)
    if options.untrusted and len(gathered.files) > 1:
        raise UsageError(f"{file.name} includes {gathered.files[1].name}, which an answer may not: it is one file.")
    walls = _walls(file.resolve(), folder) if options.untrusted else []
    _clang(
        [*flags, *own, *walls, "-E", *options.dependencies, *first, str(file.resolve()), "-o", str(expanded)],
        folder,
        file,
        options,
    )
    text = expanded.read_text(encoding="utf-8", errors="replace")
    headers = gathered.files
    if options.untrusted:
        refuse(text, file.resolve())
        text = text.replace(f'"{file.resolve().parent}/', '"/')
        headers = tuple(Path("/") / path.name for path in headers)
    text, closures, places = name_closures(text) if language is _CUDA else (text, "", ())
    content = {
        "made_by": runtime().name,
        "text": f"{gathered.text}\n{closures}" if closures else gathered.text,
        "lines": (*gathered.lines, *places),
        "headers": [str(path) for path in headers],
        "files": [str(path) for path in _own_files(text)],
    }
    unit = json.dumps(content).encode() + b"\0"
    return Expanded(file, host_part(share_managed(text, _name(unit))) if language is _CUDA else text, unit)


def compile_unit(expanded: Expanded, folder: Path, options: Options) -> Path:
    """Compile a preprocessed file in the temporary `folder`; the object.

    Raises:
        UsageError: the host's half does not compile; the message says where and why.
        GraderFault: the compiler failed.
    """
    language = _language(expanded.file, options)
    (folder / "unit").write_bytes(expanded.unit)
    # Clang registers kernels with what it takes for their machine code: it is the name of their unit.
    (folder / "gpu").write_bytes(_name(expanded.unit).encode() + b"\0")
    held = f'__asm__(".pushsection {SECTION},\\"\\",@progbits\\n.incbin \\"unit\\"\\n.popsection");'
    (folder / "half").write_text(f"{expanded.text}\n{held}\n", encoding="utf-8")
    gpu = ["-fcuda-include-gpubinary", "gpu"] if language is _CUDA else []
    debug = "-debug-info-kind=constructor -dwarf-version=4".split()
    flags = [*_flags(language, options), *CODE, *debug, *gpu, "-x", language[2]]
    _clang([*flags, "half", "-o", "object"], folder, expanded.file, options)
    return folder / "object"


def read_units(section: bytes) -> dict[str, Unit]:
    """The units of a program, by their names.

    Raises:
        UsageError: another version of this package has made them.
    """
    units = {}
    for content in section.split(b"\0")[:-1]:
        told = json.loads(content)
        if told["made_by"] != runtime().name:
            raise UsageError("Another version of autograder has made the program: make it again from its sources.")
        lines = tuple((name, line) for name, line in told["lines"])
        gathered = Gathered(told["text"], lines, tuple(map(Path, told["headers"])))
        name = _name(content + b"\0")
        units[name] = Unit(name, gathered, tuple(map(Path, told["files"])))
    return units


def _name(unit: bytes) -> str:
    return digest(unit)


def _language(file: Path, options: Options) -> _Language:
    return _CUDA if options.all_cuda else _LANGUAGES.get(file.suffix, _CPP)


def _flags(language: _Language, options: Options) -> list[str]:
    standard = [] if language is _C else [f"-std={options.standard}"]
    return [*COMMON, *standard, *language[1], *(_STEADY if options.untrusted else [])]


def _walls(file: Path, folder: Path) -> list[str]:
    """Flags, with a file in the temporary `folder`, by which there is nothing for the preprocessor but `file` and the
    headers of the libraries: by `__has_include`, however it is spelled, a text could ask for any other."""
    roots: list[dict[str, object]] = [
        # Clang breaks down where the folder is not there that it runs in.
        {"type": "directory", "name": str(folder.resolve()), "contents": []},
        {"type": "file", "name": str(file), "external-contents": str(file)},
    ]
    for path in (runtime() / "include", *header_folders()):
        roots.append({"type": "directory-remap", "name": str(path), "external-contents": str(path)})
    overlay = folder / "overlay"
    overlay.write_text(
        json.dumps({"version": 0, "redirecting-with": "redirect-only", "roots": roots}), encoding="utf-8"
    )
    return ["-ivfsoverlay", str(overlay), "-U__has_embed", "-Wno-builtin-macro-redefined"]


def _clang(arguments: Sequence[str], folder: Path, file: Path, options: Options) -> None:
    done = run([executable(), "clang", *arguments], folder, seconds=options.seconds)
    if done.returncode:
        if not ERROR.search(done.stderr):
            require_share(done.returncode, folder)
        raise _told(done.stderr, file, options)


def _told(log: str, file: Path, options: Options) -> Exception:
    found = ERROR.search(log)
    if found is None and options.untrusted:
        return RefusedError(f"{file.name} takes the compiler too long, or too much memory.")
    if found is None:
        return GraderFault(f"The compiler failed on {file.name}: {log.strip()[-2000:]}")
    where = f"{Path(found['file']).name} line {found['line']}"
    text = found["text"].split(" [-W")[0]
    if header := re.match(r"'([^']*)' file not found", text):
        return RefusedError(
            f"{where} includes {header[1]}, which is not there: give its folder by -I; libraries of CUDA's "
            "besides its runtime are not emulated."
        )
    name = re.search(r"'((?:cuda|cu|curand|cublas|cufft|cusparse|cusolver|nvrtc|nvml|nvtx)[A-Z]\w*)'", text)
    if name and ("undeclared" in text or "unknown type" in text):
        return RefusedError(f"{where} uses {name[1]}, which the emulated runtime does not have.")
    return RefusedError(f"{where} does not compile for the host: {text}.")


def _own_files(text: str) -> list[Path]:
    """The files of a preprocessed text that are no system headers."""
    markers = re.finditer(r'^# \d+ "([^"<]*)"((?: \d)*)$', text, re.MULTILINE)
    return list(dict.fromkeys(Path(marker[1]) for marker in markers if "3" not in marker[2]))
