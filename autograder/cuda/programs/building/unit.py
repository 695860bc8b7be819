"""Makes an object of one file of a program, which clang compiles twice, as nvcc does: the host's half to machine code,
and the half that runs on the GPU to LLVM IR, which the object holds for the emulator. Kernels are made of that at their
first launch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from ...compiler.cache import digest
from ...compiler.clang import ASSEMBLE, ERROR, EXCEPTIONS, PIC, RANGES
from ...compiler.front_end import RejectedError, TooLargeError, ir_of, read_program, read_program_again
from ...compiler.host_code import find_host_lambdas
from ...compiler.kernel_flags import PROGRAM, typing
from ...compiler.places import lacks_template, with_joined_launches, with_templates
from ...compiler.system_headers import header_flags, header_folders
from ...compiler.verifier import UnprovenError
from ...compiler.zig import COMPILE_SECONDS, build, executable, require_share, run
from ...errors import UsageError
from ...source.gather import Gathered
from ..memory.managed import managed_variables, share_managed
from .device_symbols import DeviceSymbols, device_symbols, find_undefined, relocatable, share_variables
from .numbered import number_lines
from .nvrtc_source import users_half
from .refusals import RefusedError, refusal
from .relocatable import RELOCATABLE, of_device, of_host, requires
from .runtime_build import CODE, COMMON, FIRSTS, OF_LIBRARIES, SECONDS, first_header, first_macros, runtime
from .stored_unit import SECTION, Unit, packed
from .untrusted import refuse, refuse_text

#: How clang calls a file's language, its options, and what it calls the language once preprocessed.
_Language = tuple[str, list[str], str]
#: (register: nvcc takes it in any standard)
_CXX = [*EXCEPTIONS, "-fdeprecated-macro", "-Wno-register"]
#: CUDA's version decides how a kernel is launched.
_CUDA_FLAGS = [
    *_CXX,
    *"-target-sdk-version=12.9 -aux-triple nvptx64-nvidia-cuda -fcuda-allow-variadic-functions".split(),
    "--offload-new-driver",
]
_CUDA: _Language = "cuda", _CUDA_FLAGS, "cuda-cpp-output"
_CPP: _Language = "c++", _CXX, "c++-cpp-output"
#: What GCC only warns of, clang refuses.
_LENIENT = "-Wno-implicit-function-declaration -Wno-implicit-int -Wno-int-conversion".split()
_C: _Language = "c", ["-std=gnu17", *_LENIENT], "cpp-output"
#: What a preprocessed text has that declares a variable of the host and the GPU.
_MANAGED = "emu __managed__"
#: How often a text is compiled in which the compiler finds launches that it does not take as they are written.
_MOST_REPAIRS = 20
#: Clang has pragmas that let it crash.
_STEADY = ["-disable-pragma-debug-crash"]
_LANGUAGES = {".cu": _CUDA, ".c": _C}


@dataclass(frozen=True)
class Options:
    """How a file is compiled: where headers of its own lie, besides beside it; macros as after -D; the C++ standard;
    options by which the preprocessor writes what a file includes, for make; whether a file is CUDA C++ whatever it is
    called; and whether its code for the GPU is `relocatable`, so that it is linked with that of other files. A text
    that is `untrusted` is refused some constructs, and is what it is wherever it lies. `arch` is that of the GPU.
    The headers of `libraries` (folders) replace ours."""

    folders: tuple[Path, ...] = ()
    defined: tuple[str, ...] = ()
    standard: str = "c++17"
    dependencies: tuple[str, ...] = ()
    all_cuda: bool = False
    relocatable: bool = False
    untrusted: bool = False
    arch: str = "sm_90"
    libraries: tuple[Path, ...] = ()

    @property
    def seconds(self) -> int:
        """Processor time for a step of the compiler."""
        return COMPILE_SECONDS if self.untrusted else SECONDS

    @property
    def generation(self) -> int:
        """Of the GPU that the file is compiled for, as 90 for `sm_90`; an answer has that of exercises. Both halves
        have it, and so do the attributes of kernels that the program asks for: CUB chooses a block by these."""
        return 80 if self.untrusted else int(self.arch.removeprefix("sm_"))


DEFAULTS = Options()


def read_standard(value: str) -> str:
    """The C++ standard of an option. Raises UsageError: it is none that is supported."""
    standard = value.replace("gnu", "c")
    if standard not in ("c++11", "c++14", "c++17", "c++20"):
        raise UsageError(f"-std={value}: use c++11, c++14, c++17 or c++20.")
    return standard


@dataclass(frozen=True)
class DeviceHalf:
    """The half of a file that runs on the GPU: as in `DeviceCode`, and its symbols if it is to be linked."""

    ir: str
    typed: str
    symbols: DeviceSymbols | None


@dataclass(frozen=True)
class Expanded:
    """A file as the compiler gets it: its text for the host and for the GPU (empty: it is not CUDA), in which the lines
    of the user's files are those of `gathered`."""

    file: Path
    text: str
    device: str
    gathered: Gathered

    @property
    def name(self) -> str:
        """A name of its content."""
        return digest(self.text, self.device, self.gathered.text)


