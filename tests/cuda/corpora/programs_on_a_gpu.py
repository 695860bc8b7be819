"""What do the corpora's programs print on a GPU, and what does compute-sanitizer say of them? In three steps:

    .venv/bin/python tests/cuda/corpora/programs_on_a_gpu.py pack CLONES WORK FOLDER
    python3 tests/cuda/corpora/programs_on_a_gpu.py run FOLDER OUT      on a machine with a GPU and the CUDA toolkit
    .venv/bin/python tests/cuda/corpora/programs_on_a_gpu.py compare WORK OUT

The first copies into FOLDER the programs that end on the emulator and of which `run_programs.py` has left in WORK what
they print, the second makes them with nvcc and runs them, with all that they print in OUT, and the last compares the
two, and writes `programs_on_a_gpu.csv`. Lines of other programs stay as they are.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
#: Seconds for nvcc, for a run, and for a run under compute-sanitizer.
_BUILD, _RUN, _CHECK = 120, 20, 20
#: Bytes of the largest file that travels.
_MOST = 4 << 20
#: Lines that speak of time or of the device, and so differ from run to run.
_VARIES = re.compile(
    r"time|\bms\b|msec|\(us\)|\bus\b|\bsec|second|flop|B/s|bandwidth|throughput|device|elapsed|perf|speed|clock"
    r"|Multi-?Processor|H200|capabilit|MPoints|options per|/s\b|PID|\d s\b|\d:\d\d:\d\d|release =",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?<![\w.])/[\w./-]+")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


# ---- here


def pack(clones: Path, work: Path, folder: Path) -> None:
    from programs import whole_programs
    from run_programs import read_verdicts
    from texts import corpora

    ends = {(verdict.corpus, verdict.program) for verdict in read_verdicts() if verdict.verdict == "ends"}
    shown = []
    for corpus in corpora():
        top = work / "texts" / corpus.name
        for program in whole_programs(corpus, top, corpus.unpack_whole(clones, top)):
            if (program.corpus, program.name) not in ends or not _printed(work, program.corpus, program.name).exists():
                continue
            shown.append(
                {
                    "corpus": corpus.name,
                    "program": program.name,
                    "folder": str(Path(corpus.name) / program.folder.relative_to(top)),
                    "words": [
                        re.sub(rf"^-I{re.escape(str(top))}", f"-I{{top}}/{corpus.name}", w) for w in program.words
                    ],
                    "arguments": program.arguments,
                }
            )
            for source in (program.folder, *_beside(program.folder, program.words), *(top / h for h in corpus.headers)):
                _copy(source, folder / corpus.name / source.relative_to(top))
    (folder / "programs.json").write_text(json.dumps(shown, indent=1), encoding="utf-8")


def _printed(work: Path, corpus: str, program: str) -> Path:
    return work / f"{corpus}-{program.replace('/', '-')}.txt"


def _beside(folder: Path, words: Sequence[str]) -> Iterator[Path]:
    """Folders beside a program's that its texts or its options name."""
    texts = " ".join(
        f.read_text("utf-8", "replace") for f in folder.rglob("*") if f.suffix in (".cu", ".cuh", ".h", ".cpp")
    )
    for name in set(
        re.findall(r"\.\./([\w+.-]+)/", " ".join(words) + re.sub(r"(?m)^(?!\s*#\s*include).*$", "", texts))
    ):
        if (folder.parent / name).is_dir():
            yield folder.parent / name


def _copy(source: Path, target: Path) -> None:
    for file in source.rglob("*"):
        if (
            file.is_file()
            and file.stat().st_size < _MOST
            and file.suffix not in (".pdf", ".docx", ".gif", ".png", ".jpg")
        ):
            to = target / file.relative_to(source)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, to)


# ---- on the GPU


def run(folder: Path, out: Path) -> None:
    shown = json.loads((folder / "programs.json").read_text(encoding="utf-8"))
    with ThreadPoolExecutor(16) as pool:
        made = list(pool.map(lambda item: _build(folder, *item), enumerate(shown)))
    _, name, _ = _shell(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], folder, _RUN)
    done = []
    with ThreadPoolExecutor(6) as pool:
        for program in pool.map(lambda item: _judge(folder, item), made):
            done.append(program)
            out.write_text(json.dumps({"device": name.strip(), "programs": done}, indent=1), encoding="utf-8")


