"""Does what the page's compiler gets in place of an operating system keep its files?"""

from __future__ import annotations

import json
from pathlib import Path

import inputs
from course_page.node import run_node
from course_page.site import WEB

pytestmark = inputs.book

#: Calls a System as a program would whose memory has a path at 0, text at 100, a list of one piece at 200, and room for
#: results from 300 on: node run.mjs SYSTEM RESULT.
RUN = """
import fs from "node:fs";
import { pathToFileURL } from "node:url";
const [system, result] = process.argv.slice(2);
const { Exit, System } = await import(pathToFileURL(system).href);
const run = new System(["clang", "-o", "out"], { given: "text", folder: { inner: new Uint8Array([1, 2]) } });
const memory = new WebAssembly.Memory({ initial: 1 });
run.attach(memory);
memory.grow(1); // which makes another view of it
const bytes = () => new Uint8Array(memory.buffer);
const number = (at) => new DataView(memory.buffer).getUint32(at, true);
const put = (at, text) => bytes().set(new TextEncoder().encode(text), at);
const text = (at, length) => new TextDecoder().decode(bytes().slice(at, at + length));
const piece = (at, length) => new Uint32Array(memory.buffer).set([at, length], 50);
const open = (path, how = 0) => {
    put(0, path);
    return run.path_open(3, 0, 0, path.length, how, 0n, 0n, 0, 300) || -number(300);
};
const stat = (path) => {
    put(0, path);
    return run.path_filestat_get(3, 0, 0, path.length, 400) || number(432);
};
const told = {};

told.words = [run.args_sizes_get(300, 304), number(300), number(304)];
run.args_get(310 + 2, 500);
told.text = text(500, 12);
const given = -open("given");
piece(600, 3);
told.read = [run.fd_read(given, 200, 1, 300), number(300), text(600, 3)];
told.rest = [run.fd_read(given, 200, 1, 300), number(300), text(600, 1)];
told.sizes = [stat("given"), stat("folder/inner"), stat("nowhere"), stat("given/inner")];
told.missing = open("nowhere");
const made = -open("folder/made", 1);
put(100, "abcdef");
piece(100, 6);
run.fd_write(made, 200, 1, 300);
run.fd_seek(made, -4n, 1, 300);
piece(100, 2);
run.fd_write(made, 200, 1, 300);
told.made = new TextDecoder().decode(run.content("folder/made"));
told.closed = [run.fd_close(made), run.fd_close(made), run.fd_write(made, 200, 1, 300)];
told.again = [-open("folder/made", 8) > made, stat("folder/made")];
told.gone = [put(0, "given"), run.path_unlink_file(3, 0, 5), stat("given")];
run.fd_write(1, 200, 1, 300);
told.output = new TextDecoder().decode(run.output.content);
try { run.proc_exit(3); } catch (error) { told.exit = error instanceof Exit && error.status; }
fs.writeFileSync(result, JSON.stringify(told));
"""


def test_a_program_finds_its_words_and_files(tmp_path: Path) -> None:
    (tmp_path / "run.mjs").write_text(RUN)
    run_node([tmp_path / "run.mjs", WEB / "system.mjs", "result.json"], tmp_path)
    assert json.loads((tmp_path / "result.json").read_text()) == {
        "words": [0, 3, 13],
        "text": "clang\0-o\0out",
        "read": [0, 3, "tex"],
        "rest": [0, 1, "t"],
        "sizes": [4, 2, 44, 44],
        "missing": 44,
        "made": "ababef",
        "closed": [0, 8, 8],
        "again": [True, 0],
        "gone": [None, 0, 44],
        "output": "ab",
        "exit": 3,
    }
