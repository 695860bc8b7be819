// Compiles kernels as a page does, by a compiler that marks its functions (course_page/compiler_parts.py): node
// measure_compiler.mjs PAGE PYODIDE COMPILER TEXTS TARGET, of which the first two are folders. TEXTS is a JSON file of two
// lists of pairs, a kernel's name and a text; where there is no name, the text is only read for mistakes. TARGET gets the
// marks of the first list, and those of each text of the second one.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Compiler } from "../_ext/course_page/web/compiler.mjs";
import { start } from "../_ext/course_page/web/engine.mjs";

const [page, pyodideFolder, compilerModule, texts, target] = process.argv.slice(2);
const bytes = (name) => new Uint8Array(fs.readFileSync(path.join(page, name)));
const TRAIN = `
from contextlib import suppress

from autograder.cuda.compiler.machine_code import Build
from autograder.cuda.compiler.toolchain import compile_kernel, find_compile_errors, find_warnings
from autograder.cuda.errors import UsageError
from page.mistakes import find_mistakes

def train(name, source):
    if name:
        find_compile_errors(source)
        find_warnings(source)
        with suppress(UsageError):  # a template: its name is no instance
            compile_kernel(source, name, Build.WEBASSEMBLY)
    else:
        find_mistakes(source)
train
`;

let marks = [];
let marking; // the compiler's instance: each run has its own
WebAssembly.Instance = class extends WebAssembly.Instance {
    constructor(...given) {
        super(...given);
        marking = this.exports;
    }
};

class Marked extends Compiler {
    async run(...given) {
        try {
            return await super.run(...given);
        } finally {
            for (let n = 0; marking[`mark${n}`]; n++) marks[n] = (marks[n] ?? 0n) | marking[`mark${n}`].value;
        }
    }
}

const { loadPyodide } = await import(pathToFileURL(path.join(pyodideFolder, "pyodide.mjs")).href);
const files = JSON.parse(fs.readFileSync(path.join(page, "headers.json"), "utf8"));
for (const name of ["prelude.pch", "math.o"]) files[name] = bytes(name);
const words = JSON.parse(fs.readFileSync(path.join(page, "words.json"), "utf8"));
const pyodide = await loadPyodide({ indexURL: `${pyodideFolder}/` });
const compiler = new Marked(WebAssembly.compile(fs.readFileSync(compilerModule)));
start(pyodide, compiler, undefined, words, files, bytes("python.zip"));
const train = pyodide.runPython(TRAIN);
const compile = async (name, source) => {
    try {
        await train.callPromising(name, source);
    } catch (error) {
        console.error(`${error.message}\nThis was ${name || "a text with a mistake"}:\n${source}`);
        process.exit(1);
    }
};
const [together, apart] = JSON.parse(fs.readFileSync(texts, "utf8"));
for (const [name, source] of together) await compile(name, source);
const all = [marks];
for (const [name, source] of apart) {
    marks = [];
    await compile(name, source);
    all.push(marks);
}
fs.writeFileSync(target, `[${all.map((one) => `[${one.join(",")}]`).join(",\n")}]`); // numbers beyond 2^53
process.exit(0); // Pyodide would keep Node running
