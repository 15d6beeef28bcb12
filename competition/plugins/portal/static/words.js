// The function `t` for the texts that pages in several folders of the portal share. Each folder has a catalogue of its
// own, so that a page loads only the texts of its folder.

import { catalogue } from "../../pages/static/ground/texts.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") });
