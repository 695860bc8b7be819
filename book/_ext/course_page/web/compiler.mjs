// The compiler's programs, which are one. At first only the part of it that kernels need is there (compiler_parts.py): a text
// that needs more traps, and is compiled again by the whole one, which is loaded for it. All later texts get that one, too.
import { Exit, System } from "./system.mjs";

/** The log's end if the program trapped: for want of memory (as clang.py reads it), or of stack, or of a function. */
const FULL = "out of memory";
const LACKS = "clang frontend command failed";
/** Bytes of memory, of 4 GB, behind which a program that traps has found no more. */
const NEARLY_ALL = 3e9;

export class Compiler {
    #module;
    #loadWhole;

    /**
     * @param {Promise<WebAssembly.Module>} part of the compiler
     * @param {() => Promise<WebAssembly.Module>} loadWhole gives the whole one
     */
    constructor(part, loadWhole) {
        this.#module = part;
        this.#loadWhole = loadWhole;
    }

    /**
     * Run a program once.
     *
     * @param {string[]} words its name and arguments
     * @param {object} files what it finds, a tree (system.mjs)
     * @returns {Promise<{status: number, log: string, made: Uint8Array | undefined}>} `made` is the file behind -o
     */
    async run(words, files) {
        const done = attempt(await this.#module, words, files);
        if (!done.log.endsWith(LACKS) || !this.#loadWhole) return done;
        this.#module = this.#loadWhole();
        this.#loadWhole = undefined;
        return attempt(await this.#module, words, files);
    }
}

function attempt(module, words, files) {
    // For a file, clang would take more: it writes another one, and renames it.
    const out = words.indexOf("-o") + 1;
    const piped = out > 0 && words[0] === "clang";
    const system = new System(["llvm", ...(piped ? words.with(out, "-") : words)], files);
    const { exports } = new WebAssembly.Instance(module, system.imports(module));
    system.attach(exports.memory);
    let [status, trapped] = [0, false];
    try {
        exports._start();
    } catch (error) {
        if (error instanceof Exit) status = error.status;
        else if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) trapped = true;
        else throw error;
    }
    let log = new TextDecoder().decode(system.messages.content);
    if (trapped) {
        status = 134;
        log += exports.memory.buffer.byteLength > NEARLY_ALL ? FULL : LACKS;
    }
    const made = piped ? system.output.content : system.content(words[out]);
    return { status, log, made: status ? undefined : made };
}
