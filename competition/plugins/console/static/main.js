// The first module of these pages. It imports those of other plugins, and shows the name of the league.

const reply = await fetch("/pages/config.json");
/** @type {import("../../pages/static/types/config.d.ts").components["schemas"]["PagesConfig"]} */
const { name, modules } = await reply.json();
await Promise.all((modules["console"] ?? []).map((address) => import(address)));
const main = document.createElement("main");
const heading = document.createElement("h1");
heading.textContent = name;
main.append(heading);
document.getElementById("page")?.replaceChildren(main);
export {};
