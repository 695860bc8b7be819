// What this browser keeps of the book so that it works without a network: service_worker.js.

const ROOT = new URL("../../", import.meta.url).href; // of the book
const PATIENCE = 2000; // milliseconds
const lines = []; // what shows each of them anew
const { serviceWorker } = navigator; // missing where the address is neither https nor this machine

/** Let downloads from here on be kept, as far as this browser allows it. */
export async function begin() {
    if (!serviceWorker) return;
    const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
    try {
        const taken = new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
        const registered = serviceWorker.register(`${ROOT}service_worker.js`);
        const kept = registered.then(async ({ active }) => (await caches.open(ROOT)) && (active || (await taken)));
        await Promise.race([kept, patience]);
    } catch (error) {
        console.warn(`The book will not work without a network: ${error.message}`);
    }
}

/** Whether the whole book is kept, so that loading its compiler asks nothing of the network. */
export async function isWhole() {
    return Boolean((await hasKept()) && (await (await caches.open(ROOT)).match(`${ROOT}whole`)));
}

// A browser that refuses to keep anything throws.
async function hasKept() {
    try {
        return await caches.has(ROOT);
    } catch {
        return false;
    }
}

/** Whether each megabyte costs the reader money or patience: then only what was asked for is downloaded. */
export function isCostly() {
    const { saveData, effectiveType } = navigator.connection ?? {}; // which Firefox does not have
    return Boolean(saveData) || /2g|3g/.test(effectiveType);
}

/** Keep the rest of the book, too, in the background; over a costly connection, only offer it. */
export async function keepRest() {
    if (!isCostly()) return post("keep");
    for (const show of lines) await show();
}

async function post(word) {
    const registration = await serviceWorker?.getRegistration(ROOT).catch(() => undefined);
    registration?.active?.postMessage(word);
}

/** Show below `place` how much is kept, with a button that deletes it; over a costly connection, also one that downloads the rest. */
export async function showKept(place) {
    if (!serviceWorker || !globalThis.caches) return;
    const line = document.createElement("p");
    line.className = "kept-files";
    line.hidden = true;
    const button = (act) => {
        const out = document.createElement("button");
        out.type = "button";
        out.addEventListener("click", act);
        return out;
    };
    const remove = button(async () => {
        await caches.delete(ROOT);
        await (await serviceWorker.getRegistration(ROOT))?.unregister();
        await show();
    });
    const rest = button(async () => {
        rest.hidden = true;
        says.textContent = "Downloading the rest of the book ...";
        await post("keep");
    });
    rest.hidden = true;
    const says = document.createElement("span");
    line.append(says, " ", rest, " ", remove);
    place.append(line);

    let kept = 0; // bytes
    async function show() {
        const isKept = await hasKept();
        if (isKept) {
            const whole = await isWhole();
            const bytes = (await (await caches.open(ROOT)).matchAll()).reduce((sum, one) => sum + Number(one.headers.get("content-length")), 0);
            rest.hidden = whole || !isCostly();
            if (whole) says.textContent = "The book and its checks now work without a network: this browser keeps all pages and the whole compiler.";
            else says.textContent = rest.hidden ? "" : "This connection is slow or metered, so only what a check needs was downloaded.";
            if (!rest.hidden) await post("size");
            kept = bytes;
            remove.textContent = `Delete the offline copy: ${Math.round(bytes / 1e6)} MB`;
        }
        line.hidden = !isKept; // before, the button would be there without a name
    }

    lines.push(show);
    serviceWorker.addEventListener("message", ({ data }) => {
        if (data === "kept") show();
        else if (data.bytes)
            rest.textContent = `Download the rest, for use without a network: up to ${Math.round((data.bytes - kept) / 1e6)} MB`;
    });
    await show();
    if (!line.hidden) await keepRest(); // what an earlier visit did not finish
}
