// Starts Python and the package once, when the book is built, and keeps its memory. A page goes on from there (loading.mjs):
// node snapshot.mjs PYODIDE ZIP TARGET IMPORTED, where PYODIDE is a folder. IMPORTED gets the files of ZIP that are modules in that
// memory, as JSON.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [folder, zip, target, imported] = process.argv.slice(2);
const IMPORT = `
import gc

import page.judging, page.mistakes, page.running, page.standard_library

gc.collect()
`;
const FILES = `
import json, os, sys

files = [os.path.relpath(module.__file__) for module in sys.modules.values() if getattr(module, "__file__", None)]
json.dumps([file for file in files if not file.startswith("..")])
`;

const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: `${folder}/`, _makeSnapshot: true });
pyodide.unpackArchive(new Uint8Array(fs.readFileSync(zip)), "zip");
pyodide.runPython(IMPORT);
fs.writeFileSync(target, gzipSync(pyodide.makeMemorySnapshot(), { level: 9 }));
fs.writeFileSync(imported, pyodide.runPython(FILES));
process.exit(0); // Pyodide would keep Node running
