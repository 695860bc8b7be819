// An editor in place of an answer's text. Tab leaves it, as it leaves any field.
import { defaultKeymap, history, historyField, historyKeymap, redo, undo } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, linter } from "@codemirror/lint";
import { EditorState, Transaction } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { toWhat } from "./offer.mjs";
import { recall, remember } from "./progress.mjs";

/** What of an editor is remembered besides its text. */
const FIELDS = { history: historyField };
/** The longest history, in characters, and milliseconds without a change after which it is remembered. */
const MOST_HISTORY = 200_000;
const PAUSE = 400;

/**
 * An editor of a kernel or of any other text, and its tools.
 *
 * @param {string} text
 * @param {{label: string, run: () => void, start: () => string, changed?: (text: string) => void, extensions?: object}} how
 *     its name for screen readers, what Control and Enter do, the text that Reset brings back, who takes each change
 * @param {object} [before] the state of an earlier editor of the same text, as JSON: Undo goes on there
 */
export function codeEditor(text, { label, run, start, changed, extensions = cpp() }, before) {
    const act = () => {
        run();
        return true;
    };
    const config = {
        doc: text,
        extensions: [
            keymap.of([{ key: "Mod-Enter", run: act }, ...defaultKeymap, ...historyKeymap]),
            history(),
            lineNumbers(),
            drawSelection(),
            bracketMatching(),
            indentOnInput(),
            indentUnit.of("    "),
            syntaxHighlighting(classHighlighter),
            EditorView.contentAttributes.of({
                "aria-label": label,
                autocapitalize: "off",
                autocorrect: "off",
                spellcheck: "false",
                tabindex: "0",
            }),
            EditorView.updateListener.of((update) => {
                if (update.docChanged) changed?.(update.state.doc.toString(), update.state);
            }),
            extensions,
        ],
    };
    const view = new EditorView({ state: before?.doc === text ? EditorState.fromJSON(before, config, FIELDS) : EditorState.create(config) });
    // The theme has keys of its own for the whole page, such as "/" for its search: none is meant where somebody writes.
    view.dom.addEventListener("keydown", (event) => event.stopPropagation());
    const put = (other) => {
        const doc = view.state.doc.toString();
        if (other !== doc) view.dispatch({ changes: { from: 0, to: doc.length, insert: other } });
    };
    const tools = [
        ["Undo", () => undo(view)],
        ["Redo", () => redo(view)],
        ["Reset", () => put(start())],
    ].map(([word, use]) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = word;
        button.addEventListener("click", () => {
            use();
            view.focus();
        });
        return button;
    });
    return { view, tools, put };
}

/**
 * @param {Element} place what shows the answer now
 * @param {Element} bar for buttons
 * @param {import("./answers.mjs").Answers} answers
 * @param {string} id of the cell
 * @param {string} text to begin with
 * @param {() => void} check
 * @param {(source: string) => Promise<[number, number, string][]>} mistakes of a kernel's text: line, column, sentence
 * @returns {Promise<EditorView>}
 */
export async function edit(place, bar, answers, id, text, check, mistakes) {
    const inWords = answers.points.has(id);
    const kernel = [firstLineStays(), cpp(), lintGutter(), linter((view) => marked(view.state.doc, mistakes), { delay: 500 })];
    const key = `history ${answers.page} ${id}`;
    let pause;
    const later = (state) => {
        clearTimeout(pause);
        pause = setTimeout(() => {
            const json = state.toJSON(FIELDS);
            if (JSON.stringify(json).length < MOST_HISTORY) remember(key, json);
        }, PAUSE);
    };
    const before = await recall(key);
    const how = {
        label: `Your answer ${toWhat(answers, id)}.${inWords ? "" : " Control and Enter check it."}`,
        run: check,
        start: () => answers.stubs.get(id),
        changed: (text, state) => {
            answers.keep(id, text);
            later(state);
        },
        extensions: inWords ? EditorView.lineWrapping : answers.stubs.get(id).startsWith("%%cuda") ? kernel : firstLineStays(),
    };
    const { view, tools, put } = codeEditor(text, how, before);
    answers.takers.set(id, put);
    if (!inWords) view.dispatch({ selection: { anchor: secondLine(view.state.doc) } });
    place.replaceChildren(view.dom);
    bar.replaceChildren(...tools);
    return view;
}

// The compiler's errors at their lines. It counts from the line below "%%cuda name".
async function marked(doc, mistakes) {
    const found = await mistakes(doc.sliceString(doc.line(1).to + 1));
    return found.map(([number, column, message]) => {
        const line = doc.line(Math.min(number + 1, doc.lines));
        const from = Math.min(line.from + column - 1, line.to);
        const [word] = /^\w*/.exec(doc.sliceString(from, line.to));
        return { from, to: Math.min(from + (word.length || 1), line.to), severity: "error", message };
    });
}

// "%%cuda name" says to which exercise the answer belongs: nothing changes it. What would is done from line 2 on, where
// the cursor is, too.
function firstLineStays() {
    return EditorState.transactionFilter.of((transaction) => {
        const begin = secondLine(transaction.startState.doc);
        const edits = [];
        transaction.changes.iterChanges((from, to, _from, _to, insert) => edits.push({ from, to, insert: insert.toString() }));
        const first = edits[0];
        if (!first || first.from > begin || (first.from === begin && !first.insert.startsWith("%%"))) {
            const { anchor, head } = transaction.newSelection.main;
            // A selection may have both: then somebody copies all of it.
            return Math.max(anchor, head) >= begin ? transaction : [transaction, { selection: { anchor: begin }, sequential: true }];
        }
        // Commands for several lines. One that would move the first line does nothing, and others leave it out.
        if (edits.length > 1) {
            if (edits.some(({ from, to }) => from < Math.min(to, begin))) return [];
            return { changes: edits.filter(({ from }) => from >= begin) };
        }
        const insert = first.insert.replace(/^%%.*\n?/, "");
        return {
            changes: { from: begin, to: Math.max(first.to, begin), insert },
            selection: { anchor: begin + insert.length },
            scrollIntoView: transaction.scrollIntoView,
            userEvent: transaction.annotation(Transaction.userEvent),
        };
    });
}

const secondLine = (doc) => doc.line(1).to + 1;
