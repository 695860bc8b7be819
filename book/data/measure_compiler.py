"""Which of the compiler's functions do this course's kernels call?

Run it anywhere: `python book/data/measure_compiler.py`. It takes some minutes and writes compiler_functions.csv beside
itself: ranges of functions, by their numbers in the module of npm's @yowasp/clang whose SHA-256 it names. These are
those that some kernel calls in a page, and those beside them, which the linker puts there if they are of one source
file. The kernels: the solution of each exercise and some known-wrong answers, each listing of the book, and the
solutions with random mistakes, since messages take functions, too. That takes too long for each build of the book, so
the file is kept. The script prints how many kernels that it leaves out for that call another function.
"""

import hashlib
import json
import random
import re
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from places import DATA, KERNELS, ROOT, SOLUTIONS  # which makes the next ones importable

# isort: split
from course_book.whole_programs import has_program
from course_page.compiler_parts import marked, marking
from course_page.node import SUSPENDS, run_node
from course_page.site import install, make
from course_page.small_compiler import MEASURED, core
from kernel_names import kernel_names

from autograder.cuda.performance import measurements

#: Of each solution: with a token that is missing, misspelled or there twice, or only its beginning.
MISTAKES = 8
#: Of the known-wrong answers, one of so many is compiled, and one to see whether it calls anything else.
EVERY = 8
#: Functions on either side of one that is called.
BESIDE = 2

Text = tuple[str, str]  # the name of a kernel, empty where the text is only to be read for mistakes, and the text


def checked_in_pages() -> list[Path]:
    """The notebooks that a page can check."""
    return [path for path in sorted(SOLUTIONS.glob("*/*.ipynb")) if not has_program(path)]


def solutions() -> list[Text]:
    notebooks = (json.loads(path.read_text())["cells"] for path in checked_in_pages())
    cells = ("".join(cell["source"]).partition("\n") for cell in chain.from_iterable(notebooks))
    return [(first.split()[1], text) for first, _, text in cells if first.startswith("%%cuda")]


def of_files(paths: list[Path]) -> list[Text]:
    return [(kernel_names(text)[0], text) for text in (path.read_text() for path in paths)]


def listings() -> list[Path]:
    pages = "".join(path.read_text() for path in sorted((ROOT / "book").glob("*.md")))
    return [path for path in sorted(KERNELS.rglob("*.cu")) if path.relative_to(KERNELS).as_posix() in pages]


def with_mistakes(texts: list[Text], each: int) -> Iterator[Text]:
    for _, text in texts:
        chance = random.Random(text)
        for _ in range(each):
            start, end = chance.choice([found.span() for found in re.finditer(r"\w+|[^\s\w]", text)])
            token = text[start:end]
            rest = chance.choice(["", "", f"{token}q", f"{token} {token}", None])
            yield "", text[:start] + ("" if rest is None else rest + text[end:])


def measure(texts: list[Text], apart: list[Text]) -> tuple[set[int], list[set[int]]]:
    """The functions that `texts` call together, and those that each of the others does."""
    packages = install()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "marking.wasm").write_bytes(marking(core(packages).read_bytes()))
        (folder / "texts.json").write_text(json.dumps([texts, apart]))
        given = [
            make(packages),
            packages / "node_modules/pyodide",
            folder / "marking.wasm",
            folder / "texts.json",
            folder / "marks.json",
        ]
        run_node([SUSPENDS, DATA / "measure_compiler.mjs", *given], folder, seconds=3600)
        marks: list[Any] = json.loads((folder / "marks.json").read_text())
    return marked(marks[0]), [marked(one) for one in marks[1:]]


def ranges(called: set[int]) -> Iterator[dict[str, int]]:
    kept = sorted({n + k for n in called for k in range(-BESIDE, BESIDE + 1) if n + k >= 0})
    first = last = kept[0]
    for n in [*kept[1:], -1]:
        if n != last + 1:
            yield {"first": first, "last": last}
            first = n
        last = n


def main() -> None:
    mutants = [
        mutant
        for notebook in checked_in_pages()
        for mutant in sorted((notebook.parent / "mutants" / notebook.stem).glob("*.cu"))
    ]
    right, others = solutions(), of_files(mutants[:: 2 * EVERY])
    texts = [*right, *with_mistakes(right, MISTAKES), *of_files(mutants[EVERY // 2 :: EVERY]), *of_files(listings())]
    called, apart = measure(texts, [*others, *with_mistakes(others, 1)])
    found = list(ranges(called))
    module = hashlib.sha256(core(install()).read_bytes()).hexdigest()
    measurements.write(MEASURED, found, measurements.origin("book/data/measure_compiler.py", module=module))
    kept = {n for row in found for n in range(row["first"], row["last"] + 1)}
    more = [sum(not one <= kept for one in some) for some in (apart[: len(others)], apart[len(others) :])]
    print(f"{len(texts)} texts call {len(called)} functions; {len(kept)} are kept, in {len(found)} ranges")
    print(f"of {len(others)} other kernels, {more[0]} call another one; of as many with a mistake, {more[1]}")


if __name__ == "__main__":
    main()
