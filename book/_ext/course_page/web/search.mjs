// The book's search, on its page: by relevance, with mistyped words forgiven, each kind of place apart. Works offline as the rest.
import MiniSearch from "minisearch";
import { element } from "./status.mjs";

const ROOT = new URL("../../", import.meta.url);
/** The kinds of places, in words, and how much each counts. */
const KINDS = {
    chapter: ["Chapters", 1.5],
    finding: ["Findings", 1.3],
    term: ["Glossary", 1.2],
    exercise: ["Exercises", 1],
    reference: ["Reference", 0.9],
    name: ["Names of the library", 0.7],
};
/** The most places of a kind that are shown, and the letters of text around a word. */
const SHOWN = 8;
const AROUND = 90;
/** Words that say nothing about what somebody looks for. */
const EMPTY = new Set("a an and are as at avoid be by can do does how i in is it my of on or the to use what when where which why with".split(" "));
/** A name counts with and without the underscores before it. */
const tokenize = (text) => text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => (word.startsWith("_") ? [word, word.replace(/^_+/, "")] : [word]));

/** Show results in `place` for what is in `field`, now and after each change. */
export async function begin(field, place, status) {
    const response = await fetch(new URL("./search.json", import.meta.url));
    if (!response.ok) throw new Error("the index could not be downloaded");
    const documents = await response.json();
    const index = new MiniSearch({
        idField: "number",
        fields: ["title", "page", "also", "text"],
        tokenize,
        processTerm: (word) => (EMPTY.has(word.toLowerCase()) ? null : word.toLowerCase()),
        searchOptions: {
            boost: { title: 6, page: 3, also: 20 },
            prefix: (term) => term.length > 2,
            fuzzy: (term) => (term.length > 4 ? 0.25 : 0),
            weights: { fuzzy: 0.2, prefix: 0.5 },
            boostDocument: (number) => KINDS[documents[number].kind][1],
        },
    });
    index.addAll(documents.map((one, number) => ({ ...one, number })));

    const show = () => {
        const query = field.value.trim();
        history.replaceState(null, "", query ? `?q=${encodeURIComponent(query)}` : location.pathname);
        let found = index.search(query, { combineWith: "AND" });
        if (!found.length) found = index.search(query);
        place.replaceChildren(...groups(found.map((one) => ({ ...documents[one.id], score: one.score, terms: one.terms }))));
        status.textContent = query && `${found.length || "No"} ${found.length === 1 ? "place" : "places"} found.`;
    };
    let pause;
    field.addEventListener("input", () => {
        clearTimeout(pause);
        pause = setTimeout(show, 150);
    });
    show();
}

// The kinds, the best result's first; a page's own place stands for its sections where both are found.
function groups(found) {
    const kinds = [...new Set(found.map(({ kind }) => kind))];
    return kinds.map((kind) => {
        const out = element("section", "found-kind");
        out.append(element("h2", "", KINDS[kind][0]));
        const list = element("ul");
        const places = found.filter((one) => one.kind === kind);
        for (const one of places.slice(0, SHOWN)) list.append(item(one));
        out.append(list);
        if (places.length > SHOWN) {
            const more = element("button", "found-more", `${places.length - SHOWN} more`);
            more.type = "button";
            more.addEventListener("click", () => {
                list.append(...places.slice(SHOWN).map(item));
                more.remove();
            });
            out.append(more);
        }
        return out;
    });
}

function item({ url, title, page, text, terms }) {
    const out = element("li");
    const link = element("a", "", title);
    link.href = new URL(url, ROOT);
    out.append(link);
    if (page !== title) out.append(element("span", "found-page", ` ${page}`));
    out.append(excerpt(text, terms));
    return out;
}

// The text around the first word that was found, with all of them marked.
function excerpt(text, terms) {
    const out = element("p", "found-text");
    const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).sort((a, b) => b.length - a.length);
    const wanted = new RegExp(`(${words.join("|")})`, "giu");
    const at = Math.max(text.search(wanted), 0);
    const from = at < AROUND ? 0 : text.indexOf(" ", at - AROUND) + 1;
    const part = text.slice(from, from + 2 * AROUND + 60).replace(/\s\S*$/, "");
    if (from) out.append("… ");
    for (const [number, piece] of part.split(wanted).entries()) out.append(number % 2 ? element("mark", "", piece) : piece);
    if (from + part.length < text.length) out.append(" …");
    return out;
}
