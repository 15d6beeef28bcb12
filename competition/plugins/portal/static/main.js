// The first module of the portal.

import { workerAddress } from "../../pages/static/ground/markup.js";
import { start } from "../../pages/static/pieces/start.js";
import { PortalFrame } from "./frame.js";
import { routes } from "./routes.js";
import { unsent } from "./unsent.js";
import { t } from "./words.js";

await start({
  name: "portal",
  title: () => t("portal"),
  prefix: "/",
  routes,
  frame: PortalFrame,
  signIn: "/sign-in",
  admits: (user) => user.profile_type === "candidate",
  unsent,
});

// The worker stores the files of the pages, for a reload without a connection. Browsers without service workers
// need a connection.
navigator.serviceWorker?.register(workerAddress()).catch(() => {});
