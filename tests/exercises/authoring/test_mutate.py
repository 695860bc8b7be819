"""Does `autograder mutate` say rightly what becomes of a mutant?"""

from __future__ import annotations

import json
from pathlib import Path

import inputs
import nbformat
import pytest
from test_verify import ANSWER, BARRIER, CONTRACT, write_exercise, write_two_answers

pytest.importorskip("tree_sitter", reason="no tree-sitter for this Python yet")

from autograder.cuda.core.findings import StepLimit
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.kernel import Kernel
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.exercises.authoring.mutation import command, run
from autograder.exercises.authoring.mutation.contract import Contract
from autograder.exercises.authoring.mutation.equivalence import is_equivalent, is_same_launch
from autograder.exercises.authoring.mutation.judged import Judged, Status, Verdict, _emulate
from autograder.exercises.authoring.mutation.mutants import Answer, Mutant, mutants_of
from autograder.exercises.authoring.mutation.retyped import is_same_in_type
from autograder.exercises.authoring.mutation.run import Judgement, answers_in, judge_mutants, mutants_to_judge
from autograder.exercises.authoring.mutation.stryker import file_name, to_document
from autograder.exercises.authoring.mutation.syntax import Edit
from autograder.exercises.declarations.declaration import Case, declare
from autograder.exercises.declarations.domain import whole

pytestmark = pytest.mark.cached(*inputs.CHECKING, "autograder/classroom/results/pages.py")

MAGIC = "%%cuda backwards"
BLOCK_OF_32 = {f"{what}.{axis}": (1, 1) for what in ("gridDim", "blockDim") for axis in "xyz"} | {
    "blockDim.x": (32, 32)
}


def verdict_of(path: Path, before: str, after: str) -> Verdict:
    """What becomes of the toy exercise's answer with `after` in place of `before`."""
    exercise = Judged(path)
    assert before in exercise.answers[MAGIC]
    return exercise.judge(MAGIC, exercise.answers[MAGIC].replace(before, after))


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (BARRIER, "", Verdict(Status.KILLED, "matches_numpy")),
        ("    row[threadIdx.x]", "    row[0] = row[threadIdx.x]", Verdict(Status.KILLED, "matches_numpy")),
        ("blockDim.x - 1 - threadIdx.x", "threadIdx.x", Verdict(Status.KILLED, "matches_numpy")),
        ("{\n", "{\n while (true) ;\n", Verdict(Status.TIMEOUT)),
        ("{\n", "{\n while (true) out[0] = in[0];\n", Verdict(Status.RUNS_ON)),
        ("int row", "int int row", Verdict(Status.COMPILE_ERROR)),
        (BARRIER, BARRIER * 2, Verdict(Status.SURVIVED, "other traffic")),
        ("row[64]", "row[65]", Verdict(Status.SURVIVED, "other shared memory")),
        ("int row[64]", "unsigned row[64]", Verdict(Status.SURVIVED, "alike")),
    ],
)
def test_an_answer_is_judged(tmp_path: Path, before: str, after: str, verdict: Verdict) -> None:
    path = write_exercise(tmp_path, mutants={})
    assert verdict_of(path, before, after) == verdict


def test_a_check_that_fails_only_in_a_hidden_case_kills(tmp_path: Path) -> None:
    path = write_exercise(tmp_path, ANSWER.replace("int row[64]", "int row[128]"), {})
    assert verdict_of(path, "row[128]", "row[64]").status is Status.SURVIVED
    notebook = nbformat.read(path, as_version=4)
    hidden = 'from autograder import hidden_cases\nhidden_cases("backwards", seed=1)'
    notebook.cells[1].source = CONTRACT.replace("one_of(64)", "one_of(64, 128)") + hidden
    nbformat.write(notebook, path)
    assert verdict_of(path, "row[128]", "row[64]").status is Status.KILLED


def test_only_checks_about_the_same_answer_are_asked(tmp_path: Path) -> None:
    exercise = Judged(write_two_answers(tmp_path, {}))
    text = exercise.answers["%%cuda again"].replace(BARRIER, "")
    assert exercise.judge("%%cuda again", text).status is Status.KILLED
    assert exercise.judge("%%cuda backwards", exercise.answers["%%cuda backwards"]).status is Status.SURVIVED


