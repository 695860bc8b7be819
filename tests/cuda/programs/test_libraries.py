"""Programs that call NVIDIA's libraries: what right ones print, as numpy computes it, and what wrong ones do wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from test_programs import run

from autograder import cli
from autograder.cuda.errors import UsageError
from autograder.cuda.programs.building.build import build_program
from autograder.cuda.programs.building.unit import Options
from autograder.cuda.programs.process import run_program
from autograder.cuda.programs.served import Limits

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")

HERE = Path(__file__).parent / "libraries"
M, N, K, LD = 5, 4, 3, 7


def printed(name: str, capfd: pytest.CaptureFixture[str]) -> dict[str, np.ndarray]:
    """The numbers of each line that a right program prints, by the word before them."""
    code, done = run(HERE / f"{name}.cu", capfd)
    assert (code, done["findings"]) == (0, []), done
    words = [line.split() for line in done["printed"].splitlines()]
    return {first: np.array(rest, np.float64) for first, *rest in words}


@pytest.fixture(scope="module")
def others() -> dict[str, np.ndarray]:
    """What others.cu prints."""
    file = HERE / "others.cu"
    done = run_program(build_program(file), file, ["-flag", "--n=7", "-f=2.5", "-name=a.txt"], keep=True)
    assert (done.status, done.findings) == (0, ())
    words = [line.split() for line in (done.printed or "").splitlines() if line and not line.startswith("GPU")]
    return {first: np.array(rest, np.float64) for first, *rest in words}


def numbers(count: int, first: int) -> np.ndarray:
    """As the programs have them."""
    return (np.arange(count) * 7 + first * 3) % 11 - 5.0


def square(first: int) -> np.ndarray:
    """A matrix of LD rows by columns; writing to it changes no other."""
    return numbers(LD * LD, first).reshape(LD, LD).T.copy()


def flat(matrix: np.ndarray) -> np.ndarray:
    return matrix.T.reshape(-1)


def within(first: int, rows: int, columns: int, values: np.ndarray) -> np.ndarray:
    """A matrix whose upper left part has other values."""
    made = square(first)
    made[:rows, :columns] = values
    return flat(made)


def cublas() -> dict[str, np.ndarray | float]:
    """What cublas.cu prints."""
    x, y, a, b = numbers(12, 1), numbers(12, 2), square(3), square(4)
    out: dict[str, np.ndarray | float] = {}
    axpy = numbers(12, 5)
    axpy[6::-2] += 2 * x[0:12:3]
    item, other = numbers(12, 7), numbers(12, 6)
    item, other = 0.5 * item + 2 * other, 0.5 * other - 2 * item
    other[:6] = item[::2]
    scal = numbers(12, 5)
    scal[::3] *= 0.5
    out |= {"axpy": axpy, "dot": x[::2] @ y[5::-1], "nrm2": float(np.linalg.norm(x)), "asum": np.abs(x).sum()}
    out |= {"amax": float(np.argmax(np.abs(x)) + 1), "scal": scal, "swap_rot_x": item, "swap_rot_copy_y": other}
    gemv, gemv_t, symv = numbers(12, 5), numbers(12, 5), numbers(12, 5)
    gemv[:M] = 2 * a[:M, :N] @ x[:N] + 0.5 * gemv[:M]
    gemv_t[::3] = 2 * a[:M, :N].T @ x[0 : 2 * M : 2]
    upper = np.triu(a[:M, :M])
    symv[:M] = 2 * (upper + np.triu(upper, 1).T) @ x[:M] + 0.5 * symv[:M]
    out |= {"gemv": gemv, "gemv_t": gemv_t, "symv": symv}
    out["ger"] = within(5, M, N, square(5)[:M, :N] + 2 * np.outer(x[:M], y[0 : 2 * N : 2]))
    triangle, right = square(6), numbers(LD * LD, 7)
    unit = np.tril(triangle[:M, :M], -1) + np.eye(M)
    right[:M] = np.linalg.solve(unit.T, right[:M])
    out["trsv"] = right
    out["gemm"] = within(5, M, N, 2 * a[:M, :K] @ b[:N, :K].T + 0.5 * square(5)[:M, :N])
    out["dgemm"] = within(7, M, N, 2 * square(5)[:K, :M].T @ square(6)[:K, :N] + 0.5 * square(7)[:M, :N])
    lower = np.tril(a[:N, :N])
    whole = lower + np.tril(lower, -1).T
    out["symm"] = within(5, M, N, 2 * b[:M, :N] @ whole + 0.5 * square(5)[:M, :N])
    changed = 2 * a[:M, :K] @ a[:M, :K].T + 0.5 * square(5)[:M, :M]
    out["syrk"] = within(5, M, M, np.where(np.tri(M) > 0, changed, square(5)[:M, :M]))
    unit = np.triu(triangle[:N, :N], 1) + np.eye(N)
    out["trsm"] = within(7, M, N, 2 * square(7)[:M, :N] @ np.linalg.inv(unit))
    out["geam"] = within(5, M, N, 2 * a[:N, :M].T + 0.5 * b[:M, :N])
    out["dgmm"] = within(5, M, N, a[:M, :N] * x[0 : 2 * M : 2, None])
    left, right_, strided, batched = numbers(60, 1), numbers(60, 2), numbers(60, 3), numbers(60, 3)

    def product(at: int, to: int) -> np.ndarray:
        return flat(left[at : at + 12].reshape(4, 3).T @ right_[to : to + 8].reshape(2, 4).T)

    for i in range(3):
        strided[15 * i : 15 * i + 6] = 2 * product(20 * i, 10 * i) + 0.5 * strided[15 * i : 15 * i + 6]
    for at, to, c in ((0, 0, 0), (12, 8, 30)):
        batched[c : c + 6] = 2 * product(at, to) + 0.5 * batched[c : c + 6]
    out |= {"strided": strided, "batched": batched, "gemm_ex": 2 * product(0, 0) + 0.5 * numbers(6, 3)}
    out["hgemm"] = np.float64(np.float16(np.float64(np.float16(1 / 3)) * product(0, 0)))
    factor = left[:12].reshape(4, 3).T
    out["bfloat16"] = flat(factor @ factor[:2].T) / 6
    matrices = [numbers(30, 9)[at : at + 12].reshape(3, 4)[:, :3].T for at in (0, 15)]
    sides = [numbers(12, 3)[at : at + 6].reshape(2, 3).T for at in (0, 6)]
    out["inverse"] = np.concatenate([flat(np.linalg.inv(matrix)) for matrix in matrices])
    systems = (np.linalg.solve(matrices[0], sides[0]), np.linalg.solve(matrices[1].T, sides[1]))
    out |= {"solved": np.concatenate([flat(system) for system in systems]), "info": np.zeros(2)}
    out["device_mode"] = np.array([3, 3 * (x @ y)])
    return out


def pairs(values: np.ndarray) -> np.ndarray:
    """Complex numbers, as their real and imaginary parts."""
    return np.stack((values.real, values.imag), axis=-1).reshape(-1)


def as_complex(count: int, first: int) -> np.ndarray:
    return numbers(2 * count, first).view(np.complex128)


def cufft() -> dict[str, np.ndarray | float]:
    """What cufft.cu prints."""
    real, rows, columns = numbers(30, 3).reshape(5, 6), numbers(40, 5).reshape(5, 8)[:, :6], as_complex(24, 6)
    columns = columns.reshape(8, 3)
    columns[:, :2] = np.fft.fft(columns[:, :2], axis=0)
    return {
        "c2c": pairs(np.fft.fft(as_complex(48, 1).reshape(4, 12))),
        "inverse": pairs(np.fft.ifft(as_complex(48, 2).reshape(4, 12)) * 12),
        "z2d": 30 * real.reshape(-1),
        "d2z": pairs(np.fft.rfft2(real)),
        "in_place": pairs(np.fft.rfft2(rows)),
        "many": pairs(columns),
        "typed": pairs(np.fft.ifft(as_complex(48, 8).reshape(4, 12)) * 12),
        "cube": pairs(np.fft.fftn(as_complex(24, 7).reshape(2, 3, 4))),
    }


def nccl() -> dict[str, np.ndarray | float]:
    """What nccl.cu prints, of three ranks one after the other."""
    given, old = np.stack([numbers(18, rank) for rank in range(3)]), numbers(18, 20)[:6]
    x = given[:, :6]
    sums = x.sum(0)
    out: dict[str, np.ndarray | float] = {"sum": np.tile(sums, 3), "prod": np.tile(x.prod(0), 3)}
    out |= {"max": np.tile(x.max(0), 3), "min": np.tile(x.min(0), 3), "avg": np.tile(sums / 3, 3)}
    out |= {"in_place": np.tile(3 * old, 3), "reduce": np.concatenate((old, sums, old))}
    out |= {"broadcast": np.tile(x[2], 3), "bcast": np.concatenate((old, x[0], x[0])), "scatter": given.max(0)}
    out["gather"] = np.tile(x.reshape(-1), 3)
    words = x.view(np.int32).astype(np.int64).sum(0)
    out["integers"] = np.tile((np.sign(words) * (np.abs(words.astype(np.int32)) // 3)).astype(np.int32).view("f8"), 3)
    out["halves"] = np.tile(x.view(np.float16).min(0).view("f8"), 3)
    out |= {"ordered": x[1, 1], "sent": np.tile(x[1], 3), "ring": x[[2, 0, 1], [2, 0, 1]]}
    gathered = x[::-1, :2].reshape(-1)
    gathered[1] = 3 * gathered[0]
    out["threads"] = np.tile(gathered, 3)
    return out


@pytest.mark.parametrize("name", ["cublas", "cufft", "nccl"])
def test_a_library_computes_what_numpy_does(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    expected: Callable[[], dict[str, np.ndarray | float]] = globals()[name]
    got = printed(name, capfd)
    assert got.keys() == expected().keys()
    for what, values in expected().items():
        tolerance = 2**-8 if what == "bfloat16" else 2**-10 if what == "hgemm" else 1e-6
        np.testing.assert_allclose(got[what], np.atleast_1d(values), rtol=tolerance, atol=2e-5, err_msg=what)


def test_random_numbers_are_of_their_distribution(others: dict[str, np.ndarray]) -> None:
    uniform, normal, poisson = others["uniform"], others["normal"], others["poisson"]
    assert 0 < uniform.min() < 1e-3 and 1 - 1e-3 < uniform.max() <= 1
    assert np.histogram(uniform, 10)[0] == pytest.approx(np.full(10, 2000), rel=0.1)
    assert abs(np.corrcoef(uniform[:-1], uniform[1:])[0, 1]) < 0.03
    assert (normal.mean(), normal.std()) == pytest.approx((3, 0.5), rel=0.02)
    logarithm = np.log(others["log_normal"])
    assert (logarithm.mean(), logarithm.std()) == pytest.approx((1, 0.25), rel=0.03)
    assert (poisson.mean(), poisson.var()) == pytest.approx((4.5, 4.5), rel=0.05)
    assert others["integers"].mean() == pytest.approx(2**31, rel=0.02)
    assert len({*others["on_host"]}) == 6 and (others["on_host"] <= 1).all()


def test_a_sequence_of_random_numbers_goes_on(others: dict[str, np.ndarray]) -> None:
    assert not {*others["next"]} & {*others["uniform"][:100]}
    np.testing.assert_array_equal(others["after_next"], others["next"][1:])


def test_a_product_is_followed_by_a_bias_and_an_activation(others: dict[str, np.ndarray]) -> None:
    given = ((np.arange(31) * 7) % 11 - 5) / 4
    a, b, bias = given[:12].reshape(4, 3), given[12:27].reshape(5, 3).T, given[27:]
    x = 0.5 * a @ b + bias[:, None]
    expected = 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    np.testing.assert_allclose(others["gelu"], flat(expected), atol=1e-6)


def test_a_captured_call_keeps_its_scalars(others: dict[str, np.ndarray]) -> None:
    np.testing.assert_array_equal(others["graph"], np.arange(1, 5) * 7)


def test_a_captured_call_reads_a_scalar_on_the_gpu_at_each_launch(others: dict[str, np.ndarray]) -> None:
    np.testing.assert_array_equal(others["graph_on_gpu"], np.arange(1, 5) * 10)


def test_headers_of_samples(others: dict[str, np.ndarray]) -> None:
    np.testing.assert_array_equal(others["arguments"], [1, 0, 7, 2.5, 1])
    np.testing.assert_array_equal(others["samples"], [1, 1, 1, 0, 1])
    np.testing.assert_array_equal(others["device"], [0, 0, 1])


def test_vectors_of_samples(others: dict[str, np.ndarray]) -> None:
    a = np.array([1.0, 2, -4])
    b = 2 * (np.array([1.0, 2, 3]) - a)
    expected = [*(np.cross(a, a + 0.25 * (b - a)) + 1), np.linalg.norm(np.maximum(a, b))]
    np.testing.assert_allclose(others["vectors"], expected, rtol=1e-6)


#: By mistake: the kind that is found, the word that ends its line, what the report says, and the status.
WRONG = {
    "no_handle": ("InvalidArgument", "multiplies", "gets a handle that has not been created", 1),
    "small_lda": ("InvalidArgument", "multiplies", "gets 7 for lda, which must be at least 8", 7),
    "large_lda": ("OutOfBounds", "multiplies", "reads 480 bytes for A, of a, which has 256 bytes", -1),
    "host_pointer": ("HostPointer", "multiplies", "gets a pointer to the host's memory for A", -1),
    "null": ("InvalidArgument", "multiplies", "gets a null pointer for B", 7),
    "unwritten": ("UninitializedRead", "multiplies", "reads 256 bytes of c for C, from byte 0 on", 0),
    "freed": ("UseAfterFree", "multiplies", "cublasSgemm uses b, which has been freed", -1),
    "negative": ("OutOfBounds", "negative", "reads 284 bytes for y, of b, which has 256 bytes", -1),
    "scalar_on_gpu": ("InvalidArgument", "scalar", "a pointer to the GPU's memory for alpha", 7),
    "read_too_early": ("Unsynchronized", "reads", "The host reads pinned before", 0),
    "two_streams": ("StreamRace", "races", "Two operations use c, and nothing orders them", 0),
    "copied_too_early": ("Unsynchronized", "takes", "The host reads c before the work that uses it", 0),
    "get_too_much": ("CopyOutOfBounds", "gets", "cublasGetVector reads 260 bytes of a, which has 256", 11),
    "destroyed_stream": ("InvalidArgument", "gone", "works in a stream that does not exist", 13),
    "odd_normal": ("InvalidArgument", "odd", "gets 7 for n, which must be even", 105),
    "random_on_host": ("HostPointer", "random", "gets a pointer to the host's memory for out", -1),
    "other_plan": ("InvalidArgument", "other", "does something that this plan was not made for", 3),
    "small_output": ("OutOfBounds", "small", "writes 264 bytes for odata, of b, which has 256", -1),
}


#: The same for NCCL.
WRONG_IN_NCCL = {
    "gpu_twice": ("InvalidArgument", "twice", "makes a second communicator of GPU 0 among the same ranks", "5"),
    "unwritten": ("UninitializedRead", "reduces", "reads 256 bytes of x[d] for sendbuff", "0"),
    "no_group": ("Stopped", "alone", "waits for other ranks, and they will never make theirs", ""),
    "rings": ("Stopped", "rings", "so do ranks that send and receive at once", ""),
    "ends": ("InvalidArgument", "ends", "ends a group that ncclGroupStart has not begun", "5"),
    "destroyed": ("InvalidArgument", "gone", "gets a comm that has not been created", "4"),
    "sends": ("InvalidArgument", "receives", "ncclRecv of rank 1 has 32 for count, and rank 0 has 64", "0"),
    "counts": ("InvalidArgument", "reduces", "ncclAllReduce of rank 1 has 128 for count, and rank 0 has 64", "0"),
    "large": ("OutOfBounds", "reduces", "reads 512 bytes for sendbuff, of x[d], which has 256 bytes", "0"),
    "stream": ("InvalidArgument", "reduces", "works in a stream of GPU 0, and its communicator is one of GPU 1", "4"),
    "other_memory": ("PeerPointer", "reduces", "ncclAllReduce runs on GPU 1 and uses sendbuff, which is memory", "0"),
    "too_early": ("Unsynchronized", "copies", "The host reads y[d] before the work that uses it", "0"),
}


@pytest.mark.parametrize("mistake", WRONG_IN_NCCL)
def test_a_mistake_between_ranks_is_found_at_its_line(mistake: str, capfd: pytest.CaptureFixture[str]) -> None:
    kind, word, says, status = WRONG_IN_NCCL[mistake]
    file = HERE / "nccl_wrong.cu"
    cli.main(["run", "--gpus", "2", "--json", str(file), "--", mistake])
    done = json.loads(capfd.readouterr().out)
    lines = [number for number, line in enumerate(file.read_text().splitlines(), 1) if line.endswith(f"// {word}")]
    (finding,) = [found for found in done["findings"] if found["kind"] != "Leak"]
    assert (finding["kind"], [finding["line"]]) == (kind, lines)
    assert says in " ".join(finding["report"].split())
    assert done["printed"].strip() == status


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_in_a_call_is_found_at_its_line(mistake: str, capfd: pytest.CaptureFixture[str]) -> None:
    kind, word, says, status = WRONG[mistake]
    file = HERE / "wrong.cu"
    cli.main(["run", "--json", str(file), "--", mistake])
    done = json.loads(capfd.readouterr().out)
    lines = [number for number, line in enumerate(file.read_text().splitlines(), 1) if line.endswith(f"// {word}")]
    (finding,) = done["findings"]
    assert (finding["kind"], [finding["line"]]) == (kind, lines)
    assert says in " ".join(finding["report"].split())
    assert done["printed"].split()[0] == str(status)


def test_nothing_is_found_without_a_mistake(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--json", str(HERE / "wrong.cu"), "--", "right"]) == 0
    assert json.loads(capfd.readouterr().out)["findings"] == []


def test_a_file_of_plain_cpp_calls_a_library(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "p.cpp"
    file.write_text(
        "#include <cstdio>\n#include <cublas_v2.h>\n"
        "__host__ __device__ inline cuComplex twice(cuComplex x) { return cuCaddf(x, x); }\n"
        "int main() {\n    cublasHandle_t handle;\n"
        "    __half half = __float2half(1.5f);\n    __nv_bfloat16 other = __float2bfloat16(0.25f);\n"
        "    float2 both = __half22float2(__hadd2(__half2half2(half), __floats2half2_rn(0, 1)));\n"
        '    printf("%g %g %g\\n", both.x, both.y, float(other * other));\n'
        '    printf("%d %g\\n", cublasCreate(&handle), cuCimagf(twice(make_cuComplex(1, 2))));\n'
        "    return cublasDestroy(handle);\n}\n"
    )
    code, done = run(file, capfd)
    assert (code, done["findings"], done["printed"]) == (0, [], "1.5 2.5 0.0625\n0 4\n")


def _answer(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "p.cu"
    file.write_text(text)
    return file


@pytest.mark.parametrize("header", ["cublas_v2.h", "curand.h", "cufft.h", "nvToolsExt.h", "helper_cuda.h"])
def test_an_answer_finds_no_header_of_a_library(header: str, tmp_path: Path) -> None:
    file = _answer(tmp_path, f"#include <{header}>\nint main() {{}}\n")
    assert build_program(file).path.exists()
    with pytest.raises(UsageError, match=f"includes {header}, which an answer may not"):
        build_program(file, Options(untrusted=True))


def test_an_answer_calls_no_library_without_its_header(tmp_path: Path) -> None:
    names = '"cublas cublasCreate"'
    call = f"unsigned long out = 0, n = (unsigned long)&out;\n    return emuLibrary({names}, &n, 1) || !out;"
    declared = 'extern "C" int emuLibrary(const char*, const unsigned long*, unsigned long);\n'
    file = _answer(tmp_path, f"{declared}int main() {{\n    {call}\n}}\n")
    assert run_program(build_program(file), file, ()).status == 0
    done = run_program(build_program(file, Options(untrusted=True)), file, (), keep=True, limits=Limits())
    assert [(finding.kind, finding.facts["why"]) for finding in done.findings] == [("Stopped", "broken")]


BESIDE = r"""
#include <cstdio>
#include <nvrtc.h>

int main(int, const char** names)
{
    const char* option = "-no-source-include";
    for (int options = 0; options < 2; ++options) {
        nvrtcProgram program;
        nvrtcCreateProgram(&program, "#include \"beside.h\"\n__global__ void f() {}", names[1], 0, nullptr, nullptr);
        printf("%d ", nvrtcCompileProgram(program, options, &option));
        nvrtcDestroyProgram(&program);
    }
}
"""


def test_nvrtc_finds_headers_beside_the_file_of_a_program(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "beside.h").touch()
    file = tmp_path / "compile.cu"
    file.write_text(f"// arguments: {tmp_path}/kernel.cu\n{BESIDE}")
    assert run(file, capfd)[1]["printed"] == "0 6 "  # NVRTC_SUCCESS, NVRTC_ERROR_COMPILATION
