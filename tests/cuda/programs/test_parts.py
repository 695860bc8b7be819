"""The parts of running a program that need no program."""

from __future__ import annotations

import re
from pathlib import Path

import inputs
import numpy as np
import pytest

from autograder.cuda.compiler.elf import OBJECT, UNDEFINED, read_elf
from autograder.cuda.compiler.module_info import qualified
from autograder.cuda.core.host_findings import NOWHERE
from autograder.cuda.programs.building import build
from autograder.cuda.programs.building.build import build_program
from autograder.cuda.programs.memory.access_spans import changes, joined, used_by_launch, uses
from autograder.cuda.programs.memory.heap import ADDRESS, LEAST, SIZE, Heap, bearable
from autograder.cuda.programs.process import CALLS
from autograder.cuda.programs.timeline import DEFAULT, Operation, Timeline

pytestmark = inputs.commands

HOST = Path(build.__file__).parents[1]


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("x", "x"),
        ("_ZL5table", "table"),
        ("_ZN2myL3tabE", "my::tab"),
        ("_ZN2my3tabE", "my::tab"),
        ("_ZN12_GLOBAL__N_13tabE", "(anonymous namespace)::tab"),
        ("_ZZ1kvE1n", "Z1kvE1n"),
    ],
)
def test_a_variables_name_in_its_symbol(mangled: str, name: str) -> None:
    assert qualified(mangled) == name


def test_no_function_of_a_programs_but_those_that_note_blocks_comes_before_the_c_librarys(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text("#include <iostream>\nint main() { std::cout << 1; }\n")
    elf = read_elf(build_program(tmp_path / "p.cu").path.read_bytes())
    symbols = elf.symbols(elf.by_name[".dynsym"])
    assert "write" in [symbol.name for symbol in symbols]
    mine = {s.name for s in symbols if s.section != UNDEFINED and s.kind != OBJECT}  # streams are copies
    assert {"malloc", "free"} <= mine <= {"malloc", "calloc", "realloc", "reallocarray", "free"}


def add(timeline: Timeline, stream: int) -> Operation:
    return timeline.add(stream, "writes", NOWHERE, uses(writes=[(0, 4)]))


def test_what_streams_order() -> None:
    timeline = Timeline()
    timeline.create(7, blocking=True)
    timeline.create(8, blocking=True)
    timeline.create(9, blocking=False)
    first = add(timeline, 7)
    assert [o for o, *_ in timeline.conflicts(add(timeline, 7))] == []  # of one stream
    other = add(timeline, 8)
    assert next(o for o, *_ in timeline.conflicts(other)) is first
    of_default = add(timeline, DEFAULT)  # waits for both
    assert [o for o, *_ in timeline.conflicts(of_default)] == []
    assert [o for o, *_ in timeline.conflicts(add(timeline, 8))] == []  # waits for it
    assert of_default in [o for o, *_ in timeline.conflicts(add(timeline, 9))]  # does not
    timeline.synchronize()
    assert timeline.in_flight == [] and list(timeline.conflicts(add(timeline, 9))) == []


def test_an_event_orders_what_comes_behind_it() -> None:
    timeline = Timeline()
    timeline.create(7, blocking=False)
    timeline.create(8, blocking=False)
    add(timeline, 7)
    event = timeline.of_stream(7)
    late = add(timeline, 7)
    timeline.wait(8, event)
    assert [o for o, *_ in timeline.conflicts(add(timeline, 8))] == [late]


def test_a_heap_keeps_freed_memory_apart_until_it_is_needed() -> None:
    heap = Heap(LEAST)
    first = heap.allocate(100, "device", NOWHERE, "cudaMalloc", "x")
    assert first and first.address > ADDRESS and not first.written
    heap.free(first, NOWHERE)
    second = heap.allocate(100, "device", NOWHERE, "cudaMalloc", "y")
    assert second and second.address > first.end
    assert heap.find(first.address + 1) is first and heap.find(first.end + 1) is None
    assert heap.allocate(SIZE, "device", NOWHERE, "cudaMalloc", "z") is None
    for _ in range(50):  # more than fit at once
        made = heap.allocate(100 << 20, "device", NOWHERE, "cudaMalloc", "z")
        assert made
        heap.free(made, NOWHERE)
    assert heap.find(second.address) is second


def test_where_two_operations_meet() -> None:
    odd, even = (uses(writes=[(at, at + 4) for at in range(start, 80, 8)]) for start in (4, 0))
    assert odd.conflict(even) is None
    assert odd.conflict(uses(reads=[(33, 36)])) is None and odd.conflict(uses(reads=[(33, 37)])) == (36, True, False)
    assert uses(reads=[(0, 9)]).conflict(uses(reads=[(0, 9)])) is None
    assert uses(reads=[(0, 9)]).conflict(uses(reads=[(0, 9)], writes=[(8, 20)])) == (8, False, True)
    assert joined([odd, even]).writes.tolist() == [[0, 80]]
    both = uses(reads=[(0, 9)], writes=[(8, 20), (30, 31)])
    for address in range(-1, 33):
        byte = [(address, address + 1)]
        assert both.conflict_at(address, writes=False) == both.conflict(uses(reads=byte))
        assert both.conflict_at(address, writes=True) == both.conflict(uses(writes=byte))
    assert even.pages(0, 100, 10) == (set(), {0, 10, 20, 30, 40, 50, 60, 70})
    assert uses(reads=[(5, 25)]).pages(0, 100, 10) == ({0, 10, 20}, set())


def test_what_a_launch_uses() -> None:
    words_of_memory = np.array([0, 1, 1, 2, 3, 0, 2], np.uint8)
    whole = used_by_launch(100, 27, words_of_memory, 4)
    assert (whole.reads.tolist(), whole.writes.tolist()) == ([[104, 112], [116, 120]], [[112, 120], [124, 127]])
    of_bytes = used_by_launch(100, 27, words_of_memory, 1)  # which of four, is not known
    assert (of_bytes.reads.tolist(), of_bytes.writes.tolist()) == ([[107, 109]], [[115, 117]])
    assert changes(100, np.array([1, 2, 3, 4]), np.array([1, 0, 0, 4])).writes.tolist() == [[101, 103]]


def test_each_call_of_the_programs_runtime_is_answered() -> None:
    runtime = "\n".join(path.read_text() for path in (HOST / "runtime").glob("*.cpp"))
    by_function = re.findall(r"^\w+ (cuda\w+)\([^;{]*\) \{[^}]*?\b(?:REQUEST|ABOUT|HERE)\b", runtime, re.MULTILINE)
    by_name = re.findall(r'(?:request|request_by|about)\("([^"]+)"', runtime)
    assert len(by_function) > 50 and len(by_name) > 5
    assert {*by_function, *by_name} - CALLS.keys() == set()


@pytest.mark.parametrize(("machine", "most"), [(4, 256), (16, 512), (100, 768)])
def test_a_program_of_ones_own_gets_the_memory_that_the_machine_can_bear(
    machine: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": machine << 18}.__getitem__)
    assert bearable() == most << 20
