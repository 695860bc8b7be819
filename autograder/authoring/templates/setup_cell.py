# Where the course is not installed, as on Colab, this installs it, once, in about half a minute.
import importlib.util
import platform
import subprocess
import sys
import time

COURSE = "{{ archive }}"


class SetUpFailed(Exception):
    def _render_traceback_(self):
        return [str(self)]


def set_up():
    start = time.monotonic()
    system = (platform.system(), platform.machine())
    if not (3, 11) <= sys.version_info < (3, 14) or system != ("Linux", "x86_64"):
        here = f"Python {platform.python_version()} on {' '.join(system)}"
        raise SetUpFailed(f"The course needs Python 3.11 to 3.13 on Linux x86_64, and this is {here}: use Colab.")
    # Without --no-compile, pip would compile every file; Python compiles those that it imports.
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-cache-dir", "--no-compile", COURSE]
    pip = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if pip.returncode:
        said = [line for line in pip.stdout.splitlines() if "error" in line.lower()] or [pip.stdout.strip()]
        raise SetUpFailed(
            f"The course could not be installed from {COURSE}: see that this machine reaches the internet, "
            f"and run this cell again. pip says: {said[0]}"
        )
    importlib.invalidate_caches()
    print(f"The course is set up, in {time.monotonic() - start:.0f} s.")


if importlib.util.find_spec("autograder") is None:
    set_up()
