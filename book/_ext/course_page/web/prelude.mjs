// Precompiles the prelude with the page's own compiler: node prelude.mjs FLAGS HEADERS TARGET COMPILER, the first two JSON
// files.
import fs from "node:fs";
import { Compiler } from "./compiler.mjs";

const [flags, headers, target, compiler] = process.argv.slice(2);
const read = (path) => JSON.parse(fs.readFileSync(path, "utf8"));
const { status, log, made } = await new Compiler(WebAssembly.compile(fs.readFileSync(compiler))).run(["clang", ...read(flags)], {
    runtime: read(headers),
});
if (status) {
    console.error(log);
    process.exit(1);
}
fs.writeFileSync(target, made);
