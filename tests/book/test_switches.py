"""Are the results of a page's switches those of actual runs, and are all of them there?"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import inputs
import numpy as np
import pytest
from book_pages import ROOT, attribute, first, words
from bs4 import BeautifulSoup
from bs4.filter import SoupStrainer
from course_book import kernels, switches, switches_html
from course_book.kernels import BookKernel
from course_book.switches import Switch

from autograder import Kernel
from autograder.cuda.core.findings import Kind

pytestmark = inputs.book

PAGES = sorted((ROOT / "book").glob("*.md"))


def on_page(path: Path) -> Iterator[tuple[str, list[str]]]:
    """File and content of each kernel-switches of a page."""
    for file, body in re.findall(r"^```\{kernel-switches\} (\S+)\n(.*?)^```", path.read_text(), re.DOTALL | re.M):
        yield file, [line for line in body.splitlines() if not line.startswith(":")]


EVERY = [(path.name, file, content) for path in PAGES for file, content in on_page(path)]


def outcomes_of(file: str, content: list[str]) -> tuple[BookKernel, list[switches.Outcome]]:
    kernel = kernels.read(file)
    return kernel, switches.run_all(kernel, switches.parse(kernel, content), kernel.launch, trace=False)


#: The finding with each single switch off; "" if no check can find anything.
EXPECTED = {
    "window_sum.cu": [Kind.OUT_OF_BOUNDS, Kind.RACE, Kind.UNINITIALIZED_READ, Kind.OUT_OF_BOUNDS],
    "rotate_rounds.cu": [Kind.RACE, Kind.RACE],
    "rotate_warp.cu": [Kind.RACE],
    "tiling/ranks_any.cu": ["", Kind.RACE, Kind.RACE, Kind.OUT_OF_BOUNDS],
    "coalescing/row_sums_tile.cu": ["", "", Kind.RACE],
    "banks/polynomials_padded.cu": ["", Kind.RACE],
    "stencils/heat_tile.cu": [Kind.UNINITIALIZED_READ, Kind.OUT_OF_BOUNDS, Kind.RACE, Kind.OUT_OF_BOUNDS],
    "reductions/warp_tail.cu": [Kind.RACE, Kind.RACE],
    "races/halves.cu": [Kind.RACE],
    "races/relay.cu": [Kind.RACE, Kind.RACE],
    "lectures/histogram_shared.cu": [Kind.RACE] * 4,
    "lectures/gemm_tiled_1x2.cu": [Kind.OUT_OF_BOUNDS, Kind.RACE, Kind.RACE, Kind.RACE],
    "register_blocking/three_buffers.cu": [Kind.RACE] * 3,
    "fragments/one_product.cu": [
        Kind.UNINITIALIZED_READ,
        Kind.BARRIER_DIVERGENCE,
        Kind.OUT_OF_BOUNDS,
        Kind.UNINITIALIZED_READ,
    ],
    "clusters/hand_on.cu": [Kind.OUT_OF_BOUNDS, Kind.OUT_OF_BOUNDS, ""],
    "memory_model/message.cu": [Kind.RACE] * 4,
    "memory_model/message_scopes.cu": [Kind.RACE] * 4,
    "memory_model/message_release.cu": [Kind.RACE] * 3,
    "memory_model/plain_look.cu": [Kind.RACE],
}


def test_the_pages_have_all_these_switches() -> None:
    assert {file for _, file, _ in EVERY} == EXPECTED.keys()


@pytest.mark.parametrize(("page", "file", "content"), EVERY, ids=[f"{page}-{file}" for page, file, _ in EVERY])
def test_each_switch_alone_leads_to_what_it_is_there_for(page: str, file: str, content: list[str]) -> None:
    kernel = kernels.read(file)
    found = switches.parse(kernel, content)
    assert not kernel.emulate().findings
    kinds = []
    for switch in found:
        text = switches.changed(kernel.source, [switch])
        assert text.count("\n") == kernel.source.count("\n")
        run = Kernel(text, kernel.name).emulate(**kernel.launch)
        kinds.append(run.findings[0].kind if run.findings else "")
    assert kinds == EXPECTED[file]


def test_the_page_holds_what_a_run_of_the_changed_text_says(html: Path) -> None:
    soup = BeautifulSoup((html / "book" / "tiling.html").read_text(), "html.parser")
    box = first(soup, ".ks .ks-box")
    states = json.loads(attribute(box, "data-states"))
    shown = box.select(":scope > .ks-result")
    assert len(states) == 16
    kernel = kernels.read("tiling/ranks_any.cu")
    # Without the value for the empty places (1) and without barrier 2 (4), written down by hand.
    source = kernel.source.replace("INFINITY", "0.0f")
    source = re.sub(r".*barrier 2:.*", "", source)
    run = Kernel(source, kernel.name).emulate(**kernel.launch)
    number, sentence = states[1 + 4]
    assert sentence == "Without the value for the empty places and barrier 2: a data race."
    report = words(shown[number])
    for access in run.findings[0].accesses:
        assert access.text == source.splitlines()[access.line - 1].strip()
        assert f"line {access.line} {access.text}" in report
    differ = int(np.sum(run.outputs[1] != kernel.emulate().outputs[1]))
    assert f"On the emulator {differ} results are different." in report
    # With only the value changed nothing can be found, and the results are wrong.
    number, sentence = states[1]
    assert sentence == "Without the value for the empty places: nothing found, but other results."
    assert shown[number].select_one(".report.clean")


def test_counts_are_said_where_they_change(html: Path) -> None:
    soup = BeautifulSoup((html / "book" / "banks.html").read_text(), "html.parser")
    box = first(soup, ".ks .ks-box")
    padded, plain = kernels.counts("banks/polynomials_padded.cu"), kernels.counts("banks/polynomials.cu")
    lines = [words(tag) for tag in box.select(".ks-result > .ks-counts")]
    assert lines[0] == f"Shared load conflicts {padded.shared_load_conflicts} , with grid=2, block=128."
    change = f"{padded.shared_load_conflicts} → {plain.shared_load_conflicts}"
    assert lines[1] == f"Shared load conflicts {change} ; on the emulator all results are the same."
    # A barrier moves nothing to another bank, so there are two figures for four combinations.
    assert [item["data-drawing"] for item in box.select(":scope > .ks-result")] == ["0", "1", "0", "1"]
    assert len(box.select(".ks-drawing svg")) == 2


def test_without_scripts_the_whole_kernel_shows_and_the_others_are_folded(html: Path) -> None:
    for path in (html / "book").glob("*.html"):
        for ks in BeautifulSoup(path.read_text(), "html.parser", parse_only=SoupStrainer(class_="ks")).select(".ks"):
            whole, *others = ks.select(":scope > .ks-box > .ks-result")
            assert whole.name == "div" and whole.select_one(".report.clean")
            assert others and all(item.name == "details" and not item.has_attr("open") for item in others)
            assert all(words(first(item, "summary")).startswith("Without ") for item in others)
            assert first(ks, "fieldset").has_attr("hidden") and first(ks, ".ks-now").has_attr("hidden")
            marked = {int(first(line, ".linenos").text) for line in ks.select(".hll")}
            named = {int(number) for small in ks.select("label small") for number in re.findall(r"\d+", small.text)}
            assert marked == named


def test_the_listing_is_the_file_as_it_stands(html: Path) -> None:
    soup = BeautifulSoup((html / "book" / "shared-memory.html").read_text(), "html.parser")
    pre = first(soup, ".ks pre")
    for number in pre.select(".linenos"):
        number.decompose()
    assert pre.text.rstrip("\n") == kernels.read("window_sum.cu").source.rstrip("\n")


# ---- what can be written ----------------------------------------------------------------------------

TWICE = BookKernel("own.cu", "own", "if (a)\n    x = 1;\nif (a) {\n    y = x;\n}\nx = 1 + y;\n", {}, {})


def test_a_line_or_a_part_of_one_is_named_by_its_text() -> None:
    # `if (a)` is the whole of line 1, and so does not mean line 3.
    assert switches.parse(TWICE, ["a", "- if (a)", "+ if (b)", "", "b", "- 1 + y", "+ y", "- y = x;"]) == (
        Switch("a", {1: "if (b)"}),
        Switch("b", {6: "x = y;", 4: ""}),
    )


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (["- x"], "belongs to no switch"),
        (["a", "- z"], "'z' stands in 0 lines of own.cu, not in one"),
        (["a", "- x"], "'x' stands in 3 lines"),
        (["a", "+ z"], "must follow a line with '-'"),
        (["a"], "the switch 'a' changes nothing"),
        ([], "it has 0 switches: name 1 to 4"),
        (["a", "- y = x;", "b", "- = x"], "line 4 of own.cu is changed twice"),
    ],
)
def test_what_cannot_be_read_is_said(content: list[str], match: str) -> None:
    with pytest.raises(ValueError, match=re.escape(match)):
        switches.parse(TWICE, content)


def test_a_switch_that_makes_no_difference_is_refused() -> None:
    kernel, outcomes = outcomes_of(
        "rotate.cu", ["the comment", "- // Rotates", "+ // Turns", "barrier 1", "- // barrier 1:"]
    )
    with pytest.raises(ValueError, match="Without the comment nothing changes"):
        switches_html.results(kernel, outcomes, [], None)


def test_a_text_that_does_not_compile_is_refused() -> None:
    kernel, outcomes = outcomes_of("rotate.cu", ["t", "- int t = threadIdx.x;"])
    with pytest.raises(ValueError, match="Without t there is CompileError, of which the book has no report"):
        switches_html.results(kernel, outcomes, [], None)


def test_a_count_that_there_is_not_is_refused() -> None:
    kernel, outcomes = outcomes_of("rotate.cu", ["barrier 1", "- // barrier 1:"])
    with pytest.raises(ValueError, match="the emulator counts no barrels"):
        switches_html.results(kernel, outcomes, ["barriers", "barrels"], None)
