// vsnprintf, for what CUDA's printf knows (hooks/print.h asks for one value at a time) and the runtime's own messages.
const CONVERSION = /%([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l)?([diouxXeEfFgGaAcsp%])/g;

// x * 10^places as the nearest whole number, and the even one of two: toFixed and its like take the larger.
function scaled(x, places) {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, x);
    const bits = view.getBigUint64(0);
    const stored = Number(bits >> 52n) & 0x7ff;
    let top = (bits & 0xfffffffffffffn) | (stored ? 1n << 52n : 0n);
    let bottom = 1n;
    const power = (stored || 1) - 1075;
    if (power > 0) top <<= BigInt(power);
    else bottom <<= BigInt(-power);
    if (places > 0) top *= 10n ** BigInt(places);
    else bottom *= 10n ** BigInt(-places);
    const whole = top / bottom;
    const rest = 2n * (top % bottom);
    return rest > bottom || (rest === bottom && whole & 1n) ? whole + 1n : whole;
}

function fixed(x, precision) {
    const digits = scaled(x, precision)
        .toString()
        .padStart(precision + 1, "0");
    return precision ? `${digits.slice(0, -precision)}.${digits.slice(-precision)}` : digits;
}

// The digits of x, so many of them behind the first, and the power of ten of the first.
function scientific(x, precision) {
    if (x === 0) return { digits: "0".repeat(precision + 1), power: 0 };
    let power = Number(x.toExponential(20).split("e")[1]);
    let digits = scaled(x, precision - power).toString();
    if (digits.length > precision + 1) {
        power += 1;
        digits = scaled(x, precision - power).toString();
    }
    return { digits, power };
}

function exponential(x, precision) {
    const { digits, power } = scientific(x, precision);
    const sign = power < 0 ? "-" : "+";
    return `${digits[0]}${precision ? "." : ""}${digits.slice(1)}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

function general(x, precision, alternate) {
    const behind = Math.max(precision, 1) - 1;
    const { power } = scientific(x, behind);
    const text = power < -4 || power > behind ? exponential(x, behind) : fixed(x, behind - power);
    return !alternate && text.includes(".") ? text.replace(/\.?0+(e|$)/, "$1") : text;
}

function hexadecimal(x, precision) {
    if (x === 0) return `0x0${precision > 0 ? `.${"0".repeat(precision)}` : ""}p+0`;
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, x);
    const bits = view.getBigUint64(0);
    let power = Number((bits >> 52n) & 0x7ffn);
    let fraction = bits & 0xfffffffffffffn;
    let lead = power ? 1n : 0n;
    power = power ? power - 1023 : -1022;
    if (precision !== undefined && precision < 13) {
        const shift = BigInt(4 * (13 - precision));
        let whole = (lead << 52n) | fraction;
        const rest = whole & ((1n << shift) - 1n);
        const half = 1n << (shift - 1n);
        whole >>= shift;
        if (rest > half || (rest === half && whole & 1n)) whole += 1n;
        whole <<= shift;
        lead = whole >> 52n;
        fraction = whole & 0xfffffffffffffn;
    }
    let digits = fraction.toString(16).padStart(13, "0");
    digits = precision === undefined ? digits.replace(/0+$/, "") : digits.slice(0, precision).padEnd(precision, "0");
    return `0x${lead}${digits ? `.${digits}` : ""}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}

function real(type, x, precision, flags) {
    const lower = type.toLowerCase();
    const magnitude = Math.abs(x);
    let text;
    if (Number.isNaN(x)) text = "nan";
    else if (magnitude === Infinity) text = "inf";
    else if (lower === "f") text = fixed(magnitude, precision ?? 6);
    else if (lower === "e") text = exponential(magnitude, precision ?? 6);
    else if (lower === "g") text = general(magnitude, precision ?? 6, flags.includes("#"));
    else text = hexadecimal(magnitude, precision);
    const negative = x < 0 || Object.is(x, -0);
    const sign = negative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
    return { sign, text: type === lower ? text : text.toUpperCase(), zeros: Number.isFinite(x) };
}

