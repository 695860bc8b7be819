# Installs the course where it is missing, as on Colab: once, in about half a minute.
import importlib.metadata
import importlib.util
import platform
import subprocess
import sys
import time
from pathlib import Path

COURSE = "{{ archive }}"


class SetUpFailed(Exception):
    def _render_traceback_(self):
        return [str(self)]


def set_up():
    start = time.monotonic()
    system = (platform.system(), platform.machine())
    if sys.version_info < (3, 11) or system != ("Linux", "x86_64"):
        here = f"Python {platform.python_version()} on {' '.join(system)}"
        raise SetUpFailed(
            "The course needs Python 3.11 or later on Linux x86_64, "
            f"and this is {here}: use Colab."
        )
    # With --no-compile, Python compiles only the files that it imports.
    options = ["--quiet", "--no-cache-dir", "--no-compile"]
    command = [sys.executable, "-m", "pip", "install", *options, COURSE]
    output = subprocess.PIPE
    pip = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, text=True)
    if pip.returncode:
        lines = pip.stdout.splitlines()
        printed = [line for line in lines if "error" in line.lower()] or [
            pip.stdout.strip()
        ]
        raise SetUpFailed(
            f"The course could not be installed from {COURSE}: see that this machine "
            f"reaches the internet, and run this cell again. pip says: {printed[0]}"
        )
    importlib.invalidate_caches()
    print(f"The course is set up, in {time.monotonic() - start:.0f} s.")


def is_set_up():
    # Other packages are called autograder, too: only the course's holds an emulator.
    found = importlib.util.find_spec("autograder")
    try:
        importlib.metadata.distribution("cooperating-threads")
        if found and (Path(found.origin or "").parent / "cuda/emulator").is_dir():
            return True
    except importlib.metadata.PackageNotFoundError:
        pass
    if found:
        where = found.origin or found.submodule_search_locations[0]
        raise SetUpFailed(
            f"Another autograder than the course's is in the way, {where}: rename it "
            "if it is yours, or else run `%pip uninstall -y autograder "
            "cooperating-threads`; restart the kernel and run this cell again."
        )
    return False


if not is_set_up():
    set_up()
