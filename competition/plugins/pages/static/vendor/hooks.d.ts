export * from "./preact/hooks/src/index";
