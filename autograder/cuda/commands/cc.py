"""The command `cc`: compiles and links the files of a program, in place of nvcc in a Makefile."""

from __future__ import annotations

import argparse
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .run import announce_first_build

_HELP = """\
usage: autograder cc [options] FILE...

Compiles and links a CUDA program in place of nvcc, as in `make NVCC="autograder cc"`. The program runs its kernels on
the emulator: starting it is the same as `autograder run PROGRAM -- its arguments`, with the same exit codes.

FILE is CUDA C++ (.cu), C++ (.cpp, .cc, .cxx), C (.c), an object that this command has made, or an archive of such
objects.

  -o FILE         where the object or the program goes
  -c              only compile
  -rdc=true       GPU code may use GPU code from other files that are compiled with it
  -dc             the same as -c -rdc=true
  -dlink          writes an empty object: GPU code is linked with the program
  -fatbin, -cubin, -ptx    write the GPU code of each file, for cuModuleLoad and cuModuleLoadData
  -I FOLDER       additional folder to search for headers
  -D NAME[=TEXT]  a macro
  -x cu           all files are CUDA C++
  -std=c++17      the C++ standard: 11, 14, 17 or 20
  -fopenmp        OpenMP's directives are ignored: the host has one thread
  -MD, -MMD, -MF FILE, -MT NAME, -MP    write the files that a file includes, for make
  --version       print the version

Options about speed, warnings, debug information and GPUs (-O3, -g, -G, -lineinfo, -W..., -arch, -gencode, -Xcompiler)
have no effect here. The only libraries are CUDA's runtime, cuBLAS, cuFFT, cuRAND, cuSPARSE, NCCL, NVRTC, and those of
C and C++.
"""
#: Other names of options.
_SAME = {
    "--output-file": "-o", "--compile": "-c", "--include-path": "-I", "-isystem": "-I", "--define-macro": "-D",
    "--std": "-std", "--library": "-l", "--library-path": "-L", "--gpu-architecture": "-arch", "--gpu-code": "-code",
    "--generate-code": "-gencode", "--compiler-options": "-Xcompiler", "--compiler-bindir": "-ccbin",
    "-MQ": "-MT", "--x": "-x", "--relocatable-device-code": "-rdc", "--device-c": "-dc", "--device-link": "-dlink",
    "--fatbin": "-fatbin", "--cubin": "-cubin", "--ptx": "-ptx",
}  # fmt: skip
#: Options with a value, which follows them: joined, after "=", or as the next word.
_JOINED = ("-o", "-I", "-D", "-l", "-L")
_VALUED = """
-x -std -MF -MT -arch -code -gencode -Xcompiler -Xptxas -Xlinker -ccbin -rdc -maxrregcount -cudart -t
""".split()
_IGNORED = re.compile(
    r"-(?:g|G|fopenmp|O\w*|w|W\S*|m64|pthread|lineinfo|pipe|v|MP|use_fast_math|restrict|extra-device-vectorization)"
    r"|-f(?:no-)?(?:pic|PIC|pie|PIE|fast-math|math-errno|omit-frame-pointer|strict-aliasing|unroll-loops|inline-\S+"
    r"|visibility\S*|diagnostics-\S+|color-diagnostics|stack-protector\S*|lto\S*|exceptions|rtti|trapping-math)"
    r"|--(?:debug|device-debug|generate-line-info|expt-\S+|extended-lambda|use_fast_math|optimize\S*|disable-warnings"
    r"|restrict|forward-unknown-to-host-compiler)"
)
#: What each program is linked with.
_LIBRARIES = "cudart cudart_static cudadevrt cuda m pthread dl rt c stdc++ gcc gcc_s gomp".split()
#: What is there by its header alone.
_CUDAS = "cublas cublasLt cufft curand cusparse nccl nvrtc".split()
_LIBRARIES += [f"{name}{kind}" for name in _CUDAS for kind in ("", "_static")]
_LIBRARIES += ["nvToolsExt"]
#: Each makes files that end so, which programs load as modules: here, all of them are alike.
_MODULES = ("-fatbin", "-cubin", "-ptx")
_SOURCES, _LINKED = (".cu", ".cpp", ".cc", ".cxx", ".c"), (".o", ".a")


