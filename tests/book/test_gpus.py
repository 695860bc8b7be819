"""Do the numbers on GPUs agree with each other, with autograder.cuda.nvrtc.occupancy, and with what a driver said?"""

import re
from pathlib import Path

import pytest
from book_pages import first, words
from bs4 import BeautifulSoup
from course_book import gpus, measured

from autograder.cuda.core.launch import MAX_SHARED
from autograder.cuda.nvrtc.occupancy import GPUS
from autograder.cuda.performance import measurements

ROWS = {row["gpu"]: row for row in gpus.load()}
#: GPUs of the table, and those of autograder.cuda.nvrtc.occupancy with the same multiprocessor.
SAME = [
    ("T4", "T4"), ("A100", "A100"), ("Orin Nano", "Orin"), ("RTX 3090", "RTX30"), ("RTX 4090", "RTX40"),
    ("L4", "RTX40"), ("H100", "H100"), ("H200", "H200"), ("B200", "B200"),
]  # fmt: skip
#: GPUs that the calculator doesn't know, and one with the same multiprocessor.
RELATIVES = {"B300": "B200", "GB10": "RTX 5090"}
#: What of a row describes its multiprocessor.
MULTIPROCESSOR = ("threads", "warps", "blocks", "registers", "l1_kb", "shared_kb", "shared_block_kb", "fp32_lanes")
DEVICE = measured.DATA / "device_nvidia_h200.csv"
PAGE = Path(__file__).parents[2] / "book" / "appendix-gpus.md"


@pytest.mark.parametrize(("name", "known"), SAME)
def test_the_limits_are_those_of_the_calculator(name: str, known: str) -> None:
    row, gpu = ROWS[name], GPUS[known]
    assert f"sm_{row['compute_capability'].replace('.', '')}" == gpu.arch
    assert int(row["multiprocessors"] or gpu.multiprocessors) == gpu.multiprocessors or name == "L4"
    assert (int(row["warps"]), int(row["blocks"]), int(row["registers"])) == (gpu.warps, gpu.blocks, gpu.registers)
    assert int(row["shared_kb"]) * 1024 == gpu.shared_bytes
    assert int(row["shared_block_kb"]) * 1024 == gpu.shared_bytes - gpu.reserved_bytes


def test_every_gpu_of_the_calculator_is_in_the_table() -> None:
    assert {known for _, known in SAME} == set(GPUS)
    assert set(ROWS) - {name for name, _ in SAME} == {"V100", "RTX 5090", *RELATIVES}


@pytest.mark.parametrize(("name", "relative"), RELATIVES.items())
def test_gpus_of_one_generation_have_the_same_multiprocessor(name: str, relative: str) -> None:
    assert ROWS[name]["compute_capability"].split(".")[0] == ROWS[relative]["compute_capability"].split(".")[0]
    assert [ROWS[name][column] for column in MULTIPROCESSOR] == [ROWS[relative][column] for column in MULTIPROCESSOR]


@pytest.mark.parametrize("name", ROWS)
def test_the_numbers_of_a_row_agree_with_each_other(name: str) -> None:
    row = ROWS[name]
    assert int(row["threads"]) == 32 * int(row["warps"])
    assert int(row["shared_block_kb"]) <= int(row["shared_kb"]) < int(row["l1_kb"])
    assert int(row["shared_block_kb"]) * 1024 <= MAX_SHARED
    assert row["source"]
    if row["multiprocessors"] and row["clock_mhz"]:  # a multiply-add is two operations
        peak = 2e-6 * int(row["multiprocessors"]) * int(row["fp32_lanes"]) * int(row["clock_mhz"])
        assert float(row["fp32_tflops"]) == pytest.approx(peak, rel=0.01)


def test_a_gpu_of_which_nothing_is_known_has_no_row_and_a_gap_is_a_dash() -> None:
    html = gpus.table({"gpu": "GPU", "clock_mhz": "MHz", "multiprocessors": "how many"})
    page = BeautifulSoup(html, "html.parser")
    shown = {first(row, "th").text: [cell.text for cell in row.select("td")] for row in page.select("tbody tr")}
    assert shown["T4"] == ["1590", "40"]
    assert shown["H100"] == ["\N{EN DASH}", "132"]
    assert "L4" not in shown
    with pytest.raises(ValueError, match="no column price"):
        gpus.table({"gpu": "GPU", "price": "price"})


def test_the_page_gives_a_reason_for_each_dash() -> None:
    page = PAGE.read_text()
    tables = re.findall(r"^:columns: gpu=GPU, (.+)$", page, re.MULTILINE)
    columns = dict(item.split("=") for table in tables for item in table.split(", "))
    columns["l2_mb"] = "L2"  # without its unit
    del columns["operations_per_byte"]  # which follows from two others
    dashes = {(name, columns[column]) for name, row in ROWS.items() for column in columns if not row[column]}
    reasons = re.findall(r"^- \*\*(.+), (.+):\*\* ", page, re.MULTILINE)
    assert {(name, what) for name, several in reasons for what in several.split(" and ")} == dashes


def test_what_follows_from_the_numbers() -> None:
    assert [ROWS[name]["registers_each"] for name in ("T4", "RTX 3090", "H200")] == ["64", "42", "32"]
    assert [ROWS[name]["operations_per_byte"] for name in ("T4", "H200", "B200")] == ["25", "14", ""]


def test_each_file_with_a_device_is_listed() -> None:
    rows = {"one.csv": [{"device": "A GPU"}] * 2}
    assert words(first(BeautifulSoup(gpus.measurements(rows), "html.parser"), "tbody")) == "one.csv A GPU"


@pytest.mark.skipif(not DEVICE.exists(), reason="not measured")
def test_the_driver_says_the_same() -> None:
    message = {row["property"]: row["value"] for row in measurements.read(DEVICE)}
    row = ROWS["H200"]
    for name, column in (
        ("multiProcessorCount", "multiprocessors"),
        ("maxThreadsPerMultiProcessor", "threads"),
        ("maxBlocksPerMultiProcessor", "blocks"),
        ("regsPerMultiprocessor", "registers"),
        ("sharedMemPerMultiprocessor", "shared_kb"),
        ("sharedMemPerBlockOptin", "shared_block_kb"),
        ("l2CacheSize", "l2_mb"),
    ):
        assert row[column] in ("", message[name]), name
    assert int(message["reservedSharedMemPerBlock"]) * 1024 == GPUS["H200"].reserved_bytes
