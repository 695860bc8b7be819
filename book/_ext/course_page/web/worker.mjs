// Loads the compiler and Python once, and then answers questions: see client.mjs.
import { DownloadError, load, text } from "./loading.mjs";

let loading;
let current = { notebook: undefined, judge: undefined };

onmessage = async ({ data }) => {
    try {
        loading ??= load();
        await { load() {}, check, run, mistakes, ahead }[data.type](await loading, data);
        postMessage({ type: "done" });
    } catch (error) {
        loading = undefined;
        current = {};
        postMessage({ type: "failed", why: sentenceOf(error) });
    }
};

async function check(python, { notebook, cases, name, answers }) {
    if (current.notebook !== notebook) {
        const tell = (json) => postMessage({ type: "shown", ...JSON.parse(json) });
        current = { notebook, judge: await python.pyimport("page.judging").Judge.callPromising(notebook, await text(new URL(cases)), tell) };
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

async function ahead(python, { source }) {
    await python.pyimport("page.mistakes").compile_ahead.callPromising(source);
}

function sentenceOf(error) {
    if (error instanceof DownloadError) return error.message;
    if (/out of memory|allocation failed|could not allocate/i.test(error.message))
        return "This device has too little memory left for the check: close other pages and try again.";
    return `The check failed through no fault of your answer: ${error.message.trim().split("\n").at(-1)}`;
}