def test_an_answer_that_writes_nothing_in_a_case_is_judged(tmp_path: Path) -> None:
    path = write_exercise(tmp_path, ANSWER.replace("    out[", "    if (in[threadIdx.x] > 9) out["), {})
    notebook = nbformat.read(path, as_version=4)
    contract = CONTRACT.replace("np.int32)]", "np.int32, fill=0)]").replace("values[::-1].copy()", "0 * values")
    notebook.cells[1].source = contract
    nbformat.write(notebook, path)
    assert verdict_of(path, "> 9", "> 8").status is Status.KILLED


def test_what_waits_forever_without_a_line_is_not_the_mutant() -> None:
    text = """__global__ void wait() {
    __shared__ int flag;
    if (threadIdx.x == 32) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&flag, 1);
    if (threadIdx.x == 32) while (!atomicAdd(&flag, 0));
}"""
    launch = Kernel(text, "wait").prepare(1, 64, [])
    assert _emulate(launch).completed
    without = _emulate(launch.with_experiment(ignored=frozenset({4})))
    assert StepLimit in map(type, without.findings)


def test_an_exercise_whose_answer_fails_is_our_fault(tmp_path: Path) -> None:
    with pytest.raises(GraderFault, match="does not pass: Killed, matches_numpy"):
        Judged(write_exercise(tmp_path, ANSWER.replace(BARRIER, ""), {}))


@pytest.mark.parametrize(
    ("before", "after", "differs"),
    [
        ("int row[64]", "unsigned row[64]", "alike"),
        (BARRIER, BARRIER * 2, "other traffic in a further case"),
        ("blockDim.x - 1 - threadIdx.x", "threadIdx.x", "other results in a further case"),
        ("{\n", "{\n while (true) out[0] = in[0];\n", "a further case does not end"),
    ],
)
def test_a_survivor_is_compared_with_its_answer_all_over_the_domain(
    tmp_path: Path, before: str, after: str, differs: str
) -> None:
    exercise = Judged(write_exercise(tmp_path, mutants={}))
    assert exercise.difference_anywhere("backwards", exercise.answers[MAGIC].replace(before, after)) == differs


def judge_all(tmp_path: Path) -> list[Judgement]:
    return judge_mutants([write_exercise(tmp_path, mutants={})], 1, lambda done, of: None)


def made_by(judgements: list[Judgement], operator: str) -> list[Judgement]:
    return [judgement for judgement in judgements if judgement.mutant.operator == operator]


@pytest.mark.rare
@pytest.mark.skipif(nvrtc.problem() is not None, reason=str(nvrtc.problem()))
def test_mutants_are_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judgements = judge_all(tmp_path)
    assert len(judgements) == len(mutants_of(judgements[0].answer)) > 20
    assert {j.verdict.status for j in made_by(judgements, "remove_barrier")} == {Status.KILLED}
    # The second barrier orders nothing that the first does not, and the compiler drops the first of two equal stores.
    assert {j.verdict.status for j in made_by(judgements, "double_barrier")} == {Status.EQUIVALENT}
    assert {j.verdict.status for j in made_by(judgements, "double_statement")} == {Status.EQUIVALENT}
    monkeypatch.setattr(run, "ProcessPoolExecutor", None)  # nothing is left to judge
    path = judgements[0].answer.path
    assert judge_mutants([path], 1, lambda done, of: None) == judgements
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[-1].source += "  "
    nbformat.write(notebook, path)
    with pytest.raises(TypeError):  # another exercise
        judge_mutants([path], 1, lambda done, of: None)


