// Runs one launch under Node: node node.mjs MODULE REQUEST ARENA TRACE RESULT, all of them files. As emu-run: the exit status
// is a Status, and what was refused stands on stderr.
import fs from "node:fs";
import { describe } from "./protocol.mjs";
import { run } from "./machine.mjs";

describe(JSON.parse(fs.readFileSync(new URL("../protocol.json", import.meta.url), "utf8")));
const [modulePath, requestPath, arenaPath, tracePath, resultPath] = process.argv.slice(2);
const files = [requestPath, arenaPath, tracePath].map((path) => new Uint8Array(fs.readFileSync(path)));
const module = new WebAssembly.Module(fs.readFileSync(modulePath));
const { status, said, answer } = await run(module, ...files);
fs.writeFileSync(arenaPath, files[1]);
if (files[2].length) fs.writeFileSync(tracePath, files[2]);
fs.writeFileSync(resultPath, answer);
if (said) console.error(said);
process.exit(status);
