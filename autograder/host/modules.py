"""The driver's modules: units that NVRTC has compiled while the program runs, and their functions and variables."""

from __future__ import annotations

from ..compiler.front_end import ir_of
from ..compiler.module_info import qualified
from ..compiler.passes.marks import marked_with
from ..core.host_findings import Place
from ..errors import UsageError
from .state import FailedError, State, Symbol
from .symbols import symbol_address
from .wire import Call, Reply

#: What stands for PTX and machine code: this, and the unit's name (runtime/modules.cpp).
IMAGE = "// autograder: unit "


def load(state: State, call: Call, place: Place) -> Reply:
    """The handle of a module; `content` is its unit's name, or nothing if what is loaded is no such thing."""
    if not call.content:
        raise UsageError(
            f"{place.file} line {place.line} loads PTX or machine code, which the emulator cannot run: let the program "
            "compile the kernel's source by NVRTC, or launch it by <<<...>>>."
        )
    name = call.content.decode()
    if not state.kernels.knows(name):
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
    if f"@{name}" not in ir_of(state.kernels.code(unit)).globals:
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
