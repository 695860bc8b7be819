"""Answers: random bytes, and a true answer with anything in it exchanged. Each is taken or refused as an answer."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
from fuzz_target import changed, spoiled
from test_bad_answers import AT, RACE, RIGHT, SOURCE

from autograder.cuda.backends import emulator
from autograder.cuda.backends.answer_check import check_answer
from autograder.cuda.backends.emulation import EVENT
from autograder.cuda.backends.emulator_reader import Reader
from autograder.cuda.backends.emulator_request import place
from autograder.cuda.compiler.toolchain import Module
from autograder.cuda.core.answer import AnswerError, read_answer
from autograder.cuda.kernel import Kernel

_STOP = {"kind": "Trap", "assertion": "", "at": AT}
_TRAFFIC = {"site": 1, "space": 0, "action": 0, "requests": 1, "units": 1, "units_at_best": 1, "conflicts": 1}
_LOCAL = {"local": "own:4:4", "offset": 0, "count": 1, "at": AT}


class Answers:
    shown = ""

    def __init__(self, seed: int, folder: Path) -> None:
        self._launch = Kernel(SOURCE, "k").prepare(1, 32, [np.zeros(32, np.int32)], 0)
        module = emulator.compile_for(self._launch)
        assert isinstance(module, Module)
        self._info = module.info
        self._arrays = place(self._launch, module.info).arrays

    def case(self, chance: random.Random) -> str:
        whole = RIGHT | {"races": [RACE], "stop": _STOP, "traffic": [_TRAFFIC], "local_reads": [_LOCAL]}
        answer = json.loads(json.dumps(whole))
        for _ in range(chance.choice((0, 1, 1, 2, 5))):
            answer = changed(answer, chance)
        text = json.dumps(answer).encode()
        if chance.random() < 0.3:
            text = spoiled(text, chance)
        self.shown = repr(text)
        try:
            record = read_answer(text)
            check_answer(record, np.zeros(0, EVENT), self._launch, self._info, len(self._arrays))
        except AnswerError:
            return "refused"
        reader = Reader(self._launch, self._info, self._arrays)
        reader.findings(record, checks=True, undefined_used=False)
        reader.traffic(record.traffic)
        return "taken"
