"""Are the ladder's counts those of the file, and are all differences between emulator and Nsight Compute explained?"""

from pathlib import Path

import count_gemm
import inputs
import pytest
from course_book import ladder_counts, measured, measured_table
from gemm_rungs import RUNGS, Rung

pytestmark = inputs.book

HEAD = "# device: A GPU\n# driver: 1\n# cuda: 12.0\n# date: 2026-01-02\n# script: book/data/one.py\n"


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.file)
def test_the_emulator_counts_what_the_file_says(rung: Rung) -> None:
    m = rung.sides[0]
    (row,) = measured_table.select(ladder_counts.EMULATOR, f"kernel={rung.name} m={m or ''}")
    counts = count_gemm.counts(rung, m)
    assert {theirs: getattr(counts, ours) for theirs, ours in count_gemm.COLUMNS.items()} == {
        column: int(row[column]) for column in count_gemm.COLUMNS
    }


@pytest.mark.skipif(not (measured.DATA / ladder_counts.GPU).exists(), reason="not measured here")
def test_every_difference_is_explained_and_every_explanation_needed() -> None:
    assert ladder_counts.unequal() == ladder_counts.explained()


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(measured, "DATA", tmp_path)
    spreads = ",".join(f"{column}_spread" for column in ladder_counts.COLUMNS)
    head = f"kernel,m,n,runs,{','.join(ladder_counts.COLUMNS)},{spreads}\n"
    for name, first in ((ladder_counts.EMULATOR, 12345), (ladder_counts.GPU, 12000)):
        rows = f"gemm_a,16,256,5,{first},2,3,4,5,6,7,40,0,0,0,0,0,0\n"
        (tmp_path / name).write_text(HEAD + head + rows)
    return tmp_path


def test_the_table_shows_one_number_or_both(files: Path) -> None:
    space = "\N{NARROW NO-BREAK SPACE}"
    html = ladder_counts.ladder_table(ladder_counts.GLOBAL, "Global memory.")
    assert f"<th>a, m=16</th><td><b>12{space}345</b> / 12{space}000 ± 40</td><td>2</td><td>3</td></tr>" in html
    html = ladder_counts.ladder_table(ladder_counts.SHARED, "Shared memory.")
    assert "<th>a, m=16</th><td>4</td><td>5</td><td>6</td><td>7</td></tr>" in html and "<p>Shared memory. One" in html
    assert ladder_counts.unequal() == {("gemm_a", "load_requests")}


def test_files_about_different_launches_are_refused(files: Path) -> None:
    path = files / ladder_counts.GPU
    path.write_text(path.read_text().replace("gemm_a,16", "gemm_a,32"))
    with pytest.raises(ValueError, match="about different launches"):
        ladder_counts.compared()
