// What the compiler asks of an operating system (WASI, snapshot preview 1), as far as it does: arguments, files in memory,
// and what it prints.

const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const IS_DIRECTORY = 31;
const NO_ENTRY = 44;
const NOT_SUPPORTED = 58;
const DIRECTORY = 3;
const REGULAR_FILE = 4;
const ROOT = 3; // the first descriptor behind those of input, output and messages
const CREATE = 1;
const TRUNCATE = 8;
const STAT_BYTES = 64;

export class Exit extends Error {
    constructor(status) {
        super(`exited with status ${status}`);
        this.status = status;
    }
}

class File {
    constructor(bytes = new Uint8Array(0)) {
        this.bytes = bytes; // and room behind them
        this.size = bytes.length;
    }

    get content() {
        return this.bytes.subarray(0, this.size);
    }

    read(at, most) {
        return this.bytes.subarray(at, Math.min(at + most, this.size));
    }

    write(at, bytes) {
        const end = at + bytes.length;
        if (end > this.bytes.length) {
            const more = new Uint8Array(Math.max(2 * this.bytes.length, end, 4096));
            more.set(this.content);
            this.bytes = more;
        }
        this.bytes.set(bytes, at);
        if (end > this.size) this.size = end;
    }

    resize(size) {
        if (size > this.size) this.write(this.size, new Uint8Array(size - this.size));
        this.size = size;
    }
}

const numbers = new Map(); // of files, by their paths: a compiler takes two of one number for the same file

/** One run of a program. */
export class System {
    /**
     * @param {string[]} words the program's name, and its arguments
     * @param {object} root a tree: of each file its bytes, a text or, once it has been opened, a File
     */
    constructor(words, root) {
        const encoder = new TextEncoder();
        this.words = words.map((word) => encoder.encode(`${word}\0`));
        this.root = root;
        this.output = new File();
        this.messages = new File();
        const std = [new File(), this.output, this.messages].map((file) => ({ file, at: 0 }));
        this.open = [...std, { directory: root, path: "" }];
    }

    /** @param {WebAssembly.Memory} memory of the program */
    attach(memory) {
        this.memory = memory;
        this.view = new DataView(memory.buffer);
    }

    /** A file's bytes; nothing if there is none. */
    content(path) {
        return this.#find(path)?.content;
    }

    /** What a program imports; what is not here is reported as not supported. */
    imports(module) {
        const name = (one) => [one.name, this[one.name]?.bind(this) ?? (() => NOT_SUPPORTED)];
        return { wasi_snapshot_preview1: Object.fromEntries(WebAssembly.Module.imports(module).map(name)) };
    }

