import { t } from "../../../../competition/plugins/portal/static/documents/words.js";
import { equal, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { candidate, open } from "../../kit/front-end.js";
import { screen } from "../../kit/screen.js";
import { Service } from "../../kit/service.js";

export const device = { has_touch: true, is_mobile: true, viewport: { width: 360, height: 740 } };

test("a phone offers its camera: the front one for the face", async () => {
  const status = example("GET /user/verification/status/", { status: "not_submitted" });
  await open("/documents", { as: candidate(), service: new Service({ "GET /user/verification/status/": status }) });
  const camera = async (/** @type {"face_id" | "id_card"} */ name) => {
    const field = await screen.findByLabelText(`${t("documents.take")} (${t(`documents.${name}`)})`);
    return [field.getAttribute("capture"), field.accept];
  };
  equal(await camera("face_id"), ["user", "image/jpeg,image/png"]);
  equal(await camera("id_card"), ["environment", "image/jpeg,image/png"]);
});
