"""A program that nobody trusts reaches nothing but its pipes, and takes no more than it may."""

from __future__ import annotations

import re
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.classroom.attacks.programs import PROGRAM, PROGRAMS
from autograder.cuda.core.suppressed_writes import SuppressedWrites
from autograder.cuda.errors import UsageError
from autograder.cuda.programs.building.build import Program, build_program
from autograder.cuda.programs.building.unit import Options
from autograder.cuda.programs.process import ProgramRun, run_program
from autograder.cuda.programs.served import Limits

HERE = Path(__file__).parents[1] / "cuda/programs"
#: What gets through where there is no sandbox. (The others would need another process's consent, or much memory.)
OPEN = [attack.name for attack in PROGRAMS]
SHUT = ["signals another process", "looks into another process", "shortens the memory", "fills the memory"]
#: By what a program does, what it is stopped for.
STOPPED = {
    "prints": "printed",
    "computes": "seconds",
    "sleeps": "silent",
    "calls": "calls",
    "sends bytes": "broken",
    "sends a name that is none": "broken",
    "sends a name that is no text": "broken",
    "sends a call without its numbers": "broken",
    "sends a call of no GPU": "broken",
    "sends a call without an end": "broken",
}
FEW = Limits(seconds=2, printed=10_000, calls=500)
pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")


@pytest.fixture(scope="module")
def program() -> Program:
    return build_program(PROGRAM)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_text("a secret")
    return path


def run(program: Program, *arguments: str, limits: Limits | None = FEW) -> ProgramRun:
    return run_program(program, PROGRAM, arguments, keep=True, limits=limits)


def test_each_attack_of_the_program_is_tried() -> None:
    named = set(re.findall(r'is\("([^"]*)"\)', PROGRAM.read_text()))
    assert named == {*OPEN, *SHUT, *STOPPED, "lifts a limit"}


@pytest.mark.parametrize("name", [*OPEN, *SHUT, "lifts a limit"])
def test_an_attack_of_a_program_is_stopped(program: Program, file: Path, name: str) -> None:
    done = run(program, str(file), name)
    assert (done.printed, done.findings) == (f"{name}: kept in\n", ())
    assert [path.name for path in file.parent.iterdir()] == ["file"] and file.read_text() == "a secret"


@pytest.mark.parametrize("name", OPEN)
def test_without_the_sandbox_it_gets_through(program: Program, file: Path, name: str) -> None:
    assert run(program, str(file), name, limits=None).printed == f"{name}: escaped\n"


@pytest.mark.parametrize("name", STOPPED)
def test_a_program_that_takes_too_much_is_stopped(program: Program, name: str) -> None:
    patience = 3 if STOPPED[name] == "silent" else 60  # a busy machine takes long to give a program its seconds
    done = run(program, name, limits=replace(FEW, silent=patience))
    assert [(finding.kind, finding.facts["why"]) for finding in done.findings] == [("Stopped", STOPPED[name])]
    assert done.status != 0


def test_what_travels_beside_a_kernel_is_counted_and_how_often_the_host_waits() -> None:
    def counted(name: str) -> tuple[int, int, int]:
        done = run_program(build_program(HERE / "right" / name), Path(name), (), keep=True)
        return done.copied, done.overlapped, done.waits

    floats = 4 * 1000
    assert counted("vector_add.cu")[:2] == (3 * floats, 0)
    copied, overlapped, waits = counted("overlap.cu")
    assert 0 < overlapped <= copied and waits > 0


#: A copy of `values`, of 400 bytes, beside a kernel that works on `other`.
BESIDE = """
__global__ void fill(int* values) { values[threadIdx.x] = 1; }
int main() {
    int *host, *values, *other;
    cudaStream_t one, two;
    cudaStreamCreate(&one), cudaStreamCreate(&two);
    cudaMallocHost(&host, 800), cudaMalloc(&values, 400), cudaMalloc(&other, 400);
    for (int i = 0; i < 200; ++i) host[i] = i;
    fill<<<1, %d, 0, two>>>(other);
    cudaMemcpyAsync(values, host, 400, cudaMemcpyHostToDevice, one);
    %s
    cudaDeviceSynchronize();
}
"""


@pytest.mark.parametrize(
    ("threads", "then", "overlapped"),
    [
        (100, "", 0),
        (100, "cudaMemcpyAsync(host + 100, other, 400, cudaMemcpyDeviceToHost, two);", 400),
        (99, "cudaMemcpyAsync(host + 100, other, 400, cudaMemcpyDeviceToHost, two);", 396),
        (100, "cudaMemcpyAsync(host + 100, other, 396, cudaMemcpyDeviceToHost, two);", 396),
    ],
)
def test_a_kernel_hides_no_more_than_it_uses_of_what_is_copied(
    threads: int, then: str, overlapped: int, tmp_path: Path
) -> None:
    path = tmp_path / "beside.cu"
    path.write_text(BESIDE % (threads, then))
    done = run_program(build_program(path), path, (), keep=True)
    assert done.overlapped == overlapped


