// What stands below an answer: the button, the progress, and each check's result.

const MB = 1e6;

export class Panel {
    /**
     * @param {string} name of the exercise
     * @param {Element} place the last of its answers
     * @param {import("./answers.mjs").Answers} answers
     * @param {import("./checking.mjs").Checking} checking
     * @param {Map<string, Panel>} all the panels of the page
     */
    constructor(name, place, answers, checking, all) {
        Object.assign(this, { name, answers, checking, all });
        this.root = element("section", "answer-panel");
        this.root.setAttribute("aria-label", `Checks of ${name}`);
        this.button = element("button", "answer-check", "Check");
        this.button.type = "button";
        this.button.addEventListener("click", () => this.check());
        this.status = element("p", "answer-status");
        this.status.setAttribute("role", "status");
        this.progress = element("progress", "answer-progress");
        this.progress.setAttribute("aria-label", "Loading the compiler");
        this.progress.hidden = true;
        this.results = element("div", "answer-results");
        const bar = element("div", "answer-bar");
        bar.append(this.button, element("kbd", "answer-key", "Ctrl + Enter"), ...this.files());
        this.root.append(bar, this.status, this.progress, this.results);
        (place.nextElementSibling?.matches(".answer-tools") ? place.nextElementSibling : place).after(this.root);
    }

    files() {
        const save = element("button", "", "Download the notebook");
        const pick = element("button", "", "Open a notebook");
        const input = element("input");
        input.type = "file";
        input.accept = ".ipynb";
        input.hidden = true;
        for (const button of [save, pick]) button.type = "button";
        save.addEventListener("click", () => {
            const link = element("a");
            link.href = URL.createObjectURL(new Blob([this.answers.toNotebook()], { type: "application/x-ipynb+json" }));
            link.download = `${this.answers.page.split("/").at(-1)}.ipynb`;
            link.click();
            URL.revokeObjectURL(link.href);
        });
        pick.addEventListener("click", () => input.click());
        input.addEventListener("change", async () => {
            const [file] = input.files;
            input.value = "";
            if (file) this.say(this.answers.fromNotebook(await file.text()) || `The answers of ${file.name} are here now.`);
        });
        return [save, pick, input];
    }

    say(text) {
        this.status.textContent = text;
    }

    async check() {
        const panels = [...this.all.values()];
        if (panels.some((panel) => panel.button.disabled)) return;
        for (const panel of panels) panel.button.disabled = true;
        this.results.replaceChildren();
        let points = 0;
        let most = 0;
        this.say("Checking ...");
        try {
            const texts = Object.fromEntries(this.answers.ofExercise(this.name).map((id) => [id, this.answers.text(id)]));
            await this.checking.check(this.name, texts, (told) => {
                if (told.type === "progress") return this.load(told);
                if (told.type === "loaded") return this.say("Starting the compiler ...");
                this.show(told);
                points += told.points ?? 0;
                most += told.of ?? 0;
            });
            this.say(`${points} of ${most} points. Grading tries more sizes than the page does.`);
        } catch (error) {
            this.say(`${error.message} Your answer is kept. You can also download the notebook and work on it elsewhere: `);
            this.status.append(document.querySelector('.how-to-work a[href*="colab"]').cloneNode(true), ".");
        } finally {
            this.progress.hidden = true;
            for (const panel of panels) panel.button.disabled = false;
        }
    }

    load({ done, total }) {
        this.progress.hidden = false;
        this.progress.max = total;
        this.progress.value = done;
        this.say(`Loading the compiler: ${Math.round(done / MB)} of ${Math.round(total / MB)} MB. Your browser keeps it for the next time.`);
        if (done >= total) this.progress.hidden = true;
    }

    show({ shown, points, of, passed, fault }) {
        const result = element("div", "answer-result");
        if (of !== undefined) {
            result.classList.add(passed ? "passed" : "failed");
            result.append(element("span", "answer-points", `${points} of ${of}`));
        }
        if (fault) result.append(element("p", "", "The check itself failed, through no fault of your answer:"));
        for (const { text, html } of shown) {
            if (html === undefined) result.append(element("p", "answer-line", text));
            else result.append(embedded(html));
        }
        this.results.append(result);
    }
}

// A report brings its style and its player; a script that is only inserted would not run.
function embedded(html) {
    const out = element("div", "answer-report");
    out.innerHTML = html;
    for (const old of out.querySelectorAll("script")) {
        const script = element("script");
        script.textContent = old.textContent;
        old.replaceWith(script);
    }
    return out;
}

function element(tag, name = "", text = "") {
    const out = document.createElement(tag);
    if (name) out.className = name;
    if (text) out.textContent = text;
    return out;
}
