// An exercise's page: its answers become editors, with a panel below each to check it. Nothing heavy is loaded before the
// first check.
import { Answers } from "./answers.mjs";
import { Client, hindrance } from "./client.mjs";
import { showKept } from "./kept.mjs";
import { Panel } from "./panel.mjs";

const sentence = document.querySelector(".how-to-work");
const link = sentence?.querySelector("a[download]");
if (link) begin(link.href).catch((error) => console.error(error));

async function begin(address) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    const notebook = await response.json();
    const shown = [...document.querySelectorAll("article div.cell")];
    const code = notebook.cells.filter((cell) => cell.cell_type === "code");
    if (shown.length !== code.length) throw new Error("The page does not show the cells of its notebook.");
    const page = decodeURIComponent(new URL(address).pathname).replace(/^.*_sources\//, "").replace(/\.ipynb$/, "");
    const why = hindrance();
    if (why) return say(why);

    const answers = new Answers(notebook, page);
    const client = new Client();
    const asked = { type: "check", notebook: JSON.stringify(notebook), cases: new URL(`cases/${page}.json`, import.meta.url).href };
    const judge = (name, texts, tell) => client.ask({ ...asked, name, answers: texts }, tell);
    const { edit } = await import("./editor.mjs");
    const places = new Map(); // exercise -> the last of its answer cells on the page
    for (const [number, cell] of code.entries()) {
        if (!answers.has(cell.id)) continue;
        const place = shown[number];
        edit(place.querySelector(".cell_input"), answers, cell.id, () => panels.get(answers.nameOf(cell.id)).check());
        places.set(answers.nameOf(cell.id), place);
    }
    const panels = new Map();
    for (const [name, place] of places) panels.set(name, new Panel(name, place, answers, judge, panels));
    say("Answer here: write in the page, and press Check below your answer. What you write is kept in this browser.");
    await showKept(sentence);
}

function say(text) {
    sentence.querySelector("p").textContent = text;
}
