// The compiler, the emulator and the Python that judges, together. Nothing here knows the page: the worker gives it what it
// has loaded.
import { describe } from "../../../../autograder/emulator/host/protocol.mjs";
import { run } from "../../../../autograder/emulator/host/machine.mjs";

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
 * @param {Function} runLLVM of @yowasp/clang
 * @param {object} files what the compiler finds in /runtime, a tree
 * @param {Uint8Array} python the zip of `course_page.bundle`
 */
export function start(pyodide, runLLVM, files, python) {
    let last = { path: undefined, module: undefined };
    const decoder = new TextDecoder();
    pyodide.registerJsModule("page_host", {
        file: (size) => new PageFile(size),
        async compile(words, given) {
            let log = "";
            const parts = [];
            const options = {
                stdout: (bytes) => bytes && parts.push(bytes.slice()),
                stderr: (bytes) => bytes && (log += decoder.decode(bytes, { stream: true })),
                decodeASCII: false,
                fetchProgress() {},
            };
            // clang writes a few bytes at a time, and each time the package would copy the whole file. Not so stdout.
            const out = words.indexOf("-o") + 1;
            const piped = out > 0 && words[0] === "clang";
            let status = 0;
            let left = {};
            try {
                left = await runLLVM(piped ? words.with(out, "-") : words, { ...given, runtime: files }, options);
            } catch (error) {
                if (error.code === undefined) throw error;
                status = error.code || 1;
            }
            const made = piped && !status ? new Uint8Array(await new Blob(parts).arrayBuffer()) : left[words[out]];
            return { status, log, made };
        },
        async launch(path, bytes, request, arena, trace) {
            // Checks launch one kernel many times. Its path in the cache says what it is made of.
            if (last.path !== path) last = { path, module: new WebAssembly.Module(bytes) };
            return run(last.module, request, arena, trace, () => performance.now());
        },
    });
    pyodide.unpackArchive(python, "zip");
    describe(JSON.parse(pyodide.FS.readFile("autograder/emulator/protocol.json", { encoding: "utf8" })));
}
