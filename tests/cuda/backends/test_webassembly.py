"""The engine in WebAssembly finds and counts what the native one does, and leaves the same bytes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import inputs
import numpy as np
import pytest
from test_corpus import FILES, NOT_CUDA, run_file

from autograder import Kernel
from autograder.cuda.backends import emulator
from autograder.cuda.compiler import engine
from autograder.cuda.compiler.webassembly.binary import exported_globals
from autograder.cuda.core.findings import CompileError, StepLimit
from autograder.cuda.core.run import Run
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.report.compile_errors import in_words

pytestmark = inputs.emulation

#: What differs for a reason: the kernels, and whether the "findings" or the "outputs" do.
DIFFERENCES = {
    "language/good_conversions_rounded": "findings",  # WebAssembly rounds to nearest only, and this is told
    "language/good_ptx_rounding": "findings",
    "language/good_rounding_double": "findings",
    "language/good_rounding_float": "findings",
    "out_of_bounds/bad_pointer_into_another_cluster": "outputs",  # addresses
    "out_of_bounds/bad_pointer_to_another_blocks_shared": "outputs",  # addresses
    "out_of_bounds/bad_pointer_to_shared_by_an_atomic": "outputs",
    "out_of_bounds/good_pointer_to_own_shared": "outputs",
    "out_of_bounds/bad_second_result_of_sincosf": "outputs",  # the last bit of a sine, or of an exponential
    "race/bad_softmax_reuses_the_array_too_early": "outputs",
    "race/good_softmax_of_rows": "outputs",
    "language/good_special_functions": "outputs",
    # addresses, in a tensor map in global memory
    **dict.fromkeys(
        (
            "crash/bad_tensor_map_with_interleaving",
            "race/bad_tensor_map_acquired_by_another_thread",
            "race/bad_tensor_map_changed_while_copies_use_it",
            "race/bad_tensor_map_published_without_acquire",
            "race/bad_tensor_map_released_before_it_is_changed",
            "race/bad_tensor_map_without_release",
            "race/good_tensor_map_changed_between_groups",
            "race/good_tensor_map_handed_on_by_a_barrier",
            "race/good_tensor_maps_in_two_places",
        ),
        "outputs",
    ),
}
CORPUS = {f"{path.parent.name}/{path.stem}": path for path in FILES if path.parent.name not in NOT_CUDA}


def both(monkeypatch: pytest.MonkeyPatch, path: Path) -> tuple[Run, Run]:
    monkeypatch.setattr(emulator, "MAX_BLOCK_STEPS", 100_000)  # so that endless loops end soon
    runs = []
    for name in engine.Engine:
        monkeypatch.setenv(engine.VARIABLE, name)
        runs.append(run_file(path)[1])
    return runs[0], runs[1]


@pytest.mark.sampled(by=lambda name: DIFFERENCES.get(name), one_in=60)
@pytest.mark.parametrize("name", CORPUS)
def test_both_engines_agree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    native, wasm = both(monkeypatch, CORPUS[name])
    differs = DIFFERENCES.get(name)
    if differs == "findings":
        assert wasm.findings != native.findings
        return
    assert wasm.findings == native.findings
    assert wasm.counts == native.counts
    assert wasm.printed == native.printed
    same = [ours.tobytes() == theirs.tobytes() for ours, theirs in zip(native.outputs, wasm.outputs, strict=True)]
    assert all(same) == (differs != "outputs")


def test_the_list_names_kernels_that_exist() -> None:
    assert DIFFERENCES.keys() <= CORPUS.keys()


FORMATS = """
__global__ void print(float x, int n)
{
    printf("%d|%5d|%-5d|%05d|%+d|% d|%i|%u\\n", n, n, n, n, n, n, -n, -n);
    printf("%x|%X|%#x|%o|%#o|%ld|%llx|%.3d|%8.3d\\n", n, n, n, n, n, 123456789012l, -1ll, n, n);
    printf("%f|%.0f|%.3f|%10.2f|%-10.2f|%+f|%e|%.2E|%g|%G\\n", x, x, x, x, x, x, x, x, x, x);
    printf("%g|%g|%g|%g|%g|%.3g|%#g\\n", 1e-5, 1e20, 123456.0, 1234567.0, 0.0, 1234.5, 1.0);
    printf("%f|%e|%g|%f|%F\\n", 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 1e22, -0.0);
    printf("%a|%.2a|%A|%a|%a\\n", 1.0, 3.14159, 0.1, 0.0, 5e-324);
    printf("%s|%10s|%-10s|%.2s|%c|%5c|%%|%*d|%.*f\\n", "text", "text", "text", "text", 'c', 'c', 6, n, 2, x);
    printf("%f|%f|%.1f|%.0f|%.0f|%.2f|%.0e|%.1g|%.30f\\n", 0.1, 123456789.987654321, 0.25, 0.5, 1.5, 1.005, 2.5, 0.25,
           1e-7);
    printf("%s|%8s|%-8s|%.3s\\n", (char*)0, (char*)0, (char*)0, (char*)0);
}
"""


def test_printf_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = []
    for name in engine.Engine:
        monkeypatch.setenv(engine.VARIABLE, name)
        printed.append(Kernel(FORMATS, "print").emulate(1, 1, [np.float32(3.14159), np.int32(42)]).printed)
    assert printed[0] == printed[1]
    assert printed[0].count("\n") == 9 and printed[0].endswith("(null)|  (null)|(null)  |(nu\n")


FUSED = """
__global__ void fused(const double* a, const double* b, const double* c, double* out)
{
    int i = threadIdx.x;
    out[i] = fma(a[i], b[i], c[i]);
}
"""


def test_fma_is_the_same_where_the_product_alone_is_too_small_or_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    small, large = random.integers(-1074, 3, (3, 128)), random.integers(500, 1024, (3, 128))
    arrays = [*np.ldexp(1 + random.random((3, 256)), np.concatenate([small, large], axis=1))]
    outputs = []
    for name in engine.Engine:
        monkeypatch.setenv(engine.VARIABLE, name)
        outputs.append(Kernel(FUSED, "fused").emulate(1, 256, [*arrays, np.zeros(256)]).outputs[3])
    np.testing.assert_array_equal(outputs[0], outputs[1])


LOOPS = """
__global__ void sum(const int* x, int* out)
{
    int all = 0;
    for (int i = 0; i < 100000; i++) all += x[i % 64];
    out[threadIdx.x] = all;
}
"""


def change_host(monkeypatch: pytest.MonkeyPatch, folder: Path, name: str, old: str, new: str) -> None:
    """Put something else in place of `old` into a file of the host's, which is copied into a folder."""
    *node, script = engine.host_command()
    host = folder / "host"
    shutil.copytree(Path(script).parent, host)
    shutil.copy(Path(script).parents[1] / "protocol.json", folder)
    text = (host / name).read_text()
    assert text.count(old) == 1
    (host / name).write_text(text.replace(old, new))
    monkeypatch.setattr(emulator, "host_command", lambda: (*node, str(host / "node.mjs")))


