// An exercise's page: its answers become editors when the reader writes, with a panel below each to check it. Nothing heavy
// is loaded before; and of the compiler nothing before a check, but where all of it is kept.
import { Answers } from "./answers.mjs";
import { Client, hindrance } from "./client.mjs";
import { files } from "./files.mjs";
import { isWhole, showKept } from "./offline_copy.mjs";
import { NOT_KEPT, offer } from "./offer.mjs";
import { Panel } from "./panel.mjs";
import { nameOf } from "./progress.mjs";
import { element } from "./status.mjs";

const sentence = document.querySelector(".how-to-work");
const link = sentence?.querySelector("a[download]");
if (link) begin(link.href).catch((error) => console.error(error));

async function begin(address) {
    const notebook = await fetch(address).then((response) => response.ok && response.json()).catch(() => undefined);
    if (!notebook)
        return say("The exercise could not be downloaded: check that this device is online, and reload the page, or ", colab(), ".");
    const shown = [...document.querySelectorAll("article div.cell")];
    const code = notebook.cells.filter((cell) => cell.cell_type === "code");
    if (shown.length !== code.length) throw new Error("The page does not show the cells of its notebook.");
    const page = decodeURIComponent(new URL(address).pathname).replace(/^.*_sources\//, "").replace(/\.ipynb$/, "");
    const why = hindrance();
    if (why) return say(`${why} Use Chrome or Edge from version 137 on, Firefox from 153 on, or `, colab(), ".");

    const answers = new Answers(notebook, page);
    const client = new Client();
    const asked = { notebook: JSON.stringify(notebook), cases: new URL(`cases/${page}.json`, import.meta.url).href };
    const judge = {
        check: (name, texts, tell, signal) => client.ask({ type: "check", ...asked, name, answers: texts }, tell, signal),
        async count(name, all) {
            let counted;
            const take = (reply) => reply.type === "counted" && (counted = reply);
            await client.ask({ type: "count", ...asked, name, answers: all }, take);
            return counted;
        },
    };
    let prepared;
    const prepare = async () => {
        if (await isWhole()) prepared = client.ask({ type: "load" }, () => {}).catch(() => {}); // a check will say why
    };
    // While the reader writes, and only once the compiler is loaded. A text without mistakes is compiled for the next check.
    let ahead;
    const mistakes = async (source) => {
        let found = [];
        await prepared;
        await ahead;
        if (!client.idle) return found;
        await client.ask({ type: "mistakes", source }, (reply) => (found = reply.found ?? [])).catch(() => {});
        if (client.idle && !found.length) ahead = client.ask({ type: "ahead", source }, () => {}).catch(() => {});
        return found;
    };
    const places = new Map(); // exercise -> the last of its answer cells on the page
    for (const [number, cell] of code.entries()) {
        if (!answers.has(cell.id)) continue;
        const place = shown[number];
        offer(place, answers, cell.id, () => panels.get(answers.nameOf(cell.id)).check(), mistakes);
        place.addEventListener("focusin", prepare, { once: true });
        places.set(answers.nameOf(cell.id), place);
    }
    const panels = new Map();
    const about = { exercises: places.size, edition: nameOf(asked.notebook) };
    for (const [name, place] of places) panels.set(name, new Panel(name, place, answers, judge, about));
    const inWords = [...answers.points.keys()];
    let { bar } = [...panels.values()].at(-1); // of the last answer
    for (const paragraph of document.querySelectorAll("article .answer-in-words")) {
        const id = inWords.shift();
        const place = element("div");
        place.append(element("div", "cell_input", answers.stubs.get(id)));
        paragraph.replaceWith(place);
        offer(place, answers, id, () => {});
        bar = element("div", "answer-bar");
        const most = answers.points.get(id);
        place.append(element("p", "", `A person grades this answer, not a check. It is worth up to ${most} points.`), bar);
    }
    bar.append(...files(answers));
    link.remove(); // which gives the notebook without the answers
    document.querySelector("article").classList.add("answers-here");
    const tellWhatIsKept = () => {
        for (const line of document.querySelectorAll(".answer-unkept")) line.hidden = answers.isKept;
        const kept = answers.isKept ? "What you write is kept in this browser." : NOT_KEPT;
        const last = "Below the last answer you can download the notebook to hand in.";
        say(`Answer here: write in the page, and press Check below your answer. ${kept} ${last}`);
    };
    tellWhatIsKept();
    answers.listeners.push(tellWhatIsKept);
    // The panels run the checks, whose cells would do nothing here.
    for (const [number, { metadata }] of code.entries())
        if (metadata.nbgrader?.grade && !metadata.nbgrader.solution) shown[number].classList.add("of-notebooks");
    foldContract(shown, code);
    leadToAnswer(places.values().next().value);
    await showKept(sentence);
}

// What the checks know, in Python: who wants it opens it.
function foldContract(shown, code) {
    for (const [number, { id, metadata }] of code.entries()) {
        const about = metadata.nbgrader;
        if (!about || about.solution || about.grade || id === "setup") continue;
        const fold = element("details");
        shown[number].replaceWith(fold);
        fold.append(element("summary", "", "Show the contract"), shown[number]);
    }
}

function leadToAnswer(place) {
    const link = element("a", "sd-btn sd-btn-primary", "Write your answer");
    place.id ||= "your-answer";
    link.href = `#${place.id}`;
    const skip = element("a", "", "Skip to your answer"); // for a reader who goes by Tab, after the theme's own
    skip.href = link.href;
    const go = (event) => {
        event.preventDefault(); // following the link would take the focus away again
        place.scrollIntoView();
        place.querySelector(".answer-write, .cm-content").focus({ preventScroll: true });
    };
    for (const way of [link, skip]) way.addEventListener("click", go);
    document.querySelector("#pst-skip-link")?.append(skip);
    const buttons = sentence.querySelector(".start-buttons");
    for (const other of buttons.querySelectorAll(".sd-btn-primary")) other.classList.replace("sd-btn-primary", "sd-btn-outline-primary");
    buttons.prepend(link);
}

function say(...parts) {
    sentence.querySelector("p").replaceChildren(...parts);
}

function colab() {
    const link = document.createElement("a");
    link.href = sentence.querySelector('a[href*="colab"]').href;
    link.textContent = "work on it in Colab";
    return link;
}
