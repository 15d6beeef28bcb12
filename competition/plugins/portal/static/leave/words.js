// The function `t` for the texts of this folder. It uses no other catalogue.

import { catalogue } from "../../../pages/static/ground/texts.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") });
