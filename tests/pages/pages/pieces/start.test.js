// The start of a front-end: what it loads before it knows the configuration and the session.

import { h } from "../../../../competition/plugins/pages/static/ground/html.js";
import { catalogue } from "../../../../competition/plugins/pages/static/ground/texts.js";
import { Page } from "../../../../competition/plugins/pages/static/pieces/page.js";
import { equal, test } from "../../kit/cases.js";
import { show } from "../../kit/pieces.js";
import { screen } from "../../kit/screen.js";
import { Service } from "../../kit/service.js";

/** @import { Route } from "../../../../competition/plugins/pages/static/ground/router.js" */

const Found = () => h(Page, { title: "Found" });
const isShown = () => screen.findByRole("heading", { name: "Found" });

/**
 * Start at the page of this route.
 *
 * @param {Omit<Route, "path">} route
 */
const begin = (route) => show(() => "Here.", { as: null, path: "/found", service: new Service(), routes: [{ path: "/found", ...route }] });

test("a page that needs no session is requested together with the configuration", async () => {
  let requests = 0;
  const load = async () => {
    requests += 1;
    return Found;
  };
  const started = begin({ load, open: true });
  equal(requests, 1);
  await started;
  await isShown();
});

test("a page that needs a session is not requested for a visitor without one", async () => {
  let requests = 0;
  const load = async () => {
    requests += 1;
    return Found;
  };
  await begin({ load });
  await screen.findByRole("heading", { name: "Sign in" });
  equal(requests, 0);
});

test("a page appears also if its module or its texts could not be loaded at first", async () => {
  let requests = 0;
  let texts = 0;
  const load = async () => {
    requests += 1;
    if (requests === 1) {
      // The module arrives after the texts of the front-end were requested.
      await null;
      const en = async () => {
        texts += 1;
        if (texts === 1) throw new TypeError("Failed to fetch");
        return { default: {} };
      };
      catalogue({ en });
      throw new TypeError("Failed to fetch");
    }
    return Found;
  };
  await begin({ load, open: true });
  await isShown();
  equal([requests, texts], [2, 2]);
});
