export * from "./preact/src/index";
