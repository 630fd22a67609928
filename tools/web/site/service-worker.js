// Serves the files of the static edition from the browser's cache. `FILES` and `VERSION` are written
// in front of this code when the site is built.

const CACHE = `ratlla-${VERSION}`;
const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((name) => new Request(name, { cache: "reload" })));
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("ratlla-") && name !== CACHE).map((name) => caches.delete(name)));
  await clients.claim();
}

/** Fetches what is not kept yet, and keeps it. Without a connection, code that asks for it gets no content. */
async function fetchAndKeep(cache, request) {
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    // A file that the page needs is an error.
    if (request.destination !== "") throw error;
    return new Response(null, { status: 204 });
  }
}

async function respond(request) {
  const cache = await caches.open(CACHE);
  const response = (await cache.match(request, { ignoreSearch: true })) ?? (await fetchAndKeep(cache, request));
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === location.origin) event.respondWith(respond(request));
});
