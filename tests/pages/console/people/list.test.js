import { equal, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { choose, fill, screen } from "../../kit/screen.js";
import { page, Service } from "../../kit/service.js";

const amara = example("CandidateItem", { user: { first_name: "Amara", last_name: "Obi" } });

test("the list is searched and filtered by the address", async () => {
  const service = new Service({ "GET /candidates/": ({ query }) => page(query.get("search") ? [] : [amara]) });
  await open("/console/candidates", { as: staff("moderator"), service });
  await screen.findByRole("row", { name: /Amara Obi/ });
  fill(screen.getByLabelText("Name, email or school"), "colb");
  await screen.findByText(/Nothing matches these filters/);
  choose(screen.getByLabelText("State"), "Active");
  await screen.findByText(/Nothing matches these filters/);
  equal(location.search, "?search=colb&status=active");
});

test("who has not joined the season is found", async () => {
  const service = new Service({ "GET /candidates/": page([amara]) });
  await open("/console/candidates", { as: staff("moderator"), service, plugins: ["seasons"] });
  await screen.findByRole("row", { name: /Amara Obi/ });
  choose(screen.getByLabelText("This season"), "Has not joined");
  await until(() => service.sent("GET /candidates/").at(-1)?.query.get("joined") === "false");
});

test("only admins may open the page of a candidate", async () => {
  const service = new Service({ "GET /candidates/": page([amara]) });
  await open("/console/candidates", { as: staff("moderator"), service });
  await screen.findByRole("row", { name: /Amara Obi/ });
  equal(screen.queryAllByRole("link", { name: "Amara Obi" }).length, 0);
});
