"""Programs that call cuSPARSE: what right ones print, as numpy computes it with whole matrices, and mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from test_libraries import HERE, numbers
from test_programs import run

from autograder import cli
from autograder.cuda.errors import UsageError
from autograder.cuda.programs.building.build import build_program

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")

ROWS, COLUMNS, COUNT, K = 4, 5, 9, 3
OF_ROWS, OF_COLUMNS = [0, 0, 0, 2, 2, 2, 2, 3, 3], [0, 2, 4, 1, 2, 3, 4, 0, 3]


def whole(values: np.ndarray) -> np.ndarray:
    """The program's matrix."""
    made = np.zeros((ROWS, COLUMNS))
    made[OF_ROWS, OF_COLUMNS] = values
    return made


def cusparse() -> dict[str, np.ndarray | list[float]]:
    """What cusparse.cu prints."""
    a, x, y = whole(numbers(COUNT, 1)), numbers(COLUMNS, 2), numbers(ROWS, 3)
    out: dict[str, np.ndarray | list[float]] = {"spmv": 2 * a @ x + 0.5 * y}
    out["spmv_csc_t"] = 2 * a @ x
    out["spmv_coo_t"] = 2 * a.T @ (2 * a @ x)
    b, c = numbers(COLUMNS * 4, 4).reshape(COLUMNS, 4)[:, :K], numbers(6 * K, 5).reshape(K, 6)
    c[:, :ROWS] = (2 * a @ b + 0.5 * c[:, :ROWS].T).T
    out["spmm"] = c.reshape(-1)
    left, right = numbers(ROWS * K, 6).reshape(ROWS, K), numbers(K * COLUMNS, 7).reshape(COLUMNS, K)
    sampled = 2 * left @ right.T + 0.5 * whole(numbers(COUNT, 8))
    out["sddmm"] = sampled[OF_ROWS, OF_COLUMNS]
    other, places = np.zeros((COLUMNS, K)), ([0, 1, 2, 2, 3, 4], [1, 0, 0, 2, 2, 1])
    other[places] = numbers(6, 9)
    product = 2 * a @ other
    other[places] = 1
    stored = whole(np.ones(COUNT)) @ other > 0  # elements that are 0 by chance are stored, too
    out |= {"size": [ROWS, K, stored.sum()], "spgemm": product.reshape(-1)}
    by_columns, of_rows = np.nonzero(product.T)
    out["csc_offsets"] = [1 + int((by_columns < column).sum()) for column in range(K + 1)]
    out |= {"csc_rows": of_rows + 1.0, "csc_values": product.T[by_columns, of_rows]}
    lower = np.array([[2, 0, 0, 0], [1, 4, 0, 0], [0, 3, 5, 0], [1, 0, 0, 8.0]])
    out["spsv"] = np.linalg.solve(lower, 2 * numbers(4, 1))
    out["spsv_t"] = np.linalg.solve(lower.T, 2 * numbers(4, 1))
    out["ilu"] = [4, -1, -1 / 2, 5 - 1 / 2, -1, -2 / 4.5, 6 - 2 / 4.5]
    out |= {"kind": [1, -1], "coo2csr": [1, 4, 4, 8, 10], "csr2coo": np.array(OF_ROWS)}
    axpby = 0.5 * x
    axpby[[4, 1]] += [20, 40]
    dot = 10 * axpby[4] + 20 * axpby[1]
    out |= {"axpby": axpby, "dot": [dot], "dot_on_gpu": [dot], "gather": axpby[[4, 1]]}
    return out


def test_cusparse_computes_what_numpy_does_with_whole_matrices(capfd: pytest.CaptureFixture[str]) -> None:
    code, done = run(HERE / "cusparse.cu", capfd)
    assert (code, done["findings"]) == (0, []), done
    *lines, last = done["printed"].splitlines()
    assert last == "constant 1 CUSPARSE_STATUS_ZERO_PIVOT"
    got = {name: np.array(rest, np.float64) for name, *rest in map(str.split, lines)}
    assert got.keys() == cusparse().keys()
    for what, values in cusparse().items():
        np.testing.assert_allclose(got[what], values, rtol=1e-6, atol=1e-6, err_msg=what)


