import { t } from "../../../../competition/plugins/portal/static/documents/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { candidate, open, push } from "../../kit/front-end.js";
import { arrived, says, saysNo, words } from "../../kit/said.js";
import { click, pick, screen, within } from "../../kit/screen.js";
import { lost, refused, Reply, Service } from "../../kit/service.js";
import { useUploads } from "../../kit/uploads.js";
import { bytes, EXIF, located, pdf, photograph, size } from "./files.js";

const STATUS = "GET /user/verification/status/";
const FIRST = "POST /user/verification/upload/";
const LATER = "PATCH /user/verification/upload/";
const NAMES = /** @type {const} */ (["face_id", "id_card", "verification_document"]);
/** @typedef {NAMES[number]} Name */

/**
 * The page of documents. `status` is what the service says of them, and can be changed.
 *
 * @param {Record<string, any>} status
 * @param {Record<string, any>} [replies]
 */
async function documents(status, replies) {
  const now = { status: "not_submitted", ...status };
  const receive = (/** @type {number} */ code) => () => {
    Object.assign(now, { status: "pending", is_pending: true, is_rejected: false });
    return new Reply(code, example(FIRST, now));
  };
  const service = new Service({ [STATUS]: () => example(STATUS, now), [FIRST]: receive(201), [LATER]: receive(200), ...replies });
  service.config.files = /** @type {any} */ ({
    face_id: { largest_bytes: 2 ** 20, types: ["image/jpeg", "image/png"] },
    id_card: { largest_bytes: 2 ** 20, types: ["image/jpeg", "image/png", "application/pdf"] },
    verification_document: { largest_bytes: 2 ** 20, types: ["image/jpeg", "image/png", "application/pdf"] },
  });
  useUploads();
  await open("/documents", { as: candidate(), service });
  await arrived(t("documents"));
  return { service, now };
}

const label = (/** @type {Name} */ name, /** @type {any} */ verb = "documents.choose") => `${t(verb)} (${t(`documents.${name}`)})`;
const sheet = (/** @type {Name} */ name) => screen.getByRole("heading", { name: t(`documents.${name}`) }).closest(".document");
const preview = (/** @type {Name} */ name) => screen.findByRole("img", { name: t("documents.preview", { label: t(`documents.${name}`) }) });

/** Choose a file. @param {Name} name @param {Blob} file @param {string} [called] */
async function take(name, file, called = "file") {
  const field = await screen.findByLabelText(label(name));
  await pick(field, [file instanceof File ? file : new File([file], called, { type: file.type })]);
  if (file.type !== "application/pdf") await preview(name);
}

const sends = async (/** @type {any} */ verb = "documents.sendAll") => click(await screen.findByRole("button", { name: t(verb) }));

test("three documents are required, and are sent", async () => {
  const { service } = await documents({});
  await sends();
  await screen.findByRole("alert");
  equal(NAMES.map((each) => sheet(each)?.classList.contains("wrong")), [true, true, true]);
  await take("face_id", await photograph(100, 80));
  // A picture is not called missing any more, the others are.
  equal(NAMES.map((each) => sheet(each)?.classList.contains("wrong")), [false, true, true]);
  await sends();
  await until(() => sheet("id_card")?.classList.contains("wrong"));
  ok(!sheet("face_id")?.classList.contains("wrong"), "The picture is called missing.");
  await take("id_card", pdf());
  await says("card.pdf");
  await screen.findByRole("link", { name: new RegExp(t("documents.verification_document")) });
  equal(within(screen.getByRole("alert")).getAllByRole("link").length, 1);
  await take("verification_document", await photograph(100, 80));
  equal(screen.queryAllByRole("alert").length, 0);
  equal(service.sent(FIRST), []);
  await sends();
  await says(t("documents.received"));
  await says(t("documents.pending"));
  const [sent] = service.sent(FIRST);
  equal([...sent?.body.entries()].map(([name, file]) => [name, file.name, file.type]), [
    ["face_id", "face_id.jpg", "image/jpeg"],
    ["id_card", "id_card.pdf", "application/pdf"],
    ["verification_document", "verification_document.jpg", "image/jpeg"],
  ]);
});

test("a picture is made smaller, and loses the place where it was taken", async () => {
  const { service } = await documents({});
  const camera = await photograph(4000, 3000);
  await take("face_id", camera);
  const original = await located();
  ok((await bytes(original)).includes(EXIF), "The picture has no place.");
  await take("id_card", original);
  await take("verification_document", await photograph(120, 90, "image/png"));
  await sends();
  await says(t("documents.received"));
  const files = NAMES.map((each) => service.sent(FIRST)[0]?.body.get(each));
  equal(await Promise.all(files.map(size)), [[2000, 1500], [200, 100], [120, 90]]);
  for (const each of files) ok(!(await bytes(each)).includes(EXIF), "The place was sent.");
});

