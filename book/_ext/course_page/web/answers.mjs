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
        this.texts = new Map(); // what the page shows
        this.takers = new Map(); // cell -> what shows a text that comes from elsewhere
        this.unkept = new Set(); // cells whose text this browser cannot keep
        this.listeners = []; // called after each change of a text
        this.points = new Map(); // of answers in words, which a person reads
        for (const cell of notebook.cells) {
            const about = cell.metadata.nbgrader;
            if (!about?.solution) continue;
            if (cell.cell_type === "markdown") this.points.set(cell.id, about.points);
            this.stubs.set(cell.id, source(cell));
            this.texts.set(cell.id, this.headed(cell.id, this.#stored(cell.id) ?? source(cell)));
        }
        // Another tab has the same answers.
        addEventListener("storage", ({ key, newValue }) => {
            for (const [id, stub] of this.stubs) {
                if (key !== this.key(id)) continue;
                const text = this.headed(id, newValue ?? stub);
                this.texts.set(id, text);
                this.takers.get(id)(text);
                this.#tell();
            }
        });
    }

    has(id) {
        return this.stubs.has(id);
    }

    key(id) {
        return `answer ${this.page} ${id}`;
    }

    /** The exercise of an answer: the word behind %%cuda or %%values; undefined for one in words. */
    nameOf(id) {
        if (this.points.has(id)) return undefined;
        return this.stubs.get(id).split("\n", 1)[0].split(" ")[1];
    }

    ofExercise(name) {
        return [...this.stubs.keys()].filter((id) => this.nameOf(id) === name);
    }

    text(id) {
        return this.texts.get(id);
    }

    /** A text below the first line of its answer, whatever its own says. */
    headed(id, text) {
        if (this.points.has(id)) return text;
        const [header] = this.stubs.get(id).split("\n", 1);
        return `${header}\n${text.replace(/^%%.*(\n|$)/, "")}`;
    }

    /** Whether the browser keeps all that the page shows. It may refuse, or have no room. */
    get isKept() {
        return !this.unkept.size;
    }

    keep(id, text) {
        if (text === this.text(id)) return; // another tab has kept it
        this.texts.set(id, text);
        try {
            if (text === this.stubs.get(id)) localStorage.removeItem(this.key(id));
            else localStorage.setItem(this.key(id), text);
            this.unkept.delete(id);
        } catch {
            this.unkept.add(id);
        }
        this.#tell();
    }

    #tell() {
        for (const listener of this.listeners) listener();
    }

    #stored(id) {
        try {
            return localStorage.getItem(this.key(id));
        } catch {
            this.unkept.add(id);
            return null;
        }
    }

    /** Show another text in the editor of an answer, as a change that can be undone. */
    put(id, given) {
        const text = this.headed(id, given);
        this.keep(id, text);
        this.takers.get(id)(text);
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
            return "This file is not a notebook.";
        }
        if (!cells.length) return "This is the notebook of another exercise.";
        const isText = (cell) => [cell.source].flat().every((line) => typeof line === "string");
        if (!cells.every(isText)) return "An answer cell of this notebook holds no text.";
        for (const cell of cells) this.put(own(cell), source(cell));
        return "";
    }
}
