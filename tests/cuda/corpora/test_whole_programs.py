"""How whole programs are read off their repositories, and their prints compared; and which instances one launches."""

from pathlib import Path

import pytest
from programs import whole_programs
from programs_on_a_gpu import _verdict
from run_programs import _checked, _short
from texts import Corpus, launched

CORPUS = Corpus("corpus", "https://example.org/corpus", "0" * 40, ("*",), ("common",))


def write(top: Path, name: str, text: str) -> None:
    (top / name).parent.mkdir(parents=True, exist_ok=True)
    (top / name).write_text(text)


def test_a_program_is_what_make_would_compile_and_run(tmp_path: Path) -> None:
    write(tmp_path, "blur/main.cu", '#include "blur.h"\nint main() { return blur(); }\n')
    write(tmp_path, "blur/blur.cpp", "int blur() { return 0; }\n")
    write(tmp_path, "common/blur.h", "#include <GL/glew.h>\n")
    rule = "main: main.cu blur.cpp\n\t$(CC) -DN=4 -O3 -arch=sm_60 -o main main.cu blur.cpp\n"
    write(tmp_path, "blur/Makefile", rule + "run: main\n\t./main 7 | tee log\n")
    (program,) = whole_programs(CORPUS, tmp_path, [tmp_path / "blur"])
    assert program.words == ("-DN=4", "main.cu", "blur.cpp", f"-I{tmp_path / 'common'}")
    assert (program.name, program.arguments, program.needs) == ("blur", ("7",), "graphics")


def test_each_main_of_a_folder_is_a_program(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path, f"sums/{name}.cu", "int main() {}\n")
    write(tmp_path, "sums/part.cu", "// int main() {}\n")
    found = list(whole_programs(CORPUS, tmp_path, [tmp_path / "sums"]))
    assert [(program.name, program.words[0]) for program in found] == [("sums/one", "one.cu"), ("sums/two", "two.cu")]


@pytest.mark.parametrize(
    ("theirs", "again", "verdict"),
    [
        ("sum 3.14159\n", "", "the same"),
        ("sum 3.14159\nIt took 3 ms\n", "", "the same but for times"),
        ("sum 3.14160\n", "", "the same but for the last digits"),
        ("sum 3.24159\n", "sum 3.24159\n", "differs"),
        ("sum 3.24159\n", "sum 3.34159\n", "differs, as two runs on the GPU do"),
    ],
)
def test_what_two_runs_print_is_compared(theirs: str, again: str, verdict: str) -> None:
    reported = {"build": "", "code": 0, "printed": theirs, "again": again}
    assert _verdict("sum 3.14159\n", reported) == verdict


def test_the_order_of_lines_and_a_failure_are_told() -> None:
    assert _verdict("a\nb\n", {"build": "", "code": 0, "printed": "b\na\n", "again": ""}) == (
        "the same lines in another order"
    )
    assert _verdict("", {"build": "", "code": 1}) == "ends with exit code 1 on the GPU"


def test_what_stopped_a_kernel_is_one_sentence() -> None:
    why = "Line 2 holds asm,\nand more.\n"
    assert (
        _short(f"p was stopped at a kernel.\n\nForbiddenCode in k of p.cu, launched in line 1\n\n{why}\nHint\n")
        == "Line 2 holds asm, and more."
    )
    assert _short("autograder: main.cu line 1 includes /some/folder/a.h, which is not there.") == (
        "main.cu line 1 includes a.h, which is not there."
    )
    assert _short("p.cu line 9: launch 1, of k, checks 2 blocks: 50%\nautograder: p.cu line 3 fails.\n") == (
        "p.cu line 3 fails."
    )


def test_a_program_has_the_files_of_the_targets_that_it_is_linked_with(tmp_path: Path) -> None:
    for name in ("main", "part", "other"):
        write(tmp_path, f"sum/{name}.cu", "int main() {}\n" if name == "main" else "\n")
    targets = "add_library(parts SHARED part.cu)\nadd_library(others other.cu)\nadd_executable(sum main.cu)\n"
    write(tmp_path, "sum/CMakeLists.txt", f"{targets}target_link_libraries(sum PRIVATE parts CUDA::cublas)\n")
    (program,) = whole_programs(CORPUS, tmp_path, [tmp_path / "sum"])
    assert program.words[:-1] == ("main.cu", "part.cu")
    shared = "set_target_properties(sum PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"
    write(tmp_path, "sum/CMakeLists.txt", targets + shared)
    (program,) = whole_programs(CORPUS, tmp_path, [tmp_path / "sum"])
    assert program.words[:-1] == ("main.cu", "-rdc=true")


@pytest.mark.parametrize(
    ("launches", "checked"),
    [
        ([], ""),
        ([(True, 0), (True, 0)], "all"),
        ([(True, 0), (False, 0)], "part"),
        ([(False, 24), (False, 0)], "part"),
        ([(False, 0)], "none"),
    ],
)
def test_a_verdict_says_how_much_was_checked(launches: list[tuple[bool, int]], checked: str) -> None:
    assert _checked([{"checked": whole, "checked_blocks": blocks} for whole, blocks in launches]) == checked


def test_a_library_that_is_emulated_is_no_need(tmp_path: Path) -> None:
    write(tmp_path, "ours/main.cu", "#include <cusparse.h>\n#include <thrust/sort.h>\nint main() {}\n")
    write(tmp_path, "other/main.cu", "#include <cusolverDn.h>\nint main() {}\n")
    found = whole_programs(CORPUS, tmp_path, [tmp_path / "ours", tmp_path / "other"])
    assert [program.needs for program in found] == ["", "cuSOLVER"]


def test_the_instances_of_a_template_are_those_that_the_program_launches(tmp_path: Path) -> None:
    write(tmp_path, "common/scale.h", "template <class F> __global__ void scale(F f, float* x) { x[0] = f(x[0]); }\n")
    twice = "struct Twice { __device__ float operator()(float x) const { return x * 2; } };\n"
    host = "template <class F> void all(F f) { scale<<<1, 1>>>(f, (float*)nullptr); }\nint main() { all(Twice()); }\n"
    write(tmp_path, "main.cu", f'#include "scale.h"\n{twice}{host}')
    assert launched(tmp_path / "main.cu", (tmp_path / "common",)) == ("scale<Twice>",)
    write(tmp_path, "other.cu", "#include <mpi.h>\n")
    assert launched(tmp_path / "other.cu", ()) == ()
