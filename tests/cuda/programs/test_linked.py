"""Programs whose files use each other's code for the GPU, as nvcc takes them with -rdc=true: those of `linked/` run,
and those of `unlinked/` are refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder import cli
from autograder.cuda.compiler.module_info import is_local
from autograder.cuda.programs.launches import budget

HERE = Path(__file__).parent
LINKED, UNLINKED = HERE / "linked", HERE / "unlinked"
#: What each program prints.
PRINTED = {
    "apart": "80 4\n150 6\n240 8\n328 6\n564 12\n445 9\n",
    "archive": "59\n",
    "functions": "3 0\n4 20101001\n5 40402007\n6 60900002\n7 81601005\n8 102502008\n9 123600016\n10 144901003\n144\n",
    "inlined": "6 17 109\n14 28 123\n5 12\n",
    "launches": "7 12 3 20\n",
    "tables": "10 21 4 7003 120 7003 21 4 7003 14 ",
    "tiles": "2400 2400 0 3\n4 2 0 0\n",
    "variables": "121 16\n8.5 12 29\n42\n1 0.5 12 135\n135 42\n",
    "virtual": "gone: 0\ngone: 0\ngone: 0\ngone: 0\n358\n",
}
#: By its argument, what is found in the program `race`, launched from which line, and what is said. A line without a
#: file's name is of the kernel's file.
FOUND = {
    "shift": ("Race", 26, ["thread 31 writes line 5 tile[", "thread 32 reads neighbor.cu line 6 return tile["]),
    "next": ("OutOfBounds", 27, ["thread 63 reads neighbor.cu line 10 return x[i + 1];"]),
    "local": ("OutOfBounds", 28, ["thread 4 uses neighbor.cu line 15 return last[i];", "last has 4 elements"]),
    "count": ("Race", 29, ["block 1, thread 0 writes line 11 turns += 1;", "Two blocks use turns"]),
    "bytes": ("MisalignedAccess", 30, ["multiple of 16", "thread 0 reads neighbor.cu line 24 *(Four*)&to[0]"]),
    "fill": ("OutOfBounds", 31, ["room[4], but room has 4 elements", "writes line 30 for"]),
}
#: By its folder, what is said of a program with -rdc=true, and without.
REFUSED = {
    "missing": (
        "main.cu line 4 uses far::away on the GPU, which no file compiled with -rdc=true defines.",
        "main.cu line 4 uses far::away on the GPU, which main.cu does not define: if another file does, compile both "
        "with `autograder cc -rdc=true`.",
    ),
    "twice": ("a.cu line 1 and b.cu line 2 define limit on the GPU: keep one of the definitions.", ""),
    "virtual": (
        "main.cu line 6 uses Shape::area on the GPU, which no file compiled with -rdc=true defines.",
        "main.cu line 1 uses the virtual functions of Shape on the GPU, which main.cu does not define",
    ),
    "host_only": (
        "uses seen, which is defined in no file that is given. (If it is a variable on the GPU, compile both files",
        "uses seen, which is defined in no file that is given. (If it is a variable on the GPU, compile both files",
    ),
}
pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")
NVCC = shutil.which("nvcc", path=f"{os.environ['PATH']}:/usr/local/cuda/bin")


def sources(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.glob("*.cu"))


def made(folder: Path, target: Path) -> str:
    assert cli.main(["cc", "-rdc=true", "-o", str(target), *sources(folder)]) == 0
    return str(target)


def run(program: str, capfd: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capfd.readouterr()
    cli.main(["run", "--json", *words[:-1], program, "--", *words[-1:]])
    document: dict[str, Any] = json.loads(capfd.readouterr().out)
    return document


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("name", PRINTED)
def test_a_program_prints(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = made(LINKED / name, tmp_path / name)
    done = run(program, capfd, "")
    assert (done["printed"], done["findings"], done["exit_code"]) == (PRINTED[name], [], 0)
    monkeypatch.setattr(budget, "WHOLE_PROGRAM", 0)
    assert run(program, capfd, "")["printed"] == PRINTED[name]


@pytest.fixture(scope="module")
def racing(tmp_path_factory: pytest.TempPathFactory) -> str:
    return made(LINKED / "race", tmp_path_factory.mktemp("race") / "race")


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_has_the_lines_of_both_files(name: str, racing: str, capfd: pytest.CaptureFixture[str]) -> None:
    kind, line, rows = FOUND[name]
    findings = run(racing, capfd, name)["findings"]
    reported = " ".join(" ".join(finding["report"] for finding in findings).split())
    assert {(finding["kind"], finding["launch"]["line"]) for finding in findings} == {(kind, line)}
    assert all(row in reported for row in rows)


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_linked_is_named(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for options, message in zip((["-rdc=true"], []), REFUSED[name], strict=True):
        code = cli.main(["cc", *options, "-o", str(tmp_path / "a"), *sources(UNLINKED / name)])
        err = capfd.readouterr().err
        assert code == (2 if message else 0) and message in err and err.count("\n") == bool(message)


def test_a_file_that_lacks_the_option_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "near.cu").write_text("namespace far {\n__device__ float away(float x) { return x; }\n}\n")
    near, target = str(tmp_path / "near.o"), str(tmp_path / "a")
    assert cli.main(["cc", "-c", "-o", near, str(tmp_path / "near.cu")]) == 0
    assert cli.main(["cc", "-rdc=true", "-o", target, str(UNLINKED / "missing" / "main.cu"), near]) == 2
    assert "no file compiled with -rdc=true defines: compile near.cu with it, too." in capfd.readouterr().err


def test_a_file_alone_gets_the_same_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", str(UNLINKED / "missing" / "main.cu")]) == 2
    assert REFUSED["missing"][1] in capfd.readouterr().err


@pytest.mark.parametrize("options", [(), ("-rdc=true",)], ids=["alone", "linked"])
def test_warp_size_is_defined_by_no_file(options: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "#include <cassert>\n__global__ void run() { assert(warpSize == 32); }\n"
        "int main() {\n    run<<<1, 1>>>();\n    return cudaDeviceSynchronize();\n}\n"
    )
    assert cli.main(["cc", *options, "-o", str(tmp_path / "a"), str(tmp_path / "a.cu")]) == 0
    assert cli.main(["run", str(tmp_path / "a")]) == 0


def test_what_no_kernel_reaches_may_be_missing_where_nothing_is_linked(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "__device__ int lost(int);\n__device__ int unused(int x) { return lost(x); }\n"
        "__global__ void run() {}\nint main() {\n    run<<<1, 1>>>();\n    return cudaDeviceSynchronize();\n}\n"
    )
    assert cli.main(["run", str(tmp_path / "a.cu")]) == 0


@pytest.mark.rare
def test_make_links_an_archive(tmp_path: Path) -> None:
    shutil.copytree(LINKED / "archive", tmp_path / "its")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", f"NVCC={sys.executable} -m autograder cc"]
    done = subprocess.run(command, cwd=tmp_path / "its", env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    program = tmp_path / "its" / "main"
    assert subprocess.run([program], env=environment, capture_output=True, text=True).stdout == PRINTED["archive"]
    # What no file uses stays in the archive.
    assert b"emu_device._Z5shiftf" in program.read_bytes() and b"emu_device._Z5otherf" not in program.read_bytes()


@pytest.mark.parametrize(
    ("symbol", "local"),
    [
        ("_ZL5count", True),
        ("_ZN2my3tabE", False),
        ("_ZN2myL3tabE", True),
        ("tab", False),
        ("_ZN12_GLOBAL__N_16hiddenE", True),
        ("_Z3varILi3EE", False),
        ("_ZL3varILi3EE", True),
        ("_ZN2ns8kernelL2E", False),
    ],
)
def test_a_name_says_whether_other_files_see_it(symbol: str, local: bool) -> None:
    assert is_local(symbol) == local


@pytest.mark.rare
@pytest.mark.skipif(NVCC is None, reason="needs nvcc")
@pytest.mark.parametrize("folder", sorted([*LINKED.iterdir(), *UNLINKED.iterdir()]), ids=lambda path: path.name)
def test_nvcc_links_the_same_programs(folder: Path, tmp_path: Path) -> None:
    command = [str(NVCC), "-rdc=true", "-o", str(tmp_path / "a"), *sources(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode == 0) == (folder.parent == LINKED), done.stderr
