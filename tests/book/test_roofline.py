"""Do the roofline and the bars show what is in the files of book/data, and refuse what they can't draw?"""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace

import pytest
from course_book import bars_svg, lines_svg, measured, measured_table, roofline, roofline_svg
from course_book.measured_figures import MeasuredBars

CEILINGS = [
    {"ceiling": "multiply-adds", "rate": "64"},
    {"ceiling": "copy of 1 GiB", "rate": "4000"},
    {"ceiling": "loads from shared memory", "rate": "32000"},
]
#: name, operations for each byte, TFLOP/s
KERNELS = [("gemm_a", "0.25", "0.5"), ("gemm_b", "4", "16"), ("gemm_c", "32", "48"), ("gemm_d", "32", "46")]


def rows(kernels: list[tuple[str, str, str]] = KERNELS) -> list[measured.Row]:
    return [{"kernel": name, "m": "", "intensity": x, "tflops": y} for name, x, y in kernels]


def example(kernels: list[tuple[str, str, str]] = KERNELS, memory: str = "copy of 1 GiB") -> roofline.Roofline:
    return roofline.from_rows(CEILINGS, memory, rows(kernels), "kernel", "tflops", "intensity")


def drawing(figure: str) -> ElementTree.Element:
    """The SVG of a figure, well-formed."""
    (svg,) = re.findall(r"<svg.*?</svg>", figure, re.DOTALL)
    return ElementTree.fromstring(svg)


def test_memory_limits_up_to_the_ridge_and_multiply_adds_beyond() -> None:
    line = example()
    assert line.ridge == 16
    assert [line.roof(x) for x in (0.25, 4, 16, 32)] == [1, 16, 64, 64]
    assert [line.share(point) for point in line.points] == [0.5, 1, 0.75, 46 / 64]
    assert [point.label for point in line.points] == ["a", "b", "c", "d"]
    assert example(memory="loads from shared memory").ridge == 2


def test_each_kernel_stands_at_its_place_below_the_roof() -> None:
    svg = drawing(roofline_svg.figure(example(), "r-0"))
    dots = [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in svg.iter("circle")]
    # On axes by powers of two, from 1/4 to 4 is as far as from 2 to 32; and 1/2 to 16 five steps of 16 to 32.
    (a, b, c, d), across = dots, dots[1][0] - dots[0][0]
    assert c[0] - b[0] == pytest.approx(3 / 4 * across, abs=0.2) and c[0] == d[0]
    assert (a[1] - b[1]) / 5 == pytest.approx((b[1] - c[1]) / 1.585, rel=0.01)
    assert c[1] < d[1]  # faster is higher
    memory, compute = (
        next(line for line in svg.iter("line") if line.attrib["class"] == kind)
        for kind in ("kf-way-read", "kf-way-write")
    )
    assert (memory.attrib["x2"], memory.attrib["y2"]) == (compute.attrib["x1"], compute.attrib["y1"])
    # b reaches its roof: it lies on the slope.
    x1, y1, x2, y2 = (float(memory.attrib[key]) for key in ("x1", "y1", "x2", "y2"))
    assert b[1] == pytest.approx(y1 + (y2 - y1) * (b[0] - x1) / (x2 - x1), abs=0.2)


def test_no_label_lies_on_another_or_outside() -> None:
    crowd = [(f"gemm_number_{i}", "2.667", str(30 + i / 10)) for i in range(12)]
    svg = drawing(roofline_svg.figure(example(crowd), "r-0"))
    boxes = []
    for label in svg.iter("text"):
        if label.attrib["class"] == "kf-label":
            x, y, width = float(label.attrib["x"]), float(label.attrib["y"]), 6.7 * len(label.text or "")
            left = x if label.attrib["text-anchor"] == "start" else x - width
            assert (
                left >= 0 and left + width <= float(svg.attrib["width"]) and 10 < y < float(svg.attrib["height"]) - 40
            )
            boxes.append((left, y, left + width))
    assert len(boxes) == 12
    for i, (left, y, right) in enumerate(boxes):
        assert all(right <= a or c <= left or abs(y - b) > 14 for a, b, c in boxes[:i])


def test_labels_of_kernels_above_each_other_stand_in_their_order() -> None:
    crowd = [
        ("1", "0.25", "6.18"),
        ("5", "2.6667", "24.91"),
        ("6", "2.6667", "31.97"),
        ("7", "2.6667", "36.31"),
        ("8", "2.6643", "39.02"),
        ("9", "2.6667", "40.86"),
        ("10", "4", "39.16"),
        ("11", "3.1875", "51.59"),
    ]
    kernels = [(f"gemm_{number}", intensity, rate) for number, intensity, rate in crowd]
    ceilings = [{"ceiling": "multiply-adds", "rate": "64.79"}, CEILINGS[2]]
    line = roofline.from_rows(ceilings, "loads from shared memory", rows(kernels), "kernel", "tflops", "intensity")
    svg = drawing(roofline_svg.figure(line, "r-0"))
    labels = ((label.text or "", float(label.attrib["y"])) for label in svg.iter("text"))
    heights = {text.split(":")[0]: y for text, y in labels if ":" in text}
    assert heights["9"] < heights["8"] < heights["7"] < heights["6"] < heights["5"]


def test_so_many_labels_that_none_fits_are_refused() -> None:
    crowd = [(f"gemm_number_{i}", "2.667", str(30 + i / 100)) for i in range(200)]
    with pytest.raises(ValueError, match="too close to be labeled"):
        roofline_svg.figure(example(crowd), "r-0")


