"""Programs of which the first launches alone are checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autograder import cli
from autograder.host import heap

pytestmark = pytest.mark.kept("autograder/**/*", "tests/host/**/*")

#: Each launch of `shift` races, and `count` sums what is left.
RACES = """#include <cstdio>
__device__ int launches;
__global__ void shift(int* data) {
    data[threadIdx.x + 1] = data[threadIdx.x];
    if (threadIdx.x == 0) atomicAdd(&launches, 1);
}
__global__ void count(const int* data, int* sum) { atomicAdd(sum, data[threadIdx.x] & 1); }
int main() {
    int *data, *sum, total, launched;
    cudaMalloc(&data, 65 * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(data, 1, 65 * sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    for (int i = 0; i < 5; i++) shift<<<1, 64>>>(data);
    for (int i = 0; i < 5; i++) count<<<1, 64>>>(data, sum);
    cudaMemcpy(&total, sum, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&launched, launches, sizeof(int));
    printf("%d %d\\n", total, launched);
    cudaFree(data);
    cudaFree(sum);
}
"""


def run(text: str, folder: Path, capfd: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    """The document of `autograder run`."""
    (folder / "program.cu").write_text(text)
    cli.main(["run", "--json", *options, str(folder / "program.cu")])
    document: dict[str, Any] = json.loads(capfd.readouterr().out)
    return document


@pytest.mark.parametrize(("number", "checked", "races"), [("0", 0, 0), ("1", 2, 1), ("3", 6, 3), ("9", 10, 5)])
def test_so_many_launches_of_each_kernel_are_checked(
    number: str, checked: int, races: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    done = run(RACES, tmp_path, capfd, "--checked-launches", number)
    assert sum(launch["checked"] for launch in done["launches"]) == checked
    assert sum(finding["launches"] for finding in done["findings"] if finding["kind"] == "Race") == races
    # Whoever runs it: memory, atomics and variables on the GPU are carried from launch to launch.
    assert done["printed"] == "320 5\n"


def test_the_summary_says_how_many(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    said = [run(RACES, tmp_path, capfd, *options)["summary"] for options in ([], ["--checked-launches", "0"])]
    assert "checked" not in said[0]
    assert "10 launches of 2 kernels on the emulated H200, of which none was checked: nothing was found." in said[1]


def test_what_is_too_much_memory_to_check_is_computed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heap, "bearable", lambda: 64)
    done = run(RACES, tmp_path, capfd, "--checked-launches", "1")
    assert not any(launch["checked"] for launch in done["launches"])
    assert done["printed"] == "320 5\n"


#: What another launch has written without a check holds values, and nobody uses what nobody wrote.
UNWRITTEN = """
__global__ void first(int** table) { table[0][threadIdx.x] = 1; }
__global__ void then(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
int main() {
    int *a, *b, **table;
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    cudaMalloc(&table, sizeof a);
    cudaMemcpy(table, &a, sizeof a, cudaMemcpyHostToDevice);
    first<<<1, 32>>>(table);
    first<<<1, 32>>>(table);
    then<<<1, 32>>>(a, b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(table);
}
"""


def test_what_an_unchecked_launch_may_have_written_is_no_uninitialized_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(UNWRITTEN, tmp_path, capfd, "--checked-launches", "0")["findings"] == []
    done = run(UNWRITTEN.replace("first<<<1, 32>>>(table);", ""), tmp_path, capfd, "--checked-launches", "1")
    assert [finding["kind"] for finding in done["findings"]] == ["UninitializedRead"]
    # The launch of `then` that is checked comes behind one of `first` that is not.
    again = (
        UNWRITTEN.replace("first<<<1, 32>>>(table);", "first<<<1, 32>>>(other);", 1)
        .replace(
            "cudaMalloc(&table, sizeof a);",
            "cudaMalloc(&table, sizeof a); int** other; cudaMalloc(&other, sizeof a);"
            "cudaMemcpy(other, &b, sizeof b, cudaMemcpyHostToDevice);",
        )
        .replace("cudaFree(table);", "cudaFree(table); cudaFree(other);")
    )
    assert run(again, tmp_path, capfd, "--checked-launches", "1")["findings"] == []


def test_a_number_of_launches_is_a_number(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--checked-launches", "some", "program.cu"]) == 2
    assert "some is not a number of launches, such as 1" in capfd.readouterr().err


def test_only_a_program_has_launches_to_count(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kernel.cu").write_text("__global__ void k() {}")
    file = str(tmp_path / "kernel.cu")
    assert cli.main(["run", "--grid", "1", "--block", "1", "--checked-launches", "1", file]) == 2
    assert "--checked-launches is for programs" in capfd.readouterr().err
