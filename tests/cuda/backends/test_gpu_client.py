"""Does the notebook's end of the GPU backend survive everything that its worker may do?"""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import gpu, gpu_worker
from autograder.cuda.backends.channel import Header
from autograder.cuda.backends.worker_process import WorkerDied, WorkerProcess
from autograder.cuda.core.diagnostics import Diagnostic
from autograder.cuda.core.findings import CompileError, DamagedGuard, Kind, StepLimit
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import Run
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.kernel import Kernel
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.report import describe
from autograder.cuda.report.compile_errors import in_words

pytestmark = inputs.emulation

SCRIPT = (sys.executable, "-P", str(Path(__file__).with_name("scripted_worker.py")))


@pytest.fixture
def scripted() -> Iterator[gpu.Gpu]:
    device = gpu.Gpu(SCRIPT, time_limit=0.5, compile_limit=0.5, look=lambda: None)
    yield device
    device.close()


def launch(order: str, *args: Any) -> Launch:
    args = args or (np.arange(5, dtype=np.uint8),)
    parameters = ", ".join(f"unsigned char* a{i}" for i in range(len(args)))
    return Kernel(f"// {order}\n__global__ void f({parameters}) {{}}\n", "f").prepare(1, 1, args)


def worker_of(device: gpu.Gpu) -> int:
    assert device.worker_pid is not None
    return device.worker_pid


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_completed_launch_returns_new_arrays_in_the_shape_they_had(scripted: gpu.Gpu) -> None:
    given = np.arange(6, dtype=np.uint8).reshape(2, 3), np.zeros(0, np.uint8)
    run = scripted.run(launch("add 1", *given))
    assert run.completed and not run.findings and run.counts is None and run.backend == "Scripted GPU"
    np.testing.assert_array_equal(run.outputs[0], [[1, 2, 3], [4, 5, 6]])
    assert run.outputs[1].shape == (0,)
    np.testing.assert_array_equal(given[0], [[0, 1, 2], [3, 4, 5]])
    run.outputs[0][0, 0] = 9  # the reader's own


def test_one_worker_serves_all_launches(scripted: gpu.Gpu) -> None:
    scripted.run(launch("add 1"))
    pid = worker_of(scripted)
    run = scripted.run(launch("add 2"))
    assert scripted.worker_pid == pid
    np.testing.assert_array_equal(run.outputs[0], [2, 3, 4, 5, 6])


def test_large_arrays_arrive_whole(scripted: gpu.Gpu) -> None:
    # More than a pipe holds, and more than one piece of the channel.
    given = np.random.default_rng(1).integers(0, 255, 40_000_000, np.uint8)
    run = gpu.Gpu(SCRIPT, look=lambda: None).run(launch("print ok", given))
    np.testing.assert_array_equal(run.outputs[0], given)
    assert run.printed == "ok"


def test_a_kernel_that_never_ends_is_a_step_limit_and_its_worker_is_killed(scripted: gpu.Gpu) -> None:
    scripted.run(launch("add 1"))
    pid = worker_of(scripted)
    run = scripted.run(launch("stop while running"))
    assert not run.completed and run.findings == (StepLimit(reason="time"),)
    np.testing.assert_array_equal(run.outputs[0], np.arange(5))
    assert scripted.worker_pid is None and not is_alive(pid)
    assert scripted.run(launch("add 1")).completed


def test_a_compiler_that_never_ends_is_a_compile_error(scripted: gpu.Gpu) -> None:
    (finding,) = scripted.run(launch("stop while compiling")).findings
    assert isinstance(finding, CompileError) and "does not finish" in in_words(finding.messages)[0].text


def test_a_worker_that_stands_still_otherwise_is_our_fault(scripted: gpu.Gpu) -> None:
    scripted._limits["copying"] = 0.2
    with pytest.raises(GraderFault, match="stood still while copying"):
        scripted.run(launch("stop while copying"))
    assert scripted.run(launch("add 1")).completed


