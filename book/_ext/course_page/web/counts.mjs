// Tables of what launches did, beside each other.
import { element } from "./status.mjs";

/**
 * A table of counts: a row for each field that is not zero everywhere, in bold where the launches differ.
 *
 * @param {string} caption
 * @param {string[]} fields of counts
 * @param {[string, object][]} launches the name of each, and its counts
 */
export function countsTable(caption, fields, launches) {
    const table = element("table");
    table.append(element("caption", "", caption));
    const head = table.createTHead().insertRow();
    const body = table.createTBody();
    head.insertCell();
    for (const [word] of launches) {
        const cell = element("th", "", word);
        cell.scope = "col";
        head.append(cell);
    }
    for (const field of fields) {
        const values = launches.map(([, counts]) => counts[field]);
        if (!values.some(Boolean)) continue;
        const row = body.insertRow();
        const name = element("th", "", field.replaceAll("_", " "));
        name.scope = "row";
        row.append(name);
        for (const value of values) row.insertCell().textContent = value;
        row.classList.toggle("changed", new Set(values).size > 1);
    }
    const out = element("div", "measured try-counts");
    out.tabIndex = 0; // it may scroll
    out.append(table);
    return out;
}
