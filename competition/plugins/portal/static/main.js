// Start the portal, and register its service worker. This module also replies to other tabs that ask for unsent
// answers.

import { workerAddress } from "../../pages/static/ground/markup.js";
import { declared } from "../../pages/static/ground/router.js";
import { start } from "../../pages/static/pieces/start.js";
import { PortalFrame } from "./frame.js";
import { t } from "./words.js";

// Another tab asks which answers signing out would delete here. `unsent.js` is loaded only then, because the page of an
// exam has to stay small. If it can't be loaded, this tab does not reply, and the other tab asks the candidate to look
// at this one.
const unsent = new BroadcastChannel("portal.unsent");
unsent.onmessage = async (/** @type {MessageEvent} */ { data }) => data === "count" && unsent.postMessage((await import("./unsent.js")).unsent());

await start({
  name: "portal",
  title: () => t("portal"),
  prefix: "/",
  routes: declared(),
  frame: PortalFrame,
  signIn: "/sign-in",
  admits: (user) => user.profile_type === "candidate",
});

// The worker stores the files of the pages, for a reload without a connection. Browsers without service workers
// need a connection.
navigator.serviceWorker?.register(workerAddress()).catch(() => {});
