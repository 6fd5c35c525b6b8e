// Keeps the whole site in the browser, so that the lessons open when the network is gone. What
// JupyterLite's own worker does (files of the drive, input) it goes on doing.
const KEPT = "mini_rpc-{{ version }}";
const FILES = {{ files }};
const OWN = /\/api\/(drive|stdin|service-worker-heartbeat)/;

self.addEventListener("activate", (event) => event.waitUntil(keepAll()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const isFile = event.request.method === "GET" && url.origin === location.origin;
  if (!isFile || OWN.test(url.pathname)) return;
  event.stopImmediatePropagation();
  event.respondWith(answer(event.request));
});
importScripts("./{{ own }}");

async function keepAll() {
  for (const name of await caches.keys()) {
    if (name.startsWith("mini_rpc-") && name !== KEPT) await caches.delete(name);
  }
  const cache = await caches.open(KEPT);
  for (let start = 0; start < FILES.length; start += 10) {
    const some = FILES.slice(start, start + 10).map((file) => keep(cache, file));
    await Promise.allSettled(some);
  }
}

async function keep(cache, file) {
  if (!(await cache.match(file))) await cache.add(file);
}

async function answer(request) {
  try {
    return await fetch(request);
  } catch (gone) {
    const path = new URL(request.url).pathname;
    const cache = await caches.open(KEPT);
    const file = path.endsWith("/") ? `${path}index.html` : path;
    const kept = await cache.match(file, { ignoreSearch: true });
    if (kept) return kept;
    throw gone;
  }
}