    #find(path) {
        let found = this.root;
        let [parent, last] = [undefined, ""];
        for (const name of path.split("/")) {
            if (!name || name === ".") continue;
            if (typeof found !== "object" || found instanceof File || !Object.hasOwn(found, name)) return undefined;
            [parent, last, found] = [found, name, found[name]];
            if (typeof found === "string") found = new TextEncoder().encode(found);
            if (found instanceof Uint8Array) found = parent[last] = new File(found);
        }
        return found;
    }

    // The directory that holds a path's last name, and that name.
    #place(path) {
        const at = path.lastIndexOf("/");
        return [this.#find(path.slice(0, Math.max(at, 0))), path.slice(at + 1)];
    }

    #text(at, length) {
        return new TextDecoder().decode(this.#bytes(at, length));
    }

    #bytes(at, length) {
        return new Uint8Array(this.memory.buffer, at, length);
    }

    // The view of a memory that has grown is another.
    #view() {
        return this.view.buffer.byteLength ? this.view : (this.view = new DataView(this.memory.buffer));
    }

    #number(at, value) {
        this.#view().setUint32(at, value, true);
        return SUCCESS;
    }

    #stat(path, found, to) {
        if (!found) return NO_ENTRY;
        if (!numbers.has(path)) numbers.set(path, BigInt(numbers.size + 1));
        this.#bytes(to, STAT_BYTES).fill(0);
        const view = this.#view();
        view.setBigUint64(to + 8, numbers.get(path), true);
        view.setUint8(to + 16, found instanceof File ? REGULAR_FILE : DIRECTORY);
        view.setBigUint64(to + 24, 1n, true);
        view.setBigUint64(to + 32, BigInt(found.size ?? 0), true);
        return SUCCESS;
    }

    #list(words, pointers, to) {
        for (const word of words) {
            this.#number(pointers, to);
            this.#bytes(to, word.length).set(word);
            pointers += 4;
            to += word.length;
        }
        return SUCCESS;
    }

    #sizes(words, count, bytes) {
        this.#number(count, words.length);
        return this.#number(
            bytes,
            words.reduce((sum, word) => sum + word.length, 0),
        );
    }

    // Calls `part` with each piece of memory of a list of them, which returns how many bytes it took; their sum goes to `done`.
    #each(list, count, done, part) {
        const view = this.#view();
        let sum = 0;
        for (; count--; list += 8) sum += part(view.getUint32(list, true), view.getUint32(list + 4, true), sum);
        return this.#number(done, sum);
    }

    args_sizes_get(count, bytes) {
        return this.#sizes(this.words, count, bytes);
    }

    args_get(pointers, to) {
        return this.#list(this.words, pointers, to);
    }

    environ_sizes_get(count, bytes) {
        return this.#sizes([], count, bytes);
    }

    environ_get() {
        return SUCCESS;
    }

    clock_time_get(clock, precision, to) {
        this.#view().setBigUint64(to, BigInt(Math.round(performance.now() * 1e6)), true);
        return SUCCESS;
    }

    random_get(to, length) {
        this.#bytes(to, length).forEach((_, i, bytes) => (bytes[i] = Math.random() * 256));
        return SUCCESS;
    }

    proc_exit(status) {
        throw new Exit(status);
    }

    fd_close(fd) {
        if (!this.open[fd]) return BAD_DESCRIPTOR;
        delete this.open[fd];
        return SUCCESS;
    }

    fd_fdstat_get(fd, to) {
        if (!this.open[fd]) return BAD_DESCRIPTOR;
        this.#bytes(to, 24).fill(0);
        this.#view().setUint8(to, this.open[fd].file ? REGULAR_FILE : DIRECTORY);
        this.#bytes(to + 8, 16).fill(255); // everything is allowed
        return SUCCESS;
    }

    fd_filestat_get(fd, to) {
        const { path, file, directory } = this.open[fd] ?? {};
        return this.#stat(path, file ?? directory, to);
    }

    fd_filestat_set_size(fd, size) {
        this.open[fd].file.resize(Number(size));
        return SUCCESS;
    }

    fd_filestat_set_times() {
        return SUCCESS;
    }

    fd_prestat_get(fd, to) {
        if (fd !== ROOT) return BAD_DESCRIPTOR;
        this.#number(to, 0);
        return this.#number(to + 4, 1);
    }

    fd_prestat_dir_name(fd, to) {
        this.#view().setUint8(to, "/".charCodeAt());
        return SUCCESS;
    }

    fd_pread(fd, list, count, offset, done) {
        const { file } = this.open[fd] ?? {};
        if (!file) return BAD_DESCRIPTOR;
        return this.#each(list, count, done, (to, length, sum) => {
            const bytes = file.read(Number(offset) + sum, length);
            this.#bytes(to, bytes.length).set(bytes);
            return bytes.length;
        });
    }

    fd_read(fd, list, count, done) {
        const opened = this.open[fd];
        const status = this.fd_pread(fd, list, count, opened?.at, done);
        if (!status) opened.at += this.#view().getUint32(done, true);
        return status;
    }

    fd_write(fd, list, count, done) {
        const opened = this.open[fd];
        if (!opened?.file) return BAD_DESCRIPTOR;
        return this.#each(list, count, done, (from, length) => {
            opened.file.write(opened.at, this.#bytes(from, length));
            opened.at += length;
            return length;
        });
    }

    fd_seek(fd, offset, whence, to) {
        const opened = this.open[fd];
        if (!opened?.file) return BAD_DESCRIPTOR;
        opened.at = [0, opened.at, opened.file.size][whence] + Number(offset);
        this.#view().setBigUint64(to, BigInt(opened.at), true);
        return SUCCESS;
    }

    path_open(fd, follow, at, length, how, rights, inherited, flags, to) {
        const path = this.#text(at, length);
        let found = this.#find(path);
        if (!found && how & CREATE) {
            const [parent, name] = this.#place(path);
            if (parent) found = parent[name] = new File();
        }
        if (!found) return NO_ENTRY;
        const file = found instanceof File ? found : undefined;
        if (how & TRUNCATE) file?.resize(0);
        this.open.push({ path, file, directory: file ? undefined : found, at: 0 });
        return this.#number(to, this.open.length - 1);
    }

    path_filestat_get(fd, follow, at, length, to) {
        const path = this.#text(at, length);
        return this.#stat(path, this.#find(path), to);
    }

    path_unlink_file(fd, at, length) {
        const path = this.#text(at, length);
        const found = this.#find(path);
        if (!found) return NO_ENTRY;
        if (!(found instanceof File)) return IS_DIRECTORY;
        const [parent, name] = this.#place(path);
        delete parent[name];
        return SUCCESS;
    }

    path_create_directory(fd, at, length) {
        const [parent, name] = this.#place(this.#text(at, length));
        if (!parent) return NO_ENTRY;
        parent[name] ??= {};
        return SUCCESS;
    }
}
