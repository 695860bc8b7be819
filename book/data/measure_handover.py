"""Do kernels that hand over by barriers in memory, bulk copies and tensor cores do on a GPU what they do on the
emulator, bit by bit? And what do wrong ones do there?

Run it on a machine with an H200 or H100, CuPy, pytest and the CUDA toolkit: `python book/data/measure_handover.py`. It
takes a minute or two and writes beside itself, for this GPU:

  handover_<gpu>.csv       each array that a right kernel writes: how many of `runs` launches ended, and in how many of
                           these it had the emulator's bits. In the launch with the most other elements: how many of its
                           `elements` those were, and for floats, by how many units in the last place at most.
  handover_wrong_<gpu>.csv each wrong kernel: how many of `runs` launches ended, why the next one did not (a time out
                           after LIMIT seconds, or CUDA's error), and how many different results those that ended left.
                           A single one may be a wrong one.

The kernels are those of tests/cuda/kernels and book/kernels that measure_sanitizer.py takes with the word `handover`.
Arrays begin with the same bytes on both sides. Arrays named `made` hold tensor maps, whose bytes are the driver's own,
and `cycles` hold times: both differ.
"""

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from cupy.cuda import nvrtc as cupy_nvrtc
from places import KERNELS  # which makes the next ones importable

# isort: split
from course_book import kernels
from measure_sanitizer import HANDOVER
from measuring import Row, machine, write
from sanitizer import LIMIT, compiled, under_all, write_launch
from test_corpus import FILES, read_header

from autograder import Kernel, UsageError
from autograder.cuda.core.tensor_map import BYTES, description, is_tensor_map

RUNS, PROCESSES = 20, 8


@dataclass(frozen=True)
class Case:
    """A kernel with its launch, as `Kernel.emulate` takes it."""

    name: str
    right: bool
    text: str
    kernel: str
    launch: dict[str, Any]


@dataclass(frozen=True)
class Done:
    """A case on both sides. `names` are its arrays; `before`, their elements, which are `after` on the emulator if the
    kernel is right; `held`, those of each launch that has ended; `says`, why the next one has not."""

    case: Case
    names: tuple[str, ...]
    before: list[np.ndarray]
    after: list[np.ndarray]
    held: list[list[np.ndarray]]
    says: str


def cases() -> list[Case]:
    found = []
    for file in FILES:
        # What the emulator's compiler rejects has no parameters.
        if HANDOVER.search(text := file.read_text()) and file.parent.name != "compile_error":
            header = read_header(text)
            launch: dict[str, Any] = {"grid": header.grid, "block": header.block, "args": [*header.args.values()]}
            launch |= {"shared_mem": header.shared_mem, "empty": header.empty}
            right = file.stem.startswith("good_")
            found.append(Case(f"tests/{file.parent.name}/{file.stem}", right, text, header.kernel, launch))
    for file in sorted(KERNELS.rglob("*.cu")):
        if file.parent.name != "findings" and HANDOVER.search(file.read_text()):
            own = kernels.read(str(file.relative_to(KERNELS)))
            name = f"book/{file.parent.name}/{file.stem}"
            found.append(Case(name, not own.finds[0], own.source, own.name, own.launch))
    return found


def run_all(chosen: list[Case], folder: Path) -> list[Done]:
    """Each of them on both sides."""
    paths = [folder / f"{case.name.replace('/', '-')}.json" for case in chosen]
    with ThreadPoolExecutor(PROCESSES) as pool:
        compiles = list(pool.map(_prepare, chosen, paths))
        emulated = list(pool.map(_emulate, chosen))
    said = under_all([path for path, ok in zip(paths, compiles, strict=True) if ok], ("none",), PROCESSES)
    done = []
    for case, path, ok, after in zip(chosen, paths, compiles, emulated, strict=True):
        if not ok:
            done.append(Done(case, (), [], [], [], "does not compile"))
            continue
        launch = Kernel(case.text, case.kernel).prepare(**case.launch)
        files = [file for number in range(RUNS) if (file := Path(f"{path}.{number}")).exists()]
        before = [_elements(array, array) for array in launch.arrays]
        held = [_split(file.read_bytes(), before) for file in files]
        result = said["none", str(path)]
        says = result["says"] or ("" if result["outcome"] == "nothing" else result["outcome"])
        done.append(Done(case, launch.array_names, before, after, held, says))
    return done


