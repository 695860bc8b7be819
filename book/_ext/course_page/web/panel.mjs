// What is below an answer: the buttons, the progress, each check's result, and the way on.
import { STOPPED } from "./client.mjs";
import { NOT_KEPT } from "./offer.mjs";
import { recall, record, remember, rememberTry } from "./progress.mjs";
import { published, solutions } from "./solution.mjs";
import { Status, element, elementsOf } from "./status.mjs";

const UNWRITTEN = "Nothing is written yet: put your code in place of the comment YOUR CODE HERE, then press Check.";
const SEARCHES = "A race was found. Other orders of the threads are tried, to find one in which a result is wrong: this takes a while.";

export class Panel {
    /**
     * @param {string} name of the exercise
     * @param {Element} place the last of its answers
     * @param {import("./answers.mjs").Answers} answers
     * @param {{check: Function, count: Function}} judge `check(name, texts, tell, signal)` checks the texts of an exercise;
     *     `count(name, answers)` returns what several right answers cost
     * @param {{exercises: number, edition: string}} about how many exercises the page has, and which release of them
     */
    constructor(name, place, answers, judge, about) {
        Object.assign(this, { name, answers, judge, about });
        this.key = `results ${answers.page} ${name}`;
        this.root = element("section", "answer-panel");
        this.root.setAttribute("aria-label", `Checks of ${name}`);
        this.button = button("answer-check", "Check", () => this.check());
        this.stop = button("answer-stop", "Stop", () => this.checking.abort());
        this.stop.hidden = true;
        this.status = new Status();
        this.ways = element("p", "answer-ways");
        this.solution = element("div");
        this.results = element("div", "answer-results");
        this.tries = element("details", "answer-tries");
        this.tries.hidden = true;
        this.checked = {}; // the texts that the results are of
        this.summary = "";
        answers.listeners.push(() => this.compare());
        this.bar = element("div", "answer-bar");
        this.bar.append(this.button, this.stop, element("kbd", "answer-key", "Ctrl + Enter"));
        this.root.append(this.bar, this.status.root, this.ways, this.solution, this.results, this.tries);
        place.after(this.root);
        this.restore();
    }

    /** Show the results of an earlier visit, unless a check has begun meanwhile. */
    async restore() {
        const [before] = await Promise.all([recall(this.key), this.listTries()]);
        if (!before || this.checking) return;
        this.checked = before.checked;
        this.shown = before.shown;
        this.finish(before.points, before.most, before.edition);
    }

    async check() {
        if (this.button.ariaDisabled === "true") return;
        const ids = this.answers.ofExercise(this.name);
        if (ids.every((id) => this.answers.text(id) === this.answers.stubs.get(id))) return this.status.say(UNWRITTEN);
        this.button.ariaDisabled = "true"; // not disabled: it would lose the focus
        this.stop.hidden = false;
        this.checking = new AbortController();
        this.results.replaceChildren();
        this.results.classList.remove("of-earlier-text");
        this.ways.replaceChildren();
        this.solution.replaceChildren();
        this.summary = "";
        this.shown = [];
        let points = 0;
        let most = 0;
        this.status.say("Checking ..."); // or as soon as a check of another answer has ended
        try {
            this.checked = Object.fromEntries(ids.map((id) => [id, this.answers.text(id)]));
            const take = (message) => {
                if (this.status.take(message)) return;
                if (message.number) return this.status.say(`Checking: ${message.number} of ${message.of} ...`);
                if (message.case) return this.status.note(`Case ${message.case} of ${message.cases}`);
                if (message.searches) return this.status.note(SEARCHES);
                this.shown.push(message);
                this.results.append(resultOf(message));
                points += message.points ?? 0;
                most += message.of ?? 0;
            };
            await this.judge.check(this.name, this.checked, take, this.checking.signal);
            const { edition, exercises } = this.about;
            this.finish(points, most, edition);
            if (most) {
                record(this.answers.page, exercises, this.name, points, most);
                await remember(this.key, { checked: this.checked, shown: this.shown, points, most, edition });
                await rememberTry(this.answers.page, this.name, this.checked, points, most);
                await this.listTries();
            }
        } catch (error) {
            if (error.message === STOPPED) return this.status.say("Stopped.");
            const elsewhere = document.querySelector('.how-to-work a[href*="colab"]').cloneNode(true);
            const advice = `${this.answers.isKept ? "Your answer is kept." : NOT_KEPT} Press Check to try again, or work on it elsewhere: `;
            this.status.say(`${error.message} ${advice}`, elsewhere, ".");
        } finally {
            this.button.ariaDisabled = "false";
            if (this.stop === document.activeElement) this.button.focus();
            this.stop.hidden = true;
        }
    }

