// The first module of these pages. It shows the name of the league.

const reply = await fetch("/pages/config.json");
const { name } = await reply.json();
const main = document.createElement("main");
const heading = document.createElement("h1");
heading.textContent = name;
main.append(heading);
document.getElementById("page")?.replaceChildren(main);
export {};
