"""Makes the files that exercise pages load: the editor, the worker, the compiler, the runtime, Python and the cases."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from course_book.whole_programs import has_program

from autograder.cuda.compiler.cache import build_once, cache_folder, digest, keeping, lock, place_of
from autograder.cuda.compiler.emulator_runtime import build_runtime
from autograder.cuda.compiler.kernel_flags import KERNEL, TO_PCH, Runtime
from autograder.cuda.compiler.webassembly.runtime import build_math_library, build_runtime_module, shared_words

from .bundle import PACKAGE, page_zip
from .listings import FIELDS
from .node import SUSPENDS, NotBuiltError, run_node
from .recorder import record_cases
from .small_compiler import core, small_compiler
from .solutions import record_solutions

WEB = Path(__file__).parent / "web"
#: By its defaults npm waits 10 s and then 60 s before it tries an address again.
_NPM = ("lib/node_modules/npm/bin/npm-cli.js", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000")
#: What the page loads of npm's packages, by their place in the site.
_FROM_NPM = {
    "pyodide": "pyodide/{pyodide.mjs,pyodide.asm.mjs,pyodide.asm.wasm,python_stdlib.zip,pyodide-lock.json}",
    "inter": "@fontsource-variable/inter/{LICENSE,files/inter-latin-wght-normal.woff2}",
}
#: What is made to become a part of the manifest.
_IN_MANIFEST = ("headers.json", "words.json")
#: What other parts are made of.
_ONLY_HERE = ("ready", "python.zip")
#: What the progress bar counts; the whole compiler is loaded only for a text that needs it.
_COUNTED = (
    "clang/llvm.core.wasm",
    "clang/llvm.whole.wasm",
    "pyodide/pyodide.asm.wasm",
    "emulator.wasm",
    "prelude.pch",
    "python.rest.zip",
    "python.memory.gz",
)
#: What the page compares with its hash, by suffix: its readers may not notice that it arrived damaged.
_HASHED = (".mjs", ".o", ".pch", ".zip")
#: What pages name in their head, besides the script of exercises, which is also there where nothing can be checked.
NAMED = ("page.css", "font.css", "listings.js")


@dataclass(frozen=True)
class Parts:
    """What does not depend on the book: folders with npm's packages and with what is made here, and compilers."""

    packages: Path
    made: Path
    compiler: Path
    whole_compiler: Path


def make_parts() -> Parts:
    """Make what does not depend on the book, unless it is cached.

    Raises:
        NotBuiltError: npm's packages are not there and cannot be installed.
        GraderFault: the runtime does not build.
    """
    packages = install()
    return Parts(packages, make(packages), small_compiler(packages), core(packages))


def build_site(parts: Parts, target: Path, notebooks: Path, solutions: Path | None) -> None:
    """Make the folder `target` of `parts`, for the exercises in the folder `notebooks`; with the answers in the folder
    `solutions`, if the book publishes them."""
    packages, made = parts.packages, parts.made
    shutil.rmtree(target, ignore_errors=True)
    for path in made.iterdir():
        if path.name not in (*_ONLY_HERE, *_IN_MANIFEST):
            _place(path, target / path.name)
    for folder, pattern in _FROM_NPM.items():
        package, _, names = pattern.rstrip("}").partition("/{")
        for name in names.split(","):
            _place(packages / "node_modules" / package / name, target / folder / name)
    _place(parts.compiler, target / "clang/llvm.core.wasm")
    _place(parts.whole_compiler, target / "clang/llvm.whole.wasm")
    sizes = {name: {"size": (target / name).stat().st_size, "gzip": _by_gzip(target / name)} for name in _COUNTED}
    loaded = [path for path in target.rglob("*") if path.suffix in _HASHED]
    more: dict[str, object] = {
        "hashes": {
            path.relative_to(target).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in loaded
        }
    }
    more |= {name.removesuffix(".json"): json.loads((made / name).read_text(encoding="utf-8")) for name in _IN_MANIFEST}
    memory = (made / "python.memory.gz").read_bytes()
    more["memory"] = int.from_bytes(memory[-4:], "little")  # gzip ends in the number of bytes that it holds
    (target / "manifest.json").write_text(json.dumps({"sizes": sizes, **more}), encoding="utf-8")
    write_exercises(target, notebooks, solutions)


def _by_gzip(path: Path) -> int:
    """Return how many bytes of a file a server sends that compresses; cached, since a compiler takes seconds."""
    content = path.read_bytes()

    def compress(folder: Path) -> None:
        (folder / "bytes").write_text(str(len(gzip.compress(content, 6))), encoding="utf-8")

    return int((build_once(place_of("gzip", digest(content)), compress) / "bytes").read_text(encoding="utf-8"))


def write_exercises(target: Path, notebooks: Path, solutions: Path | None) -> None:
    """Write what the pages of the exercises in the folder `notebooks` load, into folders of `target`: their cases, and
    the answers in the folder `solutions`, or no answers."""
    for notebook in sorted(notebooks.glob("*/*.ipynb")):
        if has_program(notebook):
            continue
        file = Path(notebooks.name) / notebook.parent.name / f"{notebook.stem}.json"
        known = record_solutions(solutions / notebook.relative_to(notebooks)) if solutions else {}
        _write_json(target / "cases" / file, record_cases(notebook))
        _write_json(target / "solutions" / file, {"fields": FIELDS, "answers": known})


