// The texts of the shared pieces.

import { catalogue } from "../ground/texts.js";

export const t = catalogue({ en: () => import("../texts/en.js"), fr: () => import("../texts/fr.js") });
