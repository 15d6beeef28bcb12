import { testBar, testLayout } from "./layout.js";

// The size of a page on a small laptop if the user enlarges it to 200 %.
export const device = { viewport: { width: 640, height: 400 } };

testLayout("en");
testBar();
