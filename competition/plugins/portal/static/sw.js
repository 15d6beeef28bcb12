// The service worker of the portal. The service writes a line before this one: the constant RELEASE, with the
// hash of the release and the addresses of all files that the page of an exam loads.
//
// The worker caches these files and the document that all pages share, so that an exam opens without a connection. It
// never caches a reply of the API. It knows no stored exam. The page of an exam stores the exam's images in a cache of
// its own, and deletes them. The worker imports nothing, so it repeats the name of that cache.
//
// A new worker waits until all pages are closed, because pages of the earlier release may still load files of
// that release. In the meantime, the service sends documents of the new release, and the earlier worker handles
// them. So each release has its own cache, and workers use the caches of all releases. A cache is filled at once
// or not at all. Without a connection, the newest cache with a document has all that an exam needs.

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);
const RELEASES = "release-";
const CACHE = RELEASES + RELEASE.hash;
const IMAGES = "exam-images";
const SHELL = "/";
const STATIC = "/static/";
const OWN = `${STATIC}${RELEASE.hash}/`;
// How long the service may take to send a page before the cached one is shown, in milliseconds.
const PATIENCE = 5_000;

worker.addEventListener("install", (event) => {
  event.waitUntil(install());
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(forget());
});

async function install() {
  // If the service returns to an earlier release, that release has a cache already. Create it again, so that it is the
  // newest.
  await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  await cache.addAll([SHELL, ...RELEASE.files]);
}

/** Delete the caches of earlier releases. Keep those of later ones, which another worker may be filling. */
async function forget() {
  const names = await releases();
  await Promise.all(names.slice(0, names.indexOf(CACHE)).map((each) => caches.delete(each)));
}

/** The names of the caches of releases, in the order in which they were created. */
async function releases() {
  return (await caches.keys()).filter((each) => each.startsWith(RELEASES));
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

/** A file of any release, which never changes. @param {Request} request */
async function file(request) {
  const cached = await caches.match(request);
  if (cached) return cached;
  const reply = await fetch(request);
  if (reply.ok && new URL(request.url).pathname.startsWith(OWN)) await keep(request, reply.clone());
  return reply;
}

/** @param {Request} request @param {Response} reply */
async function keep(request, reply) {
  try {
    await (await caches.open(CACHE)).put(request, reply);
  } catch {
    // The device is full. The page works without the cache.
  }
}

/** The document of a page: from the service if it can be reached, otherwise from a cache. @param {Request} request */
async function page(request) {
  try {
    const reply = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (reply.status < 500) return reply;
  } catch {
    // There is no connection.
  }
  for (const cacheName of (await releases()).reverse()) {
    const cached = await caches.match(SHELL, { cacheName });
    if (cached) return cached;
  }
  return Response.error();
}
