"""Does a report's picture show what the report says, wherever it is shown, and do no harm there?"""

import html as markup
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import inputs
import nbformat
import pytest
from accessibility import find_faint_text, find_unreachable, find_violations
from browsing import CHROMIUM, watch
from narrowing import only
from pictured import KERNELS, explained
from playwright.sync_api import Browser, Page

from autograder.classroom.execution.preprocessors import HideTests
from autograder.classroom.results.feedback import write_feedback_page
from autograder.classroom.results.outcomes import GradedAnswer, GradedCheck, GradedExercise
from autograder.cuda.core.findings import BarrierDivergence, Race
from autograder.cuda.report import MIME, Report, from_data, to_data, to_html, to_text
from autograder.cuda.report.picture import Timeline, embedded, picture_of_race
from autograder.cuda.report.picture.data import encode
from autograder.cuda.report.picture.drawing import describe
from autograder.exercises import result as check_result
from autograder.exercises.result import CheckResult, Outcome

pytestmark = pytest.mark.cached(*inputs.BOOK, "autograder/classroom/**/*")

in_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium")


def picture(name: str) -> Timeline:
    shown = explained(name)[2].picture
    assert shown is not None
    return shown


# ---- what is drawn -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in KERNELS if "branch" not in name])
def test_the_rings_stand_at_the_accesses_that_the_report_tells_of(name: str) -> None:
    run, race, report = explained(name)
    drawn = picture(name)
    found = run.counterexample
    first, second = (found.first, found.second) if found else race.accesses
    assert drawn.race is not None and drawn.array == first.array
    for mark, access in zip(drawn.race, (first, second), strict=True):
        assert mark.action == access.action
        place = str(access.thread[0]) if "dimensions" not in name else f"({access.thread[0]}, {access.thread[1]})"
        assert drawn.thread(mark.thread) == f"thread {place}"
        assert drawn.block_of(mark.thread) == f"block {access.block[0]}"
        whose = f" of block {drawn.owner}" if "cluster" in name else ""
        assert drawn.element(mark.index) == access.array + "".join(f"[{i}]" for i in access.index) + whose
    assert drawn.race_lines == (first.line, second.line)
    assert f"line {first.line}" in describe(drawn) and f"line {second.line}" in describe(drawn)
    # Readers who cannot see it miss nothing: the text does not change.
    assert to_text(report) == to_text(replace(report, picture=None))


def test_two_blocks_stand_below_each_other_and_are_named() -> None:
    drawn = picture("two blocks")
    assert len(drawn.blocks) == 2 and len(drawn.rows) == 2
    for block in drawn.blocks:
        assert f"<span>block {block}</span>" in embedded(drawn)
        assert f"Warp 0 of block {block} writes and reads out" in describe(drawn)