def expand(file: Path, folder: Path, options: Options) -> Expanded:
    """Preprocess `file` in the temporary `folder`.

    Raises:
        UsageError: the preprocessor refuses the text; the message says where and why.
        GraderFault: the compiler failed.
    """
    language = _language(file, options)
    main = file.resolve()
    if options.untrusted:
        refuse_text(file)
    with ThreadPoolExecutor(2) as both:
        host = both.submit(_preprocessed, main, folder / "of_host", options, _flags(language, options), language)
        once = replace(options, dependencies=())
        flags = _device_flags(options)
        gpu = both.submit(_preprocessed_for_gpu, main, folder / "of_gpu", once, flags) if language is _CUDA else None
        text, device = host.result(), gpu.result() if gpu else ""
    if options.untrusted:
        for half in filter(None, (text, device)):
            refuse(half, main)
    device, gathered = number_lines(device or text, main)
    if options.untrusted:
        text, device = (half.replace(f'"{main.parent}/', '"/') for half in (text, device))
        gathered = replace(gathered, files=tuple(Path("/") / path.name for path in gathered.files))
    return Expanded(file, text, device if language is _CUDA else "", gathered)


def expand_device(file: Path, folder: Path, options: Options) -> tuple[str, Gathered]:
    """As `expand`, only the half of a CUDA file that runs on the GPU, and the text that its lines are of."""
    main = file.resolve()
    return number_lines(_preprocessed_for_gpu(main, folder, options, _device_flags(options)), main)


def _preprocessed_for_gpu(file: Path, folder: Path, options: Options, flags: list[str]) -> str:
    """With that GPU's `__CUDA_ARCH__`. What is precompiled is the same for each, and has that of exercises."""
    if options.untrusted:
        return _preprocessed(file, folder, options, flags, _CUDA)
    number = options.generation
    prefix = f"#undef __CUDA_ARCH__\n#define __CUDA_ARCH__ {number}0\n#define __CUDA_ARCH_FEAT_SM{number}_ALL 1\n"
    return _preprocessed(file, folder, options, flags, _CUDA, prefix)


def _preprocessed(
    file: Path, folder: Path, options: Options, flags: list[str], language: _Language, prefix: str = ""
) -> str:
    """The text of a file, preprocessed with `prefix` after the headers that come first."""
    folder.mkdir()
    # (Macros of the user's may change those of the headers.)
    first = list[str]()
    if language is _CUDA:
        first = ["-include", "first.h"] if options.defined else first_macros(flags)
    if prefix:
        (folder / "prefix.h").write_text(prefix, encoding="utf-8")
        first += ["-include", str(folder / "prefix.h")]
    libraries = [] if options.untrusted else [runtime() / OF_LIBRARIES, *options.libraries]
    if any((place / "curand_kernel.h").exists() for place in options.libraries):
        libraries.insert(0, runtime() / OF_LIBRARIES / "nvidia")
    found = [word for place in (*libraries, runtime() / "include") for word in ("-isystem", str(place))]
    flags = [*flags, *found, *header_flags()]
    folders = [file.parent, *(folder.resolve() for folder in options.folders)]
    local = [f"-I{folder}" for folder in folders] + [f"-D{word}" for word in options.defined]
    if language is _CUDA:
        local.append(f"-D__CUDA_ARCH_LIST__={options.generation}0")
    walls = _walls(file, folder) if options.untrusted else []
    to = ["-E", *options.dependencies, "-x", language[0]]
    _clang(
        [*flags, *first, *local, *walls, *to, str(file), "-o", "expanded"],
        folder,
        file,
        options,
    )
    text = (folder / "expanded").read_text(encoding="utf-8", errors="replace")
    # (Of what is precompiled, the preprocessor writes the text.)
    name, _, _ = text.partition("\n")  # the first line names the file
    _, begins, rest = text.partition(f"\n{name} 2\n")
    return f"{name}\n{rest}" if begins else text


