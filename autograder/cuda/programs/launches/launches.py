"""The calls that launch kernels, and that ask about them."""

from __future__ import annotations

from ...compiler.toolchain import Module
from ...core.host_findings import HostKind, Place
from ...errors import UsageError
from ...nvrtc.occupancy import most_threads, occupancy
from ..memory.access_spans import uses
from ..memory.memory import add_operation
from ..state import FailedError, State, errors, fail, nothing
from ..wire import Call, Reply
from .child_launches import run_with_children
from .grids import SHARED, Grid, UncompiledError, refused, takes
from .kernels import KernelText

#: Of cudaLaunchAttributeID: what changes a launch, and hints about caches, order and priority.
_COOPERATIVE, _CLUSTER, _PROGRAMMATIC, _HINTS = 2, 4, 6, (0, 1, 3, 5, 8, 9, 10, 14)


def begin_launch(state: State, call: Call, place: Place) -> Reply:
    """What each parameter of the kernel takes."""
    state.require(call.numbers[0])
    kernel = state.kernels.find(call.content.decode())
    if (owner := state.timeline.device(call.numbers[0])) != state.device:
        error = "cudaErrorInvalidResourceHandle"
        facts = {"why": "stream", "name": kernel.name, "error": error}
        state.find(HostKind.FAILED_LAUNCH, place, (), number=owner, current=state.device, **facts)
        return fail(error)
    if not isinstance(kernel.compiled, Module):
        raise UncompiledError(kernel, kernel.compiled, place)
    state.launching, state.launching_address = kernel, call.numbers[1]
    return Reply(numbers=kernel.sizes)


def check_launch(state: State, call: Call, place: Place) -> None:
    """Let a launch fail before it begins, where a GPU refuses it."""
    kernel = state.launching
    grid, block = _three(call.numbers[:3]), _three(call.numbers[3:6])
    cooperative = call.name == "cudaLaunchCooperativeKernel" or _COOPERATIVE in _attributes(call, kernel, place)
    if why := refused(state, kernel, grid, block, call.numbers[6], cooperative):
        error, reason, number = why
        state.find(HostKind.FAILED_LAUNCH, place, why=reason, number=number, name=kernel.name, error=error)
        raise FailedError(error)
    if len(call.content) != sum(kernel.sizes):
        raise ValueError("a launch with more arguments than parameters, or fewer")


def launch(state: State, call: Call, place: Place) -> Reply:
    kernel = state.launching
    grid, block = _three(call.numbers[:3]), _three(call.numbers[3:6])
    shared, stream = call.numbers[6:8]
    try:
        check_launch(state, call, place)
    except FailedError as failed:
        if str(failed) != "cudaErrorLaunchFailure":
            raise
        # The launch succeeds; the kernel ends by that error, which lasts.
        error = errors()["cudaErrorLaunchFailure"]
        state.crashes(add_operation(state, stream, kernel.name, place, uses(), kernel=True), error)
        return Reply()
    programmatic = _PROGRAMMATIC in _attributes(call, kernel, place)
    run_with_children(state, Grid(kernel, grid, block, call.content, shared, stream, place, programmatic))
    return Reply()


def _attributes(call: Call, kernel: KernelText, place: Place) -> set[int]:
    """Return the numbers of those attributes of a launch that are on and change what it does.

    Raises:
        UsageError: the emulator does not have such an attribute.
    """
    found = set()
    assert isinstance(kernel.compiled, Module)
    for at in range(8, len(call.numbers), 4):
        number, *value = call.numbers[at : at + 4]
        if number in (_COOPERATIVE, _PROGRAMMATIC):
            found |= {number} if value[0] else set()
        elif number == _CLUSTER and tuple(value) != kernel.compiled.info.cluster:
            raise UsageError(
                f"{place.file} line {place.line} gives the clusters of a launch their size, which the emulated runtime "
                "does not have: name it in the kernel, by __cluster_dims__."
            )
        elif number not in _HINTS and number != _CLUSTER:
            raise UsageError(
                f"{place.file} line {place.line} gives a launch the attribute number {number} of "
                "cudaLaunchAttributeID, which the emulated runtime does not have."
            )
    return found


def _three(numbers: tuple[int, ...]) -> tuple[int, int, int]:
    x, y, z = numbers
    return x, y, z


# ---- questions


def set_attribute(state: State, call: Call, place: Place) -> Reply:
    attribute, value = call.numbers
    kernel = state.kernels.find(call.content.decode())
    if attribute == 8:
        most = state.gpu.shared_bytes - state.gpu.reserved_bytes
        if value > most:
            state.find(HostKind.FAILED_LAUNCH, place, why="attribute", number=value, name=kernel.name, most=most)
            return fail("cudaErrorInvalidValue")
        state.here.shared_limits[kernel] = value
    return Reply()


def attributes(state: State, call: Call, place: Place) -> Reply:
    kernel = state.kernels.find(call.content.decode())
    registers, shared = takes(state, kernel)
    most = state.here.shared_limits.get(kernel, SHARED)
    threads = kernel.signature.most_threads or most_threads(state.gpu, registers)
    runs_on, is_for = int(state.gpu.arch.removeprefix("sm_")), state.kernels.generation(kernel)
    return Reply(numbers=(shared, registers, most, runs_on, threads, is_for))


def active_blocks(state: State, call: Call, place: Place) -> Reply:
    block, shared = call.numbers
    kernel = state.kernels.find(call.content.decode())
    registers, static = takes(state, kernel)
    try:
        fits = occupancy(state.gpu, block, registers, static + shared)
    except UsageError:
        return fail("cudaErrorInvalidValue")
    return Reply(numbers=(fits.blocks_per_sm,))


CALLS = {
    "begin launch": begin_launch,
    **dict.fromkeys(("cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cudaLaunchKernelExC"), launch),
    "cudaFuncSetAttribute": set_attribute,
    "cudaFuncGetAttributes": attributes,
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor": active_blocks,
    **dict.fromkeys(("cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig"), nothing),
}
