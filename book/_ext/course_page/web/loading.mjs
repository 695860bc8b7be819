// Loads the compiler, Python and what they work with, and tells how far it is.
import { Compiler } from "./compiler.mjs";
import { start } from "./engine.mjs";

const BASE = new URL("./", import.meta.url);
const PART = "clang/llvm.core.wasm";
const WHOLE = "clang/llvm.whole.wasm";
/** A zip without files, in place of Python's own modules: those that checks use are in the memory that is loaded. */
const NO_FILES = "data:application/zip;base64,UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==";
/** Milliseconds between what is told of the progress: the page has better things to do. */
const TELLING = 250;

const fetched = self.fetch.bind(self);

export class DownloadError extends Error {}

/** @returns {Promise<object>} Pyodide, with the compiler, the emulator and the package */
export async function load() {
    const { sizes, headers, words, memory } = JSON.parse(await text(new URL("manifest.json", BASE)));
    const downloads = new Downloads(sizes);
    const bytes = async (name) => new Uint8Array(await (await fetch(new URL(name, BASE))).arrayBuffer());
    const files = structuredClone(headers);
    const loadWhole = async () => {
        downloads.takeWhole();
        const whole = await compiled(WHOLE);
        await downloads.counted();
        postMessage({ type: "loaded" });
        return whole;
    };
    // Python begins while the compiler is still on its way.
    const part = compiled(PART);
    const [pyodide, runtime, zip] = await Promise.all([
        python(unpacked("python.memory.gz", memory)),
        compiled("emulator.wasm"),
        bytes("python.rest.zip"),
        part,
        ...["prelude.pch", "math.o"].map(async (name) => (files[name] = await bytes(name))),
    ]);
    start(pyodide, new Compiler(part, loadWhole), runtime, words, files, zip);
    pyodide.pyimport("page.standard_library").load_when_needed(() => bytes("pyodide/python_stdlib.zip"));
    await downloads.counted();
    postMessage({ type: "loaded" });
    return pyodide;
}

async function python(memory) {
    const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", BASE).href);
    const pyodide = await loadPyodide({ indexURL: new URL("pyodide/", BASE).href, _loadSnapshot: memory, stdLibURL: NO_FILES });
    (await memory).buffer.transfer(0); // or Pyodide would keep the copy
    return pyodide;
}

async function unpacked(name, size) {
    const { body } = await fetch(new URL(name, BASE));
    const out = new Uint8Array(size);
    let at = 0;
    for await (const part of body.pipeThrough(new DecompressionStream("gzip"))) {
        out.set(part, at);
        at += part.length;
    }
    return out;
}

export async function text(url) {
    return (await fetch(url)).text();
}

// The browser keeps what it has compiled, for later visits.
function compiled(name) {
    return WebAssembly.compileStreaming(fetch(new URL(name, BASE)));
}

// Every download from here on is counted.
class Downloads {
    #sizes;
    #counting = [];
    #done = 0;
    #total;
    #told = 0; // when

    /** @param {object} sizes bytes, by name; the whole compiler's are not among what is loaded at first */
    constructor(sizes) {
        this.#sizes = sizes;
        this.#total = Object.entries(sizes).reduce((sum, [name, size]) => (name === WHOLE ? sum : sum + size), 0);
        self.fetch = (address, options) => this.#get(address.url ?? address, options);
    }

    /** When all that was begun has been counted. */
    counted() {
        return Promise.all(this.#counting);
    }

    /** From now on, the whole compiler is counted, too. */
    takeWhole() {
        this.#total = this.#done + this.#sizes[WHOLE];
    }

    async #get(address, options) {
        const url = new URL(address, BASE);
        let response;
        try {
            response = await fetched(url, options);
        } catch {
            response = undefined;
        }
        if (!response?.ok) {
            const why = response ? `the server answered ${response.status}` : "see that this device is online";
            throw new DownloadError(`${url.pathname.split("/").at(-1)} could not be downloaded: ${why}, and try again.`);
        }
        // Of a copy: the browser keeps what it has compiled, but only of the answer that it was given itself.
        if (url.href.slice(BASE.href.length) in this.#sizes) this.#counting.push(this.#count(response.clone().body.getReader()));
        return response;
    }

    async #count(reader) {
        try {
            for (let part = await reader.read(); !part.done; part = await reader.read()) {
                this.#done += part.value.length;
                if (performance.now() < this.#told + TELLING) continue;
                this.#told = performance.now();
                postMessage({ type: "progress", done: this.#done, total: this.#total });
            }
        } catch {} // whoever reads the answer itself is told
    }
}
