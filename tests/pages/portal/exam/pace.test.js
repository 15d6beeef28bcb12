import { Sitting } from "../../../../competition/plugins/portal/static/exam/sitting.js";
import { equal, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";

test("a sitting begins", async () => {
  const clock = stopClock();
  const sitting = new Sitting({ service: /** @type {any} */ ({ time: async () => { throw new Error("none"); } }), exam: 7, user: "a", storage: localStorage });
  void sitting.begin();
  await clock.passes(30);
  equal(sitting.phase, "away");
});
