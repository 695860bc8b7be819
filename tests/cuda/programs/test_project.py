"""`autograder cc` in place of nvcc: a program of two files, made by make."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import cli

PROJECT, SEVERAL = (Path(__file__).parent / name for name in ("project", "several"))
#: What programs of several files print, each a folder of `SEVERAL`, which nvcc takes without options.
PRINTED = {
    "constants": "0 taps here\n4 16 6\n",
    "host_and_device": "7680 177\nthrown\n",
    "static_kernels": "1006 1006\n42\n9 no error\n",
    "templates_in_headers": "5050 10100 193\n",
    "templates_without_template": "16\n",
}
pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")


def start(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with its program."""
    folder = tmp_path_factory.mktemp("project") / "its"
    shutil.copytree(PROJECT, folder)
    made = start(folder, "make", f"NVCC={sys.executable} -m autograder cc", "check")
    assert made.returncode == 0, made.stderr
    assert made.stdout.endswith("1 and 1\n")
    assert made.stderr.endswith("with 1 launch of 1 kernel on the emulated H200: nothing was found.\n")
    return folder


def test_a_program_checks_its_launches_when_it_is_started(folder: Path) -> None:
    done = start(folder, "./blur", "--", "-x")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("blur ended with exit code 3, with 1 launch of 1 kernel")
    assert "OutOfBounds in blur_row of blur.cu, launched in blur.cu line 13   blur_row<<<" in done.stderr
    assert "Thread 35 of block 1 reads in[100], but in has 100 elements" in done.stderr
    assert "line 8   if (i < n) out[i] = weight" in done.stderr