@pytest.mark.parametrize(
    "order, words",
    [("exit 3 out of luck", "exit code 3: out of luck"), ("kill", "SIGKILL, perhaps for lack of memory")],
)
def test_a_worker_that_dies_is_our_fault_and_the_next_launch_works(scripted: gpu.Gpu, order: str, words: str) -> None:
    with pytest.raises(GraderFault, match=words):
        scripted.run(launch(order))
    assert scripted.run(launch("add 1")).completed


def test_a_worker_that_died_between_two_launches_is_our_fault_too(scripted: gpu.Gpu) -> None:
    scripted.run(launch("add 1"))
    os.kill(worker_of(scripted), signal.SIGKILL)
    with pytest.raises(GraderFault, match="SIGKILL"):
        scripted.run(launch("add 1"))
    assert scripted.run(launch("add 1")).completed


def reply(scripted: gpu.Gpu, **message: Any) -> Run:
    return scripted.run(launch("reply " + json.dumps(message)))


@pytest.mark.parametrize(
    "status, words", [(700, "outside its arrays"), (716, "misaligned"), (719, "launch failure"), (999, "999 words")]
)
def test_a_crash_says_why_in_plain_words_and_ends_the_worker(scripted: gpu.Gpu, status: int, words: str) -> None:
    run = reply(scripted, outcome="crash", status=status, text="999 words")
    assert not run.completed and run.findings[0].kind == Kind.CRASH
    assert words in describe(run.findings[0])
    assert scripted.worker_pid is None


def test_a_damaged_guard_is_a_crash_that_names_the_array(scripted: gpu.Gpu) -> None:
    given = np.zeros(3, np.uint8), np.zeros(3, np.uint8)
    run = scripted.run(launch("damage 1 4", *given))
    assert not run.completed and run.findings == (DamagedGuard(array="a1", index=6, size=3),)


def test_compile_errors_and_unfit_launches(scripted: gpu.Gpu) -> None:
    run = reply(scripted, outcome="compile_error", messages=[[2, 5, "expected a ;"]], log="whole")
    assert run.findings == (CompileError(messages=(Diagnostic(2, 5, "expected a ;"),), log="whole"),)
    with pytest.raises(UsageError, match="use smaller tiles"):
        reply(scripted, outcome="unfit", text="use smaller tiles")
    with pytest.raises(GraderFault, match="KeyError"):
        reply(scripted, outcome="fault", text="KeyError: x")


def test_forbidden_text_never_reaches_the_worker(scripted: gpu.Gpu) -> None:
    text = '#include "/etc/hostname"\n__global__ void f(unsigned char* a) {}\n'
    run = scripted.run(Kernel(text, "f").prepare(1, 1, [np.zeros(3, np.uint8)]))
    assert [f.kind for f in run.findings] == [Kind.FORBIDDEN_CODE] and not run.completed


@pytest.fixture
def interruptible() -> Iterator[None]:
    # What runs in the background of a shell inherits that interrupts are ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_the_worker_and_leaves_the_channel_in_step() -> None:
    device = gpu.Gpu(SCRIPT, look=lambda: None)
    device.run(launch("add 1"))
    pid = worker_of(device)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        device.run(launch("stop while running"))
    assert not is_alive(pid)
    np.testing.assert_array_equal(device.run(launch("add 3")).outputs[0], np.arange(5) + 3)
    device.close()


def test_an_interrupt_of_an_idle_notebook_does_not_reach_the_worker() -> None:
    # A notebook's interrupt goes to its whole process group.
    done = python("""
        import os, signal, time, test_gpu_client as t
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        device = t.gpu.Gpu(t.SCRIPT, look=lambda: None)
        device.run(t.launch("add 1"))
        pid = device.worker_pid
        try:
            os.killpg(0, signal.SIGINT)
            time.sleep(1)
        except KeyboardInterrupt:
            print("interrupted")
        time.sleep(0.3)
        print(device.run(t.launch("add 1")).completed, device.worker_pid == pid)
        """)
    assert done.stdout == "interrupted\nTrue True\n", done.stderr


