// The service worker: it serves the page's own files from a cache while there is no network. It leaves requests to the
// service alone.

const CACHE = "exam-client-3";
const FILES = ["./", "index.html", "page.js", "service.js", "receipts.js", ...["sitting", "store", "clock", "draft"].map((each) => `sitting/${each}.js`)];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

addEventListener("fetch", (event) => {
  const own = new URL("./", location).href;
  // Requests to the service are not cached: the page itself handles their failures.
  if (event.request.method !== "GET" || !event.request.url.startsWith(own)) return;
  const cached = () => caches.match(event.request, { ignoreSearch: true });
  event.respondWith(fetch(event.request).catch(cached));
});