def test_a_clock_that_jumps_stops_no_launch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A page has only the clock, which goes on while a busy machine does something else, or a laptop is closed."""
    monkeypatch.setenv(engine.VARIABLE, engine.Engine.WEBASSEMBLY)
    ends = "return (user + system) / 1000;"
    change_host(monkeypatch, tmp_path, "node.mjs", ends, "return (globalThis.now = (globalThis.now ?? 0) + 5000);")
    run = Kernel(LOOPS, "sum").emulate(1, 2, [np.ones(64, np.int32), np.zeros(2, np.int32)])
    assert not run.findings and run.outputs[1].tolist() == [100_000, 100_000]
    endless = LOOPS.replace("i < 100000", "true")
    (finding,) = Kernel(endless, "sum").emulate(1, 2, [np.ones(64, np.int32), np.zeros(2, np.int32)]).findings
    assert isinstance(finding, StepLimit)


RETURNS = """
struct Pair { int a, b; };
__device__ __noinline__ int twice(int* shared, int x)
{
    int before = shared[threadIdx.x] + x;
    return before * (__syncthreads_count(x & 1) > 0) + __shfl_xor_sync(~0u, before, 3) - shared[threadIdx.x ^ 1];
}
__device__ int deep(int* shared, int n)
{
    if (n == 0) return twice(shared, 1);
    __syncthreads();
    int below = deep(shared, n - 1);
    __syncthreads();
    return n + below;
}
__global__ void go_on(int* out, int n)
{
    __shared__ int shared[64];
    int own[4] = {1, 2, 3, 4}, i = threadIdx.x;
    Pair pair = {i, 2 * i};
    shared[i] = i;
    for (int k = 0; k < n; k++) {
        own[k % 4] += n > k && twice(shared, pair.b) > 0 ? shared[i ^ 1] : k;
        __syncwarp();
        __syncthreads();
        switch (k % 3) {
            case 0: pair.a += __ballot_sync(~0u, own[k % 4] & 1) & 7; break;
            case 1: pair.b -= own[0]; __syncthreads(); break;
            default: shared[i] += pair.a; __syncthreads();
        }
        __syncthreads();
    }
    out[blockIdx.x * 64 + i] = own[0] + own[1] * 3 + own[2] * 5 + own[3] * 7 + pair.a * 11 + pair.b + deep(shared, 3);
}
"""
SWITCHES = RETURNS.replace("int* out, int n)\n{", "int* out, int n, Pair given)\n{\n    given.a++;").replace(
    "deep(shared, 3)", "deep(shared, 3) + given.a + given.b"
)


@pytest.fixture
def no_switches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The engine in WebAssembly, which fails where a thread has to switch stacks."""
    monkeypatch.setenv(engine.VARIABLE, engine.Engine.WEBASSEMBLY)
    change_host(monkeypatch, tmp_path, "machine.mjs", "return done ??", "if (!done) throw 1; return done;")


