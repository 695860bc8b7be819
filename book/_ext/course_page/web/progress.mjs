// What this browser remembers of a reader's work on an exercise. Points are in localStorage, where each page of the book finds
// them at once (book/_static/progress.js); results, earlier tries, and the editors' histories are larger, and in IndexedDB.
import { get, set, update } from "idb-keyval";

/** The most tries of an exercise that are kept. */
const TRIES = 30;

/** Remember the points of a check; `exercises` is how many the page has. */
export function record(page, exercises, name, points, most) {
    const key = `progress ${page}`;
    try {
        const results = JSON.parse(localStorage.getItem(key))?.results ?? {};
        const best = Math.max(points, results[name]?.best ?? 0);
        localStorage.setItem(key, JSON.stringify({ exercises, results: { ...results, [name]: { points, most, best } } }));
    } catch {
        return; // the browser stores nothing, or holds what somebody else has written
    }
    dispatchEvent(new Event("progress"));
}

/** What was remembered under `key`; undefined if the browser has nothing or refuses. */
export const recall = (key) => get(key).catch(() => undefined);

/** Remember `value` under `key`, if the browser does. */
export const remember = (key, value) => set(key, value).catch(() => {});

/** Remember a try of an exercise: its texts and its points. The same texts again count as one try. */
export function rememberTry(page, name, texts, points, most) {
    const same = (one) => JSON.stringify(one.texts) === JSON.stringify(texts);
    const add = (tries = []) => [{ when: Date.now(), texts, points, most }, ...tries.filter((one) => !same(one))].slice(0, TRIES);
    return update(`tries ${page} ${name}`, add).catch(() => {});
}

/** A short name of a text, which differs where the text does. */
export function nameOf(text) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return `${text.length}-${hash >>> 0}`;
}
