// Precompiles the prelude with the page's own compiler: node prelude.mjs FLAGS HEADERS TARGET, the first two JSON files.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [flagsPath, headersPath, target, compiler] = process.argv.slice(2);
const { runLLVM } = await import(pathToFileURL(compiler).href);
const read = (path) => JSON.parse(fs.readFileSync(path, "utf8"));
let log = "";
const take = (bytes) => bytes && (log += new TextDecoder().decode(bytes));
const files = { runtime: read(headersPath) };
try {
    const made = await runLLVM(["clang", ...read(flagsPath)], files, { stderr: take, decodeASCII: false, fetchProgress() {} });
    fs.writeFileSync(target, made["prelude.pch"]);
} catch (error) {
    console.error(log || error);
    process.exit(1);
}
