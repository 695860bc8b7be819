"""Does the book use a term of the glossary before the chapter that explains it, without saying where that is?

Chapters are read in order. Exercises have no glossary, so a term of a later chapter may only occur there in a fold that
names the chapter.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.cuda.performance import measurements
from autograder.cuda.report.chapters import chapters
from autograder.exercises.authoring.explanations import explain

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book"

#: Directives whose content is text that a reader sees as prose: captions.
CAPTIONED = r"```\{(kernel-(?!switches)|measured|explore-|roofline)"

#: Terms that are everyday words as well: threads pass a barrier.
ORDINARY = {"pass"}

#: By term, the chapter from which exercises may use it, since that chapter needs it before the one that is about it.
NEEDED = {"barrier": "shared-memory"}

#: What a notebook folds away: hints, and the words of later chapters.
FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)

#: How a page or a notebook names a chapter: {chapter}`races`, {chapter}`Chapter <races>`, {{chapter races}}.
NAMED = r"\{chapter\}`(?:[^`<]*<)?([\w-]+)(?:#[\w-]+)?>?`|\{\{[Cc]hapter ([\w-]+)\}\}|\]\((epilogue)\)"


class Page(NamedTuple):
    """A text of the book, and the key of the chapter that it belongs to."""

    name: str
    chapter: str
    text: str


def glossary(text: str) -> Mapping[str, str]:
    """By entry, which is its terms with slashes between them, the key of the chapter that its last line names."""
    reported = {}
    for entry in text.split("```{glossary}\n")[1].rsplit("```", 1)[0].strip().split("\n\n"):
        *lines, last = entry.split("\n")
        named = re.search(NAMED, last)
        assert named, f"end the entry with `Explained in {{chapter}}`...`.`: {entry}"
        reported[" / ".join(line for line in lines if line[0] != " ")] = next(filter(None, named.groups()))
    return reported


@cache
def paragraphs(text: str) -> list[str]:
    """The prose of a page: captions, but no headings, code, options or sources; of roles only `term` and `chapter`."""
    text = text.split("\n## Sources and further reading")[0]
    text = re.sub(
        r"^( *)```.*?^\1```$",
        lambda block: re.sub(r"^(```|:).*$", "", block[0], flags=re.M) if re.match(CAPTIONED, block[0]) else "",
        text,
        flags=re.DOTALL | re.MULTILINE,
    )
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"(\{\w+\})?`[^`]*`", lambda role: role[0] if role[1] in ("{term}", "{chapter}") else " ", text)
    return re.split(r"\n\s*\n", text)


def uses(entry: str, paragraph: str) -> bool:
    terms = "|".join(map(re.escape, entry.split(" / ")))
    prose = re.sub(NAMED, " ", paragraph)
    return re.search(rf"(?<![\w-])(?:{terms})(?:s|es)?(?![\w-])", prose, re.IGNORECASE) is not None


def links(entry: str, paragraph: str) -> bool:
    linked = re.findall(r"\{term\}`(?:[^`<]*<)?([^`>]+)>?`", paragraph)
    return not {term.lower() for term in entry.split(" / ")}.isdisjoint(term.lower() for term in linked)


def names(chapter: str, paragraph: str) -> bool:
    return chapter in (key for found in re.findall(NAMED, paragraph) for key in found)


def too_early(pages: list[Page], entry: str, explained: str) -> str:
    """The paragraph that uses a term of the entry first, unless it explains the term or says where that is done.

    A page explains a term by a link to the glossary in this paragraph; before the chapter `explained`, the paragraph
    must also name that chapter.
    """
    order = list(dict.fromkeys(page.chapter for page in pages))
    for page in pages:
        for paragraph in paragraphs(page.text):
            if uses(entry, paragraph):
                known = order.index(page.chapter) >= order.index(explained) or names(explained, paragraph)
                return "" if known and links(entry, paragraph) else f"{page.name}: {paragraph.strip()}"
    return ""


def later_words(notebook: Page, entry: str, explained: str) -> list[str]:
    """The paragraphs of a notebook that use a term of the entry, which a later chapter explains: outside of folds, and
    in folds that don't name that chapter. The names of checks, on the left of their table, are no prose."""
    if explained in ORDER and ORDER.index(NEEDED.get(entry, explained)) <= ORDER.index(notebook.chapter):
        return []
    open_text = re.sub(r"^\|[^|]*\|", "|", FOLD.sub("", notebook.text), flags=re.MULTILINE)
    folds = [fold for fold in FOLD.findall(notebook.text) if not names(explained, fold)]
    return [text for part in (open_text, *folds) for text in paragraphs(part) if uses(entry, text)]


