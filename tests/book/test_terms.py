"""Is each term of the glossary explained, by a link, in the paragraph of the book that uses it first?"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.performance import measurements
from autograder.report.chapters import chapters

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book"

#: Directives whose content is text that a reader sees as prose: captions.
CAPTIONED = r"```\{(kernel-(?!switches)|measured|explore-|roofline)"

#: Terms that are everyday words as well: threads pass a barrier.
ORDINARY = {"pass"}


def terms() -> list[str]:
    lines = (BOOK / "glossary.md").read_text().split("```{glossary}\n")[1].splitlines()
    return [line for line in lines if line and line[0] not in " `" and line not in ORDINARY]


def paragraphs(text: str) -> Iterator[str]:
    """The prose of a page: captions, but no headings, code, options or sources; of roles only `term`."""
    text = text.split("\n## Sources and further reading")[0]
    text = re.sub(
        r"^( *)```.*?^\1```$",
        lambda block: re.sub(r"^(```|:).*$", "", block[0], flags=re.M) if re.match(CAPTIONED, block[0]) else "",
        text,
        flags=re.DOTALL | re.MULTILINE,
    )
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"(\{\w+\})?`[^`]*`", lambda role: role[0] if role[1] == "{term}" else " ", text)
    yield from re.split(r"\n\s*\n", text)


def uses(term: str, paragraph: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(term)}(?:s|es)?(?![\w-])", paragraph, re.IGNORECASE) is not None


def links(term: str, paragraph: str) -> bool:
    told = re.findall(r"\{term\}`(?:[^`<]*<)?([^`>]+)>?`", paragraph)
    return any(term.lower() in one.lower() for one in told)


def unexplained(pages: list[str], term: str) -> str:
    """The paragraph that uses this term first, if it does not link to the glossary; else empty."""
    for page in pages:
        for paragraph in paragraphs(page):
            if uses(term, paragraph):
                return "" if links(term, paragraph) else paragraph
    return ""


PAGES = [(ROOT / f"{chapter.page}.md").read_text() for chapter in chapters().values()]


@pytest.mark.parametrize("term", terms())
def test_a_term_is_explained_where_it_is_used_first(term: str) -> None:
    assert unexplained(PAGES, term) == ""


def test_a_term_that_comes_too_early_is_seen() -> None:
    early = "# Warps\n\nA `warp`.\n\n```cuda\nwarp\n```\n\nTwo warps wait.\n"
    assert unexplained([early, "A {term}`warp`."], "warp").strip() == "Two warps wait."
    assert unexplained(["Many {term}`warps <warp>`.", early], "warp") == ""
    assert unexplained(["```{kernel-timeline} a.cu\n:array: warp\nEach warp.\n```"], "warp").strip() == "Each warp."


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
    assert f"each of the seven larger groups is probably a GPC, and the rest, 8 + {groups[2]} · 2 = 16 SMs" in clusters
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
    ns = latency["global memory: 4 GB"] / 1.980  # at 1980 MHz
    flying = 4 * 128 * device["multiProcessorCount"]
    for told in (
        f"{flying:,} bytes".replace(",", "\N{NARROW NO-BREAK SPACE}"),
        f"{ns:.0f} ns",
        f"{flying / ns:.0f} GB/s",
        f"{2 * flying / ns:.0f} GB/s",
    ):
        assert told in page
