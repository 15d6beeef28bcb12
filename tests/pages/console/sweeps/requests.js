// The requests of the console that change something, and which of them the sweep over all pages can't send.

// They only read, or the user does not send them.
const READS = /\/preview\/$|\/ws\/tickets\/|\/auth\/token\/refresh\/|\/questions\/render\//;

/** Whether a button sends the request: it changes something, or downloads a table. @param {string} operation */
export const isWrite = (operation) => (!operation.startsWith("GET ") || operation.startsWith("GET /exports/")) && !READS.test(operation);

/** All operations that the console names and a button sends, such as "POST /exams/{exam_id}/". @returns {Promise<Set<string>>} */
export const named = async () => new Set((await (await real("/calls.json")).json()).console.filter(isWrite));

// A test replaces `fetch`.
const real = fetch;

/**
 * Requests of pages whose user is not a signed-in member of staff with all rights, or who has to prepare them in a
 * dialog: see `elsewhere.test.js`.
 */
export const ELSEWHERE = {
  "of users who are not signed in": [
    "POST /auth/login/",
    "POST /auth/login/second-factor/",
    "POST /auth/password-change/",
    "POST /auth/password-change/confirm-otp/",
    "POST /auth/password-change/request/",
    "POST /auth/password-change/resend-otp/",
  ],
  "of staff whose account is not verified": ["PATCH /user/verification/upload/", "POST /send-email-otp/", "POST /user/verification/upload/", "POST /verify-email-otp/"],
  "with a second factor": ["DELETE /auth/second-factor/", "POST /auth/second-factor/confirm/", "POST /auth/second-factor/recovery-codes/"],
  "of staff who leave": ["DELETE /users/me/", "POST /users/restore/"],
  "in the dialog with images": ["DELETE /questions/images/{image_id}/", "PATCH /questions/images/{image_id}/"],
};
// Signing out works even without a reply. Reviewers can undo a decision for some seconds, and then get the next
// case: `documents` has the tests for it. These tables are chosen in the dialog of a download, which shows the failure of
// each in the same way. A merge of schools follows its preview: `schools` has the test for it. Extra time can be taken
// back before the candidate starts: `people` has the test for it.
export const APART = [
  "DELETE /exams/{exam_id}/allowances/{allowance_id}/",
  "POST /auth/logout/",
  "POST /schools/{school_id}/merge/",
  "POST /user/verification/action/{user_id}/",
  ...["GET /exports/exams/{exam_id}/allowances/", "GET /exports/exams/{exam_id}/answer-sheet/", "GET /exports/exams/{exam_id}/answers/"],
];

