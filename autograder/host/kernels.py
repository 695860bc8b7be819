"""The kernels of a program: their texts, what their parameters take, and their launches on the emulator."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..backends import emulator
from ..backends.emulator_process import File
from ..backends.unchecked import compute
from ..compiler.elf import read_elf
from ..compiler.toolchain import Module, compile_kernel
from ..core.findings import Finding
from ..core.host_findings import Place
from ..core.launch import Area, Launch
from ..core.run import Run
from ..errors import GraderFault, UsageError
from ..source.file_kernel import kernel_part
from ..source.gather import Gathered
from ..source.signature import Parameter, Signature, find_kernel, is_ambiguous
from .heap import machine_memory
from .lambda_lines import LambdaLines
from .unit import Unit

#: Limits of a launch of one's own program, which may be as large as a GPU's: whoever runs it can stop it. An endless
#: loop is stopped all the same, by its steps: in about a minute on a slow machine.
_MAX_STEPS, _CPU_SECONDS = 200_000_000, 3600.0


@dataclass(frozen=True)
class KernelText:
    """What one kernel needs of the text of its `unit`, where its lines come from, and those of its lambdas."""

    unit: str
    name: str
    source: str
    gathered: Gathered
    signature: Signature
    lambdas: LambdaLines

    @cached_property
    def compiled(self) -> Module | Finding:
        """The module for a small launch, or why the text does not compile."""
        with _ours():
            compiled = emulator.compile_for(Launch(self.source, self.signature, (1, 1, 1), (1, 1, 1), ()))
        return self.lambdas.tell(compiled) if isinstance(compiled, Finding) else compiled

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The bytes of each parameter, as the compiled kernel has them."""
        assert isinstance(self.compiled, Module)
        elf = read_elf(self.compiled.path.read_bytes())
        symbol = next(s for s in elf.symbols(elf.by_name[".symtab"]) if s.name == "emu_parameters")
        section = elf.sections[symbol.section]
        at = section.offset + symbol.address - section.address
        (count,) = struct.unpack_from("<I", elf.content, at)
        return struct.unpack_from(f"<{count}I", elf.content, at + 4)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters. Where some are in branches (#ifdef), only the compiler knows which there are: any that may
        be a pointer, without names."""
        if len(self.signature.parameters) == len(self.sizes):
            return self.signature.parameters
        return tuple(Parameter("", "", "void*", None, size == 8, False) for size in self.sizes)


@dataclass(frozen=True)
class Launched:
    """A launch, by the line `place`: what it did. `launch` is without its memory, and its text is the one that reports
    show. Of one that was not `checked`, nothing is known but what stopped it."""

    kernel: KernelText
    place: Place
    launch: Launch
    run: Run
    checked: bool = True


class Kernels:
    """Reads each kernel of a program once, from the text of its unit."""

    def __init__(self, units: Mapping[str, Unit]) -> None:
        self._units = units
        self._known: dict[str, KernelText] = {}

    def find(self, declared: str) -> KernelText:
        """The text of a kernel, by its unit's name and, behind a blank, its declaration as a demangler writes it.

        Raises:
            UsageError: the emulator cannot take it; the message says why.
        """
        if declared not in self._known:
            unit, _, declaration = declared.partition(" ")
            if "'lambda" in declaration:
                kernel = re.split("[<(]", declaration.removeprefix("void "), maxsplit=1)[0]
                raise UsageError(
                    f"{kernel} gets a lambda that the emulator cannot give a name: write one in a function, which "
                    "captures by copy, [=] __device__ (...) {...}, or a struct with operator()."
                )
            whole = self._units[unit].gathered
            gathered, part, name = kernel_part(whole, kernel_name(declaration))
            if is_ambiguous(part.text, name):
                name += _parameters(declaration)
            lambdas = LambdaLines(part.text, gathered.lines, whole)
            self._known[declared] = KernelText(unit, name, part.text, gathered, find_kernel(part.text, name), lambdas)
        return self._known[declared]

    def declared(self, unit: str, variable: str) -> bytes:
        """What the text of a unit declares that a variable on the GPU holds, by its qualified name.

        Raises:
            UsageError: what it needs of the text does not compile for the emulator, or it is no variable.
        """
        text = self._units[unit].gathered
        reading = f"__global__ void read_declared(const void** out) {{ *out = (const void*)&{variable}; }}"
        reading = reading.replace("(anonymous namespace)::", "")
        longer = replace(text, text=f"{text.text}\n{reading}", lines=(*text.lines, text.lines[-1]))
        _, part, name = kernel_part(longer, "read_declared")
        with _ours():
            module = compile_kernel(part.text, name)
        arrays = module.info.arrays if isinstance(module, Module) else ()
        array = next((array for array in arrays if array.symbol == variable), None)
        if array is None or not isinstance(module, Module):
            raise UsageError(f"What {variable} holds at the beginning cannot be read by the emulator.")
        elf = read_elf(module.path.read_bytes())
        section = next(s for s in elf.sections if s.address and s.address <= array.start < s.end)
        offset = array.start - section.address
        return elf.bytes_of(section)[offset : offset + array.bytes] or bytes(array.bytes)


def kernel_name(declared: str) -> str:
    """A kernel's name as `Kernel` takes it, of "void blur<float, 128>(float*, int)"."""
    text = declared.replace("(anonymous namespace)::", "")
    text = text.removesuffix(_parameters(text))
    # A template's declaration begins with what it returns.
    return re.sub(r"(?<=\d)(?:u|ul|l|ull|ll)\b", "", text.removeprefix("void "))


def _parameters(declared: str) -> str:
    """The brackets behind a function's name, with what they hold; "" if there are none."""
    depth = 0
    for at in range(len(declared) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(declared[at], 0)
        if depth == 0 and declared[at] == "(":
            return declared[at:]
    return ""


def run_launch(kernel: KernelText, launch: Launch, areas: Sequence[Area], *, limited: bool) -> Run:
    """Run a launch that finds `areas` in the GPU's memory; unless the program is `limited`, it may take long, and much.
    Raises what `emulator.run` raises."""
    found = replace(launch, areas=tuple(areas))
    with _ours():
        if limited:
            return emulator.run(found)
        memory = max(emulator.MEMORY, machine_memory() // 4)
        return emulator.run(found, max_steps=_MAX_STEPS, cpu_seconds=_CPU_SECONDS, memory=memory)


def compute_launch(launch: Launch, areas: Sequence[Area], memory: File) -> Run:
    """Run a launch without checks, in the GPU's `memory` itself. Raises what `unchecked.compute` raises."""
    with _ours():
        return compute(replace(launch, areas=tuple(areas)), memory, _CPU_SECONDS)


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
