// The function `t` for the texts that all subjects of the portal share. Each subject has a catalogue of its own, so
// that a page loads only the texts of its subject.

import { catalogue } from "../../pages/static/ground/texts.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") });
