"""Does advice use only what the reader has come to?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from findings_for_reports import FINDINGS

from autograder.cuda.core.setting import Setting
from autograder.cuda.report.chapters import chapters, reference
from autograder.cuda.report.kinds import kinds
from autograder.cuda.report.rule import NEEDS, Rule, for_reader, needed
from autograder.exercises import report
from autograder.exercises.report.prediction import PREDICTION_RULES

EXERCISES = {key: chapter.exercises[0] for key, chapter in chapters().items() if chapter.exercises}
#: Rules about what a reader has written: it is too late not to name that.
PRIVATE = {
    *("dynamic", "dynamic in a program"),
    *("atomics of a block", "atomics of two sizes", "atomic and plain, in the grid", "atomic and plain"),
    *("read-only cache", "phases"),
    *("copy: prior", "copy: group", "copy: barrier", "copy: pipeline", "copy: product", "copy: product_proxy"),
    *("barrier number", "barrier count", "numbered barrier", "matrix descriptor"),
    *("copy: mbarrier", "copy: bulk_group", "copy: proxy", "copy on its way"),
    *(
        "shuffle width",
        "large tile",
        "grid",
        "warp function",
        "warp",
        "block",
        "shared",
        "escaped pointer",
        *("spin", "phase", "bytes", "unready"),
        *("barrier arrivals", "barrier token", "mbarrier arrivals", "mbarrier token", "mbarrier count"),
        *("mbarrier in use", "mbarrier not ready", "mbarrier bytes", "mbarrier not shared", "multicast to no block"),
        *("bulk size", "bulk copy not shared", "bulk copy not global", "no tensor map", "rank of a tensor map"),
        *("field of a tensor map", "first coordinate of a tile", "tile stored before its tensor", "copy: map_proxy"),
        "copy of a local",
        "function pointer",
        "virtual function",
    ),
    *("heap bounds", "heap freed", "not of the heap", "freed twice"),
    *("children", "blocking stream", "no such stream", "local copy"),
    *("absent block", "in a cluster", "cluster", "cluster arrival", "cluster wait", "cluster rank", "cluster address"),
    *("remote copy", "own memory from afar"),
}


def rules() -> Iterator[tuple[str, Rule]]:
    """What the launches of any exercise may break."""
    for about in kinds().values():
        if about.check in ("has_no_races", "stays_in_bounds", "reads_only_what_was_written", "matches_numpy"):
            yield from (
                (name, rule) for name, rule in about.rules.items() if name not in PRIVATE | set(PREDICTION_RULES)
            )


@pytest.mark.parametrize("key", EXERCISES)
def test_no_advice_goes_beyond_the_chapter(key: str) -> None:
    number = chapters()[key].number
    for name, rule in rules():
        message = for_reader(rule, EXERCISES[key])
        assert needed(message.hint) <= number, f"{name}: {message.hint}"


def test_whoever_has_read_all_gets_the_whole_rule() -> None:
    last = list(EXERCISES)[-1]
    for _, rule in rules():
        assert for_reader(rule, EXERCISES[last]) == for_reader(rule, "") == rule


def test_the_words_are_words_of_hints() -> None:
    assert all(any(word in rule.hint for about in kinds().values() for rule in about.rules.values()) for word in NEEDS)
    assert needed("an atomic operation after a barrier") == chapters()["atomics"].number
    assert needed("Lock, stock and barrel") == 0


def test_a_race_in_the_first_chapter_is_one_of_indices() -> None:
    race = FINDINGS["race: a change across blocks"]
    setting = Setting({"n": 1}, (4, 1, 1), (256, 1, 1), exercise=EXERCISES["threads"])
    text = " ".join(str(report.failed("saxpy has no races", setting, [race], "")).split())
    assert "Only one thread should update an element." in text and "atomic" not in text
    assert text.endswith(reference("threads"))
    later = str(report.failed("x has no races", replace(setting, exercise=EXERCISES["atomics"]), [race], ""))
    assert "an atomic operation" in later and later.endswith(reference("atomics"))


def test_a_chapter_that_is_still_to_come_is_called_that() -> None:
    early, late = EXERCISES["threads"], EXERCISES["banks"]
    assert reference("coalescing", early) == f"{reference('coalescing')} (still to come)"
    assert reference("coalescing", late) == reference("coalescing")
    setting = Setting({"n": 1}, exercise=early)
    assert report.failed("x is coalesced", setting, [FINDINGS["uncoalesced"]], "").read.endswith("(still to come)")


def test_each_exercise_with_a_kernel_is_of_one_chapter() -> None:
    names = [name for chapter in chapters().values() for name in chapter.exercises]
    assert len(names) == len(set(names)) > 40
