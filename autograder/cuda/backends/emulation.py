"""Runs a launch once, or several times, in files that it shares with the runner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np

from ..compiler.toolchain import Module
from ..core.answer import AnswerError, broken_answer
from ..core.launch import Launch, ProgramLaunch
from ..core.protocol import CONSTANTS, dtype
from ..core.records import Answer
from .answer_check import check_answer
from .emulator_process import File
from .emulator_reader import Reader
from .emulator_request import Placement, Settings, request, shadow_words

#: An event of a trace.
EVENT = dtype("TraceEvent")
#: Most events of a trace.
TRACE_EVENTS = 2_000_000
# In the uses of a shadow word: that it held a value before the launch.
_HAS_VALUE = CONSTANTS["HAS_VALUE"]


@dataclass(frozen=True)
class Outcome:
    """What a run has left: the runner's answer, the launch's arrays, the variables on the GPU, how the launch used each
    array (`Placement.uses`), and the events of its trace."""

    answer: Answer
    arrays: list[bytearray]
    symbols: dict[str, bytes]
    uses: list[bytearray]
    events: np.ndarray

    def differs(self, other: Outcome) -> bool:
        """Whether the other run did something else, as far as its caller can see."""
        mine, its = self.answer, other.answer
        return (mine.stop, mine.printed, self.arrays) != (its.stop, its.printed, other.arrays)


@dataclass(frozen=True)
class Emulation:
    """A launch with the files that a runner maps: it can run several times. `process` is the module that starts the
    runner, by the command `program`: `emulator_process` or `node_process`."""

    launch: Launch
    module: Module
    placement: Placement
    process: ModuleType
    program: tuple[str, ...]
    arena: File
    events: File
    patience: float

    def run(self, settings: Settings) -> Outcome | None:
        """Run the launch once; None if the fast path leaves it to the full check."""
        launch, info = self.launch, self.module.info
        self._fill(launch.experiment.replayed if settings.substitute == "recorded" else launch.arrays)
        packed = request(launch, info, self.placement, settings)
        try:
            answer = self.process.exchange(
                self.program, self.module.path, packed, self.arena, self.events, self.patience
            )
            if answer is None:
                return None
            events = self._events(answer.traced)
            check_answer(answer, events, launch, info, len(self.placement.arrays))
        except AnswerError:  # whatever a kernel does to its process, it's that kernel's crash
            answer, events = broken_answer(), self._events(0)
        return self._outcome(answer, events)

    def check_fully(self, settings: Settings) -> Outcome:
        """Run the launch once, in one process that records everything a finding needs."""
        return self.run(replace(settings, workers=0)) or self._outcome(broken_answer(), self._events(0))

    def _fill(self, contents: Sequence[np.ndarray]) -> None:
        """Write what the launch finds: its arrays, which words of them hold values, and its variables."""
        placement = self.placement
        for (area, array), values in zip(placement.given, contents, strict=True):
            # A program's memory is large, so it is not copied once more.
            is_flat = isinstance(self.launch, ProgramLaunch)
            self.arena.write(array.start, values.view(np.uint8).data if is_flat else values.tobytes())
            if isinstance(area.written, np.ndarray):
                self.arena.write(placement.uses[array.start], (area.written.view(np.uint8) * np.uint8(_HAS_VALUE)).data)
        for name in placement.variables.keys() & self.launch.symbols.keys():
            self.arena.write(placement.variables[name], self.launch.symbols[name])

    def reader(self) -> Reader:
        return Reader(self.launch, self.module.info, self.placement.arrays)

    def _outcome(self, answer: Answer, events: np.ndarray) -> Outcome:
        placement, read = self.placement, self.arena.read
        given = [array for _, array in placement.given]
        sizes = {array.symbol: array.bytes for array in placement.of_module}
        return Outcome(
            answer,
            [read(array.start, array.bytes) for array in given],
            {name: bytes(read(start, sizes[name])) for name, start in placement.variables.items()},
            [read(placement.uses[array.start], shadow_words(array)) for array in given if placement.uses],
            events,
        )

    def _events(self, count: int) -> np.ndarray:
        """The first `count` events of the trace, or as many as there are."""
        return np.frombuffer(self.events.read(0, min(count, TRACE_EVENTS) * EVENT.itemsize), EVENT)
