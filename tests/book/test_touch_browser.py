"""Can readers use the book's controls by pointer, keyboard and finger, with scripts and without?"""

import json
from typing import Any, Literal

import inputs
import pytest
from browsing import CHROMIUM, Scheme, box_of, watch
from playwright.sync_api import Browser, Locator, Page

pytestmark = [inputs.book, pytest.mark.rare, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]


def open_page(browser: Browser, site: str, name: str, **context: Any) -> Page:
    page = browser.new_context(**context).new_page()
    page.goto(f"{site}/book/{name}.html")
    return page


def attribute(item: Locator, name: str) -> str:
    value = item.get_attribute(name)
    assert value is not None, name
    return value


def panel(root: Locator) -> Locator:
    """The one visible result."""
    found = root.locator(".ks-result:visible")
    assert found.count() == 1
    return found


def test_every_combination_shows_its_own_result(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "atomics")
    wrong = watch(page, site)
    root = page.locator(".ks").first
    boxes = root.locator("input[type=checkbox]")
    states = json.loads(attribute(root.locator(".ks-box"), "data-states"))
    assert len(states) == 16 and boxes.count() == 4
    for bits, (number, sentence) in enumerate(states):
        for i in range(4):
            boxes.nth(i).set_checked(not bits >> i & 1)
        assert root.locator(".ks-now").inner_text() == sentence
        assert panel(root).evaluate("one => [...one.parentNode.querySelectorAll('.ks-result')].indexOf(one)") == number
        assert root.locator(".ks-off").count() == bits.bit_count()
    assert not wrong  # among them: a request
    page.context.close()


@pytest.mark.smoke
def test_the_line_is_struck_out_or_replaced_and_keeps_its_number(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "shared-memory")
    root = page.locator(".ks").first
    guard, barrier = root.locator(".hll").nth(0), root.locator(".hll").nth(1)
    numbers = root.locator("pre .linenos").all_inner_texts()
    root.get_by_label("the guard at the load").uncheck()
    root.get_by_label("the barrier").uncheck()
    for line in (guard, barrier):
        struck = line.locator(".ks-old")
        assert "line-through" in struck.evaluate("one => getComputedStyle(one).textDecorationLine")
    assert guard.locator(".ks-new").inner_text().split() == ["+", "if", "(true)"]
    assert barrier.locator(".ks-new").count() == 0
    shown = [text for text in root.locator("pre .linenos:visible").all_inner_texts() if "+" not in text]
    assert shown == [text for text in numbers if "+" not in text]
    # What is copied is what runs.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    root.locator("pre").hover()
    root.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.count("if (t < n)") == 2 and "__syncthreads" not in copied
    assert "\n    if (true)\n" in copied and "\n    if (t < n)        // read" in copied  # each in its column
    page.context.close()


def test_of_a_terminal_the_commands_are_copied(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "appendix-setting-up")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    terminal = page.locator("div.highlight-console", has_text="srun")
    terminal.hover()
    terminal.locator("button.copybtn").click()
    first, second, third = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert first.startswith("srun ") and second.startswith("srun ") and second.endswith("\\")
    assert third.strip().startswith("'.venv/bin/jupyter lab")
    page.context.close()


def test_the_keyboard_and_a_click_on_the_line_do_the_same(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "barriers")
    root = page.locator(".ks").first
    box = root.get_by_role("checkbox", name="barrier 2")
    box.focus()
    page.keyboard.press("Space")
    assert root.locator(".ks-now").inner_text() == "Without barrier 2: a data race."
    assert root.get_by_role("status").first.inner_text() == "Without barrier 2: a data race."
    assert panel(root).locator(".ag-title").inner_text() == "rotate_rounds has no races: FAILED"
    assert root.locator("circle.tl-race:visible").count() == 2
    root.locator(".hll").nth(1).click()
    assert box.is_checked()
    assert root.locator("circle.tl-race:visible").count() == 0
    assert root.locator(".ks-drawing:visible line.tl-barrier").count() == 4
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_switches_are_large_enough_for_a_finger_and_fit_a_phone(site: str, browser: Browser, scheme: Scheme) -> None:
    page = open_page(
        browser, site, "stencils", viewport={"width": 390, "height": 844}, has_touch=True, color_scheme=scheme
    )
    root = page.locator(".ks").first
    for label in root.locator("label").all():
        box = box_of(label)
        assert box["height"] >= 38 and box["width"] >= 44
        label.tap()
    assert root.locator("input:checked").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.context.close()


