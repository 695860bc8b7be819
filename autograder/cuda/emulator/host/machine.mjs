// Runs one launch: what platform/wasm asks of its host. Nothing here knows Node or a page.
import { Coroutines } from "./coroutines.mjs";
import { format } from "./format.mjs";
import { filledParts, moduleEnd } from "./protocol.mjs";

const PAGE = 65536; // bytes
const ENTRY = 1n; // the kernel's place in the runtime's table

class Quit extends Error {}

// Fault in platform.h, by what engines say.
const FAULTS = [
    [/divide by zero|division by zero|remainder by zero|divide result unrepresentable|integer overflow/i, "DivisionByZero"],
    [/stack|recursion/i, "StackOverflow"],
    [/unreachable/i, "UnreachableCode"],
];
const FAULT_NUMBERS = { DivisionByZero: 0, StackOverflow: 1, SystemCall: 2, UnreachableCode: 3, WildPointer: 4 };

function faultOf(error) {
    const found = FAULTS.find(([words]) => words.test(error.message));
    return FAULT_NUMBERS[found ? found[1] : "WildPointer"];
}

/**
 * @typedef {object} File bytes that the host keeps
 * @property {number} size
 * @property {(start: number, length: number) => Uint8Array} read
 * @property {(start: number, bytes: Uint8Array) => void} write
 */

/**
 * Runs a launch.
 *
 * @param {WebAssembly.Module} runtime
 * @param {WebAssembly.Module} kernel
 * @param {Uint8Array} request see protocol.json
 * @param {File} arena the arrays and kept variables at their places; they are changed
 * @param {File} trace room for the trace; may be empty
 * @param {() => number} milliseconds the time, of the processor if the host knows it
 * @returns {Promise<{status: number, said: string, answer: string}>} the Status, why it was refused, the answer's JSON
 */
export async function run(runtime, kernel, request, arena, trace, milliseconds) {
    // Switching takes its time, and most kernels can do without: see platform/wasm/stacks.h.
    const done = await attempt(runtime, kernel, request, arena, trace, milliseconds, false);
    return done ?? attempt(runtime, kernel, request, arena, trace, milliseconds, true);
}

// Nothing if the launch needs to switch, and may not.
async function attempt(runtime, kernel, request, arena, trace, milliseconds, switches) {
    const asked = { size: request.length, read: (start, length) => request.subarray(start, start + length) };
    const files = [asked, arena, trace];
    // The gaps in the arena stay untouched.
    const parts = files.map(({ size }, i) => (i === 1 ? filledParts(request) : [{ start: 0, bytes: size }]));
    const places = []; // where each file is in memory
    const pieces = [];
    let said = "";
    let exports;
    const bytes = () => new Uint8Array(exports.memory.buffer);
    const text = (at, length) => new TextDecoder().decode(bytes().subarray(Number(at), Number(at) + Number(length)));

    let end;
    const ended = new Promise((resolve) => (end = resolve));
    // What ended a coroutine: the end of the launch, or a trap, of which the runtime makes an answer.
    const stopped = (error) => {
        if (coroutines.quits) return;
        try {
            exports.__stack_pointer.value = top;
            exports.emu_fault(faultOf(error));
        } catch (next) {
            if (!(next instanceof Quit)) end(Promise.reject(next));
        }
    };
    const coroutines = new Coroutines(stopped);
    const host = {
        host_quit(status) {
            coroutines.quits = true;
            end(status);
            throw new Quit();
        },
        host_refuse(why, length) {
            said = text(why, length);
        },
        host_file_size: (file) => BigInt(files[file].size),
        host_read_file(file, to) {
            places[file] = Number(to);
            for (const part of parts[file]) bytes().set(files[file].read(part.start, part.bytes), Number(to) + part.start);
        },
        host_send(at, length) {
            pieces.push(text(at, length));
        },
        host_milliseconds: milliseconds,
        host_print: (to, room, spec, list) => format(exports.memory.buffer, to, room, spec, list),
        host_leave: (to) => coroutines.leave(to),
        host_switches: () => Number(switches),
        host_switch: switches ? new WebAssembly.Suspending((from, to) => coroutines.switch(from, to)) : () => host.host_quit(undefined),
    };
    exports = new WebAssembly.Instance(runtime, { env: host }).exports;
    const missing = Math.ceil(moduleEnd(request) / PAGE) - exports.memory.buffer.byteLength / PAGE;
    if (missing > 0) exports.memory.grow(BigInt(missing));
    const own = new WebAssembly.Instance(kernel, { env: exports }).exports;
    exports.__indirect_function_table.set(ENTRY, own.emu_entry);
    exports.emu_load(own.emu_parameters.value, own.emu_accesses.value, own.emu_returns.value);
    const top = exports.__stack_pointer.value;
    coroutines.attach(exports);
    WebAssembly.promising(exports.emu_run)().catch(stopped);
    const status = await ended;
    await coroutines.end();
    if (status === undefined) return undefined;
    for (const file of [1, 2]) {
        if (places[file] === undefined) continue;
        for (const { start, bytes: length } of parts[file])
            files[file].write(start, bytes().subarray(places[file] + start, places[file] + start + length));
    }
    return { status, said, answer: pieces.join("") };
}
