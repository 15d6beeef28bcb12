import { testLayout } from "./layout.js";

// The size of a page on a phone if the user enlarges it to 200 %.
export const device = { viewport: { width: 180, height: 370 }, has_touch: true };

testLayout("fr");
