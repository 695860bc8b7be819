// The compiler's programs. At first only the part of them that kernels need is there (compiler_parts.py): a text that needs
// more traps, and is compiled again by the whole one, which is loaded for it. All later texts get that one, too.

export class Compiler {
    #run;
    #loadWhole;

    /**
     * @param {Promise<Function>} part runLLVM of @yowasp/clang, with the part
     * @param {() => Promise<Function>} loadWhole gives the whole one's
     */
    constructor(part, loadWhole) {
        this.#run = part;
        this.#loadWhole = loadWhole;
    }

    /**
     * Run a program once.
     *
     * @param {string[]} words its name and arguments
     * @param {object} files what it finds, a tree
     * @returns {Promise<{status: number, log: string, made: Uint8Array | undefined}>} `made` is the file behind -o
     */
    async run(words, files) {
        try {
            return await attempt(await this.#run, words, files);
        } catch (error) {
            if (!this.#loadWhole || !(error instanceof WebAssembly.RuntimeError)) throw error;
        }
        this.#run = this.#loadWhole();
        this.#loadWhole = undefined;
        return attempt(await this.#run, words, files);
    }
}

async function attempt(runLLVM, words, files) {
    let log = "";
    const decoder = new TextDecoder();
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
        left = await runLLVM(piped ? words.with(out, "-") : words, files, options);
    } catch (error) {
        if (error.code === undefined) throw error;
        status = error.code || 1;
    }
    const made = piped && !status ? new Uint8Array(await new Blob(parts).arrayBuffer()) : left[words[out]];
    return { status, log, made };
}
