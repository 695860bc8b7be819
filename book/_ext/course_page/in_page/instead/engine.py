"""cuda/compiler/engine.py in a page, which has one engine and is its host."""

from __future__ import annotations

from enum import StrEnum


class Engine(StrEnum):
    NATIVE = "native"
    WEBASSEMBLY = "webassembly"


def engine() -> Engine:
    return Engine.WEBASSEMBLY


def native_problem() -> str | None:
    return "this is a page"


def host_command() -> tuple[str, ...]:
    """No command: `cuda/backends/node_process.py` asks the page's worker."""
    return ()
