// The requests about the seasons of the league. No other module of this folder names paths of the API.

import { api } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]["Season"]} Season */

// The API lists at most this many items at once. A league has one season per year.
const MOST = 100;

/** All seasons, the newest first. None if the plugin `seasons` is disabled. @returns {Promise<Season[]>} */
export const seasons = async () => (config().plugins.includes("seasons") ? (await api.get("/seasons/", { limit: MOST })).results : []);
