// An answer's text, until the reader begins to write: then an editor takes its place. Its script is loaded no sooner.
import { element } from "./status.mjs";

export const NOT_KEPT = "This browser cannot keep what you write: download the notebook before you leave the page.";

const HINT = "Ctrl + ] indents a line. From the first check on, the compiler's errors appear while you write.";

/** "to NAME", or how else an answer is distinguished from others. */
export const toWhat = (answers, id) => (answers.points.has(id) ? "in your own words" : `to ${answers.nameOf(id)}`);

/**
 * @param {Element} place the cell that shows the answer as it was released
 * @param {import("./answers.mjs").Answers} answers
 * @param {string} id of the cell
 * @param {() => void} check
 * @param {(source: string) => Promise<[number, number, string][]>} mistakes see editor.mjs
 */
export function offer(place, answers, id, check, mistakes) {
    const shown = place.querySelector(".cell_input");
    const bar = element("div", "answer-tools");
    const write = element("button", "answer-write", "Write");
    write.type = "button";
    write.setAttribute("aria-label", `Write your answer ${toWhat(answers, id)}`);
    bar.append(write);
    shown.classList.add("answer-editor");
    const unkept = element("p", "answer-unkept", NOT_KEPT);
    unkept.hidden = answers.isKept;
    shown.before(bar); // Tab leads from the editor to Check: there the space bar does no harm, as it would on Undo
    shown.after(unkept);

    let opened;
    const open = () =>
        (opened ??= load(answers.text(id)).catch(() => {
            opened = undefined;
            bar.append(element("span", "", "The editor could not be loaded: check that this device is online, and try again."));
        }));
    const load = async (text) => {
        const { edit } = await import("./editor.mjs");
        shown.removeEventListener("click", begin);
        if (!answers.points.has(id)) unkept.after(element("p", "answer-hint", HINT));
        return edit(shown, bar, answers, id, text, check, mistakes);
    };
    const begin = async (event) => {
        if (event.target.closest("button.copybtn") || !document.getSelection().isCollapsed) return;
        const view = await open();
        const at = event.target === write ? null : view?.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at) view.dispatch({ selection: { anchor: at } });
        view?.focus();
    };
    shown.addEventListener("click", begin);
    write.addEventListener("click", begin);
    answers.takers.set(id, async (text) => {
        if (await open()) answers.takers.get(id)(text); // which is the editor's now
    });
    if (answers.text(id) !== answers.stubs.get(id)) open();
}