def test_a_program_runs_by_its_sources_of_then(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "moved"
    shutil.copy(folder / "blur", other)
    (folder / "blur.cu").rename(folder / "away")
    try:
        done = start(tmp_path, "./moved")
    finally:
        (folder / "away").rename(folder / "blur.cu")
    assert done.returncode == 0 and "nothing was found" in done.stderr


def test_a_program_is_run_like_a_file(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--gpu", "T4", "--format", "json", str(folder / "blur"), "--", "x"]) == 1
    document = json.loads(capfd.readouterr().out)
    assert document["gpu"] == "T4"
    assert {Path(path).name for path in document["files"]} == {"blur.cu", "main.cpp", "blur.h"}
    (finding,) = document["findings"]
    assert (Path(finding["file"]).name, finding["line"], finding["launch"]["line"]) == ("blur.cu", 8, 13)


def test_make_knows_what_a_file_includes(folder: Path) -> None:
    assert start(folder, "make", "NVCC=false", "blur").returncode == 0  # nothing is to do
    words = (folder / "main.d").read_text().replace("\\\n", " ").split()
    assert words[0] == "main.o:" and Path(words[2]).samefile(folder / "include" / "blur.h")
    assert len(words) == 3


def test_symbols_of_two_files_may_have_one_name(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.cu").write_text(
            "#include <cstdio>\nstatic __constant__ int own;\n"
            '__global__ static void tell() { printf("%d ", own); }\n'
            f"void {name}(int x) {{\n    if (x) cudaMemcpyToSymbol(own, &x, 4);\n"
            "    tell<<<1, 1>>>();\n    cudaDeviceSynchronize();\n}\n"
        )
    (tmp_path / "main.cu").write_text("void a(int); void b(int); int main() { a(1); b(2); a(0); }\n")
    files = [str(tmp_path / f"{name}.cu") for name in ("main", "a", "b")]
    assert cli.main(["cc", "-o", str(tmp_path / "both"), *files]) == 0
    assert start(tmp_path, "./both").stdout == "1 2 1 "


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("name", sorted(path.name for path in SEVERAL.iterdir()))
def test_a_program_of_several_files_prints(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = str(tmp_path / name)
    files = sorted(str(path) for path in (SEVERAL / name).iterdir() if path.suffix in (".cu", ".cpp", ".c"))
    assert cli.main(["cc", "-o", program, *files]) == 0
    assert cli.main(["run", "--format", "json", program]) == 0
    document = json.loads(capfd.readouterr().out)
    assert (document["printed"], document["findings"]) == (PRINTED[name], [])


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "main.cu -lcusolver",
            "-lcusolver: a program on the emulator has CUDA's runtime, cuBLAS, cuFFT, cuRAND, cuSPARSE",
        ),
        ("main.cu -l nppc -L/usr/local", "-lnppc: a program on the emulator has"),
        ("-rdc=maybe main.cu", "-rdc=maybe: use true or false."),
        ("-dlink main.cu", "main.cu is not compiled yet: -dlink takes objects."),
        ("-std=c++98 main.cu", "-std=c++98: use c++11, c++14, c++17 or c++20."),
        ("-x c main.cu", "-x c: use cu or c++."),
        ("--cuda main.cu", "--cuda: `autograder cc` has no such option"),
        ("main.cu -o", "-o needs a value after it."),
        ("-o main", "Name the files to compile"),
        ("main.f90", "main.f90 has none of the known endings .cu,"),
        ("none.cu", "none.cu does not exist."),
        ("-c main.cu main.o", "main.o is only linked: leave it out with -c."),
        ("-c main.cu a.cu -o main.o", "-c -o main.o goes with one file"),
        ("-c main.cu -o none/main.o", "none/main.o cannot be written: there is no folder none."),
        ("main.cu a.cu -o .", "-o . is a folder: name the file to write."),
        ("main.cu -fopenacc", "-fopenacc: `autograder cc` has no such option"),
        ("main.cu -fPIC -Xcompiler -Wall,-fopenacc", "-fopenacc: `autograder cc` has no such option"),
        ("main.cu a.cu junk.o", "junk.o: `autograder cc` has not made it, and it cannot be linked: unknown directive"),
        ("main.cu empty.a", "a.out calls a(), which is defined in no file that is given. (empty.a may need another"),
        ("main.cu", "a.out calls a(), which is defined in no file that is given."),
        (
            "main.cu uses.cu",
            "a.out uses seen, which is defined in no file that is given. (If it is a variable on the GPU, compile both",
        ),
        ("main.cu a.cu a.cu", "a.cu is given twice."),
        ("main.cu a.cu b.cpp", "a.out has two definitions of a()."),
        ("broken.cu", "broken.cu line 1 does not compile: unknown type name 'x'"),
    ],
)
def test_what_cannot_be_served_gets_a_sentence(
    words: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.cu").write_text("void a();\nint main() { a(); }\n")
    Path("a.cu").write_text("void a() {}\n")
    Path("b.cpp").write_text("void a() {}\n")
    Path("uses.cu").write_text("extern __device__ int seen;\nvoid a() { cudaMemcpyFromSymbol(nullptr, seen, 0); }\n")
    Path("main.o").touch()
    Path("junk.o").write_text("x\n")
    Path("empty.a").write_text("!<arch>\n")
    Path("broken.cu").write_text("x main() {}\n")
    assert cli.main(["cc", *words.split()]) == 2
    err = capfd.readouterr().err
    assert message in err and err.count("\n") == 1


def test_a_file_is_cuda_where_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text(
        '#include <cstdio>\n__global__ void k() { printf("%d", threadIdx.x); }\n'
        "int main() {\n    k<<<1, 2>>>();\n    return cudaDeviceSynchronize();\n}\n"
    )
    assert cli.main(["cc", "-x", "cu", "-o", str(tmp_path / "main"), str(tmp_path / "main.cpp")]) == 0
    assert start(tmp_path, "./main").stdout == "01"


def test_a_file_of_c_with_openmp_is_c_of_one_thread(tmp_path: Path) -> None:
    (tmp_path / "sum.c").write_text(
        "#include <omp.h>\n#include <stdlib.h>\nint sum(int n) {\n"
        "    int* new = malloc(n * sizeof(int)), all = 0;\n"
        "    omp_set_num_threads(8);\n#pragma omp parallel for reduction(+ : all)\n"
        "    for (int i = 0; i < n; i++) all += new[i] = i * omp_get_num_threads();\n"
        "    free(new);\n    return all;\n}\n"
    )
    (tmp_path / "main.cu").write_text(
        'extern "C" int sum(int n);\n__global__ void tell(int x) { printf("%d", x); }\n'
        "int main() {\n    tell<<<1, 1>>>(sum(5));\n    return cudaDeviceSynchronize();\n}\n"
    )
    files = [str(tmp_path / name) for name in ("main.cu", "sum.c")]
    assert cli.main(["cc", "-std=c++11", "-fopenmp", "-o", str(tmp_path / "main"), *files]) == 0
    assert start(tmp_path, "./main").stdout == "10"


def test_it_says_its_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cc", "--version"]) == 0
    assert re.match(r"autograder cc \d+\.\d+\S*, in place of nvcc", capfd.readouterr().out)


def test_a_program_that_cannot_run_is_refused(folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old"
    content = (folder / "blur").read_bytes()
    start_of = content.index(b'{"made_by": "') + len(b'{"made_by": "')
    old.write_bytes(content[:start_of] + b"0" * 8 + content[start_of + 8 :])
    assert cli.main(["run", str(old)]) == 2
    assert f"{old} is not executable: run `chmod +x {old}`." in capfd.readouterr().err
    old.chmod(0o755)
    assert cli.main(["run", str(old)]) == 2
    assert "Another version of autograder has made the program: make it again" in capfd.readouterr().err
