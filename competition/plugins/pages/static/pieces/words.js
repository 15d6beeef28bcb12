// The function `t` for the texts of the shared pieces. It knows only its catalogue.

import { catalogue } from "../ground/texts.js";

export const t = catalogue({ en: () => import("../texts/en.js"), fr: () => import("../texts/fr.js") });
