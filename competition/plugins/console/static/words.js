// The function `t` for the texts that pages in several folders of the console share. It knows only its catalogue.

import { catalogue } from "../../pages/static/ground/texts.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") });
