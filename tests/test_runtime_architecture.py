"""Do the emulator's headers include one way? Each includes what it uses, from its own room or from a lower one."""

import re
from pathlib import Path

import pytest
import ziglang

from autograder.cuda.compiler import zig
from autograder.cuda.compiler.clang import clang
from autograder.cuda.compiler.emulator_runtime import EMULATOR, includes
from autograder.cuda.compiler.observer_list import write_observer_list
from autograder.cuda.compiler.protocol_header import write_headers

#: From the ground up: a room includes from itself and from those below it, not from those beside it.
LAYERS = [
    "types.h",
    "protocol.h",
    "platform inlined",
    "launch",
    "protocol_json.h counting events",
    "observers",
    "scheduling",
    "hooks",
    "main.cpp",
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer.split()}
ROOMS = [EMULATOR / name for name in RANK if (EMULATOR / name).is_dir()]
HEADERS = sorted(path for room in ROOMS for path in room.rglob("*.h"))
FILES = [*HEADERS, EMULATOR / "inlined/inline_hooks.cpp", EMULATOR / "main.cpp", EMULATOR / "types.h"]
#: Only these folders have system headers and assembly.
PLATFORMS = {EMULATOR / "platform/linux", EMULATOR / "platform/wasm"}
#: What is compiled for WebAssembly alone.
WASM = [path for path in HEADERS if "wasm" in path.relative_to(EMULATOR).as_posix()]


def room(path: Path) -> str:
    """The room of a file. (The generated observers.h includes all observers.)"""
    return "observers" if path.name == "observers.h" else path.relative_to(EMULATOR).parts[0]


def included(path: Path) -> list[Path]:
    """The runtime's own files that `path` includes; those made from protocol.json need not exist."""
    names = re.findall(r'^#include "(.*)"', path.read_text(), re.MULTILINE)
    beside = ((path.parent / name, EMULATOR / name) for name in names)
    return [near.resolve() if near.exists() else far for near, far in beside]


def test_each_header_includes_only_from_its_own_room_and_those_below() -> None:
    for path in FILES:
        for other in included(path):
            assert room(other) == room(path) or RANK[room(other)] < RANK[room(path)], f"{path} includes {other}"


def test_no_header_includes_itself_by_way_of_others() -> None:
    left = {path: {other for other in included(path) if other.exists()} for path in FILES}
    while ready := {path for path, others in left.items() if not others}:
        left = {path: others - ready for path, others in left.items() if path not in ready}
    assert not left


def functions(end: str) -> dict[str, set[str]]:
    """The rooms in which a function's head ends so: in ";" where it is only declared, in "{" where it is defined."""
    head = re.compile(rf"^(?:\S.* )?static\b[\w\s:<>*&]*?\b(\w+)\([^;{{}}]*\)\s*{re.escape(end)}", re.MULTILINE)
    rooms: dict[str, set[str]] = {}
    for path in FILES:
        for name in head.findall(path.read_text()):
            rooms.setdefault(name, set()).add(room(path))
    return rooms


def test_a_room_declares_nothing_that_a_higher_one_defines() -> None:
    defined = functions("{")
    declared = functions(";")
    assert "map_pages" in declared
    for name, rooms in declared.items():
        assert max(RANK[room] for room in defined[name]) <= min(RANK[room] for room in rooms), name


def test_only_the_platform_knows_the_system() -> None:
    for path in (path for path in FILES if not PLATFORMS & {*path.parents}):
        assert not re.search(r"^#include <|\basm\b|__linux__", path.read_text(), re.MULTILINE), path


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler may take its time for all headers: its limit is for one text of a student."""
    monkeypatch.setattr(zig, "COMPILE_SECONDS", 600)


@pytest.mark.usefixtures("patient")
def test_each_header_compiles_alone(tmp_path: Path) -> None:
    """Then it includes all that it uses."""
    write_headers(tmp_path)
    write_observer_list(tmp_path, EMULATOR)
    library = Path(ziglang.__file__).parent / "lib"
    system = ["x86-linux-gnu", "generic-glibc", "x86-linux-any", "any-linux-any"]
    flags = "-target x86_64-linux-gnu -std=c++20 -fsyntax-only -w -nostdinc -x c++".split()
    for folder in [library / "include", *(library / "libc/include" / name for name in system)]:
        flags += ["-isystem", str(folder)]
    native = [path for path in HEADERS if path not in WASM]
    assert clang([*flags, *includes(EMULATOR), *map(str, native)], tmp_path) is None


@pytest.mark.usefixtures("patient")
def test_each_header_for_webassembly_compiles_alone(tmp_path: Path) -> None:
    write_headers(tmp_path)
    flags = "-target wasm64-freestanding -std=c++20 -fsyntax-only -w -x c++".split()
    assert clang([*flags, *includes(EMULATOR), *map(str, WASM)], tmp_path) is None
