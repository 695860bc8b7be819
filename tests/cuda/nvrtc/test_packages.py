"""Which CUDA fits a machine: with drivers, and packages, that are not there."""

from __future__ import annotations

import importlib.metadata
import tomllib
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.nvrtc import packages
from autograder.cuda.nvrtc.packages import CUPY, NVRTC, Cuda

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize(
    ("driver", "installed", "major"),
    [
        (None, (), 12),
        ((12, 0), (), 12),
        ((13, 0), (), 13),
        ((13, 4), (), 13),
        ((14, 0), (), 13),
        ((13, 0), ("cupy",), 13),
        ((13, 0), ("cupy-cuda12x",), 12),  # a driver runs what is older, too
        ((12, 8), ("cupy-cuda13x",), 12),
        ((12, 8), ("cupy-cuda12x", "cupy-cuda13x"), 12),
        ((13, 0), ("cupy-cuda12x", "cupy-cuda13x"), 13),
    ],
)
def test_the_cuda_that_fits(driver: packages.Version | None, installed: tuple[str, ...], major: int) -> None:
    assert Cuda(driver, installed).major == major


def test_the_command_installs_what_the_extra_holds() -> None:
    for extra, driver in (("gpu", (12, 4)), ("gpu13", (13, 0))):
        (held,) = PROJECT["optional-dependencies"][extra]
        assert Cuda(driver).install_cupy() == f"run `pip install '{held.partition('>=')[0]}'`"


def test_without_nvrtc_the_command_is_for_the_driver() -> None:
    for driver, major in ((None, 12), ((12, 4), 12), ((13, 0), 13)):
        assert str(nvrtc.missing(Cuda(driver))) == (
            "NVRTC, NVIDIA's compiler, is not installed: "
            f"run `pip install --upgrade cuda-pathfinder 'cuda-toolkit[nvrtc,cudart]=={major}.*'`."
        )


@pytest.mark.parametrize(
    ("status", "number", "version"),
    [
        (0, 13000, (13, 0)),
        (0, 12080, (12, 8)),
        (0, 0, None),
        (34, 0, None),  # CUDA_ERROR_STUB_LIBRARY
    ],
)
def test_what_a_driver_reports(status: int, number: int, version: packages.Version | None) -> None:
    def report(pointer: Any) -> int:
        pointer._obj.value = number
        return status

    assert packages.driver_version(lambda library: SimpleNamespace(cuDriverGetVersion=report)) == version


def test_without_a_driver_there_is_no_version() -> None:
    def load(library: str) -> NoReturn:
        raise OSError(library)

    assert packages.driver_version(load) is None


def test_what_is_installed() -> None:
    there = {CUPY[13]: "14.2.0", NVRTC[12]: "12.9.86"}

    def version(name: str) -> str:
        if name not in there:
            raise importlib.metadata.PackageNotFoundError(name)
        return there[name]

    from_outside, only_a_folder = ModuleSpec("cupy", None, origin="cupy/__init__.py"), ModuleSpec("cupy", None)
    assert packages.installed_packages(version, lambda name: from_outside) == (CUPY[13], NVRTC[12])
    del there[CUPY[13]]
    assert packages.installed_packages(version, lambda name: from_outside) == ("cupy", NVRTC[12])
    assert packages.installed_packages(version, lambda name: only_a_folder) == (NVRTC[12],)
    assert packages.installed_packages(version, lambda name: None) == (NVRTC[12],)
