// The reader's answers to one notebook: kept in the browser, and put into a notebook or taken from one.

const source = (cell) => (Array.isArray(cell.source) ? cell.source.join("") : cell.source);

export class Answers {
    /**
     * @param {object} notebook the released notebook
     * @param {string} page its name, under which answers are kept
     */
    constructor(notebook, page) {
        this.notebook = notebook;
        this.page = page;
        this.stubs = new Map();
        this.takers = new Map(); // cell -> what shows a text that comes from elsewhere
        for (const cell of notebook.cells)
            if (cell.metadata.nbgrader?.solution && cell.cell_type === "code") this.stubs.set(cell.id, source(cell));
        // Another tab has the same answers.
        addEventListener("storage", ({ key, newValue }) => {
            for (const id of this.stubs.keys())
                if (key === this.key(id)) this.takers.get(id)?.(this.headed(id, newValue ?? this.stubs.get(id)));
        });
    }

    has(id) {
        return this.stubs.has(id);
    }

    key(id) {
        return `answer ${this.page} ${id}`;
    }

    /** The exercise of an answer: the word behind %%cuda or %%values. */
    nameOf(id) {
        return this.stubs.get(id).split("\n", 1)[0].split(" ")[1];
    }

    ofExercise(name) {
        return [...this.stubs.keys()].filter((id) => this.nameOf(id) === name);
    }

    text(id) {
        return this.headed(id, kept(() => localStorage.getItem(this.key(id))) ?? this.stubs.get(id));
    }

    /** A text below the first line of its answer, whatever its own says. */
    headed(id, text) {
        const [header] = this.stubs.get(id).split("\n", 1);
        return `${header}\n${text.replace(/^%%.*(\n|$)/, "")}`;
    }

    keep(id, text) {
        kept(() => (text === this.stubs.get(id) ? localStorage.removeItem(this.key(id)) : localStorage.setItem(this.key(id), text)));
    }

    /** Show another text in the editor of an answer, as a change that can be undone. */
    put(id, given) {
        const text = this.headed(id, given);
        this.takers.get(id)(text);
        this.keep(id, text);
    }

    /** The notebook to hand in. */
    toNotebook() {
        const out = structuredClone(this.notebook);
        for (const cell of out.cells)
            if (this.has(cell.id)) cell.source = this.text(cell.id).split(/(?<=\n)/);
        return JSON.stringify(out, null, 1) + "\n";
    }

    /**
     * Take the answers of a notebook over.
     * @returns {string} what is wrong with it; empty if nothing is
     */
    fromNotebook(text) {
        const own = (cell) => cell.metadata?.nbgrader?.grade_id ?? cell.id;
        let cells;
        try {
            cells = JSON.parse(text).cells.filter((cell) => this.has(own(cell)));
        } catch {
            return "This file is no notebook.";
        }
        if (!cells.length) return "This is the notebook of another exercise.";
        const isText = (cell) => [cell.source].flat().every((line) => typeof line === "string");
        if (!cells.every(isText)) return "An answer cell of this notebook holds no text.";
        for (const cell of cells) this.put(own(cell), source(cell));
        return "";
    }
}

// A browser may keep nothing: then the answer lasts as long as the page.
function kept(use) {
    try {
        return use();
    } catch {
        return undefined;
    }
}
