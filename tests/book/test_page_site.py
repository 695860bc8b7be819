"""Does what the build makes for exercises in the page fit together, and do without the packages that may be missing?"""

from __future__ import annotations

import ast
import importlib
import json
import re
import runpy
import sys
import time
import zipfile
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import inputs
import pytest
from book_pages import ROOT
from course_page import extension, site
from course_page.bundle import INSTEAD, page_sources, page_zip
from course_page.in_page import mistakes
from course_page.in_page.cases import key
from course_page.node import NotBuiltError
from course_page.recorder import record_cases

from autograder.cuda.compiler import toolchain
from autograder.cuda.compiler.verifier.entries import runtime_entries
from autograder.cuda.errors import GraderFault
from autograder.cuda.performance import measurements

pytestmark = pytest.mark.cached(*inputs.BOOK, "autograder/**/*", "docs/book.md")


def modules() -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text()) for name, path in page_sources().items() if name.endswith(".py")}


def defined(tree: ast.Module) -> set[str]:
    names = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("name", INSTEAD)
def test_what_takes_a_modules_place_has_all_that_others_import_of_it(name: str) -> None:
    trees = modules()
    wanted = set()
    whole = False
    for at, tree in trees.items():
        package = Path(at).parent.parts
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                above = package[: len(package) - node.level + 1] if node.level else ()
                module = [*above, *(node.module or "").split(".")]
                where = "/".join(part for part in module if part)
                if where == f"autograder/{name}".removesuffix(".py"):
                    wanted |= {alias.name for alias in node.names}
                whole |= any(f"{where}/{alias.name}.py" == f"autograder/{name}" for alias in node.names)
    assert wanted or whole, f"nobody imports {name}"
    assert wanted <= defined(trees[f"autograder/{name}"])


def test_the_zip_has_nothing_of_grading_and_no_solution() -> None:
    left_out = ("autograder/classroom", "autograder/exercises/authoring", "autograder/cuda/programs")
    assert not [name for name in page_sources() if name.startswith(left_out)]
    assert not [name for name in page_sources() if name.endswith((".cu", ".ipynb"))]


def test_a_page_loads_no_module_that_is_in_pythons_memory() -> None:
    try:
        made = site.make(site.install())
    except NotBuiltError as error:
        pytest.skip(str(error))
    with zipfile.ZipFile(made / "python.rest.zip") as archive:
        loaded = set(archive.namelist())
    assert loaded < page_sources().keys()
    assert {name for name in page_sources() if not name.endswith(".py")} <= loaded  # read when the page asks for them
    assert not loaded & {"autograder/cuda/report/__init__.py", "page/judging.py", "numpy/__init__.py", "page_host.py"}
    assert "autograder/cuda/backends/gpu_timer.py" in loaded  # which no check imports
    # The table of findings is read from a folder's files, and in a page that has only those of the archive.
    words = {name for name, tree in modules().items() if "/report/" in name and "ABOUT" in defined(tree)}
    assert "autograder/cuda/report/rejections.py" in words and not words & loaded


def test_a_page_knows_every_function_that_a_kernel_may_call(tmp_path: Path) -> None:
    with zipfile.ZipFile(BytesIO(page_zip())) as archive:
        archive.extractall(tmp_path)
    in_page = runpy.run_path(str(tmp_path / "autograder/cuda/compiler/verifier/entries.py"))
    assert in_page["runtime_entries"]().keys() == runtime_entries().keys()


def test_the_visible_sizes_travel() -> None:
    recorded = record_cases(ROOT / "exercises/tiling/gemm_tiled.ipynb")["gemm_tiled"]
    named = (dict(n=48), dict(n=32), dict(n=16))
    assert recorded["sizes"]["others"][:3] == named and len(recorded["sizes"]["others"]) > 3
    assert set(recorded["cases"]) == {key(size) for size in recorded["sizes"]["others"]}


def test_a_case_that_depends_on_the_students_values_cannot_travel(tmp_path: Path) -> None:
    source = """
import json
from autograder import Case, Output, exercise
import numpy as np
def case(rng, launch, n):
    return Case(launch.grid, 32, [Output(n, np.int32), launch.block[0]], [np.zeros(n, np.int32)])
exercise("taken", case, sizes=[dict(n=3)], values=["grid", "block"])
"""
    cell = {"cell_type": "code", "id": "contract", "source": source}
    about = {"nbgrader": {"solution": False, "grade": False}}
    notebook = tmp_path / "taken.ipynb"
    notebook.write_text(json.dumps({"cells": [{**cell, "metadata": about}]}))
    with pytest.raises(GraderFault, match="depends on its %%values cell"):
        record_cases(notebook)


