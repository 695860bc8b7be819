"""Does each operator of `autograder mutate` make exactly the edits that it promises?"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tree_sitter", reason="no tree-sitter for this Python yet")

from autograder.cuda.errors import GraderFault
from autograder.exercises.authoring.mutation import expressions, statements, threads
from autograder.exercises.authoring.mutation.mutants import OPERATORS, Answer, mutants_of
from autograder.exercises.authoring.mutation.syntax import Operator, parse, walk
from autograder.exercises.authoring.mutation.values import find_edits

#: An operator, statements of a kernel, and what they become.
EDITS: list[tuple[Operator, str, list[str]]] = [
    (expressions.shift_index, "a[i] = 0;", ["a[(i) + 1] = 0;", "a[(i) - 1] = 0;"]),
    (expressions.scale_index, "a[i + 1] = 0;", ["a[2 * (i + 1)] = 0;"]),
    (expressions.transpose_index, "tile[i][j] = 0;", ["tile[j][i] = 0;"]),
    (expressions.transpose_index, "a[i * n + j] = 0;", ["a[(j) * n + i] = 0;"]),
    (expressions.transpose_index, "a[i + j * n] = 0;", []),
    (expressions.take_another_variable, "int k = i; a[j] = k;", ["int k = i; a[k] = k;"]),
    (expressions.take_another_variable, "float k = i; a[j] = k;", ["float k = i; a[n] = k;"]),
    (expressions.change_arithmetic, "i = j * 2;", ["i = j + 2;", "i = (j);"]),
    (expressions.change_arithmetic, "b = i < j;", []),
    (expressions.change_comparison, "b = i < n;", ["b = i <= n;", "b = i >= n;"]),
    (expressions.change_comparison, "b = i == n;", ["b = i != n;", "b = i <= n;"]),
    (expressions.change_logic, "b = i && j;", ["b = i || j;", "b = (i);", "b = (j);"]),
    (expressions.change_logic, "b = !i;", ["b = i;"]),
    (expressions.choose_one, "i = j ? 3 : 4;", ["i = (3);", "i = (4);"]),
    (expressions.change_constant, "x = 0.5f;", ["x = 1.5f;", "x = (-1.5f);"]),
    (expressions.change_constant, "i = 0;", ["i = 1;", "i = (-1);"]),
    (expressions.change_constant, "u = 2u;", ["u = 3u;", "u = 1u;"]),
    (expressions.change_constant, "u = 0xff;", []),
    (expressions.change_assignment, "i += j;", ["i = j;", "i -= j;"]),
    (expressions.change_assignment, "++i;", ["--i;"]),
    (expressions.change_assignment, "for (; i < j; ++i) ;", []),
    (expressions.swap_arguments, "f(i, j, 2);", ["f(j, i, 2);", "f(i, 2, j);"]),
    (expressions.swap_arguments, "i = min(i, j);", []),
    (statements.remove_statement, "if (i) j = 2;", ["if (i) ;"]),
    (statements.remove_statement, "if (i) return;", ["if (i) ;"]),
    (statements.remove_statement, "__syncthreads(); int j = 2;", []),
    (statements.double_statement, "if (i) j += 2;", ["if (i) { j += 2; j += 2; }"]),
    (
        statements.change_guard,
        "if (i) j = 2; else j = 3;",
        ["if (true) j = 2; else j = 3;", "if (false) j = 2; else j = 3;", "if (i) j = 2; "],
    ),
    (
        statements.cut_loop,
        "for (i = 0; i < n; ++i) j += i;",
        [
            ";",
            "for (i = 0; i < n; ++i) { j += i; break; }",
            "for (i = 0; i < n; i += 2) j += i;",
        ],
    ),
    (
        statements.cut_loop,
        "for (i = n; i > 0; i /= 2) j += i;",
        [
            ";",
            "for (i = n; i > 0; i /= 2) { j += i; break; }",
            "for (i = n; i > 0; i /= 2 * (2)) j += i;",
        ],
    ),
    (statements.double_loop, "while (i) i--;", ["{ while (i) i--; while (i) i--; }"]),
    (statements.change_initial_value, "int k = n;", ["int k;", "int k = 0;"]),
    (statements.change_initial_value, "float sums[4] = {};", ["float sums[4];"]),
    (statements.change_initial_value, "const int k = n;", ["const int k = 0;"]),
    (statements.change_initial_value, "float* p = out;", []),
    (statements.change_type, "int k = n;", ["signed char k = n;", "float k = n;"]),
    (statements.change_type, "float x = 0;", ["int x = 0;"]),
    (statements.change_sign, "int k = n - 1;", ["unsigned int k = n - 1;"]),
    (statements.change_sign, "int k = n + 1;", []),
    (threads.remove_barrier, "if (i) __syncthreads();", ["if (i) ;"]),
    (
        threads.weaken_barrier,
        "__syncthreads();",
        ["__syncwarp();", "if (threadIdx.x % 2 == 0) __syncthreads();"],
    ),
    (
        threads.weaken_barrier,
        "cluster.sync();",
        ["__syncthreads();", "if (cluster.block_rank() % 2 == 0) cluster.sync();"],
    ),
    (statements.remove_statement, "cluster.sync();", []),
    (threads.double_barrier, "__syncwarp();", ["{ __syncwarp(); __syncwarp(); }"]),
    (threads.remove_fence, "__threadfence();", [";"]),
    (threads.change_scope, "__threadfence();", ["__threadfence_block();"]),
    (threads.change_scope, "atomicAdd_block(p, 1);", ["atomicAdd(p, 1);"]),
    (
        threads.change_mask,
        "i = __any_sync(0xffffffff, j);",
        ["i = __any_sync(0xfffffffe, j);", "i = __any_sync(0x0000ffff, j);", "i = __any_sync(__activemask(), j);"],
    ),
    (threads.change_exchange, "i = __any_sync(m, j);", ["i = __all_sync(m, j);"]),
    (threads.change_atomic, "atomicAdd(p, 1);", ["atomicSub(p, 1);"]),
    (threads.remove_atomic, "atomicAdd(p, 1);", ["*(p) += 1;"]),
    (threads.remove_atomic, "i = atomicAdd(p, 1);", ["i = ((*(p) += 1) - (1));"]),
    (threads.remove_atomic, "i = atomicMax(p, 1);", []),
    (threads.unshare, "__shared__ int a[4];", [" int a[4];"]),
    (threads.unshare, "extern __shared__ int a[];", []),
    (
        threads.change_place,
        "i = threadIdx.x;",
        ["i = threadIdx.y;", "i = blockIdx.x;", "i = (threadIdx.x + 1);", "i = (threadIdx.x - 1);"],
    ),
]
HEAD = "__global__ void k(float* a, int n)\n{\n    int i, j;\n    "


def kernel(body: str) -> str:
    return f"{HEAD}{body}\n}}\n"


@pytest.mark.parametrize(("operator", "body", "become"), EDITS, ids=lambda given: getattr(given, "__name__", None))
def test_an_operator_makes_these_edits(operator: Operator, body: str, become: list[str]) -> None:
    text = kernel(body)
    made = [edit.of(text) for node in walk(parse(text)) for edit in operator(node) if edit.start >= len(HEAD)]
    assert made == [kernel(other) for other in become]


def test_every_operator_is_shown_an_edit() -> None:
    assert {operator for operator, _, become in EDITS if become} == set(OPERATORS)


@pytest.mark.parametrize(
    ("text", "operator", "become"),
    [
        ("grid = n", "shift_value", ["grid = (n + 1)", "grid = (n - 1)"]),
        ("grid = 2 * n", "change_arithmetic", ["grid = (2) + (n)", "grid = (2)", "grid = (n)"]),
        ("# grid\ngrid = 2 * n", "shift_value", ["# grid\ngrid = 2 * n + 1", "# grid\ngrid = 2 * n - 1"]),
        ("block = 8", "change_constant", ["block = 9", "block = (7)"]),
        ("grid = n, m", "swap_axes", ["grid = m, n", "grid = n"]),
        ("grid = ceil_div(n, m)", "round_down", ["grid = (n) // (m)"]),
        ("limit = memory", "change_limit", ["limit = shared"]),
    ],
)
def test_an_operator_on_values_makes_these_edits(text: str, operator: str, become: list[str]) -> None:
    made = [edit.of(text) for name, edit in find_edits(text) if name == operator]
    assert made[: len(become)] == become


def test_a_mutant_is_there_once_and_in_the_order_of_the_text() -> None:
    text = kernel("if (i == 1) a[0] = 2;")
    mutants = mutants_of(Answer(Path("k.ipynb"), "%%cuda k", text))
    texts = [mutant.text for mutant in mutants]
    assert len(texts) == len(set(texts)) and text not in texts
    assert [mutant.edit.start for mutant in mutants] == sorted(mutant.edit.start for mutant in mutants)


def test_alignments_pragmas_clusters_and_other_alphabets_are_read() -> None:
    text = kernel("__shared__ __align__(16) float a[4]; // é\n#pragma unroll\nfor (;;) a[i] = 0;")
    text = text.replace("__global__ void", "__global__ void __cluster_dims__(4, 1, 1)")
    mutant = next(m for m in mutants_of(Answer(Path("k.ipynb"), "%%cuda k", text)) if m.operator == "scale_index")
    assert mutant.text == text.replace("a[i]", "a[2 * (i)]")


def test_what_the_grammar_does_not_know_is_our_fault() -> None:
    with pytest.raises(GraderFault, match="fails in line 4"):
        parse(kernel("int = = 3;"))
