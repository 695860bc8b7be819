// The compiler's programs, which are one. At first only the part of it that kernels need is there (compiler_parts.py): a text
// that needs more traps, and is compiled again by the whole one, which is loaded for it. All later texts get that one, too.
import { Exit, System } from "./system.mjs";

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
        try {
            return attempt(await this.#module, words, files);
        } catch (error) {
            if (!this.#loadWhole || !(error instanceof WebAssembly.RuntimeError)) throw error;
        }
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
    let status = 0;
    try {
        exports._start();
    } catch (error) {
        if (!(error instanceof Exit)) throw error;
        status = error.status;
    }
    const log = new TextDecoder().decode(system.messages.content);
    const made = piped ? system.output.content : system.content(words[out]);
    return { status, log, made: status ? undefined : made };
}
