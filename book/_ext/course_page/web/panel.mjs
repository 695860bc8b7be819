// What stands below an answer: the button, the progress, and each check's result.
import { NOT_KEPT } from "./offer.mjs";
import { Status, element, elementsOf } from "./telling.mjs";

export class Panel {
    /**
     * @param {string} name of the exercise
     * @param {Element} place the last of its answers
     * @param {import("./answers.mjs").Answers} answers
     * @param {(name: string, texts: object, tell: Function) => Promise<void>} judge checks the texts of an exercise
     */
    constructor(name, place, answers, judge) {
        Object.assign(this, { name, answers, judge });
        this.root = element("section", "answer-panel");
        this.root.setAttribute("aria-label", `Checks of ${name}`);
        this.button = element("button", "answer-check", "Check");
        this.button.type = "button";
        this.button.addEventListener("click", () => this.check());
        this.status = new Status();
        this.results = element("div", "answer-results");
        this.checked = {}; // the texts that the results are of
        this.summary = "";
        answers.listeners.push(() => this.compare());
        this.bar = element("div", "answer-bar");
        this.bar.append(this.button, element("kbd", "answer-key", "Ctrl + Enter"));
        this.root.append(this.bar, this.status.root, this.results);
        place.after(this.root);
    }

    async check() {
        if (this.button.ariaDisabled === "true") return;
        this.button.ariaDisabled = "true"; // not disabled: it would lose the focus
        this.results.replaceChildren();
        this.results.classList.remove("of-earlier-text");
        this.summary = "";
        let points = 0;
        let most = 0;
        this.status.say("Checking ..."); // or as soon as a check of another answer has ended
        try {
            this.checked = Object.fromEntries(this.answers.ofExercise(this.name).map((id) => [id, this.answers.text(id)]));
            await this.judge(this.name, this.checked, (told) => {
                if (this.status.take(told)) return;
                this.show(told);
                points += told.points ?? 0;
                most += told.of ?? 0;
            });
            this.summary = `${points} of ${most} points. Grading tries more sizes than the page does.`;
            this.compare();
        } catch (error) {
            const elsewhere = document.querySelector('.how-to-work a[href*="colab"]').cloneNode(true);
            const advice = `${this.answers.isKept ? "Your answer is kept." : NOT_KEPT} Press Check to try again, or work on it elsewhere: `;
            this.status.say(`${error.message} ${advice}`, elsewhere, ".");
        } finally {
            this.button.ariaDisabled = "false";
        }
    }

    /** Say whether the results are of another text than the one that is there now. */
    compare() {
        if (!this.summary) return;
        const earlier = Object.keys(this.checked).some((id) => this.answers.text(id) !== this.checked[id]);
        if (this.results.classList.toggle("of-earlier-text", earlier)) this.status.say(`For an earlier version: ${this.summary}`);
        else this.status.say(this.summary);
    }

    show({ shown, points, of, passed, fault }) {
        const result = element("div", "answer-result");
        if (of !== undefined) {
            result.classList.add(passed ? "passed" : "failed");
            result.append(element("span", "answer-points", `${points} of ${of}`));
        }
        if (fault) result.append(element("p", "", "The check itself failed; your answer is not the cause:"));
        result.append(...elementsOf(shown));
        this.results.append(result);
    }
}
