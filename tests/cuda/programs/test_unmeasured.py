"""Whole programs that no GPU has run yet, in `unmeasured/`: once one has (`on_a_gpu.py`), they move to `right/` and
`wrong/` beside it, of which they are kinds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_programs import run

from autograder import cli
from autograder.cuda.programs.launches import budget

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")

HERE = Path(__file__).parent / "unmeasured"


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("checked", [True, False], ids=["checked", "unchecked"])
@pytest.mark.parametrize("path", sorted((HERE / "right").glob("*.cu")), ids=lambda path: path.stem)
def test_a_right_program_prints_what_it_says(
    path: Path, checked: bool, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not checked:
        monkeypatch.setattr(budget, "WHOLE_PROGRAM", 0)
    expected = re.match("// prints: (.*)", path.read_text())
    warned = re.findall(r"^// warns: (.*)$", path.read_text(), re.MULTILINE)
    code, done = run(path, capfd)
    assert [finding["report"] for finding in done["findings"]] == []
    assert len(done["notes"]) == (len(warned) if checked else 0)
    assert all(f"Warning: {says}" in note for says, note in zip(warned, done["notes"], strict=False))
    assert expected and (code, done["printed"].rstrip("\n")) == (0, expected[1])


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("path", sorted((HERE / "wrong").glob("*.cu")), ids=lambda path: path.stem)
def test_a_mistake_is_found_at_its_line(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    expected = re.match(r"// finds: (\w+), line (\d+)", path.read_text())
    _, done = run(path, capfd)
    (finding,) = done["findings"]
    assert expected and (finding["kind"], finding.get("launch", finding)["line"]) == (expected[1], int(expected[2]))
    for says in re.findall(r"^// says: (.*)$", path.read_text(), re.MULTILINE):
        assert says in " ".join(finding["report"].split())


def test_a_single_kernel_has_no_heap(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "take.cu"
    file.write_text("__global__ void take(int* out)\n{\n    int* x = new int;\n    *x = 1;\n    *out = *x;\n}\n")
    assert cli.main(["run", str(file), "--grid", "1", "--block", "1", "--arg", "out=poison:1"]) == 1
    message = " ".join(capfd.readouterr().out.split())
    assert "Line 3 holds new, and that takes or frees memory while the kernel runs" in message


def test_a_program_sees_one_gpu_unless_more_are_asked_for(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "count.cu"
    file.write_text(
        "#include <cstdio>\nint main() {\n    int count;\n    cudaGetDeviceCount(&count);\n"
        '    printf("%d %d", count, cudaSetDevice(3));\n    return cudaGetLastError();\n}\n'
    )
    assert [run(file, capfd, *options)[1]["printed"] for options in ((), ("--gpus", "4"))] == ["1 101", "4 0"]
    assert "on 4 emulated H200s" in run(file, capfd, "--gpus", "4")[1]["summary"]
    for wrong in ("0", "17"):
        assert cli.main(["run", "--gpus", wrong, str(file)]) == 2
        assert f"--gpus {wrong} is not possible: a program sees 1 to 16 GPUs." in capfd.readouterr().err
    assert cli.main(["run", "--gpus", "2", "--grid", "1", "--block", "1", str(file)]) == 2
    assert "--gpus is for programs" in capfd.readouterr().err


def test_machine_code_is_not_loaded(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "load.cu"
    (tmp_path / "add.ptx").write_text(".version 8.0\n.target sm_90\n")
    file.write_text(
        "#include <cuda.h>\nint main(int, char** arguments) {\n    CUmodule module;\n    CUcontext context;\n"
        "    cuInit(0);\n    cuCtxCreate(&context, 0, 0);\n    return cuModuleLoad(&module, arguments[1]);\n}\n"
    )
    assert cli.main(["run", str(file), "--", str(tmp_path / "add.ptx")]) == 2
    message = " ".join(capfd.readouterr().err.split())
    assert "load.cu line 7 loads PTX or machine code, which the emulator cannot run: make the file by" in message
    assert cli.main(["run", str(file), "--", str(tmp_path / "none.ptx")]) == 1
    assert "exit code 45" in capfd.readouterr().err  # 301, of which 8 bits are left
