"""Says why no GPU can be used here, and what to do about it: each reason is one sentence."""

from __future__ import annotations

import platform
import sys

from ..nvrtc import packages
from .channel import Header

_SENTENCES = {
    "no cupy": "The NVIDIA driver supports CUDA {driver}, but CuPy is not installed: {install}.",
    "no cupy, new driver": "The NVIDIA driver supports CUDA {driver}, but CuPy is not installed: {install}; "
    "for a GPU older than Turing, such as a V100, install 'cupy-cuda12x[ctk]' instead.",
    "no cupy, new Python": "The NVIDIA driver supports CUDA {driver}, but CuPy has no package for Python {python} yet: "
    "make .venv with Python {newest}.",
    "not linux": "Kernels run on a GPU under Linux alone, and this is {system}: use WSL, Colab or a cluster.",
    "no driver": "This machine has no NVIDIA driver: use one with an NVIDIA GPU "
    "(on Colab: Runtime, Change runtime type, T4 GPU; on a cluster: `srun --gres=gpu:1`).",
    "no device": "The NVIDIA driver shows no GPU: check `nvidia-smi` and the variable CUDA_VISIBLE_DEVICES "
    "(on a cluster: ask for a GPU, `srun --gres=gpu:1`).",
    "ancient driver": "The NVIDIA driver supports CUDA {driver}, and the course needs CUDA 12: "
    "update the driver to 525 or later.",
    "old driver": "The NVIDIA driver supports CUDA {driver}, and this {what} is for CUDA {needs}: {install}.",
    "import": "CuPy is installed but cannot be imported ({text}): {install}.",
    "cuda": "CUDA does not work here ({text}): run `nvidia-smi` to see whether the GPU does.",
    "nvrtc": "{text}",
    "ancient GPU": "This GPU ({arch}) is too old for CUDA 12: use another one.",
    "old GPU": "NVRTC {nvrtc} no longer compiles for this GPU ({arch}), but CUDA 12 does: {install}.",
    "new GPU": "NVRTC {nvrtc} does not compile for this GPU ({arch}) yet: {install}.",
}


def look_for_driver(cuda: packages.Cuda | None = None) -> str | None:
    """Why there can't be a GPU here, without starting anything; None if there may be one.

    Args:
        cuda: what this machine has.
    """
    cuda = cuda or packages.here()
    if platform.system() != "Linux":
        return problem_message({"problem": "not linux", "system": platform.system()}, cuda)
    if cuda.driver is None:
        return problem_message({"problem": "no driver"}, cuda)
    if not cuda.cupys:  # checked second: without a GPU, nobody needs CuPy
        return problem_message({"problem": "no cupy"}, cuda)
    return None


def problem_message(hello: Header, cuda: packages.Cuda) -> str:
    """Turn a worker's hello with a "problem" into one sentence that says what to do.

    Args:
        hello: what the worker found; see `gpu_worker`.
        cuda: what this machine has.
    """
    problem = hello["problem"]
    if problem in ("no cupy", "old driver") and cuda.driver and cuda.driver[0] < min(packages.CUPY):
        problem = "ancient driver"
    elif problem == "no cupy" and sys.version_info[:2] > packages.NEWEST_PYTHON:
        problem = "no cupy, new Python"
    elif problem == "no cupy" and cuda.major > 12:
        problem = "no cupy, new driver"
    if problem == "arch":
        problem, hello = _unsupported(hello, cuda)
    versions = {"driver": cuda.driver or (0, 0), "python": sys.version_info[:2], "newest": packages.NEWEST_PYTHON}
    given = {name: "{}.{}".format(*version) for name, version in versions.items()}
    return _SENTENCES[problem].format(**{"install": cuda.install_cupy(), **given, **hello})


def _unsupported(hello: Header, cuda: packages.Cuda) -> tuple[str, Header]:
    """The sentence on a GPU for which the installed NVRTC doesn't compile, and what it names."""
    arch, oldest, major = int(hello["arch"][3:]), int(hello["oldest"][3:]), int(hello["nvrtc"].split(".")[0])
    if arch < packages.OLDEST_OF_12:
        return "ancient GPU", hello
    if arch < oldest:
        return "old GPU", hello | {"install": cuda.install_cupy(12)}
    if major < cuda.newest:
        return "new GPU", hello | {"install": cuda.install_cupy(cuda.newest)}
    return "new GPU", hello | {"install": cuda.install_toolkit("nvrtc", "cudart", major=major)}


def two_cupys(cuda: packages.Cuda) -> str | None:
    """One sentence that says what to do if more than one CuPy is installed; None if not."""
    names = " and ".join(cuda.cupys)
    return f"{names} overwrite each other's files: {cuda.install_cupy()}." if len(cuda.cupys) > 1 else None
