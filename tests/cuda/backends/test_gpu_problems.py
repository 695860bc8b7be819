"""Is each reason for no GPU one sentence that recommends what fits: CUDA 12 or CUDA 13?"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from autograder.cuda.backends.gpu_problems import look_for_driver, problem_message, two_cupys
from autograder.cuda.nvrtc.packages import NEWEST_PYTHON, Cuda

CUPY12, CUPY13 = "`pip install 'cupy-cuda12x[ctk]'`", "`pip install 'cupy-cuda13x[ctk]'`"
TURING = "; for a GPU older than Turing, such as a V100, install 'cupy-cuda12x[ctk]' instead."


@pytest.mark.parametrize(
    ("cuda", "sentence"),
    [
        (Cuda(None), "This machine has no NVIDIA driver: "),
        (Cuda(None, ("cupy-cuda12x",)), "This machine has no NVIDIA driver: "),
        (Cuda((11, 4)), "The NVIDIA driver supports CUDA 11.4, and the course needs CUDA 12: update the driver"),
        (Cuda((12, 0)), f"The NVIDIA driver supports CUDA 12.0, but CuPy is not installed: run {CUPY12}."),
        (Cuda((13, 0)), f"The NVIDIA driver supports CUDA 13.0, but CuPy is not installed: run {CUPY13}{TURING}"),
        (Cuda((14, 1)), f"The NVIDIA driver supports CUDA 14.1, but CuPy is not installed: run {CUPY13}{TURING}"),
        (Cuda((13, 0), ("nvidia-cuda-nvrtc",)), f"CuPy is not installed: run {CUPY13}{TURING}"),
        (
            Cuda((12, 4), ("nvidia-cuda-nvrtc",)),
            f"CuPy is not installed: run `pip uninstall nvidia-cuda-nvrtc`, then {CUPY12}.",
        ),
    ],
)
def test_what_the_first_look_recommends(cuda: Cuda, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (*NEWEST_PYTHON, 0))
    assert sentence in str(look_for_driver(cuda))


@pytest.mark.parametrize(
    ("cuda", "sentence"),
    [
        (Cuda((13, 0)), "The NVIDIA driver supports CUDA 13.0, but CuPy has no package for Python 3.15 yet: make .venv "
                        "with Python 3.14."),
        (Cuda((11, 4)), "The NVIDIA driver supports CUDA 11.4, and the course needs CUDA 12: update the driver to 525 "
                        "or later."),
        (Cuda((13, 0), ("cupy-cuda13x",)), None),  # somebody has built it
    ],
)  # fmt: skip
def test_no_cupy_is_recommended_to_a_python_without_one(
    cuda: Cuda, sentence: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    major, minor = NEWEST_PYTHON
    monkeypatch.setattr(sys, "version_info", (major, minor + 1, 0))
    assert look_for_driver(cuda) == sentence


def test_the_course_installs_cupy_for_the_same_pythons() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    (cupy,) = (item for item in project["optional-dependencies"]["course"] if item.startswith("cupy"))
    major, minor = NEWEST_PYTHON
    assert f"python_version < '{major}.{minor + 1}'" in cupy


@pytest.mark.parametrize("cupy", ["cupy", "cupy-cuda12x", "cupy-cuda13x"])
def test_any_cupy_is_tried(cupy: str) -> None:
    assert look_for_driver(Cuda((13, 0), (cupy,))) is None


OLD = {"problem": "old driver", "what": "CuPy", "needs": "13.0"}
OLD_NVRTC = {"problem": "old driver", "what": "NVRTC", "needs": "13.5"}
IMPORT = {"problem": "import", "text": "no libfoo"}
BEFORE_TURING = {"problem": "arch", "arch": "sm_70", "oldest": "sm_75", "nvrtc": "13.0"}
ANCIENT = {"problem": "arch", "arch": "sm_35", "oldest": "sm_50", "nvrtc": "12.9"}
NEW = {"problem": "arch", "arch": "sm_130", "oldest": "sm_75", "nvrtc": "13.0"}
NEW_FOR_12 = {"problem": "arch", "arch": "sm_130", "oldest": "sm_50", "nvrtc": "12.9"}


@pytest.mark.parametrize(
    ("hello", "cuda", "ends"),
    [
        (
            OLD,
            Cuda((12, 4), ("cupy-cuda13x", "nvidia-cuda-nvrtc")),
            f"supports CUDA 12.4, and this CuPy is for CUDA 13.0: run `pip uninstall cupy-cuda13x nvidia-cuda-nvrtc`, "
            f"then {CUPY12}.",
        ),
        (OLD, Cuda((11, 4), ("cupy-cuda13x",)), "supports CUDA 11.4, and the course needs CUDA 12: update the driver "
                                                "to 525 or later."),
        (
            OLD_NVRTC,
            Cuda((12, 4), ("cupy-cuda12x", "nvidia-cuda-nvrtc-cu12", "nvidia-cuda-nvrtc")),
            "and this NVRTC is for CUDA 13.5: run `pip uninstall cupy-cuda12x nvidia-cuda-nvrtc`, "
            f"then {CUPY12}.",
        ),
        (IMPORT, Cuda((13, 0), ("cupy-cuda12x",)), f"(no libfoo): run `pip uninstall cupy-cuda12x`, then {CUPY12}."),
        (IMPORT, Cuda((13, 0), ("cupy-cuda13x",)), f"(no libfoo): run `pip uninstall cupy-cuda13x`, then {CUPY13}."),
        (
            IMPORT,
            Cuda((13, 0), ("cupy-cuda12x", "cupy-cuda13x")),
            f"run `pip uninstall cupy-cuda12x cupy-cuda13x`, then {CUPY13}.",
        ),
        (
            BEFORE_TURING,
            Cuda((13, 0), ("cupy-cuda13x", "nvidia-cuda-nvrtc")),
            "NVRTC 13.0 no longer compiles for this GPU (sm_70), but CUDA 12 does: "
            f"run `pip uninstall cupy-cuda13x nvidia-cuda-nvrtc`, then {CUPY12}.",
        ),
        (ANCIENT, Cuda((12, 4), ("cupy-cuda12x",)), "This GPU (sm_35) is too old for CUDA 12: use another one."),
        (
            NEW,
            Cuda((13, 0), ("cupy-cuda13x",)),
            "NVRTC 13.0 does not compile for this GPU (sm_130) yet: "
            "run `pip install --upgrade cuda-pathfinder 'cuda-toolkit[nvrtc,cudart]==13.*'`.",
        ),
        (NEW_FOR_12, Cuda((13, 0), ("cupy-cuda12x",)), f"yet: run `pip uninstall cupy-cuda12x`, then {CUPY13}."),
        (
            NEW_FOR_12,
            Cuda((12, 9), ("cupy-cuda12x",)),
            "yet: run `pip install --upgrade cuda-pathfinder 'cuda-toolkit[nvrtc,cudart]==12.*'`.",
        ),
    ],
)  # fmt: skip
def test_what_the_worker_found_is_answered_by_what_fits(hello: dict[str, Any], cuda: Cuda, ends: str) -> None:
    message = problem_message(hello, cuda)
    assert message.endswith(ends)
    assert message.count(". ") == 0 and "{" not in message


def test_one_cupy_is_no_problem() -> None:
    assert two_cupys(Cuda((13, 0), ("cupy-cuda12x", "nvidia-cuda-nvrtc-cu12", "nvidia-cuda-nvrtc"))) is None
    message = two_cupys(Cuda((12, 4), ("cupy-cuda12x", "cupy-cuda13x")))
    assert message and message.endswith(f"then {CUPY12}.")
    assert re.match("cupy-cuda12x and cupy-cuda13x overwrite each other's files: run `pip uninstall", message)
