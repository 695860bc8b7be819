// The page "Your progress": all that this browser remembers of the reader's work, as a file to save and to open, and gone by a
// button.
import { clear, entries, setMany } from "idb-keyval";
import { element } from "./status.mjs";

/** What begins the names of our entries in localStorage. (Other sites on this host may have theirs.) */
const OURS = /^(answer|progress|read) |^last$/;
const FORMAT = "how-cuda-threads-cooperate progress 1";

/** Show the buttons in `place`. */
export function show(place) {
    const status = element("p", "yours-status");
    status.setAttribute("role", "status");
    const input = element("input");
    input.type = "file";
    input.accept = ".json";
    input.hidden = true;
    const bar = element("div", "yours-bar");
    const add = (words, act) => {
        const button = element("button", "", words);
        button.type = "button";
        button.addEventListener("click", () => act().then((said) => (status.textContent = said)));
        bar.append(button);
    };
    add("Save as a file", save);
    add("Open a file", async () => (input.click(), ""));
    add("Delete everything", erase);
    input.addEventListener("change", async () => {
        const [file] = input.files;
        input.value = "";
        if (file) status.textContent = await open(await file.text());
    });
    place.append(bar, input, status);
}

async function save() {
    const local = Object.fromEntries(Object.entries(localStorage).filter(([key]) => OURS.test(key)));
    const all = { format: FORMAT, local, stored: await entries().catch(() => []) };
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(all)], { type: "application/json" }));
    link.download = "cuda-course-progress.json";
    link.click();
    URL.revokeObjectURL(link.href);
    return "Saved. Open the file on this page in another browser to go on there.";
}

async function open(text) {
    let all;
    try {
        all = JSON.parse(text);
    } catch {
        all = undefined;
    }
    const known = all?.format === FORMAT && Array.isArray(all.stored) && all.stored.every((one) => typeof one?.[0] === "string");
    const local = Object.entries(all?.local ?? {});
    if (!known || !local.every(([key, value]) => OURS.test(key) && typeof value === "string"))
        return "This file was not saved by this page: choose one that was. Nothing has changed.";
    try {
        for (const [key, value] of local) localStorage.setItem(key, value);
        await setMany(all.stored);
    } catch {
        return "This browser has no room for all of the file: some of it is here now, the rest is not.";
    }
    dispatchEvent(new Event("progress"));
    return "Opened: the answers, points and tries of the file are in this browser now.";
}

async function erase() {
    if (!confirm("Delete your answers, points and tries from this browser? They cannot be brought back without a saved file.")) return "";
    for (const key of Object.keys(localStorage)) if (OURS.test(key)) localStorage.removeItem(key);
    await clear().catch(() => {});
    dispatchEvent(new Event("progress"));
    return "Deleted. This browser remembers nothing of your work.";
}
