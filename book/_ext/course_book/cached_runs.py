"""Launches on the emulator whose runs are cached by content: a page's kernel runs again only if it, or what runs it,
has changed.

The cache is beside the compiled kernels, for one version of the package at a time, and just as safe to delete. It uses
pickle, so only a build on the machine that wrote it reads it.
"""

from __future__ import annotations

import copyreg
import functools
import hashlib
import os
import pickle
import shutil
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from autograder import Kernel
from autograder.classroom.execution.task import checker_version
from autograder.cuda.backends import emulator
from autograder.cuda.compiler.cache import cache_folder, keeping
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import Run


def _fixed(items: dict[str, Any]) -> MappingProxyType[str, Any]:
    return MappingProxyType(items)


# Findings contain these; pickle does not support them by itself.
copyreg.pickle(MappingProxyType, lambda fixed: (_fixed, (dict(fixed),)))

#: The version of the package and its libraries, computed once a build.
_version = functools.cache(checker_version)


def emulate(source: str, name: str, **how: Any) -> Run:
    """As `Kernel(source, name).emulate(**how)`, but runs only what was not run before."""
    key = hashlib.sha256(pickle.dumps((source, name, sorted(how.items())))).hexdigest()[:32]
    cached = cache_folder() / "runs" / _version() / key
    with suppress(FileNotFoundError):
        found: Run = pickle.loads(cached.read_bytes())
        return found
    run = Kernel(source, name).emulate(**how)
    with keeping(), suppress(FileNotFoundError):  # if a build of another version removes this one's at this moment
        if not cached.parent.exists():  # another version's runs are of no use
            shutil.rmtree(cached.parent.parent, ignore_errors=True)
        cached.parent.mkdir(parents=True, exist_ok=True)
        staged = cached.with_suffix(f".{os.getpid()}")
        staged.write_bytes(pickle.dumps(run))
        staged.replace(cached)
    return run


def run(launch: Launch) -> Run:
    """As `emulator.run(launch)`, for a launch whose arrays all hold values."""
    assert not launch.empty
    if launch.experiment.ignored:  # only a check asks for that, in a launch or two
        return emulator.run(launch)
    return emulate(
        launch.source,
        launch.name,
        grid=launch.grid,
        block=launch.block,
        args=launch.args,
        shared_mem=launch.shared_mem,
    )