def _prepare(case: Case, path: Path) -> bool:
    """Write its launch to a file; False if NVRTC, or CUDA's rules for a launch, reject it."""
    try:
        launch = Kernel(case.text, case.kernel).prepare(**case.launch)
        code = compiled(f"{path.stem}.cu", case.text, case.kernel)
        write_launch(path, code, launch, cooperative="this_grid" in case.text, runs=RUNS)
    except (cupy_nvrtc.NVRTCError, UsageError):
        return False
    return True


def _emulate(case: Case) -> list[np.ndarray]:
    """What its arrays hold at the end; nothing if it is wrong."""
    if not case.right:
        return []
    kernel = Kernel(case.text, case.kernel)
    run = kernel.emulate(**case.launch)
    assert run.completed and not run.findings, f"{case.name}: {run.findings}"
    return [*map(_elements, run.outputs, kernel.prepare(**case.launch).arrays)]


def _elements(array: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Those of an array, or of the one that it describes, if a tensor map was `given`."""
    return array[BYTES:].view(description(given)["type"]) if is_tensor_map(given) else array.reshape(-1)


def _split(data: bytes, like: list[np.ndarray]) -> list[np.ndarray]:
    ends = np.cumsum([array.nbytes for array in like])
    parts = zip(ends, like, strict=True)
    return [np.frombuffer(data[end - array.nbytes : end], array.dtype) for end, array in parts]


def right_rows(done: list[Done]) -> Iterator[Row]:
    for one in done:
        written = [place for place, array in enumerate(one.after) if array.tobytes() != one.before[place].tobytes()]
        for place in written if one.after else [-1]:
            theirs = one.after[place] if one.after else np.zeros(0)
            ours = [held[place] for held in one.held]
            differing = [int(np.count_nonzero(_bits(array) != _bits(theirs))) for array in ours]
            worst = ours[int(np.argmax(differing))] if differing else theirs
            is_float = theirs.dtype.kind == "f"
            yield {
                "kernel": one.case.name,
                "array": one.names[place] if one.after else "",
                "type": theirs.dtype.name if one.after else "",
                "elements": theirs.size,
                "runs": RUNS,
                "ended": len(ours),
                "says": one.says,
                "equal": differing.count(0),
                "differing": max(differing, default=0),
                "ulps": int(np.abs(_ordered(worst) - _ordered(theirs)).max(initial=0)) if is_float else "",
            }


def _bits(array: np.ndarray) -> np.ndarray:
    return array.view(f"u{array.itemsize}")


def _ordered(array: np.ndarray) -> np.ndarray:
    """Floats as integers in the same order, neighbors one apart."""
    bits = array.view(f"i{array.itemsize}").astype(object if array.itemsize == 8 else np.int64)
    return np.where(bits < 0, -(2 ** (8 * array.itemsize - 1)) - bits, bits)


def wrong_rows(done: list[Done]) -> Iterator[Row]:
    for one in done:
        yield {
            "kernel": one.case.name,
            "runs": RUNS,
            "ended": len(one.held),
            "says": one.says,
            "results": len({b"".join(array.tobytes() for array in held) for held in one.held}),
        }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        done = run_all(cases(), Path(folder))
    where = {"limit": str(LIMIT), **machine()}
    write("handover", right_rows([one for one in done if one.case.right]), where)
    write("handover_wrong", wrong_rows([one for one in done if not one.case.right]), where)


if __name__ == "__main__":
    main()
