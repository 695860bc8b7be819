"""Files that `autograder cc` makes of kernels alone, loaded by the driver's functions while a program runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder import cli

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")

HERE = Path(__file__).parent / "modules"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program and a module of each kind."""
    folder = tmp_path_factory.mktemp("modules")
    assert cli.main(["cc", str(HERE / "main.cpp"), "-lcuda", "-o", str(folder / "main")]) == 0
    with pytest.MonkeyPatch.context() as here:
        here.chdir(folder)
        for words in (["-ptx"], ["--cubin"], ["-gencode", "arch=compute_80,code=sm_80", "-fatbin", "-o", "k.fatbin"]):
            assert cli.main(["cc", "-D", "TIMES=2", *words, str(HERE / "scale.cu")]) == 0
    return folder


def run(folder: Path, capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, list[dict[str, object]]]:
    """What the program prints, and what is found."""
    cli.main(["run", "--json", str(folder / "main"), "--", *arguments])
    done = json.loads(capfd.readouterr().out)
    return done["printed"], done["findings"]


@pytest.mark.sampled()
@pytest.mark.parametrize("name", ["scale.ptx", "scale.cubin", "k.fatbin"])
def test_a_program_loads_a_file_of_a_module(name: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(folder, capfd, str(folder / name)) == ("0 1024 0 0 6 48; 0 0.2 0.4 1", [])


def test_a_module_has_the_text_of_its_file(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It is given as the content of the file, a half of which is no module."""
    printed, (finding, *_) = run(folder, capfd, str(folder / "k.fatbin"), "8")
    assert printed == "0 200 1024 0 700 1 8;"
    assert (finding["kind"], Path(str(finding["file"])).name, finding["line"]) == ("OutOfBounds", "scale.cu", 8)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-fatbin", "main.cpp"], "main.cpp has no code for the GPU: -fatbin takes .cu files"),
        (["-ptx", "-c", "scale.cu"], "-ptx and -c exclude each other"),
        (["-cubin", "scale.cu", "again.cu", "-o", "k.cubin"], "-cubin -o k.cubin goes with one file"),
    ],
)
def test_what_no_module_can_be_made_of(
    words: list[str], says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("main.cpp", "scale.cu", "again.cu"):
        Path(name).write_text("")
    assert cli.main(["cc", *words]) == 2
    assert says in " ".join(capfd.readouterr().err.split())
