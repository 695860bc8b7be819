"""A kernel's text is native code on the grading machine. Each attempt here to reach beyond the kernel,
or to exhaust the machine, ends as a finding about the text; none reads, writes or starts anything.

There are three layers of protection: what the text may say (forbidden.py), what the compiled module may
contain (module_reader.py and the compiler's flags), and what the process may do (the sandbox). The last
tests remove the outer layers and see that the inner ones hold.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import inputs
import pytest
from hostile_kernels import kernel, run, stopped_by

from autograder.compiler import cache as compile_cache
from autograder.compiler import emulator_runtime, module_reader, toolchain, zig
from autograder.core.findings import CompileError, Crash, ForbiddenCode, Kind, StepLimit
from autograder.errors import GraderFault, UsageError
from autograder.kernel import Kernel
from autograder.report.refusals import tell_refusal

pytestmark = [
    inputs.emulation,
    pytest.mark.usefixtures("plain_and_optimized"),
    pytest.mark.sampled(among="plain_and_optimized"),
]

ESCAPED = Path(tempfile.gettempdir()) / "a_kernel_escaped"


@pytest.fixture(autouse=True)
def nothing_escapes() -> Iterator[None]:
    ESCAPED.unlink(missing_ok=True)  # of an earlier run, with a layer broken
    yield
    assert not ESCAPED.exists()


# ---- files, processes, the network: refused by the text ------------------------------------------------

COMMAND = f"touch {ESCAPED}"


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        pytest.param(kernel(f'system("{COMMAND}");', 'extern "C" int system(const char*);'), "extern", id="system"),
        pytest.param(kernel(f'system("{COMMAND}");', "int system(const char*);"), "system", id="system-in-cpp"),
        pytest.param(kernel("fork();", 'extern "C" int fork();'), "extern", id="fork"),
        pytest.param(kernel("fork();", "int fork();"), "fork", id="fork-in-cpp"),
        pytest.param(kernel('open("/etc/passwd", 0);', 'extern "C" int open(const char*, int);'), "extern", id="open"),
        pytest.param(kernel('f("x");', 'int f(const char*) __asm__("system");'), "__asm__", id="renamed-symbol"),
        pytest.param('#include "/etc/passwd"\n' + kernel(""), '#include "/etc/passwd"', id="include"),
        pytest.param('#define F "/etc/passwd"\n#include F\n' + kernel(""), "#include F", id="include-by-macro"),
        pytest.param(
            '#inc\\\nlude "/etc/passwd"\n' + kernel(""), '#include "/etc/passwd"', id="include-by-line-splice"
        ),
        pytest.param('%:include "/etc/passwd"\n' + kernel(""), "%:", id="include-by-digraph"),
        pytest.param('??=include "/etc/passwd"\n' + kernel(""), "??=", id="include-by-trigraph"),
        pytest.param('const char d[] = {\n#embed "/etc/passwd"\n};\n' + kernel(""), "#embed", id="embed"),
        pytest.param('#if __has_include("/etc/passwd")\n#endif\n' + kernel(""), "__has_include", id="has_include"),
        pytest.param('#pragma GCC dependency "/etc/passwd"\n' + kernel(""), None, id="pragma-dependency"),
        pytest.param("import <cstdio>;\n" + kernel(""), "import", id="module-import"),
        pytest.param(kernel('asm volatile("syscall");'), "asm", id="inline-assembly"),
        pytest.param(kernel("", '__asm__(".incbin \\"/etc/passwd\\"");'), "__asm__", id="incbin"),
        pytest.param(kernel("A();", '#define A as##m("syscall")'), "##", id="pasted-word"),
        pytest.param(
            kernel("", "__device__ int early;\n__attribute__((constructor)) void f() { early = 1; }"),
            "__attribute__",
            id="constructor",
        ),
        pytest.param(kernel("", "[[gnu::constructor]] void f() {}"), "[[gnu::constructor]]", id="constructor-cpp"),
        pytest.param(kernel("", '[[clang::no_sanitize("thread")]] void f() {}'), None, id="no_sanitize"),
        pytest.param(kernel("", 'extern "C" void __tsan_write4(void*) {}'), "extern", id="hook-replaced"),
        pytest.param(kernel("", "int emu_printf(const char*, ...) { return 0; }"), "emu_printf", id="runtime-name"),
        pytest.param(kernel("__builtin_longjmp(0, 1);"), "__builtin_longjmp", id="longjmp"),
        pytest.param(kernel("int* p = new int[9]; out[0] = p[0];"), "new", id="new"),
        pytest.param(kernel("int* p; delete p;"), "delete", id="delete"),
        pytest.param(kernel("", "thread_local int x;"), "thread_local", id="thread-local"),
    ],
)
def test_text_that_reaches_outside_is_forbidden(text: str, construct: str | None) -> None:
    finding = stopped_by(text)
    assert isinstance(finding, ForbiddenCode)
    assert construct in (None, finding.construct)
    line = finding.line
    assert finding.text == (text.split("\n")[line - 1].strip() if line else "")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(kernel("out[0] = x;", "__device__ float f() { return 3; }\n__device__ float x = f();"), id="call"),
        pytest.param(kernel("", "struct S { int v; __device__ S() : v(3) {} };\n__device__ S s;"), id="constructor"),
        pytest.param(
            kernel("", "__device__ int ended;\nstruct S { __device__ ~S() { ended = 1; } };\n__device__ S s;"),
            id="destructor",
        ),
    ],
)
def test_code_that_would_run_before_the_sandbox_is_forbidden(text: str) -> None:
    finding = stopped_by(text)
    assert isinstance(finding, ForbiddenCode)
    assert "before the kernel" in tell_refusal(finding.reason)


# ---- the runtime's own memory and code ------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("*(unsigned*)&threadIdx = 5u;", id="threadIdx"),
        pytest.param("long* p = (long*)&gridDim; for (int i = 0; i < 9999; i++) p[i] = 7;", id="around-gridDim"),
        pytest.param("long* p = (long*)&k; for (int i = 0; i < 99999; i++) p[i] = 7;", id="code-and-offset-table"),
        pytest.param("long a[1]; long* p = a; for (int i = 0; i < 9; i++) p[i] = 7;", id="return-address"),
        pytest.param("long a[1]; long* p = a; for (int i = 0; i < 99999; i++) p[-i] = 7;", id="down-the-stack"),
        pytest.param("int x = 0; *(&x + 1000) = 7; out[0] = x;", id="beyond-a-local-variable"),
        pytest.param("int a[4]; a[0] = 1; (&a[0])[99999] = 7; out[0] = a[0];", id="beyond-a-local-array"),
        pytest.param("sincosf(1.0f, out, out + 9999);", id="function-of-the-prelude"),
        pytest.param("atomicAdd((int*)0x123456789000, 1);", id="atomic-anywhere"),
        pytest.param("atomicAdd((int*)&blockIdx, 1);", id="atomic-on-blockIdx"),
        pytest.param("out[0] = *(float*)0x123456789000;", id="read-anywhere"),
        pytest.param("struct S { long v[4]; }; *(S*)0x123456789000 = S();", id="struct-copy-anywhere"),
        pytest.param('printf("%s", (const char*)0x123456789000);', id="printf-string"),
        pytest.param("printf((const char*)0x123456789000);", id="printf-format"),
    ],
)
def test_writing_to_what_is_not_the_kernels_is_out_of_bounds(body: str) -> None:
    assert stopped_by(kernel(body)).kind is Kind.OUT_OF_BOUNDS


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("((void (*)())0x123456789000)();", id="nowhere"),
        pytest.param("((void (*)())0)();", id="null"),
        # Every function of the runtime is a fixed distance away from printf.
        pytest.param("void (*volatile f)() = (void (*)())&printf; f();", id="runtime-function"),
        pytest.param("((void (*)())((char*)&printf + 64))();", id="middle-of-the-runtime"),
        pytest.param("((void (*)(int))&k)(3);", id="own-function-of-another-type"),
    ],
)
def test_calling_what_is_not_the_kernels_is_a_crash(body: str) -> None:
    assert stopped_by(kernel(body)).kind is Kind.CRASH


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
        pytest.param(kernel("a[0] = 1;", "__device__ char a[1ll << 40];"), "__device__ arrays take", id="device-1-TB"),
        pytest.param(kernel("out[0] = a[3];", "__device__ int a[1 << 28] = {1};"), "", id="initialized-1-GB"),
        pytest.param(
            kernel("out[0] = F<999>::v;", "template <int N> struct F { static const int v = F<N - 1>::v; };"),
            "maximum depth",
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
    ],
)
def test_bombs_for_the_compiler_are_compile_errors(text: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zig, "COMPILE_SECONDS", 2)
    finding = stopped_by(text)
    assert isinstance(finding, CompileError)
    assert any(words in message for _, _, message in finding.messages)


@pytest.mark.parametrize(
    ("body", "before"),
    [
        pytest.param("out[0] = f(1);", "__device__ int f(int n) { return f(n + 1) + 1; }", id="recursion"),
        pytest.param("float a[1 << 16]; a[threadIdx.x] = 1; out[0] = a[threadIdx.x / 2];", "", id="local-256-KB"),
    ],
)
def test_a_stack_that_overflows_is_a_crash(body: str, before: str) -> None:
    finding = stopped_by(kernel(body, before))
    assert isinstance(finding, Crash) and finding.reason == "stack overflow"


def test_a_local_array_that_no_thread_can_have_is_a_compile_error() -> None:
    finding = stopped_by(kernel("float a[1 << 24]; a[threadIdx.x] = 1; out[0] = a[threadIdx.x / 2];"))
    assert isinstance(finding, CompileError)
    (message,) = finding.messages
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


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param(
            kernel(f'system("{COMMAND} 1");', 'extern "C" int system(const char*);'), Kind.FORBIDDEN_CODE, id="system"
        ),
        pytest.param(
            kernel("out[0] = 1;", "__device__ int early;\n__attribute__((constructor)) void f() { early = 1; }"),
            Kind.FORBIDDEN_CODE,
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
            kernel("out[0] = 1;", 'extern "C" void __tsan_write4(void*) {}'), Kind.FORBIDDEN_CODE, id="hook-replaced"
        ),
        pytest.param(
            kernel("out[0] = 1;", 'extern "C" void emu_told_write4(unsigned, void*) {}'),
            Kind.FORBIDDEN_CODE,
            id="runtimes-side-replaced",
        ),
        pytest.param(
            kernel("emu_running[2] = 0;", 'extern "C" { extern unsigned long emu_running[]; }'),
            Kind.FORBIDDEN_CODE,
            id="runtimes-state",
        ),
        pytest.param(kernel("*(unsigned long __seg_gs*)8 = 0;"), Kind.FORBIDDEN_CODE, id="runtimes-state-by-register"),
        pytest.param(
            kernel("__builtin_memset((char*)(char __seg_gs*)out, 0, 8); p[1] = 0;", "int __seg_fs* p;"),
            Kind.FORBIDDEN_CODE,
            id="librarys-state-by-register",
        ),
        pytest.param(kernel('asm volatile("syscall");'), Kind.COMPILE_ERROR, id="inline-assembly"),
    ],
)
def test_the_module_is_refused_where_the_text_was_not(text: str, kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    no_text_rules(monkeypatch)
    assert stopped_by(text).kind is kind


def test_what_is_inlined_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The optimizer, which is given it twice, or the module's reader rejects it, whichever is first."""
    no_text_rules(monkeypatch)
    text = kernel("out[0] = 1;", 'extern "C" void emu_write4(unsigned, void*) {}')
    assert stopped_by(text).kind in {Kind.FORBIDDEN_CODE, Kind.COMPILE_ERROR}


@pytest.mark.parametrize(
    ("body", "declaration"),
    [
        pytest.param(f'system("{COMMAND} 2");', "int system(const char*)", id="system"),
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
    monkeypatch.setattr(toolchain, "verify", lambda module: None)
    monkeypatch.setattr(module_reader, "_refuse_foreign_calls", lambda elf: None)
    # Not into the cache that other runs use, where such a module must never be.
    shared = compile_cache.cache_folder()
    mine = tmp_path / "cache" / "autograder"
    mine.mkdir(parents=True)
    (mine / "runtime").symlink_to(shared / "runtime")
    emulator_runtime.build_runtime()
    monkeypatch.setenv("XDG_CACHE_HOME", str(mine.parent))
    with pytest.raises(GraderFault, match=f"no function {body.split('(')[0].split()[-1]}"):
        run(kernel(body, f'extern "C" {declaration};'))
