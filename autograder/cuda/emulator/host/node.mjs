// Runs launches under Node, node.mjs RUNTIME, one for each line of standard input: [MODULE, REQUEST, ARENA, TRACE, RESULT] as JSON, all of them
// files. The answer is a line, too: the status is a Status, and what was refused is said. ARENA and TRACE are parts of larger
// files: 8 bytes with the size of the whole, then each part behind 16 bytes, where it begins and its bytes
// (cuda/backends/node_process.py). They are written anew.
import fs from "node:fs";
import readline from "node:readline";
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
        close: () => fs.closeSync(file),
    };
}

const processorTime = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
};

const runtime = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
describe(JSON.parse(fs.readFileSync(new URL("../protocol.json", import.meta.url), "utf8")));
const known = new Map(); // modules by their paths: a kernel is mostly launched again
for await (const line of readline.createInterface({ input: process.stdin })) {
    const [modulePath, requestPath, arenaPath, tracePath, resultPath] = JSON.parse(line);
    if (!known.has(modulePath)) known.set(modulePath, new WebAssembly.Module(fs.readFileSync(modulePath)));
    const request = new Uint8Array(fs.readFileSync(requestPath));
    const files = [arenaPath, tracePath].map(open);
    const { status, said, answer } = await run(runtime, known.get(modulePath), request, ...files, processorTime);
    for (const file of files) file.close();
    fs.writeFileSync(resultPath, answer);
    console.log(JSON.stringify({ status, said }));
}
