/** @type {import("../../../competition/plugins/pages/static/ground/texts.js").Translation<typeof import("./texts.en.js").default>} */
export default {
  demo: "Démo",
  candidates: { one: "{count} candidat", other: "{count} candidats" },
  hello: "Bonjour, {name}.",
};