@pytest.fixture(autouse=True)
def stored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """What a page would keep few of, which is not this machine's cache."""
    monkeypatch.setattr(mistakes, "cache_folder", lambda: tmp_path)
    return tmp_path / "modules"


def test_a_text_is_compiled_ahead_of_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    source = f"__global__ void ahead(int* x) {{ x[0] = {time.time_ns() % 2**31}; }}"
    mistakes.compile_ahead(source)
    monkeypatch.setattr(toolchain, "_make", None)  # from here on, nothing is compiled
    assert not toolchain.find_compile_errors("\n" + source)
    assert isinstance(toolchain.compile_kernel("\n" + source, "ahead"), toolchain.Module)


def test_a_page_keeps_some_kernels_only(monkeypatch: pytest.MonkeyPatch, stored: Path) -> None:
    monkeypatch.setattr(mistakes, "find_compile_errors", lambda source: [])
    for n in range(mistakes.MAX_CACHED):
        (stored / str(n)).mkdir(parents=True)
        assert len(list(stored.iterdir())) == n + 1
        mistakes.compile_ahead("")
    assert not stored.exists()


def test_pythons_own_modules_are_loaded_when_one_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Those that checks use are in the memory that a page takes over."""
    ffi = SimpleNamespace(run_sync=lambda made: made)
    monkeypatch.setitem(sys.modules, "pyodide", SimpleNamespace(ffi=ffi))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", ffi)
    library = importlib.import_module("course_page.in_page.standard_library")
    archive, requested = tmp_path / "python.zip", []
    with zipfile.ZipFile(archive, "w") as empty:
        assert not empty.namelist()
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as full:
        full.writestr("rare_module.py", "answer = 42")
    monkeypatch.setattr(sys, "path", [str(archive), *sys.path])
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(sys, "stdlib_module_names", sys.stdlib_module_names | {"rare_module"})

    def load() -> SimpleNamespace:
        requested.append(1)
        return SimpleNamespace(to_bytes=content.getvalue)

    library.load_when_needed(load)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("module_of_nobody")
    assert not requested
    assert importlib.import_module("rare_module").answer == 42
    assert requested == [1]


def test_without_the_packages_the_page_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")  # where nobody answers
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    with pytest.raises(NotBuiltError, match=r"^npm reaches no registry \(ECONNREFUSED\): connect this machine"):
        site.make_parts()
    extension.leave_out(tmp_path / "site")
    assert "built without" in (tmp_path / "site/page.js").read_text()


def test_a_certificate_that_npm_does_not_know_is_named_and_anything_else_is_shown() -> None:
    message = "npm-cli.js failed: npm error code UNABLE_TO_VERIFY_LEAF_SIGNATURE npm error errno ..."
    assert "set NODE_EXTRA_CA_CERTS to its file" in site.why_npm_failed(message)
    other = "npm-cli.js failed: npm error code EINTEGRITY"
    assert site.why_npm_failed(other) == other


def test_the_docs_have_the_measured_figures() -> None:
    rows = measurements.read(ROOT / "book/data/page_chromium.csv")
    measured = {str(row["what"]): float(row["value"]) for row in rows}
    (text,) = [part for part in (ROOT / "docs/book.md").read_text().split("\n\n") if "page_chromium.csv" in part]
    reported = [float(number) for number in re.findall(r"([\d.]+)\s(?:MB|s)\b", text)]
    most = round(max(value for what, value in measured.items() if what.startswith("memory")))
    checks = ("first visit", "third visit", "each further check", "one after a pause", "one that finds a race")
    assert reported == [
        measured["loaded, by gzip"],
        measured["loaded"],
        *(measured[f"{check}, processors"] for check in checks),
        most,
        measured["whole compiler, by gzip"],
    ]
    (text,) = [part for part in (ROOT / "README.md").read_text().split("\n- ") if "bench_page.py" in part]
    clock = (measured[what] for what in ("loaded, by gzip", "first visit", "third visit", "each further check"))
    assert [float(number) for number in re.findall(r"([\d.]+) (?:MB|s)\b", text)] == [*clock, most]


def test_the_lock_file_names_no_host_and_pins_every_package() -> None:
    lock = json.loads((site.WEB / "package-lock.json").read_text())
    assert "://" not in (site.WEB / "package-lock.json").read_text()
    assert all(package.get("integrity") for name, package in lock["packages"].items() if name)
