// An editor in place of an answer's text. Tab leaves it, as it leaves any field.
import { defaultKeymap, history, historyKeymap, redo, undo } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, linter } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/**
 * An editor of a kernel or of any other text, and its tools.
 *
 * @param {string} text
 * @param {{label: string, run: () => void, start: () => string, changed?: (text: string) => void, extensions?: object[]}} how
 *     its name for screen readers, what Control and Enter do, the text that Reset brings back, who takes each change
 */
export function codeEditor(text, { label, run, start, changed, extensions = [cpp()] }) {
    const act = () => {
        run();
        return true;
    };
    const view = new EditorView({
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
                if (update.docChanged) changed?.(update.state.doc.toString());
            }),
            ...extensions,
        ],
    });
    // The theme has keys of its own for the whole page, such as "/" for its search: none is meant where somebody writes.
    view.dom.addEventListener("keydown", (event) => event.stopPropagation());
    const put = (other) => {
        const doc = view.state.doc.toString();
        if (other !== doc) view.dispatch({ changes: { from: 0, to: doc.length, insert: other }, filter: false });
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
 * @returns {EditorView}
 */
export function edit(place, bar, answers, id, text, check, mistakes) {
    const kernel = [cpp(), lintGutter(), linter((view) => marked(view.state.doc, mistakes), { delay: 500 })];
    const { view, tools, put } = codeEditor(text, {
        label: `Your answer to ${answers.nameOf(id)}. Control and Enter check it.`,
        run: check,
        start: () => answers.stubs.get(id),
        changed: (text) => answers.keep(id, text),
        extensions: [firstLineStays(), ...(answers.stubs.get(id).startsWith("%%cuda") ? kernel : [])],
    });
    answers.takers.set(id, put);
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

// "%%cuda name" says to which exercise the answer belongs: nothing changes it, and whoever replaces everything keeps it.
function firstLineStays() {
    return EditorState.transactionFilter.of((transaction) => {
        const { text, to } = transaction.startState.doc.line(1);
        if (!transaction.docChanged || transaction.newDoc.line(1).text === text) return transaction;
        let within = true;
        transaction.changes.iterChanges((_, end) => (within &&= end <= to));
        if (within) return [];
        const line = transaction.newDoc.line(1);
        const change = line.text.startsWith("%%") ? { from: 0, to: line.to, insert: text } : { from: 0, insert: `${text}\n` };
        return [transaction, { changes: change, sequential: true }];
    });
}
