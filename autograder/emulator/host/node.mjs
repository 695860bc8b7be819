// Runs one launch under Node: node node.mjs MODULE REQUEST ARENA TRACE RESULT, all of them files. As emu-run: the exit status
// is a Status, and what was refused stands on stderr. ARENA and TRACE are parts of larger files: 8 bytes with the size of the
// whole, then each part behind 16 bytes, where it begins and its bytes (backends/node_process.py). They are written anew.
import fs from "node:fs";
import { describe } from "./protocol.mjs";
import { run } from "./machine.mjs";

const PART = 16;

/** @returns {import("./machine.mjs").File} */
function open(path) {
    const content = fs.readFileSync(path);
    const number = (at) => Number(content.readBigUInt64LE(at));
    const parts = new Map();
    for (let at = 8; at < content.length; at += PART + number(at + 8))
        parts.set(number(at), content.subarray(at + PART, at + PART + number(at + 8)));
    const file = fs.openSync(path, "w");
    fs.writeSync(file, content, 0, 8);
    return {
        size: number(0),
        read: (start, length) => parts.get(start)?.subarray(0, length) ?? new Uint8Array(0),
        write(start, bytes) {
            const head = Buffer.alloc(PART);
            head.writeBigUInt64LE(BigInt(start), 0);
            head.writeBigUInt64LE(BigInt(bytes.length), 8);
            fs.writeSync(file, head);
            for (let done = 0; done < bytes.length; ) done += fs.writeSync(file, bytes, done);
        },
    };
}

describe(JSON.parse(fs.readFileSync(new URL("../protocol.json", import.meta.url), "utf8")));
const [modulePath, requestPath, arenaPath, tracePath, resultPath] = process.argv.slice(2);
const module = new WebAssembly.Module(fs.readFileSync(modulePath));
const request = new Uint8Array(fs.readFileSync(requestPath));
const { status, said, answer } = await run(module, request, open(arenaPath), open(tracePath), () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
});
fs.writeFileSync(resultPath, answer);
if (said) console.error(said);
process.exit(status);
