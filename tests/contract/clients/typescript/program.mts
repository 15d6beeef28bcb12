// What a client developer writes in TypeScript: tsc reads it before node runs it.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

declare const process: { argv: string[] };
const [address, key, moderator, candidate, password] = process.argv.slice(2);

async function logIn(email: string) {
  const anonymous = createClient<paths>({ baseUrl: address, headers: { "X-Api-Key": key } });
  const login = await anonymous.POST("/auth/login/", { body: { email, password } });
  if (!login.data) throw new Error(login.error.code);
  const headers = { "X-Api-Key": key, Authorization: `Bearer ${login.data.access}` };
  return { ...login.data, client: createClient<paths>({ baseUrl: address, headers }) };
}

const staff = await logIn(moderator);
const query = { search: "question 1", limit: 5 };
const found = await staff.client.GET("/questions/", { params: { query } });
if (!found.data) throw new Error(found.error.code);

const ada = await logIn(candidate);
const dashboard = await ada.client.GET("/dashboard/candidate/");
if (!dashboard.data) throw new Error(dashboard.error.code);
const path = { exam_id: dashboard.data.available_exams[0].id };
const paper = await ada.client.GET("/exams/{exam_id}/take-exam/", { params: { path } });
if (!paper.data) throw new Error(paper.error.code);

const answers = paper.data.questions.map((each) => ({
  question: each.id,
  selected_option: "A" as const,
}));
const submit = () =>
  ada.client.POST("/exams/{exam_id}/submit-exam-answers/", { params: { path }, body: { answers } });
const first = await submit();
if (!first.data) throw new Error(first.error.code);
const second = await submit();
const { pagination } = found.data;
const code = second.error?.code;
console.log(staff.profile.role, pagination.count, ada.profile.school, answers.length, code);
