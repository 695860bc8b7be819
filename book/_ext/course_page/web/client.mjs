// The worker that compiles and runs kernels: one for a page, begun by the first question.
import { begin, keepRest } from "./offline_copy.mjs";

const MEMORY64 = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 4, 1]);
/** Milliseconds without a word from the worker after which it is given up. (Endless kernels are stopped long before. A slow or
 * busy machine may take a minute to start the compiler.) */
const PATIENCE = 180_000;
const SILENT =
    `The check did not report for ${PATIENCE / 1000} seconds, so it was stopped: this device is very busy, or the source is ` +
    "more than the compiler can do.";
/** The error's message after a stop that was asked for. */
export const STOPPED = "The check was stopped.";
/** Milliseconds that its own script may take to come. */
const SCRIPT_PATIENCE = 30_000;

/** Why this browser cannot run kernels, in a sentence; empty if it can. */
export function hindrance() {
    if (!("Suspending" in WebAssembly) || !WebAssembly.validate(MEMORY64))
        return "This browser cannot run the emulator yet: it needs WebAssembly with 64-bit memory and JSPI.";
    return "";
}

export class Client {
    #worker;
    #before = Promise.resolve(); // the question that is being answered
    #asked = 0; // questions that are not answered yet
    #loaded = false;
    #afresh = false; // whether what the browser keeps may be why the last worker failed

    /** Whether the compiler is loaded and has nothing to do: then a small question is answered at once. */
    get idle() {
        return this.#loaded && !this.#asked;
    }

    /**
     * Ask the worker one question, when it has answered those before:
     *
     * - {type: "check", notebook, cases, name, answers}: check exercise `name` of the released `notebook` (JSON), whose
     *   cases are at the address `cases`, with `answers` (texts by cell). Tells {type: "shown", ...} of each cell.
     * - {type: "count", notebook, cases, name, answers}: what several right answers to exercise `name` cost. Tells
     *   {type: "counted", of, counts}: see in_page/judging.py.
     * - {type: "run", source, kernel, launch}: run a kernel that belongs to no exercise; `launch` is JSON of pack_launch
     *   (in_page/cases.py). Tells {type: "ran", shown, counts, printed}: see in_page/running.py.
     * - {type: "mistakes", source}: what the compiler says of a text. Tells {type: "mistakes", found}: see
     *   in_page/mistakes.py.
     * - {type: "ahead", source}: nothing; the kernel of a text is compiled, for the check that may follow.
     * - {type: "load"}: nothing; what answers the others is loaded now.
     *
     * The first question loads the compiler: {type: "progress", done, total} in bytes on the network, then {type: "loaded"}.
     *
     * @param {object} question
     * @param {(reply: object) => void} tell takes what the worker says
     * @param {AbortSignal} [signal] stops it, and with it the worker; the next question begins another
     * @returns {Promise<void>} rejected with a sentence if there is no answer
     */
    ask(question, tell, signal) {
        this.#asked += 1;
        const answered = this.#before.then(() => this.#ask(question, tell, signal)).finally(() => (this.#asked -= 1));
        this.#before = answered.catch(() => {});
        return answered;
    }

    async #ask(question, tell, signal) {
        if (signal?.aborted) throw new Error(STOPPED);
        if (!this.#worker) await begin();
        let isHere = Boolean(this.#worker);
        this.#worker ??= new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
        const worker = this.#worker;
        await new Promise((resolve, reject) => {
            let timer;
            const end = (why) => {
                clearTimeout(timer);
                signal?.removeEventListener("abort", stop);
                worker.onmessage = worker.onerror = null;
                if (!why) {
                    this.#loaded = true;
                    return resolve();
                }
                worker.terminate();
                this.#worker = undefined;
                this.#loaded = false;
                reject(new Error(why));
            };
            const stop = () => end(STOPPED);
            signal?.addEventListener("abort", stop);
            const noScript = (why) => end(`worker.js could not be downloaded: ${why}.`);
            const wait = () => {
                clearTimeout(timer);
                timer = isHere
                    ? setTimeout(() => end(SILENT), PATIENCE)
                    : setTimeout(() => noScript(`nothing of it came for ${SCRIPT_PATIENCE / 1000} seconds`), SCRIPT_PATIENCE);
            };
            worker.onerror = (event) => {
                event.preventDefault();
                if (isHere) end(`The check could not run: ${event.message ?? "the compiler was not loaded"}.`);
                else noScript("check that this device is online");
            };
            worker.onmessage = ({ data }) => {
                isHere = true;
                wait();
                if (data.type === "done") end();
                else if (data.type === "failed") {
                    this.#afresh = Boolean(data.afresh);
                    end(data.why);
                } else if (data.type !== "here") tell(data);
            };
            wait();
            worker.postMessage({ ...question, afresh: this.#afresh });
        });
        if (question.type !== "mistakes" && question.type !== "ahead") await keepRest();
    }
}
