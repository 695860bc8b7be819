// A listing that a reader changes and runs: an editor in its place, with the whole kernel where the page shows a part, and
// below it what the emulator says of the launch that the build used for the listing.
import { Client, hindrance } from "./client.mjs";
import { countsTable } from "./counts.mjs";
import { codeEditor } from "./editor.mjs";
import { Launch } from "./launch.mjs";
import { showKept } from "./offline_copy.mjs";
import { Status, element, elementsOf } from "./status.mjs";

const FIXED = "Fixed: in this run, the emulator finds nothing wrong any more.";
const client = new Client();

/**
 * @param {Element} listing whose data-listing names its file
 * @param {HTMLButtonElement} button that was pressed, and is not needed while the editor is there
 */
export async function open(listing, button) {
    const panel = element("section", "answer-panel");
    const status = new Status();
    panel.append(status.root);
    const why = hindrance();
    if (why) {
        listing.append(panel);
        return status.say(`${why} Use Chrome or Edge from version 137 on, or Firefox from 153 on.`);
    }
    const name = listing.dataset.listing.replace(/\.cu$/, ".json");
    const response = await fetch(new URL(`listings/${name}`, import.meta.url));
    const { kernel, source, launches, fields } = await response.json();
    listing.append(panel);
    panel.setAttribute("aria-label", `${kernel}, to change and to run`);

    const code = listing.querySelector("div.highlight");
    const start = () => ("part" in listing.dataset ? source.trimEnd() : shown(code));
    const run = element("button", "answer-check", "Run");
    const choice = choose(launches);
    const place = element("div");
    // Where the page has a report beside the listing, that of a run takes its place.
    const beside = listing.closest(".bug-and-report")?.querySelector(".tried-here");
    const results = beside ?? element("div", "answer-results");
    const before = [...results.childNodes];
    const pane = beside && listing.closest(".bug-and-report").querySelector(".pane-film");
    const film = pane && { title: pane.querySelector(".pane-title p"), drawn: pane.querySelector("figure") };
    const filmed = film?.title.textContent;
    const { view, tools, put } = codeEditor(start(), {
        label: `${kernel}, to change. Control and Enter run it.`,
        run: () => launch(),
        start,
        changed: () => mark(),
    });
    const close = element("button", "", "Close");
    const bar = element("div", "answer-bar");
    const text = element("div", "answer-editor");
    for (const one of [run, close]) one.type = "button";
    bar.append(run, element("kbd", "answer-key", "Ctrl + Enter"), ...(launches.length > 1 ? [choice] : []), ...tools, close);
    text.append(view.dom);
    panel.prepend(text, bar, place);
    if (!beside) panel.append(results);
    code.hidden = true;
    button.hidden = true;
    view.focus();

    let ran; // what the results are of
    let last; // {counts, outputs} of the run before
    let chosen;
    const asked = () => JSON.stringify([view.state.doc.toString(), choice.value, chosen.words]);
    const mark = () => {
        if (ran === undefined) return;
        const earlier = results.classList.toggle("of-earlier-text", ran !== asked());
        status.say(earlier ? "These results are from before your last change." : "");
        if (earlier) status.line.classList.remove("all-points");
    };
    const tell = () => {
        chosen = new Launch(kernel, launches[choice.value], mark);
        place.replaceChildren(chosen.root);
        mark();
    };
    tell();
    choice.addEventListener("change", tell);
    run.addEventListener("click", () => launch());
    const switches = listing.closest(".ks");
    const follow = ({ target }) => target.closest(".ks-switches") && put(shown(code));
    switches?.addEventListener("change", follow);
    close.addEventListener("click", () => {
        switches?.removeEventListener("change", follow);
        view.destroy();
        panel.remove();
        results.replaceChildren(...before);
        results.classList.remove("of-earlier-text");
        if (film) showFilm("", filmed);
        code.hidden = button.hidden = button.disabled = false;
        button.focus();
    });

    function showFilm(html, title) {
        pane.querySelector(".answer-report")?.remove();
        film.drawn.hidden = Boolean(html);
        if (html) pane.append(...elementsOf([{ html }]));
        film.title.textContent = title;
    }

    async function launch() {
        if (run.ariaDisabled === "true") return;
        let launch;
        try {
            launch = chosen.read();
        } catch (error) {
            return status.say(error.message);
        }
        run.ariaDisabled = "true"; // not disabled: it would lose the focus
        status.line.classList.remove("all-points");
        results.replaceChildren();
        results.classList.remove("of-earlier-text");
        const running = asked();
        ran = undefined;
        const { counts, wrong } = launches[choice.value];
        let fixed = false;
        let drawn = "";
        status.say("Running ...");
        try {
            await client.ask({ type: "run", source: view.state.doc.toString(), kernel, launch: JSON.stringify(launch) }, (reply) => {
                if (status.take(reply)) return;
                results.append(...elementsOf(reply.shown));
                if (reply.printed) results.append(element("pre", "", reply.printed));
                for (const output of reply.outputs) results.append(...valuesOf(output, last?.outputs));
                if (reply.counts) {
                    const all = [["in the book", counts], ["your last run", last?.counts], ["this run", reply.counts]];
                    results.append(countsTable("What the launch did to memory", fields, all.filter(([, one]) => one)));
                }
                fixed = wrong && reply.right;
                drawn = reply.film;
                last = reply;
            });
            if (!film && drawn) results.append(...elementsOf([{ html: drawn }]));
            if (film) showFilm(drawn, drawn ? "What happened in your run" : `${filmed} before you changed the kernel`);
            ran = running;
            mark();
            if (fixed) status.say(FIXED);
            status.line.classList.toggle("all-points", fixed);
            if (!document.querySelector(".kept-files")) await showKept(panel);
        } catch (error) {
            status.say(`${error.message} Press Run to try again.`);
        } finally {
            run.ariaDisabled = "false";
        }
    }
}

// The first values of an array that a launch changed, in bold where the run before gave others.
function valuesOf({ name, size, values }, before) {
    const old = before?.find((one) => one.name === name)?.values;
    const line = element("pre", "try-values");
    line.tabIndex = 0; // it may scroll
    for (const [i, value] of values.entries())
        line.append(old && old[i] !== value ? element("b", "", value) : value, (i + 1) % 16 ? " " : "\n");
    const words = values.length < size ? `The first ${values.length} of the ${size} elements` : `The ${size} elements`;
    const changed = old ? ", in bold where your last run gave others" : "";
    return [element("p", "try-caption", `${words} of ${name} after the launch${changed}:`), line];
}

// The text of a listing as the page shows it now: without line numbers, and without lines that are switched off.
function shown(code) {
    const copy = code.querySelector("pre").cloneNode(true);
    for (const out of copy.querySelectorAll(".linenos, .ks-out")) out.remove();
    return copy.textContent.trimEnd();
}

function choose(launches) {
    const choice = element("select");
    choice.setAttribute("aria-label", "Launch");
    for (const [number, { label }] of launches.entries()) {
        const option = element("option", "", label);
        option.value = number;
        choice.append(option);
    }
    return choice;
}
