"""The Python that a page runs, as one zip: the package, some of its modules as a page has them, and what stands in for
numpy."""

from __future__ import annotations

import zipfile
from collections.abc import Collection
from io import BytesIO
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parents[2] / "autograder"
#: Rooms that a page has no use for.
_LEFT_OUT = (
    *("classroom/", "exercises/authoring/", "exercises/commands/", "cuda/backends/gpu_worker.py"),
    *(f"cuda/{room}/" for room in ("commands", "emulator", "nvrtc", "programs")),
)
#: What a page has in place of modules that need an operating system.
INSTEAD = {
    "cuda/compiler/zig.py": "zig.py",
    "cuda/compiler/engine.py": "engine.py",
    "cuda/compiler/emulator_runtime.py": "emulator_runtime.py",
    "cuda/compiler/webassembly/runtime.py": "wasm_runtime.py",
    "cuda/backends/node_process.py": "node_process.py",
    "cuda/backends/processor_time.py": "processor_time.py",
    "cuda/nvrtc/packages.py": "packages.py",
    "cuda/plugins.py": "plugins.py",
    "exercises/report/places.py": "places.py",
}


def page_sources() -> dict[str, Path]:
    """Return the files of the zip, by their names in it."""
    found = {f"page/{path.name}": path for path in sorted((HERE / "in_page").glob("*.py"))}
    found["page_host.py"] = found.pop("page/page_host.py")
    found["html.py"] = HERE / "in_page/instead/html.py"
    found |= {f"numpy/{path.name}": path for path in sorted((HERE / "arrays").glob("*.py"))}
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        if path.suffix in (".py", ".json", ".css", ".js") and not name.startswith(_LEFT_OUT):
            found[f"autograder/{name}"] = path
    # What a kernel may call is read from the prelude, too.
    for path in (PACKAGE / "cuda/emulator/protocol.json", *sorted((PACKAGE / "cuda/emulator").glob("prelude*.h"))):
        found[f"autograder/cuda/emulator/{path.name}"] = path
    return found | {f"autograder/{name}": HERE / "in_page/instead" / file for name, file in INSTEAD.items()}


def page_zip(without: Collection[str] = ()) -> bytes:
    """Return the zip, without some of its files; the same bytes for the same files."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(page_sources().items()):
            if name in without:
                continue
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return out.getvalue()
