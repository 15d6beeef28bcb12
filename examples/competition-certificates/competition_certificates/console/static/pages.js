// The additions of the certificates to the console: pages, an entry in the navigation, and words for a to-do.

import { t } from "./words.js";

export default {
  // Addresses below /console/. A page is loaded when a user opens it.
  routes: [
    { path: "/certificates", load: () => import("./certificates.js").then((all) => all.Search) },
    { path: "/certificates/:id", load: () => import("./certificates.js").then((all) => all.OfCandidate) },
  ],
  // `from` is the lowest rank that sees it. `text` is a function, because the language may change.
  navigation: [{ group: "results", href: "/console/certificates", text: () => t("certificates"), from: "admin" }],
  // The keys are the names that services.py gives to @todo.
  todos: {
    "certificates.waiting": { text: ({ count }) => t("waiting", { count }), href: () => "/console/house/jobs" },
  },
};
