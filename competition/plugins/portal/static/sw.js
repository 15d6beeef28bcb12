// The service worker of the portal. The service writes a line before this one: the constant RELEASE, with the
// hash of the release and the addresses of the files that the first page loads.
//
// It caches the files of a release and the document that all pages share, so that an exam opens without a
// connection. It never caches a reply of the API. The page of an exam stores the exam's images in a cache of
// its own, and deletes them. A new worker waits until no page of the earlier release is open. Only then does it
// delete the files of that release.

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);
const RELEASES = "release-";
const CACHE = RELEASES + RELEASE.hash;
const IMAGES = "exam-images";
const SHELL = "/";
const STATIC = `/static/${RELEASE.hash}/`;
// How long the service may take to send a page before the cached one is shown, in milliseconds.
const PATIENCE = 5_000;

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([SHELL, ...RELEASE.files])));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(forget());
});

async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((each) => each.startsWith(RELEASES) && each !== CACHE).map((each) => caches.delete(each)));
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET") return;
  if (request.destination === "image" && url.pathname.startsWith("/v1/")) event.respondWith(image(request));
  else if (url.origin !== location.origin) return;
  else if (url.pathname.startsWith(STATIC)) event.respondWith(file(request));
  else if (request.mode === "navigate" && !/^\/(console|v1|developers)(\/|$)/.test(url.pathname)) event.respondWith(page(request));
});

/** An image of an exam from the cache or, if it is not there, from the service. @param {Request} request */
async function image(request) {
  return (await caches.match(request, { cacheName: IMAGES })) ?? fetch(request);
}

/** A file of this release, which never changes. @param {Request} request */
async function file(request) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request);
  if (cached) return cached;
  const reply = await fetch(request);
  if (reply.ok) await cache.put(request, reply.clone());
  return reply;
}

/** The document of a page: from the service if it can be reached, otherwise from the cache. @param {Request} request */
async function page(request) {
  try {
    const reply = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (reply.status < 500) return reply;
  } catch {
    // There is no connection.
  }
  return (await caches.match(SHELL, { cacheName: CACHE })) ?? Response.error();
}