def test_threads_take_turns(scripted: gpu.Gpu) -> None:
    results = {}

    def work(n: int) -> None:
        results[n] = scripted.run(launch(f"add {n}")).outputs[0]

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n in range(8):
        np.testing.assert_array_equal(results[n], np.arange(5) + n)


def python(text: str) -> subprocess.CompletedProcess[str]:
    root = Path(gpu.__file__).parents[3]
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": f"{root}:{root}/tests:{Path(__file__).parent}"},
    )


def test_a_forked_process_starts_a_worker_of_its_own() -> None:
    done = python("""
        import os, test_gpu_client as t
        device = t.gpu.Gpu(t.SCRIPT, look=lambda: None)
        device.run(t.launch("add 1"))
        mine = device.worker_pid
        child = os.fork()
        result = device.run(t.launch("add 2")).outputs[0].tolist()
        if child == 0:
            device.close()
            os._exit(0 if result == [2, 3, 4, 5, 6] and device.worker_pid != mine else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert device.worker_pid == mine and result == [2, 3, 4, 5, 6]
        print(device.run(t.launch("add 1")).outputs[0].tolist())
        """)
    assert (done.stdout, done.stderr, done.returncode) == ("[1, 2, 3, 4, 5]\n", "", 0)


def test_the_worker_ends_with_the_notebook() -> None:
    done = python("""
        import test_gpu_client as t
        device = t.gpu.Gpu(t.SCRIPT, look=lambda: None)
        device.run(t.launch("add 1"))
        print(device.worker_pid)
        """)
    assert done.returncode == 0 and done.stderr == ""
    assert not is_alive(int(done.stdout))


def test_a_worker_in_an_endless_kernel_ends_with_a_killed_notebook() -> None:
    # The worker's own guard, with a sleep for the kernel.
    ours, theirs = os.pipe()
    text = (
        "import sys, threading, time; from autograder.cuda.backends import gpu_worker as w;"
        f"threading.Thread(target=w._end_with_client, args=({ours},), daemon=True).start(); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", text], pass_fds=(ours,))
    os.close(ours)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(1)  # it lives while this end is open
    os.close(theirs)
    assert process.wait(10) == 1


def test_a_program_that_is_no_worker_is_reported_with_its_last_words() -> None:
    with pytest.raises(WorkerDied, match="exit code 1: last words"):
        WorkerProcess((sys.executable, "-c", "import sys; sys.exit('first\\nlast words')"))
    why = gpu.Gpu((sys.executable, "-c", "raise SystemExit(2)"), look=lambda: None).problem()
    assert why and "exit code 2" in why


HELLOS = [
    ({"problem": "no driver"}, "no NVIDIA driver"),
    ({"problem": "no device"}, "shows no GPU: check `nvidia-smi`"),
    ({"problem": "old driver", "what": "CuPy", "needs": "13.0"}, "this CuPy is for CUDA 13.0: run `pip "),
    ({"problem": "import", "text": "no libfoo"}, r"cannot be imported \(no libfoo\)"),
    ({"problem": "cuda", "text": "cudaErrorUnknown"}, r"does not work here \(cudaErrorUnknown\)"),
    ({"problem": "nvrtc", "text": "NVRTC is not installed: run `pip`."}, "NVRTC is not installed"),
    (
        {"problem": "arch", "arch": "sm_130", "oldest": "sm_50", "nvrtc": "12.9"},
        r"NVRTC 12.9 does not compile for this GPU \(sm_130\)",
    ),
]


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("hello, words", HELLOS)
def test_each_reason_for_no_gpu_is_one_sentence(hello: Any, words: str) -> None:
    text = f"""import sys; from autograder.cuda.backends.channel import Channel
Channel(int(sys.argv[1]), int(sys.argv[2])).send({hello!r})"""
    device = gpu.Gpu((sys.executable, "-c", text), look=lambda: None)
    problem = device.problem()
    assert problem and problem.endswith(".") and "\n" not in problem and "{" not in problem
    with pytest.raises(UsageError, match=words):
        device.run(launch("add 1"))
    with pytest.raises(UsageError, match=words):
        device.device_name()


