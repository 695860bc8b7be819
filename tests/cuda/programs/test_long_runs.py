"""Programs that take long: what they report meanwhile, and what is left of one that is interrupted."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from autograder.cuda.backends.emulator_process import File
from autograder.cuda.core.host_findings import Place
from autograder.cuda.programs import progress
from autograder.cuda.programs.building.build import build_program
from autograder.cuda.programs.progress import Progress

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")

#: `shift` races; `long_one` takes minutes, most of them without a check.
LONG = """#include <cstdio>
__global__ void shift(int* data) { data[threadIdx.x + 1] = data[threadIdx.x]; }
__global__ void long_one(int* data, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < rounds; k++) sum = sum * 31 + data[(i + k) % 4096];
    data[4096 + i] = sum;
}
int main() {
    int* data;
    cudaMalloc(&data, 9000000);
    cudaMemset(data, 1, 9000000);
    shift<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    puts("begun");
    fflush(stdout);
    long_one<<<8192, 256>>>(data, 100000);
    cudaDeviceSynchronize();
    puts("over");
}
"""
TO_RUN = [sys.executable, "-m", "autograder", "run"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program's file, which has been built before."""
    path = tmp_path_factory.mktemp("long") / "long.cu"
    path.write_text(LONG)
    build_program(path)
    return path


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_reports_what_was_found(program: Path, number: signal.Signals) -> None:
    with subprocess.Popen(
        [*TO_RUN, str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout and process.stderr
        assert process.stdout.readline() == "begun\n"
        process.send_signal(number)
        report = process.stderr.read()
        assert process.stdout.read() == ""
    assert process.returncode == 130
    assert report.startswith("long.cu was interrupted, with 1 launch of 1 kernel on the emulated H200: 1 finding.\n")
    assert "Race in shift, launched in line 12" in report


@pytest.mark.rare
def test_so_does_its_document(program: Path) -> None:
    with subprocess.Popen([*TO_RUN, "--json", str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        line = process.stderr.readline()  # it says nothing before 10 seconds have passed
        process.send_signal(signal.SIGINT)
        document = json.loads(process.stdout.read())
    assert re.fullmatch(rb"long\.cu line 16: launch 2, of long_one, .*\n", line)
    assert process.returncode == 130
    assert document["interrupted"]
    assert [finding["kind"] for finding in document["findings"]] == ["Race"]


def test_a_terminal_shows_one_line(program: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen([*TO_RUN, str(program)], stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        message = b""
        while b"of long_one, computes 8,192 blocks" not in message:
            message += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        with suppress(OSError):  # how a terminal ends
            while part := os.read(ours, 1000):
                message += part
    shown, _, report = message.decode().rpartition("\r\x1b[K")
    assert all(line.startswith("long.cu line ") for line in shown.split("\r\x1b[K")[1:])
    assert "\n" not in shown
    assert report.startswith("long.cu was interrupted")


def test_a_share_and_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_FILE", 0.1)
    reads, writes = os.pipe()
    with File("begun", 8) as begun, Progress(writes) as shown:
        shown.begin("blur", Place("a.cu", 7, ""), 1200)
        assert os.read(reads, 1000) == b"a.cu line 7: launch 1,200, of blur, is prepared\n"
        begun.write(0, (2500).to_bytes(8, "little"))
        shown.compute(begun, 10_000)
        time.sleep(1.2)
        shown.end()
        threading.Event().wait(0.3)
    os.close(writes)
    text = b""
    while part := os.read(reads, 1000):
        text += part
    lines = text.decode().splitlines()
    assert "a.cu line 7: launch 1,200, of blur, computes 10,000 blocks: 25%" in lines
    # A quarter took 1.1 to 1.5 s, so three quarters take 3 to 5.
    assert re.fullmatch(r".*: 25%, about [345] s left", lines[-1])
