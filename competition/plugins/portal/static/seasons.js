// The seasons of the league, for all pages that also show earlier ones: which there are, and the tabs to choose one.

export { seasons } from "./seasons/calls.js";
export { chosen, chosenEarlier, ofSeason, SeasonTabs, useSeason, useSeasons } from "./seasons/pieces.js";
