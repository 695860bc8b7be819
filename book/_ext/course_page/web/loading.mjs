// Loads the compiler, Python and what they work with, and reports how far it is.
import { Compiler } from "./compiler.mjs";
import { start } from "./engine.mjs";

const BASE = new URL("./", import.meta.url);
const PART = "clang/llvm.core.wasm";
const WHOLE = "clang/llvm.whole.wasm";
/** A zip without files, in place of Python's own modules: those that checks use are in the memory that is loaded. */
const NO_FILES = "data:application/zip;base64,UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==";
/** Milliseconds between reports of the progress: the page has better things to do. */
const REPORT_INTERVAL = 250;
/** Seconds without a byte after which a download is given up. */
const SILENCE = 20;

const fetched = self.fetch.bind(self);

class DownloadError extends Error {
    /** @param {boolean} isKept whether the browser may have kept what is wrong */
    constructor(why, isKept) {
        super(why);
        this.isKept = isKept;
    }
}

let tellFailed;
/** Rejected when a download fails. Whoever asked for it may not notice: Pyodide waits without end. */
export const failed = new Promise((_, reject) => (tellFailed = reject));
failed.catch(() => {});
/** With what: the first error of a download, which is why the others came. */
export let failure;

/**
 * @param {boolean} afresh whether nothing may come from what the browser keeps, which may be why it failed before
 * @returns {Promise<object>} Pyodide, with the compiler, the emulator and the package
 */
