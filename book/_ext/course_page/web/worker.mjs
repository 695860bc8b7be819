// Loads the compiler and Python once, and then answers questions: see client.mjs.
import { failed, failure, load, text } from "./loading.mjs";

let loading;
let current = { notebook: undefined, judge: undefined };

postMessage({ type: "here" }); // so the page knows that this script has been loaded

onmessage = async ({ data }) => {
    try {
        await Promise.race([failed, answer(data)]);
        postMessage({ type: "done" });
    } catch (error) {
        postMessage({ type: "failed", why: sentenceOf(failure ?? error), afresh: failure?.isKept });
    }
};

async function answer(question) {
    loading ??= load(question.afresh);
    await { load() {}, check, count, run, mistakes, ahead }[question.type](await loading, question);
}

async function check(python, { name, answers, ...exercises }) {
    await (await judgeOf(python, exercises)).check.callPromising(python.toPy(answers), name);
}

async function count(python, { name, answers, ...exercises }) {
    const json = await (await judgeOf(python, exercises)).count.callPromising(python.toPy(answers), name);
    postMessage({ type: "counted", ...JSON.parse(json) });
}

async function judgeOf(python, { notebook, cases }) {
    if (current.notebook !== notebook) {
        const tell = (json) => postMessage({ type: "shown", ...JSON.parse(json) });
        current = { notebook, judge: await python.pyimport("page.judging").Judge.callPromising(notebook, await text(new URL(cases)), tell) };
    }
    return current.judge;
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
    if (/out of memory|allocation failed|could not allocate/i.test(error.message))
        return "This device has too little memory left for the check: close other pages.";
    if (error === failure) return error.message;
    return `The check itself failed; your answer is not the cause: ${error.message.trim().split("\n").at(-1)}`;
}