@dataclass
class Requested:
    """What a command line requests."""

    files: list[Path] = field(default_factory=list)
    output: Path | None = None
    only_compiles: bool = False
    relocatable: bool = False
    only_links_devices: bool = False
    modules: str = ""  # the option that requests them
    folders: list[Path] = field(default_factory=list)
    defined: list[str] = field(default_factory=list)
    standard: str = "c++17"
    writes_dependencies: bool = False
    dependencies: Path | None = None
    of: str = ""
    all_cuda: bool = False


def add_command(commands: Any) -> None:
    """Add it to argparse's `commands`, which is to leave all that follows to us."""
    cc = commands.add_parser("cc", help="compile a CUDA program, as nvcc would", prefix_chars="\0", add_help=False)
    cc.add_argument("words", nargs="*")
    cc.set_defaults(command=_cc)


def _cc(options: argparse.Namespace) -> int:
    if not options.words or options.words[0] in ("-h", "--help"):
        print(_HELP, end="")
        return 0
    if "--version" in options.words:
        print(f"autograder cc {version('cooperating-threads')}, in place of nvcc: programs run on an emulated GPU")
        return 0
    build(parse(options.words))
    return 0


def parse(words: Sequence[str]) -> Requested:
    """Read a command line.

    Raises:
        UsageError: something in it can't be had here.
    """
    requested = Requested()
    for option, value in _options(words):
        if option == "":
            requested.files.append(Path(value))
        elif option == "-o":
            requested.output = Path(value)
        elif option == "-c":
            requested.only_compiles = True
        elif option == "-dc":
            requested.only_compiles = requested.relocatable = True
        elif option == "-rdc":
            requested.relocatable = _is_true(option, value)
        elif option in _MODULES:
            requested.modules = option
        elif option == "-dlink":
            requested.only_links_devices = True
        elif option == "-I":
            requested.folders.append(Path(value))
        elif option == "-D":
            requested.defined.append(value)
        elif option == "-x":
            requested.all_cuda = _is_cuda(value)
        elif option == "-std":
            from ..programs.building.unit import read_standard

            requested.standard = read_standard(value)
        elif option in ("-MD", "-MMD"):
            requested.writes_dependencies = True
        elif option == "-MF":
            requested.dependencies = Path(value)
        elif option == "-MT":
            requested.of = value
        elif option == "-l" and value not in _LIBRARIES:
            raise UsageError(
                f"-l{value}: a program on the emulator has CUDA's runtime, cuBLAS, cuFFT, cuRAND, cuSPARSE, NCCL, "
                "NVRTC, and the libraries of C and C++, and no other."
            )
    return requested


