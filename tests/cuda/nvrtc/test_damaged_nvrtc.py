"""Is a damaged NVRTC the machine's fault, in one sentence that says how to install it again?"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import inputs
import pytest

from autograder.cuda.errors import MachineFault, UsageError
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.nvrtc import packages
from autograder.cuda.nvrtc.packages import NVRTC, Cuda

pytestmark = inputs.nvrtc

pathfinder = pytest.importorskip("cuda.pathfinder")
AGAIN = "run `pip install --force-reinstall cuda-pathfinder 'cuda-toolkit[nvrtc,cudart]==12.*'`."
#: Compiles with the NVRTC of another path.
COMPILE = """
import sys
from types import SimpleNamespace
from cuda import pathfinder
pathfinder.load_nvidia_dynamic_lib = lambda name: SimpleNamespace(abs_path=sys.argv[1])
from autograder.cuda.nvrtc.compiler import compile_for
compile_for("__global__ void k(float* x) { x[0] = 1; }", "k", "sm_75")
"""


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(packages, "here", lambda: Cuda(None, ("cupy-cuda12x", NVRTC[12])))
    caches = nvrtc._library, nvrtc.problem
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def no_library(folder: Path) -> Path:
    (folder / "nvrtc.so").write_text("no library")
    return folder / "nvrtc.so"


def gone(folder: Path) -> Path:
    return folder / "nvrtc.so"


def another_library(folder: Path) -> Path:
    return Path("libm.so.6")


@pytest.mark.parametrize("library", [no_library, gone, another_library])
def test_a_library_that_is_no_nvrtc(
    library: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = library(tmp_path)
    monkeypatch.setattr(pathfinder, "load_nvidia_dynamic_lib", lambda name: SimpleNamespace(abs_path=str(path)))
    with pytest.raises(MachineFault, match=r"NVIDIA's compiler, is damaged \(") as raised:
        nvrtc.version()
    assert str(raised.value).endswith(f"): {AGAIN}") and path.name in str(raised.value)
    assert nvrtc.problem() == str(raised.value)


@pytest.mark.parametrize("error", [RuntimeError("Failed to dlopen x: file too short."), PermissionError(13, "denied")])
def test_a_library_that_is_not_loaded(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise error

    monkeypatch.setattr(pathfinder, "load_nvidia_dynamic_lib", refuse)
    assert str(nvrtc.problem()).endswith(f"{str(error).rstrip('.')}): {AGAIN}")


def test_a_missing_one_is_not_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise pathfinder.DynamicLibNotFoundError("nowhere")

    monkeypatch.setattr(pathfinder, "load_nvidia_dynamic_lib", refuse)
    with pytest.raises(UsageError, match="is not installed: run `pip install --upgrade"):
        nvrtc.version()


@pytest.mark.parametrize(
    ("installed", "major"),
    [((NVRTC[12],), 12), ((NVRTC[13],), 13), ((NVRTC[12], NVRTC[13]), 13), ((), 12)],
)
def test_what_is_loaded_is_installed_again(installed: tuple[str, ...], major: int) -> None:
    assert f"]=={major}.*'`." in str(nvrtc.damaged(Cuda(None, installed), "why"))


@pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")
def test_a_missing_second_library_is_the_machines_fault(tmp_path: Path) -> None:
    """NVRTC looks for it beside itself, once a process."""
    real = Path(pathfinder.load_nvidia_dynamic_lib("nvrtc").abs_path)
    (tmp_path / real.name).symlink_to(real)
    command = (sys.executable, "-c", COMPILE, str(tmp_path / real.name))
    done = subprocess.run(command, cwd=Path(nvrtc.__file__).parents[3], capture_output=True, text=True)
    assert "MachineFault: NVRTC, NVIDIA's compiler, is damaged (its second library" in done.stderr