def test_without_scripts_every_result_can_be_unfolded(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "barriers", java_script_enabled=False)
    root = page.locator(".ks").first
    assert root.locator("input:visible").count() == 0
    assert root.locator(".report.clean:visible").count() == 1
    folded = root.locator("details")
    assert folded.count() == 3
    assert not folded.first.locator(".report").is_visible()
    folded.first.locator("summary").click()
    assert folded.first.locator(".report").is_visible()
    page.context.close()


def test_on_paper_each_line_has_its_result_and_no_switch(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "barriers")
    root = page.locator(".ks").first
    root.locator("input").first.uncheck()
    page.emulate_media(media="print")  # prints the same, whatever has been switched
    assert root.locator("input:visible").count() == 0
    assert root.locator(".ks-result:visible .ks-head").all_inner_texts() == [
        "The whole kernel: nothing found",
        "Without barrier 1: a data race",
        "Without barrier 2: a data race",
    ]
    assert root.locator(".ks-drawing:visible line.tl-barrier").count() == 4
    assert root.locator(".ks-old").first.evaluate("one => getComputedStyle(one).textDecorationLine") == "none"
    page.context.close()


# ---- the player -------------------------------------------------------------------------------------


def player(page: Page, number: int) -> Locator:
    return page.locator(".tl-picture").nth(number)


def test_the_player_begins_as_the_still_picture(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "barriers")
    figure = player(page, 0)
    assert not figure.locator(".tl-here").is_visible()
    assert figure.locator(".tl-now").inner_text() == "Play it, or drag the slider."
    assert figure.locator(".tl-cells i").count() == 128
    page.context.close()


@pytest.mark.smoke
def test_it_steps_by_accesses_and_by_turns(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "barriers")
    figure = player(page, 0)
    slider = figure.get_by_role("slider", name="Time")
    now = figure.locator(".tl-now")
    slider.focus()
    page.keyboard.press("Home")
    assert now.inner_text() == "Nothing has happened yet."
    page.keyboard.press("ArrowRight")
    # Thread 0 has read in[0] in step 0, and so writes its element in step 1.
    assert now.inner_text() == "Step 1: thread 0 of warp 0 writes tile[0]."
    assert slider.get_attribute("aria-valuetext") == now.inner_text()
    figure.get_by_role("button", name="One access on").click()
    assert now.inner_text().endswith("thread 1 of warp 0 writes tile[1].")
    figure.get_by_role("button", name="On to the next turn").click()
    assert now.inner_text().endswith("thread 31 of warp 0 writes tile[31].")
    figure.get_by_role("button", name="On to the next turn").click()
    assert now.inner_text().endswith("thread 63 of warp 1 writes tile[63].")
    for _ in range(3):
        figure.get_by_role("button", name="On to the next turn").click()
    assert now.inner_text().endswith("all threads have arrived at line 8, and the barrier opens.")
    figure.get_by_role("button", name="One access on").click()
    assert now.inner_text().endswith("thread 0 of warp 0 reads tile[32], which thread 32 has written.")
    figure.get_by_role("button", name="Back to the turn before").click()
    figure.get_by_role("button", name="One access back").click()
    assert now.inner_text().endswith("thread 127 of warp 3 writes tile[127].")
    page.keyboard.press("Tab")
    page.context.close()


def test_rows_that_nothing_uses_to_the_end_are_left_out(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "appendix-memory-model")
    assert player(page, 0).locator(".tl-cells i").count() == 64  # of 1024
    page.context.close()


