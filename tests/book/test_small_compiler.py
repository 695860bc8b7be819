"""Does the compiler that a page loads first have the measured functions, and no others?"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import inputs
import pytest
from course_page import small_compiler
from course_page.compiler_parts import marked, marking, without_others
from course_page.node import NotBuiltError, run_node
from course_page.site import WEB

from autograder.cuda.performance import measurements

pytestmark = inputs.book

FUNCTIONS = 200
#: Writes to the second file the functions that trap, and then the marks of all: node run.mjs MODULE RESULT.
RUN = """
import fs from "node:fs";
const [module, result] = process.argv.slice(2);
const { exports } = (await WebAssembly.instantiate(fs.readFileSync(module))).instance;
const trapped = [];
for (const name of ["f0", "f6", "f62", "f63", "f131", "f198"])
    try { exports[name](); } catch { trapped.push(Number(name.slice(1))); }
const marks = [];
for (let n = 0; exports[`mark${n}`]; n++) marks.push(exports[`mark${n}`].value);
fs.writeFileSync(result, `[[${trapped}], [${marks}]]`);
"""


def number(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + number(value >> 7)


def section(kind: int, *parts: bytes) -> bytes:
    body = number(len(parts)) + b"".join(parts)
    return bytes([kind]) + number(len(body)) + body


def module() -> bytes:
    """Of functions with two groups of variables, of which each even one calls the next; all are exported. There is a
    global variable, too."""
    names = [f"f{n}".encode() for n in range(FUNCTIONS)]
    bodies = [b"\2\1\x7f\3\x7e" + (b"\x10" + number(n + 1) if n % 2 == 0 else b"") + b"\x0b" for n in range(FUNCTIONS)]
    return b"".join(
        [
            b"\0asm\1\0\0\0",
            section(1, b"\x60\0\0"),
            section(3, *[b"\0"] * FUNCTIONS),
            section(6, b"\x7f\0\x41\5\x0b"),
            section(7, *(number(len(name)) + name + b"\0" + number(n) for n, name in enumerate(names))),
            section(10, *(number(len(body)) + body for body in bodies)),
        ]
    )


def run(binary: bytes, folder: Path) -> tuple[set[int], set[int]]:
    (folder / "run.mjs").write_text(RUN)
    (folder / "module.wasm").write_bytes(binary)
    run_node([folder / "run.mjs", "module.wasm", "result.json"], folder)
    trapped, marks = json.loads((folder / "result.json").read_text())
    return set(trapped), marked(marks)


def test_functions_that_are_called_are_marked(tmp_path: Path) -> None:
    called = {0, 1, 6, 7, 62, 63, 131, 198, 199}
    assert run(marking(module()), tmp_path) == (set(), called)


def test_functions_that_are_not_needed_trap_and_the_others_stay(tmp_path: Path) -> None:
    assert run(without_others(module(), {0, 1, 6, 62, 63}), tmp_path) == ({6, 131, 198}, set())
    assert run(without_others(marking(module()), {131, 198, 199}), tmp_path) == ({0, 6, 62, 63}, {131, 198, 199})


#: Runs a program by compiler.mjs, whose first part lacks what it needs: node run.mjs COMPILER MODULE RESULT.
TRAPPED = """
import fs from "node:fs";
import { pathToFileURL } from "node:url";
const [compiler, module, result] = process.argv.slice(2);
const { Compiler } = await import(pathToFileURL(compiler).href);
const load = () => WebAssembly.compile(fs.readFileSync(module));
let asked = 0;
const one = new Compiler(load(), () => (asked++, load()));
const told = [await one.run(["clang"], {}), await one.run(["clang"], {})];
fs.writeFileSync(result, JSON.stringify([asked, ...told.map(({ log }) => log)]));
"""


def test_a_text_at_which_the_whole_compiler_traps_is_told_as_by_a_native_one(tmp_path: Path) -> None:
    """`compiler/clang.py` makes a sentence of it."""
    exports = [b"\6_start\0\0", b"\6memory\2\0"]
    types, memory, code = section(1, b"\x60\0\0"), section(5, b"\0\1"), section(10, b"\3\0\0\x0b")
    module = b"\0asm\1\0\0\0" + types + section(3, b"\0") + memory + section(7, *exports) + code
    (tmp_path / "run.mjs").write_text(TRAPPED)
    (tmp_path / "module.wasm").write_bytes(module)
    run_node([tmp_path / "run.mjs", WEB / "compiler.mjs", "module.wasm", "result.json"], tmp_path)
    broken = "clang frontend command failed"
    assert json.loads((tmp_path / "result.json").read_text()) == [1, broken, broken]


def test_a_list_of_another_compilers_functions_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    packages = tmp_path / "packages"
    small_compiler.core(packages).parent.mkdir(parents=True)
    small_compiler.core(packages).write_bytes(module())
    with pytest.raises(NotBuiltError, match=r"of another compiler: run book/data/measure_compiler\.py"):
        small_compiler.small_compiler(packages)
    rows, origin = [{"first": 0, "last": 1}], {"module": hashlib.sha256(module()).hexdigest()}
    monkeypatch.setattr(small_compiler, "MEASURED", tmp_path / "functions.csv")
    measurements.write(tmp_path / "functions.csv", rows, origin)
    small = small_compiler.small_compiler(packages).read_bytes()
    assert small == without_others(module(), {0, 1}) and len(small) < len(module())