test("what is no picture, and what the service would reject, is named at its document", async () => {
  await documents({});
  const said = async (/** @type {Name} */ name, /** @type {Blob} */ file, /** @type {string} */ text) => {
    await pick(await screen.findByLabelText(label(name)), [/** @type {File} */ (file)]);
    await until(() => words(sheet(name)).includes(text), text);
  };
  await said("face_id", new File(["no picture"], "notes.txt.jpg", { type: "image/jpeg" }), t("documents.noPicture"));
  await said("face_id", pdf(), t("documents.noPdf"));
  await said("id_card", pdf(1100), t("documents.large", { count: 1 }));
  await take("id_card", pdf(900));
  await until(() => words(sheet("id_card")).includes("card.pdf"));
  ok(!words(sheet("id_card")).includes(t("documents.large", { count: 1 })), "The PDF is still called too large.");
  // The fields offer what the service takes. Every image would make iPhones send HEIC.
  equal(["face_id", "id_card"].map((each) => sheet(each).querySelector("input").accept), ["image/jpeg,image/png", "image/jpeg,image/png,application/pdf"]);
});

test("a PDF with a password, which only the service recognises, is named at its document until it is replaced", async () => {
  const detail = "This PDF is protected by a password.";
  await documents({}, { [FIRST]: refused(400, "invalid_file_type", detail, { errors: { id_card: [detail] } }) });
  for (const each of NAMES) await take(each, each === "id_card" ? pdf() : await photograph(100, 80));
  await sends();
  await until(() => words(sheet("id_card")).includes(detail), detail);
  ok(sheet("id_card")?.classList.contains("wrong"), "The PDF is not marked.");
  ok(!words(sheet("face_id")).includes(detail), "The picture is called protected.");
  await pick(await screen.findByLabelText(label("id_card", "documents.chooseOther")), [pdf(2)]);
  await until(() => !words(sheet("id_card")).includes(detail));
});

test("a document can be taken away again", async () => {
  await documents({});
  await take("face_id", await photograph(100, 80));
  await click(screen.getByRole("button", { name: label("face_id", "documents.remove") }));
  await until(() => !sheet("face_id")?.querySelector("img"));
  await screen.findByLabelText(label("face_id"));
});

test("after a rejection, only the chosen documents are sent", async () => {
  const { service } = await documents({ status: "rejected", is_rejected: true, rejection_reason: "The card is too dark." });
  await says("The card is too dark.");
  await sends("documents.sendChosen");
  await says(t("documents.oneRequired"));
  await take("id_card", await photograph(100, 80));
  // One document is enough.
  await saysNo(t("documents.oneRequired"));
  await sends("documents.sendChosen");
  await says(t("documents.pending"));
  equal([...service.sent(LATER)[0]?.body.keys()], ["id_card"]);
});

test("the document that the reason is about is marked until another file is chosen", async () => {
  await documents({ status: "rejected", is_rejected: true, rejection_reason: "The card can't be read.", rejected_document: "id_card" });
  await says("The card can't be read.");
  const marked = () => NAMES.filter((each) => words(sheet(each)).includes(t("documents.isRejected")));
  equal([marked(), sheet("id_card").classList.contains("wrong")], [["id_card"], true]);
  await take("id_card", await photograph(100, 80));
  equal([marked(), sheet("id_card").classList.contains("wrong")], [[], false]);
});

test("while the league checks documents, they can be replaced", async () => {
  const verification_data = example("VerificationData", { updated_at: "2026-03-09T10:00:00Z", documents: { face_id: true, id_card: true } });
  const { service } = await documents({ status: "pending", is_pending: true, verification_data });
  await says(t("documents.pending"));
  const states = [...document.querySelectorAll(".document-list .tag")].map((each) => words(each));
  equal(states, [t("documents.sent"), t("documents.sent"), t("documents.missing")]);
  equal(screen.queryAllByLabelText(label("id_card")).length, 0);
  await click(screen.getByRole("button", { name: t("documents.replace") }));
  await take("id_card", await photograph(100, 80));
  await sends("documents.sendChosen");
  await says(t("documents.received"));
  await until(() => screen.queryAllByLabelText(label("id_card")).length === 0);
  equal([...service.sent(LATER)[0]?.body.keys()], ["id_card"]);
});

test("a decision appears when it is made", async () => {
  const { now } = await documents({ status: "pending", is_pending: true });
  await says(t("documents.pending"));
  Object.assign(now, { status: "verified", is_pending: false, is_approved: true });
  push("portal", "notification_activity", {});
  await says(t("documents.approved"));
  await saysNo(t("documents.pending"));
  equal(screen.queryAllByRole("button").length, 0);
});

test("without a confirmed address, nothing can be sent", async () => {
  await documents({ status: "email_not_verified" });
  await says(t("documents.email"));
  equal(screen.getByRole("link", { name: t("documents.verify") }).getAttribute("href"), "/verify");
  equal(screen.queryAllByRole("button", { name: t("documents.sendAll") }).length, 0);
});

test("an upload without a reply is not sent again, and the documents stay", async () => {
  const { service } = await documents({}, { [FIRST]: lost });
  for (const each of NAMES) await take(each, await photograph(100, 80));
  await sends();
  await screen.findByRole("alert");
  equal(service.sent(FIRST).length, 1);
  await Promise.all(NAMES.map(preview));
  await saysNo(t("documents.sending"));
});

test("an upload shows its progress", async () => {
  /** @type {() => void} */
  let reply = () => {};
  await documents({}, {
    [FIRST]: async () => {
      await new Promise((resolve) => (reply = () => resolve(null)));
      return refused(400, "pending_verification");
    },
  });
  for (const each of NAMES) await take(each, await photograph(100, 80));
  await sends();
  await screen.findByRole("progressbar", { name: t("documents.sending") });
  reply();
  await says(t("refused.pending_verification"));
  await until(() => screen.queryAllByRole("progressbar").length === 0);
});