def test_a_race_stands_out(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "barriers")
    figure = player(page, 1)
    figure.get_by_role("button", name="To the race").click()
    now = figure.locator(".tl-now")
    assert "Race: thread 0 has read it, and no barrier stands between." in now.inner_text()
    assert "thread 32 of warp 1 writes tile[32]" in now.inner_text()
    assert now.get_attribute("role") == "status" and now.get_attribute("aria-live") == "polite"
    raced = figure.locator(".tl-cells i.tl-raced")
    assert raced.count() == 1
    assert raced.evaluate("one => [...one.parentNode.children].indexOf(one)") == 32
    # The line of the moment stands where the drawing has the write.
    ring = box_of(figure.locator("circle.tl-race").nth(0))
    line = box_of(figure.locator(".tl-here"))
    assert abs(ring["x"] + ring["width"] / 2 - line["x"]) < 4
    figure.get_by_role("slider").focus()
    page.keyboard.press("End")
    assert raced.count() == 128  # as many as the emulator says
    # Where nothing races, nothing leads there.
    assert player(page, 0).get_by_role("button", name="To the race").count() == 0
    page.context.close()


def seconds(page: Page, count: float) -> None:
    page.clock.run_for(round(1000 * count))


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_it_plays_pauses_and_ends(site: str, browser: Browser, motion: Literal["no-preference", "reduce"]) -> None:
    page = browser.new_context(reduced_motion=motion).new_page()
    wrong = watch(page, site)
    page.clock.install()
    page.goto(f"{site}/book/barriers.html")
    figure = player(page, 0)
    moments = int(attribute(figure.get_by_role("slider"), "max"))
    assert moments == 128 + 1 + 128

    def at() -> int:
        return int(figure.get_by_role("slider").input_value())

    figure.get_by_role("button", name="Play").click()
    seen = set()
    for _ in range(16):
        seconds(page, 0.25)
        seen.add(at())
    assert 0 < max(seen) < moments
    # With little motion it goes by turns, of 32 accesses each, and rests in between.
    assert seen <= {0, 32, 64, 96, 128} if motion == "reduce" else len(seen) > 12
    figure.get_by_role("button", name="Pause").click()
    stopped = at()
    seconds(page, 2)
    assert at() == stopped
    figure.get_by_role("button", name="Play").click()
    seconds(page, 14)
    assert at() == moments
    assert figure.get_by_role("button", name="Play").count() == 1
    assert not wrong
    page.context.close()


def test_a_finger_on_the_drawing_moves_the_time(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "barriers", viewport={"width": 390, "height": 844}, has_touch=True)
    figure = player(page, 0)
    lane = figure.locator("line.tl-lane").first
    box = box_of(lane)
    page.touchscreen.tap(box["x"] + box["width"] * 0.25, box["y"] + 3)
    line = box_of(figure.locator(".tl-here"))
    assert abs(line["x"] - box["x"] - box["width"] * 0.25) < 8
    for item in figure.locator(".tl-controls button").all():
        size = box_of(item)
        assert size["height"] >= 38 and size["width"] >= 38
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    figure.locator(".tl-cells i").nth(5).tap()
    assert figure.locator(".tl-now").inner_text().startswith("tile[5]: written by thread 5, ")
    page.context.close()


def test_without_scripts_and_on_paper_the_picture_is_still(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "barriers", java_script_enabled=False)
    assert page.locator(".tl-player").count() == 0
    assert player(page, 0).locator("svg path.tl-read").count() == 4
    page.context.close()
    page = open_page(browser, site, "barriers")
    cells = player(page, 1).locator(".tl-cells i")
    looks = "all => all.map((one) => one.getAttribute('style'))"
    end = cells.evaluate_all(looks)
    player(page, 1).get_by_role("button", name="To the race").click()
    assert cells.evaluate_all(looks) != end
    page.emulate_media(media="print")
    assert page.locator(".tl-controls:visible, .tl-now:visible, .tl-here:visible").count() == 0
    assert cells.evaluate_all(looks) == end and cells.first.is_visible()  # the caption names them
    page.context.close()


# ---- the player of a request's figure ---------------------------------------------------------------