def _write_json(target: Path, data: object) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(data), encoding="utf-8")


def _place(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    if source.suffix == ".wasm":  # these are large
        with suppress(OSError):
            os.link(source, target)
            return
    shutil.copyfile(source, target)


@keeping()
def install() -> Path:
    """Return a folder with npm's packages; they are kept for all builds with the same lock file."""
    files = [WEB / name for name in ("package.json", "package-lock.json")]
    home = cache_folder() / "page-packages" / digest(*(file.read_text(encoding="utf-8") for file in files))
    with lock(cache_folder() / "page.lock"):
        if not (home / "ready").exists():
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir(parents=True)
            for file in files:
                shutil.copy(file, home)
            try:
                run_node([*_NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], home)
            except NotBuiltError as error:
                raise NotBuiltError(why_npm_failed(str(error))) from None
            (home / "ready").touch()
    return home


def why_npm_failed(output: str) -> str:
    """Return a sentence that says what to do about the error code in npm's output, or the output."""
    match = re.search(r"npm error code (\w+)", output)
    code = match[1] if match else ""
    if "CERT" in code or "SIGNATURE" in code:
        return f"npm does not know this network's certificate ({code}): set NODE_EXTRA_CA_CERTS to its file."
    if re.match(r"ECONN|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ETIMEDOUT|ERR_SOCKET", code):
        return (
            f"npm reaches no registry ({code}): connect this machine; behind a proxy, set HTTPS_PROXY to its address."
        )
    if code == "ENOSPC":
        return f"The disk is full: make room in {cache_folder()} ({code})."
    return output


@keeping()
def make(packages: Path) -> Path:
    """Return a folder with what is made here; kept as long as nothing that it is made of changes."""
    runtime, python = build_runtime(), page_zip()
    sources = sorted(
        path for folder in (WEB, PACKAGE / "cuda/emulator/host") for path in folder.iterdir() if path.is_file()
    )
    key = digest(runtime.key, python.hex(), *(path.read_text(encoding="utf-8") for path in sources))
    home = cache_folder() / "page" / key
    with lock(cache_folder() / "page.lock"):
        if not (home / "ready").exists():
            shutil.rmtree(home, ignore_errors=True)
            work = home / "making"
            work.mkdir(parents=True)
            (home / "python.zip").write_bytes(python)
            _keep_memory(packages, home, work)
            (home / "headers.json").write_text(json.dumps(_headers(runtime)), encoding="utf-8")
            shutil.copyfile(build_runtime_module(runtime), home / "emulator.wasm")
            shutil.copyfile(build_math_library(runtime), home / "math.o")
            (home / "words.json").write_text(json.dumps(shared_words(runtime)), encoding="utf-8")
            _bundle(packages, home)
            _precompile(packages, home, work)
            shutil.rmtree(work)
            for name in NAMED:
                shutil.copyfile(WEB / name, home / name)
            shutil.copyfile(WEB / "start.js", home / "page.js")
            (home / "ready").touch()
    return home


def _headers(runtime: Runtime) -> dict[str, object]:
    """Return the prelude and CUDA's headers, as a tree of texts."""
    home = runtime.prelude.parent
    found: dict[str, object] = {path.name: path.read_text(encoding="utf-8") for path in sorted(home.glob("prelude*.h"))}
    return found | {"include": _tree(runtime.headers)}


def _tree(folder: Path) -> dict[str, object]:
    return {path.name: _tree(path) if path.is_dir() else path.read_text(encoding="utf-8") for path in folder.iterdir()}


def _bundle(packages: Path, home: Path) -> None:
    """Join the page's scripts, and the editor, which pages load apart."""
    shared = ["--bundle", "--format=esm", "--minify", "--target=es2022", f"--outdir={home}", "--log-level=warning"]
    entries = [WEB / name for name in ("main.mjs", "tryit.mjs", "worker.mjs", "yours.mjs", "search.mjs")]
    command = ["node_modules/esbuild/bin/esbuild", *map(str, entries), "--splitting", *shared]
    run_node(command, packages, {"NODE_PATH": str(packages / "node_modules")})


def _keep_memory(packages: Path, home: Path, work: Path) -> None:
    """Start Python once, so that pages need not: they take over its memory, and load the files that are not in it."""
    given = [packages / "node_modules/pyodide", home / "python.zip", home / "python.memory.gz", work / "imported.json"]
    run_node([SUSPENDS, WEB / "snapshot.mjs", *given], work)
    imported = json.loads((work / "imported.json").read_text(encoding="utf-8"))
    (home / "python.rest.zip").write_bytes(page_zip(imported))


def _precompile(packages: Path, home: Path, work: Path) -> None:
    flags = [*KERNEL, "-I", "/runtime/include", *TO_PCH, "/runtime/prelude.h", "-o", "prelude.pch"]
    (work / "flags.json").write_text(json.dumps(flags), encoding="utf-8")
    given = [work / "flags.json", home / "headers.json", home / "prelude.pch", core(packages)]
    run_node([str(WEB / "prelude.mjs"), *map(str, given)], work)