@pytest.mark.skipif(nvrtc.problem() is not None, reason=str(nvrtc.problem()))
@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("i < n", "n > i", True),
        ("__syncthreads();", "{ __syncthreads(); __syncthreads(); }", True),
        ("__syncthreads();", ";", False),
        ("t == 0", "t == 1", False),
        # There may be more than 127 elements.
        ("int i", "signed char i", False),
        # The block always has 32 threads.
        ("int t", "signed char t", True),
        ("int row[32]", "int row[33]", True),
        ("int row[32]", "int row[31]", False),
    ],
)
def test_what_is_the_same_program(before: str, after: str, same: bool) -> None:
    text = """__global__ void k(int* a, int n)
{
    __shared__ int row[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 3;
    row[t] = i;
    __syncthreads();
    if (t == 0) a[n] = row[31 - t];
}
"""
    contract = Contract({**BLOCK_OF_32, "gridDim.x": (1, 9), "n": (1, 288)})
    assert before in text
    edit = Edit(text.index(before), text.index(before) + len(before), after)
    operator = "double_barrier" if after.count("__syncthreads") == 2 else "other"
    assert is_equivalent(text, Mutant(operator, edit, edit.of(text), ""), "k", contract) is same


RETYPED = """#define WIDE 4  // elements
__global__ void f(const int* in, int* out, float* x, int n)
{
    const int WIDTH = WIDE;
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int before = i - 1;
    int half = blockDim.x / 2;
    int far = WIDTH * n;
    int count = 0;
    for (int k = t; k < n; k += blockDim.x)
        count += in[k];
    for (int down = half; down > 0; down /= 2)
        out[t] += t >= down ? in[t - down] : 0;
    if (before >= 0)
        out[i] = in[before] + count + far;
    x[i] = half * 0.5f;
}
"""


@pytest.mark.parametrize(
    ("declared", "kind", "same"),
    [
        ("t", "signed char", True),
        ("t", "unsigned int", True),  # t - down is no index where it is negative
        ("t", "float", False),  # t - down would be an index
        ("i", "signed char", False),
        ("i", "unsigned int", True),  # i - 1 has the same bits
        ("before", "unsigned int", False),  # before >= 0
        ("before", "float", False),
        ("half", "signed char", True),
        ("half", "unsigned int", False),  # beside a float, of which nothing is known
        ("far", "float", False),  # beside what in[] holds
        ("count", "signed char", False),
        ("count", "unsigned int", True),
        ("k", "signed char", False),
        ("k", "unsigned int", True),
        ("down", "signed char", True),
        ("down", "float", False),  # 1 / 2 is not 0
        ("WIDTH", "float", True),
        ("WIDTH", "signed char", True),
    ],
)
def test_which_types_hold_all_that_a_variable_does(declared: str, kind: str, same: bool) -> None:
    contract = Contract({**BLOCK_OF_32, "gridDim.x": (1, 9), "n": (1, 288)})
    at = RETYPED.index(f"int {declared} =")
    edit = Edit(at, at + 3, kind)
    assert is_same_in_type(RETYPED, Mutant("change_type", edit, edit.of(RETYPED), ""), contract) is same


def test_the_contract_of_an_exercise(tmp_path: Path) -> None:
    exercise = Judged(write_exercise(tmp_path, mutants={}))
    contract = exercise.contract("backwards")
    assert contract.spans["blockDim.x"] == (64, 64) and contract.spans["gridDim.y"] == (1, 1)
    assert "blockDim.x % 64 == 0" in contract.relations


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("ceil_div(n, t)", "ceil_div(n + 0, t)", True),
        ("ceil_div(n, t)", "n // t + 1", False),
        ("9 * t", "9 * t + 1", True),
        ("9 * t", "9 * t - 1", False),
        ("9 * t", "8 * t + 30", False),  # less from t = 31 on
        ("block = t", "block = max(t, 2)", False),  # where t is 1
    ],
)
def test_which_values_are_the_same_launch(before: str, after: str, same: bool) -> None:
    text = "grid = ceil_div(n, t)\nblock = t\nshared_mem = 9 * t\n"
    exercise = declare(
        "k",
        lambda draw, launch, n, t: Case(1, 1, [], []),
        [{"n": 1, "t": 1}],
        values=("grid", "block", "shared_mem"),
        domain={"n": whole(1, 50), "t": whole(1, 40)},
    )
    changed = text.replace(before, after)
    mutant = Mutant("change", Edit(0, len(text), changed), changed, "")
    assert is_same_launch(exercise, text, mutant) is same


