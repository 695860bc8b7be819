"""The kernels of a program: their texts, what their parameters take, and their launches on the emulator."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ...backends import emulator
from ...backends.emulator_process import File, Watch
from ...backends.unchecked import compute
from ...compiler.cache import build_once, cache_folder, digest
from ...compiler.front_end import module_of
from ...compiler.host_code import users_functions
from ...compiler.initial_content import initial_content
from ...compiler.ir import Alloca
from ...compiler.ir.signatures import copied_type, read_signature
from ...compiler.kernel_signature import signature_of
from ...compiler.module_info import qualified
from ...compiler.passes.launches import name_launched, pointed_functions
from ...compiler.toolchain import Module
from ...compiler.verifier.layout import Layout
from ...core.child_launches import ChildUses
from ...core.device_code import DeviceCode
from ...core.findings import Access, Finding
from ...core.host_findings import Place
from ...core.launch import Area, ProgramLaunch
from ...core.run import Run
from ...core.signature import Signature
from ...errors import GraderFault, UsageError
from ...nvrtc import compiler as nvrtc
from ...nvrtc.occupancy import measure
from ...source.gather import Gathered
from ..building.device_link import LinkedUnits
from ..building.device_symbols import plain
from ..building.nvrtc_source import nvrtc_source
from ..building.runtime_build import runtime
from ..building.stored_unit import Unit
from ..memory.heap import machine_memory

#: Limits of a launch of one's own program, which may be as large as a GPU's: whoever runs it can stop it. An endless
#: loop is stopped all the same, by its steps: in about a minute on a slow machine.
_MAX_STEPS, _CPU_SECONDS = 200_000_000, 3600.0
#: The file in the cache with the number of registers of a kernel.
_COUNT = "count"
#: How names begin that no text can spell.
UNNAMED = "(anonymous namespace)::"
_PLACE_OF_LAMBDA = re.compile(r"(?<=\(lambda) at [^()]*(?=\))")


@dataclass(frozen=True)
class KernelText:
    """A kernel of a program: its unit's name, and the unit's text and code."""

    unit: str
    gathered: Gathered
    code: DeviceCode

    @property
    def source(self) -> str:
        return self.gathered.text

    @cached_property
    def signature(self) -> Signature:
        """Its name as reports show it, and its parameters, as the compiler has them."""
        found = signature_of(module_of(self.code), self.code.symbol)
        return replace(found, name=_PLACE_OF_LAMBDA.sub("", found.name.replace(UNNAMED, "")))

    @property
    def name(self) -> str:
        return self.signature.name

    @property
    def typed_name(self) -> str:
        """Its name with the types of its parameters, by which several kernels of one name differ."""
        return f"{self.name}({', '.join(parameter.type for parameter in self.signature.parameters)})"

    @cached_property
    def compiled(self) -> Module | Finding:
        """The module for a small launch, or why the emulator cannot take the kernel."""
        with _ours():
            return emulator.compile_for(
                ProgramLaunch(self.source, self.signature, (1, 1, 1), (1, 1, 1), (), code=self.code)
            )

    @property
    def allocates(self) -> bool:
        """Whether it allocates memory from the kernels' heap."""
        return isinstance(self.compiled, Module) and "emu_allocate" in self.compiled.info.calls

    @cached_property
    def variable_bytes(self) -> int:
        """The bytes of all variables of the functions that it reaches in the user's text, with their parameters."""
        module = module_of(self.code)
        layout, users = Layout(module), users_functions(module)
        kinds = (i.type for f in users for i in f.instructions() if isinstance(i, Alloca))
        return sum(map(layout.size, kinds))

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where each parameter is among the arguments that a kernel gives a launch."""
        module = module_of(self.code)
        layout, offsets, end = Layout(module), list[int](), 0
        for parameter in read_signature(module.functions[self.code.symbol].head).parameters:
            size = layout.size(copied_type(parameter) or parameter.type)
            end += -end % (parameter.align if copied_type(parameter) else size)
            offsets.append(end)
            end += size
        return tuple(offsets)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The bytes of each parameter."""
        return tuple(parameter.bytes for parameter in self.signature.parameters)


@dataclass(frozen=True)
class Launcher:
    """The thread that makes a launch, `at` a line of its kernel, and its own launch."""

    launched: Launched
    at: Access

    @property
    def depth(self) -> int:
        """How many launches a launch that it makes is nested in."""
        return 1 + (self.launched.by.depth if self.launched.by else 0)


@dataclass(frozen=True)
class Launched:
    """A launch by the line `place`, and `by` a thread if not by the host: what it did. `launch` is without its memory,
    and its text is the one that reports show. Of its blocks, `blocks` were checked. What the others used is not known,
    and of their mistakes only what stopped them."""

    kernel: KernelText
    place: Place
    launch: ProgramLaunch
    run: Run
    blocks: int
    by: Launcher | None = None

    @property
    def is_checked(self) -> bool:
        """Whether all of its blocks were checked."""
        return self.blocks == math.prod(self.launch.grid)


