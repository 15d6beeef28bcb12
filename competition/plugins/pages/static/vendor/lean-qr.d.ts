/// <reference path="./lean-qr-modules.d.ts" />
export * from "lean-qr/nano";
