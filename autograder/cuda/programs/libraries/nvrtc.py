"""NVRTC: compiles kernels while a program runs, as other kernels of a program are. In place of PTX or machine code, the
program gets the name of a unit, by which `modules` finds it again."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ...compiler.cache import workplace
from ...compiler.entry import expression
from ...compiler.front_end import ir_of
from ..building.refusals import RefusedError
from ..building.stored_unit import Unit
from ..building.unit import Options, compile_alone, read_standard
from ..launches.modules import image
from .calls import Function, LibraryCall, Read, StatusSteps, Steps, Write
from .calls import RefusedError as CallRefusedError

_SUCCESS, _INVALID_INPUT, _INVALID_PROGRAM, _COMPILATION, _NO_NAME, EXECUTION_FAILED = 0, 3, 4, 6, 10, 11
_VERSION = (12, 9)
#: Options with a value, by their ways to be written, which may follow a `=`, a blank or nothing.
_FOLDERS, _MACROS, _STANDARDS = ("--include-path", "-I"), ("--define-macro", "-D"), ("--std", "-std")
#: The constants that name the kernels of expressions: in the text, and in LLVM IR.
_NAMED = "emu_named_{}"


@dataclass
class Source:
    """A program of NVRTC's: its text, its file, which need not exist, headers by their names, and the expressions that
    name kernels; once it is compiled, its unit, with the symbols of these, or the compiler's message."""

    text: str
    file: Path
    headers: dict[str, str]
    expressions: list[str] = field(default_factory=list)
    unit: Unit | None = None
    symbols: dict[str, str] = field(default_factory=dict)
    log: str = ""

    @property
    def image(self) -> bytes:
        return image(self.unit, whole=False) if self.unit else b""


def _source(call: LibraryCall, handle: int) -> Source:
    return call.found(Source, _INVALID_PROGRAM, "prog", handle)


def version(call: LibraryCall, major: int, minor: int) -> Steps:
    for name, out, number in zip(("major", "minor"), (major, minor), _VERSION, strict=True):
        yield Write(call.host(_INVALID_INPUT, name, out), number.to_bytes(4, "little"))


def create(
    call: LibraryCall, out: int, text: int, length: int, name: int, name_length: int, headers: int, of_headers: int,
    names: int, of_names: int,
) -> Steps:  # fmt: skip
    content = (yield Read(call.host(_INVALID_INPUT, "src", text), length)).decode()
    called = Path((yield Read(name, name_length)).decode() if name else "default_program")
    texts = (yield Read(headers, of_headers)).decode().split("\0")[:-1] if of_headers else []
    words = (yield Read(names, of_names)).decode().split("\0")[:-1] if of_names else []
    yield from call.new(Source(content, called, dict(zip(words, texts, strict=True))), _INVALID_INPUT, "prog", out)


def destroy(call: LibraryCall, out: int) -> Steps:
    handle = int.from_bytes((yield Read(call.host(_INVALID_INPUT, "prog", out), 8)), "little")
    _source(call, handle)
    del call.state.libraries[handle]
    yield Write(out, bytes(8))


def name_expression(call: LibraryCall, handle: int, text: int, length: int) -> Steps:
    source = _source(call, handle)
    source.expressions.append((yield Read(call.host(_INVALID_INPUT, "name_expression", text), length)).decode())


def lowered_name(call: LibraryCall, handle: int, text: int, length: int, out: int) -> Steps:
    name = (yield Read(call.host(_INVALID_INPUT, "name_expression", text), length)).decode()
    symbols = _source(call, handle).symbols
    if name not in symbols:
        raise CallRefusedError(_NO_NAME, "name_expression", "name")
    yield Write(out, symbols[name].encode() + b"\0")


def compile_(call: LibraryCall, handle: int, options: int, length: int) -> StatusSteps:
    source = _source(call, handle)
    words = (yield Read(options, length)).decode().split("\0")[:-1] if length else []
    with workplace() as folder:
        for path, text in source.headers.items():
            header = folder / "headers" / path
            if header.resolve().is_relative_to(folder.resolve()):
                header.parent.mkdir(parents=True, exist_ok=True)
                header.write_text(text, encoding="utf-8")
        file = folder / source.file.name
        named = [
            f"__attribute__((device, used)) static constexpr auto* {_NAMED.format(i)} = {expression(name.lstrip('&'))};"
            for i, name in enumerate(source.expressions)
        ]
        file.write_text("\n".join([source.text, *named, ""]), encoding="utf-8")
        try:
            source.unit = compile_alone(file, folder, _options(words, source, folder / "headers", call.state.gpu.arch))
        except RefusedError as error:
            source.log = f"{error}\n"
            return _COMPILATION
    known = ir_of(source.unit.ir).globals
    for i, name in enumerate(source.expressions):
        constant = _NAMED.format(i)
        source.symbols[name] = known[f"@_ZL{len(constant)}{constant}"].value.removeprefix("@")
    call.state.kernels.add(source.unit)
    return _SUCCESS


def _options(words: list[str], source: Source, headers: Path, arch: str) -> Options:
    """What changes a program; other options are about speed and other GPUs. Like NVRTC, it looks for headers in the
    folder of the program's file, too."""
    given: dict[tuple[str, ...], list[str]] = {_FOLDERS: [], _MACROS: [], _STANDARDS: ["c++17"]}
    rest = iter(words)
    for word in rest:
        for ways, values in given.items():
            if start := next((way for way in ways if word.startswith(way)), ""):
                values.append(word[len(start) :].lstrip("=").strip() or next(rest, ""))
    beside = () if "no-source-include" in (word.lstrip("-") for word in words) else (source.file.parent,)
    folders = (headers, *beside, *map(Path, given[_FOLDERS]))
    standard = read_standard(given[_STANDARDS][-1])
    return Options(folders, tuple(given[_MACROS]), standard, all_cuda=True, arch=arch)


def text_size(call: LibraryCall, handle: int, out: int) -> Steps:
    yield Write(call.host(_INVALID_INPUT, "size", out), len(_text(call, handle)).to_bytes(8, "little"))


def text(call: LibraryCall, handle: int, out: int) -> Steps:
    yield Write(call.host(_INVALID_INPUT, "text", out), _text(call, handle))


def _text(call: LibraryCall, handle: int) -> bytes:
    source = _source(call, handle)
    return (source.log.encode() if "Log" in call.name else source.image) + b"\0"


CALLS: dict[str, Function] = {
    "nvrtcVersion": version,
    "nvrtcCreateProgram": create,
    "nvrtcDestroyProgram": destroy,
    "nvrtcAddNameExpression": name_expression,
    "nvrtcGetLoweredName": lowered_name,
    "nvrtcCompileProgram": compile_,
    **dict.fromkeys(("nvrtcGetProgramLogSize", "nvrtcGetPTXSize", "nvrtcGetCUBINSize"), text_size),
    **dict.fromkeys(("nvrtcGetProgramLog", "nvrtcGetPTX", "nvrtcGetCUBIN"), text),
}
