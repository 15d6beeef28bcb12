import { t } from "../../../../competition/plugins/portal/static/account/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { open } from "../../kit/front-end.js";
import { screen } from "../../kit/screen.js";
import { Service } from "../../kit/service.js";
import { login, signIn, watchPersist, whose } from "./forms.js";

export const device = { has_touch: true, is_mobile: true, viewport: { width: 360, height: 740 } };

test("a phone counts as a private device", async () => {
  const asked = watchPersist();
  await open("/sign-in", { service: new Service({ "POST /auth/login/": () => login() }) });
  ok((await screen.findByLabelText(t("account.own"))).checked, "The phone counts as shared.");
  await signIn("amara@school.example");
  await until(() => location.pathname === "/home");
  equal(whose(), ["0", "0"]);
  equal(asked.times, 1);
});

test("a phone whose user has called it shared stays shared", async () => {
  localStorage.setItem("device.shared", "1");
  await open("/sign-in", { service: new Service() });
  ok((await screen.findByLabelText(t("account.shared"))).checked, "The answer was forgotten.");
});
