// The notebook as a file: to hand in, or to go on with.
import { element } from "./status.mjs";

/**
 * The buttons that save and open it. A page has them once.
 *
 * @param {import("./answers.mjs").Answers} answers
 */
export function files(answers) {
    const save = element("button", "", "Download the notebook");
    const pick = element("button", "", "Open a notebook");
    const opened = element("span", "answer-opened");
    opened.setAttribute("role", "status");
    const input = element("input");
    input.type = "file";
    input.accept = ".ipynb";
    input.hidden = true;
    for (const button of [save, pick]) button.type = "button";
    save.addEventListener("click", () => {
        const link = element("a");
        link.href = URL.createObjectURL(new Blob([answers.toNotebook()], { type: "application/x-ipynb+json" }));
        link.download = `${answers.page.split("/").at(-1)}.ipynb`;
        link.click();
        URL.revokeObjectURL(link.href);
    });
    pick.addEventListener("click", () => input.click());
    input.addEventListener("change", async () => {
        const [file] = input.files;
        input.value = "";
        if (file) opened.textContent = answers.fromNotebook(await file.text()) || `The answers of ${file.name} are here now.`;
    });
    answers.listeners.push(() => opened.replaceChildren());
    return [save, pick, input, opened];
}