def test_another_blocks_memory_is_not_taken_for_ones_own() -> None:
    race, drawn = explained("a cluster")[1], picture("a cluster")
    (owner,) = {item.owner or item.block for item in race.accesses}
    assert drawn.owner == owner[0] and f"of block {owner[0]}" in describe(drawn)
    marks = {(mark.thread // 1024, mark.action) for row in drawn.rows for bar in row.bars for mark in bar.marks}
    assert marks == {(owner[0], "write"), (1 - owner[0], "read")}  # each reads the other's tile, too: not this one


def test_of_many_warps_and_barriers_a_part_is_drawn_and_the_picture_says_so() -> None:
    many = picture("many warps")
    assert len(many.rows) == 4 and many.warps == 16
    assert {mark.thread // 32 for mark in many.race or ()} <= {row.warp for row in many.rows}
    assert "4 of 16 warps" in embedded(many)
    rounds = picture("many barriers")
    assert 1 <= len(rounds.barriers) <= 4 and rounds.cut
    assert f"steps {rounds.before}\N{EN DASH}" in embedded(rounds)
    at = [mark.at for mark in rounds.race or ()]
    between = [barrier for barrier in rounds.barriers if min(at) < barrier.at < max(at)]
    assert not between and min(at) >= 0 and max(at) < rounds.steps


def test_a_barrier_that_never_opens_says_who_stands_where() -> None:
    finding = only(BarrierDivergence, [explained("a barrier in a branch")[1]])
    drawn = picture("a barrier in a branch")
    waiting, gone = (sum(item.threads for item in drawn.stuck if bool(item.line) is at) for at in (True, False))
    assert (waiting, gone) == (finding.waiting[0].threads, finding.exited) == (50, 14)
    assert "32 wait at line 6</text>" in embedded(drawn) and "18 wait at line 6, 14 have left</text>" in embedded(drawn)
    assert "in the end: 18 wait at line 6, 14 have left" in describe(drawn)


@pytest.mark.parametrize("name", KERNELS)
def test_it_is_small_and_comes_back_from_what_a_result_is_kept_as(name: str) -> None:
    report = explained(name)[2]
    assert from_data(json.loads(json.dumps(to_data(report)))) == report
    assert len(encode(picture(name))) < 16_000
    assert len(to_html(report)) < 50_000


def test_a_run_of_which_nothing_was_traced_has_no_picture() -> None:
    run, found, _ = explained("one block")
    assert picture_of_race(replace(run, evidence=None), only(Race, [found]), (1, 1, 1), (128, 1, 1)) is None
    assert "<script" not in to_html(replace(explained("one block")[2], picture=None))


class WritePage(Protocol):
    """Writes a feedback page of exercises, and says where it is."""

    def __call__(self, *exercises: GradedExercise) -> Path: ...


# ---- where it is shown ---------------------------------------------------------------------------------

EVIL = '"></svg><script>document.title = "hacked"</script><img src=x onerror="document.title = 1">'


def evil_report() -> Report:
    """A report whose texts and names would be scripts if not escaped."""
    report = explained("one block")[2]
    return replace(report, parts=(EVIL,), hint=EVIL, picture=replace(picture("one block"), array=EVIL))


def exercise(*reports: Report, hidden: bool = False) -> GradedExercise:
    checks = tuple(
        GradedCheck(f"s{i}", report.title.partition(":")[0], Outcome.FAILED, hidden, report, 0, 2)
        for i, report in enumerate(reports)
    )
    answer = GradedAnswer("answer", "%%cuda turn", KERNELS["one block"].text + f"\n// {EVIL}")
    return GradedExercise("carl", "turn", "A turn", (answer,), checks, (), {}, 1.0, 0, 2)


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> WritePage:
    folder = tmp_path_factory.mktemp("pages")

    def write(*exercises: GradedExercise) -> Path:
        path = folder / f"{len(list(folder.iterdir()))}.html"
        write_feedback_page(path, "carl", "barriers", exercises, lambda text: "")
        return path

    return write


def test_a_page_has_its_script_once_and_only_if_it_has_a_picture(page_of: WritePage) -> None:
    races = [explained(name)[2] for name in ("one block", "two blocks")]
    text = page_of(exercise(*races), exercise(races[0])).read_text()
    assert text.count("<script>") == 1 and text.count('<svg role="img"') == 3
    assert len(set(re.findall(r'<div class="tl-picture" id="([^"]+)"', text))) == 3
    assert "script-src 'sha256-" in text
    for plain in (page_of(exercise(replace(races[0], picture=None))), page_of(exercise(races[0], hidden=True))):
        text = plain.read_text()
        assert "<script" not in text and "script-src" not in text and "<svg" not in text


@pytest.mark.parametrize("hidden", [False, True])
def test_nbgraders_own_feedback_shows_nothing_of_a_hidden_case(hidden: bool) -> None:
    """Neither its size nor elements: a kernel may write its inputs to where a report or a picture quotes them."""
    report = explained("one block")[2]
    result = CheckResult("turn", "has_no_races", "turn has no races", hidden, Outcome.FAILED)
    cell = nbformat.v4.new_code_cell("", metadata={"nbgrader": {"grade": True, "grade_id": "a", "points": 1}})
    data = {"text/plain": str(report), "text/html": to_html(report), MIME: to_data(report)}
    data[check_result.MIME] = result.to_data()
    cell.outputs = [
        nbformat.v4.new_output("display_data", data),
        nbformat.v4.new_output("error", ename="CheckFailed", evalue=str(report)),
    ]
    page = str(HideTests().preprocess_cell(cell, {}, 0)[0].outputs)
    assert "turn has no races: FAILED" in page
    assert [text in page for text in ("<svg", report.where, report.hint)] == [not hidden] * 3


def test_nbgraders_own_feedback_names_no_hidden_size() -> None:
    source = "exercise()\n### BEGIN HIDDEN TESTS\nhidden_cases()\n### END HIDDEN TESTS"
    contract = nbformat.v4.new_code_cell(source, metadata={"nbgrader": {"grade": False, "grade_id": "contract"}})
    assert HideTests().preprocess_cell(contract, {}, 0)[0].source == "exercise()"


def open_file(browser: Browser, path: Path, **context: Any) -> tuple[Page, list[str]]:
    page = browser.new_context(**context).new_page()
    wrong = watch(page, path.as_uri())
    page.goto(path.as_uri())
    return page, wrong


@in_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_feedback_page_plays_its_picture(page_of: WritePage, browser: Browser, scheme: str) -> None:
    path = page_of(exercise(*(explained(name)[2] for name in KERNELS)))
    size = {"width": 390, "height": 844}
    page, wrong = open_file(browser, path, color_scheme=scheme, viewport=size, has_touch=True)
    figure = page.locator("figure.autograder-picture").first
    figure.get_by_role("button", name="To the race").tap()
    now = figure.locator(".tl-now").inner_text()
    assert "Race: " in now and "no barrier stands between." in now
    figure.get_by_role("slider").focus()
    page.keyboard.press("Home")
    assert figure.locator(".tl-now").inner_text() == "Nothing has happened yet."
    blocks = page.locator("figure.autograder-picture").nth(list(KERNELS).index("two blocks"))
    blocks.get_by_role("button", name="To the race").tap()
    assert "nothing orders the blocks." in blocks.locator(".tl-now").inner_text()
    stuck = page.locator("figure.autograder-picture").last
    stuck.get_by_role("button", name="One access back").tap()
    stuck.get_by_role("button", name="One access on").tap()
    assert (
        stuck.locator(".tl-now")
        .inner_text()
        .endswith("50 threads at the barrier in line 6, 14 threads gone from the kernel. The barrier never opens.")
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not wrong
    assert find_violations(page) == [] and find_unreachable(page) == []
    assert find_faint_text(page, set()) == []
    page.context.close()


@in_browser
def test_without_scripts_and_on_paper_a_feedback_page_is_whole(page_of: WritePage, browser: Browser) -> None:
    path = page_of(exercise(explained("one block")[2]))
    page, wrong = open_file(browser, path, java_script_enabled=False)
    drawing = page.get_by_role("img", name="Timeline of the warps of block 0")
    assert drawing.is_visible() and drawing.locator("circle.tl-race").count() == 2
    assert page.locator(".tl-player").count() == 0 and not wrong
    page.context.close()
    page, _ = open_file(browser, path)
    page.get_by_role("button", name="To the race").click()
    page.emulate_media(media="print")
    assert page.locator(".tl-controls:visible, .tl-now:visible, .tl-here:visible").count() == 0
    assert page.locator(".tl-cells").first.is_visible()
    assert page.locator(".tl-plot > svg").evaluate("one => getComputedStyle(one).maskImage") == "none"
    page.context.close()


@in_browser
def test_no_script_of_a_student_runs(page_of: WritePage, browser: Browser) -> None:
    path = page_of(exercise(evil_report()))
    page, wrong = open_file(browser, path)
    assert page.title() == "barriers: feedback for carl" and not wrong
    assert page.locator("img").count() == 0 and page.locator("script").count() == 1
    figure = page.locator("figure.autograder-picture")
    for name in ("One access back", "To the race"):
        figure.get_by_role("button", name=name).click()
    figure.locator(".tl-cells i").first.click()
    assert EVIL in figure.locator(".tl-now").inner_text()
    assert page.title() == "barriers: feedback for carl" and page.locator("img").count() == 0
    # And if one ever slips in, the page's policy stops it.
    path.write_text(path.read_text().replace("</main>", "<script>document.title = 'hacked'</script></main>"))
    page.goto(path.as_uri())
    assert page.title() == "barriers: feedback for carl"
    assert any("Content Security Policy" in item for item in wrong)
    page.context.close()


@in_browser
def test_a_notebooks_output_plays_in_a_frame_of_its_own(tmp_path: Path, browser: Browser) -> None:
    """As in Colab: a sandboxed frame for each output, with nothing but its HTML; or all in one page, as in Jupyter."""
    outputs = [to_html(explained(name)[2]) for name in ("one block", "two dimensions")]
    frames = [f'<iframe sandbox="allow-scripts" srcdoc="{markup.escape(item)}"></iframe>' for item in outputs]
    path = tmp_path / "notebook.html"
    path.write_text(f"<!DOCTYPE html><title>x</title>{''.join(frames)}<div id=here>{''.join(outputs)}</div>")
    page, wrong = open_file(browser, path)
    for root in (page.frame_locator("iframe").first, page.locator("#here")):
        figure = root.locator("figure.autograder-picture").first
        figure.get_by_role("button", name="To the race").click()
        assert "Race: thread" in figure.locator(".tl-now").inner_text()
        assert figure.locator(".tl-controls").count() == 1  # though each output brings a player
    assert not wrong
    page.context.close()