def test_the_sectors_of_a_request_come_lane_by_lane(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "coalescing")
    figure = page.locator("figure.sectors").first
    now, slider = figure.locator(".tl-now"), figure.get_by_role("slider", name="Time")
    assert now.inner_text() == "Play it, or drag the slider." and slider.get_attribute("max") == "32"
    assert figure.locator(".kf-later, .kf-now").count() == 0  # it begins as the still picture
    slider.focus()
    page.keyboard.press("Home")
    assert now.inner_text() == "Nothing has happened yet."
    assert figure.locator(".kf-later").count() == figure.locator("[data-at]").count()
    page.keyboard.press("ArrowRight")
    assert now.inner_text().startswith("Lane 0 reads in[0]: one more sector moves, 1 sector so far.")
    lane = figure.locator("g.kf-now", has=page.locator("text.kf-in-read"))
    assert lane.first.locator("text").inner_html() == "0"
    figure.get_by_role("button", name="One lane on").click()
    figure.get_by_role("button", name="On to the next sector").click()
    assert slider.get_attribute("aria-valuetext") == now.inner_text() != ""
    page.keyboard.press("Tab")
    slider.focus()
    page.keyboard.press("End")
    assert figure.locator(".kf-later, .kf-now").count() == 0
    page.context.close()


def test_the_banks_of_a_request_come_pass_by_pass(site: str, browser: Browser) -> None:
    page = open_page(browser, site, "banks", viewport={"width": 390, "height": 844}, has_touch=True)
    figure = page.locator("[data-moments]:has(.kf-clash):visible").first
    moments = json.loads(attribute(figure, "data-moments"))["moments"]
    passes = 1 + max(turn for _, turn in moments)
    assert passes > 1
    now = figure.locator(".tl-now")
    figure.get_by_role("slider").focus()
    page.keyboard.press("Home")
    for number in range(1, passes + 1):
        figure.get_by_role("button", name="On to the next pass").tap()
        assert now.inner_text().startswith(f"Pass {number} of {passes}: bank ")
    figure.get_by_role("button", name="One word back").tap()
    # The drawing is wider than the screen, and the part in question is in sight.
    part, seen = figure.locator("rect.kf-clash >> nth=-2"), box_of(figure.locator(".kf-scroll"))
    assert part.evaluate("one => one.parentNode.classList.contains('kf-now')")
    assert seen["x"] <= box_of(part)["x"] <= seen["x"] + seen["width"] - box_of(part)["width"]
    figure.get_by_role("button", name="Back to the pass before").tap()
    assert figure.locator(".kf-later").count() > 0
    for item in figure.locator(".tl-controls button").all():
        size = box_of(item)
        assert size["height"] >= 38 and size["width"] >= 38
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # On paper it is the still picture again, whole.
    page.emulate_media(media="print")
    opacities = figure.locator("[data-at]").evaluate_all("all => all.map((one) => getComputedStyle(one).opacity)")
    assert set(opacities) == {"1"} and figure.locator(".tl-player:visible").count() == 0
    page.context.close()


#: What automated accessibility checks ask first: names, unique ids, nothing that only a pointer reaches.
BASICS = """() => {
  const wrong = [], ids = new Set();
  document.querySelectorAll("article [id]").forEach((one) => {
    if (ids.has(one.id)) wrong.push(`id ${one.id} twice`);
    ids.add(one.id);
  });
  document.querySelectorAll(".ks input, .tl-player input, .tl-player button").forEach((one) => {
    if (!(one.ariaLabel || one.textContent.trim() || one.labels?.[0]?.textContent.trim())) wrong.push(one.outerHTML);
    if (one.tabIndex < 0) wrong.push(`no way by keyboard to ${one.outerHTML}`);
  });
  document.querySelectorAll(".ks fieldset").forEach((one) => one.querySelector("legend") || wrong.push("no legend"));
  document.querySelectorAll(".ks svg[role=img], .tl-picture svg[role=img]").forEach((one) => {
    const named = (one.getAttribute("aria-labelledby") ?? "").split(" ").every((id) => document.getElementById(id));
    if (!named) wrong.push("a drawing without a name");
  });
  return wrong;
}"""


@pytest.mark.sampled()
@pytest.mark.parametrize("name", ["shared-memory", "barriers", "tiling", "banks", "atomics"])
def test_whatever_can_be_touched_has_a_name_and_is_reached_by_keyboard(site: str, browser: Browser, name: str) -> None:
    page = open_page(browser, site, name)
    assert page.evaluate(BASICS) == []
    page.context.close()
