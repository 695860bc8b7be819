// An editor in place of an answer's text. Tab leaves it, as it leaves any field.
import { defaultKeymap, history, historyKeymap, redo, undo } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/**
 * @param {Element} place what shows the answer now
 * @param {import("./answers.mjs").Answers} answers
 * @param {string} id of the cell
 * @param {() => void} check
 */
export function edit(place, answers, id, check) {
    const kernel = answers.stubs.get(id).startsWith("%%cuda");
    const run = () => {
        check();
        return true;
    };
    const view = new EditorView({
        doc: answers.text(id),
        extensions: [
            keymap.of([{ key: "Mod-Enter", run }, ...defaultKeymap, ...historyKeymap]),
            history(),
            lineNumbers(),
            drawSelection(),
            bracketMatching(),
            indentOnInput(),
            indentUnit.of("    "),
            ...(kernel ? [cpp()] : []),
            syntaxHighlighting(classHighlighter),
            EditorView.contentAttributes.of({
                "aria-label": `Your answer to ${answers.nameOf(id)}. Control and Enter check it.`,
                autocapitalize: "off",
                autocorrect: "off",
                spellcheck: "false",
                tabindex: "0",
            }),
            firstLineStays(),
            EditorView.updateListener.of((update) => {
                if (update.docChanged) answers.keep(id, update.state.doc.toString());
            }),
        ],
    });
    answers.takers.set(id, (text) => {
        const doc = view.state.doc.toString();
        if (text !== doc) view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, filter: false });
    });
    place.replaceChildren(view.dom);
    place.classList.add("answer-editor");
    const bar = document.createElement("div");
    bar.className = "answer-tools";
    for (const [word, act] of [
        ["Undo", () => undo(view)],
        ["Redo", () => redo(view)],
        ["Reset", () => answers.put(id, answers.stubs.get(id))],
    ]) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = word;
        button.addEventListener("click", () => {
            act();
            view.focus();
        });
        bar.append(button);
    }
    place.after(bar);
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