def compile_unit(expanded: Expanded, folder: Path, options: Options) -> Path:
    """Compile a preprocessed file in the temporary `folder`; the object.

    Raises:
        UsageError: one of its halves does not compile; the message says where and why.
        GraderFault: the compiler failed.
    """
    try:
        with ThreadPoolExecutor(2) as both:
            code = both.submit(_device_half, expanded, folder, options)
            host = both.submit(_compile_host, expanded, folder, options, code)
            gpu = code.result()
            local = tuple(gpu.symbols.local) if gpu.symbols else None
            of_gpu = gpu.ir, gpu.typed, local, users_half(expanded.device)
            unit = Unit(expanded.name, expanded.gathered, *of_gpu, options.standard, options.generation)
            (folder / "unit").write_bytes(packed(unit).encode() + b"\0")
            host.result()
    except RefusedError as error:
        stand_ins = (f'"{runtime() / "include" / name}/' for name in ("cub", "cuda"))
        error.of_stand_ins = any(place in expanded.device for place in stand_ins)
        raise
    symbols = gpu.symbols.as_assembly() if gpu.symbols else ""
    held = f'.section {SECTION},"",@progbits\n{symbols}.incbin "unit"\n.section .note.GNU-stack,"",@progbits\n'
    (folder / "unit.s").write_text(held, encoding="utf-8")
    for command in (
        ["clang", *ASSEMBLE, "unit.s", "-o", "unit.o"],
        ["ld.lld", "-r", "-z", "noexecstack", "host.o", "unit.o", "-o", "object"],
    ):
        build(command, folder, "The object of a file")
    return folder / "object"


def empty_object(folder: Path) -> Path:
    """Make an object without content in the temporary `folder`. Raises GraderFault: the compiler failed."""
    (folder / "unit.s").write_text(f'.section {SECTION},"",@progbits\n', encoding="utf-8")
    build(["clang", *ASSEMBLE, "unit.s", "-o", "object"], folder, "An object without content")
    return folder / "object"


def _compile_host(expanded: Expanded, folder: Path, options: Options, code: Future[DeviceHalf]) -> None:
    language, flags = _language(expanded.file, options), _flags(_language(expanded.file, options), options)
    # Clang registers kernels with what it takes for their machine code: it is the name of their unit.
    (folder / "gpu").write_bytes(expanded.name.encode() + b"\0")
    gpu = [*first_header(flags), "-fcuda-include-gpubinary", "gpu"] if language is _CUDA else []
    debug = "-debug-info-kind=constructor -dwarf-version=4".split()
    changed = _MANAGED in expanded.device or (options.relocatable and expanded.device)  # by what is in the other half
    to_ir = ["-emit-llvm", "-disable-llvm-passes", "-o", "host.ll"]
    text = expanded.text
    command = [*flags, *debug, *gpu, "-x", language[2], "host", *(to_ir if changed else ["-emit-obj", "-o", "host.o"])]
    launches = False
    for _ in range(_MOST_REPAIRS):
        (folder / "host").write_text(text, encoding="utf-8")
        log, before = _log_of(command, folder, options), text
        if not options.untrusted and not launches and requires(log or ""):
            changed = launches = True
            flags = [*flags, RELOCATABLE]
            command = [*flags, *debug, *first_header(flags), "-x", language[2], "host", *to_ir]
            continue
        text = with_joined_launches(text, log or "")
        if text == before and lacks_template(log or ""):
            text = with_templates(text, _log_of([*command, RANGES], folder, options) or "")
        if text == before:
            break
    if log is not None:
        raise refusal(log, expanded.file, expanded.gathered, untrusted=options.untrusted)
    if changed:
        text, half = (folder / "host.ll").read_text(encoding="utf-8"), code.result()
        text = of_host(text, expanded.name) if launches else text
        public = half.symbols.defined if half.symbols else ()
        text = share_managed(text, managed_variables(half.ir), public, expanded.name)
        (folder / "host.ll").write_text(share_variables(text, public) if public else text, encoding="utf-8")
        command = [*flags, *PIC, "-x", "ir", "-emit-obj", "host.ll", "-o", "host.o"]
        _clang(command, folder, expanded.file, options)


def _device_half(expanded: Expanded, folder: Path, options: Options) -> DeviceHalf:
    try:
        ir, typed = compile_device(expanded.device, expanded.file, folder, options)
    except RejectedError as error:
        raise refusal(error.log, expanded.file, expanded.gathered, untrusted=options.untrusted) from None
    if options.relocatable and expanded.device:
        ir, typed = relocatable(ir), relocatable(typed)
        return DeviceHalf(ir, typed, device_symbols(ir_of(ir)))
    # (An answer has one file, and gets a report of its own.)
    if not options.untrusted and (missing := find_undefined(ir)):
        name, line = missing
        raise RefusedError(
            f"{expanded.gathered.name_place(line)} uses {name} on the GPU, which {expanded.file.name} does not define: "
            "if another file does, compile both with `autograder cc -rdc=true`."
        )
    return DeviceHalf(ir, typed, None)


