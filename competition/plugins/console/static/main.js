// Start the console: its name, its addresses, its frame, and the users whom it admits.

import { declared } from "../../pages/static/ground/router.js";
import { start } from "../../pages/static/pieces/start.js";
import { ConsoleFrame } from "./frame.js";
import { t } from "./words.js";

await start({
  name: "console",
  title: () => t("console"),
  prefix: "/console/",
  routes: declared(),
  frame: ConsoleFrame,
  signIn: "/console/sign-in",
  admits: (user) => user.profile_type === "staff" && user.role !== "sponsor",
});
