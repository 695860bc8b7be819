"""Hostile kernels that have the prelude's own functions go where the kernel may not: objects of CUDA's classes at any
address, and results that are put there. What stops them is the module's guards (compiler/passes/guards.py). See
test_hostile.py for the layers of protection."""

from __future__ import annotations

import inputs
import pytest
from hostile_kernels import is_stopped, name_of, run, stopped_by

from autograder.classroom.attacks import Attack, kernel, prelude
from autograder.cuda.core.findings import Kind, Race

pytestmark = [
    inputs.emulation_of_attacks,
    pytest.mark.usefixtures("plain_and_optimized"),
    pytest.mark.sampled(among="plain_and_optimized"),
]


@pytest.mark.sampled(one_in=12)  # the preflight before each machine's first grading tries all of them, the plain way
@pytest.mark.parametrize("attack", (*prelude.PLACED, *prelude.USED), ids=name_of)
def test_nothing_of_the_prelude_goes_where_the_kernel_may_not(attack: Attack) -> None:
    assert stopped_by(attack.text).kind is Kind.OUT_OF_BOUNDS


@pytest.mark.parametrize("attack", prelude.UNSEEN, ids=name_of)
def test_no_access_of_the_preludes_is_unseen(attack: Attack) -> None:
    done = run(attack.text, 32)
    assert any(isinstance(f, Race) and {a.array for a in f.accesses} == {"s"} for f in done.findings)


@pytest.mark.parametrize("attack", prelude.POKED, ids=name_of)
def test_no_macro_changes_a_header(attack: Attack) -> None:
    is_stopped(attack)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        pytest.param("cuda::atomic<int> a(2); int e = 2; a.compare_exchange_strong(e, 5); out[0] = a;",
                     5, id="exchange"),
        pytest.param("cuda::atomic<int> a(2); int e = 3; a.compare_exchange_weak(e, 5); out[0] = e;", 2, id="expected"),
        pytest.param("int a = 3; cuda::atomic_ref<int> r(a); r += 4; out[0] = a;", 7, id="reference"),
        pytest.param("int a = 3; atomicAdd(&a, 5); atomicCAS(&a, 8, 9); out[0] = a;", 9, id="atomic"),
        pytest.param("float a[2] = {1, 2}; atomicAdd(a + 1, 1.0f); out[0] = a[1];", 3, id="array"),
        pytest.param("__half2 h(1.0f, 2.0f); atomicAdd(&h, h); out[0] = __high2float(h);", 4, id="half"),
        pytest.param("Barrier b(1); b.arrive_and_wait(); out[0] = 1;", 1, id="barrier"),
        pytest.param("float s, c; sincosf(0, &s, &c); out[0] = s + 2 * c;", 2, id="two-results"),
        pytest.param("Big b = {{1, 2, 3, 4}}; out[0] = cg::coalesced_threads().shfl(b, 0).v[3];", 4, id="struct"),
        pytest.param("auto p = cuda::make_pipeline(); p.producer_commit(); p.consumer_wait(); out[0] = 1;",
                     1, id="pipeline"),
    ],
)  # fmt: skip
def test_objects_of_the_prelude_may_be_a_threads_own(body: str, value: float) -> None:
    done = run(kernel(body, prelude.HEADERS))
    assert (done.findings, done.outputs[0][0]) == ((), value)
