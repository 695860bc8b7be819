"""The driver's modules: units that NVRTC has compiled while the program runs, or that `autograder cc` has compiled to
files, and their functions and variables."""

from __future__ import annotations

from contextlib import suppress

from ...compiler.front_end import ir_of
from ...compiler.module_info import qualified
from ...compiler.passes.marks import marked_with
from ...core.host_findings import Place
from ...errors import UsageError
from ..building.stored_unit import Unit, packed, read_units
from ..memory.symbols import symbol_address
from ..state import FailedError, State, Symbol
from ..wire import Call, Reply

#: What stands for PTX and machine code: this, the unit's name, how many characters follow the line, and these (see
#: runtime/modules.cpp): the unit, unless the program's kernels have it already.
_IMAGE = "// autograder: unit "


def image(unit: Unit, *, whole: bool) -> bytes:
    """What a program loads as a module of a unit: with the unit if it is `whole`."""
    content = packed(unit) if whole else ""
    return f"{_IMAGE}{unit.name} {len(content)}\n{content}".encode()


def load(state: State, call: Call, place: Place) -> Reply:
    """The handle of a module; `content` is its image without how that begins, or nothing if what is loaded is none.

    Raises:
        UsageError: it is PTX or machine code, or another version of this package has made it.
    """
    if not call.content:
        raise UsageError(
            f"{place.file} line {place.line} loads PTX or machine code, which the emulator cannot run: make the file "
            "by `autograder cc -fatbin`, let the program compile the kernel's source by NVRTC, or launch it by "
            "<<<...>>>."
        )
    head, _, content = call.content.partition(b"\n")
    name, _, size = head.decode().partition(" ")
    if content and not state.kernels.knows(name) and not state.limited:
        with suppress(ValueError, KeyError):  # somebody has changed the file
            state.kernels.add(read_units(content + b"\0")[name])
    if not state.kernels.knows(name) or size != str(len(content)):
        raise FailedError("cudaErrorInvalidKernelImage")
    handle = state.new_handle()
    state.modules[handle] = name
    return Reply(numbers=(handle,))


def unload(state: State, call: Call, place: Place) -> Reply:
    _unit(state, call)
    del state.modules[call.numbers[0]]
    return Reply()


def function(state: State, call: Call, place: Place) -> Reply:
    """The handle of a kernel, and what it is registered by."""
    unit, name = _unit(state, call), call.content.decode()
    if f"@{name}" not in marked_with(ir_of(state.kernels.code(unit)), "__global__"):
        raise FailedError("cudaErrorSymbolNotFound")
    return Reply(numbers=(state.new_handle(),), content=f"{unit} {name}".encode())


def variable(state: State, call: Call, place: Place) -> Reply:
    """The address of a variable, and its size."""
    unit, name = _unit(state, call), call.content.decode()
    defined = ir_of(state.kernels.code(unit)).globals
    # Unlike NVIDIA's compilers, clang gives a static variable another name than one that is not.
    names = (name, f"_ZL{len(name)}{name}")
    name = next((each for each in names if f"@{each}" in defined), "")
    if not name:
        raise FailedError("cudaErrorSymbolNotFound")
    key = state.kernels.variable(unit, name)
    known = next((handle for handle, symbol in state.symbols.items() if symbol.key == key), 0) or state.new_handle()
    size = len(state.kernels.declared(*key))
    state.symbols.setdefault(known, Symbol(key, qualified(name), size))
    (address,) = symbol_address(state, call._replace(numbers=(known,)), place).numbers
    return Reply(numbers=(address, size))


def _unit(state: State, call: Call) -> str:
    if call.numbers[0] not in state.modules:
        raise FailedError("cudaErrorInvalidResourceHandle")
    return state.modules[call.numbers[0]]


CALLS = {
    "cuModuleLoadData": load,
    "cuModuleUnload": unload,
    "cuModuleGetFunction": function,
    "cuModuleGetGlobal": variable,
}
