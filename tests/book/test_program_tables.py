"""Do the tables of whole programs say what their files say?"""

import re
from pathlib import Path

import inputs
import pytest
from course_book import program_tables

from autograder.performance.measurements import read, write

pytestmark = inputs.book

WHERE = {"device": "a machine", "driver": "1", "date": "2026-01-01", "script": "a script"}
HOST = Path(__file__).parents[1] / "host"


def cells(html: str) -> list[list[str]]:
    """The rows of a table as lists of words."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[dh].*?>(.*?)</t[dh]>", row)] for row in rows]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five programs of two repositories, one of which needs graphics, and two of them on a GPU."""
    monkeypatch.setattr(program_tables, "PROGRAMS", tmp_path / "programs.csv")
    monkeypatch.setattr(program_tables, "ON_A_GPU", tmp_path / "on_a_gpu.csv")
    told = [("a", "", "ends"), ("a", "", "takes too long"), ("b", "", "ends"), ("b", "", "not tried")]
    told.append(("b", "graphics", ""))
    write(
        program_tables.PROGRAMS,
        [{"corpus": corpus, "needs": needs, "verdict": verdict} for corpus, needs, verdict in told],
        WHERE,
    )
    on_a_gpu = [("the same", "Race:1", "0", "2"), ("the same", "", "0", "0"), ("differs", "", "too long", "0")]
    write(
        program_tables.ON_A_GPU,
        [dict(zip(("prints", "emulator_finds", "memcheck", "racecheck"), one, strict=True)) for one in on_a_gpu],
        WHERE,
    )


def test_the_rates_are_of_the_programs_that_need_nothing_more(files: None) -> None:
    head, a, b, every = cells(program_tables.rates())
    assert head == ["repository", "programs", "end", "take too long", "not tried yet", "end, of those tried"]
    assert (a, b) == (["a", "2", "1", "1", "0", "50 %"], ["b", "2", "1", "0", "1", "100 %"])
    assert every == ["all", "4", "2", "1", "1", "67 %"]
    assert cells(program_tables.needs())[1:] == [["graphics", "1"]]


def test_what_is_printed_and_found_is_counted(files: None) -> None:
    assert cells(program_tables.printed())[1:] == [["the same", "2"], ["differs", "1"], ["all", "3"]]
    some, nothing = cells(program_tables.found())[1:]
    assert some[1:] == ["1", "0"]
    assert nothing[1:] == ["0", "1"]  # memcheck has given no answer on the third


#: Newer than the table, which a machine with a GPU writes: `tests/host/on_a_gpu.py`.
NOT_YET = {
    "blocks_that_come_and_go",
    "copies_a_slice_that_the_host_has_not",
    "copies_back_too_much_into_an_array_in_c",
    "copies_whole_blocks_of_a_vector",
    "every_way_to_allocate_on_the_host",
    "allocated_in_another_stream",
    "copies_freed_memory_to_a_variable",
    "copies_too_much_to_a_variable",
    "freed_while_another_stream_uses_it",
    "memory_destroyed_as_a_texture",
    "waits_for_a_destroyed_stream",
    "branches_of_a_graph_race",
    "graph_copies_too_much_to_the_host",
    "graph_destroyed_twice",
    "graph_made_by_hand",
    "graph_never_awaited",
    "graph_of_a_captured_stream",
    "graph_read_too_early",
    "graph_read_too_early_in_its_own_memory",
    "graph_that_another_stream_does_not_await",
    "graph_that_changes",
    "graph_whose_kernel_races",
    "graph_whose_copies_change",
    "graph_with_a_fork_and_a_join",
    "graph_with_freed_memory",
    "graph_with_too_many_threads",
    "graph_without_an_edge",
    "what_a_capture_forbids",
}


def test_our_own_programs_are_all_in_the_table() -> None:
    rows = read(program_tables.OWN)
    assert not NOT_YET & {row["program"] for row in rows}
    for line, folder in zip(cells(program_tables.own())[1:], ("right", "wrong", "missed"), strict=True):
        there = {path.stem for path in (HOST / folder).glob("*.cu")} - NOT_YET
        assert {row["program"] for row in rows if row["folder"] == folder} == there
        assert line[1] == str(len(there))
