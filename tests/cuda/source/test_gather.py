"""`autograder run` on a file with headers of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from autograder import cli

MAIN = """\
#include <vector>
#include "tile.h"
__global__ void shift(int* out)
{
    tile_of(out);
    out[threadIdx.x] = line_of(threadIdx.x);
}
"""
HEADER = """\
#pragma once
#include <deep.h>

__device__ int shared_word;
__device__ void tile_of(int* out)
{
    shared_word = out[0];  // every thread, at once: line 99
}
"""
DEEP = "#ifndef _DEEP_H\n#define _DEEP_H\n__device__ int line_of(int i) { return i; }\n#endif\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "deep.h").write_text(DEEP)
    (tmp_path / "tile.h").write_text(HEADER)
    (tmp_path / "main.cu").write_text("\ufeff" + MAIN, encoding="utf-8")
    return tmp_path


def run(program: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    where = ["-I", str(program / "other"), "--grid", "1", "--block", "32", "--arg", "zeros:32"]
    assert cli.main(["run", str(program / "main.cu"), *where, *options]) == 1
    return capsys.readouterr().out


def test_lines_are_those_of_each_file(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(program, capsys)
    assert re.search(r"tile.h line +7   shared_word = out\[0\];  // every thread, at once: line 99", out)
    assert re.search(r"writes +line +6   out\[threadIdx.x\]", out)


def test_json_names_the_header(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    findings = json.loads(run(program, capsys, "--json"))["findings"]
    places = {(t.get("header", ""), t["line"]) for f in findings for t in f["threads"]}
    assert places == {("tile.h", 7), ("", 6)}


def test_a_trace_names_the_header(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(program, capsys, "--trace", str(program / "trace.csv"))
    lines = [row.split(",")[3] for row in (program / "trace.csv").read_text().split("\n")[1:-1]]
    assert {"tile.h:7", "6"} <= set(lines)


def test_a_text_of_another_time_is_read(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "#include <vector>\n// \xe4\n__global__ void k(int* a) { a[0] = std::max(std::abs(-3), 2); }\n"
    (program / "main.cu").write_bytes(text.encode("latin-1"))
    stored = program / "a.npy"
    options = ["--grid", "1", "--block", "1", "--arg", "zeros:1", "--out", f"a={stored}"]
    assert cli.main(["run", str(program / "main.cu"), *options]) == 0
    assert np.load(stored)[0] == 3