def compile_alone(file: Path, folder: Path, options: Options) -> Unit:
    """The unit of a file whose half for the host nobody needs. Raises what `expand` and `compile_unit` raise."""
    text, gathered = expand_device(file, folder / "of_gpu", options)
    half = _device_half(Expanded(file, "", text, gathered), folder, options)
    name = digest(text, gathered.text)
    return Unit(name, gathered, half.ir, half.typed, None, users_half(text), options.standard, options.generation)


def compile_device(text: str, file: Path, folder: Path, options: Options) -> tuple[str, str]:
    """The half of a file that runs on the GPU, as LLVM IR; and once more with the types of copied structs, if it has
    any.

    Raises:
        RejectedError: the compiler rejects the text. UsageError: it becomes too much code.
    """
    try:
        flags = _device_flags(options)
        try:
            ir, text = read_program(text, _of_preprocessed(flags), folder)
        except RejectedError as error:
            if options.untrusted or not requires(error.log):
                raise
            flags.append(RELOCATABLE)
            ir, text = read_program(text, _of_preprocessed(flags), folder)
        if "_cl" in ir and (lambdas := find_host_lambdas(ir_of(ir))):
            raise RejectedError(lambdas)
        typed = ""
        if "@llvm.memcpy" in ir:
            typed = read_program_again(text, _of_preprocessed(typing(flags)), folder)
        return (of_device(ir), of_device(typed)) if RELOCATABLE in flags else (ir, typed)
    except TooLargeError:
        raise RefusedError(f"{file.name} becomes too much code for the GPU.") from None
    except UnprovenError as error:
        raise RefusedError(f"{file.name} line {error.line} has what no kernel can have here: {error.what}.") from None


def device_flags(options: Options) -> list[str]:
    """Flags for the preprocessed half of a file that runs on the GPU."""
    return _of_preprocessed(_device_flags(options))


def _of_preprocessed(flags: list[str]) -> list[str]:
    return [*flags, *first_header(flags), "-x", _CUDA[2]]


def _device_flags(options: Options) -> list[str]:
    return [*PROGRAM, f"-std={options.standard}", *_STEADY]


def build_first_headers() -> None:
    """Precompile the headers that come first in each file of a program. Raises GraderFault: it does not compile."""
    host, device = _flags(_CUDA, DEFAULTS), _device_flags(DEFAULTS)
    for flags in (host, device, typing(device)):
        first_header(flags)
    for flags in (host, device):
        first_macros(flags)


def _language(file: Path, options: Options) -> _Language:
    return _CUDA if options.all_cuda else _LANGUAGES.get(file.suffix, _CPP)


def _flags(language: _Language, options: Options) -> list[str]:
    standard = [] if language is _C else [f"-std={options.standard}"]
    return [*COMMON, *standard, *language[1], *CODE, *_STEADY]


def _walls(file: Path, folder: Path) -> list[str]:
    """Flags, with a file in the temporary `folder`, by which there is nothing for the preprocessor but `file` and the
    headers of the libraries: by `__has_include`, however it is spelled, a text could ask for any other."""
    roots: list[dict[str, object]] = [
        # Clang breaks down where the folder is not there that it runs in.
        {"type": "directory", "name": str(folder.resolve()), "contents": []},
        {"type": "file", "name": str(file), "external-contents": str(file)},
    ]
    for path in (runtime() / FIRSTS, runtime() / "include", *header_folders()):
        roots.append({"type": "directory-remap", "name": str(path), "external-contents": str(path)})
    overlay = folder / "overlay"
    overlay.write_text(
        json.dumps({"version": 0, "redirecting-with": "redirect-only", "roots": roots}), encoding="utf-8"
    )
    return ["-ivfsoverlay", str(overlay), "-U__has_embed", "-Wno-builtin-macro-redefined"]


def _clang(arguments: Sequence[str], folder: Path, file: Path, options: Options) -> None:
    if (log := _log_of(arguments, folder, options)) is not None:
        raise refusal(log, file, untrusted=options.untrusted)


def _log_of(arguments: Sequence[str], folder: Path, options: Options) -> str | None:
    """The compiler's messages if it refuses what it gets."""
    done = run([executable(), "clang", *arguments], folder, seconds=options.seconds)
    if done.returncode and not ERROR.search(done.stderr):
        require_share(done.returncode, folder)
    return done.stderr if done.returncode else None
