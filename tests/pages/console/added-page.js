// The module of a plugin that adds a page to the console, with an entry in the navigation.

import { html } from "../../../competition/plugins/pages/static/ground/html.js";

export const Certificate = (/** @type {any} */ { params }) => html`<h1>Certificate of ${params.id}</h1>`;

export default {
  navigation: [{ href: "/console/additions/7", text: () => "Certificates", from: "admin", group: "results" }],
};
