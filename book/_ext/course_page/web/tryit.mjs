// A listing that a reader changes and runs: an editor in its place, with the whole kernel where the page shows a part, and
// below it what the emulator says of the launch that the build used for the listing.
import { Client, hindrance } from "./client.mjs";
import { codeEditor } from "./editor.mjs";
import { showKept } from "./offline_copy.mjs";
import { Status, element, elementsOf } from "./status.mjs";

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
    const call = element("p", "try-call");
    // Where the page has a report beside the listing, that of a run takes its place.
    const beside = listing.closest(".bug-and-report")?.querySelector(".tried-here");
    const results = beside ?? element("div", "answer-results");
    const before = [...results.childNodes];
    const film = beside && listing.closest(".bug-and-report").querySelector(".pane-film .pane-title p");
    const filmed = film?.textContent;
    const { view, tools, put } = codeEditor(start(), {
        label: `${kernel}, to change. Control and Enter run it.`,
        run: () => launch(),
        start,
        changed: () => mark(),
    });
    const close = element("button", "", "Close");
    const bar = element("div", "answer-bar");
    const place = element("div", "answer-editor");
    for (const one of [run, close]) one.type = "button";
    bar.append(run, element("kbd", "answer-key", "Ctrl + Enter"), ...(launches.length > 1 ? [choice] : []), ...tools, close);
    place.append(view.dom);
    panel.prepend(place, bar, call);
    if (!beside) panel.append(results);
    code.hidden = true;
    button.hidden = true;
    view.focus();

    let ran; // what the results are of
    const asked = () => JSON.stringify([view.state.doc.toString(), choice.value]);
    const mark = () => {
        if (ran === undefined) return;
        const earlier = results.classList.toggle("of-earlier-text", ran !== asked());
        status.say(earlier ? "These results are from before your last change." : "");
    };
    const tell = () => {
        call.replaceChildren("Launch: ", element("code", "", launches[choice.value].call));
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
        if (film) film.textContent = filmed;
        code.hidden = button.hidden = button.disabled = false;
        button.focus();
    });

    async function launch() {
        if (run.ariaDisabled === "true") return;
        run.ariaDisabled = "true"; // not disabled: it would lose the focus
        results.replaceChildren();
        results.classList.remove("of-earlier-text");
        const running = asked();
        ran = undefined;
        const { launch, counts } = launches[choice.value];
        status.say("Running ...");
        try {
            await client.ask({ type: "run", source: view.state.doc.toString(), kernel, launch: JSON.stringify(launch) }, (told) => {
                if (status.take(told)) return;
                results.append(...elementsOf(told.shown));
                if (told.printed) results.append(element("pre", "", told.printed));
                if (told.counts) results.append(compare(fields, counts, told.counts));
            });
            status.say("");
            ran = running;
            mark();
            if (film) film.textContent = `${filmed} before you changed the kernel`;
            if (!document.querySelector(".kept-files")) await showKept(panel);
        } catch (error) {
            status.say(`${error.message} Press Run to try again.`);
        } finally {
            run.ariaDisabled = "false";
        }
    }
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

/** A table of counts: of the listing as it stands in the book, if its launch ends, and of this one. */
function compare(fields, before, now) {
    const table = element("table");
    table.append(element("caption", "", "What the launch did to memory"));
    const head = table.createTHead().insertRow();
    const body = table.createTBody();
    head.insertCell();
    for (const word of [...(before ? ["in the book"] : []), "this one"]) {
        const cell = element("th", "", word);
        cell.scope = "col";
        head.append(cell);
    }
    for (const field of fields) {
        if (!now[field] && !before?.[field]) continue;
        const row = body.insertRow();
        const name = element("th", "", field.replaceAll("_", " "));
        name.scope = "row";
        row.append(name);
        if (before) row.insertCell().textContent = before[field];
        row.insertCell().textContent = now[field];
        row.classList.toggle("changed", Boolean(before) && before[field] !== now[field]);
    }
    const out = element("div", "measured try-counts");
    out.append(table);
    return out;
}
