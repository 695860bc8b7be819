"""Hostile kernels that promise the optimizer or the linker what is not so, and texts at which the grader itself might
fail. See test_hostile.py for the layers of protection."""

from __future__ import annotations

import inputs
import pytest
from cpu_limit import cpu_limit
from hostile_kernels import is_stopped, name_of, run, stopped_by

from autograder.classroom.attacks import Attack, kernel, promises
from autograder.cuda.core.findings import CompileError, ForbiddenCode
from autograder.cuda.core.refusal import Refusal
from autograder.cuda.report.compile_errors import in_words

pytestmark = [
    inputs.emulation_of_attacks,
    pytest.mark.usefixtures("plain_and_optimized"),
    pytest.mark.sampled(among="plain_and_optimized"),
]


@pytest.mark.parametrize("attack", (*promises.ASSUMED, *promises.PROMISED), ids=name_of)
def test_no_promise_removes_a_check(attack: Attack) -> None:
    is_stopped(attack)


@pytest.mark.parametrize(
    "attribute",
    [
        *("noreturn", "malloc", "cold", "leaf", "weak", "minsize", "optnone", "vectorcall", "regcall"),
        *("ms_abi", "swiftcall", "preserve_all", "preserve_most", 'section("abc")'),
        *('zero_call_used_regs("all")', 'error("x")'),
        "disable_sanitizer_instrumentation",
    ],
)
def test_an_attribute_that_no_kernel_needs_is_refused(attribute: str) -> None:
    function = f"__attribute__(({attribute})) __device__ float* f(float* p) {{ return p; }}"
    finding = stopped_by(kernel("f(out);\nout[0] = 1;", function))
    assert isinstance(finding, ForbiddenCode)
    assert (finding.reason, finding.line) == (Refusal.UNPROVEN, 4)


@pytest.mark.parametrize("attack", promises.INHERITED, ids=name_of)
def test_no_function_of_the_text_is_always_inlined(attack: Attack) -> None:
    """Into the prelude's, where nobody would see what it does."""
    is_stopped(attack)


@pytest.mark.parametrize("attack", (*promises.NAMED, *promises.DEFINED), ids=name_of)
def test_no_variable_is_dynamic_shared_memory_by_its_name(attack: Attack) -> None:
    is_stopped(attack)


@pytest.mark.parametrize("attack", promises.CLOCKS, ids=name_of)
def test_no_verdict_depends_on_when_it_is_compiled(attack: Attack) -> None:
    is_stopped(attack)


@pytest.mark.parametrize("attack", promises.STEPS, ids=name_of)
def test_no_macro_tells_the_steps_apart(attack: Attack) -> None:
    is_stopped(attack)


def test_dynamic_shared_memory_in_a_namespace_is_the_same() -> None:
    function = "namespace n { __device__ void f(int v) { extern __shared__ int s[]; s[threadIdx.x] = v; } }"
    body = "extern __shared__ __align__(16) int t[]; n::f(3); out[threadIdx.x] = t[threadIdx.x];"
    done = run(kernel(body, function), 32, shared_mem=128)
    assert (done.findings, set(done.outputs[0][:32])) == ((), {3.0})


# ---- texts at which the grader might fail --------------------------------------------------------------------------


@pytest.mark.parametrize("attack", promises.REFUSED, ids=name_of)
def test_a_type_that_no_kernel_has_is_refused_in_its_line(attack: Attack) -> None:
    finding = is_stopped(attack)
    line = finding.messages[0].line if isinstance(finding, CompileError) else getattr(finding, "line", 0)
    assert line == attack.text[: attack.text.index("out)")].count("\n") + 3


STATEMENTS = "".join(f"s.a{n}={n};" for n in range(4000))
FIELDS = "".join(f"int a{n};" for n in range(4000))


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize("attack", promises.LARGE, ids=name_of)
def test_a_text_that_becomes_too_much_code_is_a_compile_error(attack: Attack) -> None:
    finding = is_stopped(attack)
    assert isinstance(finding, CompileError)
    (message,) = in_words(finding.messages)
    assert (message.line, message.text[:43]) == (2, "the code has more instructions than the emu")


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize(
    ("body", "before"),
    [
        pytest.param(f"S s; {STATEMENTS} out[0] = s.a1;", f"struct S {{ {FIELDS} }};", id="fields"),
        pytest.param("S s[1000];" + "".join(f"s[{n}].v={n};" for n in range(1000)), "struct S { int v; };", id="array"),
        pytest.param(f"out[0] = f({','.join(['1'] * 1000)});",
                     f"__device__ int f({','.join(f'int a{n}' for n in range(1000))}) {{ return a1; }}",
                     id="parameters"),
        pytest.param("volatile int n = 0;" + "while (n) {" * 200 + "n--;" + "}" * 200, "", id="loops"),
        pytest.param("out[0] = " + "- " * 1000 + "out[1];", "", id="signs"),
    ],
)  # fmt: skip
def test_our_own_time_grows_with_the_text(body: str, before: str) -> None:
    with cpu_limit():
        assert run(kernel(body, before)).completed
