"""Are loops found so that they end where a GPU's lanes would wait for each other?"""

from __future__ import annotations

import pytest
from ir_texts import module_of

from autograder.cuda.compiler.ir import flow
from autograder.cuda.compiler.ir.flow import Loop, find_loops, loop_heads, predecessors, successors


def loops_of(*ends: str) -> list[Loop] | None:
    """The loops of a function whose blocks, labeled with their numbers, end like this: "1 3", or "ret"."""
    lines = []
    for i, end in enumerate(ends):
        lines += [f"b{i}:"] if i else []
        targets = [f"label %b{target}" for target in end.split()]
        jump = f"br {targets[0]}" if len(targets) == 1 else f"br i1 true, {', '.join(targets)}"
        lines.append("  ret void" if end == "ret" else f"  {jump}")
    function = module_of("\n".join(lines)).functions["@k"]
    loops = find_loops(function)
    if loops is not None:
        assert {loop.header for loop in loops} == loop_heads(function)
    return loops


def test_where_blocks_lead() -> None:
    function = module_of(
        """
          switch i64 %1, label %a [
            i64 0, label %b
            i64 1, label %b
          ]
        a:
          br label %b
        b:
          unreachable
        """
    ).functions["@k"]
    assert successors(function) == [[1, 2, 2], [2], []]
    assert predecessors(successors(function)) == [[], [0], [0, 1]]


def test_no_loop() -> None:
    assert loops_of("1 2", "3", "3", "ret") == []


def test_a_loop_and_one_inside() -> None:
    outer, inner = sorted(loops_of("1", "2 5", "3 4", "2", "1", "ret") or (), key=lambda loop: loop.header)
    assert (outer.header, outer.body) == (1, {1, 2, 3, 4})
    assert (inner.header, inner.body, inner.region) == (2, {2, 3}, {2, 3})


def test_the_way_of_a_break_belongs_to_the_loops_region() -> None:
    # while (...) { if (...) { 3: ...; break; } }  5: ...
    (loop,) = loops_of("1", "2 5", "3 4", "5", "1", "ret") or []
    assert loop.body == {1, 2, 4}
    assert loop.region == {1, 2, 3, 4}


def test_the_way_of_a_return_holds_up_nobody() -> None:
    # while (...) { if (...) { 3: ...; return; } }  5: ...
    (loop,) = loops_of("1", "2 5", "3 4", "6", "1", "6", "ret") or []
    assert loop.body == {1, 2, 4}
    assert 5 not in loop.region and 6 not in loop.region


def test_a_very_large_function_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(loops_of("1", "1 2", "ret") or ()) == 1
    monkeypatch.setattr(flow, "_MAX_BLOCKS", 2)
    assert loops_of("1", "1 2", "ret") is None
    assert loops_of("1", "2", "ret") == []


def test_a_jump_into_a_loop_makes_it_no_loop() -> None:
    assert loops_of("1 2", "2", "1 3", "ret") is None
    # The inner one alone would be a loop; around it there is a cycle that is none.
    assert loops_of("1 3", "2", "2 3", "1 4", "ret") is None