#: A CuPy whose GPU, driver and CUDA are what the environment says.
FAKE_CUPY = """
import json, os
from types import SimpleNamespace
facts = json.loads(os.environ["FAKE_CUPY"])
class CUDARuntimeError(RuntimeError):
    status = facts.get("status", 0)
def properties(number):
    if facts.get("status"):
        raise CUDARuntimeError("no")
    major, minor = facts["capability"]
    return {"name": b"Fake GPU", "major": major, "minor": minor, "sharedMemPerBlockOptin": 1, "multiProcessorCount": 1}
runtime = SimpleNamespace(
    CUDARuntimeError=CUDARuntimeError, getDeviceCount=lambda: 1, getDeviceProperties=properties,
    deviceGetAttribute=lambda what, number: 0, deviceGetPCIBusId=lambda number: "0000:00:00.0",
    driverGetVersion=lambda: facts["driver"], runtimeGetVersion=lambda: facts["runtime"],
)
cuda, __version__ = SimpleNamespace(runtime=runtime), "14.2.0"
"""


@pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")
@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"status": 35, "driver": 12040, "runtime": 13000}, "this CuPy is for CUDA 13.0: run "),
        ({"status": 35, "driver": 0, "runtime": 13000}, "This machine has no NVIDIA driver"),
        ({"status": 100, "driver": 13000, "runtime": 13000}, "The NVIDIA driver shows no GPU"),
        # Whatever NVRTC is installed, it is newer than this driver.
        ({"capability": (9, 0), "driver": 11080, "runtime": 12090}, "this NVRTC is for CUDA {nvrtc}: run "),
        ({"capability": (3, 5), "driver": 14000, "runtime": 13000}, "This GPU (sm_35) is too old for CUDA 12"),
        ({"capability": (99, 0), "driver": 14000, "runtime": 13000}, "does not compile for this GPU (sm_990)"),
        ({}, "CuPy is installed but cannot be imported (module 'cupy' has no attribute 'cuda')"),
        ({"capability": (9, 0), "driver": 14000, "runtime": 13020}, ""),
    ],
)
def test_the_worker_reports_which_cuda_does_not_fit(
    facts: dict[str, Any], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cupy").mkdir()
    (tmp_path / "cupy" / "__init__.py").write_text(FAKE_CUPY if facts else "")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("FAKE_CUPY", json.dumps(facts))
    device = gpu.Gpu(look=lambda: None)
    here = "{}.{}".format(*nvrtc.version())
    if words:
        assert words.format(nvrtc=here) in str(device.problem())
    else:
        assert device.problem() is None
        assert device.versions() == f"CuPy 14.2.0 for CUDA 13.2, NVRTC {here}, driver for CUDA 14.0"
    device.close()


def test_what_the_first_look_finds_starts_no_worker() -> None:
    device = gpu.Gpu(("no such program",), look=lambda: "Nothing here.")
    assert device.problem() == "Nothing here."


def test_asking_for_a_gpu_neither_imports_cupy_nor_starts_cuda_here() -> None:
    done = python("""
        import sys
        from autograder.cuda.backends import gpu
        gpu.problem()
        print(sorted(m for m in sys.modules if m.split(".")[0] in ("cupy", "IPython", "nbgrader", "ziglang")))
        """)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_kernel_needs_no_notebook() -> None:
    done = python("""
        import sys
        for absent in ("IPython", "nbgrader", "rich", "typer"):
            sys.modules[absent] = None
        from autograder.cuda.kernel import Kernel
        print(Kernel("__global__ void f() {}", "f").name)
        """)
    assert (done.stdout, done.stderr) == ("f\n", "")


@pytest.mark.parametrize(
    "major, minor, expected", [(9, 0, "sm_90"), (7, 5, "sm_75"), (8, 9, "sm_86"), (10, 0, None), (6, 1, None)]
)
def test_the_architecture_is_the_newest_whose_code_runs(major: int, minor: int, expected: str | None) -> None:
    assert gpu_worker._best_arch(major, minor, ("sm_75", "sm_80", "sm_86", "sm_90", "sm_120")) == expected


def test_what_the_worker_printed_is_bounded() -> None:
    done = python("""
        import os, tempfile
        from autograder.cuda.backends import gpu_worker as w
        with tempfile.TemporaryFile() as file:
            os.write(file.fileno(), b"x" * (w.PRINT_LIMIT + 5))
            print(len(w._written(file.fileno())) == w.PRINT_LIMIT)
            w._empty(file.fileno())
            os.write(file.fileno(), b"new")
            print(w._written(file.fileno()))
        """)
    assert done.stdout == "True\nb'new'\n", done.stderr


class FakeFunction:
    """A kernel that a GPU of 3 multiprocessors, with room for 2 of its blocks each, notes the launch of."""

    ptr = 1

    def __call__(self, grid: list[int], **how: bool) -> None:
        self.launched = grid, how


class FakeDevice(gpu_worker.Device):
    def _look(self) -> Header:
        return {"device": "a GPU", "arch": "sm_90", "max_shared": 1 << 17, "processors": 3}

    def _run_once(self, function: Any, request: Header, blobs: object, report: object) -> gpu_worker.Reply:
        function(request["grid"])
        return {"outcome": "completed"}, ()


def fake_device() -> tuple[FakeDevice, FakeFunction]:
    attributes = dict.fromkeys(
        ("SHARED_SIZE_BYTES", "MAX_THREADS_PER_BLOCK", "NUM_REGS", "MAX_DYNAMIC_SHARED_SIZE_BYTES"), 0
    ) | {"MAX_THREADS_PER_BLOCK": 1024}
    driver = SimpleNamespace(
        **{f"CU_FUNC_ATTRIBUTE_{name}": name for name in attributes},
        funcGetAttribute=lambda name, function: attributes[name],
        funcSetAttribute=lambda function, name, value: None,
        occupancyMaxActiveBlocksPerMultiprocessor=lambda function, threads, shared: 2,
    )
    function = FakeFunction()
    device = FakeDevice()
    module = SimpleNamespace(load=lambda cubin: None, get_function=lambda entry: function)
    device._cuda = SimpleNamespace(driver=driver, Module=lambda: module)
    return device, function


@pytest.mark.parametrize("cooperative", [True, False])
def test_a_kernel_that_waits_for_its_grid_is_launched_cooperatively_or_refused(
    cooperative: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = nvrtc.NvrtcResult(True, "sm_90", "", entry="f", cooperative=cooperative)
    monkeypatch.setattr(gpu_worker, "_compile", lambda *args: result)
    device, function = fake_device()
    requested = {"source": "", "name": "f", "grid": [2, 3, 1], "block": [32, 1, 1], "shared_mem": 0}
    request = {**requested, "cooperative": True}
    device.run(request, [], print)
    assert function.launched[1].get("enable_cooperative_groups", False) is cooperative
    reply, _ = device.run({**request, "grid": [7, 1, 1]}, [], print)
    if not cooperative:
        assert reply["outcome"] == "completed" and function.launched[0] == [7, 1, 1]
        return
    assert function.launched[0] == [2, 3, 1]
    assert reply["outcome"] == "unfit"
    assert reply["text"] == (
        "f synchronizes its whole grid, so all its 7 blocks must be on the GPU at once, but this GPU (a GPU) has room "
        "for 6 blocks of 32 threads: use a smaller grid."
    )