def test_the_figure_says_in_words_what_it_shows() -> None:
    figure = roofline_svg.figure(example(), "r-0")
    assert "up to 16 operations for each byte" in figure
    assert "a: 0.25 operations for each byte, 0.5 TFLOP/s, 50 % of its roof." in figure
    assert "<td>c</td><td>32</td><td>48</td><td>64</td><td>75 %</td>" in figure
    assert 'aria-labelledby="r-0-title r-0-desc"' in figure


def test_what_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="no ceiling is called 'L2'; there are multiply-adds, copy of 1 GiB"):
        example(memory="L2")
    with pytest.raises(ValueError, match="no column 'speed'; they have kernel, m"):
        roofline.from_rows(CEILINGS, "copy of 1 GiB", rows(), "kernel", "speed", "intensity")
    with pytest.raises(ValueError, match="no kernel has both"):
        example([("gemm_a", "", "1")])


def test_kernels_of_two_files_meet_by_name_and_m(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "DATA", tmp_path)
    (tmp_path / "two.csv").write_text("kernel,m,bytes\na,16,1\na,32,2\nb,,3\n")
    given = [{"kernel": "a", "m": "32"}, {"kernel": "b", "m": ""}, {"kernel": "c", "m": ""}]
    assert [row["bytes"] for row in roofline.joined(given, "two.csv", "bytes")] == ["2", "3"]
    with pytest.raises(ValueError, match=r"two\.csv has no column 'words'; it has kernel, m, bytes"):
        roofline.joined(given, "two.csv", "words")


def test_bars_are_as_long_as_their_values() -> None:
    bars = [bars_svg.Bar("one", "25"), bars_svg.Bar("two & three", "75"), bars_svg.Bar("best", "50", marked=True)]
    figure = bars_svg.figure(bars, "% of it", "b-0")
    svg = drawing(figure)
    widths = [float(rect.attrib["width"]) for rect in svg.iter("rect")]
    assert widths == pytest.approx([widths[1] / 3, widths[1], widths[1] * 2 / 3], abs=0.1)
    assert [rect.attrib["class"] for rect in svg.iter("rect")] == ["kf-read", "kf-read", "kf-write"]
    (mark,) = (line for line in svg.iter("line") if line.attrib["class"] == "kf-way-write")
    assert float(mark.attrib["x1"]) == pytest.approx(float(next(svg.iter("rect")).attrib["x"]) + widths[2], abs=0.1)
    assert "% of it: one 25, two &amp; three 75, best 50." in figure


def test_a_bar_may_be_named_by_several_columns() -> None:
    options = {"label": "rung, kernel", "value": "percent=% of it", "mark": "best"}
    rows = [{"rung": "1", "kernel": "plain", "percent": "25"}, {"rung": "", "kernel": "best", "percent": "100"}]
    figure = MeasuredBars.draw(SimpleNamespace(options=options), rows, "b-0")  # type: ignore[arg-type]
    assert "% of it: 1 plain 25, best 100." in figure
    assert len(re.findall('rect class="kf-write"', figure)) == 1


@pytest.mark.skipif(not (measured.DATA / "gemm_nvidia_h200.csv").exists(), reason="not measured here")
def test_no_measured_kernel_is_above_its_roof() -> None:
    ceilings = measured_table.select("roofline_nvidia_h200.csv", "")
    for file, where, memory, intensity in (
        # The last rung's counts are of the tile for small matrices, its rate of another.
        (
            "gemm_nvidia_h200.csv",
            "n=4096 rung=1,2,3,4,5,6,7,8,9,10,11",
            "loads from shared memory",
            "operations_per_shared_byte",
        ),
        ("measuring_nvidia_h200.csv", "experiment=roofline", "copy of 1 GiB", "operations_per_byte"),
    ):
        found = measured_table.select(file, where)
        label = "case"
        if file.startswith("gemm"):
            found, label = roofline.joined(found, "gemm_counts_nvidia_h200.csv", intensity), "kernel"
        line = roofline.from_rows(ceilings, memory, found, label, "tflops", intensity)
        assert all(0.01 < line.share(point) < 1.02 for point in line.points)


def test_lines_go_where_their_rows_say() -> None:
    lines = {"up & on": [(100.0, 0.0), (200.0, 20.0)], "down": [(100.0, 40.0), (150.0, 30.0), (200.0, 10.0)]}
    figure = lines_svg.figure(lines, "side", "TFLOP/s", "l-0")
    svg = drawing(figure)
    first, *_ = drawn = [line for line in svg.iter("line") if line.attrib["class"] in ("kf-way-read", "kf-way-write")]
    assert [line.attrib["class"] for line in drawn] == ["kf-way-read", "kf-way-write", "kf-way-write"]
    x, y = ([float(first.attrib[f"{axis}{end}"]) for end in (1, 2)] for axis in "xy")
    halfway = float(drawn[1].attrib["x2"])
    assert halfway == pytest.approx(sum(x) / 2, abs=0.1)
    assert float(drawn[1].attrib["y1"]) == pytest.approx(2 * y[1] - y[0], abs=0.1)  # 40 is twice as high as 20
    marked = drawing(lines_svg.figure(lines, "side", "TFLOP/s", "l-0", mark="up & on"))
    found = [line.attrib["class"] for line in marked.iter("line") if line.attrib["class"].startswith("kf-way")]
    assert found == ["kf-way-write", "kf-way-read", "kf-way-read"]
    assert "down: TFLOP/s 40 at side 100, 10 at 200, at most 40; it falls at 2 of 2 steps." in figure
    with pytest.raises(ValueError, match="4 lines are too many"):
        lines_svg.figure({label: [(0.0, 1.0), (1.0, 1.0)] for label in "abcd"}, "x", "y", "l-1")
