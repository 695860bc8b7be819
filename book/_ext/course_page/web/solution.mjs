// After full points: the course's solution beside the reader's, right answers by other ways, and what each of them costs.
import { countsTable } from "./counts.mjs";
import { element } from "./status.mjs";

/**
 * What the book publishes for an exercise page: {fields, answers}, the right answers by exercise, or none.
 *
 * @param {string} page its name
 */
export async function published(page) {
    const response = await fetch(new URL(`solutions/${page}.json`, import.meta.url));
    if (!response.ok) throw new Error("The solution could not be downloaded: check that this device is online.");
    return response.json();
}

/**
 * @param {{title: string, texts: object}[]} known the right answers to the exercise, the course's first
 * @param {string[]} fields of counts to compare
 * @param {object} texts the reader's, which are right
 * @param {(answers: object[]) => Promise<{of: string, counts: object[]}>} count what each of several answers costs
 * @returns {Element} folded; counted when the reader opens it
 */
export function solutions(known, fields, texts, count) {
    const [course, ...others] = known;
    const words = others.length ? " and other ways to do it" : "";
    const fold = element("details", "answer-solutions");
    const pair = element("div", "answer-pair");
    pair.append(listing("Yours", texts), listing(course.title, course.texts));
    const costs = element("div");
    costs.setAttribute("role", "status");
    fold.append(element("summary", "", `The course's solution${words}, beside yours`), pair, costs);
    for (const { title, texts: other } of others) {
        const way = element("details", "answer-way");
        way.append(element("summary", "", title), listing("", other));
        fold.append(way);
    }
    const show = async () => {
        costs.textContent = "Counting what each of them does ...";
        const answers = [texts, ...known.map((one) => one.texts)];
        try {
            const { of, counts } = await count(answers);
            const launches = ["Yours", ...known.map(({ title }) => title)].map((title, i) => [title, counts[i]]);
            const counted = launches.filter(([, one]) => one);
            costs.replaceChildren(...(counted.length ? [countsTable(`What each does in ${of}`, fields, counted)] : []));
        } catch (error) {
            costs.textContent = `${error.message} Close this and open it to try again.`;
            fold.addEventListener("toggle", () => fold.addEventListener("toggle", show, { once: true }), { once: true });
        }
    };
    fold.addEventListener("toggle", show, { once: true });
    return fold;
}

// The texts of an answer's cells, below their first lines.
function listing(title, texts) {
    const out = element("div");
    if (title) out.append(element("p", "answer-whose", title));
    for (const text of Object.values(texts)) {
        const code = element("pre", "", text.replace(/^.*\n/, "").trimEnd());
        code.tabIndex = 0; // it may scroll
        out.append(code);
    }
    return out;
}
