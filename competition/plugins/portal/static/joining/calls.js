// The requests of a candidate who joins a season. No other module of this folder names paths of the API.

import { api } from "../../../pages/static/ground/api.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["ConsentDemand"]} Demand */
/** @typedef {Schemas["OwnCandidateProfile"]} Profile */

/** The name of the current season. */
export const season = async () => (await api.get("/dashboard/candidate/")).current_season?.name ?? "";
export const profile = () => api.get("/candidates/me/");
export const consent = () => api.get("/registration/consent/");

/** @param {Schemas["Joining"] & { guardian_consent?: { name: string, email: string, version: string } }} body */
export const join = (body) => api.post("/seasons/join/", {}, body);
