// How a page shows what the worker reports: the progress of what it loads, and reports.

import { isCostly } from "./offline_copy.mjs";

const MB = 1e6;
const BOOK = new URL("../../", import.meta.url);

export class Status {
    constructor() {
        this.root = element("div");
        this.line = element("p", "answer-status");
        this.line.setAttribute("role", "status");
        this.progress = element("progress", "answer-progress");
        this.progress.setAttribute("aria-label", "Loading the compiler");
        this.progress.hidden = true;
        this.detail = element("p", "answer-detail"); // which nobody has to hear: it changes often
        this.root.append(this.line, this.detail, this.progress);
    }

    /** Show a sentence, and `more` elements behind it; nothing is being loaded any more. */
    say(text, ...more) {
        this.progress.hidden = true;
        this.detail.textContent = "";
        if (!more.length && text === this.line.textContent) return; // or a screen reader would read it again
        this.line.replaceChildren(text, ...more);
    }

    /** Show in small print what is being done. */
    note(text) {
        this.detail.textContent = text;
    }

    /** Show a report on loading. Returns whether it was one. */
    take({ type, done, total }) {
        if (type === "loaded") this.say("Starting the compiler ...");
        else if (type === "progress") {
            const [now, all] = [done, total].map((bytes) => Math.round(bytes / MB));
            const rest = isCostly() ? "" : ", and then downloads the rest of the book";
            this.say(`Loading the compiler: ${now} of ${all} MB. Your browser keeps it for next time${rest}.`);
            this.progress.hidden = done >= total;
            this.progress.max = total;
            this.progress.value = done;
        } else return false;
        return true;
    }
}

/** Elements for what is shown: lines, and reports with their style and player. */
export function elementsOf(shown) {
    return shown.map(({ text, html }) => (html === undefined ? element("p", "answer-line", text) : embedded(html)));
}

// A script that is only inserted would not run. Links are below the book's folder.
function embedded(html) {
    const out = element("div", "answer-report");
    out.innerHTML = html;
    for (const link of out.querySelectorAll("a")) link.href = new URL(link.getAttribute("href"), BOOK);
    for (const old of out.querySelectorAll("script")) {
        const script = element("script");
        script.textContent = old.textContent;
        old.replaceWith(script);
    }
    return out;
}

export function element(tag, name = "", text = "") {
    const out = document.createElement(tag);
    if (name) out.className = name;
    if (text) out.textContent = text;
    return out;
}
