"""Reads one kernel of a CUDA file. Of a file that does not compile as a whole, as where a library's header is missing,
what does not compile is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...compiler.cache import workplace
from ...compiler.clang import ERROR
from ...compiler.entry import CHOSEN_FILE, CHOSEN_NAME, choose, chosen_kernel
from ...compiler.front_end import RejectedError, ir_of, module_of
from ...compiler.ir import Module
from ...compiler.ir.reachable import reachable
from ...compiler.kernel_signature import signature_of
from ...compiler.messages import compile_error
from ...compiler.module_info import names_of, qualified
from ...compiler.name_errors import name_error
from ...compiler.passes.marks import marked_with
from ...core.device_code import DeviceCode
from ...core.findings import CompileError, Finding
from ...core.signature import Signature
from ...errors import UsageError
from ...source.gather import Gathered, read_file
from ..building.broken_parts import Whole, declared_kernels, without_broken
from ..building.build import blaming_text, require_compiler
from ..building.nvrtc_source import users_half
from ..building.refusals import MissingHeaderError
from ..building.runtime_build import runtime
from ..building.unit import Options, compile_device, device_flags, expand_device
from .kernels import UNNAMED

_KERNEL = "__global__"
_NONE = "The file has no __global__ function: write one, as in __global__ void blur(float* out) {...}."
#: What a variable holds in LLVM IR that has no initializer.
_ZEROS = ("zeroinitializer", "undef", "0", "0.000000e+00", "null")
#: How many names of what is left out are listed.
_NAMED = 8


@dataclass(frozen=True)
class FileKernel:
    """A kernel of a file: what the emulator launches, or why it does not compile; then nobody knows its parameters.
    `notes` are sentences on what was left out of the file, and `half` is what `nvrtc_source.users_half` makes of the
    rest."""

    gathered: Gathered
    name: str
    code: DeviceCode | Finding
    signature: Signature
    notes: tuple[str, ...]
    half: str = ""


def read_kernel(file: Path, kernel: str | None, folders: Sequence[Path] = (), standard: str = "c++17") -> FileKernel:
    """Read a kernel of a file.

    Args:
        kernel: its name: "blur", "stencil::blur", "blur<float, 128>"; or, of several of that name, with the types of
            its parameters, "blur(float*, int)". None for the only one.
        folders: where headers of the file's own are, besides beside it.

    Raises:
        UsageError: the file cannot be read, or has no such kernel. MachineFault: the compiler refuses what is right.
        GraderFault: the compiler failed.
    """
    options = Options(tuple(folders), standard=standard)
    with workplace() as folder, blaming_text(options):
        read = _Reader(file, folder, options).read(kernel)
        if isinstance(read.code, Finding):
            require_compiler(runtime(), options.untrusted)
        return read


class _Reader:
    """Reads a file in a temporary folder."""

    def __init__(self, file: Path, folder: Path, options: Options) -> None:
        read_file(file)  # raises
        self._file, self._folder, self._options = file, folder, options
        self._text, self._gathered, self._missing = _expanded(file, folder, options)

    def read(self, kernel: str | None) -> FileKernel:
        chosen = choose(kernel) if kernel else ""
        whole: Whole | None = None
        code = self._compiled(self._text + chosen)
        if isinstance(code, str):
            whole = self._without_broken(chosen)
            code = whole.log or self._compiled(whole.text + chosen)
            if isinstance(code, str):
                return self._refused(kernel or "", whole, code)
        ir, typed = code
        kernels = _kernels(ir)
        if kernel:
            symbol = chosen_kernel(ir_of(reachable(ir, [CHOSEN_NAME])))
            if symbol not in kernels:
                return self._misnamed(kernel, whole or self._without_broken(chosen))
        else:
            broken = {name: part.log for part in whole.broken for name in part.kernels} if whole else {}
            names = [*kernels.values(), *broken]
            if len(names) > 1:
                raise UsageError(f"The file has {len(names)} kernels: choose one by --kernel {', '.join(names)}.")
            if whole and broken:
                return self._refused(names[0], whole, broken[names[0]])
            if not names:
                whole = whole or self._without_broken("")
                templates = declared_kernels(whole.tree)
                if not templates:
                    raise UsageError(_NONE)
                return self._misnamed(templates[0], whole)
            ((symbol, kernel),) = kernels.items()
        device = DeviceCode(ir, typed, symbol)
        module = module_of(device)
        if whole and (log := _redefined(whole, module)):
            return self._refused(kernel, whole, log)
        signature = replace(signature_of(module, symbol), name=kernel)
        half = users_half(whole.text if whole else self._text)
        return FileKernel(self._gathered, kernel, device, signature, tuple(self._notes(whole, module)), half)

    def _compiled(self, text: str) -> tuple[str, str] | str:
        try:
            return compile_device(text, self._file, self._folder, self._options)
        except RejectedError as error:
            return error.log

    def _without_broken(self, chosen: str) -> Whole:
        return without_broken(self._text, chosen, device_flags(self._options), self._folder)

    def _refused(self, kernel: str, whole: Whole, log: str) -> FileKernel:
        """What becomes of a kernel that the compiler's `log` is about: the kernel, what it needs or its name."""
        cause = whole.cause(log)
        if all(error["file"] == CHOSEN_FILE for error in ERROR.finditer(cause)):
            return self._misnamed(kernel, whole)
        return self._with_finding(kernel, compile_error(cause, self._gathered.text))

    def _misnamed(self, kernel: str, whole: Whole) -> FileKernel:
        """What becomes of a name that is no kernel's. Raises UsageError: it says what is wrong."""
        wrong = name_error(whole.tree, whole.users, kernel)
        if isinstance(wrong, UsageError):
            raise wrong
        return self._with_finding(kernel, CompileError(messages=(wrong,)))

    def _with_finding(self, kernel: str, finding: Finding) -> FileKernel:
        return FileKernel(self._gathered, kernel, finding, Signature(kernel, ()), tuple(self._missing))

    def _notes(self, whole: Whole | None, module: Module) -> Iterator[str]:
        yield from self._missing
        if whole and whole.broken:
            yield from _left_out(whole, self._gathered)
        constants = marked_with(module, "__constant__")
        if zeros := [qualified(name[1:]) for name in constants if module.globals[name].value in _ZEROS]:
            yield f"No host code fills {', '.join(zeros)}: all of it is 0."