def test_what_kernels_write_can_be_suppressed() -> None:
    path = HERE / "right" / "vector_add.cu"
    parts = (SuppressedWrites.NOTHING, SuppressedWrites.ALL)
    printed = [run_program(build_program(path), path, (), keep=True, suppressed=part).printed for part in parts]
    assert printed[0] == "c[0] = 5, c[999] = 5\n" != printed[1]


def test_each_call_can_be_made_to_fail() -> None:
    path = HERE / "right" / "vector_add.cu"
    program = build_program(path)
    whole = run_program(program, path, (), keep=True)
    assert whole.refused is None
    names = ["cudaMalloc"] * 3 + ["cudaMemcpy"] * 2 + ["cudaLaunchKernel", "cudaMemcpy"]
    assert [name for name, _ in whole.refusable] == names
    for number, name in enumerate(names, 1):
        run = run_program(program, path, (), keep=True, refuse=number)
        assert run.refused and run.refused.name == name and run.refused.place.line
        assert run.printed != whole.printed


@pytest.mark.parametrize("attribute", ["__device__", "__managed__"])
def test_what_kernels_write_to_a_variable_can_be_suppressed(attribute: str, tmp_path: Path) -> None:
    path = tmp_path / "variable.cu"
    path.write_text(
        f"{attribute} int x[4] = {{1, 2, 3, 4}};\n__global__ void set() {{ x[threadIdx.x] = 10 + threadIdx.x; }}\n"
        "int main() {\n    set<<<1, 4>>>();\n    int y[4];\n    cudaMemcpyFromSymbol(y, x, sizeof y);\n"
        '    printf("%d %d %d %d", y[0], y[1], y[2], y[3]);\n}\n'
    )
    runs = [run_program(build_program(path), path, (), keep=True, suppressed=part) for part in SuppressedWrites]
    printed = [run.printed for run in runs]
    assert printed[:2] == ["10 11 12 13", "1 2 3 4"] and len({*printed}) == 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("static int x[4]; cudaHostRegister(x, sizeof x, 0)", "line 2 registers memory of the host's own"),
        ("cudaLaunchHostFunc(0, [](void*) {}, nullptr)", "line 2 lets a stream call a function of the host's"),
        (
            "cudaStreamAddCallback(0, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0)",
            "line 2 lets a stream call a function of the host's",
        ),
        ("cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal)", "line 2 captures a stream"),
        ("cudaGraph_t graph; cudaGraphCreate(&graph, 0)", "line 2 uses graphs"),
        ("cudaDeviceGraphMemTrim(0)", "line 2 uses graphs"),
    ],
)
def test_what_would_let_the_host_read_early_unseen_is_no_part_of_an_answer(
    call: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "answer.cu"
    path.write_text(f"int main() {{\n    {call};\n}}\n")
    assert run_program(build_program(path), path, (), keep=True).status == 0
    with pytest.raises(UsageError, match=f"answer.cu {message}, which an answer may not"):
        run_program(build_program(path), path, (), limits=FEW)


#: What an answer may not have, and what is said of it: constructs that could put bytes where we read the compiler's.
REFUSED = {
    'asm("nop");': "line 3 has asm",
    '#define A asm\n    A("nop");': "line 4 has asm",
    '__attribute__((section(".debug_line"))) static int x = 1;': "line 3 has __attribute__",
    '[[gnu::section(".debug_line")]] static int x = 1;': "line 3 has [[gnu",
    '#pragma clang section bss=".debug_line"\n': "line 3 has #pragma clang section",
    "#pragma pack(push, 1)\n": "line 3 has #pragma pack",
    '__attribute__((aligned(8), section(".debug_line"))) static int x = 1;': "line 3 has __attribute__",
    '__align__(8))) __attribute__((section(".debug_line") static int x = 1;': "line 3 has __attribute__",
    'static int x __attribute__((aligned(sizeof(int __attribute__((section("x")))))));': "line 3 has __attribute__",
    '_Pragma("clang section bss=\\".debug_line\\"") static int x = 1;': "#pragma clang section",
    '[[maybe_unused, gnu::section(".debug_line")]] static int x = 1;': "line 3 has [[maybe_unused, gnu",
    '[ [gnu::section(".debug_line")]] static int x = 1;': "line 3 has [ [gnu",
    '<:<:gnu::section(".debug_line")]] static int x = 1;': "line 3 has <:<:gnu",
    '[[using gnu: section(".debug_line")]] static int x = 1;': "line 3 has [[using",
    'puts(""_éR"("); asm("nop"); puts(")" "");': "line 3 has é",
    'puts(R"m( )m\\\n" R"z( )m"); asm("nop"); //)z"': 'line 3 has R"',
    '#define poll f(); asm(".byte 1"); int poll\n#include <poll.h>\n': "has asm in poll.h, by a macro",
    '#define poll __attribute__((section("x"))) poll\n#include <poll.h>\n': "has section( in poll.h, by a macro",
    # What a header's last macro begins, and the answer goes on with.
    "}\n#undef __END_DECLS\n#define __END_DECLS } extern int x __attribute__((\n#include <sys/times.h>\n"
    'section(".autograder")));\nvoid f() {': "leaves something open in a header, by a macro",
    "}\n#undef __END_DECLS\n#define __END_DECLS } extern int x __attribute__((section\n#include <sys/times.h>\n"
    '(".autograder")));\nvoid f() {': "has section in times.h, by a macro",
    '}\n#undef __END_DECLS\n#define __END_DECLS } _Pragma("comment(lib, \\"/dev/zero\\")")\n#include <sys/times.h>\n'
    "void f() {": "has #pragma comment(lib",
    '#define H %:\nH pragma clang section rodata=".autograder"\n': "line 4 has %: pragma clang section",
    "#pragma clang __debug crash\n": "line 3 has #pragma clang __debug crash",
}


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("text", REFUSED)
def test_an_answers_host_half_may_not_have_it(text: str, tmp_path: Path) -> None:
    file = tmp_path / "p.cu"
    file.write_text(f"#include <cassert>\nint main() {{\n    {text}\n    assert(true);\n}}\n")
    with pytest.raises(UsageError) as refused:
        build_program(file, Options(untrusted=True))
    assert f"p.cu {REFUSED[text]}" in str(refused.value) or REFUSED[text] in str(refused.value)
    assert re.search(r"which an answer may not( have)?\.$", str(refused.value))


@pytest.mark.parametrize(
    "directive",
    [
        '#line 5 "/usr/include/x.h"',
        '# 5 "/usr/include/x.h" 1',
        '%:line 7 "y"',
        '/* a\n   comment */ # /* and another */ line 7 "y"',
        '#\\\nli\\\nne 7 "y"',
        '\r#line 7 "y"',
        '#\0line 7 "y"',
        '/**/#/**//**/line 7 "y"',
    ],
)
def test_no_line_of_an_answer_is_told_to_be_of_another_file(directive: str, tmp_path: Path) -> None:
    file = tmp_path / "p.cu"
    file.write_text(f'#include <cstdio>\n{directive}\nint main() {{ asm("nop"); }}\n')
    with pytest.raises(UsageError, match=r"p\.cu (has |line 2 has the character|line \d+ has asm)"):
        build_program(file, Options(untrusted=True))


def test_what_cudas_own_macros_become_is_allowed_and_harmless_pragmas(tmp_path: Path) -> None:
    file = tmp_path / "p.cu"
    file.write_text(
        '#pragma once\n#pragma nv_diag_suppress 177\n#pragma GCC diagnostic ignored "-Wunused"\n'
        "struct __align__(2 * (sizeof(int) + 4)) Pair { int x, y; };\n"
        "__host__ __device__ __forceinline__ int twice(int x) { return 2 * x; }\n"
        "__noinline__ int thrice(int x) { return 3 * x; }\n"
        "__global__ void __launch_bounds__(128, 2) k(Pair* p) { p->x = twice(p->y); }\n"
        "int main() {\n    int sum = 0, unused __attribute__((unused));\n    #pragma omp parallel for\n"
        "    for (int i = 0; i < 4; ++i) sum += thrice(i);\n    #pragma unroll\n"
        "    for (int i = 0; i < 4; ++i) sum += twice(i);\n"
        '    printf("%d %d", sum, int(alignof(Pair)));\n}\n'
    )
    done = run_program(build_program(file, Options(untrusted=True)), file, (), limits=FEW)
    assert (done.printed, done.findings) == ("30 16", ())


@pytest.mark.parametrize(
    "directive",
    [
        '#define F "/proc/self/fd/1"\n#include F',
        '#include "/proc/self/fd/1"',
        "#include </proc/self/fd/1>",
        "#include <../../../../../../../../../../proc/self/fd/1>",
        "#include/**/</proc/self/fd/1>",
        '#embed "/proc/self/fd/1"',
        "#include_next <cstdio>",
        '// \\\xa0\n#line 1 "other.h"',  # a no-break space is no blank to the compiler
    ],
)
def test_nothing_but_headers_is_read_for_an_answer(directive: str, tmp_path: Path) -> None:
    file = tmp_path / "p.cu"
    file.write_text(f"{directive}\nint main() {{}}\n")
    with pytest.raises(UsageError, match=r"p\.cu has #.*, which an answer may not: it includes headers as <name>"):
        build_program(file, Options(untrusted=True))


#: What asks whether PATH is there.
REQUESTS = {
    "plainly": "#if __has_include(PATH)",
    "by a name that is made": "#define GLUE(a, b) a##b\n#if GLUE(__has_, include)(PATH)",
    "by a macro": "#define ASK(x) __has_include(x)\n#if ASK(PATH)",
    "over two lines": "#if __has_inc\\\nlude(PATH)",
    "in a folder after": "#if __has_include_next(PATH)",
}
PATHS = [
    '"{}"',
    "<{}>",
    '"../{0.name}"',
    '"{0.name}"',
    "<../../../../../../../../../../../../..{}>",
    '"/proc/self/stat"',
]


@pytest.mark.parametrize("requests", REQUESTS)
def test_no_answer_asks_which_files_there_are(requests: str, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    secret = tmp_path / "gradebook.db"
    for path in (secret, tmp_path / "own" / secret.name):
        path.touch()
    requested = "".join(
        f"{REQUESTS[requests].replace('PATH', path.format(secret))}\n#error {path}\n#endif\n" for path in PATHS
    )
    file = tmp_path / "own/p.cu"
    file.write_text(f"{requested}int main() {{}}\n")
    assert build_program(file, Options(untrusted=True)).units


@pytest.mark.parametrize("requests", ["plainly", "by a name that is made", "by a macro", "over two lines"])
def test_no_answer_asks_what_it_could_embed(requests: str, tmp_path: Path) -> None:
    requested = REQUESTS[requests].replace("PATH", "__FILE__").replace("inc", "em").replace("lude", "bed")
    file = tmp_path / "p.cu"
    file.write_text(f"{requested}\n#endif\nint main() {{}}\n")
    with pytest.raises(UsageError, match="'__has_embed' is not defined"):
        build_program(file, Options(untrusted=True))


@pytest.mark.parametrize("made", ['include "gradebook.txt"', '1 "other.h"'])
@pytest.mark.parametrize("sign", ["#", "%:"])
def test_no_macro_makes_a_directive(made: str, sign: str, tmp_path: Path) -> None:
    (tmp_path / "gradebook.txt").write_text("int secret;\n")
    file = tmp_path / "p.cu"
    file.write_text(f"#define H {sign}\nH {made}\nint main() {{}}\n")
    with pytest.raises(UsageError, match=rf"p\.cu line 2 has {sign} ?{made[:2]}.*, which an answer may not"):
        build_program(file, Options(untrusted=True))


#: What is allowed, though it looks like what is not.
ALLOWED = """\
#include "stdio.h"
#include <stdlib.h>
%:include <vector>
#if __has_include(<cuda/barrier>)
#endif
#include <algorithm>  // std::min, std::max, ../..
// asm, é, R"(
struct Some {};
__attribute__((noreturn)) void end() { abort(); }
[[nodiscard, maybe_unused]] [[deprecated("old")]] static std::vector<::Some> made() { return {}; }
int main() { [[maybe_unused]] int list[1]; puts("asm é [[gnu::section]]"); }  /* __attribute__
#pragma clang section */
"""


def test_what_only_looks_like_it_is_allowed(tmp_path: Path) -> None:
    file = tmp_path / "p.cu"
    file.write_bytes(ALLOWED.replace("\n", "\r\n").encode())
    assert build_program(file, Options(untrusted=True)).units


def test_an_answers_text_has_an_end(tmp_path: Path) -> None:
    file = tmp_path / "p.cu"
    file.write_text("int main() {}\n" + "// more\n" * 20_000)
    with pytest.raises(UsageError, match=r"p\.cu has more than 100,000 characters"):
        build_program(file, Options(untrusted=True))
    ten = "#define A{} " + "A{} " * 10
    macros = "".join(ten.format(i + 1, *[i] * 10) + "\n" for i in range(6))
    file.write_text(f"#define A0 int f();\n{macros}A6\nint main() {{}}\n")
    with pytest.raises(UsageError, match=r"p\.cu (becomes|has) more than \d+,000,000 characters"):
        build_program(file, Options(untrusted=True))


def test_an_answer_is_one_file(tmp_path: Path) -> None:
    secret = tmp_path / "gradebook.txt"
    secret.write_text("// a secret\n")
    file = tmp_path / "p.cu"
    for name, message in {"gradebook.txt": "includes gradebook.txt", str(secret): "has #include"}.items():
        file.write_text(f'#include "{name}"\nint main() {{}}\n')
        with pytest.raises(UsageError, match=rf"p\.cu {message}.*, which an answer may not"):
            build_program(file, Options(untrusted=True))


def test_a_text_that_becomes_too_much_code_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "p.cu"
    file.write_text("int a[10 << 20] = {1};\nint main() { return a[1]; }\n")
    with pytest.raises(UsageError, match=r"p\.cu becomes too much code"):
        build_program(file, Options(untrusted=True))


def test_the_same_answer_is_the_same_program_wherever_it_lies(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        file = tmp_path / name / "p.cu"
        file.write_text("#include <cstdio>\nint main() { puts(__FILE__); }\n")
        made.append(build_program(file, Options(untrusted=True)).path)
    assert made[0] == made[1]


def test_what_is_too_much_for_the_compiler_is_the_answers_fault(tmp_path: Path) -> None:
    file = tmp_path / "p.cu"
    file.write_text("int a[1 << 28] = {1};\nint main() { return a[1]; }\n")
    with pytest.raises(UsageError, match=r"p\.cu takes the compiler too long, or too much memory"):
        build_program(file, Options(untrusted=True))


#: All that a program could count its runs by, but for clocks.
WHICH_RUN = """
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

int main(int argc, char** argv)
{
    rlimit most = {};
    getrlimit(RLIMIT_CPU, &most);
    printf("%d %ld %d %ld\\n", getpid(), syscall(SYS_gettid), getppid(), long(most.rlim_cur));
    int word = 0, own = 0;
    printf("%ld %d\\n", syscall(SYS_futex, &word, FUTEX_TRYLOCK_PI, 0, 0, 0, 0), word);
    printf("%ld ", syscall(SYS_set_tid_address, &own));
    for (int i = 0; i < 400; ++i)  // what is known of this thread, of which pthread_self() is the address
        if (((int*)pthread_self())[i] == -1) printf("%d ", i);
    struct stat about = {};
    for (const char* path : {"/proc/self", "/proc/1", "/", (const char*)argv[0]}) printf("%d ", stat(path, &about));
    printf("%d %ld %ld\\n", fstat(1, &about), long(about.st_ino), long(about.st_ctime));
    timespec time;
    for (int i = 1; i < 100'000; ++i)
        if (!clock_gettime((~i << 3) | 2, &time) || !syscall(SYS_tgkill, i, i, 0)) printf("%d ", i);
    for (int file = 0; file < 64; ++file)
        if (fcntl(file, F_GETFD) >= 0) printf("%d ", file);
    for (char** word = argv; *word; ++word) printf("%s ", *word);
    for (char** word = environ; *word; ++word) printf("%s ", *word);
    char path[100];
    printf("%ld", long(readlink("/proc/self", path, sizeof path)));
}
"""


def test_no_run_is_told_which_it_is(tmp_path: Path) -> None:
    file = tmp_path / "answer.cu"
    file.write_text(WHICH_RUN)
    program = build_program(file, Options(untrusted=True))
    runs = [run_program(program, file, (), limits=Limits(), suppressed=part) for part in SuppressedWrites]
    assert runs[0].printed and runs[0].printed.startswith("-1 -1 -1 0\n-1 0\n-1 ")
    assert "-1 -1 -1 -1 -1 0 0\n" in runs[0].printed
    assert {run.printed for run in runs} == {runs[0].printed}


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    "end",
    [
        "abort()",
        "assert(argc == 9)",
        "throw 1",
        "char* volatile p = (char*)malloc(9); free(p + 1)",
        "std::terminate()",
        "raise(SIGABRT)",
    ],
)
def test_a_program_may_abort(end: str, tmp_path: Path) -> None:
    file = tmp_path / "answer.cu"
    includes = "#include <cassert>\n#include <csignal>\n#include <exception>\n"
    file.write_text(f"{includes}int main(int argc, char**) {{\n    {end};\n    return 0;\n}}\n")
    done = run_program(build_program(file, Options(untrusted=True)), file, (), limits=Limits())
    assert done.status == -signal.SIGABRT
    assert [(finding.kind, finding.facts["signal"]) for finding in done.findings] == [("HostCrash", "SIGABRT")]
    assert "assert" not in end or "argc == 9" in done.errors