#: By mistake: the kind that is found, the word that ends its line, what the report says, and the status.
WRONG = {
    "no_handle": ("InvalidArgument", "multiplies", "gets a handle that has not been created", 1),
    "short_x": ("InvalidArgument", "multiplies", "gets a vecX of size 3, where 4 is needed", 3),
    "column": ("OutOfBounds", "multiplies", "reads 4 in element 2 of the columns of matA: from 0 to 3 are", -1),
    "base": ("OutOfBounds", "multiplies", "reads 0 in element 0 of the columns of matA: from 1 to 4 are", -1),
    "offset": ("OutOfBounds", "multiplies", "reads 9 in element 4 of the row offsets of matA: they begin with 0", -1),
    "count": ("OutOfBounds", "multiplies", "reads 28 bytes for the values of matA, of values, which has 24", -1),
    "host_values": ("HostPointer", "multiplies", "a pointer to the host's memory for the values of matA", -1),
    "host_buffer": ("HostPointer", "multiplies", "a pointer to the host's memory for externalBuffer", -1),
    "unwritten": ("UninitializedRead", "multiplies", "reads 16 bytes of y for vecY, from byte 0 on", 0),
    "freed": ("UseAfterFree", "multiplies", "cusparseSpMV uses x, which has been freed", -1),
    "alpha_on_gpu": ("InvalidArgument", "multiplies", "a pointer to the GPU's memory for alpha", 3),
    "destroyed": ("InvalidArgument", "multiplies", "gets a matA that has not been created, or has been destroyed", 3),
    "two_streams": ("StreamRace", "races", "Two operations use y, and nothing orders them", 0),
    "read_too_early": ("Unsynchronized", "reads", "The host reads y before the work that uses it", 0),
    "no_analysis": ("InvalidArgument", "solves", "a descr for which cusparseSpSV_analysis has not been called", 3),
    "small_ld": ("InvalidArgument", "dense", "gets 3 for ld, which must be at least 4", 3),
}


@pytest.mark.parametrize("mistake", [*WRONG, "right"])
def test_a_mistake_in_a_call_is_found_at_its_line(mistake: str, capfd: pytest.CaptureFixture[str]) -> None:
    file = HERE / "cusparse_wrong.cu"
    cli.main(["run", "--json", str(file), "--", mistake])
    done = json.loads(capfd.readouterr().out)
    if mistake == "right":
        assert (done["findings"], done["printed"]) == ([], "0 52\n")
        return
    kind, word, says, status = WRONG[mistake]
    lines = [number for number, line in enumerate(file.read_text().splitlines(), 1) if line.endswith(f"// {word}")]
    (finding,) = done["findings"]
    assert (finding["kind"], [finding["line"]]) == (kind, lines)
    assert says in " ".join(finding["report"].split())
    assert done["printed"].split()[0] == str(status)


def test_functions_that_cuda_12_has_no_more_are_not_there(tmp_path: Path) -> None:
    file = tmp_path / "p.cu"
    file.write_text("#include <cusparse.h>\nint main() {\n    return cusparseScsrmv();\n}\n")
    with pytest.raises(UsageError, match="line 3 uses cusparseScsrmv, which the emulated runtime does not have"):
        build_program(file)


def test_a_file_of_plain_cpp_is_linked_with_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, made = tmp_path / "p.cpp", tmp_path / "p"
    file.write_text(
        "#include <cstdio>\n#include <cusparse.h>\nint main() {\n    cusparseHandle_t handle;\n    int version;\n"
        "    cusparseCreate(&handle), cusparseGetVersion(handle, &version);\n"
        '    printf("%d\\n", version / 1000);\n    return cusparseDestroy(handle);\n}\n'
    )
    assert cli.main(["cc", str(file), "-lcusparse", "-o", str(made)]) == 0
    assert cli.main(["run", str(made)]) == 0
    assert capfd.readouterr().out == "12\n"
