// The English texts about seasons.

export default {
  "seasons.label": "Season",
  "seasons.of": "Season: {name}",
};
