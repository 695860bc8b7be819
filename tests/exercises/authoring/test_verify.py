"""Does `verify` itself reject an exercise that is not proven?"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import inputs
import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.exercises.authoring.outputs import chosen, renew
from autograder.exercises.authoring.verify import Proof, Result, find_mutants, main, prove_stub, read_mutant, verify
from autograder.exercises.notebook.run_notebook import run
from autograder.exercises.result import Outcome, read_results

pytestmark = inputs.checking

CONTRACT = """
import numpy as np
from autograder import Case, Output, check, exercise, one_of

def case(draw, n):
    values = draw.whole(-9, 9, n)
    return Case(grid=1, block=n, args=[values, Output(n, np.int32)], expected=[values[::-1].copy()])

exercise("backwards", case, domain=dict(n=one_of(64)), sizes=[dict(n=64)])
"""
BARRIER = "    // BEGIN SOLUTION\n    __syncthreads();\n    // END SOLUTION\n"
ANSWER = f"""%%cuda backwards
__global__ void backwards(const int* in, int* out)
{{
    __shared__ int row[64];
    row[threadIdx.x] = in[threadIdx.x];
{BARRIER}    out[threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}}
"""
SOLUTION = ANSWER.partition("\n")[2]
CHECKS = ("matches_numpy", "has_no_races", "stays_in_bounds", "reads_only_what_was_written")

NO_BARRIER = SOLUTION.replace(BARRIER, "")
FORWARDS = SOLUTION.replace("blockDim.x - 1 - threadIdx.x", "threadIdx.x")
OUTSIDE = SOLUTION.replace("blockDim.x - 1 - threadIdx.x", "threadIdx.x + 1")
RACE = "// rejected by: has_no_races\n// perhaps also: reads_only_what_was_written, matches_numpy\n"
MUTANTS = {
    "no_barrier.cu": RACE + NO_BARRIER,
    "no_barrier_again.cu": RACE + NO_BARRIER,
    "forwards.cu": "// rejected by: matches_numpy\n" + FORWARDS,
    "outside.cu": "// rejected by: stays_in_bounds\n" + OUTSIDE,
}


def write_exercise(folder: Path, answer: str = ANSWER, mutants: dict[str, str] = MUTANTS) -> Path:
    """Write a small exercise below `folder`, as it would be below solutions/."""
    cells = [cell("%load_ext autograder"), cell(CONTRACT, name="contract")]
    cells.append(cell(answer, name="answer", solution=True, locked=False))
    cells += [cell(f'check("backwards").{s}()', name=s, grade=True, points=1) for s in CHECKS]
    path = folder / "chapter" / "backwards.ipynb"
    (path.parent / "mutants" / "backwards").mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    for name, text in mutants.items():
        (path.parent / "mutants" / "backwards" / name).write_text(text)
    return path


def write_two_answers(folder: Path, mutants: dict[str, str], second: str = ANSWER) -> Path:
    """Write an exercise with the answers "backwards" and "again"; `mutants` by "answer/name.cu"."""
    cells = [cell("%load_ext autograder")]
    for name, answer in (("backwards", ANSWER), ("again", second.replace("%%cuda backwards", "%%cuda again"))):
        contract = CONTRACT.replace('exercise("backwards", case,', f'exercise("{name}", case, kernel="backwards",')
        cells += [cell(contract, name=f"contract-{name}"), cell(answer, name=name, solution=True, locked=False)]
        cells += [cell(f'check("{name}").{s}()', name=f"{name}-{s}", grade=True, points=1) for s in CHECKS]
    path = folder / "chapter" / "both.ipynb"
    path.parent.mkdir()
    for name, text in mutants.items():
        mutant = path.parent / "mutants" / "both" / name
        mutant.parent.mkdir(parents=True, exist_ok=True)
        mutant.write_text(text)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def cell(source: str, **flags: object) -> nbformat.NotebookNode:
    name = str(flags.pop("name", source.split("\n")[0]))
    nbgrader = {"grade_id": name, "schema_version": 3, "locked": True, "task": False, "cell_type": "code"}
    nbgrader |= {"grade": False, "solution": False} | flags
    made: nbformat.NotebookNode = nbformat.v4.new_code_cell(source, metadata={"nbgrader": nbgrader})
    return made


def proof_of(what: str, path: Path) -> Proof:
    return next(proof for proof in verify(path).proofs if proof.what == what)


def test_a_good_exercise_is_proven(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_exercise(tmp_path)
    verdict = verify(path)
    assert verdict.proven, [proof for proof in verdict.proofs if proof.result is Result.REFUTED]
    assert {proof.what for proof in verdict.proofs} >= {"solution", "stub", *MUTANTS, "NVRTC, sm_90"}
    assert main([path]) == 0
    assert "no_barrier.cu" in capsys.readouterr().out


def test_a_wrong_solution_is_refuted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_exercise(tmp_path, ANSWER.replace("    __syncthreads();\n", ""))
    proof = proof_of("solution", path)
    assert proof.result is Result.REFUTED
    assert "has_no_races failed" in proof.why
    assert main([path]) == 1
    assert "refuted" in capsys.readouterr().out


SPARE = ANSWER.replace("}\n", "    __syncthreads();  // at the end\n}\n")


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("answer", "spare", "why"),
    [
        (ANSWER, {}, ""),
        (SPARE, {}, "no case needs line 10"),
        (SPARE, {"at the end": "for show"}, ""),
        (SPARE, {"at the start": "for show"}, "no case needs line 10"),
        (ANSWER, {"__syncthreads": "for show"}, "spare names '__syncthreads'"),
    ],
)
def test_a_barrier_that_no_case_needs_must_be_explained(
    answer: str, spare: dict[str, str], why: str, tmp_path: Path
) -> None:
    path = write_exercise(tmp_path, answer)
    text = path.read_text().replace("case, domain=", f"case, spare={spare}, domain=")
    path.write_text(text)
    proof = proof_of("barriers of backwards", path)
    assert proof.result is (Result.REFUTED if why else Result.PROVEN)
    assert why in proof.why


def test_a_stub_that_scores_is_refuted(tmp_path: Path) -> None:
    # A solution with nothing between its marks, so that the solution itself is released.
    marks = "    // BEGIN SOLUTION\n    // END SOLUTION\n"
    path = write_exercise(tmp_path, ANSWER.replace("    // BEGIN", "    __syncthreads();\n    // BEGIN"))
    notebook = nbformat.read(path, as_version=4)
    assert prove_stub(notebook).result is Result.PROVEN
    notebook.cells[2].source = notebook.cells[2].source.replace(marks, "")
    notebook.cells[2].metadata.nbgrader.solution = False
    notebook.cells[2].source = f"%%cuda backwards\n{NO_BARRIER}"
    proof = prove_stub(notebook)
    assert proof.result is Result.REFUTED


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("head", "text", "why"),
    [
        ("// rejected by: has_no_races\n", SOLUTION, "has_no_races passed; failed: none"),
        ("// rejected by: has_no_races\n", FORWARDS, "has_no_races passed; failed: matches_numpy"),
        ("// rejected by: has_no_races\n", OUTSIDE, "has_no_races blocked; failed: stays_in_bounds"),
        ("// rejected by: has_no_races\n", NO_BARRIER, "failed, besides has_no_races"),
        ("// rejected by: has_no_races\n", "int answer = 42;", "has_no_races blocked"),
        ("// rejected by: is_coalesced\n", FORWARDS, "the notebook has no check is_coalesced"),
    ],
    ids=["passes", "another check", "blocked", "an unnamed check too", "no kernel", "no such check"],
)
def test_a_mutant_not_rejected_as_it_says_is_refuted(tmp_path: Path, head: str, text: str, why: str) -> None:
    proof = proof_of("bad.cu", write_exercise(tmp_path, mutants={**MUTANTS, "bad.cu": head + text}))
    assert proof.result is Result.REFUTED
    assert why in proof.why


def test_too_few_mutants_are_refuted(tmp_path: Path) -> None:
    mutants = dict(list(MUTANTS.items())[:3])
    assert "there are 3" in proof_of("number of mutants", write_exercise(tmp_path, mutants=mutants)).why


def test_mutants_of_several_answers_stand_in_folders(tmp_path: Path) -> None:
    mutants = {f"{answer}/{name}": text for answer in ("backwards", "again") for name, text in MUTANTS.items()}
    verdict = verify(write_two_answers(tmp_path, mutants))
    assert verdict.proven, [proof for proof in verdict.proofs if proof.result is Result.REFUTED]
    assert [proof.what for proof in verdict.proofs].count("forwards.cu") == 2


def test_a_mutant_is_rejected_by_the_checks_about_its_own_answer(tmp_path: Path) -> None:
    mutants = {"backwards/forwards.cu": "// rejected by: has_no_races\n" + FORWARDS}
    path = write_two_answers(tmp_path, mutants, second=f"%%cuda backwards\n{NO_BARRIER}")
    assert "has_no_races passed; failed: matches_numpy" in proof_of("forwards.cu", path).why
    (path.parent / "mutants/both/backwards/forwards.cu").write_text("// rejected by: matches_numpy\n" + FORWARDS)
    assert "of again failed" in proof_of("forwards.cu", path).why


@pytest.mark.skipif(nvrtc.problem() is not None, reason=str(nvrtc.problem()))
def test_every_kernel_of_the_solution_is_compiled_by_nvrtc(tmp_path: Path) -> None:
    path = write_two_answers(tmp_path, {}, second=ANSWER.replace("int row[64]", "int row[13000]"))
    assert "the solution of again does not compile" in proof_of("NVRTC, sm_75", path).why


def test_a_mutant_must_name_its_check(tmp_path: Path) -> None:
    path = write_exercise(tmp_path, mutants={"nameless.cu": NO_BARRIER})
    with pytest.raises(UsageError, match=r"nameless\.cu must begin with a line such as"):
        read_mutant(*find_mutants(path))


def test_a_missing_exercise_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist: name a notebook"):
        verify(tmp_path / "nothing.ipynb")


def test_nothing_to_prove_is_one_sentence() -> None:
    with pytest.raises(UsageError, match="There is no exercise here"):
        main([])


@pytest.mark.skipif(nvrtc.problem() is not None, reason=str(nvrtc.problem()))
def test_a_solution_that_nvrtc_rejects_is_refuted(tmp_path: Path) -> None:
    path = write_exercise(tmp_path, ANSWER.replace("int row[64]", "int row[13000]"))
    proof = proof_of("NVRTC, sm_75", path)
    assert proof.result is Result.REFUTED


def test_an_answer_replaces_the_notebooks_own(tmp_path: Path) -> None:
    notebook = nbformat.read(write_exercise(tmp_path), as_version=4)
    results = run(notebook, {"%%cuda backwards": FORWARDS})
    assert {r.check: r.outcome for r in results} == {
        "matches_numpy": Outcome.FAILED,
        "has_no_races": Outcome.PASSED,
        "stays_in_bounds": Outcome.PASSED,
        "reads_only_what_was_written": Outcome.PASSED,
    }
    assert results[0].report.startswith("backwards matches numpy: FAILED")
    assert results[0].points == 1
    assert [r.outcome for r in run(notebook)] == [Outcome.PASSED] * 4  # the first run left nothing over


def test_an_answer_for_no_cell_is_our_fault(tmp_path: Path) -> None:
    notebook = nbformat.read(write_exercise(tmp_path), as_version=4)
    with pytest.raises(GraderFault, match="no cell begins with '%%cuda forwards'"):
        run(notebook, {"%%cuda forwards": FORWARDS})


def test_a_broken_contract_is_our_fault(tmp_path: Path) -> None:
    notebook = nbformat.read(write_exercise(tmp_path), as_version=4)
    notebook.cells[1].source = "1 / 0"
    with pytest.raises(GraderFault, match="'contract' ended in ZeroDivisionError"):
        run(notebook)


@pytest.mark.parametrize(
    ("test", "made"),
    [
        ("x = 1", "none"),
        (
            'check("backwards").has_no_races()\ncheck("backwards").matches_numpy()',
            "has_no_races of .*, matches_numpy of ",
        ),
    ],
)
def test_a_test_cell_that_does_not_make_one_check_is_our_fault(tmp_path: Path, test: str, made: str) -> None:
    notebook = nbformat.read(write_exercise(tmp_path), as_version=4)
    notebook.cells[-1].source = test
    with pytest.raises(GraderFault, match=f"'reads_only_what_was_written' must make one check, and makes {made}"):
        run(notebook)


def test_a_run_leaves_this_process_as_it_was(tmp_path: Path) -> None:
    main, folder = sys.modules["__main__"], os.getcwd()
    run(nbformat.read(write_exercise(tmp_path), as_version=4))
    assert sys.modules["__main__"] is main and os.getcwd() == folder
    assert not InteractiveShell.initialized()


def test_outputs_are_renewed_in_place(tmp_path: Path) -> None:
    path = write_exercise(tmp_path)
    renew([path])
    cells = nbformat.read(path, as_version=4).cells
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert cells[2].outputs[0].text == "backwards compiles.\n"
    assert [result.check for cell in cells for result in read_results(cell.outputs)] == list(CHECKS)


def test_outputs_of_named_exercises_are_renewed(tmp_path: Path) -> None:
    folder = tmp_path / "solutions"
    paths = [folder / name for name in ("a/x.ipynb", "b/y.ipynb", "b/z.ipynb")]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert chosen(folder, []) == paths and chosen(folder, ["z", "x"]) == [paths[0], paths[2]]
    with pytest.raises(UsageError, match=r"^There is no exercise b/y in solutions/: give its name"):
        chosen(folder, ["x", "b/y"])


def test_outputs_with_an_error_are_not_kept(tmp_path: Path) -> None:
    path = write_exercise(tmp_path, ANSWER.replace("    __syncthreads();\n", ""))
    before = path.read_bytes()
    with pytest.raises(GraderFault, match="ended in CheckFailed: backwards"):
        renew([path])
    assert path.read_bytes() == before


def test_who_interrupts_a_run_ends_it(tmp_path: Path) -> None:
    notebook = nbformat.read(write_exercise(tmp_path), as_version=4)
    notebook.cells[1].source = "raise KeyboardInterrupt"
    with pytest.raises(KeyboardInterrupt):
        run(notebook)
