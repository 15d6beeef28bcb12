// The additions of the certificates to the console: an entry in the navigation, and words for a to-do. The console
// imports this module at its start, so it imports no page: `routes.json` names the pages.

import { t } from "./words.js";

export default {
  // `from` is the lowest rank that sees the entry. `text` is a function, because the language may change.
  navigation: [{ group: "results", href: "/console/certificates", text: () => t("certificates"), from: "admin" }],
  // The keys are the names that services.py gives to @todo.
  todos: {
    "certificates.waiting": { text: ({ count }) => t("waiting", { count }), href: () => "/console/house/jobs" },
  },
};
