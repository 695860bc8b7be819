// What this browser keeps of the book so that it works without a network: service_worker.js.

const ROOT = new URL("../../", import.meta.url).href; // of the book
const PATIENCE = 2000; // milliseconds
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

/** Keep the rest of the book, too; in the background. */
export async function keepRest() {
    const registration = await serviceWorker?.getRegistration(ROOT).catch(() => undefined);
    registration?.active?.postMessage("keep");
}

/** Show below `place` how much is kept, with a button that deletes it. */
export async function showKept(place) {
    if (!serviceWorker || !globalThis.caches) return;
    const line = document.createElement("p");
    line.className = "kept-files";
    line.hidden = true;
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", async () => {
        await caches.delete(ROOT);
        await (await serviceWorker.getRegistration(ROOT))?.unregister();
        await show();
    });
    const says = document.createElement("span");
    line.append(says, " ", button);
    place.append(line);

    async function show() {
        const isKept = await hasKept();
        if (isKept) {
            const whole = await isWhole();
            const bytes = (await (await caches.open(ROOT)).matchAll()).reduce((sum, one) => sum + Number(one.headers.get("content-length")), 0);
            says.textContent = whole
                ? "The book and its checks now work without a network: this browser keeps all pages and the whole compiler."
                : "";
            button.textContent = `Delete the offline copy: ${Math.round(bytes / 1e6)} MB`;
        }
        line.hidden = !isKept; // before, the button would be there without a name
    }

    serviceWorker.addEventListener("message", ({ data }) => data === "kept" && show());
    await show();
    if (!line.hidden) await keepRest(); // what an earlier visit did not finish
}
