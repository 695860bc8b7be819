"""What does the emulator find in the kernels of tests/cuda/kernels, and how long does it take?

Run it anywhere: `python book/data/measure_findings.py`. It takes a minute or two and writes
findings_emulator.csv beside itself, one row for each kernel. `right` says whether it found all that the
kernel's header expects, and nothing else; `says` are the kinds that it found. `seconds` is the total time for
a new text, compiler included, and `again_seconds` the same for a text that was compiled before. The file is
kept for these times; tests/cuda/backends/test_corpus.py checks the findings again.
"""

import time
from pathlib import Path

from places import DATA
from test_corpus import FILES, read_header

from autograder import Kernel
from autograder.cuda.performance import measurements


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
        "expected": " ".join(dict.fromkeys(expected.kind for expected in header.expected)),
        "right": "yes" if found and nothing_else else "no",
        "says": " ".join(dict.fromkeys(f.kind for f in run.findings)),
        "seconds": f"{seconds[0]:.3f}",
        "again_seconds": f"{seconds[1]:.3f}",
    }


def main() -> None:
    rows = [row(path) for path in FILES]
    origin = measurements.origin("book/data/measure_findings.py", device=measurements.cpu())
    measurements.write(DATA / "findings_emulator.csv", rows, origin)
    wrong = [one["kernel"] for one in rows if one["right"] == "no"]
    print(f"wrote {len(rows)} rows; not as expected: {', '.join(wrong) or 'none'}")


if __name__ == "__main__":
    main()
