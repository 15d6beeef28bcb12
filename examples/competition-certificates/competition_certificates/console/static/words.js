// The function `t` for the texts of the pages, in the language that the reader has chosen. It knows only its catalogue.

import { catalogue } from "../../pages/static/ground/texts.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") });