function integer(type, value, precision, flags) {
    const signed = type === "d" || type === "i";
    const negative = signed && value < 0n;
    const base = { o: 8, x: 16, X: 16 }[type] ?? 10;
    let text = (negative ? -value : value).toString(base);
    if (value === 0n && precision === 0) text = "";
    if (type === "X") text = text.toUpperCase();
    if (precision !== undefined) text = text.padStart(precision, "0");
    let sign = negative ? "-" : signed && flags.includes("+") ? "+" : signed && flags.includes(" ") ? " " : "";
    if (flags.includes("#") && base === 16 && value !== 0n) sign = `0${type}`;
    if (flags.includes("#") && base === 8 && !text.startsWith("0")) text = `0${text}`;
    return { sign, text, zeros: precision === undefined };
}

/**
 * @param {ArrayBuffer} memory of the module
 * @param {bigint} to where the text goes, with a 0 behind it
 * @param {bigint} room the bytes there
 * @param {bigint} spec the format's address
 * @param {bigint} list the arguments' address: each at a multiple of its own size
 * @returns {number} the bytes of the whole text, which may be more than there was room for
 */
export function format(memory, to, room, spec, list) {
    const view = new DataView(memory);
    const bytes = new Uint8Array(memory);
    const stringAt = (at, most) => {
        let end = Number(at);
        while (bytes[end] && end - Number(at) < most) end++;
        return latin(bytes.subarray(Number(at), end));
    };
    let at = Number(list);
    const take = (size, get) => {
        at = Math.ceil(at / size) * size;
        const value = get(at);
        at += size;
        return value;
    };
    const int = () => take(4, (i) => view.getInt32(i, true));
    const out = stringAt(spec, Infinity).replace(CONVERSION, (_, flags, width, precision, length, type) => {
        if (type === "%") return "%";
        if (width === "*") width = int();
        if (width < 0) [flags, width] = [`${flags}-`, -width];
        if (precision === "*") precision = int();
        else if (precision !== undefined) precision = Number(precision || 0);
        if (precision < 0) precision = undefined;
        let part;
        if ("eEfFgGaA".includes(type)) part = real(type, take(8, (i) => view.getFloat64(i, true)), precision, flags);
        else if (type === "c") part = { sign: "", text: String.fromCharCode(int() & 255), zeros: false };
        else if (type === "s") {
            const start = take(8, (i) => view.getBigUint64(i, true));
            part = { sign: "", text: stringAt(start, precision ?? Infinity), zeros: false };
        } else if (type === "p") {
            const value = take(8, (i) => view.getBigUint64(i, true));
            part = { sign: "", text: value ? `0x${value.toString(16)}` : "(nil)", zeros: false };
        } else {
            const long = length === "l" || length === "ll";
            let value = long ? take(8, (i) => view.getBigInt64(i, true)) : BigInt(int());
            if (!"di".includes(type)) value = BigInt.asUintN(long ? 64 : 32, value);
            part = integer(type, value, precision, flags);
        }
        const left = Number(width || 0) - part.sign.length - part.text.length;
        if (left <= 0) return part.sign + part.text;
        if (flags.includes("-")) return part.sign + part.text + " ".repeat(left);
        if (flags.includes("0") && part.zeros) return part.sign + "0".repeat(left) + part.text;
        return " ".repeat(left) + part.sign + part.text;
    });
    const limit = Math.min(out.length, Number(room) - 1);
    for (let i = 0; i < limit; i++) bytes[Number(to) + i] = out.charCodeAt(i);
    if (room > 0n) bytes[Number(to) + Math.max(limit, 0)] = 0;
    return out.length;
}

// A character for each byte, so that lengths are those of C.
function latin(bytes) {
    let out = "";
    for (const byte of bytes) out += String.fromCharCode(byte);
    return out;
}
