// Reads protocol.json's structs.
let description;

/** @param {object} json the parsed protocol.json */
export function describe(json) {
    description = json;
}

const SIZES = { u8: 1, u16: 2, u32: 4, u64: 8, i32: 4, i64: 8 };

function number(type) {
    return description.enumerations[type]?.type ?? type;
}

function size(type) {
    const [, name, length] = /^(\w+)(?:\[(\d+)\])?$/.exec(type);
    const one = SIZES[number(name)] ?? description.structs[name].fields.reduce((sum, [, field]) => sum + size(field), 0);
    return one * Number(length ?? 1);
}

// The numbers of a struct that are not in arrays or in structs of their own.
function read(view, at, struct) {
    const values = {};
    for (const [name, type] of description.structs[struct].fields) {
        const kind = number(type);
        if (kind === "u64" || kind === "i64") values[name] = Number(view.getBigUint64(at, true));
        else if (kind === "u32") values[name] = view.getUint32(at, true);
        at += size(type);
    }
    return { values, end: at };
}

/** Where the data of a request's kernel end in memory. */
export function moduleEnd(request) {
    return read(new DataView(request.buffer, request.byteOffset, request.byteLength), 0, "Request").values.module_image;
}

/** What of the arena holds something: the global arrays of a request, and the variables that it keeps, by start and bytes. */
export function filledParts(request) {
    const view = new DataView(request.buffer, request.byteOffset, request.byteLength);
    const head = read(view, 0, "Request");
    const found = [];
    for (let n = 0, at = head.end; n < head.values.n_variables; n++) {
        const { values, end } = read(view, at, "Variable");
        at = end;
        if (values.space === description.enumerations.Space.members.global) found.push(values);
        else if (values.saved_at) found.push({ start: values.saved_at, bytes: values.bytes });
    }
    return found;
}
