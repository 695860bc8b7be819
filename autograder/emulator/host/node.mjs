// Runs one launch under Node: node node.mjs MODULE REQUEST ARENA TRACE RESULT, all of them files. As emu-run: the exit status
// is a Status, and what was refused stands on stderr.
import fs from "node:fs";
import { describe } from "./protocol.mjs";
import { run } from "./machine.mjs";

/** @returns {import("./machine.mjs").File} */
function open(path) {
    const file = fs.openSync(path, "r+");
    return {
        size: fs.fstatSync(file).size,
        read(start, length) {
            const bytes = new Uint8Array(length);
            fs.readSync(file, bytes, 0, length, start);
            return bytes;
        },
        write: (start, bytes) => fs.writeSync(file, bytes, 0, bytes.length, start),
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
