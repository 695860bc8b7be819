"""What do the programs of right/, wrong/ and missed/ print on a GPU, and what does compute-sanitizer say of them?

    PYTHONPATH=. python tests/cuda/programs/on_a_gpu.py

Run it on a machine with an NVIDIA GPU and the CUDA toolkit. It takes some minutes and writes on_a_gpu_<gpu>.csv beside
itself: for each program what the emulator finds (as the program's first line says; empty for a right one), whether the
GPU prints the same as the emulator (for right ones), its exit code or why it has none, and how many errors and leaks
memcheck reports. The emulated device differs from each real one, so what device.cu prints does, too.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from autograder.cuda.performance import measurements

HERE = Path(__file__).parent
SECONDS = 60
#: Programs that run side by side: with memcheck, most take the processor more than the GPU.
JOBS = 6


def shell(*command: str | Path) -> tuple[int | None, str]:
    """The exit code of a command, None if it never ends, and what it prints."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout + done.stderr


def row_of(source: Path, program: Path) -> dict[str, str]:
    text = source.read_text()
    message = {word: value for word, value in re.findall(r"^// (prints|finds|arguments): (.*)$", text, re.MULTILINE)}
    arguments: Sequence[str] = message.get("arguments", "").split()
    code, printed = shell(program, *arguments)
    _, reported = shell("compute-sanitizer", "--tool", "memcheck", "--leak-check", "full", program, *arguments)
    errors = re.search(r"ERROR SUMMARY: (\d+) error", reported)
    leaks = re.search(r"LEAK SUMMARY: (\d+) bytes", reported)
    same = "" if source.parent.name != "right" else "yes" if printed.rstrip("\n") == message.get("prints", "") else "no"
    return {
        "folder": source.parent.name,
        "program": source.stem,
        "emulator_finds": message.get("finds", ""),
        "prints_the_same": same,
        "exit_code": "never ends" if code is None else str(code),
        "printed": "" if same == "yes" else " / ".join(printed.split("\n"))[:120].rstrip(" /"),
        "memcheck_errors": errors[1] if errors else "no answer",
        "memcheck_leaked_bytes": leaks[1] if leaks else "0",
    }


def made(source: Path, program: Path) -> tuple[int | None, str]:
    """Compile a program, with the options that its line `// nvcc:` gives."""
    options = re.findall(r"^// nvcc: (.*)$", source.read_text(), re.MULTILINE)
    return shell("nvcc", "-arch=native", "--extended-lambda", *options, "-o", program, source)


def rows() -> Iterator[dict[str, str]]:
    sources = [source for folder in ("right", "wrong", "missed") for source in sorted(HERE.glob(f"{folder}/*.cu"))]
    with tempfile.TemporaryDirectory() as folder:
        programs = [Path(folder) / f"{source.parent.name}_{source.stem}" for source in sources]
        with ThreadPoolExecutor() as pool:
            compiled = pool.map(made, sources, programs)
        for source, (code, log) in zip(sources, compiled, strict=True):
            if code:
                sys.exit(f"nvcc does not compile {source}: {log}")
        with ThreadPoolExecutor(JOBS) as pool:
            for row in pool.map(row_of, sources, programs):
                print(*row.values(), sep=" | ", flush=True)
                yield row


def main() -> None:
    _, name = shell("nvidia-smi", "--query-gpu=name", "--format=csv,noheader")
    device = name.splitlines()[0]
    origin = measurements.origin("tests/cuda/programs/on_a_gpu.py", device=device, driver=measurements.driver())
    measurements.write(HERE / measurements.file_name("on_a_gpu", device), rows(), origin)


if __name__ == "__main__":
    main()
