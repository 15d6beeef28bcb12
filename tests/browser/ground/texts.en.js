export default {
  demo: "Demo",
  candidates: { one: "One candidate", other: "{count} candidates" },
  hello: "Hello, {name}.",
};
