// Starts Python and the package once, when the book is built, and keeps its memory. A page goes on from there (loading.mjs):
// node snapshot.mjs PYODIDE ZIP TARGET, where PYODIDE is a folder.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [folder, zip, target] = process.argv.slice(2);
const IMPORT = `
import gc

import page.judging, page.mistakes, page.running, page.standard_library

gc.collect()
`;

const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: `${folder}/`, _makeSnapshot: true });
pyodide.unpackArchive(new Uint8Array(fs.readFileSync(zip)), "zip");
pyodide.runPython(IMPORT);
fs.writeFileSync(target, gzipSync(pyodide.makeMemorySnapshot(), { level: 9 }));
process.exit(0); // Pyodide would keep Node running
