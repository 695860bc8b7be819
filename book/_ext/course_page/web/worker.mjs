// Loads the compiler and Python once, and then answers questions: see client.mjs.
import { start } from "./engine.mjs";

const BASE = new URL("./", import.meta.url);
let loading;
let current = { notebook: undefined, judge: undefined };

onmessage = async ({ data }) => {
    try {
        loading ??= load();
        await { load: ready, check, run, mistakes }[data.type](await loading, data);
        postMessage({ type: "done" });
    } catch (error) {
        loading = undefined;
        current = {};
        postMessage({ type: "failed", why: sentenceOf(error) });
    }
};

function ready(python) {
    python.pyimport("page.judging");
}

async function check(python, { notebook, cases, name, answers }) {
    if (current.notebook !== notebook) {
        const tell = (json) => postMessage({ type: "shown", ...JSON.parse(json) });
        current = { notebook, judge: python.pyimport("page.judging").Judge(notebook, await text(new URL(cases)), tell) };
    }
    await current.judge.check.callPromising(python.toPy(answers), name);
}

async function run(python, { source, kernel, launch }) {
    const json = await python.pyimport("page.running").run_kernel.callPromising(source, kernel, launch);
    postMessage({ type: "ran", ...JSON.parse(json) });
}

async function mistakes(python, { source }) {
    const json = await python.pyimport("page.mistakes").find_mistakes.callPromising(source);
    postMessage({ type: "mistakes", found: JSON.parse(json) });
}

class DownloadError extends Error {}

function sentenceOf(error) {
    if (error instanceof DownloadError) return error.message;
    if (/out of memory|allocation failed|could not allocate/i.test(error.message))
        return "This device has too little memory left for the check: close other pages and try again.";
    return `The check failed through no fault of your answer: ${error.message.trim().split("\n").at(-1)}`;
}

async function load() {
    const manifest = JSON.parse(await text(new URL("manifest.json", BASE)));
    const counted = count(manifest.sizes);
    const bytes = async (name) => new Uint8Array(await (await fetch(new URL(name, BASE))).arrayBuffer());
    const [{ loadPyodide }, { runLLVM }] = await Promise.all([
        import(new URL("pyodide/pyodide.mjs", BASE).href),
        import(new URL("clang/bundle.js", BASE).href),
    ]);
    const files = structuredClone(manifest.headers);
    const quiet = { stdout: null, stderr: null, fetchProgress() {} };
    const [pyodide, python] = await Promise.all([
        loadPyodide({ indexURL: new URL("pyodide/", BASE).href }),
        bytes("python.zip"),
        ...["prelude.pch", "emulator.o", "math.o"].map(async (name) => (files[name] = await bytes(name))),
        runLLVM(["clang", "--version"], {}, quiet),
    ]);
    await Promise.all(counted);
    postMessage({ type: "loaded" });
    start(pyodide, runLLVM, files, python);
    return pyodide;
}

async function text(url) {
    return (await fetch(url)).text();
}

// Every download from here on is counted; the promises say when each was. The compiler's headers of C, which a kernel must not include, are left out.
function count(sizes) {
    const fetched = self.fetch.bind(self);
    const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
    const counted = [];
    let done = 0;
    self.fetch = async (address, options) => {
        const url = new URL(address.url ?? address);
        const name = url.href.slice(BASE.href.length);
        if (name.endsWith("llvm-resources.tar")) return new Response(new ArrayBuffer(1024));
        let response;
        try {
            response = await fetched(address, options);
        } catch {
            response = undefined;
        }
        if (!response?.ok) {
            const why = response ? `the server answered ${response.status}` : "see that this device is online";
            throw new DownloadError(`${url.pathname.split("/").at(-1)} could not be downloaded: ${why}, and try again.`);
        }
        if (!(name in sizes)) return response;
        // Of a copy: the browser keeps what it has compiled, but only of the answer that it was given itself.
        counted.push(countBytes(response.clone().body.getReader()));
        return response;
    };
    return counted;

    async function countBytes(reader) {
        try {
            for (let part = await reader.read(); !part.done; part = await reader.read()) {
                done += part.value.length;
                postMessage({ type: "progress", done, total });
            }
        } catch {} // whoever reads the answer itself is told
    }
}