def _shell(command: Sequence[str], folder: Path, seconds: int) -> tuple[int | None, str, str]:
    """The exit code, None if it never ends; what it prints; and what it says on standard error."""
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, "", ""
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def _build(folder: Path, number: int, program: dict[str, Any]) -> dict[str, Any]:
    exe = folder.resolve() / f"program{number}"
    words = [word.replace("{top}", str(folder.resolve())) for word in program["words"]]
    command = ["nvcc", "-arch=native", "-w", *words, "-o", str(exe)]
    code, message, more = _shell(command, folder / program["folder"], _BUILD)
    return {**program, "exe": str(exe), "build": "" if code == 0 else (message + more)[-300:] or "too long"}


def _judge(folder: Path, program: dict[str, Any]) -> dict[str, Any]:
    if program["build"]:
        return program
    place, command = folder / program["folder"], [program["exe"], *program["arguments"]]
    code, printed, _ = _shell(command, place, _RUN)
    _, again, _ = _shell(command, place, _RUN)
    shown = {"code": code, "printed": printed[:60000], "again": again[:60000]}
    if code is not None:
        for tool in ("memcheck", "racecheck"):
            ended, message, more = _shell(["compute-sanitizer", "--tool", tool, *command], place, _CHECK)
            summary = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (.*)", message + more)
            shown[tool] = summary[-1] if summary else "too long" if ended is None else "no answer"
    return {**program, **shown}


# ---- and again here


def compare(work: Path, out: Path) -> None:
    from run_programs import read_verdicts

    from autograder.cuda.performance import measurements

    shown = json.loads(out.read_text(encoding="utf-8"))
    device, driver = shown["device"].split(", ")
    known = {(verdict.corpus, verdict.program): verdict for verdict in read_verdicts()}
    written = HERE / "programs_on_a_gpu.csv"
    columns = ("corpus", "program", "emulator_finds", "prints", "memcheck", "racecheck")
    rows = {(row["corpus"], row["program"]): {c: row[c] for c in columns} for row in measurements.read(written)}
    for program in shown["programs"]:
        name = program["corpus"], program["program"]
        prints = _verdict(_printed(work, *name).read_text(encoding="utf-8"), program)
        errors = (_errors(program.get(tool, "")) for tool in ("memcheck", "racecheck"))
        rows[name] = dict(zip(columns, (*name, known[name].findings, prints, *errors), strict=True))
    origin = measurements.origin("tests/cuda/corpora/programs_on_a_gpu.py", device=device, driver=driver)
    measurements.write(written, [rows[name] for name in known if name in rows], origin)


def _errors(summary: str) -> str:
    """How many errors, or hazards, a tool has reported."""
    found = re.match(r"\d+", summary)
    return found[0] if found else summary


def _verdict(ours: str, program: dict[str, Any]) -> str:
    """How what the emulator's run has printed compares with the GPU's two runs."""
    if program["build"]:
        return "nvcc does not compile it"
    if program["code"] is None:
        return "never ends on the GPU"
    if program["code"]:
        return f"ends with exit code {program['code']} on the GPU"
    theirs = program["printed"]
    if ours == theirs:
        return "the same"
    mine, gpus, again = (_steady(text) for text in (ours, theirs, program["again"]))
    if mine == gpus:
        return "the same but for times"
    if sorted(mine) == sorted(gpus):
        return "the same lines in another order"
    if _near(mine, gpus):
        return "the same but for the last digits"
    return "differs" if gpus == again else "differs, as two runs on the GPU do"


def _steady(text: str) -> list[str]:
    """The lines that are the same in each run."""
    lines = (" ".join(_PATH.sub("PATH", line).split()) for line in text.split("\n"))
    return [line for line in lines if line and not _VARIES.search(line)]


def _near(mine: list[str], gpus: list[str]) -> bool:
    """Whether the lines differ in numbers alone, and these by a thousandth at most."""
    if [_NUMBER.sub("#", line) for line in mine] != [_NUMBER.sub("#", line) for line in gpus]:
        return False
    pairs = zip(_NUMBER.findall("\n".join(mine)), _NUMBER.findall("\n".join(gpus)), strict=True)
    return all(abs(float(a) - float(b)) <= 1e-3 * max(abs(float(a)), abs(float(b)), 1e-3) for a, b in pairs)


if __name__ == "__main__":
    step, *paths = sys.argv[1:]
    if step == "pack":
        pack(*map(Path, paths))
    elif step == "run":
        run(*map(Path, paths))
    else:
        compare(*map(Path, paths))