def test_mutants_are_made_of_variants_too(tmp_path: Path) -> None:
    path = write_exercise(tmp_path, mutants={})
    in_another_way = "\n".join(ANSWER.replace("row[64]", "column[64]").replace("row[", "column[").splitlines()[1:])
    file = path.parent / "variants" / "backwards" / "by_column.cu"
    file.parent.mkdir(parents=True)
    file.write_text(in_another_way)
    mine, variant = answers_in(path)
    assert (mine.title, variant.title) == ("backwards", "backwards (by_column)")
    assert mutants_to_judge(mine) == mutants_of(mine)
    drawn = mutants_to_judge(variant)
    assert len(mutants_of(variant)) / 8 < len(drawn) < len(mutants_of(variant)) / 2
    assert set(drawn) < set(mutants_of(variant))
    assert file_name(variant) == "chapter/backwards/backwards-by_column.cu"


def test_a_mutant_is_compared_with_the_variant_that_it_is_made_from(tmp_path: Path) -> None:
    path = write_exercise(tmp_path, mutants={})
    twice = ANSWER.partition("\n")[2].replace(BARRIER, BARRIER * 2)
    assert Judged(path).judge(MAGIC, twice).why == "other traffic"
    assert Judged(path, {MAGIC: twice}).judge(MAGIC, twice).why == "alike"
    with pytest.raises(GraderFault, match="does not pass"):
        Judged(path, {MAGIC: ANSWER.partition("\n")[2].replace(BARRIER, "")})


def test_the_command_tells_survivors_and_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, document = write_exercise(tmp_path, mutants={}), tmp_path / "mutants.json"
    (answer,) = answers_in(path)
    verdicts = [Verdict(Status.KILLED, "has_no_races"), Verdict(Status.SURVIVED, "other traffic")]
    judgements = [Judgement(answer, m, v) for m, v in zip(mutants_of(answer), verdicts, strict=False)]
    monkeypatch.setattr(command, "judge_mutants", lambda *_: judgements)
    assert command.main([path], 1, document) == 0
    message = capsys.readouterr().out
    assert "backwards, line 3, " in message and "other traffic" in message
    assert json.loads(document.read_text()) == to_document(judgements)
    monkeypatch.setattr(
        command,
        "judge_mutants",
        lambda *_: [Judgement(answer, judgements[0].mutant, Verdict(Status.RUNTIME_ERROR, "why"))],
    )
    assert command.main([path], 1, None) == 1


def test_the_document_is_of_strykers_schema(tmp_path: Path) -> None:
    """The keys that the schema requires, and values that it allows:
    github.com/stryker-mutator/mutation-testing-elements, packages/report-schema."""
    answer = Answer(
        Path("solutions/chapter/backwards.ipynb"), MAGIC, "__global__ void k(int* a)\n{\n    a[0] = 1;\n}\n"
    )
    mutants = mutants_of(answer)
    verdicts = {status: Verdict(status, "why") for status in Status}
    document = to_document([Judgement(answer, mutants[0], verdict) for verdict in verdicts.values()])
    assert document.keys() == {"schemaVersion", "thresholds", "files"}
    (name, file), = document["files"].items()  # fmt: skip
    assert name == "chapter/backwards/backwards.cu" and file["source"] == answer.text
    for reported, status in zip(file["mutants"], Status, strict=True):
        ours = {Status.RUNS_ON: "Timeout", Status.ALIKE: "Ignored"}
        assert reported["status"] == ours.get(status, status.value)
        assert reported["location"] == {"start": {"line": 3, "column": 5}, "end": {"line": 3, "column": 14}}
        assert reported.get("killedBy") == (["why"] if status is Status.KILLED else None)
        assert reported["mutatorName"] == "double statement"


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist: name a notebook"):
        command.main([tmp_path / "nothing.ipynb"], 1, None)
    with pytest.raises(UsageError, match="There is no exercise here"):
        command.main([], 1, None)
    with pytest.raises(UsageError, match="--jobs must be at least 1"):
        command.main([write_exercise(tmp_path, mutants={})], 0, None)
