// Threads as coroutines of WebAssembly (JavaScript Promise Integration).
//
// A coroutine has a stack of the engine's, which takes mappings of memory, and a process may have some ten thousand of these.
// Engines give them back when they collect garbage, which a page that makes many launches does not live to see. So stacks are
// kept, and threads of later launches begin on them: each runs the loop of this module, which enters a launch's threads by
// the table.
//
//     (module
//       (type $t (func))
//       (import "" "w" (func $wait (type $t)))
//       (import "" "t" (table 1 funcref))
//       (func (export "l") (type $t)
//         (loop $again
//           (try (do (call_indirect (type $t) (i32.const 0))) (catch_all))
//           (call $wait)
//           (br $again))))
// prettier-ignore
const LOOP = new Uint8Array([
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
    0x01, 0x04, 0x01, 0x60, 0x00, 0x00,
    0x02, 0x0d, 0x02, 0x00, 0x01, 0x77, 0x00, 0x00, 0x00, 0x01, 0x74, 0x01, 0x70, 0x00, 0x01,
    0x03, 0x02, 0x01, 0x00,
    0x07, 0x05, 0x01, 0x01, 0x6c, 0x00, 0x01,
    0x0a, 0x14, 0x01, 0x12, 0x00, 0x03, 0x40,
    0x06, 0x40, 0x41, 0x00, 0x11, 0x00, 0x00, 0x19, 0x0b,
    0x10, 0x00, 0x0c, 0x00, 0x0b, 0x0b,
]);

const table = new WebAssembly.Table({ element: "anyfunc", initial: 1 });
const free = []; // what resumes each stack that no thread is on
let begin; // enters the loop on a new stack
let launch; // the Coroutines whose threads run

function wait() {
    return new Promise((resolve) => {
        free.push(resolve);
        launch.left();
    });
}

/** The threads of one launch, known by the top of their stack in memory; 0 is the runtime itself. One launch at a time. */
export class Coroutines {
    /** @param {(error: Error) => void} stopped is called with what ended a thread that did not come to its end */
    constructor(stopped) {
        this.stopped = stopped;
        this.waiting = new Map(); // coroutine -> how it goes on: `resume`, or `reject`
        this.next = undefined; // who goes on when a thread has come to its end
        this.quits = false; // the thread that runs has ended the launch
        this.taken = undefined; // when `end` was called: how many threads are still on their stacks, and who waits for them
    }

    /** @param {WebAssembly.Exports} exports of the module that runs */
    attach(exports) {
        this.stack = exports.__stack_pointer;
        launch = this;
        table.set(0, exports.emu_begin);
        const imports = { w: new WebAssembly.Suspending(wait), t: table };
        begin ??= WebAssembly.promising(new WebAssembly.Instance(new WebAssembly.Module(LOOP), { "": imports }).exports.l);
    }

    /** Suspends `from`, and resumes or begins `to`. */
    switch(from, to) {
        const stack = this.stack.value;
        return new Promise((resolve, reject) => {
            const resume = () => {
                this.stack.value = stack;
                resolve();
            };
            this.waiting.set(from, { resume, reject });
            this.goOn(to);
        });
    }

    /** The thread that runs comes to its end; then `to` goes on. */
    leave(to) {
        this.next = to;
    }

    goOn(to) {
        const next = this.waiting.get(to);
        this.waiting.delete(to);
        if (next) return next.resume();
        // Not at once: a thread that began inside another's call would keep it from being suspended.
        queueMicrotask(() => {
            this.stack.value = to;
            const resume = free.pop();
            if (resume) resume();
            else begin().catch((error) => launch.stopped(error));
        });
    }

    // A thread's stack has become free.
    left() {
        const to = this.next;
        this.next = undefined;
        if (to !== undefined) this.goOn(to);
        else if (this.taken) --this.taken.count || this.taken.done();
        else if (!this.quits) this.stopped(new RangeError("stack overflow")); // to some engines no trap: the loop caught it
    }

    /** Takes all threads from their stacks. */
    end() {
        const rejected = [...this.waiting].filter(([coroutine]) => coroutine);
        return new Promise((done) => {
            this.taken = { count: rejected.length, done };
            if (!rejected.length) done();
            for (const { reject } of this.waiting.values()) reject(new Error("the launch has ended"));
            this.waiting.clear();
        });
    }
}