def _expanded(file: Path, folder: Path, options: Options) -> tuple[str, Gathered, list[str]]:
    """The half of the file for the GPU, preprocessed, with empty files for headers that are not there, and sentences on
    these."""
    empty = folder / "missing"
    empty.mkdir()
    options = replace(options, folders=(*options.folders, empty))
    missing = list[str]()
    while True:
        try:
            text, gathered = expand_device(file, folder / f"expanded{len(missing)}", options)
        except MissingHeaderError as error:
            header = (empty / error.header).resolve()
            if not header.is_relative_to(empty.resolve()) or header.exists():
                raise
            header.parent.mkdir(parents=True, exist_ok=True)
            header.touch()
            missing.append(f"{error.header} is not there: what needs it is left out.")
            continue
        files = tuple(path for path in gathered.files if not path.is_relative_to(empty.resolve()))
        return text, replace(gathered, files=files), missing


def _kernels(ir: str) -> dict[str, str]:
    """The names of a program's kernels, by their symbols."""
    module = ir_of(ir)
    defined = (symbol for symbol in marked_with(module, _KERNEL) if symbol in module.functions)
    return {symbol: signature_of(module, symbol).name.replace(UNNAMED, "") for symbol in defined}


def _redefined(whole: Whole, module: Module) -> str:
    """The messages about what is defined twice, of which the kernel in `module` uses the first; "" if there is none."""
    used = {(names_of(symbol[1:])[0] or [symbol[1:]])[-1] for symbol in (*module.functions, *module.globals)}
    return next((part.log for part in whole.broken if part.is_redefinition and used.intersection(part.names)), "")


def _left_out(whole: Whole, gathered: Gathered) -> Iterator[str]:
    """A sentence on what does not compile."""
    parts = []
    for part in whole.broken:
        error = ERROR.search(part.log)
        if error and error["file"] == "kernel.cu":
            what = part.names[0] if part.names else "a declaration"
            parts.append(f"{what} (line {gathered.place(int(error['line']))}: {error['text']})")
    more = f", and {len(parts) - _NAMED} more" if len(parts) > _NAMED else ""
    yield f"Left out, because it does not compile: {', '.join(parts[:_NAMED])}{more}."
