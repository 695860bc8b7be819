// The compiler, the emulator and the Python that judges, together. Nothing here knows the page: the worker gives it what it
// has loaded.
import { describe } from "../../../../autograder/cuda/emulator/host/protocol.mjs";
import { run } from "../../../../autograder/cuda/emulator/host/machine.mjs";

// Bytes that Python and a launch share: what was written, by where it begins.
class PageFile {
    constructor(size) {
        this.size = size;
        this.parts = new Map();
    }

    read(start, length) {
        for (const [at, part] of this.parts)
            if (at <= start && start + length <= at + part.length) return part.subarray(start - at, start - at + length);
        return new Uint8Array(0);
    }

    write(start, bytes) {
        this.parts.set(start, bytes);
    }

    close() {
        this.parts.clear();
    }
}

/**
 * Gives Python the compiler, the emulator, and the package.
 *
 * @param {object} pyodide
 * @param {import("./compiler.mjs").Compiler} compiler
 * @param {WebAssembly.Module} runtime the emulator's
 * @param {object} words where variables of the runtime are, by name
 * @param {object} files what the compiler finds in /runtime, a tree
 * @param {Uint8Array} python the zip of `course_page.bundle`
 */
export function start(pyodide, compiler, runtime, words, files, python) {
    let last = { path: undefined, module: undefined };
    pyodide.unpackArchive(python, "zip");
    Object.assign(pyodide.pyimport("page_host"), {
        words: pyodide.toPy(words),
        file: (size) => new PageFile(size),
        compile: (words, given) => compiler.run(words, { ...given, runtime: files }),
        async launch(path, bytes, request, arena, trace) {
            // Checks launch one kernel many times. Its path in the cache says what it is made of.
            if (last.path !== path) last = { path, module: new WebAssembly.Module(bytes) };
            return run(runtime, last.module, request, arena, trace, () => performance.now());
        },
    });
    describe(JSON.parse(pyodide.FS.readFile("autograder/cuda/emulator/protocol.json", { encoding: "utf8" })));
}