def book() -> Iterator[Page]:
    """The chapters in their order, each with its exercises, then the epilogue."""
    for key, chapter in chapters().items():
        yield Page(key, key, (ROOT / f"{chapter.page}.md").read_text())
        folder = key.replace("-", "_")
        for path in re.findall(rf"- file: exercises/({folder}/\w+)$", (ROOT / "_toc.yml").read_text(), re.MULTILINE):
            cells = json.loads((ROOT / f"solutions/{path}.ipynb").read_text())["cells"]
            prose = (explain("".join(cell["source"]), key) for cell in cells if cell["cell_type"] == "markdown")
            yield Page(path, key, "\n\n".join(prose))
    yield Page("epilogue", "epilogue", (BOOK / "epilogue.md").read_text())


ORDER = list(chapters())
PAGES = list(book())
NOTEBOOKS = [page for page in PAGES if "/" in page.name]
GLOSSARY = glossary((BOOK / "glossary.md").read_text())


def test_every_exercise_is_read() -> None:
    assert sum(page.name != page.chapter for page in PAGES) == len(list(ROOT.glob("solutions/*/*.ipynb")))


def test_no_term_is_used_before_it_is_explained() -> None:
    pages = [page for page in PAGES if page not in NOTEBOOKS]
    early = {entry: too_early(pages, entry, GLOSSARY[entry]) for entry in GLOSSARY.keys() - ORDINARY}
    assert not {entry: place for entry, place in early.items() if place}


def test_no_exercise_uses_a_term_of_a_later_chapter() -> None:
    for entry in GLOSSARY.keys() - ORDINARY:
        found = {notebook.name: later_words(notebook, entry, GLOSSARY[entry]) for notebook in NOTEBOOKS}
        assert not {name: texts for name, texts in found.items() if texts}, entry


def test_an_exercise_that_forbids_atomics_before_their_chapter_names_it() -> None:
    early = [item for item in NOTEBOOKS if ORDER.index(item.chapter) < ORDER.index("atomics")]
    texts = {item.name: "\n".join(paragraphs(item.text)) for item in early}
    message = {name: text for name, text in texts.items() if re.search(r"\batomics?\b", re.sub(NAMED, " ", text))}
    assert len(message) > 5
    assert [name for name, text in message.items() if not names("atomics", text)] == []


def test_a_term_of_a_later_chapter_is_seen_in_an_exercise() -> None:
    def found(text: str, entry: str = "sector", explained: str = "coalescing", chapter: str = "threads") -> list[str]:
        return later_words(Page(f"{chapter}/saxpy", chapter, text), entry, explained)

    fold = "<details>\n<summary>Hint</summary>\n\nFour sectors{}.\n\n</details>"
    assert found("Four sectors, of {{chapter coalescing}}.") == ["Four sectors, of {{chapter coalescing}}."]
    assert found(fold.format("")) == ["Four sectors."]
    assert found(fold.format(" ({{chapter coalescing}})")) == []
    assert found("Four sectors.", chapter="coalescing") == []
    assert found("| sectors at most | 1 | few sectors |") == ["| 1 | few sectors |"]
    assert found("| sectors at most | 1 | few pieces |") == []
    assert found("A barrier.", "barrier", "barriers") == ["A barrier."]
    assert found("A barrier.", "barrier", "barriers", "shared-memory") == []


def test_the_chapter_that_explains_a_term_links_to_it() -> None:
    for entry, explained in GLOSSARY.items():
        (page,) = (page for page in PAGES if page.name == explained)
        assert any(links(entry, paragraph) for paragraph in paragraphs(page.text)), entry


def test_a_term_that_comes_too_early_is_seen() -> None:
    early = Page("a", "a", "# Warps\n\nA `warp`.\n\n```cuda\nwarp\n```\n\nTwo warps wait.\n")
    reported, caption = Page("b", "b", "A {term}`warp`."), "```{kernel-timeline} a.cu\n:array: warp\nEach warp.\n```"
    assert too_early([early, reported], "warp", "b") == "a: Two warps wait."
    assert too_early([reported, early], "warp", "b") == ""
    assert too_early([Page("b", "b", caption)], "warp", "b").endswith("Each warp.")