def go_on(text: str, *more: object) -> Run:
    return Kernel(text, "go_on").emulate(2, 64, [np.zeros(128, np.int32), 10, *more])


@pytest.mark.usefixtures("no_switches")
def test_threads_return_where_they_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever they have computed before, and in whatever function they are."""
    returned = go_on(RETURNS)
    monkeypatch.setenv(engine.VARIABLE, engine.Engine.NATIVE)
    native = go_on(RETURNS)
    assert native.completed and returned.findings == native.findings and returned.counts == native.counts
    assert returned.outputs[0].tolist() == native.outputs[0].tolist()


def test_threads_switch_where_a_call_would_copy_an_argument_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    big = SWITCHES.replace("struct Pair { int a, b; };", "struct Pair { int a, b, more[6]; };")
    given = np.zeros((), [("a", "i4"), ("b", "i4"), ("more", "i4", (6,))])[()]
    given["a"], given["b"] = 3, 4
    runs = []
    for name in engine.Engine:
        monkeypatch.setenv(engine.VARIABLE, name)
        runs.append(go_on(big, given))
    assert runs[0].completed and runs[0].counts == runs[1].counts
    assert runs[0].outputs[0].tolist() == runs[1].outputs[0].tolist()


@pytest.mark.usefixtures("no_switches")
def test_a_launch_that_may_not_switch_fails_where_it_has_to() -> None:
    with pytest.raises(GraderFault):
        emulator.run(Kernel(RETURNS, "go_on").prepare(2, 64, [np.zeros(128, np.int32), 10]), schedule="lockstep")


BARRIER_OF_THE_GRID = """#include <cooperative_groups.h>
__global__ void turn(int* x, int* y, int n) {
    int first = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += all) x[i] = y[i] = i;
    cooperative_groups::this_grid().sync();
    for (int i = first; i < n; i += all) { int other = (i + blockDim.x) % n; x[other]++, y[other]++; }
}"""


@pytest.mark.parametrize("name", engine.Engine)
@pytest.mark.parametrize("n", [3, 700, 9001])
def test_a_barrier_of_the_grid_forgets_all_of_each_array(name: str, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However large what is remembered of them is: part of a page, or many pages and parts of two more."""
    monkeypatch.setenv(engine.VARIABLE, name)
    run = Kernel(BARRIER_OF_THE_GRID, "turn").emulate(4, 64, [np.zeros(n, np.int32), np.zeros(n, np.int32), n])
    assert run.completed and not run.findings
    assert all(array.tolist() == [*range(1, n + 1)] for array in run.outputs)


@pytest.mark.parametrize(
    ("before", "inside", "reported"),
    [
        ("", "__shared__ float a[1 << 28]; a[1] = 1; x[0] = a[2];", "the __shared__ arrays take 1073741824 bytes"),
        ("__device__ float a[1 << 29];", "x[0] = a[2];", "the __device__ arrays take 2147483648 bytes"),
        ("__constant__ float a[1 << 28];", "x[0] = a[2];", "the __constant__ arrays take 1073741824 bytes"),
    ],
)
def test_variables_that_no_linker_has_room_for(
    before: str, inside: str, reported: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(engine.VARIABLE, engine.Engine.WEBASSEMBLY)
    run = Kernel(f"{before} __global__ void large(float* x) {{ {inside} }}", "large").emulate(
        1, 32, [np.zeros(32, np.float32)]
    )
    (finding,) = run.findings
    assert isinstance(finding, CompileError) and in_words(finding.messages)[0].text.startswith(reported)


def test_an_engine_that_there_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(engine.VARIABLE, "steam")
    with pytest.raises(UsageError, match="There is no engine 'steam': set AUTOGRADER_ENGINE to"):
        engine.engine()


def test_without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    engine.host_command.cache_clear()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match="needs Node: run `pip install"):
        engine.host_command()


def test_what_is_no_module_is_our_fault() -> None:
    with pytest.raises(GraderFault, match="no WebAssembly module"):
        exported_globals(b"\x7fELF")


def test_the_host_numbers_faults_as_the_runtime_does() -> None:
    emulator_folder = Path(emulator.__file__).parents[1] / "emulator"
    (names,) = re.findall(r"enum class Fault : u8 \{ (.*) \};", (emulator_folder / "platform/platform.h").read_text())
    (numbers,) = re.findall(r"FAULT_NUMBERS = \{ (.*) \};", (emulator_folder / "host/machine.mjs").read_text())
    reported = {name: int(number) for name, number in re.findall(r"(\w+): (\d+)", numbers)}
    assert reported == {name: names.split(", ").index(name) for name in reported} and "WildPointer" in reported
