"""A kernel's text is native code on the grading machine. Each attempt here to reach beyond the kernel,
or to exhaust the machine, ends as a finding about the text; none reads, writes or starts anything.

There are three layers of protection: what the text may say (forbidden.py and reserved.py), what the compiled module
may contain (the verifier, module_reader.py and the compiler's flags), and what the process may do (the sandbox). The
last tests remove the outer layers and see that the inner ones hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import inputs
import pytest
from hostile_kernels import is_stopped, name_of, run, stopped_by

from autograder.classroom.attacks import ESCAPED, Attack, accesses, kernel, texts
from autograder.cuda.compiler import cache as compile_cache
from autograder.cuda.compiler import emulator_runtime, kernel_flags, machine_code, module_reader, toolchain, zig
from autograder.cuda.core.findings import CompileError, Crash, ForbiddenCode, Kind, StepLimit
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.kernel import Kernel
from autograder.cuda.report.compile_errors import in_words

pytestmark = [
    inputs.emulation_of_attacks,
    pytest.mark.usefixtures("plain_and_optimized"),
    pytest.mark.sampled(among="plain_and_optimized"),
]


@pytest.fixture(autouse=True)
def nothing_escapes() -> Iterator[None]:
    ESCAPED.unlink(missing_ok=True)  # of an earlier run, with a layer broken
    yield
    assert not ESCAPED.exists()


# ---- files, processes, the network: refused by the text ------------------------------------------------


@pytest.mark.parametrize("attack", texts.OUTSIDE, ids=name_of)
def test_text_that_reaches_outside_is_forbidden(attack: Attack) -> None:
    finding = is_stopped(attack)
    if isinstance(finding, ForbiddenCode):
        line = finding.line
        assert finding.text == (attack.text.split("\n")[line - 1].strip() if line else "")


@pytest.mark.parametrize("attack", texts.EARLY, ids=name_of)
def test_code_that_would_run_before_the_sandbox_is_forbidden(attack: Attack) -> None:
    finding = is_stopped(attack)
    assert isinstance(finding, CompileError)
    assert "dynamic initialization is not supported" in in_words(finding.messages)[0].text


@pytest.mark.parametrize("attack", texts.LAUNCH, ids=name_of)
def test_no_macro_changes_what_is_launched(attack: Attack) -> None:
    is_stopped(attack)


# ---- the runtime's own memory and code ------------------------------------------------------------------


@pytest.mark.parametrize("attack", (*accesses.MEMORY, *accesses.SPELLINGS, *accesses.NAMES), ids=name_of)
def test_what_is_not_the_kernels_is_out_of_bounds(attack: Attack) -> None:
    done = run(attack.text)
    assert (done.completed, done.printed, done.findings[-1].kind) == (False, "", Kind.OUT_OF_BOUNDS)


@pytest.mark.parametrize("attack", accesses.JUMPS, ids=name_of)
def test_a_jump_anywhere_else_is_a_crash(attack: Attack) -> None:
    done = run(attack.text)
    assert (done.completed, done.printed) == (False, "")
    finding = done.findings[-1]
    assert finding.kind is Kind.CRASH
    assert finding.accesses[0].line > 0  # it did not get out of the text: the runtime's code has no line


def test_printf_writes_through_no_argument() -> None:
    done = run(kernel('int n = 5; printf("abc%n", &n); printf("%hhn%lln", &n, &n); out[0] = n;'))
    assert done.outputs[0][0] == 5
    assert done.printed == "abc%n%hhn%lln"  # it stands as it is, as on a GPU


def test_a_macro_does_not_change_what_shared_memory_is() -> None:
    text = kernel(
        "__shared__ float s[1024]; s[32 * threadIdx.x] = 1; out[threadIdx.x] = s[32 * threadIdx.x];",
        "#define section(x) used\n#define aligned(x) used",
    )
    counts = run(text, 32).counts
    assert counts is not None
    assert (counts.shared_stores, counts.shared_store_conflicts) == (32, 31)


def test_a_shared_array_named_as_a_library_function_hurts_only_its_kernel() -> None:
    text = kernel("extern __shared__ float sinf[]; out[0] = sin(1.0f) + sinf[0];")
    assert stopped_by(text).kind in (Kind.CRASH, Kind.OUT_OF_BOUNDS, Kind.COMPILE_ERROR)


# ---- exhausting the machine -------------------------------------------------------------------------------

DOUBLING = "".join(f"#define A{i} A{i - 1}+A{i - 1}+A{i - 1}+A{i - 1}\n" for i in range(1, 15))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(kernel("__shared__ float a[1 << 28]; a[0] = 1;"), "at most 49152", id="shared-1-GB"),
        pytest.param(kernel("__shared__ char a[1ll << 45]; a[0] = 1;"), "at most 49152", id="shared-32-TB"),
        pytest.param(
            kernel("__shared__ float a[1ll << 31], b[9]; a[0] = b[0] = 1; out[0] = a[1] + b[1];"),
            "__shared__ arrays take",
            id="shared-in-between",
        ),
        pytest.param(
            kernel(
                "h(out);", "__device__ void h(float* o) { __shared__ float a[1ll << 31], b[9]; b[1] = o[0] = a[1]; }"
            ),
            "at most 49152",
            id="shared-in-between-of-another",
        ),
        pytest.param(kernel("a[0] = 1;", "__device__ char a[1ll << 40];"), "__device__ arrays take", id="device-1-TB"),
        pytest.param(
            kernel("out[0] = a[3];", "__device__ int a[1 << 28] = {1};"), "at most 67108864", id="initialized-1-GB"
        ),
        pytest.param(
            kernel("out[0] = F<999>::v;", "template <int N> struct F { static const int v = F<N - 1>::v; };"),
            "uses itself without end",
            id="template-recursion",
        ),
        pytest.param(
            kernel("constexpr int v = f(0);", "constexpr int f(int n) { return f(n + 1); }"),
            "",
            id="constexpr-recursion",
        ),
        pytest.param(kernel("out[0] = " + "(" * 30_000 + "1" + ")" * 30_000 + ";"), "nesting", id="brackets"),
        pytest.param(
            kernel("float x = 1; out[0] = A14;", f"#define A0 x\n{DOUBLING}"), "busy after 2 seconds", id="macro-bomb"
        ),
        pytest.param(
            kernel("half x; atomicAdd = x;", "#include <cuda_fp16.h>"), "the compiler gave up", id="what-it-fails-at"
        ),
    ],
)
def test_bombs_for_the_compiler_are_compile_errors(text: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zig, "COMPILE_SECONDS", 2)
    finding = stopped_by(text)
    assert isinstance(finding, CompileError)
    assert any(words in message for _, _, message in in_words(finding.messages))


@pytest.mark.parametrize("attack", accesses.STACKS, ids=name_of)
def test_a_stack_that_overflows_is_a_crash(attack: Attack) -> None:
    finding = is_stopped(attack)
    assert isinstance(finding, Crash) and finding.reason == "stack overflow"


def test_a_local_array_that_no_thread_can_have_is_a_compile_error() -> None:
    finding = stopped_by(kernel("float a[1 << 24]; a[threadIdx.x] = 1; out[0] = a[threadIdx.x / 2];"))
    assert isinstance(finding, CompileError)
    (message,) = in_words(finding.messages)
    assert message.text == "the array a takes 67108864 bytes, and a thread can have at most 524288 of its own"


def test_a_very_long_text_is_refused() -> None:
    with pytest.raises(UsageError, match="at most 100000 characters"):
        Kernel(kernel("out[0] = 1;\n" * 1_000_000), "k")


def test_a_very_wide_printf_is_cut_off() -> None:
    finding = stopped_by(kernel('printf("%*d", 100000000, 1);'))
    assert isinstance(finding, StepLimit) and finding.reason == "output"


# ---- each inner layer, without the outer ones ------------------------------------------------------------------


def no_text_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "find_forbidden", lambda text: None)
    monkeypatch.setattr(kernel_flags, "HEADER", "cassert")  # an empty text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param(
            kernel(f'system("{texts.COMMAND} 1");', 'extern "C" __device__ int system(const char*);'),
            Kind.FORBIDDEN_CODE,
            id="system",
        ),
        pytest.param(
            kernel(
                "out[0] = 1;", "__device__ int early;\n__attribute__((constructor)) __device__ void f() { early = 1; }"
            ),
            Kind.COMPILE_ERROR,
            id="constructor",
        ),
        pytest.param(
            kernel(
                "g();",
                'extern "C" __device__ void* r() { return 0; }\n__device__ void g() __attribute__((ifunc("r")));',
            ),
            Kind.FORBIDDEN_CODE,
            id="ifunc",
        ),
        pytest.param(
            kernel("out[0] = 1;", 'extern "C" __device__ void __tsan_write4(void*) {}'),
            Kind.FORBIDDEN_CODE,
            id="hook-replaced",
        ),
        pytest.param(
            kernel("out[0] = 1;", 'extern "C" __device__ void emu_numbered_write4(unsigned, void*) {}'),
            Kind.FORBIDDEN_CODE,
            id="runtimes-side-replaced",
        ),
        pytest.param(
            kernel("emu_running[2] = 0;", 'extern "C" { extern __device__ unsigned long emu_running[]; }'),
            Kind.FORBIDDEN_CODE,
            id="runtimes-state",
        ),
        pytest.param(kernel("*(unsigned long __seg_gs*)8 = 0;"), Kind.FORBIDDEN_CODE, id="runtimes-state-by-register"),
        pytest.param(
            kernel("__builtin_memset((char*)(char __seg_gs*)out, 0, 8); p[1] = 0;", "int __seg_fs* p;"),
            Kind.COMPILE_ERROR,
            id="librarys-state-by-register",
        ),
        pytest.param(kernel('asm volatile("syscall");'), Kind.FORBIDDEN_CODE, id="inline-assembly"),
    ],
)
def test_the_module_is_refused_where_the_text_was_not(text: str, kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    no_text_rules(monkeypatch)
    assert stopped_by(text).kind is kind


def test_what_is_inlined_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The optimizer, which is given it twice, or the module's reader rejects it, whichever is first."""
    no_text_rules(monkeypatch)
    text = kernel("out[0] = 1;", 'extern "C" __device__ void emu_write4(unsigned, void*) {}')
    assert stopped_by(text).kind in {Kind.FORBIDDEN_CODE, Kind.COMPILE_ERROR}


