// The requests of the pages of staff about schools and their teachers. No other module of this folder names paths of
// the API.

import { api, Refused } from "../../../pages/static/ground/api.js";
import { fetched } from "../../../pages/static/ground/files.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["School"]} School */
/** @typedef {Schemas["Teacher"]} Teacher */
/** @typedef {Schemas["SchoolMerge"]} Merge */
/** @typedef {Schemas["AvailableLeaderboard"]["stage"]} Stage */
/** @typedef {Schemas["RankedSchool"]} RankedSchool */
/** @typedef {Schemas["SchoolRule"]} Rule */

/** @param {Parameters<typeof api.get<"/schools/">>[1]} query */
export const schools = (query) => api.get("/schools/", query);

/** @param {number} school_id */
export const school = (school_id) => api.get("/schools/{school_id}/", { school_id });

/** @param {Schemas["NewSchool"]} body */
export const add = (body) => api.post("/schools/", {}, body);

/**
 * @param {number} school_id
 * @param {Schemas["SchoolChanges"]} body
 */
export const change = (school_id, body) => api.patch("/schools/{school_id}/", { school_id }, body);

/** @param {number} school_id */
export const remove = (school_id) => api.delete("/schools/{school_id}/", { school_id }, undefined);

/**
 * How many people a merge would concern. The request changes nothing.
 *
 * @param {number} school_id
 * @param {string[]} names
 */
export const preview = (school_id, names) => api.post("/schools/{school_id}/merge/preview/", { school_id }, { names });

/**
 * @param {number} school_id
 * @param {Schemas["MergeOrder"]} body
 */
export const merge = (school_id, body) => api.post("/schools/{school_id}/merge/", { school_id }, body);

/**
 * @param {number} school_id
 * @param {number} alias_id
 */
export const removeAlias = (school_id, alias_id) => api.delete("/schools/{school_id}/aliases/{alias_id}/", { school_id, alias_id }, undefined);

/**
 * @param {number} school_id
 * @param {Record<string, string>} query
 */
export const teachers = (school_id, query) => api.get("/schools/{school_id}/teachers/", { ...query, school_id });

/**
 * @param {number} school_id
 * @param {Schemas["NewTeacher"]} body
 */
export const addTeacher = (school_id, body) => api.post("/schools/{school_id}/teachers/", { school_id }, body);

/**
 * @param {number} school_id
 * @param {string} user_id
 */
export const removeTeacher = (school_id, user_id) => api.delete("/schools/{school_id}/teachers/{user_id}/", { school_id, user_id }, undefined);

/** @param {Parameters<typeof api.get<"/leaderboard/{stage}/{round}/schools/">>[1]} query */
export const board = (query) => api.get("/leaderboard/{stage}/{round}/schools/", query);

/** @param {{ stage: string, round: number, exam_id?: number }} which */
export const exportedBoard = (which) => (/** @type {Record<string, any>} */ query) => fetched("/exports/leaderboard/{stage}/{round}/schools/", { ...query, ...which });

/** The season of an exam whose leaderboard is published. @param {number} exam_id */
export const seasonOf = async (exam_id) => (await api.get("/leaderboard/snapshots/", { exam_id, limit: 1 })).results[0]?.season;

/** The published leaderboards. */
export async function boards() {
  try {
    return (await api.get("/leaderboard/")).available_leaderboards ?? [];
  } catch (error) {
    if (error instanceof Refused && error.code === "leaderboard_not_published") return [];
    throw error;
  }
}
