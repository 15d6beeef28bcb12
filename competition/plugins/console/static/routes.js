// The pages of the console, subject by subject. Each `load` names the component of a page.

/** @import { Route } from "../../pages/static/ground/router.js" */

/** @type {Route[]} */
export const routes = [
  // account
  // home
  // people
  // documents
  // staff
  // questions
  // exams
  // day
  // results
  // boards
  // advancement
  // appeals
  // broadcasts
  // house
];
