/* The service worker: the page's own files without a network, as they were when there was one. */

const CACHE = "exam-client-1";
const FILES = ["./", "index.html", "page.js", "exam.js"];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
  skipWaiting();
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const own = new URL("./", location).href;
  // The service is asked by the page itself, which knows what to do without an answer.
  if (event.request.method !== "GET" || !event.request.url.startsWith(own)) return;
  const kept = () => caches.match(event.request, { ignoreSearch: true });
  event.respondWith(fetch(event.request).catch(kept));
});
