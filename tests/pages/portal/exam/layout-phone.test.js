import { testLayout, testRoom } from "./layout.js";

export const device = { viewport: { width: 360, height: 740 }, has_touch: true };

testLayout("fr");
testRoom();
