// The French texts about seasons.

/** @type {import("../../../../pages/static/ground/texts.js").Translation<typeof import("./en.js").default>} */
export default {
  "seasons.label": "Saison",
  "seasons.of": "Saison : {name}",
};
