// The first module of these pages. It shows the name of the league.

const reply = await fetch("/pages/config.json");
const { name } = await reply.json();
const heading = document.createElement("h1");
heading.textContent = name;
document.getElementById("page")?.replaceChildren(heading);
export {};
