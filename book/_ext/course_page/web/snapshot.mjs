// Starts Python and the package once, when the book is built, and keeps its memory. A page goes on from there (loading.mjs):
// node snapshot.mjs PYODIDE ZIP TARGET IMPORTED, where PYODIDE is a folder. IMPORTED gets the files of ZIP that are modules in that
// memory, as JSON.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [folder, zip, target, imported] = process.argv.slice(2);
/** Pyodide takes over no more memory than it begins with, and what precedes it in the snapshot: which is never shorter. */
const MOST = (30 << 20) + 4096;
// Compiled beforehand, and without docstrings: compiling takes more memory than what it leaves, and memory never shrinks.
const COMPILE = `
import importlib.util, json, os, py_compile

made = []
for folder, _, files in os.walk("."):
    for name in files:
        if name.endswith(".py"):
            source = os.path.join(folder, name)
            made.append(importlib.util.cache_from_source(source))
            mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
            py_compile.compile(source, made[-1], doraise=True, optimize=2, invalidation_mode=mode)
json.dumps(made)
`;
// The table of findings is made here: in a page, it would find only the files that are not in this memory.
const IMPORT = `
import gc

import page.judging, page.mistakes, page.running, page.standard_library
from autograder.cuda.report.kinds import kinds

kinds()
gc.collect()
`;
const FILES = `
import json, os, sys

files = [os.path.relpath(module.__file__) for module in sys.modules.values() if getattr(module, "__file__", None)]
json.dumps([file for file in files if not file.startswith("..")])
`;

const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
const sources = new Uint8Array(fs.readFileSync(zip));
const compiler = await loadPyodide({ indexURL: `${folder}/` });
compiler.unpackArchive(sources, "zip");
const compiled = JSON.parse(compiler.runPython(COMPILE)).map((name) => [name, compiler.FS.readFile(name)]);

const pyodide = await loadPyodide({ indexURL: `${folder}/`, _makeSnapshot: true });
pyodide.unpackArchive(sources, "zip");
for (const [name, bytes] of compiled) {
    pyodide.FS.mkdirTree(path.posix.dirname(name));
    pyodide.FS.writeFile(name, bytes);
}
pyodide.runPython(IMPORT);
const memory = pyodide.makeMemorySnapshot();
if (memory.length > MOST) throw new Error(`The page's Python takes ${memory.length} bytes, more than the ${MOST} that Pyodide loads: import less.`);
fs.writeFileSync(target, gzipSync(memory, { level: 9 }));
fs.writeFileSync(imported, pyodide.runPython(FILES));
process.exit(0); // Pyodide would keep Node running
