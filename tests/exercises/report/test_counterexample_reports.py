"""The story of a counterexample: who goes first, what is read, and what becomes of it."""

from dataclasses import replace

import numpy as np
import pytest
from findings_for_reports import ATOMIC, FAR, FINDINGS, LOAD, NEAR, PLAIN, STORE
from narrowing import only

from autograder.cuda.core.findings import Race
from autograder.cuda.core.run import Counterexample, Run
from autograder.cuda.core.setting import Setting
from autograder.cuda.report.counterexamples import describe_orders
from autograder.exercises import report

SETTING = Setting({"n": 1000}, (4, 1, 1), (256, 1, 1))
RACE = only(Race, [FINDINGS["race: written, then read"]])
EARLY = Counterexample(
    finding=RACE,
    schedule="forward",
    right="lockstep",
    first=LOAD,
    second=STORE,
    value=np.float32(-1.5),
    instead=np.float32(4),
    origin=replace(STORE, line=5),
    lost_update=False,
    output="out",
    index=(0,),
    got=np.float32(10),
    expected=np.float32(15.5),
)
NOTHING_THERE = replace(EARLY, value=None, origin=None)
BEFORE = replace(EARLY, origin=None)
LATE = replace(EARLY, first=STORE, second=LOAD)
LOST = replace(EARLY, second=replace(STORE, line=9), lost_update=True)
WRITES = replace(EARLY, first=STORE, second=replace(STORE, thread=(3, 0, 0)), origin=None)
BLOCKS = replace(EARLY, first=NEAR, second=replace(FAR, action="write"), origin=None)
ATOMIC_LOST = replace(EARLY, first=ATOMIC, second=PLAIN, origin=None)
UNKNOWN = replace(EARLY, value=None, instead=None)


def reported(example: Counterexample, race: Race = RACE) -> str:
    return describe_orders(Run((), counterexample=example), SETTING, race)


def test_the_whole_story() -> None:
    assert reported(EARLY) == (
        "Here is one way it goes wrong: thread 0 reads tile[128] (line 9) before thread 128 has written it (line 7).\n"
        "Thread 0 gets -1.5, which thread 128 left there in line 5, and not 4.0.\n"
        "Then out[0] is 10.0; numpy expects 15.5."
    )


@pytest.mark.parametrize(
    ("example", "first", "second"),
    [
        (NOTHING_THERE, "before thread 128 has written it", "No thread has left a value there yet; it should be 4.0."),
        (BEFORE, "before thread 128 has written it", "gets -1.5, which was there before the launch, and not 4.0."),
        (LATE, "thread 128 writes tile[128] (line 7) before thread 0 has read it (line 9).", "gets -1.5 and not 4.0."),
        (LOST, "before thread 128 has stored its change (line 9).", "Both have read -1.5, and each changes that"),
        (WRITES, "thread 128 writes tile[128] (line 7), and then thread 3 does", "The -1.5 of thread 128 is lost"),
        (WRITES, "and then thread 3 does (line 7).", "and the 4.0 of thread 3 stays."),
        (BLOCKS, "thread 0 of block 12 reads out[0] (line 9) before thread 3 of block 7", "Thread 0 of block 12 gets"),
        (ATOMIC_LOST, "thread 5 updates h[3] (line 8) before thread 3 has written it (line 5), so that", "Then out[0]"),
        (UNKNOWN, "thread 0 reads tile[128]", "Then out[0] is 10.0"),
    ],
)
def test_each_kind(example: Counterexample, first: str, second: str) -> None:
    lines = reported(example).splitlines()
    assert first in lines[0]
    assert second in lines[1]


def test_blocks_are_named_where_the_race_was_told_in_another() -> None:
    assert "thread 0 of block 0 reads tile[128] (line 9) before thread 128 of block 0" in reported(
        EARLY, replace(RACE, accesses=tuple(replace(access, block=(3, 0, 0)) for access in RACE.accesses))
    )


def test_results() -> None:
    assert reported(replace(EARLY, got=None)).endswith("Then out[0] is never written; numpy expects 15.5.")
    assert "Then c[1][2] is true; numpy expects false." in reported(
        replace(EARLY, output="c", index=(1, 2), got=np.bool_(True), expected=np.bool_(False))
    )


def test_a_launch_that_stops() -> None:
    example = replace(EARLY, output="", index=(), got=None, expected=None, stop=FINDINGS["barrier: some left"])
    assert reported(example).endswith("\nThen the launch stops at a barrier that only some threads reach (line 9).")


def test_it_stands_under_its_race_only() -> None:
    run = Run((), counterexample=EARLY)
    text = str(report.failed("x has no races", SETTING, [RACE], "", run=run))
    assert "tile\n\nHere is one way" not in text
    assert text.index("127 more elements") < text.index("Here is one way it goes wrong") < text.index("Hint")
    other = str(report.failed("x stays in bounds", SETTING, [FINDINGS["bounds: null"]], "", run=run))
    assert "goes wrong" not in other


def test_where_every_order_was_right() -> None:
    assert "In all 8 orders of the threads that the emulator tried, the results came out right." in describe_orders(
        Run((), orders_all_right=8), SETTING, RACE
    )
    assert describe_orders(Run(()), SETTING, RACE) == ""


def test_the_headline_tells_the_pair_of_the_story() -> None:
    other = replace(EARLY, first=replace(LOAD, thread=(40, 0, 0)), second=replace(STORE, thread=(168, 0, 0)))
    text = str(report.failed("x has no races", SETTING, [RACE], "", run=Run((), counterexample=other)))
    assert "thread 168 writes   line 7" in text and "thread  40 reads    line 9" in text
    assert "Thread 40 may read tile[128] before thread 168 has written it." in text
    assert "Here is one way it goes wrong: thread 40 reads tile[128]" in " ".join(text.split())


def test_the_rule_is_that_of_the_race_that_explains_most() -> None:
    near = replace(EARLY, finding=replace(RACE, scope="warp"), second=replace(STORE, thread=(1, 0, 0)))
    text = str(report.failed("x has no races", SETTING, [RACE], "", run=Run((), counterexample=near)))
    assert "In block 0, two threads use tile[128] with no barrier" in text and "__syncthreads()" in text
    assert "__syncwarp" not in text
    here = replace(LOAD, line=11)
    other_place = replace(near, first=here, finding=replace(near.finding, accesses=(STORE, here)))
    others = [replace(RACE, hazard="write-after-read")]
    text = str(report.failed("x has no races", SETTING, others, "", run=Run((), counterexample=other_place)))
    assert "two threads of one warp" in text and "__syncwarp" in text
    assert "The same mistake also occurs in 1 other place." in text
