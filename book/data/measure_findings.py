"""What does the emulator find in the kernels of tests/kernels, and how long does it take?

Run it anywhere: `python book/data/measure_findings.py`. It takes a minute or two and writes
findings_emulator.csv beside itself, one row for each kernel. `right` says whether it found all that the
kernel's header expects, and nothing else; `says` are the kinds that it found. `seconds` is the whole of it for
a text never seen before, compiler included, and `again_seconds` the same for a text that was compiled before.
"""

import csv
import datetime
import os
import platform
import re
import sys
import time
from pathlib import Path

from autograder import Kernel

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "backends"))
from test_corpus import FILES, read_header  # noqa: E402


def cpu() -> str:
    try:
        return re.findall(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())[0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def row(path: Path) -> dict[str, str]:
    text = path.read_text()
    header = read_header(text)
    fresh = f"{text}\n// {time.time_ns()}\n"  # a text that no cache knows
    seconds = []
    for _ in range(2):
        begin = time.perf_counter()
        run = Kernel(fresh, header.kernel).emulate(
            header.grid, header.block, list(header.args.values()), header.shared_mem, empty=header.empty
        )
        seconds.append(time.perf_counter() - begin)
    found = all(any(expected.matches(f) for f in run.findings) for expected in header.expected)
    nothing_else = all(any(expected.matches(f) for expected in header.expected) for f in run.findings)
    return {
        "kernel": f"{path.parent.name}/{path.stem}",
        "expected": " ".join(dict.fromkeys(expected.kind.value for expected in header.expected)),
        "right": "yes" if found and nothing_else else "no",
        "says": " ".join(dict.fromkeys(f.kind.value for f in run.findings)),
        "seconds": f"{seconds[0]:.3f}",
        "again_seconds": f"{seconds[1]:.3f}",
        "device": f"{cpu()}, {os.cpu_count()} cores",
        "date": datetime.date.today().isoformat(),
        "script": f"book/data/{Path(__file__).name}",
    }


def main() -> None:
    rows = [row(path) for path in FILES]
    with (HERE / "findings_emulator.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    wrong = [one["kernel"] for one in rows if one["right"] == "no"]
    print(f"wrote {len(rows)} rows; not as expected: {', '.join(wrong) or 'none'}")


if __name__ == "__main__":
    main()