class Kernels:
    """Reads each kernel of a program once, from the code of its unit."""

    def __init__(self, units: Mapping[str, Unit]) -> None:
        self._units, self._linked = dict(units), LinkedUnits(units)
        self._known: dict[str, KernelText] = {}
        self._codes: dict[str, tuple[str, str]] = {}
        self._registers: dict[tuple[str, str], int] = {}

    def add(self, unit: Unit) -> None:
        """A unit that was compiled while the program runs."""
        self._units[unit.name] = unit
        self._linked.add(unit)

    def knows(self, unit: str) -> bool:
        return unit in self._units

    def code(self, unit: str) -> str:
        """The LLVM IR of a unit."""
        return self._units[unit].ir

    def find(self, registered: str) -> KernelText:
        """A kernel, by its unit's name and its mangled name, with a blank between them."""
        if registered not in self._known:
            name, symbol = registered.split(" ")
            holder = self._linked.holder(name)
            files = dict.fromkeys((*self._units[name].gathered.files, *holder.gathered.files))
            gathered = replace(holder.gathered, files=tuple(files))  # the kernel's own first
            ir, typed = self._code(holder)
            code = DeviceCode(ir, typed, self._linked.symbol(name, f"@{symbol}"))
            self._known[registered] = KernelText(name, gathered, code)
        return self._known[registered]

    def _code(self, holder: Unit) -> tuple[str, str]:
        """The LLVM IR of a unit, with launches that only name their kernels; and the same with types."""
        if holder.name not in self._codes:
            self._codes[holder.name] = name_launched(holder.ir), name_launched(holder.typed)
        return self._codes[holder.name]

    def launched_by(self, kernel: KernelText, pointer: int) -> KernelText | None:
        """The kernel that a kernel launches through this pointer; None: it is a pointer to none."""
        symbol = pointed_functions(kernel.code.ir).get(pointer)
        return self.find(f"{kernel.unit} {plain(symbol)}") if symbol else None

    def registers(self, kernel: KernelText, arch: str) -> int:
        """How many registers a thread takes on GPUs of `arch`, if NVRTC is here and compiles the kernel; 0 if not."""
        key = (kernel.unit, kernel.code.symbol)
        if key not in self._registers:
            self._registers[key] = 0 if nvrtc.problem() else _registers(self._units[kernel.unit], kernel, arch)
        return self._registers[key]

    def generation(self, kernel: KernelText) -> int:
        """Of the GPU that the kernel is compiled for, as 90 for `sm_90`."""
        return self._units[kernel.unit].generation

    def variable(self, unit: str, mangled: str) -> tuple[str, str]:
        """The name of what holds the code of a unit, and the qualified name there of a variable of the unit's."""
        return self.holder(unit), qualified(self._linked.symbol(unit, f"@{mangled}")[1:])

    def holder(self, unit: str) -> str:
        """The name of what holds the code of a unit, which may hold that of others, too."""
        return self._linked.holder(unit).name

    def declared(self, holder: str, variable: str) -> bytes:
        """What a variable on the GPU holds at first, by its qualified name.

        Raises:
            UsageError: that cannot be known.
        """
        with _ours():
            content = initial_content(self._linked.holder(holder).ir, variable)
        if content is None:
            raise UsageError(f"What {variable} holds at the beginning cannot be read by the emulator.")
        return content


def _registers(unit: Unit, kernel: KernelText, arch: str) -> int:
    """As `Kernels.registers`, from the cache if it is there."""
    version = "{}.{}".format(*nvrtc.version())

    def measured(folder: Path) -> None:
        count = 0
        for name in (kernel.name, kernel.typed_name):
            if not (whole := nvrtc_source(unit.half, name)).log:
                with suppress(UsageError, GraderFault):
                    count = measure(whole.text, name, arch, unit.standard).registers
                break
        (folder / _COUNT).write_text(str(count), encoding="utf-8")

    key = digest(version, runtime().name, unit.half, unit.standard, kernel.code.symbol, arch)
    place = build_once(cache_folder() / "registers" / key, measured)
    return int((place / _COUNT).read_text(encoding="utf-8"))


def run_launch(
    launch: ProgramLaunch,
    areas: Sequence[Area],
    *,
    limited: bool = False,
    blocks: Sequence[int] = (),
    max_work: int = 0,
    watch: Watch | None = None,
    followed: int | None = None,
    child_uses: Sequence[ChildUses] = (),
) -> Run:
    """Run a launch that finds `areas` in the GPU's memory; unless the program is `limited`, it may take long, and much.
    `blocks`, `max_work`, `watch`, `followed` and `child_uses` are as for `emulator.run`, which also says what is
    raised; it is traced if a block is followed."""
    found = replace(launch, areas=tuple(areas))
    with _ours():
        if limited:
            return emulator.run(found)
        memory = max(emulator.MEMORY, machine_memory() // 4)
        return emulator.run(
            found,
            max_steps=_MAX_STEPS,
            cpu_seconds=_CPU_SECONDS,
            memory=memory,
            blocks=blocks,
            max_work=max_work,
            watch=watch,
            trace=followed is not None,
            followed=followed,
            child_uses=child_uses,
        )


def compute_launch(launch: ProgramLaunch, areas: Sequence[Area], memory: File, watch: Watch | None) -> Run:
    """Run a launch without checks, in the GPU's `memory` itself. Raises what `unchecked.compute` raises."""
    with _ours():
        return compute(replace(launch, areas=tuple(areas)), memory, _CPU_SECONDS, watch)


@contextmanager
def _ours() -> Iterator[None]:
    """What fails in the emulator is our fault, whatever it is, and not that of the program that calls it."""
    try:
        yield
    except (UsageError, GraderFault):
        raise
    except Exception as error:
        raise GraderFault(f"The emulator failed: {error!r}") from error


def argument(content: bytes) -> np.generic:
    """The bytes of an argument."""
    return np.frombuffer(content, np.dtype((np.void, len(content))))[0]  # type: ignore[no-any-return]
