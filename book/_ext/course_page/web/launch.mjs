// The launch of a listing, whose grid, block, sizes and numbers a reader may change.
import { element } from "./status.mjs";

const EXTENT = "one to three integers from 1 on, such as 4 or 8, 2";
const MOST = 100_000; // elements of an array: a page holds each of them several times

export class Launch {
    /**
     * @param {string} kernel its name
     * @param {{launch: object, args: string[]}} recorded the launch as data (in_page/cases.py), and its arguments in words
     * @param {() => void} changed is called after each change
     */
    constructor(kernel, { launch, args }, changed) {
        this.launch = launch;
        this.root = element("p", "try-call");
        this.fields = []; // each: its field, what it is called, and what it changes of a launch
        const field = (name, value, put) => {
            const input = element("input");
            input.value = value;
            input.size = Math.max(3, String(value).length);
            input.setAttribute("aria-label", name);
            input.addEventListener("input", changed);
            this.fields.push({ input, name, put, before: String(value) });
            return input;
        };
        const extent = (word) =>
            field(word, [launch[word]].flat().join(", "), (out, text) => (out[word] = extentOf(text, word)));
        const line = element("code");
        line.append(`${kernel}<<<`, extent("grid"), ", ", extent("block"));
        if (launch.shared_mem) {
            const put = (out, text) => (out.shared_mem = integer(text, "Shared memory, in bytes,", 0));
            line.append(", ", field("shared memory in bytes", launch.shared_mem, put));
        }
        line.append(">>>(");
        for (const [number, packed] of launch.args.entries()) {
            const [kind, value] = typeof packed === "number" ? ["plain", packed] : Object.entries(packed)[0];
            const name = `argument ${number + 1}`;
            if (number) line.append(", ");
            if (kind === "plain") line.append(field(name, value, (out, text) => (out.args[number] = numeric(text, name))));
            else if (kind === "number") {
                const put = (out, text) => (out.args[number] = { number: [numeric(text, name), value[1]] });
                line.append(field(name, value[0], put));
            } else if (kind === "array" && Array.isArray(value[0]) && value[0].length === 1) {
                const put = (out, text) => (out.args[number] = { array: resized(value, integer(text, `The size of ${name}`, 1)) });
                line.append(`${args[number].replace(/\[.*/, "")}[`, field(`size of ${name}`, value[0][0], put), "]");
            } else line.append(args[number]);
        }
        line.append(")");
        this.root.append("Launch: ", line);
    }

    /** The launch as the fields have it.
     * @throws {Error} a sentence about a field that holds no such value */
    read() {
        const out = structuredClone(this.launch);
        for (const { input, put, before } of this.fields) if (input.value !== before) put(out, input.value);
        return out;
    }

    /** What tells this launch from others. */
    get words() {
        return this.fields.map(({ input }) => input.value).join(";");
    }
}

function extentOf(text, word) {
    const sizes = text.split(",").map((one) => Number(one.trim() || NaN));
    if (sizes.length > 3 || !sizes.every((one) => Number.isInteger(one) && one > 0)) throw new Error(`The ${word} must be ${EXTENT}.`);
    return sizes.length === 1 ? sizes[0] : sizes;
}

function integer(text, what, least) {
    const value = Number(text.trim() || NaN);
    if (!Number.isInteger(value) || value < least || value > MOST)
        throw new Error(`${what} must be an integer from ${least} to ${MOST}.`);
    return value;
}

function numeric(text, name) {
    const value = Number(text.trim() || NaN);
    if (!Number.isFinite(value)) throw new Error(`The value of ${name} must be a number.`);
    return value;
}

// An array of another size: a longer one repeats its values.
function resized([[before], dtype, content], size) {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const length = (bytes.length / before) * size;
    let out = "";
    for (let i = 0; i < length; i++) out += String.fromCharCode(bytes[i % bytes.length]);
    return [[size], dtype, btoa(out)];
}
