"""Programs of which a part is checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autograder import cli
from autograder.cuda.programs.launches import budget

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")

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


def allow(accesses: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this many accesses of a program be checked."""
    monkeypatch.setattr(budget, "WHOLE_PROGRAM", accesses)


def test_small_launches_are_all_checked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done, everything = run(RACES, tmp_path, capfd), run(RACES, tmp_path, capfd, "--all")
    assert all(launch["checked"] for launch in done["launches"])
    assert done == everything
    assert "hecked" not in done["summary"]
    assert done["launches"][0]["counts"]["global_loads"] == 64


@pytest.mark.parametrize(("room", "checked"), [(0, 0), (25_000, 1), (1 << 30, 10)])
def test_launches_are_checked_while_there_is_room(
    room: int, checked: int, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(room, monkeypatch)
    done = run(RACES, tmp_path, capfd)
    assert [launch["checked"] for launch in done["launches"]] == [True] * checked + [False] * (10 - checked)
    assert sum(finding["launches"] for finding in done["findings"]) == min(checked, 5)
    assert [launch["counts"] is None for launch in done["launches"]] == [False] * checked + [True] * (10 - checked)
    # Whoever runs it: memory, atomics and variables on the GPU are carried from launch to launch.
    assert done["printed"] == "320 5\n"
    assert ("With --all, everything is checked" in done["summary"]) == (checked < 10)
    assert all(launch["checked"] for launch in run(RACES, tmp_path, capfd, "--all")["launches"])


def test_what_is_too_much_memory_to_check_is_computed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "_MOST_BYTES", 64)
    done = run(RACES, tmp_path, capfd)
    assert not any(launch["checked"] for launch in done["launches"])
    assert done["printed"] == "320 5\n"


#: Of two neighbors in a row, one uses what the other writes, in the last pair of blocks alone; and the middle row of
#: `result` is written by nobody but `other`.
LARGE = """#include <cstdio>
__global__ void neighbors(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < 8; k++) sum += in[(i + 32 * k) % n];
    out[i] = sum;
    if (i >= n - 256 - 8 && i < n - 256) out[i + 8] = 1;
}
__global__ void next(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}
int main() {
    const int n = 1 << 18;
    int *in, *out, last;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemset(in, 0, n * sizeof(int));
    neighbors<<<n / 256, 256>>>(in, out, n);
    next<<<n / 256, 256>>>(out, in);
    cudaMemcpy(&last, in + n / 2, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\\n", last);
    cudaFree(in);
    cudaFree(out);
}
"""


def test_of_a_large_launch_neighbors_are_checked_and_all_are_computed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(1 << 20, monkeypatch)
    done = run(LARGE, tmp_path, capfd)
    assert [launch["checked_blocks"] for launch in done["launches"]] == [24, 24]
    # The race is between two of them. What `next` reads in its blocks others have written, which nobody watched.
    assert [(finding["kind"], finding["kernel"]) for finding in done["findings"]] == [("Race", "neighbors")]
    assert done["printed"] == "1\n"
    assert "Checked: 0 of 2 launches; 24 of 1,024 blocks of neighbors; 24 of 1,024 blocks of next" in done["summary"]


def test_work_in_one_block_ends_its_check(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "_LAUNCH", 10_000)
    allow(1 << 20, monkeypatch)
    done = run(LARGE, tmp_path, capfd)
    # 256 threads make 9 accesses each; so 10,000 are made in the fifth block.
    assert done["launches"][0]["checked_blocks"] == 4
    assert done["printed"] == "1\n"


#: Each block waits for the one before it, as in a scan that looks back; the others are in no order.
LOOKS_BACK = """#include <cstdio>
__global__ void chain(int* ready, int* sums) {
    if (threadIdx.x == 0 && blockIdx.x > 0) while (atomicAdd(&ready[blockIdx.x - 1], 0) == 0) { }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        sums[blockIdx.x] = blockIdx.x ? sums[blockIdx.x - 1] + 1 : 0;
        __threadfence();
        atomicExch(&ready[blockIdx.x], 1);
    }
}
int main() {
    int *ready, *sums, last;
    cudaMalloc(&ready, 400);
    cudaMalloc(&sums, 400);
    cudaMemset(ready, 0, 400);
    chain<<<100, 128>>>(ready, sums);
    cudaMemcpy(&last, sums + 99, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\\n", last);
    cudaFree(ready);
    cudaFree(sums);
}
"""


def test_blocks_that_wait_for_others_are_no_endless_loop(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(22_000, monkeypatch)
    done = run(LOOKS_BACK, tmp_path, capfd)
    assert (done["findings"], done["printed"]) == ([], "99\n")
    assert [launch["checked_blocks"] for launch in done["launches"]] == [24]


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
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    unwritten = UNWRITTEN.replace("first<<<1, 32>>>(table);", "")
    assert [finding["kind"] for finding in run(unwritten, tmp_path, capfd)["findings"]] == ["UninitializedRead"]
    # The launch of `then` that is checked comes after one of `first` that is not.
    allow(1 << 30, monkeypatch)
    monkeypatch.setattr(budget, "_KERNEL", 25_000)
    again = (
        UNWRITTEN.replace("first<<<1, 32>>>(table);", "first<<<1, 32>>>(other);", 1)
        .replace(
            "cudaMalloc(&table, sizeof a);",
            "cudaMalloc(&table, sizeof a); int** other; cudaMalloc(&other, sizeof a);"
            "cudaMemcpy(other, &b, sizeof b, cudaMemcpyHostToDevice);",
        )
        .replace("cudaFree(table);", "cudaFree(table); cudaFree(other);")
    )
    done = run(again, tmp_path, capfd)
    assert [launch["checked"] for launch in done["launches"]] == [True, False, True]
    assert done["findings"] == []


def test_only_a_program_has_launches_to_choose_from(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kernel.cu").write_text("__global__ void k() {}")
    file = str(tmp_path / "kernel.cu")
    assert cli.main(["run", "--grid", "1", "--block", "1", "--all", file]) == 2
    assert "--all is for programs" in capfd.readouterr().err


def test_what_all_blocks_write_to_a_variable_stays(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several processes compute the blocks of a launch without checks; a variable is no memory that they share."""
    allow(0, monkeypatch)
    text = """#include <cstdio>
__device__ int squares[1 << 16];
__global__ void square() { int i = blockIdx.x * blockDim.x + threadIdx.x; squares[i] = i * i; }
int main()
{
    static int got[1 << 16];
    square<<<256, 256>>>();
    cudaMemcpyFromSymbol(got, squares, sizeof got);
    int right = 0;
    for (int i = 0; i < 1 << 16; i++) right += unsigned(got[i]) == unsigned(i) * i;
    printf("%d", right);
}
"""
    done = run(text, tmp_path, capfd)
    assert (done["printed"], [launch["checked"] for launch in done["launches"]]) == (str(1 << 16), [False])