def test_a_term_may_come_early_where_the_text_says_which_chapter_explains_it() -> None:
    later = Page("warps", "warps", "A {term}`warp`.")

    def early(text: str) -> str:
        return too_early([Page("threads", "threads", text), later], "warp", "warps")

    assert early("Many {term}`warps <warp>`.") == "threads: Many {term}`warps <warp>`."
    assert early("Many {term}`warps <warp>`, explained in {chapter}`warps`.") == ""
    assert early("Many warps, explained in {chapter}`warps`.") != ""
    assert early("{chapter}`Chapter <warps>` is not a use of the word.") == ""


def test_an_entry_without_its_chapter_is_seen() -> None:
    entry = "```{glossary}\nwarp\nwarps\n  32 threads.\n  Explained in {chapter}`threads`.\n```\n"
    assert glossary(entry) == {"warp / warps": "threads"}
    with pytest.raises(AssertionError, match="end the entry"):
        glossary(entry.replace("  Explained in {chapter}`threads`.\n", ""))


def test_how_often_a_gpu_hides_a_mistake_is_told_after_the_exercises() -> None:
    places = {}
    for page in PAGES:
        headings = re.findall(r"^## (.*)$", page.text, re.MULTILINE)
        for heading in headings:
            if heading.startswith("How often a GPU hides") and page.chapter != "races":  # which is about that
                places[page.name] = headings.index("Exercises") < headings.index(heading)
    places.pop("coalescing")  # one paragraph without a table
    assert len(places) == 5 and all(places.values()), places


def value(file: str, column: str, **where: str) -> float:
    rows = measurements.read(BOOK / "data" / f"{file}_nvidia_h200.csv")
    (row,) = (row for row in rows if where.items() <= row.items())
    return float(row[column])


def test_what_pages_work_out_is_what_was_measured() -> None:
    peak = value("roofline", "rate", ceiling="multiply-adds")
    tiling = (BOOK / "tiling.md").read_text()
    assert f"An eighth of that, {peak / 8:.1f}," in tiling
    assert f"the limit is a sixth, {peak / 6:.1f}." in tiling
    n = 1 << 24  # elements that a copy at a stride loads, and stores at 4 bytes each
    coalescing = (BOOK / "coalescing.md").read_text()
    for stride, brought in (("8", 32), ("16", 64)):
        ms = value("coalescing", "median_ms", experiment="stride", what=stride)
        assert f"are {n * (brought + 4) / ms / 1e6:.0f} GB/s" in coalescing
    groups = {sms: int(value("cluster_groups", "groups", sms=str(sms))) for sms in (18, 16, 8, 2)}
    assert groups[18] + groups[16] == 7 and groups[8] == 1
    clusters = (BOOK / "clusters.md").read_text()
    assert (
        f"each of the seven larger groups is probably a GPC, and the remaining 8 + {groups[2]} · 2 = 16 SMs" in clusters
    )
    gaps, none, bare = (value("gemm_tails", "us", case=c) for c in ("as it is", "without gaps", "nothing stored"))
    assert (
        "The gaps save a fortieth of the time, and the stores still take a fifteenth."
        in (BOOK / "towards-cublas.md").read_text()
    )
    assert 35 < none / (none - gaps) < 48 and 13 < gaps / (gaps - bare) < 17


def test_littles_law_is_told_with_what_was_measured() -> None:
    page = (BOOK / "memory.md").read_text()
    latency = {row["memory"]: float(row["cycles"]) for row in measurements.read(BOOK / "data/latency_nvidia_h200.csv")}
    device = {row["property"]: int(row["value"]) for row in measurements.read(BOOK / "data/device_nvidia_h200.csv")}
    far = latency["global memory: 4 GB"]
    ns = far / 1.980  # at 1980 MHz
    assert 650 < far < 750 and "about 700 cycles" in page
    assert 15 < far / latency["L1 cache"] < far / latency["shared memory"] < 25 and "about a twentieth" in page
    flying = 4 * 128 * device["multiProcessorCount"]
    for reported in (
        f"{flying:,} bytes".replace(",", "\N{NARROW NO-BREAK SPACE}"),
        f"{ns:.0f} ns",
        f"{flying / ns:.0f} GB/s",
        f"{2 * flying / ns:.0f} GB/s",
    ):
        assert reported in page
