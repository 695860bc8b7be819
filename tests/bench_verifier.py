"""What it takes to verify a module, and what becomes of that after the optimizer: `docs/decisions.md` has the figures.

    PYTHONPATH=tests:tests/cuda/backends .venv/bin/python tests/bench_verifier.py

It takes kernels of tests/cuda/kernels, compiles each as the emulator does for a large launch, and verifies the module
where that is done, before the optimizer; then what the optimizer made of it, with the hooks as calls and inlined.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from unittest import mock

from test_corpus import FILES, read_header

from autograder.cuda.compiler import machine_code, toolchain
from autograder.cuda.compiler.cache import workplace
from autograder.cuda.compiler.clang import clang
from autograder.cuda.compiler.emulator_runtime import build_runtime
from autograder.cuda.compiler.ir import Module, read_module
from autograder.cuda.compiler.machine_code import Build
from autograder.cuda.compiler.verifier import UnprovenError, verify
from autograder.cuda.errors import GraderFault


def verified(text: str) -> tuple[bool, float]:
    """Whether a module is let through, and the seconds that reading and verifying it took."""
    start = time.process_time()
    try:
        verify(read_module(text))
    except (UnprovenError, GraderFault):
        return False, time.process_time() - start
    return True, time.process_time() - start


def measure(path: Path) -> list[tuple[bool, float]] | None:
    """Before the optimizer, after it with the hooks as calls, and with them inlined; None if it does not
    compile."""
    found: list[Module] = []
    text = path.read_text()
    with (
        workplace() as folder,
        mock.patch.object(machine_code, "verify", found.append),
        mock.patch.object(toolchain, "place_of", lambda kind, name: folder / "module" / name),
    ):
        toolchain.compile_kernel(text, read_header(text).kernel, Build.OPTIMIZED)
    if not found:
        return None
    inline = ["-mlink-builtin-bitcode", str(build_runtime().hooks)]
    results = [verified(found[0].text())]
    with workplace() as folder:
        (folder / "instrumented.ll").write_text(found[0].text())
        for hooks in ([], inline):
            flags = [*machine_code.OPTIMIZE, *hooks, "-emit-llvm"]
            assert clang([*flags, "instrumented.ll", "-o", "optimized.ll"], folder) is None
            results.append(verified((folder / "optimized.ll").read_text()))
    return results


def main() -> int:
    measured = [found for path in FILES[::8] if (found := measure(path))]
    print(f"{len(measured)} kernels; let through, and milliseconds for each")
    for n, name in enumerate(("before the optimizer", "after it, hooks as calls", "after it, hooks inlined")):
        column = [found[n] for found in measured]
        mean = 1000 * sum(seconds for _, seconds in column) / len(column)
        print(f"{name:27}{sum(good for good, _ in column):4}{mean:8.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
