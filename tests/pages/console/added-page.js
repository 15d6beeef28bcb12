// The module of a plugin that adds a page to the console.

import { html } from "../../../competition/plugins/pages/static/ground/html.js";

export default {
  routes: [{ path: "/additions/:id", load: async () => (/** @type {any} */ { params }) => html`<h1>Certificate of ${params.id}</h1>` }],
  navigation: [{ href: "/console/additions/7", text: () => "Certificates", from: "admin", group: "results" }],
};