def _options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each option and its value, if it has one; "" and the name of each file."""
    rest = iter(words)
    for word in rest:
        if not word.startswith("-") or word == "-":
            yield "", word
            continue
        name, equals, value = word.partition("=")
        name = _SAME.get(name, name)
        if name in _VALUED or name in _JOINED:
            if not equals and (value := next(rest, "")) == "":
                raise UsageError(f"{word} needs a value after it.")
            if name == "-Xcompiler":
                yield from _options(value.split(","))
            else:
                yield name, value
        elif name in ("-c", "-dc", "-dlink", "-MD", "-MMD", *_MODULES):
            yield name, ""
        elif word[:2] in _JOINED and not _IGNORED.fullmatch(word):
            yield word[:2], word[2:]
        elif not _IGNORED.fullmatch(word):
            raise UsageError(f"{word}: `autograder cc` has no such option; `autograder cc --help` lists those it has.")


def _is_true(option: str, value: str) -> bool:
    if value not in ("true", "false"):
        raise UsageError(f"{option}={value}: use true or false.")
    return value == "true"


def _is_cuda(language: str) -> bool:
    if language not in ("cu", "c++"):
        raise UsageError(f"-x {language}: use cu or c++.")
    return language == "cu"


def build(requested: Requested) -> None:
    """Build what is requested.

    Raises:
        UsageError: a file is missing, is of no kind that is known, or does not compile; the message says what to do.
        GraderFault: the compiler failed.
    """
    from ..compiler.cache import workplace
    from ..programs.building.build import blaming_text, building, link
    from ..programs.building.nvidia_headers import with_libraries
    from ..programs.building.unit import DEFAULTS, Options, compile_alone, compile_unit, empty_object, expand
    from ..programs.launches.modules import image

    def compiled(file: Path, folder: Path, options: Options) -> Path:
        folder = folder / ("with" if options.libraries else "without")
        folder.mkdir(parents=True)
        if requested.modules:
            made = folder / "module"
            made.write_bytes(image(compile_alone(file, folder, options), whole=True))
            return made
        return compile_unit(expand(file, folder, options), folder, options)

    _check(requested)
    announce_first_build(program=True)
    with building(), blaming_text(DEFAULTS), workplace() as folder:
        if requested.only_links_devices:
            _put(empty_object(folder), requested.output or Path("a_dlink.o"))
            return
        objects = []
        for number, file in enumerate(requested.files):
            if file.suffix in _LINKED:
                objects.append(file.resolve())
                continue
            ending = f".{requested.modules[1:]}" if requested.modules else ".o"
            alone = requested.output if requested.only_compiles or requested.modules else None
            target = alone or Path(file.with_suffix(ending).name)
            written = _dependencies(requested, target)
            options = Options(
                tuple(requested.folders),
                tuple(requested.defined),
                requested.standard,
                written,
                requested.all_cuda,
                requested.relocatable,
            )
            within = folder / str(number)
            objects.append(with_libraries(options, partial(compiled, file, within)))
            if requested.only_compiles or requested.modules:
                _put(objects[-1], target)
        if not requested.only_compiles and not requested.modules:
            target = requested.output or Path("a.out")
            link(objects, folder / "program", target.name)
            _put(folder / "program", target)


def _check(requested: Requested) -> None:
    if not requested.files:
        raise UsageError("Name the files to compile, as in `autograder cc main.cu -o main`.")
    for file in requested.files:
        if file.suffix not in (*_SOURCES, *_LINKED):
            raise UsageError(f"{file} has none of the known endings {', '.join((*_SOURCES, *_LINKED))}.")
        if not file.is_file():
            raise UsageError(f"{file} does not exist.")
    for file, times in Counter(file.resolve() for file in requested.files).items():
        if times > 1:
            raise UsageError(f"{file.name} is given twice.")
    if requested.output and requested.output.is_dir():
        raise UsageError(f"-o {requested.output} is a folder: name the file to write.")
    if requested.output and not requested.output.parent.is_dir():
        raise UsageError(f"{requested.output} cannot be written: there is no folder {requested.output.parent}.")
    if requested.only_links_devices and (sources := [file for file in requested.files if file.suffix in _SOURCES]):
        raise UsageError(f"{sources[0]} is not compiled yet: -dlink takes objects.")
    if requested.modules and requested.only_compiles:
        raise UsageError(f"{requested.modules} and -c exclude each other: modules are loaded, and objects linked.")
    if requested.modules and (
        others := [file for file in requested.files if file.suffix != ".cu" and not requested.all_cuda]
    ):
        raise UsageError(
            f"{others[0]} has no code for the GPU: {requested.modules} takes .cu files, or any with -x cu."
        )
    if requested.only_compiles or requested.modules:
        option = requested.modules or "-c"
        if linked := [file for file in requested.files if file.suffix in _LINKED]:
            raise UsageError(f"{linked[0]} is only linked: leave it out with {option}.")
        if requested.output and len(requested.files) > 1:
            raise UsageError(
                f"{option} -o {requested.output} goes with one file; without -o, each input gets its output."
            )


def _dependencies(requested: Requested, target: Path) -> tuple[str, ...]:
    if not requested.writes_dependencies:
        return ()
    file = requested.dependencies or target.with_suffix(".d")
    return ("-dependency-file", str(file.resolve()), "-MT", requested.of or str(target))


def _put(made: Path, target: Path) -> None:
    try:
        shutil.copy(made, target)  # with its mode
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}.") from None
