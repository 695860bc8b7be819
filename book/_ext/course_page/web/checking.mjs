// Checks answers in a worker, which loads the compiler on the first check.
import { begin, keepRest } from "./kept.mjs";

const MEMORY64 = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 4, 1]);
/** Milliseconds without a word from the worker after which it is given up. */
const PATIENCE = 60_000;

/** Why this browser cannot check answers, in a sentence; empty if it can. */
export function hindrance() {
    if (!("Suspending" in WebAssembly) || !WebAssembly.validate(MEMORY64))
        return (
            "This browser cannot run the exercises' emulator yet, which needs WebAssembly with 64-bit memory and JSPI: " +
            "use Chrome or Edge from version 137 on, or Colab."
        );
    return "";
}

export class Checking {
    constructor(notebook, cases) {
        this.notebook = notebook;
        this.cases = cases;
    }

    /**
     * Check the answers to one exercise.
     *
     * @param {string} name of the exercise
     * @param {object} answers texts by cell
     * @param {(told: object) => void} tell takes what the worker says
     * @returns {Promise<void>} rejected with a sentence if it cannot be checked
     */
    async check(name, answers, tell) {
        if (!this.worker) await begin();
        this.worker ??= new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
        await new Promise((resolve, reject) => {
            let timer;
            const end = (why) => {
                clearTimeout(timer);
                this.worker.onmessage = this.worker.onerror = null;
                if (!why) return resolve();
                this.worker.terminate();
                this.worker = undefined;
                reject(new Error(why));
            };
            const wait = () => {
                clearTimeout(timer);
                timer = setTimeout(() => end(`Nothing was heard of the check for ${PATIENCE / 1000} seconds, so it was stopped.`), PATIENCE);
            };
            this.worker.onerror = (event) => {
                event.preventDefault();
                end(`The check could not run: ${event.message ?? "the compiler was not loaded"}.`);
            };
            this.worker.onmessage = ({ data }) => {
                wait();
                if (data.type === "done") end();
                else if (data.type === "failed") end(data.why);
                else tell(data);
            };
            wait();
            this.worker.postMessage({ name, answers, notebook: JSON.stringify(this.notebook), cases: this.cases.href });
        });
        await keepRest();
    }
}