@pytest.mark.parametrize(
    ("body", "declaration"),
    [
        pytest.param(f'system("{texts.COMMAND} 2");', "int system(const char*)", id="system"),
        pytest.param("fork();", "int fork()", id="fork"),
        pytest.param('out[0] = open("/etc/passwd", 0);', "int open(const char*, int, ...)", id="open"),
        pytest.param("out[0] = socket(2, 1, 0);", "int socket(int, int, int)", id="socket"),
        pytest.param("kill(0x7fffff00, 0);", "int kill(int, int)", id="kill"),
        pytest.param('write(2, "x", 1);', "long write(int, const void*, unsigned long)", id="write-to-stderr"),
        pytest.param(
            "mmap(0, 4096, 7, 34, -1, 0);",
            "void* mmap(void*, unsigned long, int, int, int, long)",
            id="executable-memory",
        ),
        pytest.param(
            "mprotect((void*)((long)&k & -4096), 4096, 7);", "int mprotect(void*, unsigned long, int)", id="mprotect"
        ),
    ],
)
def test_the_loader_refuses_where_the_module_was_not_refused(
    body: str, declaration: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What the sandbox then holds back is in test_planted_modules.py."""
    no_text_rules(monkeypatch)
    monkeypatch.setattr(machine_code, "verify", lambda module: None)
    monkeypatch.setattr(module_reader, "refuse_foreign_names", lambda names: None)
    # Not into the cache that other runs use, where such a module must never be.
    shared = compile_cache.cache_folder()
    mine = tmp_path / "cache" / "autograder"
    mine.mkdir(parents=True)
    (mine / "runtime").symlink_to(shared / "runtime")
    emulator_runtime.build_runtime()
    monkeypatch.setenv("XDG_CACHE_HOME", str(mine.parent))
    with pytest.raises(GraderFault, match=f"no function {body.split('(')[0].split()[-1]}"):
        run(kernel(body, f'extern "C" __device__ {declaration};'))