export async function load(afresh) {
    const downloads = new Downloads(afresh ? "reload" : "default");
    const manifest = await fetch(new URL("manifest.json", BASE));
    const { sizes, hashes, headers, words, memory } = await manifest.json();
    downloads.expect(sizes, hashes, manifest.headers.has("content-encoding"));
    const bytes = async (name) => new Uint8Array(await (await fetch(new URL(name, BASE))).arrayBuffer());
    // The browser keeps what it has compiled, for later visits.
    const compiled = (name) => downloads.take(name, (response) => WebAssembly.compileStreaming(response));
    const files = structuredClone(headers);
    const loadWhole = async () => {
        downloads.takeWhole();
        const whole = await compiled(WHOLE);
        await downloads.counted();
        postMessage({ type: "loaded" });
        return whole;
    };
    const loadPython = async () => {
        // Whoever imports them does not learn what is wrong.
        await Promise.all(["pyodide/pyodide.mjs", "pyodide/pyodide.asm.mjs"].map(bytes));
        return python(downloads.take("python.memory.gz", (response) => unpacked(response, memory)));
    };
    const { instantiateStreaming } = WebAssembly;
    WebAssembly.instantiateStreaming = (response, imports) =>
        instantiateStreaming(response, imports).catch((error) => downloads.explain("pyodide/pyodide.asm.wasm", error));
    // Python begins while the compiler is still on its way.
    const part = compiled(PART);
    const [pyodide, runtime, zip] = await Promise.all([
        loadPython(),
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

async function unpacked(response, size) {
    const { body } = await response;
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

function tell(error) {
    failure ??= error;
    tellFailed(failure);
    return error;
}

// Every download from here on: counted, and if it fails, said why.
class Downloads {
    #cache;
    #sizes = {};
    #came = {}; // bytes of each file, unpacked
    #packed = false;
    #expected = []; // names of files
    #hashes = {};
    #arriving = new Map(); // by address: what is rejected if it fails
    #waiting = new Set(); // addresses of which something is missing
    #timer;
    #silence = 0; // seconds
    #reportedAt = 0;

    /** @param {RequestCache} cache */
    constructor(cache) {
        this.#cache = cache;
        self.fetch = (address, options) => this.#get(new URL(address.url ?? address, BASE), options);
        // The service worker may hold back a file until it has all of it.
        const root = new URL("../../", BASE).href;
        const held = {};
        new BroadcastChannel(root).onmessage = ({ data: { path, bytes } }) => {
            this.#silence = 0;
            const name = (root + path).slice(BASE.href.length);
            held[name] = (held[name] ?? 0) + bytes;
            this.#report(name, held[name]);
        };
    }

    /**
     * @param {object} sizes bytes of each file that is counted, as it is and by gzip, by name; the whole compiler is not
     *     among what is loaded at first
     * @param {object} hashes SHA-256 of files whose readers would not notice that they are damaged, by name
     * @param {boolean} packed whether the server compresses: then the network carries fewer bytes than arrive here
     */
    expect(sizes, hashes, packed) {
        this.#sizes = sizes;
        this.#hashes = hashes;
        this.#packed = packed;
        this.#expected = Object.keys(sizes).filter((name) => name !== WHOLE);
    }

    /** When all that was begun has arrived. */
    counted() {
        return Promise.all(this.#arriving.values());
    }

    /** From now on, the whole compiler is counted, too. */
    takeWhole() {
        this.#expected = [WHOLE];
    }

    // Of a file, `came` bytes are here. Reported are the bytes that the network has carried.
    #report(name, came) {
        if (!(name in this.#sizes)) return;
        this.#came[name] = Math.max(came, this.#came[name] ?? 0);
        if (performance.now() < this.#reportedAt + REPORT_INTERVAL) return;
        this.#reportedAt = performance.now();
        let [done, total] = [0, 0];
        for (const name of this.#expected) {
            const { size, gzip } = this.#sizes[name];
            const carried = this.#packed ? gzip : size;
            total += carried;
            done += carried * Math.min((this.#came[name] ?? 0) / size, 1);
        }
        postMessage({ type: "progress", done, total });
    }

    /** What `read` makes of a file, which it is given as it arrives. */
    async take(name, read) {
        try {
            return await read(fetch(new URL(name, BASE)));
        } catch (error) {
            return this.explain(name, error);
        }
    }

    /** Fail, since reading a file failed with `error`. */
    async explain(name, error) {
        if (error instanceof RangeError) throw tell(error); // too little memory
        const url = new URL(name, BASE);
        await this.#arriving.get(url.href);
        throw this.#damaged(url);
    }

    #failed(url, why, isKept = false) {
        return tell(new DownloadError(`${url.pathname.split("/").at(-1)} could not be downloaded: ${why}.`, isKept));
    }

    #damaged(url) {
        return this.#failed(url, "it arrived damaged", true);
    }

    async #get(url, options) {
        this.#wait(url);
        const response = await fetched(url, { ...options, cache: this.#cache }).catch(() => {
            throw this.#failed(url, "nothing answered; check that this device is online");
        });
        if (!response.ok) throw this.#failed(url, `the server answered ${response.status}`);
        if (response.headers.get("content-type")?.startsWith("text/html"))
            throw this.#failed(url, "a web page came in its place; if this network asks you to sign in, do so first", true);
        // Of a copy: the browser keeps what it has compiled, but only of the answer that it was given itself.
        const arriving = this.#count(url, response.clone().body.getReader());
        arriving.catch(() => {}); // `failed` tells
        this.#arriving.set(url.href, arriving);
        const name = url.href.slice(BASE.href.length);
        if (url.pathname.endsWith(".json") || name in this.#hashes) {
            await arriving;
            await this.#verify(url, this.#hashes[name], await response.clone().arrayBuffer());
        }
        return response;
    }

    async #verify(url, hash, bytes) {
        if (url.pathname.endsWith(".json")) {
            try {
                JSON.parse(new TextDecoder().decode(bytes));
            } catch {
                throw this.#damaged(url);
            }
        }
        if (!hash || !globalThis.crypto?.subtle) return; // which is missing where the address is not https
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
        if (Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") !== hash) throw this.#damaged(url);
    }

    async #count(url, reader) {
        const name = url.href.slice(BASE.href.length);
        let came = 0;
        const next = () =>
            reader.read().catch(() => {
                throw this.#failed(url, "the connection broke off");
            });
        for (let part = await next(); !part.done; part = await next()) {
            this.#silence = 0;
            came += part.value.length;
            this.#report(name, came);
        }
        this.#waiting.delete(url);
        if (!this.#waiting.size) clearInterval(this.#timer);
    }

    // Seconds are counted one by one: a device that slept, or a worker that was busy, has missed them.
    #wait(url) {
        if (!this.#waiting.size) {
            this.#silence = 0;
            this.#timer = setInterval(() => {
                this.#silence += 1;
                const [oldest] = this.#waiting;
                if (this.#silence > SILENCE) this.#failed(oldest, `nothing more of it came for ${SILENCE} seconds`);
            }, 1000);
        }
        this.#waiting.add(url);
    }
}
