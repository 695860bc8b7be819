// Keeps the book in the reader's browser, from the first check on, so that pages and checks then work without a network.
// The build writes above: FILES, the SHA-256 of every file of this build, by its path; and BYTES, the size of all of them.
//
// What is kept is named by its content, and is used only when all files of one build are there. Until then everything comes
// from the network, as if this script did not exist. So no page ever gets files of two builds.
const ROOT = registration.scope; // also the cache's name: other books may stand beside this one on the same host
const AT_ONCE = 6;
const arriving = new BroadcastChannel(ROOT); // tells who waits for a file how much of it came

// Of a book that is kept, the next build is downloaded beside the one in use; it takes over when no tab shows the old one.
addEventListener("install", (event) => event.waitUntil(download()));

addEventListener("activate", (event) => event.waitUntil(takeOver()));

addEventListener("message", (event) => {
    if (event.data === "keep") event.waitUntil(keepAll());
    if (event.data === "take over") event.waitUntil(skipWaiting());
    if (event.data === "size") event.source.postMessage({ bytes: BYTES });
});

addEventListener("fetch", (event) => {
    const { method, url, headers } = event.request;
    if (method !== "GET" || !url.startsWith(ROOT) || headers.has("range")) return;
    let path = new URL(url).pathname.slice(new URL(ROOT).pathname.length);
    if (!path || path.endsWith("/")) path += "index.html";
    if (Object.hasOwn(FILES, path)) event.respondWith(answer(event, path));
});

const key = (path) => `${ROOT}${path}?sha256=${FILES[path]}`;

async function download() {
    const known = (await caches.has(ROOT)) && (await (await caches.open(ROOT)).match(`${ROOT}whole`));
    if (known) await keepAll();
    else await skipWaiting();
}

async function takeOver() {
    if (await isWhole()) {
        const cache = await caches.open(ROOT);
        const mine = new Set([`${ROOT}whole`, ...Object.keys(FILES).map(key)]);
        for (const { url } of await cache.keys()) if (!mine.has(url)) await cache.delete(url);
    }
    await clients.claim();
}

let whole; // a promise of whether all files are kept

async function isWhole() {
    if (!(await caches.has(ROOT))) whole = undefined; // the reader deleted it
    else return (whole ??= missing().then((paths) => !paths.length));
    return false;
}

async function missing() {
    const there = new Set((await (await caches.open(ROOT)).keys()).map(({ url }) => url));
    return Object.keys(FILES).filter((path) => !there.has(key(path)));
}

async function answer(event, path) {
    if (await canChange(event)) {
        registration.waiting.postMessage("take over");
        return new Response("", { headers: { "content-type": "text/html", refresh: "0" } });
    }
    if (await isWhole()) {
        const kept = await (await caches.open(ROOT)).match(key(path));
        if (kept) return kept;
    }
    const response = await fetch(event.request);
    if (!response.ok) return response;
    const kept = keep(path, response.clone()).catch(() => {}); // `keepAll` asks for it again
    event.waitUntil(kept);
    // Browsers keep what they compile only of an answer that comes from here, and the next visit is to find it.
    return (path.endsWith(".wasm") && (await kept)) || response;
}

// Whether the next build is there and nobody would see the change: the one tab is being loaded again, or there is none.
async function canChange({ request }) {
    if (request.mode !== "navigate" || !registration.waiting) return false;
    const open = (await clients.matchAll()).length;
    return !open || (open === 1 && request.isReloadNavigation);
}

async function keep(path, response) {
    if (!(await caches.has(ROOT))) return;
    const tell = new TransformStream({
        transform(part, to) {
            arriving.postMessage({ path, bytes: part.length });
            to.enqueue(part);
        },
    });
    const bytes = await new Response(response.body?.pipeThrough(tell)).arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (!response.ok || hex !== FILES[path]) throw new Error(`${path} is not of this build.`);
    const headers = { "content-type": response.headers.get("content-type"), "content-length": bytes.byteLength };
    const cache = await caches.open(ROOT);
    await cache.put(key(path), new Response(bytes, { headers }));
    return cache.match(key(path));
}

let keeping; // the download that several tabs may ask for

function keepAll() {
    return (keeping ??= (async () => {
        const left = await missing();
        const one = async () => {
            for (let path; (path = left.pop()); ) await keep(path, await fetch(ROOT + path, { cache: "no-cache" }));
        };
        await Promise.all(Array.from({ length: AT_ONCE }, one));
        if (!(await caches.has(ROOT))) return; // deleted meanwhile
        await (await caches.open(ROOT)).put(`${ROOT}whole`, new Response());
        whole = undefined;
        for (const client of await clients.matchAll({ includeUncontrolled: true })) client.postMessage("kept");
    })().finally(() => (keeping = undefined)));
}
