import { setZone } from "../../../competition/plugins/pages/static/ground/dates.js";
import { inZone } from "../../../competition/plugins/console/static/zone.js";
import { equal, test } from "../kit/cases.js";
import { open } from "../kit/front-end.js";
import { Service } from "../kit/service.js";

/** The reader's zone is UTC. @param {string} zone */
async function texts(zone) {
  await open("/console/sign-in", { service: new Service() });
  setZone(zone);
  return inZone("2026-03-10T10:00:00Z");
}

test("a time names the league's city, with the time there if it differs", async () => {
  const found = await texts("Africa/Lagos");
  equal([found.startsWith("10:00"), found.includes("11:00"), found.includes("Lagos")], [true, true, true]);
});

test("a time names the league's city also if clocks show the same there", async () => {
  const found = await texts("Africa/Accra");
  equal([found.startsWith("10:00"), found.includes("(")], [true, false]);
  equal(found.includes("Accra"), true);
});