    /** Show all results, what is to be fixed first, and their sum. */
    finish(points, most, edition) {
        this.results.replaceChildren(...arranged(this.shown));
        this.summary = `${points} of ${most} points. Grading tries more sizes than the page does.`;
        if (edition !== this.about.edition) this.summary = `For an earlier edition of this exercise: ${this.summary}`;
        this.status.line.classList.toggle("all-points", most > 0 && points === most);
        this.ways.replaceChildren(...(most && points === most ? waysOn() : []));
        this.showSolution(most && points === most);
        this.compare();
    }

    /** After full points, offer the course's solution and others, if the book publishes them. */
    async showSolution(solved) {
        this.solution.replaceChildren();
        if (!solved) return;
        const { fields, answers } = await published(this.answers.page).catch(() => ({ answers: {} })); // offline, perhaps
        const known = answers[this.name];
        if (!known) return;
        this.solution.replaceChildren(solutions(known, fields, this.checked, (all) => this.judge.count(this.name, all)));
    }

    /** Say whether the results are of another text than the one that is there now. */
    compare() {
        if (!this.summary) return;
        const earlier = Object.keys(this.checked).some((id) => this.answers.text(id) !== this.checked[id]);
        if (this.results.classList.toggle("of-earlier-text", earlier)) this.status.say(`For an earlier version: ${this.summary}`);
        else this.status.say(this.summary);
    }

    /** List the earlier tries, each with its points; one comes back into the editor by a click. */
    async listTries() {
        const tries = (await recall(`tries ${this.answers.page} ${this.name}`)) ?? [];
        this.tries.hidden = tries.length < 2;
        const list = element("ol");
        for (const { when, texts, points, most } of tries) {
            const item = element("li");
            const time = new Date(when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
            const back = () => Object.entries(texts).forEach(([id, text]) => this.answers.has(id) && this.answers.put(id, text));
            item.append(`${time}: ${points} of ${most} points `, button("", "Put it into the editor", back));
            list.append(item);
        }
        this.tries.replaceChildren(element("summary", "", `Your ${tries.length} tries`), list);
    }
}

function button(name, words, act) {
    const out = element("button", name, words);
    out.type = "button";
    out.addEventListener("click", act);
    return out;
}

function resultOf({ shown, points, of, outcome, fault }) {
    const result = element("div", "answer-result");
    if (of !== undefined) {
        result.classList.add(outcome);
        result.append(element("span", "answer-points", `${points} of ${of}`));
    }
    if (fault) result.append(element("p", "", "The check itself failed; your answer is not the cause:"));
    result.append(...elementsOf(shown));
    return result;
}

// What blocks the others is first, and what it blocks is folded: it says no more than that.
function arranged(shown) {
    const blocked = shown.filter(({ outcome }) => outcome === "blocked");
    const failed = shown.filter(({ outcome }) => outcome === "failed");
    const first = blocked.length && !failed.length ? blocked.splice(0, 1) : failed;
    const others = shown.filter((one) => !blocked.includes(one) && !first.includes(one));
    const repeated = ({ shown }) => shown.every(({ text }) => first.some((one) => one.shown.some(({ html }) => html?.includes(text))));
    const said = others.filter(({ of }) => of === undefined); // by the compiler
    const answers = said.filter((one) => !repeated(one));
    const out = [...answers, ...first, ...others.filter((one) => !said.includes(one))].map(resultOf);
    if (!blocked.length) return out;
    const folded = element("details", "answer-waiting");
    const points = blocked.reduce((sum, { of }) => sum + of, 0);
    const checks = blocked.length === 1 ? "1 check waits" : `${blocked.length} checks wait`;
    folded.append(element("summary", "", `${checks} until this is fixed (${points} points)`), ...blocked.map(resultOf));
    out.splice(answers.length + first.length, 0, folded);
    return out;
}

// The exercise and the chapter that follow in the sidebar.
function waysOn() {
    const links = [...document.querySelectorAll(".bd-links a.reference")];
    const here = links.findIndex((link) => link.pathname === location.pathname);
    const following = here < 0 ? [] : links.slice(here + 1);
    const exercise = following.find((link) => link.pathname.includes("/exercises/"));
    const chapter = following.find((link) => link.parentElement.matches(".toctree-l1"));
    return [
        ["Next exercise: ", exercise],
        ["Next chapter: ", chapter],
    ].flatMap(([words, link]) => {
        if (!link) return [];
        const copy = link.cloneNode(true);
        copy.querySelectorAll(".progress-mark").forEach((mark) => mark.remove());
        copy.className = "";
        const way = element("span", "", words);
        way.append(copy);
        return [way];
    });
}
